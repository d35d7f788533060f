// SPDX-License-Identifier: MIT OR Apache-2.0
// Model checker: Machine, its copies, from which later executions go on.
#include "machine.hpp"

namespace weft {
namespace model {

// What is not the same in all executions of an exploration. (Not: the nodes of the explorer, and what it has learned
// about words that are shared; nor the records that `undo` restores.)
template <class Copy>
void Machine::each_part(Copy& copy) {
    copy(self_);
    copy(booting_);
    copy(only_certain_);
    copy(idle_rounds_);
    copy(rounds_to_alarm_);
    copy(clock_);
    copy(elapsed_);
    copy(failed_starts_);
    copy(starts_);
    copy(releases_);
    copy(stores_);
    copy(stores_when_idle_);
    copy(static_cast<void*>(cores_), count_ * sizeof(Core));
    for (unsigned id = 0; id != count_; ++id) copy(cores_[id].fiber.used(), cores_[id].fiber.used_bytes());
    copy(state_.begin, state_.size);
    for (const StaticPart& part : static_parts) copy(part.begin, part.size);
    if (has_interrupts_) {
        for (unsigned id = 0; id != count_; ++id) copy(program.plan(id).interrupts);
    }
    if (states != nullptr) states->each_part(copy);
    explorer.each_part(copy);
    memory.each_part(copy);
    plain.each_part(copy);
    if (explorer.reduces()) trail.each_part(copy);
}

void Machine::save() {
    explorer.snapshot_at(explorer.step() + config_.snapshots);
    unsigned char* const to = snapshots_.room();
    if (to == nullptr) return;
    Saver saver(to);
    each_part(saver);
    snapshots_.add(explorer.position(), explorer.step(), memory.shape(), undo.mark(), saver.end());
}

// The copy must be older than the choice that is another one now.
bool Machine::can_resume() {
    while (!snapshots_.empty()) {
        const Snapshots::Entry& last = snapshots_.last();
        if (last.shape != memory.shape()) {
            snapshots_.clear();
        } else if (explorer.repeats(last.node)) {
            return true;
        } else {
            snapshots_.drop();
        }
    }
    return false;
}

Machine::Ending Machine::resume(Callable judge) {
    releases_before_ += releases_;
    Loader loader(snapshots_.saved());
    each_part(loader);
    undo.restore(snapshots_.last().undo);
    explorer.snapshot_at(snapshots_.last().step + config_.snapshots);
    return run(judge);
}

}  // namespace model
}  // namespace weft
