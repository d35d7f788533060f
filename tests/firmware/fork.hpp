// SPDX-License-Identifier: MIT OR Apache-2.0
// For the firmware tests of fork-join: a task that forks, with all cores at work for its pool; children to be forked
// one by one.
#pragma once

#include "harness.hpp"

namespace firmware {

using weft::fork_join;
using weft::GroupTask;
using weft::TaskGroup;
using weft::detail::ForkDeque;

// For tests that look for a rare moment in many rounds: where rounds are slow, fewer have to do.
inline constexpr uint32_t most_fork_ms = 400;

// The core whose tasks fork: where there is a choice not core 0, as its timer guards run().
inline uint32_t forking_core() {
    for (uint32_t core = 1; core < cores; ++core) {
        if (is_present(core)) return core;
    }
    return 0;
}

// Runs body(pool) in a task on `core`. All other cores work for the pool meanwhile, core 0 by run().
template <class Body>
void in_task(uint32_t core, Body body, Guard::By guard_by = Guard::By::own_timer) {
    Pool& pool = new_pool();
    start_workers(pool);
    Atomic<uint32_t> complete{};
    Job core_0([&] { complete.store(1, release); });
    Job task([&] {
        if (core != 0) await([&] { return complete.load(acquire) != 0; }, "core 0 to become a worker");
        body(pool);
        pool.shutdown();
    });
    CHECK_EQ(pool.submit_on(0, core_0), Status::ok);
    CHECK_EQ(pool.submit_on(core, task), Status::ok);
    {
        const Guard guard("a task that forks", guard_by);
        CHECK_EQ(pool.run(), Status::ok);
    }
    end(pool);
}
template <class Body>
void in_task(Body body) {
    in_task(forking_core(), body);
}

inline void fork_nothing() {
    fork_join([] {}, [] {});
}

// Waits in a forked callable until condition() holds, because another core runs this one's oldest child. The promise
// is that the next fork after a core has asked offers the child; an offer needs no further help.
template <class Condition>
void fork_until(Condition condition, const char* what) {
    const ForkDeque& deque = *ForkDeque::current();
    await(
        [&] {
            if (!condition() && !deque.offers(0)) fork_nothing();
            return condition();
        },
        what);
}

// A few instructions more in each round, so that what comes after them meets the other cores at each of their steps.
inline void shift_by(uint32_t round) {
    for (volatile uint32_t left = round * 7 % 256; left != 0; left = left - 1) {
    }
}

// `count` children for a TaskGroup; the callable of child i is make(i).
template <class Callable, uint32_t count>
class Children {
    using Child = GroupTask<Callable>;

public:
    template <class Make>
    explicit Children(Make make) {
        for (uint32_t i = 0; i < count; ++i) new (Place{memory_ + i * sizeof(Child)}) Child(make(i));
    }
    ~Children() {
        for (uint32_t i = 0; i < count; ++i) (*this)[i].~Child();
    }
    Children(const Children&) = delete;
    Children& operator=(const Children&) = delete;

    Child& operator[](uint32_t index) { return reinterpret_cast<Child*>(memory_)[index]; }
    static constexpr uint32_t size() { return count; }

private:
    alignas(Child) unsigned char memory_[count * sizeof(Child)] = {};
};

}  // namespace firmware
