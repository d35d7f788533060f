// SPDX-License-Identifier: MIT OR Apache-2.0
// Core 0 starts over, again and again, while the other cores are somewhere in an old pool (docs/RESTART.md). Each time
// it makes a pool anew, and gets all of them. What the program itself has to know lies in memory that start-up code
// leaves as it is.
#include <weft/weft.hpp>

#include "board.hpp"
#include "restart.hpp"
#include "tap.hpp"
#include "wait.hpp"

namespace restart {

using weft::acquire;
using weft::Atomic;
using weft::Port;
using weft::relaxed;
using weft::release;
using weft::Status;

constexpr uint32_t cores = BOARD_CORES;
constexpr uint32_t closed_core = 1;  // of the one that holds its interrupts off

WEFT_CONSTINIT weft::Pool<cores, 16> pool{};

// ---- What lasts

struct Kept {
    uint32_t step;  // which test has begun, from 1; 0: the power came on
    uint32_t round;
    uint32_t failed;          // one of the starts of this test has found something wrong
    uint32_t failures;        // tests
    Atomic<uint32_t> let_go;  // the core that holds its interrupts off
};
[[gnu::section(".noinit")]] Kept kept{};

// ---- Tasks

struct Here : weft::TaskOf<Here> {
    void run() { core.store(Port::core_id() + 1, release); }
    Atomic<uint32_t> core{};
};
Here here[cores];

struct Long : weft::TaskOf<Long> {
    void run() {
        begun.store(1, release);
        for (;;) Port::relax();
    }
    Atomic<uint32_t> begun{};
};
Long long_tasks[cores];

// Touches nothing that start-up code initialises, from when it says that it has begun.
struct Closed : weft::TaskOf<Closed> {
    void run() {
        const uint32_t held = Port::hold_interrupts();
        begun.store(1, release);
        while (kept.let_go.load(acquire) == 0) Port::relax();
        Port::release_interrupts(held);
        for (;;) Port::relax();  // if nothing ends it here, it is not called in
    }
    Atomic<uint32_t> begun{};
};
Closed closed;

// ---- The new pool has these cores

void call(uint32_t core) { CHECK_EQ(pool.submit_on(core, here[core]), Status::ok); }

void await_call(uint32_t core) {
    tap::wait_for([core] { return here[core].core.load(acquire) != 0; }, "a core in the new pool");
    CHECK_EQ(here[core].core.load(relaxed), core + 1);
}

void all_come_but(uint32_t missing) {
    for (uint32_t core = 1; core != cores; ++core) {
        if (core != missing) call(core);
    }
    for (uint32_t core = 1; core != cores; ++core) {
        if (core != missing) await_call(core);
    }
}

// The one that held its interrupts off: it is none of the pool's, and nothing waits for it, until it has come.
void closed_core_comes_late() {
    CHECK_EQ(board::recall.missing, 1);
    all_come_but(closed_core);
    static_cast<void>(pool.submit_on(closed_core, here[closed_core]));  // refused, or not run
    CHECK_EQ(here[closed_core].core.load(acquire), 0);
    kept.let_go.store(1, release);
    static Here others[cores];
    tap::wait_for(
        [] {
            static_cast<void>(pool.submit(others[0]));
            static_cast<void>(pool.poll(1));
            const Status status = pool.submit_on(closed_core, here[closed_core]);
            return status == Status::ok || here[closed_core].core.load(acquire) != 0;
        },
        "a core that opens its interrupts");
    await_call(closed_core);
}

// ---- Where the others are

void pass_a_millisecond() {
    const uint32_t begin = Port::now();
    while (Port::now() - begin < Port::ticks_per_ms()) Port::relax();
}

// A sleep counts when it is over: each core is woken until it has slept once, and then has time to fall asleep again.
void sleeping() {
    for (uint32_t core = 1; core != cores; ++core) {
        do {
            here[core].core.store(0, relaxed);
            call(core);
            await_call(core);
            pass_a_millisecond();
        } while (pool.stats(core).parks == 0);
    }
}

void in_long_tasks(uint32_t first) {
    for (uint32_t core = first; core != cores; ++core)
        CHECK_EQ(pool.submit_on(core, long_tasks[core]), Status::ok);
    for (uint32_t core = first; core != cores; ++core) {
        tap::wait_for([core] { return long_tasks[core].begun.load(acquire) != 0; }, "a long task to begin");
    }
}

void N12_asleep() { sleeping(); }

void N12_in_their_pens() {
    pool.shutdown();
    CHECK_EQ(pool.join(), Status::ok);
}

void N12_in_long_tasks() { in_long_tasks(1); }

void N12_some_sleep_and_some_work() { in_long_tasks(cores / 2); }

// Wherever they happen to be.
void N12_at_once() {}

// Being started, or just here, by another pool.
void N12_on_their_way() {
    static weft::Pool<cores, 16> other{};
    static Here there[cores];
    pool.shutdown();
    CHECK_EQ(pool.join(), Status::ok);
    for (uint32_t core = 1; core != cores; ++core) CHECK_EQ(other.submit_on(core, there[core]), Status::ok);
    for (volatile uint32_t left = kept.round * 500; left != 0; left = left - 1) {
    }
}

void N12_one_holds_interrupts_off() {
    kept.let_go.store(0, relaxed);
    board::recall.ms = 300;
    CHECK_EQ(pool.submit_on(closed_core, closed), Status::ok);
    tap::wait_for([] { return closed.begun.load(acquire) != 0; }, "the task that holds interrupts off");
}

constexpr tap::Test tests[] = {
    TEST(N12_asleep),
    TEST(N12_in_their_pens),
    TEST(N12_in_long_tasks),
    TEST(N12_some_sleep_and_some_work),
    TEST(N12_at_once),
    TEST(N12_on_their_way),
    TEST(N12_one_holds_interrupts_off),
};
constexpr uint32_t count = sizeof tests / sizeof *tests;

// How often each is done; what depends on the moment more often.
uint32_t rounds_of(uint32_t test) {
    return tests[test].run == N12_one_holds_interrupts_off ? 2 : tests[test].run == N12_on_their_way ? 50 : 5;
}

// What the last start has arranged.
void look(uint32_t test) {
    if (tests[test].run == N12_one_holds_interrupts_off) return closed_core_comes_late();
    CHECK_EQ(board::recall.missing, 0);
    all_come_but(0);
}

void report(uint32_t test) {
    tap::Line line;
    line.put(kept.failed != 0 ? "not ok " : "ok ");
    line.put(test + 1);
    line.put(" - ");
    line.put(tests[test].name);
}

}  // namespace restart

extern "C" int board_main() {
    using namespace restart;
    if (board::recall.mark != board::Recall::known) {
        board::recall.mark = board::Recall::known;
        kept.step = kept.round = kept.failed = kept.failures = 0;
        tap::Line line;
        line.put("TAP version 13\n1..");
        line.put(count);
    }
    if (kept.step == 0) {
        all_come_but(0);  // the control: they are there
        kept.step = 1;
    } else {
        look(kept.step - 1);
        if (tap::failed()) kept.failed = 1;
        if (++kept.round == rounds_of(kept.step - 1)) {
            report(kept.step - 1);
            kept.failures += kept.failed;
            kept.round = kept.failed = 0;
            if (kept.step++ == count) return kept.failures == 0 ? 0 : 1;
        }
    }
    board::recall.ms = 10000;
    tests[kept.step - 1].run();
    if (tap::failed()) {
        kept.failed = 1;
        tap::note("round ", kept.round, " of ", tests[kept.step - 1].name);
    }
    board::restart();
}
