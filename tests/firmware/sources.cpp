// SPDX-License-Identifier: MIT OR Apache-2.0
// Firmware tests: strands, gates and events, which hold tasks back.
#include "harness.hpp"

namespace firmware {
namespace {

using weft::Event;
using weft::Gate;
using weft::Strand;

// ---- N1: cores submit to one strand at the same time; its tasks need no lock.

constexpr uint32_t per_core = 40;

struct Shared {
    Atomic<uint32_t> inside{};
    Atomic<uint32_t> overlaps{};
    Atomic<uint32_t> out_of_order{};
    uint32_t runs = 0;  // the strand's own: no other task touches it meanwhile
    uint32_t next[cores] = {};
    Atomic<uint32_t> done{};
};
Shared shared;

struct Step : weft::TaskOf<Step> {
    void run() {
        if (shared.inside.exchange(1, acquire) != 0) shared.overlaps.fetch_add(1, relaxed);
        if (shared.next[from]++ != place) shared.out_of_order.fetch_add(1, relaxed);
        const uint32_t runs = ++shared.runs;
        shared.inside.store(0, release);
        shared.done.store(runs, release);
    }
    uint32_t from = 0;
    uint32_t place = 0;
};
Step steps[cores][per_core];

struct Submitter : weft::TaskOf<Submitter> {
    void run() {
        for (Step& step : steps[core]) {
            const bool as_isr = step.place % 3 == 0;  // any context may
            CHECK_EQ(as_isr ? strand->submit_from_isr(step) : strand->submit(step), Status::ok);
        }
    }
    Strand* strand = nullptr;
    uint32_t core = 0;
};
Submitter submitters[cores];

void N1_strand_keeps_order_without_overlap() {
    Pool& pool = new_pool();
    Strand strand{pool};
    for (uint32_t round = 0; round < rounds(20); ++round) {
        shared.done.store(0, relaxed);
        shared.runs = 0;
        uint32_t expected = 0;
        for (uint32_t core = 0; core < cores; ++core) {
            shared.next[core] = 0;
            for (uint32_t place = 0; place < per_core; ++place) {
                steps[core][place].from = core;
                steps[core][place].place = place;
            }
            submitters[core].strand = &strand;
            submitters[core].core = core;
            CHECK_EQ(pool.submit(submitters[core]), Status::ok);
            expected += per_core;
        }
        work_until(
            pool, [=] { return shared.done.load(acquire) == expected; }, "all tasks of a strand");
    }
    CHECK_EQ(shared.overlaps.load(relaxed), 0);
    CHECK_EQ(shared.out_of_order.load(relaxed), 0);
    end(pool);
    // Each of the strand's tasks counts once, whoever ran it.
    CHECK_EQ(pool.total().executed, rounds(20) * (cores * per_core + cores));
}

// ---- N2: a bank of filters, stage by stage and block by block, with one buffer between two stages.

constexpr uint32_t stages = 8;
constexpr uint32_t blocks = 1000;

struct Bank;
struct Stage : weft::TaskOf<Stage> {
    void run();
    Bank* bank = nullptr;
    uint32_t number = 0;
    uint32_t block = 0;
    uint32_t value = 0;  // of the block that it has last done
};
struct Bank {
    explicit Bank(Scheduler& pool)
        : gates{{pool, stage[0], 1}, {pool, stage[1], 2}, {pool, stage[2], 2}, {pool, stage[3], 2},
                {pool, stage[4], 2}, {pool, stage[5], 2}, {pool, stage[6], 2}, {pool, stage[7], 1}} {}
    Stage stage[stages];
    Gate gates[stages];
    Atomic<uint32_t> wrong{};
    Atomic<uint32_t> done{};
};

// Stage s waits for a new block from stage s - 1, and for room behind it in stage s + 1.
void Stage::run() {
    const uint32_t input = number == 0 ? block : bank->stage[number - 1].value;
    if (input != block + number) bank->wrong.fetch_add(1, relaxed);
    value = input + 1;
    ++block;
    if (number + 1 == stages) bank->done.store(block, release);
    // The block goes on, and there is room for the next one.
    if (number + 1 != stages && bank->gates[number + 1].arrive() != Status::ok)
        bank->wrong.fetch_add(1, relaxed);
    Gate& before = bank->gates[number == 0 ? 0 : number - 1];
    const bool last = number == 0 || (number == 1 && block == blocks);
    if (!last && before.arrive() != Status::ok) bank->wrong.fetch_add(1, relaxed);
}

void N2_gates_drive_a_filter_bank() {
    Pool& pool = new_pool();
    Bank bank{pool};
    for (uint32_t number = 0; number < stages; ++number) {
        bank.stage[number].bank = &bank;
        bank.stage[number].number = number;
    }
    // At the start there is room behind every stage but the first one's, whose gate opens.
    for (uint32_t number = 1; number + 1 < stages; ++number)
        CHECK_EQ(bank.gates[number].arrive(), Status::ok);
    CHECK_EQ(bank.gates[0].arrive(), Status::ok);
    work_until(
        pool, [&] { return bank.done.load(acquire) == blocks; }, "a thousand blocks through eight stages");
    CHECK_EQ(bank.wrong.load(relaxed), 0);
    end(pool);
    CHECK_EQ(pool.total().executed, stages * blocks);
}

// ---- N3

void N3_event_lets_tasks_go() {
    Pool& pool = new_pool();
    Event event{pool};
    forget_runs();
    for (uint32_t i = 0; i < 5; ++i) CHECK_EQ(event.wait(counted[i]), Status::ok);
    for (uint32_t i = 0; i < 2; ++i) {  // one at a time, the first comes first
        CHECK_EQ(i == 0 ? event.signal() : event.signal_from_isr(), Status::ok);
        work_until(
            pool, [=] { return counted_runs.load(acquire) == i + 1; }, "a task that waits");
        CHECK_EQ(counted[i].runs.load(relaxed), 1);
    }
    CHECK_EQ(event.set(), Status::ok);
    work_until(
        pool, [] { return counted_runs.load(acquire) == 5; }, "all that wait");
    CHECK_EQ(event.wait(counted[5]), Status::ok);  // still set
    work_until(
        pool, [] { return counted_runs.load(acquire) == 6; }, "who comes while it is set");
    event.clear();
    CHECK_EQ(event.wait(counted[6]), Status::ok);
    CHECK_EQ(pool.poll(1).tasks, 0);
    for (uint32_t i = 0; i < rounds(1000000); ++i) CHECK_EQ(event.signal_from_isr(), Status::ok);
    work_until(
        pool, [] { return counted_runs.load(acquire) == 7; }, "one task");
    CHECK_EQ(event.wait(counted[7]), Status::ok);  // a signal was kept, and only one
    work_until(
        pool, [] { return counted_runs.load(acquire) == 8; }, "the next one");
    CHECK_EQ(event.wait(counted[8]), Status::ok);
    CHECK_EQ(pool.poll(1).tasks, 0);
    end(pool);
    check_runs(8, 1);
    Batch left;
    event.take_back(left);
    CHECK_EQ(left.size(), 1);
    CHECK_EQ(left.pop(), &counted[8]);
}

constexpr tap::Test tests[] = {
    TEST(N1_strand_keeps_order_without_overlap),
    TEST(N2_gates_drive_a_filter_bank),
    TEST(N3_event_lets_tasks_go),
};

}  // namespace

extern const tap::Tests sources_tests{tests};

}  // namespace firmware
