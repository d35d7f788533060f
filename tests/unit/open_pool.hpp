// SPDX-License-Identifier: MIT OR Apache-2.0
// For the unit tests of fork-join: a pool whose insides a test can reach. None of its cores but 0 exist.
#pragma once

#include "harness.hpp"
#include "weft_host_faults.hpp"

namespace unit {

using weft::detail::ForkDeque;

inline constexpr uint32_t victims = 7;

class OpenPool : public weft::Scheduler {
    static constexpr uint32_t ring = 2;

public:
    OpenPool() : Scheduler(workers_, forks_, victims + 1) {
        for (uint32_t core = 1; core <= victims; ++core) weft::host::hide_core(core);
    }
    ~OpenPool() {
        shutdown();
        CHECK_EQ(join(), Status::ok);
        weft::host::clear_faults();
    }

    ForkDeque& deque(uint32_t core) { return forks_[core]; }

    // Calls function() as if on the core of that deque.
    template <class Function>
    void as(uint32_t core, Function function) {
        ForkDeque* const before = forks_[core].enter(*this);
        function();
        ForkDeque::leave(before);
    }

    // push(), and what the join of a fork does, as if on that core. True: nobody has taken it.
    ForkDeque::Slot* push_as(uint32_t core, weft::detail::Frame* frame) {
        ForkDeque::Slot* slot = nullptr;
        as(core, [&] { slot = forks_[core].push(frame); });
        return slot;
    }
    bool take_back_as(uint32_t core, ForkDeque::Slot* slot) {
        bool mine = false;
        as(core, [&] { mine = forks_[core].pop(slot) || forks_[core].join(slot); });
        return mine;
    }

    // What the deque of `victim` has on offer, for the core of deque `thief`; that core runs it by run_as().
    Task* take(uint32_t victim, uint32_t thief) { return forks_[victim].take(forks_[thief], 0); }
    void run_as(uint32_t thief, Task* task) {
        as(thief, [=] { weft::detail::TaskAccess::run (*task)(*task); });
    }
    // Does that core run what the other one has on offer?
    bool steal(uint32_t victim, uint32_t thief) {
        Task* const task = take(victim, thief);
        if (task != nullptr) run_as(thief, task);
        return task != nullptr;
    }

private:
    Ring::Slot slots_[victims + 1][ring] = {};
    weft::detail::Worker workers_[victims + 1] = {
        {0, slots_[0], ring}, {1, slots_[1], ring}, {2, slots_[2], ring}, {3, slots_[3], ring},
        {4, slots_[4], ring}, {5, slots_[5], ring}, {6, slots_[6], ring}, {7, slots_[7], ring}};
    ForkDeque forks_[victims + 1];
};

}  // namespace unit
