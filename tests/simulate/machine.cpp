// SPDX-License-Identifier: MIT OR Apache-2.0
// simulate: the machine. It implements what port/model asks for (hooks.hpp).
#include "machine.hpp"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <unordered_map>

#include <weft/weft.hpp>

#include "../model/engine/fiber.hpp"

// It is private, but an explicit instantiation may name it: the library's only static memory, in which each core finds
// the pool that it works for. Each image has its own.
namespace simulate {
static void* static_memory = nullptr;
static size_t static_bytes = 0;
}  // namespace simulate
template <auto part>
struct KnownStatic {
    static const bool is_known;
};
template <auto part>
const bool KnownStatic<part>::is_known = (simulate::static_memory = part,
                                          simulate::static_bytes = sizeof *part, true);
template struct KnownStatic<&weft::detail::ForkDeque::here>;

namespace simulate {

Costs costs;

namespace {

using weft::model::Fiber;

constexpr Time never = ~Time{0};
constexpr uintptr_t line_bytes = WEFT_MODEL_LINE;
constexpr size_t most_static = 1024;

enum class State : uint8_t { off, ready, asleep };

struct Core {
    Fiber fiber;
    State state = State::off;
    bool prepared = false;
    bool event = false;
    bool mail = false;  // an entry has been posted
    uint32_t posts = 0;
    bool busy = false;  // in an entry
    bool in_isr = false;
    bool holds_interrupts = false;
    unsigned image = 0;
    Time clock = 0;
    Time awake_since = 0;
    void (*entry)(void*) = nullptr;
    void* arg = nullptr;
    void (*handler)() = nullptr;
    Time next_interrupt = never;
    Time alarm = never;  // ends a sleep
    Time period = 0;
    unsigned interrupts = 0;

    // When it does its next step.
    Time due() const {
        if (state == State::off) return never;
        return state == State::ready ? clock : next_interrupt < alarm ? next_interrupt : alarm;
    }
};

struct Line {
    uint64_t copies = 0;
    bool alone = false;  // its one copy may be written
    Time free = 0;       // from when on it can move again
};

Fiber outside;
Core cores[most_cores];
const Image* images;
unsigned image_count;
unsigned self;
Time horizon;  // the next step of any other core is due
std::unordered_map<uintptr_t, Line> lines;
Time interconnect_free;
Counts total;
Time counted_from;
unsigned char kept[most_cores][most_static];  // of each image, while another one runs

Core& me() { return cores[self]; }
unsigned first_of(unsigned core) { return images[cores[core].image].first; }
bool counted(Time time) { return time >= counted_from; }

[[noreturn]] void stop(const char* why) {
    fflush(stdout);
    fprintf(stderr, "weft: the simulation stops: %s\n", why);
    _Exit(3);
}

// The core that is to go on; most_cores: none.
unsigned next_core() {
    unsigned next = most_cores;
    Time least = never;
    for (unsigned core = 0; core != most_cores; ++core) {
        if (cores[core].due() < least) least = cores[core].due(), next = core;
    }
    return next;
}

Time due_besides(unsigned core) {
    Time least = never;
    for (unsigned other = 0; other != most_cores; ++other) {
        if (other != core && cores[other].due() < least) least = cores[other].due();
    }
    return least;
}

void change_image(unsigned from, unsigned to) {
    if (from == to) return;
    memcpy(kept[from], static_memory, static_bytes);
    memcpy(static_memory, kept[to], static_bytes);
}

unsigned current_image;

// Hands the turn on; returns when it is this flow's again.
void change_to(Fiber& from, unsigned core) {
    if (core == most_cores) {
        for (const Core& one : cores) {
            if (one.state == State::asleep) stop("all cores sleep, and no interrupt or alarm is to come");
        }
        Fiber::change(from, outside);
        return;
    }
    Core& other = cores[core];
    change_image(current_image, other.image);
    current_image = other.image;
    self = core;
    horizon = due_besides(core);
    if (other.state == State::asleep) {  // by an interrupt, or its alarm
        other.clock = other.awake_since = other.due();
        other.state = State::ready;
        if (other.alarm <= other.clock) other.alarm = never;
    }
    if (&from != &other.fiber) Fiber::change(from, other.fiber);
}

void take_interrupts() {
    while (!me().in_isr && !me().holds_interrupts && me().next_interrupt <= me().clock) {
        me().next_interrupt = --me().interrupts == 0 ? never : me().next_interrupt + me().period;
        me().in_isr = true;
        me().clock += costs.interrupt;
        me().handler();
        me().in_isr = false;
    }
}

// Before each operation: it is this core's turn, as no other one's clock is earlier.
void turn() {
    if (me().clock > horizon) {
        const unsigned next = next_core();
        if (next != self) change_to(me().fiber, next);
    }
    take_interrupts();
}

void wake(Core& core, Time time) {
    core.state = State::ready;
    core.event = false;
    if (core.clock < time) core.clock = time;
    core.awake_since = core.clock;
    if (core.clock < horizon) horizon = core.clock;
}

void account(Core& core) {
    const Time from = core.awake_since < counted_from ? counted_from : core.awake_since;
    if (core.clock > from) total.awake += core.clock - from;
    core.awake_since = core.clock;
}

void touch(const void* address, bool writes) {
    Line& line = lines[reinterpret_cast<uintptr_t>(address) / line_bytes];
    const uint64_t mine = uint64_t{1} << self;
    const bool there = (line.copies & mine) != 0;
    me().clock += costs.access;
    if (line.copies != 0 && (!there || (writes && !line.alone))) {
        Time begin = me().clock;
        if (begin < line.free) begin = line.free;
        if (begin < interconnect_free) begin = interconnect_free;
        interconnect_free = begin + costs.occupy;
        me().clock = line.free = begin + costs.move;
        total.moves += counted(begin) ? 1 : 0;
    }
    // A line that nobody else has may be written at once.
    line.alone = writes || (there ? line.alone : line.copies == 0);
    line.copies = writes ? mine : line.copies | mine;
}

void core_main() {
    for (;;) {
        Core& core = me();
        if (core.mail) {
            core.mail = false;
            core.busy = true;
            core.entry(core.arg);
            core.busy = false;
        }
        if (core.mail) continue;
        account(core);
        core.state = State::off;
        change_to(core.fiber, next_core());
    }
}

void call_body(void* image) {
    const unsigned number = static_cast<unsigned>(reinterpret_cast<uintptr_t>(image));
    images[number].body(number);
}

void post(unsigned core, void (*entry)(void*), void* arg, Time time) {
    Core& other = cores[core];
    other.mail = true;
    ++other.posts;
    other.entry = entry;
    other.arg = arg;
    if (!other.prepared) other.fiber.prepare(core_main), other.prepared = true;
    if (other.state != State::off) return;
    wake(other, time);
}

template <class Step>
void at_turn(const void* address, bool writes, Time more, Step step) {
    if (weft::model::running) {
        turn();
        touch(address, writes);
        me().clock += more;
    }
    step();
}

}  // namespace

void run(const Image* all, unsigned count) {
    images = all;
    image_count = count;
    if (static_bytes > most_static) stop("the library's static memory has grown");
    horizon = 0;
    for (unsigned image = 0; image != count; ++image) {
        for (unsigned core = 0; core != all[image].cores; ++core)
            cores[all[image].first + core].image = image;
        post(all[image].first, call_body, reinterpret_cast<void*>(uintptr_t{image}), 0);
    }
    weft::model::running = true;
    change_to(outside, next_core());
    weft::model::running = false;
}

void work_until(Time time) {
    while (me().clock < time) {
        me().clock = me().next_interrupt < time && !me().in_isr && me().next_interrupt > me().clock
                         ? me().next_interrupt
                         : time;
        turn();
    }
}
void work(Time length) {
    turn();
    work_until(me().clock + length);
}
Time now() { return me().clock; }

void set_interrupt(void (*handler)(), Time period, unsigned times) {
    me().handler = handler;
    me().period = period;
    me().interrupts = times;
    me().next_interrupt = me().clock + period;
}

void count_from(Time time) { counted_from = time; }
const Counts& counts() { return total; }
bool asleep(unsigned core) { return cores[core].state == State::asleep; }

}  // namespace simulate

// ---- What the port asks for

namespace weft {
namespace model {

using namespace simulate;

bool running = false;

namespace hook {

namespace {

uint64_t bits_of(Word word) {
    uint64_t bits = 0;
    memcpy(&bits, word.address, word.size);
    return bits;
}
void set(Word word, uint64_t bits) { memcpy(word.address, &bits, word.size); }

}  // namespace

uint64_t load(Word word, Order, Site) {
    uint64_t bits = 0;
    at_turn(word.address, false, 0, [&] { bits = bits_of(word); });
    return bits;
}
uint64_t own(Word word, Site site) { return load(word, Order::relaxed, site); }
void store(Word word, uint64_t value, Order, Site) {
    at_turn(word.address, true, 0, [&] { set(word, value); });
}
uint64_t modify(Word word, Modify how, uint64_t operand, Order, Site) {
    uint64_t seen = 0;
    at_turn(word.address, true, costs.modify, [&] {
        seen = bits_of(word);
        set(word, how == Modify::exchange ? operand
                  : how == Modify::add    ? seen + operand
                  : how == Modify::sub    ? seen - operand
                  : how == Modify::bit_or ? (seen | operand)
                                          : (seen & operand));
    });
    return seen;
}
bool compare_exchange(Word word, uint64_t& expected, uint64_t desired, Order, Order, Site) {
    bool same = false;
    at_turn(word.address, true, costs.modify, [&] {
        const uint64_t seen = bits_of(word);
        same = seen == expected;
        if (same) set(word, desired);
        expected = seen;
    });
    return same;
}

void plain_read(const void* address, size_t, Site) {
    at_turn(address, false, 0, [] {});
}
void plain_write(const void* address, size_t, Site) {
    at_turn(address, true, 0, [] {});
}
void word_born(Word) {}
void plain_born(const void*, size_t) {}
void died(const void*, size_t) {}

void fence(Site) {
    if (!running) return;
    turn();
    me().clock += costs.modify;
}
void relax(Site) {
    turn();
    me().clock += costs.relax;
}
void park(Site) {
    turn();
    if (me().event || me().alarm <= me().clock) {
        if (!me().event) me().alarm = never;
        me().event = false;
        return;
    }
    account(me());
    me().state = State::asleep;
    change_to(me().fiber, next_core());
    take_interrupts();
}
void unpark(uint32_t core, Site) {
    turn();
    me().clock += costs.unpark;
    Core& other = cores[first_of(self) + core];
    other.event = true;
    if (other.state != State::asleep) return;
    total.wakes += counted(me().clock) ? 1 : 0;
    wake(other, me().clock + costs.wake);
}

StartAnswer start_core(uint32_t core, void (*entry)(void*), void* arg, Site) {
    turn();
    if (core >= images[me().image].cores) return StartAnswer::absent;
    const unsigned number = first_of(self) + core;
    if (cores[number].mail || cores[number].busy) return StartAnswer::refused;
    me().clock += costs.unpark;
    total.starts += counted(me().clock) ? 1 : 0;
    post(number, entry, arg, me().clock + costs.start);
    return StartAnswer::started;
}
bool cancel_start(uint32_t core, void* arg, Site) {
    turn();
    Core& other = cores[first_of(self) + core];
    if (!other.mail || other.arg != arg) return false;
    other.mail = false;  // it comes, and finds nothing
    return true;
}
void vacate(Site) { me().busy = false; }
uint32_t pen_turn(uint32_t core, Site) {
    turn();
    const Core& other = cores[first_of(self) + core];
    return !other.mail && !other.busy ? other.posts << 1 | 1 : 0;
}
uint32_t hold_interrupts() {
    const bool before = me().holds_interrupts;
    me().holds_interrupts = true;
    return before ? 0 : 1;
}
void release_interrupts(uint32_t held) {
    if (held != 0) me().holds_interrupts = false;
}
void interrupt(uint32_t, void (*)(), Site) { stop("a level that preempts is not simulated"); }

uint32_t core_id() { return running ? self - first_of(self) : 0; }
uint32_t now(Site) {
    if (running) turn();
    return static_cast<uint32_t>(me().clock / 1000);
}
void set_alarm(uint32_t tick, Site) {
    const int32_t left = static_cast<int32_t>(tick - static_cast<uint32_t>(me().clock / 1000));
    me().alarm = me().clock + (left > 0 ? static_cast<Time>(left) * 1000 : 0);
}
void clear_alarm(Site) { me().alarm = never; }
uint32_t ticks_per_ms() { return 1000000; }
bool in_isr() { return running && me().in_isr; }
[[noreturn]] void panic(const char* reason, uint32_t, const void*) { stop(reason); }

}  // namespace hook
}  // namespace model
}  // namespace weft
