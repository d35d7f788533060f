// SPDX-License-Identifier: MIT OR Apache-2.0
// Model checker: Trail.
#include "trail.hpp"

namespace weft {
namespace model {

namespace {

// The places of an operation are first, first + 1, ... end - 1.
unsigned first_place(Operation operation) {
    return operation.place == place_all_cores ? place_core : operation.place;
}
unsigned end_place(Operation operation) {
    return operation.place == place_all_cores ? places : operation.place + 1u;
}

}  // namespace

void Trail::reset(unsigned cores) {
    cores_ = cores;
    for (unsigned place = place_fence; place != places; ++place) {
        place_[place] = Place{};
        undo_.fresh(place_[place]);
    }
    for (unsigned core = 0; core != cores; ++core) {
        seen_[core] = Clock{};
        pending_[core] = Operation{};
    }
}

bool Trail::conflict(Operation a, Operation b) {
    if (a.access == Access::none || b.access == Access::none) return false;
    if (a.access == Access::read && b.access == Access::read) return false;
    return first_place(a) < end_place(b) && first_place(b) < end_place(a);
}

void Trail::arrive(unsigned core, Operation operation) {
    pending_[core] = operation;
    if (operation.access == Access::none || explorer_.replaying_prefix()) return;
    for (unsigned place = first_place(operation); place != end_place(operation); ++place) {
        find_races(core, place, operation.access);
    }
}

void Trail::find_races(unsigned core, unsigned place, Access access) {
    const Place& at = place_[place];
    const Clock& seen = seen_[core];
    if (at.last_write.count > seen.lane[at.writer] && at.writer != core)
        explorer_.demand(at.last_write.node, core);
    if (access != Access::write) return;
    for (unsigned other = 0; other != cores_; ++other) {
        const Mark& read = at.last_read[other];
        if (read.count > seen.lane[other] && other != core) explorer_.demand(read.node, core);
    }
}

void Trail::block(unsigned core) {
    CoreSet woken = 0;
    for (unsigned other = 0; other != cores_; ++other) {
        if (conflict(pending_[core], pending_[other])) woken = static_cast<CoreSet>(woken | bit(other));
    }
    explorer_.wake_sleepers(woken);
}

void Trail::block_on_words() {
    CoreSet woken = 0;
    for (unsigned other = 0; other != cores_; ++other) {
        const bool writes_word = pending_[other].access == Access::write && pending_[other].place < max_words;
        if (writes_word) woken = static_cast<CoreSet>(woken | bit(other));
    }
    explorer_.wake_sleepers(woken);
}

void Trail::execute(unsigned core) {
    const Operation operation = pending_[core];
    pending_[core] = Operation{};
    if (operation.access == Access::none) return;

    const bool known = explorer_.replaying_prefix();
    const CoreSet asleep = explorer_.asleep();
    CoreSet woken = 0;
    for (unsigned other = 0; other != cores_; ++other) {
        if (other == core || !conflict(operation, pending_[other])) continue;
        woken = static_cast<CoreSet>(woken | bit(other));
        if (!known) explorer_.demand(explorer_.last_node(), other);
    }
    if ((asleep & woken) != 0) explorer_.wake_sleepers(woken);

    Stamp& count = seen_[core].lane[core];
    count = static_cast<Stamp>(count + 1);
    const Mark mark{explorer_.last_node(), count};
    for (unsigned place = first_place(operation); place != end_place(operation); ++place) {
        touch(core, place, operation.access, mark);
    }
}

void Trail::touch(unsigned core, unsigned place, Access access, Mark mark) {
    Place& at = place_[place];
    undo_.keep(at);
    Clock& seen = seen_[core];
    join_block(seen.lane, at.writes.lane);
    if (access == Access::read) {
        join_block(at.reads.lane, seen.lane);
        at.last_read[core] = mark;
        return;
    }
    join_block(seen.lane, at.reads.lane);
    at.writes = seen;
    at.reads = Clock{};
    at.last_write = mark;
    at.writer = static_cast<uint8_t>(core);
    for (unsigned other = 0; other != cores_; ++other) at.last_read[other] = Mark{};
}

}  // namespace model
}  // namespace weft
