// SPDX-License-Identifier: MIT OR Apache-2.0
// Firmware tests: at most half of the cores search at once, and nothing is left lying by that.
#include <weft/config.hpp>

#if WEFT_FEW_SEARCHERS

#include "harness.hpp"

namespace firmware {
namespace {

Pool* pool;
Atomic<uint32_t> wrong{};
constexpr uint32_t most = cores / 2 > 1 ? cores / 2 : 1;

void look() {
    if (pool->searching_cores() > most) wrong.store(1, relaxed);
}

// A chain: each link submits the next one.
struct Link : Task {
    constexpr Link() : Task(&Link::run) {}
    static void run(Task& self) {
        Link& link = static_cast<Link&>(self);
        look();
        if (--link.left != 0) {
            CHECK_EQ(pool->submit(link), Status::ok);
        } else {
            link.done.store(1, release);
        }
    }
    void begin(uint32_t links) {
        left = links;
        done.store(0, relaxed);
        CHECK_EQ(pool->submit(*this), Status::ok);
    }
    uint32_t left = 0;
    Atomic<uint32_t> done{};
};

// In the end all cores sleep, nobody is counted, and there were never too many.
void end_at_rest(Pool& own) {
    await([&] { return own.sleeping_cores() == present() - 1; }, "all cores to sleep");
    CHECK_EQ(own.searching_cores(), 0);
    const weft::CoreStats total = own.total();
    tap::note(total.steal_attempts, " looks at a victim, ", total.wakes, " wakes");
    end(own);
    CHECK_EQ(wrong.load(relaxed), 0);
    CHECK_EQ(own.searching_cores(), 0);
}

// Two chains, so work for two cores. Whoever else looks is counted: the limit holds at each link, each look at all
// victims is one of a core in the count, and in the end nobody is.
void V7_two_of_all_cores_have_work() {
    if (present() == 1) return tap::skip(one_core);
    Pool& own = new_pool();
    pool = &own;
    wrong.store(0, relaxed);
    start_workers(own);
    static Link chains[2];
    const uint32_t links = rounds(5000);
    for (Link& chain : chains) chain.begin(links);
    await(
        [] {
            look();
            return chains[0].done.load(acquire) + chains[1].done.load(acquire) == 2;
        },
        "two chains");
    tap::note(2 * links, " links");
    end_at_rest(own);
}

// Each of the tasks needs a core of its own: whoever was refused a search is woken.
void V7_nothing_is_left_lying() {
    if (present() == 1) return tap::skip(one_core);
    Pool& own = new_pool();
    pool = &own;
    wrong.store(0, relaxed);
    start_workers(own);
    static Gathering gathering;
    static uint32_t next;
    for (uint32_t round = 0; round != rounds(500); ++round) {
        gathering.begin(present() - 1);
        // One by one from a task, in a batch, or from outside.
        if (round % 3 == 0) {
            static Job spread([] {
                for (next = 0; next != gathering.size(); ++next) {
                    CHECK_EQ(pool->submit(gathering.task(next)), Status::ok);
                }
            });
            CHECK_EQ(own.submit(spread), Status::ok);
        } else if (round % 3 == 1) {
            Batch batch;
            for (uint32_t i = 0; i != gathering.size(); ++i)
                CHECK_EQ(batch.push(gathering.task(i)), Status::ok);
            CHECK_EQ(own.submit(batch), Status::ok);
        } else {
            for (uint32_t i = 0; i != gathering.size(); ++i) {
                CHECK_EQ(own.submit(gathering.task(i)), Status::ok);
            }
        }
        await(
            [] {
                look();
                return gathering.over();
            },
            "a task on each core");
    }
    end_at_rest(own);
}

constexpr tap::Test tests[] = {
    TEST(V7_two_of_all_cores_have_work),
    TEST(V7_nothing_is_left_lying),
};

}  // namespace

extern const tap::Tests searching_tests{tests};

}  // namespace firmware

#endif  // WEFT_FEW_SEARCHERS
