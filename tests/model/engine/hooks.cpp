// SPDX-License-Identifier: MIT OR Apache-2.0
// Model checker: the hooks of port/model. Each call applies a mutation if there is one for its site, comes to a point
// of the machine, acts on the memory, and leaves a line in the trace.
#include <hooks.hpp>

#include "machine.hpp"
#include "sites.hpp"
#include "trace.hpp"

namespace weft {
namespace model {
namespace hook {

namespace {

Call call_of(Modify how) {
    switch (how) {
        case Modify::exchange: return Call::exchange;
        case Modify::add: return Call::fetch_add;
        case Modify::sub: return Call::fetch_sub;
        case Modify::bit_or: return Call::fetch_or;
        case Modify::bit_and: break;
    }
    return Call::fetch_and;
}

// The site's order, or what a mutation makes of it.
Order judge(Site site, Call call, Order order) {
    Order unused = Order::relaxed;
    if (sites.active()) sites.visit(site, call, order, unused);
    return order;
}

// False: a mutation has removed the barrier.
bool keeps_barrier(Site site, Call call) {
    Order unused = Order::relaxed;
    Order unused_too = Order::relaxed;
    return !sites.active() || !sites.visit(site, call, unused, unused_too);
}

// Comes to the point before the access; on return it is this core's turn.
Location& reach(const Word& word, Access access, Site site) {
    Location& location = machine.memory.locate(machine.self(), word, site);
    machine.access(location, access);
    machine.memory.check_access(machine.self(), location, site);
    return location;
}

const auto is_buried = [](uintptr_t address) { return machine.memory.buried(address); };

}  // namespace

uint64_t load(Word word, Order order, Site site) {
    if (!running) return read_bits(word.address, word.size);
    order = judge(site, Call::load, order);
    Location& location = reach(word, Access::read, site);
    const bool advance = machine.must_advance(location.index);
    const Seen seen = machine.memory.load(machine.self(), location, order, advance);
    machine.watch(location.index);
    if (trace.on()) trace.operation(Call::load, site, word, order, seen, 0);
    return seen.value;
}

uint64_t own(Word word, Site site) {
    if (!running) return read_bits(word.address, word.size);
    Location& location = machine.memory.locate(machine.self(), word, site);
    // No point for the writer: it knows the newest value, and nobody else may change it.
    if (location.writer != machine.self()) {
        machine.access(location, Access::read);
    } else if (machine.in_interrupt()) {
        // But its handler shares the word: it may come before the core's stores.
        machine.sharing.is_private(location.sharers, machine.self() + max_cores);
    }
    machine.memory.check_access(machine.self(), location, site);
    const uint64_t value = machine.memory.own(machine.self(), location);
    if (sites.active()) judge(site, Call::own, Order::relaxed);
    if (trace.on()) trace.operation(Call::own, site, word, Order::relaxed, Seen{value, 0, false}, 0);
    return value;
}

void store(Word word, uint64_t value, Order order, Site site) {
    if (!running) return write_bits(word.address, word.size, value);
    order = judge(site, Call::store, order);
    Location& location = reach(word, Access::write, site);
    const Seen seen = machine.memory.store(machine.self(), location, value, order);
    machine.memory.note_write(location, site);
    machine.stored(location.index);
    if (trace.on()) trace.operation(Call::store, site, word, order, seen, value);
}

uint64_t modify(Word word, Modify how, uint64_t operand, Order order, Site site) {
    if (!running) {
        const uint64_t old = read_bits(word.address, word.size);
        write_bits(word.address, word.size, apply(how, old, operand, word.size));
        return old;
    }
    const Call call = call_of(how);
    order = judge(site, call, order);
    Location& location = reach(word, Access::write, site);
    const Seen seen = machine.memory.modify(machine.self(), location, how, operand, order);
    machine.memory.note_write(location, site);
    machine.watch(location.index);
    machine.stored(location.index);
    if (trace.on())
        trace.operation(call, site, word, order, seen, apply(how, seen.value, operand, word.size));
    return seen.value;
}

bool compare_exchange(Word word, uint64_t& expected, uint64_t desired, Order success, Order failure,
                      Site site) {
    if (!running) {
        const uint64_t old = read_bits(word.address, word.size);
        const bool equal = old == expected;
        if (equal) write_bits(word.address, word.size, desired);
        expected = old;
        return equal;
    }
    if (sites.active()) sites.visit(site, Call::compare_exchange, success, failure);
    Location& location = reach(word, Access::write, site);
    const Seen seen =
        machine.memory.compare_exchange(machine.self(), location, expected, desired, success, failure);
    machine.watch(location.index);
    if (seen.stored) {
        machine.memory.note_write(location, site);
        machine.stored(location.index);
    }
    if (trace.on()) {
        trace.operation(Call::compare_exchange, site, word, seen.stored ? success : failure, seen, desired);
    }
    return seen.stored;
}

void plain_read(const void* address, size_t, Site site) {
    if (!running) return;
    if (trace.on()) trace.plain(Call::plain_read, site, address);
    machine.plain.read(machine.self(), machine.memory.view(machine.self()),
                       reinterpret_cast<uintptr_t>(address), site, is_buried);
}

void plain_write(const void* address, size_t, Site site) {
    if (!running) return;
    if (trace.on()) trace.plain(Call::plain_write, site, address);
    machine.plain.write(machine.self(), machine.memory.view(machine.self()),
                        reinterpret_cast<uintptr_t>(address), site, is_buried);
}

void word_born(Word word) { machine.memory.born(machine.self(), word); }

void plain_born(const void* address, size_t) {
    machine.plain.born(machine.self(), machine.memory.view(machine.self()),
                       reinterpret_cast<uintptr_t>(address));
}

void died(const void* address, size_t) {
    const uintptr_t at = reinterpret_cast<uintptr_t>(address);
    machine.memory.end(machine.self(), at);
    machine.plain.end(machine.self(), machine.memory.view(machine.self()), at);
}

void fence(Site site) {
    if (!running) return;
    const bool kept = keeps_barrier(site, Call::fence);
    if (kept) machine.fence();
    if (trace.on()) trace.call(Call::fence, site, kept ? "" : "(removed)");
}

void relax(Site site) {
    if (!running) return;
    if (trace.on()) trace.call(Call::relax, site, "");
    machine.relax();
}

void park(Site site) {
    if (!running) fail(Failure::misuse, "park() outside of the cores' bodies");
    const bool kept = keeps_barrier(site, Call::park);
    if (trace.on()) trace.call(Call::park, site, "...");
    const bool event = machine.park(kept);
    if (trace.on()) trace.call(Call::park, site, event ? "ended by an event" : "returned early");
}

void unpark(uint32_t core, Site site) {
    if (!running) return;
    const bool kept = keeps_barrier(site, Call::unpark);
    machine.unpark(core, kept);
    if (trace.on())
        trace.call(Call::unpark, site, "core " + std::to_string(core) + (kept ? "" : " (no barrier)"));
}

void interrupt(uint32_t core, void (*handler)(), Site site) {
    if (!running) return;
    if (trace.on()) trace.call(Call::interrupt, site, "core " + std::to_string(core));
    machine.interrupt(core, handler);
}

uint32_t hold_interrupts() { return running ? machine.hold_interrupts(true) : 0; }

void release_interrupts(uint32_t held) {
    if (running) machine.hold_interrupts(held != 0);
}

// A core that is never started is in its pen; at the beginning of each execution all are.
namespace {

uint32_t outside[max_cores];
const bool outside_is_known = (add_static_part(outside, sizeof outside), true);

Word outside_of(uint32_t core) { return Word{&outside[core], sizeof(uint32_t), WordKind::published}; }

}  // namespace

void set_outside(uint32_t core, bool is) {
    store(outside_of(core), is, is ? Order::relaxed : Order::release,
          Site{__builtin_FILE(), __builtin_LINE()});
}

uint32_t pen_turn(uint32_t core, Site site) {
    if (!running || core >= max_cores) return 1;
    const uint32_t turn = machine.mailbox_turn(core);
    return load(outside_of(core), Order::acquire, site) == 0 ? turn : 0;
}

StartAnswer start_core(uint32_t core, void (*entry)(void*), void* arg, Site site) {
    if (!running) return StartAnswer::refused;
    const StartAnswer answer = machine.start_core(core, entry, arg);
    if (trace.on()) {
        static const char* const names[] = {"started", "refused", "absent"};
        trace.call(Call::start_core, site,
                   "core " + std::to_string(core) + ": " + names[static_cast<unsigned>(answer)]);
    }
    return answer;
}

bool cancel_start(uint32_t core, void* arg, Site site) {
    if (!running) return false;
    const bool cancelled = machine.cancel_start(core, arg);
    if (trace.on()) {
        trace.call(Call::cancel_start, site,
                   "core " + std::to_string(core) + (cancelled ? ": in time" : ": too late"));
    }
    return cancelled;
}

void vacate(Site site) {
    if (!running) return;
    if (trace.on()) trace.call(Call::vacate, site, "");
    machine.vacate();
}

uint32_t core_id() { return machine.self(); }

uint32_t now(Site site) {
    if (!running) return 0;
    const uint32_t ticks = machine.now();
    if (trace.on()) trace.call(Call::now, site, std::to_string(ticks));
    return ticks;
}

void set_alarm(uint32_t tick, Site site) {
    if (!running) return;
    if (trace.on()) trace.call(Call::set_alarm, site, std::to_string(tick));
    machine.set_alarm(tick);
}

void clear_alarm(Site site) {
    if (!running) return;
    if (trace.on()) trace.call(Call::clear_alarm, site, "");
    machine.clear_alarm();
}

uint32_t ticks_per_ms() { return machine.ticks_per_ms(); }

bool in_isr() { return running && machine.in_isr(); }

void panic(const char* reason, uint32_t core, const void*) {
    fail(Failure::panic, "core %u (named %u): %s", machine.self(), core, reason);
}

}  // namespace hook
}  // namespace model
}  // namespace weft
