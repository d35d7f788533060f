// SPDX-License-Identifier: MIT OR Apache-2.0
// Firmware tests: tasks that are waited for and taken back, on all cores.
#include "harness.hpp"

namespace firmware {
namespace {

using weft::CancelResult;
using weft::Completion;
using weft::Waitable;

// A piece of work that is no task of a lambda: firmware has arrays of them.
class Piece : public Waitable {
public:
    explicit Piece(Scheduler& pool) : Waitable(pool, &Piece::run) {}

    Plain<uint32_t> result{};

private:
    static void run(Task& self) {
        Piece& piece = static_cast<Piece&>(self);
        const bool wanted = piece.begin();
        if (wanted) piece.result.set(piece.result.get() + 1);
        piece.end(wanted);
    }
};

constexpr uint32_t pieces = 2 * ring;  // more than fit into a ring

Pool* pool;
alignas(Piece) unsigned char memory[pieces][sizeof(Piece)];
Piece& piece(uint32_t number) { return *reinterpret_cast<Piece*>(memory[number]); }

Atomic<uint32_t> waiters_left;

// Each core waits for pieces of its own, of which every third is taken back.
struct Waits : weft::TaskOf<Waits> {
    void run() {
        for (uint32_t round = 0; round != rounds(100); ++round) {
            Piece mine[] = {Piece(*pool), Piece(*pool), Piece(*pool)};
            for (Piece& one : mine) CHECK_EQ(pool->submit(one), Status::ok);
            const bool cancelled = mine[round % 3].cancel() == CancelResult::cancelled;
            for (Piece& one : mine) {
                CHECK_EQ(one.wait(), Status::ok);
                CHECK_EQ(one.result.get(), &one == &mine[round % 3] && cancelled ? 0 : 1);
            }
        }
        waiters_left.fetch_sub(1, release);
    }
};

void N5_tasks_of_all_cores_wait() {
    pool = &new_pool();
    start_workers(*pool);
    static Waits waits[cores];
    waiters_left.store(present(), relaxed);
    for (uint32_t i = 0; i != present(); ++i) CHECK_EQ(pool->submit(waits[i]), Status::ok);
    work_until(
        *pool, [] { return waiters_left.load(acquire) == 0; }, "tasks that wait for others");
    end(*pool);
}

// Core 0 is no worker: it works meanwhile. The others sleep before each round.
void N5_core_0_waits_outside() {
    pool = &new_pool();
    start_workers(*pool);
    for (uint32_t i = 0; i != pieces; ++i) new (Place{memory[i]}) Piece(*pool);
    for (uint32_t round = 1; round <= rounds(50); ++round) {
        if (round % 8 == 0) await_rest(*pool);
        Batch batch;
        for (uint32_t i = 0; i != pieces; ++i) CHECK_EQ(batch.push(piece(i)), Status::ok);
        CHECK_EQ(pool->submit(batch), Status::ok);
        for (uint32_t i = 0; i != pieces; ++i) {
            Guard guard("a wait outside");
            CHECK_EQ(piece(i).wait(), Status::ok);
            CHECK_EQ(piece(i).result.get(), round);
            CHECK_EQ(piece(i).reset(), Status::ok);
        }
    }
    end(*pool);
}

// The waiting core sleeps, and what ends the wait comes from an interrupt.
Completion* from_interrupt;
Atomic<uint32_t> interrupts;

void submit_completion() {
    if (interrupts.fetch_add(1, relaxed) == 2) CHECK_EQ(pool->submit_from_isr(*from_interrupt), Status::ok);
}

void N5_an_interrupt_ends_a_wait() {
    // Where a core sleeps in an instruction that the emulator's plugin plays, it does not see interrupts.
    if (tap::option("plugin", 0) != 0)
        return tap::skip("not on this board: an interrupt that ends a core's WFE");
    pool = &new_pool();
    for (uint32_t round = 0; round != rounds(20); ++round) {
        Completion completion(*pool);
        from_interrupt = &completion;
        interrupts.store(0, relaxed);
        board::start_timer(1000, submit_completion);
        CHECK_EQ(completion.wait(), Status::ok);
        board::stop_timer();
    }
    end(*pool);
}

// A handler takes work back, at any instruction of its way.
Piece* to_cancel;

void cancel_in_interrupt() { static_cast<void>(to_cancel->cancel()); }

void N4_an_interrupt_cancels() {
    pool = &new_pool();
    start_workers(*pool);
    Piece one(*pool);
    to_cancel = &one;
    uint32_t runs = 0;
    board::start_timer(5000, cancel_in_interrupt);
    for (uint32_t round = 0; round != rounds(2000); ++round) {
        CHECK_EQ(pool->submit(one), Status::ok);
        CHECK_EQ(one.wait(), Status::ok);
        if (!one.is_cancelled()) ++runs;
        CHECK_EQ(one.result.get(), runs);
        CHECK_EQ(one.reset(), Status::ok);
    }
    board::stop_timer();
    end(*pool);
}

constexpr tap::Test tests[] = {
    TEST(N4_an_interrupt_cancels),
    TEST(N5_tasks_of_all_cores_wait),
    TEST(N5_core_0_waits_outside),
    TEST(N5_an_interrupt_ends_a_wait),
};

}  // namespace

extern const tap::Tests work_tests{tests};

}  // namespace firmware
