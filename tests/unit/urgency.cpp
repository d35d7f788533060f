// SPDX-License-Identifier: MIT OR Apache-2.0
// Unit tests of the levels of urgency: with one core that polls, the order is exact.
#include <weft/config.hpp>

#if WEFT_URGENCY_LEVELS - WEFT_PREEMPTION > 1

#include <weft/work.hpp>

#include <functional>

#include "harness.hpp"
#include "weft_host_faults.hpp"

namespace unit {
namespace {

using weft::Urgency;

constexpr uint32_t levels = WEFT_URGENCY_LEVELS - WEFT_PREEMPTION;  // one that preempts has other tests

// A task that writes down its letter.
struct Letter : weft::TaskOf<Letter> {
    Letter(std::vector<char>& to, char name) : written(to), letter(name) {}
    void run() { written.push_back(letter); }
    std::vector<char>& written;
    const char letter;
};

// What is no level is refused; what is refused is its owner's.
void E8_unknown_levels_are_refused() {
    Pool<1> pool;
    Count task;
    Batch batch;
    CHECK_EQ(batch.push(task), Status::ok);
    constexpr uint32_t unknown = WEFT_URGENCY_LEVELS;
    for (const uint32_t level : {unknown, unknown + 1, 255u}) {
        const Urgency urgency{static_cast<uint8_t>(level)};
        CHECK_EQ(pool.submit(batch, urgency), Status::out_of_range);
        CHECK_EQ(batch.size(), 1);
    }
    CHECK_EQ(batch.pop(), &task);
    const Urgency above{static_cast<uint8_t>(unknown)};
    CHECK_EQ(pool.submit(task, above), Status::out_of_range);
    CHECK_EQ(pool.submit_from_isr(task, above), Status::out_of_range);
    CHECK_EQ(pool.submit(task, Urgency::normal), Status::ok);
    CHECK_EQ(pool.poll(9).tasks, 1);
    CHECK_EQ(pool.submit_from_isr(task, Urgency::normal), Status::ok);
    CHECK_EQ(pool.poll(9).tasks, 1);
    CHECK_EQ(task.runs, 2);
}

constexpr Urgency most_urgent{levels - 1};

// Each at the next task boundary, whatever waits elsewhere.
void E8_the_most_urgent_goes_first() {
    Pool<1> pool;
    std::vector<char> order;
    Letter ring{order, 'r'}, ring_too{order, 'r'}, injected{order, 'i'}, pinned{order, 'p'};
    Letter urgent{order, 'u'}, more{order, 'm'}, from_isr{order, 'u'};
    Job first([&] {
        CHECK_EQ(pool.submit(ring), Status::ok);
        CHECK_EQ(pool.submit(urgent, Urgency::urgent), Status::ok);
        CHECK_EQ(pool.submit_from_isr(injected), Status::ok);
        CHECK_EQ(pool.submit(more, most_urgent), Status::ok);
        CHECK_EQ(pool.submit_on(0, pinned), Status::ok);
        CHECK_EQ(pool.submit(ring_too), Status::ok);
        CHECK_EQ(pool.submit_from_isr(from_isr, Urgency::urgent), Status::ok);
    });
    CHECK_EQ(pool.submit(first), Status::ok);
    CHECK_EQ(pool.poll(1).tasks, 1);
    for (const size_t done : {1u, 2u, 3u}) {
        CHECK_EQ(pool.poll(1).tasks, 1);
        CHECK_EQ(order.size(), done);
        CHECK(order.back() == 'u' || order.back() == 'm');
    }
    CHECK(levels == 2 || order[0] == 'm');
    CHECK_EQ(pool.poll(9).tasks, 4);
    for (size_t i = 3; i != 7; ++i) CHECK(order[i] != 'u' && order[i] != 'm');
    CHECK_EQ(pool.total().executed, 8);
    CHECK_EQ(pool.total().submitted, 4);  // by a task of the pool; submit_on() and handlers are not counted
}

// Also before each turn of the shared queues.
void E8_one_task_at_most_comes_between() {
    for (uint32_t before = 0; before != 3 * WEFT_FAIR_INTERVAL && before != 500; ++before) {
        Pool<1> pool;
        std::vector<char> order;
        Count many[500];
        Letter urgent{order, 'u'}, injected{order, 'i'};
        Job last([&] {
            CHECK_EQ(pool.submit_from_isr(injected), Status::ok);
            CHECK_EQ(pool.submit_from_isr(urgent, Urgency::urgent), Status::ok);
        });
        for (uint32_t i = 0; i != before; ++i) CHECK_EQ(pool.submit(many[i]), Status::ok);
        CHECK_EQ(pool.poll(before).tasks, before);
        CHECK_EQ(pool.submit(last), Status::ok);
        CHECK_EQ(pool.poll(2).tasks, 2);
        CHECK(order == std::vector<char>{'u'});
        CHECK_EQ(pool.poll(9).tasks, 1);
    }
}

void E8_a_batch_may_be_urgent() {
    Pool<1> pool;
    Count normal, urgent[2];
    Batch batch;
    for (Count& task : urgent) CHECK_EQ(batch.push(task), Status::ok);
    CHECK_EQ(pool.submit(normal), Status::ok);
    CHECK_EQ(pool.submit(batch, Urgency::urgent), Status::ok);
    CHECK(batch.empty());
    CHECK_EQ(pool.submit(batch, Urgency::urgent), Status::ok);  // nothing
    CHECK_EQ(pool.poll(2).tasks, 2);
    CHECK_EQ(normal.runs, 0);
    CHECK_EQ(pool.poll(9).tasks, 1);
}

// Tasks of every level, and of every place where normal ones wait, submit themselves again and again.
void E8_no_level_starves() {
    constexpr uint32_t places = levels + 2;  // levels 1 and up; the ring, the injector, the pinned queue
    struct Again : weft::TaskOf<Again> {
        void run() {
            since = 0;
            ++runs;
            if (*stop) return;
            if (place < levels - 1) {
                CHECK_EQ(pool->submit(*this, Urgency{static_cast<uint8_t>(place + 1)}), Status::ok);
            } else if (place == levels - 1) {
                CHECK_EQ(pool->submit(*this), Status::ok);
            } else if (place == levels) {
                CHECK_EQ(pool->submit_from_isr(*this), Status::ok);
            } else {
                CHECK_EQ(pool->submit_on(0, *this), Status::ok);
            }
        }
        weft::Scheduler* pool = nullptr;
        const bool* stop = nullptr;
        uint32_t place = 0, since = 0, runs = 0;
    };
    Pool<1> pool;
    Again tasks[places];
    bool stop = false;
    Job first([&] {
        for (uint32_t place = 0; place != places; ++place) {
            tasks[place].pool = &pool, tasks[place].place = place, tasks[place].stop = &stop;
            tasks[place].run();
        }
    });
    CHECK_EQ(pool.submit(first), Status::ok);
    CHECK_EQ(pool.poll(1).tasks, 1);
    constexpr uint32_t round = WEFT_FAIR_INTERVAL + levels;
    uint32_t longest[places] = {};
    for (uint32_t i = 0; i != 50 * round; ++i) {
        CHECK_EQ(pool.poll(1).tasks, 1);
        for (Again& task : tasks) {
            uint32_t& most = longest[task.place];
            if (++task.since > most) most = task.since;
        }
    }
    for (uint32_t place = 0; place + 1 < levels - 1; ++place) CHECK(longest[place] <= round);
    // The lowest level has two turns in a round: the ring, and one of its three shared queues.
    for (uint32_t place = levels - 1; place != places; ++place) CHECK(longest[place] <= 3 * round);
    // Of a round, all but the turns of the others are of the highest level.
    const uint32_t most = tasks[levels - 2].runs;
    CHECK(most >= 50 * WEFT_FAIR_INTERVAL - 1 && most <= 50 * WEFT_FAIR_INTERVAL + 1);
    stop = true;
    CHECK_EQ(pool.poll(99).tasks, places);
}

void E8_a_strand_cuts_its_burst() {
    Pool<1> pool;
    weft::Strand strand{pool};
    Count tasks[3], urgent;
    Job first([&] { CHECK_EQ(pool.submit_from_isr(urgent, Urgency::urgent), Status::ok); });
    CHECK_EQ(strand.submit(first), Status::ok);
    for (Count& task : tasks) CHECK_EQ(strand.submit(task), Status::ok);
    CHECK_EQ(pool.poll(2).tasks, 2);  // one task of the strand, and the urgent one
    CHECK_EQ(urgent.runs, 1);
    CHECK_EQ(tasks[0].runs, 0);
    CHECK_EQ(pool.poll(9).tasks, (3 + WEFT_STRAND_BURST - 1) / WEFT_STRAND_BURST);
    CHECK_EQ(tasks[2].runs, 1);
}

// What is urgent ends as all else does.
void E8_what_has_not_run_comes_back() {
    for (const auto mode : {weft::Shutdown::drain, weft::Shutdown::abandon}) {
        Pool<1> pool;
        Count urgent[3], late;
        for (uint32_t i = 0; i != 3; ++i) {
            CHECK_EQ(pool.submit(urgent[i], i == 0 ? most_urgent : Urgency::urgent), Status::ok);
        }
        pool.shutdown(mode);
        CHECK_EQ(pool.submit(late, Urgency::urgent), Status::closed);
        CHECK_EQ(pool.submit_from_isr(late, Urgency::urgent), Status::closed);
        Batch left;
        CHECK_EQ(pool.join(left), Status::ok);
        CHECK_EQ(left.size(), mode == weft::Shutdown::drain ? 0 : 3);
        CHECK_EQ(urgent[0].runs + urgent[1].runs + urgent[2].runs + left.size(), 3);
        while (left.pop() != nullptr) {
        }
        Pool<1> next;
        for (Count& task : urgent) CHECK_EQ(next.submit(task, Urgency::urgent), Status::ok);
        CHECK_EQ(next.submit(late), Status::ok);
        CHECK_EQ(next.poll(9).tasks, 4);
    }
}

#if WEFT_CHECKS
void E8_bad_tasks_are_refused() {
    Pool<1> pool;
    Task none{static_cast<Task::Run>(nullptr)};
    Count task;
    CHECK_EQ(pool.submit(none, Urgency::urgent), Status::null_run);
    CHECK_EQ(pool.submit_from_isr(none, Urgency::urgent), Status::null_run);
    CHECK_EQ(pool.submit(task, Urgency::urgent), Status::ok);
    CHECK_EQ(pool.submit(task, Urgency::urgent), Status::already_queued);
    CHECK_EQ(pool.submit(task), Status::already_queued);
    CHECK_EQ(pool.submit_from_isr(task, most_urgent), Status::already_queued);
    CHECK_EQ(pool.poll(9).tasks, 1);
    CHECK_EQ(task.runs, 1);
}
#endif

// What is left of a level waits in its queue, where every core looks at it before what is less urgent.
void E8_each_level_keeps_its_place() {
    Pool<1> pool;
    std::vector<char> order;
    Letter less{order, 'l'};
    auto more = [&] {
        if (order.empty()) CHECK_EQ(pool.submit(less, Urgency::urgent), Status::ok);
        order.push_back('m');
    };
    Job<decltype(more)> tasks[] = {Job(more), Job(more), Job(more)};
    for (uint32_t level = 2; level < levels; ++level) {
        const Urgency urgency{static_cast<uint8_t>(level)};
        Batch batch;
        for (Task& task : tasks) CHECK_EQ(batch.push(task), Status::ok);
        CHECK_EQ(pool.submit(batch, urgency), Status::ok);
        order.clear();
        CHECK_EQ(pool.poll(9).tasks, 4);
        CHECK(order.size() == 4 && order.back() == 'l');
    }
}

// An urgent task that submits itself until it is stopped, or has run too often.
struct Flood : weft::TaskOf<Flood> {
    void run() {
        if (each) each();
        if (waits) {
            weft::Completion done(*pool);
            CHECK_EQ(pool->submit(done), Status::ok);
            CHECK_EQ(done.wait(), Status::ok);
        }
        if (++runs == most) ends_by_itself = true;
        if (stop.load(relaxed) != 0 || ends_by_itself) return over.store(1, release);
        // Urgent, and so it stays on the core that it is on, as the other one is in a long task.
        CHECK_EQ(pool->submit(*this, Urgency::urgent), Status::ok);
        begun.store(1, release);
    }
    weft::Scheduler* pool = nullptr;
    std::function<void()> each;
    Atomic<uint32_t> begun{}, stop{}, over{};
    uint32_t runs = 0;
    bool ends_by_itself = false;
    bool waits = false;                        // for another task, which is not urgent: then it is in no row
    static constexpr uint32_t most = 5000000;  // until then another core has its turn, on a busy machine too
};

// The lowest level has its turn in every place from which a core may take it: in another core's ring, too, while that
// core is in a long task.
void E8_no_ring_of_another_core_starves() {
    for (const bool waits : {false, true}) {
        Pool<2> pool;
        Flood flood;
        flood.pool = &pool;
        flood.waits = waits;
        Job normal([&] { flood.stop.store(1, relaxed); });
        Job starter([&] { flood.run(); });
        Job long_task([&] {
            CHECK_EQ(pool.submit_on(1, starter), Status::ok);
            tap::wait_for([&] { return flood.begun.load(acquire) != 0; }, "the flood");
            CHECK_EQ(pool.submit(normal), Status::ok);
            tap::wait_for([&] { return flood.over.load(acquire) != 0; }, "the end of the flood");
            CHECK(!flood.ends_by_itself);
            pool.shutdown();
        });
        CHECK_EQ(pool.submit_on(0, long_task), Status::ok);
        CHECK_EQ(pool.run(), Status::ok);
        CHECK_EQ(pool.join(), Status::ok);
    }
}

#if WEFT_TIMERS
// Nor does an urgent one that is due each time that the core looks, beside a ring that never runs dry.
void E8_an_urgent_timer_takes_no_turns() {
    Pool<1> pool;
    Count beat, injected;
    uint32_t now = 0;
    struct Hog : weft::TaskOf<Hog> {
        Hog(weft::Scheduler& its, uint32_t& clock) : pool(&its), now(&clock) {}
        void run() {
            weft::host::set_clock(++*now);
            if (!stop) CHECK_EQ(pool->submit(*this), Status::ok);
        }
        weft::Scheduler* pool;
        uint32_t* now;
        bool stop = false;
    } hog(pool, now);
    weft::host::set_clock(now);
    weft::Timer timer{pool, beat, Urgency::urgent};
    CHECK_EQ(timer.start_every(1), Status::ok);
    CHECK_EQ(pool.submit(hog), Status::ok);
    CHECK_EQ(pool.poll(1).tasks, 1);
    CHECK_EQ(pool.submit_from_isr(injected), Status::ok);
    static_cast<void>(pool.poll(9 * (WEFT_FAIR_INTERVAL + levels)));
    CHECK_EQ(injected.runs, 1);
    CHECK(beat.runs >= 3);
    hog.stop = true;
    static_cast<void>(timer.cancel());
    while (pool.poll(9).tasks != 0) {
    }
    pool.shutdown();
    CHECK_EQ(pool.join(), Status::ok);
    weft::host::clear_faults();
}

// A timer that is due in each turn of the lowest level does not take it.
void E8_timers_take_no_turns() {
    for (const bool urgent : {false, true}) {
        Pool<1> pool;
        Count normal, beat;
        Flood flood;
        uint32_t now = 0;
        flood.pool = &pool;
        flood.each = [&] { weft::host::set_clock(++now); };
        weft::host::set_clock(now);
        weft::Timer timer{pool, beat, urgent ? Urgency::urgent : Urgency::normal};
        CHECK_EQ(timer.start_every(1), Status::ok);
        CHECK_EQ(pool.submit(normal), Status::ok);
        CHECK_EQ(pool.submit(flood, Urgency::urgent), Status::ok);
        CHECK_EQ(pool.poll(5 * (WEFT_FAIR_INTERVAL + levels)).tasks, 5 * (WEFT_FAIR_INTERVAL + levels));
        CHECK_EQ(normal.runs, 1);
        CHECK(beat.runs != 0);
        flood.stop.store(1, relaxed);
        static_cast<void>(timer.cancel());
        while (pool.poll(9).tasks != 0) {
        }
        weft::host::clear_faults();
    }
}

void E8_a_timer_may_be_urgent() {
    Pool<1> pool;
    std::vector<char> order;
    Letter normal{order, 'n'}, usual{order, 't'}, urgent{order, 'u'};
    weft::Timer timer{pool, usual}, urgent_timer{pool, urgent, most_urgent};
    CHECK_EQ(timer.start_after(0), Status::ok);
    CHECK_EQ(urgent_timer.start_after(0), Status::ok);
    CHECK_EQ(pool.submit_on(0, normal), Status::ok);
    CHECK_EQ(pool.poll(9).tasks, 3);
    CHECK(order.size() == 3 && order[0] == 'u');
    weft::Timer no_level{pool, urgent, Urgency{WEFT_URGENCY_LEVELS}};
    CHECK_EQ(no_level.start_after(0), Status::out_of_range);
    CHECK_EQ(no_level.start_every_from_isr(5), Status::out_of_range);
    CHECK(!no_level.is_armed());
}
#endif

const tap::Test tests[] = {
    TEST(E8_unknown_levels_are_refused),
    TEST(E8_the_most_urgent_goes_first),
    TEST(E8_one_task_at_most_comes_between),
    TEST(E8_a_batch_may_be_urgent),
    TEST(E8_no_level_starves),
    TEST(E8_a_strand_cuts_its_burst),
    TEST(E8_what_has_not_run_comes_back),
    TEST(E8_no_ring_of_another_core_starves),
    TEST(E8_each_level_keeps_its_place),
#if WEFT_CHECKS
    TEST(E8_bad_tasks_are_refused),
#endif
#if WEFT_TIMERS
    TEST(E8_a_timer_may_be_urgent),
    TEST(E8_timers_take_no_turns),
    TEST(E8_an_urgent_timer_takes_no_turns),
#endif
};

}  // namespace

extern const tap::Tests urgency_tests{tests};

}  // namespace unit

#endif  // WEFT_URGENCY_LEVELS - WEFT_PREEMPTION > 1
