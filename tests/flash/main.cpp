// SPDX-License-Identifier: MIT OR Apache-2.0
// Cores that stand still while the code memory cannot be read (mps2-an521, VARIANT=quiesce): any fetch or load of
// another core from there is a fault, which is counted. That it is counted the first two tests show.
#include <weft/weft.hpp>

#include "arm_m_registers.hpp"
#include "board.hpp"
#include "code_memory.hpp"
#include "tap.hpp"
#include "wait.hpp"

namespace flash {
namespace {

using weft::acquire;
using weft::relaxed;
using weft::release;
using weft::Status;

using Pool = weft::Pool<cores, 16>;
constexpr uint32_t turns = 20000;
constexpr uint32_t rounds = 20;
// In the code memory, which is RAM here: so it can be written.
extern "C" const volatile uint32_t flash_page[2];
asm(".section .rodata.flash_page, \"a\"\n\t.balign 8\nflash_page:\n\t.word 0, 0\n\t.previous");
constexpr const volatile uint32_t (&page)[2] = flash_page;

void write_page(uint32_t word, uint32_t value) {
    arm_m::write32(reinterpret_cast<uintptr_t>(&page[word]), value);
}

// One after the other: each test has its own.
WEFT_CONSTINIT Pool pools[6]{};
uint32_t pools_used;
Pool* pool;

Atomic<uint32_t> ready{};
volatile uint32_t stop;

uint32_t deadline() { return 10000 * Port::ticks_per_ms(); }

// Core 1 works for a new pool, and both take their faults.
void begin() {
    pool = &pools[pools_used++];
    ready.store(0, relaxed);
    stop = 0;
    static weft::Job prepare([] { take_faults(), ready.store(1, release); });
    take_faults();
    CHECK_EQ(pool->submit_on(1, prepare), Status::ok);
    tap::wait_for([] { return ready.load(acquire) == 1; }, "core 1");
    faults[0].count = faults[1].count = 0;
}

void end() {
    stop = 1;
    pool->shutdown();
    CHECK_EQ(pool->join(), Status::ok);
}

void check_no_faults() {
    for (uint32_t core = 0; core != cores; ++core) {
        if (!CHECK_EQ(faults[core].count, 0)) tap::note("the last one at", faults[core].address);
    }
}

// A control: until core 1 has met it. An emulated core may have no turn for a while, as its processor is busy.
void close_until_caught() {
    for (uint32_t tries = 0; faults[1].count == 0 && tries != 100; ++tries) close_code_memory(100 * turns);
    CHECK(faults[1].count != 0);
}

// The control: a core that nobody stops is caught at its next fetch, wherever its loop is.
[[gnu::noinline]] void run_in_flash() {
    ready.store(2, release);
    while (stop == 0) asm volatile("nop" ::: "memory");
}

void E3_a_fetch_is_caught() {
    begin();
    static weft::Job running(run_in_flash);
    CHECK_EQ(pool->submit_on(1, running), Status::ok);
    tap::wait_for([] { return ready.load(acquire) == 2; }, "the task of core 1");
    close_until_caught();
    CHECK_EQ(faults[0].count, 0);
    end();
}

// The same with code in RAM, which loads from there.
void E3_a_load_is_caught() {
    begin();
    static weft::Job loading([] { ready.store(2, release), read_code_memory(page, &stop); });
    CHECK_EQ(pool->submit_on(1, loading), Status::ok);
    tap::wait_for([] { return ready.load(acquire) == 2; }, "the task of core 1");
    close_until_caught();
    CHECK_EQ(faults[1].address & ~0xffffffu, 0x38000000);
    end();
}

// ---- Core 1 stands

// Tasks that submit themselves again, and read the page. Each finds what was written last.
struct Reader : weft::TaskOf<Reader> {
    void run() {
        if (page[0] != page[1]) torn.store(1, relaxed);
        seen.store(page[0], release);
        if (stop == 0) static_cast<void>(pool->submit(*this));
    }
    Atomic<uint32_t> seen{};
    Atomic<uint32_t> torn{};
};
Reader readers[3];
Atomic<uint32_t> interrupts{};

void in_interrupt() { interrupts.fetch_add(page[0] == 0 ? 1 : 2, relaxed); }

// Writes the page `rounds` times, each between quiesce() and resume().
void write_again_and_again(uint32_t core_1_reads) {
    for (uint32_t round = 1; round <= rounds; ++round) {
        if (!CHECK_EQ(pool->quiesce(deadline()), Status::ok)) return;
        const uint32_t before = interrupts.load(relaxed);
        write_page(0, page[0] + 1);
        close_code_memory(turns);
        write_page(1, page[0]);
        CHECK_EQ(interrupts.load(relaxed), before);
        CHECK_EQ(pool->resume(), Status::ok);
        if (core_1_reads == 0) continue;
        for (Reader& reader : readers) {
            tap::wait_for([&] { return reader.seen.load(acquire) == page[0]; }, "a reader");
        }
    }
}

// It has tasks, and interrupts whose handler is in the code memory.
void E3_a_busy_core_stands() {
    begin();
    interrupts.store(0, relaxed);
    static weft::Job start([] { board::start_timer(10000, in_interrupt), ready.store(2, release); });
    CHECK_EQ(pool->submit_on(1, start), Status::ok);
    tap::wait_for([] { return ready.load(acquire) == 2 && interrupts.load(relaxed) != 0; },
                  "interrupts of core 1");
    for (Reader& reader : readers) CHECK_EQ(pool->submit(reader), Status::ok);
    write_again_and_again(1);
    check_no_faults();
    const uint32_t before = interrupts.load(relaxed);
    tap::wait_for([=] { return interrupts.load(relaxed) != before; }, "interrupts behind it");
    stop = 1;
    static weft::Job end_timer([] { board::stop_timer(), ready.store(3, release); });
    CHECK_EQ(pool->submit_on(1, end_timer), Status::ok);
    tap::wait_for([] { return ready.load(acquire) == 3; }, "the end of the interrupts");
    for (const Reader& reader : readers) CHECK_EQ(reader.torn.load(relaxed), 0);
    end();
}

// It sleeps, and an event would wake it in code that cannot be read.
void E3_a_sleeping_core_stands() {
    begin();
    for (uint32_t round = 0; round != rounds; ++round) {
        tap::wait_for([] { return pool->stats(1).parks != 0; }, "core 1 to sleep");
        write_again_and_again(0);
    }
    check_no_faults();
    end();
}

// It has left its pool, and waits in its pen: for a pool that it does not work for.
void E3_a_core_in_its_pen_stands() {
    begin();
    end();
    pool = &pools[pools_used++];
    faults[0].count = faults[1].count = 0;
    write_again_and_again(0);
    check_no_faults();
    CHECK_EQ(pool->live_cores(), 0);
    static weft::Job last([] { ready.store(4, release); });
    CHECK_EQ(pool->submit_on(1, last), Status::ok);  // and it can be started
    tap::wait_for([] { return ready.load(acquire) == 4; }, "core 1 to come again");
    end();
}

constexpr tap::Test tests[] = {
    TEST(E3_a_fetch_is_caught),      TEST(E3_a_load_is_caught),         TEST(E3_a_busy_core_stands),
    TEST(E3_a_sleeping_core_stands), TEST(E3_a_core_in_its_pen_stands),
};

const tap::Tests main_tests{tests};

}  // namespace
}  // namespace flash

extern "C" int board_main() { return tap::run({flash::main_tests}); }
