// SPDX-License-Identifier: MIT OR Apache-2.0
// Unit tests of strands, gates and events: what they answer, and whose the tasks are then.
#include "harness.hpp"
#include "reveal.hpp"
#include "weft_host_faults.hpp"

namespace tap {
namespace portrait {

struct EventCalls {
    friend constexpr auto reveal(EventCalls);
};
template struct Reveal<EventCalls, &weft::Event::calls_>;

}  // namespace portrait
}  // namespace tap

namespace unit {
namespace {

using weft::Event;
using weft::Gate;
using weft::Strand;

template <uint32_t count>
uint32_t runs_of(const Count (&tasks)[count]) {
    uint32_t runs = 0;
    for (const Count& task : tasks) runs += task.runs;
    return runs;
}

// ---- Strands

void N1_strand_submits_itself() {
    Pool<1> pool;
    Strand strand{pool};
    std::vector<int> order;
    Count second;
    weft::Job first([&] {
        order.push_back(1);
        CHECK_EQ(strand.submit(second), Status::ok);  // behind what is in it
        order.push_back(second.runs == 0 ? 2 : 9);
    });
    weft::Job third([&] { order.push_back(second.runs == 0 ? 3 : 9); });
    CHECK_EQ(strand.submit(first), Status::ok);
    CHECK_EQ(strand.submit(third), Status::ok);
    CHECK_EQ(pool.poll(9).tasks, 1);  // the strand
    CHECK(order == (std::vector<int>{1, 2, 3}));
    CHECK_EQ(second.runs, 1);
    CHECK_EQ(pool.total().executed, 3);
}

// What a task puts into a strand counts as submitted, once, however often the strand itself is queued.
void N1_strand_counts_what_it_takes() {
    Pool<1> pool;
    Strand strand{pool};
    Count tasks[3 * WEFT_STRAND_BURST], outside;
    weft::Job all([&] {
        for (Count& task : tasks) CHECK_EQ(strand.submit(task), Status::ok);
    });
    CHECK_EQ(strand.submit(outside), Status::ok);
    CHECK_EQ(pool.submit(all), Status::ok);
    while (pool.poll(9).tasks != 0) {
    }
    CHECK_EQ(runs_of(tasks), 3 * WEFT_STRAND_BURST);
    CHECK_EQ(pool.total().submitted, 3 * WEFT_STRAND_BURST);
    CHECK_EQ(pool.total().executed, 3 * WEFT_STRAND_BURST + 2);
}

// A strand that has always more to do does not keep the others away.
void N1_strand_lets_others_have_their_turn() {
    Pool<1> pool;
    Strand strand{pool};
    Count tasks[3 * WEFT_STRAND_BURST], other;
    for (Count& task : tasks) CHECK_EQ(strand.submit(task), Status::ok);
    CHECK_EQ(pool.poll(1).tasks, 1);
    CHECK_EQ(runs_of(tasks), WEFT_STRAND_BURST);
    CHECK_EQ(pool.submit(other), Status::ok);
    CHECK_EQ(pool.poll(2).tasks, 2);
    CHECK_EQ(other.runs, 1);
    CHECK_EQ(pool.poll(9).tasks + runs_of(tasks), 3 * WEFT_STRAND_BURST + 1);
    CHECK_EQ(pool.total().executed, 3 * WEFT_STRAND_BURST + 1);
}

// Nor does one whose tasks submit their successors: all that it has is one task, at any time.
void N1_strand_that_feeds_itself_lets_others_have_their_turn() {
    Pool<1> pool;
    Strand strand{pool};
    Count other;
    uint32_t runs = 0;
    weft::Task* self = nullptr;
    weft::Job again([&] {
        if (++runs != 9 * WEFT_STRAND_BURST) CHECK_EQ(strand.submit(*self), Status::ok);
    });
    self = &again;
    CHECK_EQ(strand.submit(again), Status::ok);
    CHECK_EQ(pool.submit(other), Status::ok);
    CHECK_EQ(pool.poll(2).tasks, 2);
    CHECK_EQ(runs, WEFT_STRAND_BURST);
    CHECK_EQ(other.runs, 1);
    CHECK_EQ(pool.poll(99).tasks, 8);
    CHECK_EQ(runs, 9 * WEFT_STRAND_BURST);
}

// Drain: what was accepted runs, however many bursts that takes; also by the joiner.
void N1_strand_is_drained() {
    for (const bool works : {false, true}) {
        Pool<1> pool;
        Strand strand{pool};
        Count tasks[5 * WEFT_STRAND_BURST], late;
        for (Count& task : tasks) CHECK_EQ(strand.submit(task), Status::ok);
        pool.shutdown();
        CHECK_EQ(strand.submit(late), Status::closed);
        CHECK_EQ(strand.submit_from_isr(late), Status::closed);
        if (works) CHECK_EQ(pool.run(), Status::ok);
        CHECK_EQ(pool.join(), Status::ok);
        CHECK_EQ(runs_of(tasks), 5 * WEFT_STRAND_BURST);
        CHECK_EQ(late.runs, 0);
        weft::Batch left;
        strand.take_back(left);
        CHECK(left.empty());
    }
}

// Abandon: what has not run is in the strand, in its order.
void N1_strand_is_abandoned() {
    Pool<1> pool;
    Strand strand{pool};
    Count tasks[4];
    weft::Job ends([&] { pool.shutdown(weft::Shutdown::abandon); });
    CHECK_EQ(strand.submit(tasks[0]), Status::ok);
    CHECK_EQ(strand.submit(ends), Status::ok);
    for (uint32_t i = 1; i != 4; ++i) CHECK_EQ(strand.submit(tasks[i]), Status::ok);
    CHECK_EQ(pool.run(), Status::ok);
    weft::Batch left;
    CHECK_EQ(pool.join(left), Status::ok);
    CHECK(left.empty());
    strand.take_back(left);
    CHECK_EQ(left.size(), 3);
    for (uint32_t i = 1; i != 4; ++i) CHECK_EQ(left.pop(), &tasks[i]);
    strand.take_back(left);
    CHECK(left.empty());
    CHECK_EQ(runs_of(tasks), 1);
}

// Abandon: what a burst had taken and what was pushed meanwhile come back in one order.
void N1_strand_comes_back_in_order() {
    Pool<1> pool;
    Strand strand{pool};
    Count tasks[4];
    weft::Job first([&] {
        for (uint32_t i = 2; i != 4; ++i) CHECK_EQ(strand.submit(tasks[i]), Status::ok);
        pool.shutdown(weft::Shutdown::abandon);
    });
    CHECK_EQ(strand.submit(first), Status::ok);
    for (uint32_t i = 0; i != 2; ++i) CHECK_EQ(strand.submit(tasks[i]), Status::ok);
    CHECK_EQ(pool.run(), Status::ok);
    weft::Batch left;
    CHECK_EQ(pool.join(left), Status::ok);
    strand.take_back(left);
    CHECK_EQ(left.size(), 4);
    for (Count& task : tasks) CHECK_EQ(left.pop(), &task);
}

// ---- Gates

void N2_gate_counts_round_after_round() {
    Pool<1> pool;
    Count follower;
    Gate gate{pool, follower, 3};
    for (uint32_t round = 1; round != 4; ++round) {
        CHECK_EQ(gate.arrive(), Status::ok);
        CHECK_EQ(gate.arrive(3), Status::not_expected);  // two are missing
        CHECK_EQ(gate.arrive(0), Status::not_expected);
        CHECK_EQ(pool.poll(1).tasks, 0);
        CHECK_EQ(gate.arrive_from_isr(2), Status::ok);
        CHECK_EQ(gate.arrive(2), Status::ok);           // of the next round, early
        CHECK_EQ(gate.arrive(), Status::not_expected);  // the follower has not started
        CHECK_EQ(pool.poll(9).tasks, 1);
        CHECK_EQ(follower.runs, 2 * round - 1);
        CHECK_EQ(gate.arrive(), Status::ok);
        CHECK_EQ(pool.poll(9).tasks, 1);
        CHECK_EQ(follower.runs, 2 * round);
    }
}

void N2_gate_at_its_borders() {
    Pool<1> pool;
    Count follower;
    Gate never{pool, follower, 0};
    CHECK_EQ(never.arrive(), Status::not_expected);
    CHECK_EQ(never.arrive(0), Status::not_expected);
    for (const uint32_t arrivals : {1u << 31, UINT32_MAX}) {
        Gate none{pool, follower, arrivals};
        CHECK_EQ(none.arrive(arrivals), Status::not_expected);
        CHECK_EQ(none.arrive(arrivals & ~(1u << 31)), Status::not_expected);
    }
    Gate gate{pool, follower, 2};
    CHECK_EQ(gate.arrive(), Status::ok);
    CHECK_EQ(gate.arrive(UINT32_MAX), Status::not_expected);
    pool.shutdown();
    CHECK_EQ(gate.arrive(), Status::closed);
    CHECK_EQ(gate.arrive_from_isr(), Status::closed);  // and nothing was counted
    CHECK_EQ(pool.join(), Status::ok);
    CHECK_EQ(follower.runs, 0);
}

// ---- Events

void N3_event_keeps_one_signal() {
    Pool<1> pool;
    Event event{pool};
    Count tasks[4];
    for (uint32_t i = 0; i != 1000000; ++i) CHECK_EQ(event.signal(), Status::ok);
    for (Count& task : tasks) CHECK_EQ(event.wait(task), Status::ok);
    CHECK_EQ(pool.poll(9).tasks, 1);
    CHECK_EQ(tasks[0].runs, 1);
    CHECK_EQ(event.signal(), Status::ok);
    CHECK_EQ(event.signal_from_isr(), Status::ok);
    CHECK_EQ(pool.poll(9).tasks, 2);
    CHECK_EQ(tasks[1].runs + tasks[2].runs, 2);
    for (uint32_t i = 0; i != 1000000; ++i) CHECK_EQ(event.set(), Status::ok);
    CHECK_EQ(pool.poll(9).tasks, 1);
    CHECK_EQ(runs_of(tasks), 4);
}

// As if another core had begun a call, and were held up in it: it will see to all of these.
void N3_event_calls_leave_their_work_to_one_that_is_held_up() {
    constexpr uint32_t calls = 200000;  // no half of a word is full
    Pool<1> pool;
    Event event{pool};
    auto& count = event.*reveal(tap::portrait::EventCalls());
    count.store(1, weft::relaxed);
    for (uint32_t i = 0; i != calls; ++i) CHECK_EQ(event.signal(), Status::ok);
    CHECK_EQ(count.load(weft::relaxed), calls + 1);
}

void N3_event_is_set_and_cleared() {
    Pool<1> pool;
    Event event{pool};
    Count tasks[5];
    CHECK_EQ(event.set_from_isr(), Status::ok);
    CHECK_EQ(event.wait(tasks[0]), Status::ok);
    CHECK_EQ(event.wait_from_isr(tasks[1]), Status::ok);
    CHECK_EQ(pool.poll(9).tasks, 2);
    CHECK_EQ(event.signal(), Status::ok);  // forgotten by clear()
    event.clear();
    CHECK_EQ(event.wait(tasks[2]), Status::ok);
    CHECK_EQ(event.wait(tasks[3]), Status::ok);
    CHECK_EQ(pool.poll(9).tasks, 0);
    CHECK_EQ(event.signal(), Status::ok);
    CHECK_EQ(pool.poll(9).tasks, 1);
    CHECK_EQ(tasks[2].runs, 1);  // the one that has waited longest
    pool.shutdown();
    CHECK_EQ(event.wait(tasks[4]), Status::closed);
    CHECK_EQ(pool.join(), Status::ok);
    CHECK_EQ(event.signal(), Status::closed);  // the pool has ended; it waits on
    weft::Batch left;
    event.take_back(left);
    CHECK_EQ(left.size(), 1);
    CHECK_EQ(left.pop(), &tasks[3]);
    CHECK_EQ(runs_of(tasks), 3);
}

// What a handler submits starts no core, whatever a source does with it.
void E1_sources_start_no_core_from_a_handler() {
    for (const bool by_event : {false, true}) {
        Pool<2> pool;
        Strand strand{pool};
        Event event{pool};
        Count task;
        if (by_event) CHECK_EQ(event.wait(task), Status::ok);
        CHECK_EQ(by_event ? event.signal_from_isr() : strand.submit_from_isr(task), Status::ok);
        CHECK_EQ(pool.live_cores(), 0);
        pool.shutdown();
        CHECK_EQ(pool.join(), Status::ok);
        CHECK_EQ(task.runs, 1);
    }
}

// A core that was refused at first: the next task of the strand has it tried again, as a submit to the pool has.
void Z6_strand_tries_again() {
    weft::host::refuse_starts(1, 1);
    Pool<2> pool;
    Strand strand{pool};
    Atomic<uint32_t> runs{};
    weft::Job first([&] { runs.fetch_add(1, release); });
    weft::Job second([&] { runs.fetch_add(1, release); });
    CHECK_EQ(strand.submit(first), Status::ok);
    CHECK_EQ(pool.start_failures(), 1);
    CHECK_EQ(strand.submit(second), Status::ok);
    CHECK_EQ(pool.live_cores(), 1);
    CHECK(tap::eventually([&] { return runs.load(acquire) == 2; }));
    pool.shutdown();
    CHECK_EQ(pool.join(), Status::ok);
    weft::host::clear_faults();
}

#if WEFT_CHECKS
void E5_gate_checks_its_follower() {
    Pool<1> pool;
    weft::Task none{static_cast<weft::Task::Run>(nullptr)};
    Gate gate{pool, none, 2};
    CHECK_EQ(gate.arrive(), Status::null_run);
    CHECK_EQ(gate.arrive_from_isr(), Status::null_run);
    CHECK_EQ(pool.poll(9).tasks, 0);
}

void E4_sources_refuse_queued_tasks() {
    Pool<1> pool;
    Strand strand{pool};
    Event event{pool};
    Count task;
    CHECK_EQ(strand.submit(task), Status::ok);
    CHECK_EQ(strand.submit(task), Status::already_queued);
    CHECK_EQ(event.wait(task), Status::already_queued);
    CHECK_EQ(pool.submit(task), Status::already_queued);
    CHECK_EQ(pool.poll(9).tasks, 1);
    CHECK_EQ(event.wait(task), Status::ok);
    CHECK_EQ(strand.submit_from_isr(task), Status::already_queued);
    CHECK_EQ(event.signal(), Status::ok);
    CHECK_EQ(pool.poll(9).tasks, 1);
    CHECK_EQ(task.runs, 2);
}
#else
void E5_gate_checks_its_follower() { tap::skip("not on this board: checks"); }
void E4_sources_refuse_queued_tasks() { tap::skip("not on this board: checks"); }
#endif

constexpr tap::Test tests[] = {
    TEST(N1_strand_submits_itself),
    TEST(N1_strand_counts_what_it_takes),
    TEST(N1_strand_lets_others_have_their_turn),
    TEST(N1_strand_that_feeds_itself_lets_others_have_their_turn),
    TEST(N1_strand_is_drained),
    TEST(N1_strand_is_abandoned),
    TEST(N1_strand_comes_back_in_order),
    TEST(E1_sources_start_no_core_from_a_handler),
    TEST(Z6_strand_tries_again),
    TEST(E5_gate_checks_its_follower),
    TEST(N2_gate_counts_round_after_round),
    TEST(N2_gate_at_its_borders),
    TEST(N3_event_keeps_one_signal),
    TEST(N3_event_calls_leave_their_work_to_one_that_is_held_up),
    TEST(N3_event_is_set_and_cleared),
    TEST(E4_sources_refuse_queued_tasks),
};

}  // namespace

extern const tap::Tests sources_tests{tests};

}  // namespace unit
