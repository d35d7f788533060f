// SPDX-License-Identifier: MIT OR Apache-2.0
// Firmware tests: tasks for some of the cores.
#include "harness.hpp"

#if WEFT_CORE_SETS

namespace firmware {
namespace {

using weft::CoreSet;

// The cores that are here, but for core 0, which tests.
CoreSet others() {
    CoreSet set;
    for (uint32_t core = 1; core < cores; ++core) {
        if (is_present(core)) set = set | CoreSet::of(core);
    }
    return set;
}
CoreSet without_lowest(CoreSet set) { return CoreSet::from_mask(set.mask() & (set.mask() - 1)); }

// Each task of a set runs once, on a core of it; from all cores, among tasks that may run anywhere.
Pool* pool;
Counted letters[cores][8];
Atomic<uint32_t> senders_left;
CoreSet sets[2];

struct Sender : Task {
    constexpr Sender() : Task(&Sender::run) {}
    static void run(Task&) {
        const uint32_t from = weft::this_core();
        for (uint32_t i = 0; i != 6; ++i)
            CHECK_EQ(pool->submit_on(sets[i % 2], letters[from][i]), Status::ok);
        Batch two;
        for (uint32_t i = 6; i != 8; ++i) CHECK_EQ(two.push(letters[from][i]), Status::ok);
        CHECK_EQ(pool->submit_on(sets[0], two), Status::ok);
        if (senders_left.fetch_sub(1, acq_rel) == 1) pool->shutdown();
    }
};
Sender senders[cores];

void N6_runs_only_there() {
    sets[0] = others();
    sets[1] = without_lowest(others());
    if (sets[1].empty()) return tap::skip("not on this board: it has no two cores beside the one that tests");
    for (uint32_t round = 0; round != rounds(20); ++round) {
        pool = &new_pool();
        forget_runs();
        for (auto& of_core : letters) {
            for (Counted& letter : of_core) letter.runs.store(0, relaxed);
        }
        senders_left.store(present(), relaxed);
        for (uint32_t core = 0; core < cores; ++core) {
            if (is_present(core)) CHECK_EQ(pool->submit_on(core, senders[core]), Status::ok);
        }
        for (uint32_t i = 0; i != 30; ++i) CHECK_EQ(pool->submit(counted[i]), Status::ok);
        CHECK_EQ(pool->run(), Status::ok);
        CHECK_EQ(join(*pool), Status::ok);
        for (uint32_t from = 0; from < cores; ++from) {
            if (!is_present(from)) continue;
            for (uint32_t i = 0; i != 8; ++i) {
                const Counted& letter = letters[from][i];
                CHECK_EQ(letter.runs.load(relaxed), 1);
                CHECK(sets[i < 6 ? i % 2 : 0].contains(letter.core.load(relaxed)));
            }
        }
    }
}

// Tasks that wait for each other, one for each core of the set: all of these come, asleep or off.
Atomic<uint32_t> here;  // how many have begun, in all rounds
Atomic<uint32_t> gone;  // how many have ended
uint32_t expected;      // in each round

struct Meets : Task {
    constexpr Meets() : Task(&Meets::run) {}
    static void run(Task&) {
        static_cast<void>(here.fetch_add(1, relaxed));
        const uint32_t all = (gone.load(relaxed) / expected + 1) * expected;
        await([all] { return here.load(relaxed) >= all; }, "the other cores of the set");
        static_cast<void>(gone.fetch_add(1, release));
    }
};
Meets meet[cores];

void meet_in(CoreSet set, bool as_a_batch) {
    Batch batch;
    for (uint32_t i = 0; i != expected; ++i) {
        if (as_a_batch) {
            CHECK_EQ(batch.push(meet[i]), Status::ok);
        } else {
            CHECK_EQ(pool->submit_on(set, meet[i]), Status::ok);
        }
    }
    if (as_a_batch) CHECK_EQ(pool->submit_on(set, batch), Status::ok);
}

void N6_all_of_them_come() {
    const CoreSet set = others();
    if (without_lowest(set).empty()) {
        return tap::skip("not on this board: it has no two cores beside the one that tests");
    }
    expected = 0;
    for (uint32_t core = 0; core < cores; ++core) expected += set.contains(core);
    for (uint32_t way = 0; way != 2; ++way) {
        pool = &new_pool();
        here.store(0, relaxed);
        gone.store(0, relaxed);
        for (uint32_t round = 1; round <= rounds(50); ++round) {
            meet_in(set, way == 1);
            await([=] { return gone.load(acquire) == round * expected; }, "the tasks of a round");
        }
        end(*pool);
    }
}

// From an interrupt handler it starts nobody.
void N6_from_isr() {
    const CoreSet set = without_lowest(others());
    if (set.empty()) return tap::skip("not on this board: it has no two cores beside the one that tests");
    pool = &new_pool();
    forget_runs();
    CHECK_EQ(pool->submit_on_from_isr(set, counted[0]), Status::core_unavailable);
    CHECK_EQ(pool->submit_on(set, counted[0]), Status::ok);
    await([] { return counted_runs.load(acquire) == 1; }, "the task of the set");
    CHECK_EQ(pool->submit_on_from_isr(set, counted[1]), Status::ok);
    await([] { return counted_runs.load(acquire) == 2; }, "the task from the handler");
    CHECK(set.contains(counted[1].core.load(relaxed)));
    end(*pool);
}

constexpr tap::Test tests[] = {
    TEST(N6_runs_only_there),
    TEST(N6_all_of_them_come),
    TEST(N6_from_isr),
};

}  // namespace

extern const tap::Tests core_sets_tests{tests};

}  // namespace firmware

#endif  // WEFT_CORE_SETS
