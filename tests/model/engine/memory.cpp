// SPDX-License-Identifier: MIT OR Apache-2.0
// Model checker: Memory.
#include "memory.hpp"

#include "failure.hpp"

namespace weft {
namespace model {

namespace {

bool acquires(Order order) { return order == Order::acquire || order == Order::acq_rel; }
bool releases(Order order) { return order == Order::release || order == Order::acq_rel; }

}  // namespace

uint64_t read_bits(const void* address, unsigned size) {
    uint64_t bits = 0;
    memcpy(&bits, address, size);
    return bits;
}

void write_bits(void* address, unsigned size, uint64_t value) { memcpy(address, &value, size); }

uint64_t apply(Modify how, uint64_t old, uint64_t operand, unsigned size) {
    uint64_t value = operand;
    if (how == Modify::add) value = old + operand;
    if (how == Modify::sub) value = old - operand;
    if (how == Modify::bit_or) value = old | operand;
    if (how == Modify::bit_and) value = old & operand;
    return size == sizeof value ? value : value & ((uint64_t{1} << (8 * size)) - 1);
}

void Memory::reset(unsigned cores) {
    count_ = cores;
    for (unsigned core = 0; core != cores; ++core) {
        CoreViews& views = cores_[core];
        for (View* view :
             {&views.current, &views.acquired, &views.released, &views.event, &views.start, &views.vacancy}) {
            span_.clear(*view);
        }
        views.has_released = false;
        views.current.clock(core) = 1;
    }
    span_.clear(sequential_);
    span_.clear(completed_);
    table_.clear();
    words_ = 0;
    message_count_ = 1;
    grave_count_ = 0;
}

// ---- Words

const Location* Memory::at(uintptr_t address) const {
    const uint16_t index = table_.find(address);
    return index == table_.none ? nullptr : &locations_[index];
}

Location& Memory::locate(unsigned core, const Word& word, Site site) {
    const uintptr_t address = reinterpret_cast<uintptr_t>(word.address);
    const uint16_t index = table_.find(address);
    if (index != table_.none) {
        Location& known = locations_[index];
        const bool same = known.kind == word.kind && known.size == word.size;
        if (!same && !known.dead)
            born(max_cores, word);  // the memory serves something else now, which began unseen
        return known;
    }
    if (grave_count_ != 0 && buried(address)) {
        fail(Failure::lifetime, "core %u uses a word of an object that has ended, at %s:%u", core, site.file,
             site.line);
    }
    return create(max_cores, word, read_bits(word.address, word.size));
}

Location& Memory::create(unsigned core, const Word& word, uint64_t value) {
    if (words_ == max_words) fail(Failure::model_limit, "more than %u words in one execution", max_words);
    const unsigned index = words_++;
    if (span_.admit(index)) open_block();
    trail_.fresh_word(index);
    Location& location = locations_[index];
    location = Location{};
    undo_.fresh(location);
    location.address = reinterpret_cast<uintptr_t>(word.address);
    location.index = static_cast<uint8_t>(index);
    location.size = word.size;
    location.kind = word.kind;
    location.writer = max_cores;
    location.born_by = static_cast<uint8_t>(core);
    if (core != max_cores) location.born_clock = cores_[core].current.clock(core);
    location.newest = new_message(value, 1);
    location.sharers = sharing_.of(location.address);
    table_.insert(location.address, location.index);
    for (uint16_t& seen : location.seen) seen = location.newest;
    return location;
}

void Memory::born(unsigned core, const Word& word) {
    const uint16_t index = table_.find(reinterpret_cast<uintptr_t>(word.address));
    const uint64_t value = read_bits(word.address, word.size);
    if (index == table_.none) {
        create(core, word, value);
        return;
    }
    // New life for a known address: its history goes on behind a message that nobody can look past.
    Location& location = locations_[index];
    const int stamp = messages_[location.newest].stamp + gap;
    if (stamp > INT16_MAX) fail(Failure::model_limit, "a word's address was reused too often");
    undo_.keep(location);
    location.newest = new_message(value, static_cast<Stamp>(stamp));
    location.size = word.size;
    location.kind = word.kind;
    location.dead = false;
    location.writer = max_cores;
    location.born_by = static_cast<uint8_t>(core);
    if (core != max_cores) location.born_clock = cores_[core].current.clock(core);
    for (unsigned other = 0; other != max_cores; ++other) {
        location.seen[other] = location.newest;
        location.touched[other] = 0;
    }
}

// A block of views comes into use in the middle of an execution (the first ones of an exploration only).
void Memory::open_block() {
    for (unsigned core = 0; core != count_; ++core) {
        CoreViews& views = cores_[core];
        for (View* view :
             {&views.current, &views.acquired, &views.released, &views.event, &views.start, &views.vacancy}) {
            span_.clear_last_block(*view);
        }
    }
    span_.clear_last_block(sequential_);
    span_.clear_last_block(completed_);
    for (unsigned index = 1; index != message_count_; ++index) span_.clear_last_block(message_views_[index]);
}

void Memory::check_access(unsigned core, Location& location, Site site) {
    const View& view = cores_[core].current;
    if (location.dead) {
        fail(Failure::lifetime, "core %u uses a word of an object that has ended, at %s:%u", core, site.file,
             site.line);
    }
    if (location.born_by != max_cores && location.born_by != core &&
        location.born_clock > view.clock(location.born_by)) {
        fail(Failure::race,
             "core %u uses a word at %s:%u, nothing orders this after its (constructor) on core %u", core,
             site.file, site.line, location.born_by);
    }
    undo_.keep(location);
    location.touched[core] = view.clock(core);
    location.touched_at[core] = site;
}

bool Memory::buried(uintptr_t address) const {
    for (unsigned i = 0; i != grave_count_; ++i) {
        if (address >= graves_[i].begin && address < graves_[i].end) return true;
    }
    return false;
}

void Memory::end_word(unsigned core, Location& location) {
    const View& view = cores_[core].current;
    for (unsigned other = 0; other != count_; ++other) {
        if (other == core || location.touched[other] <= view.clock(other)) continue;
        fail(Failure::lifetime,
             "core %u ends an object, but nothing orders this after core %u's access at %s:%u", core, other,
             location.touched_at[other].file, location.touched_at[other].line);
    }
    undo_.keep(location);
    location.dead = true;
}

void Memory::end(unsigned core, uintptr_t address) {
    const uint16_t index = table_.find(address);
    if (index != table_.none && !locations_[index].dead) end_word(core, locations_[index]);
}

void Memory::end_range(unsigned core, uintptr_t address, size_t size) {
    for (unsigned index = 0; index != words_; ++index) {
        Location& location = locations_[index];
        if (location.address < address || location.address >= address + size || location.dead) continue;
        end_word(core, location);
    }
    if (grave_count_ == most_graves) fail(Failure::model_limit, "more than %u objects ended", most_graves);
    graves_[grave_count_++] = Grave{address, address + size};
}

// ---- Messages

uint16_t Memory::new_message(uint64_t value, Stamp stamp) {
    if (message_count_ == max_messages) fail(Failure::model_limit, "more than %u stores", max_messages);
    const uint16_t index = static_cast<uint16_t>(message_count_++);
    Message& message = messages_[index];
    undo_.fresh(message);
    message.value = value;
    message.stamp = stamp;
    message.modifies = false;
    message.carries = false;
    message.older = 0;
    message.newer = 0;
    return index;
}

void Memory::read_message(unsigned core, Location& location, uint16_t index, Order order) {
    CoreViews& views = cores_[core];
    const Message& message = messages_[index];
    Stamp& known = views.current.word(location.index);
    if (known < message.stamp) known = message.stamp;
    undo_.keep(location);
    location.seen[core] = index;
    if (message.carries) span_.join(acquires(order) ? views.current : views.acquired, message_views_[index]);
}

void Memory::write_message(unsigned core, Location& location, uint16_t index, Order order,
                           uint16_t modified) {
    CoreViews& views = cores_[core];
    Message& message = messages_[index];
    View& its_view = message_views_[index];
    Stamp& known = views.current.word(location.index);
    if (known < message.stamp) known = message.stamp;
    undo_.keep(location);
    location.seen[core] = index;
    location.writer = static_cast<uint8_t>(core);
    location.writer_clock = views.current.clock(core);
    if (releases(order)) {
        span_.copy(its_view, views.current);
        message.carries = true;
        tick(core);  // what this core does from now on is not released by this message
    } else if (views.has_released) {
        span_.copy(its_view, views.released);
        message.carries = true;
    }
    if (modified != 0 && messages_[modified].carries) {  // the release sequence goes on
        if (message.carries) {
            span_.join(its_view, message_views_[modified]);
        } else {
            span_.copy(its_view, message_views_[modified]);
            message.carries = true;
        }
    }
    if (location.newest == index)
        write_bits(reinterpret_cast<void*>(location.address), location.size, message.value);
}

void Memory::link_behind(Location& location, uint16_t older, uint16_t index) {
    const uint16_t newer = messages_[older].newer;
    undo_.keep(messages_[older]);
    messages_[index].older = older;
    messages_[index].newer = newer;
    messages_[older].newer = index;
    if (newer != 0) {
        undo_.keep(messages_[newer]);
        messages_[newer].older = index;
    } else {
        undo_.keep(location);
        location.newest = index;
    }
}

// A message can go right behind this one in modification order.
bool Memory::free_behind(const Message& message) const {
    if (message.newer == 0) return true;
    const Message& newer = messages_[message.newer];
    return !newer.modifies && newer.stamp - message.stamp > 1;
}

Stamp Memory::stamp_behind(const Location& location, uint16_t older) const {
    const Message& message = messages_[older];
    if (older != location.newest)
        return static_cast<Stamp>((message.stamp + messages_[message.newer].stamp) / 2);
    const int stamp = message.stamp + gap;
    if (stamp > INT16_MAX) {
        fail(Failure::model_limit, "a word was changed more than %d times: a livelock?", INT16_MAX / gap);
    }
    return static_cast<Stamp>(stamp);
}

// ---- Operations

Seen Memory::load(unsigned core, Location& location, Order order, bool must_advance) {
    const Stamp oldest = cores_[core].current.word(location.index);
    const Stamp beyond = must_advance ? messages_[location.seen[core]].stamp : Stamp{0};
    uint16_t index = location.newest;
    unsigned alternatives = 1;
    while (alternatives != most_alternatives) {
        const uint16_t older = messages_[index].older;
        if (older == 0 || messages_[older].stamp < oldest || messages_[older].stamp <= beyond) break;
        index = older;
        ++alternatives;
    }
    const unsigned behind = explorer_.choose(Choice::stale, alternatives);
    index = location.newest;
    for (unsigned i = 0; i != behind; ++i) index = messages_[index].older;
    read_message(core, location, index, order);
    return Seen{messages_[index].value, behind, false};
}

uint64_t Memory::own(unsigned core, Location& location) {
    const Message& newest = messages_[location.newest];
    if (location.writer != max_cores && cores_[core].current.word(location.index) < newest.stamp) {
        fail(Failure::two_writers,
             "core %u calls own() on a word that core %u wrote last, at %s:%u, without order", core,
             location.writer, location.last_write.file, location.last_write.line);
    }
    undo_.keep(location);
    location.seen[core] = location.newest;
    return newest.value;
}

Seen Memory::store(unsigned core, Location& location, uint64_t value, Order order) {
    const View& view = cores_[core].current;
    if (location.kind == WordKind::published && location.writer < max_cores && location.writer != core &&
        location.writer_clock > view.clock(location.writer)) {
        fail(Failure::two_writers,
             "cores %u and %u both write a Published, the former at %s:%u; nothing orders them",
             location.writer, core, location.last_write.file, location.last_write.line);
    }
    // In front of how many messages that this core has not seen does the store go?
    unsigned chosen = 0;
    const uint16_t older = choose_place(core, location, chosen);
    const uint16_t index = new_message(value, stamp_behind(location, older));
    link_behind(location, older, index);
    write_message(core, location, index, order, 0);
    return Seen{value, chosen, true};
}

// The message behind which a store goes, or that a read-modify-write reads: any that is not too old and that none
// follows already.
uint16_t Memory::choose_place(unsigned core, Location& location, unsigned& behind) {
    const Stamp known = cores_[core].current.word(location.index);
    uint16_t candidates[most_alternatives];
    unsigned alternatives = 0;
    for (uint16_t index = location.newest; alternatives != most_alternatives;
         index = messages_[index].older) {
        if (index == 0 || messages_[index].stamp < known) break;
        if (free_behind(messages_[index])) candidates[alternatives++] = index;
    }
    behind = explorer_.choose(Choice::stale, alternatives);
    return candidates[behind];
}

void Memory::modify_message(unsigned core, Location& location, uint16_t index, uint64_t value, Order order) {
    const bool last = index == location.newest;
    const Stamp stamp = last ? stamp_behind(location, index) : static_cast<Stamp>(messages_[index].stamp + 1);
    const uint16_t created = new_message(value, stamp);
    messages_[created].modifies = true;
    link_behind(location, index, created);
    read_message(core, location, index, order);
    write_message(core, location, created, order, index);
}

Seen Memory::modify(unsigned core, Location& location, Modify how, uint64_t operand, Order order) {
    unsigned behind = 0;
    const uint16_t index = choose_place(core, location, behind);
    const uint64_t old = messages_[index].value;
    modify_message(core, location, index, apply(how, old, operand, location.size), order);
    return Seen{old, behind, true};
}

Seen Memory::compare_exchange(unsigned core, Location& location, uint64_t& expected, uint64_t desired,
                              Order success, Order failure) {
    // A message with the expected value can be exchanged if none follows it; one with another value can be read, like
    // by a load. (One with the expected value and a follower could be read by a spurious failure only.)
    const Stamp known = cores_[core].current.word(location.index);
    uint16_t candidates[most_alternatives];
    unsigned alternatives = 0;
    for (uint16_t index = location.newest; alternatives != most_alternatives;
         index = messages_[index].older) {
        if (index == 0 || messages_[index].stamp < known) break;
        const Message& message = messages_[index];
        if (message.value != expected || free_behind(message)) candidates[alternatives++] = index;
    }
    const unsigned behind = explorer_.choose(Choice::stale, alternatives);
    const uint16_t index = candidates[behind];
    const uint64_t value = messages_[index].value;
    if (value == expected && explorer_.choose(Choice::spurious_exchange, 2) == 0) {
        modify_message(core, location, index, desired, success);
        return Seen{value, behind, true};
    }
    read_message(core, location, index, failure);
    expected = value;
    return Seen{value, behind, false};
}

void Memory::fence(unsigned core) {
    CoreViews& views = cores_[core];
    span_.join(views.current, views.acquired);
    span_.join_words(views.current, sequential_);
    span_.join_words(sequential_, views.current);
    span_.copy(views.released, views.current);
    views.has_released = true;
    tick(core);
}

// ---- Events and starts

void Memory::barrier(unsigned core) { span_.join_words(completed_, cores_[core].current); }

void Memory::send_event(unsigned core, unsigned target, bool with_barrier) {
    // Without its barrier the event overtakes the stores: it brings what the last fence has completed, at most.
    span_.join_words(cores_[target].event, with_barrier ? cores_[core].current : cores_[core].released);
}

void Memory::take_event(unsigned core, bool with_barrier) {
    if (with_barrier) span_.join_words(cores_[core].current, cores_[core].event);
    span_.clear(cores_[core].event);
}

void Memory::send_start(unsigned core, unsigned target) {
    span_.copy(cores_[target].start, cores_[core].current);
    tick(core);
}

void Memory::take_start(unsigned core, bool first) {
    span_.join(cores_[core].current, cores_[core].start);
    if (first) span_.join_words(cores_[core].current, completed_);
}

void Memory::send_vacancy(unsigned core) {
    span_.copy(cores_[core].vacancy, cores_[core].current);
    tick(core);
}

void Memory::see_vacancy(unsigned core, unsigned of) { span_.join(cores_[core].current, cores_[of].vacancy); }

}  // namespace model
}  // namespace weft
