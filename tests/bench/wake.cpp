// SPDX-License-Identifier: MIT OR Apache-2.0
// bench: from a submit on core 0 to the first instruction of the task on core 1, which was parked; and what parked
// cores execute: nothing.
//
// Core 0 submits from inside a task and then hands its turn on; core 1 wakes, finds the task and enters it. So that
// the first instruction of the task is the one that reads the counter, the task's run function begins in assembly.
// What was counted in between is core 0's submit() from begin to end, the instruction by which it hands its turn on
// (which is subtracted), and core 1's way. Other cores are off, or parked and asleep: then they execute nothing, and
// that is measured too.
#include "bench.hpp"

#include "crew.hpp"
#include "figures.hpp"
#include "machine.hpp"

extern "C" {

// The run functions of the tasks that are woken for: each reads the counter and goes on in bench_woken(). One for each
// measurement: a path is known by the reading that ends it.
void bench_first_of_wake(weft::Task& self);
void bench_first_of_isr_wake(weft::Task& self);
void bench_first_of_wake_of_all(weft::Task& self);
void bench_woken(weft::Task& self, uintptr_t count);

}  // extern "C"

namespace bench {
namespace {

// What such a function executes before it reads the counter as counter() does.
constexpr Tenths before_reading = instructions(exact ? 0 : 1);

WEFT_CONSTINIT weft::Pool<2> pool_of_two{};
WEFT_CONSTINIT weft::Pool<BOARD_CORES> pool_of_all{};

// ---- How much core 1's counter is ahead of core 0's. Both read theirs in turn. Both execute the same code, so each
// reading lies in the middle between the two readings of the other core around it.

constexpr uint32_t exchanges = 8;
weft::Atomic<uint32_t> reader;         // whose turn it is to read
weft::Atomic<uint32_t> exchange_done;  // by core 1
uint32_t readings[2][exchanges];

[[gnu::noinline]] void read_in_turn(uint32_t self) {
    const Turns turns;
    for (uint32_t i = 0; i != exchanges; ++i) {
        while (reader.load(weft::acquire) != self) turns.pass();
        readings[self][i] = counter();
        reader.store(1 - self, weft::release);
    }
}

void exchange_on_core_1() {
    read_in_turn(1);
    exchange_done.store(1, weft::release);
}
WEFT_CONSTINIT weft::Job exchange(&exchange_on_core_1);

uint32_t measure_lead(weft::Scheduler& pool) {
    if (!counter_per_core) return 0;
    exchange_done.store(0, weft::relaxed);
    must(pool.submit_on(1, exchange));
    read_in_turn(0);
    {
        const Turns turns;
        while (exchange_done.load(weft::acquire) == 0) turns.pass();  // core 1 has its last reading
    }
    uint32_t lead = 0;
    for (uint32_t i = 1; i + 2 != exchanges; ++i) {  // the first ones still meet
        const uint32_t round_trip = readings[0][i + 1] - readings[0][i];
        const uint32_t found = readings[1][i] - readings[0][i] - round_trip / 2;
        if (round_trip % 2 != 0 || (i != 1 && found != lead))
            fail("the cores did not read their counters in turn");
        lead = found;
    }
    return lead;
}

// ---- One wake

uint32_t woken_at = 0;
weft::Atomic<uint32_t> woken;
WEFT_CONSTINIT weft::Task woken_task(&bench_first_of_wake);
WEFT_CONSTINIT weft::Task woken_from_isr(&bench_first_of_isr_wake);
WEFT_CONSTINIT weft::Task woken_of_all(&bench_first_of_wake_of_all);

struct Wake {
    Samples sender;    // core 0: the submit
    Samples receiver;  // core 1: from its park to the first instruction of the task
    Samples together;
};
Wake wake;

// `submit` submits one of them from core 0; core 1 is parked.
template <class Submit>
[[gnu::always_inline]] inline void measure_wake(const char* name, weft::Scheduler& pool, uint32_t lead,
                                                Submit submit) {
    wake.sender.clear();
    wake.receiver.clear();
    wake.together.clear();
    const weft::CoreStats before = pool.stats(1);
    for (uint32_t i = 0; i != rounds; ++i) {
        settle();
        woken.store(0, weft::relaxed);
        start_anywhere();
        {
            const Turns turns;
            const uint32_t begin = counter();
            const weft::Status status = submit();
            const uint32_t end = counter_and_pass(name);
            must(status);
            while (woken.load(weft::acquire) == 0) turns.pass();
            wake.sender.add(end - begin);
            wake.receiver.add(woken_at - lead - end);
            wake.together.add(woken_at - lead - begin);
        }
    }
    settle();
    const weft::CoreStats after = pool.stats(1);
    if (after.wakes - before.wakes != rounds || after.executed - before.executed != rounds) {
        fail("core 1 was not parked before each submit, or did not run each task");
    }
}

Tenths sender() { return wake.sender.typical() - reading; }
Tenths receiver() { return wake.receiver.typical() - reading - handing_on - before_reading; }
Tenths together(Tenths samples) { return samples - 2 * reading - handing_on - before_reading; }

// ---- Cores that have nothing to do. Core 0 works for a millisecond (of 1 ns per instruction), and a thousand times
// either hands its turn on, so that whoever has something to execute does so, or keeps it by a NOP instead.

constexpr int32_t hand_overs = 1000;

template <bool hand_on>
[[gnu::noinline]] uint32_t work_for_a_millisecond() {
    const Turns turns;
    const uint32_t begin = counter();
    for (int32_t i = 0; i != hand_overs; ++i) {
        walk_straight_line();
        if (hand_on) {
            turns.pass();
        } else {
            asm volatile("nop" : : : "memory");
        }
    }
    return counter() - begin;
}

// ---- The two pools

void of_two() {
    weft::Scheduler& pool = pool_of_two;
    hold_others(pool);
    release_others();
    const uint32_t lead = measure_lead(pool);

    measure_wake("wake_sender", pool, lead, [&] { return pool.submit(woken_task); });
    print("wake", together(wake.together.typical()));
    print("wake_sender", sender());
    print("wake_receiver", receiver());

    measure_wake("isr_wake_sender", pool, lead, [&] { return pool.submit_from_isr(woken_from_isr); });
    print("isr_wake", together(wake.together.typical()));
    print("isr_wake_sender", sender());
    print("isr_wake_receiver", receiver());
    pool.shutdown();
}
WEFT_CONSTINIT weft::Job wake_of_two(&of_two);

void of_all() {
    weft::Scheduler& pool = pool_of_all;
    hold_others(pool);
    release_others();
    const uint32_t lead = measure_lead(pool);

    measure_wake("wake_of_all_sender", pool, lead, [&] { return pool.submit(woken_of_all); });
    print("wake_of_all", together(wake.together.typical()));
    print("wake_of_all_high", together(wake.together.high()));

    settle();
    const Tenths alone = instructions(static_cast<int32_t>(work_for_a_millisecond<false>()));
    const Tenths with_the_others = instructions(static_cast<int32_t>(work_for_a_millisecond<true>()));
    const Tenths handed_on = hand_overs * (passing - instructions(1));  // instead of a NOP
    print("parked_cores_1ms", with_the_others - alone - handed_on);
    pool.shutdown();
}
WEFT_CONSTINIT weft::Job wake_of_all(&of_all);

// ---- A task that preempts, on core 0 alone. It is submitted with interrupts off, as by a handler; they are opened
// behind the second reading. So between that and the task's first instruction lies what follows a handler: that
// interrupt's entry, the port's part and the pool's.
#if WEFT_PREEMPTION && __STDC_HOSTED__ == 0

WEFT_CONSTINIT weft::Pool<1> pool_of_one{};

void of_one() {
    wake.sender.clear();
    wake.receiver.clear();
    for (uint32_t i = 0; i != rounds; ++i) {
        woken.store(0, weft::relaxed);
        start_anywhere();
        const uintptr_t masked = close_interrupts();
        const uint32_t begin = counter();
        const weft::Status status = pool_of_one.submit_from_isr(woken_task, weft::Urgency::urgent);
        const uint32_t end = counter();
        open_interrupts(masked);
        must(status);
        if (woken.load(weft::acquire) == 0) fail("a task that preempts did not come at once");
        wake.sender.add(end - begin);
        wake.receiver.add(woken_at - end);
    }
    print("preempt_submit", sender());
    print("preempt_begin", wake.receiver.typical() - reading - before_reading);
    pool_of_one.shutdown();
}
WEFT_CONSTINIT weft::Job preempt_of_one(&of_one);

#endif

}  // namespace

void measure_preempt() {
#if WEFT_PREEMPTION && __STDC_HOSTED__ == 0
    run_in(pool_of_one, preempt_of_one);
#endif
}

void measure_wake_of_two() {
    if (board::cores > 1) run_in(pool_of_two, wake_of_two);
}

// Not where parked cores do not sleep in the emulator: it would give their empty turns to the path of core 1.
void measure_wake_of_all() {
    if (cores_sleep && board::cores > 1) run_in(pool_of_all, wake_of_all);
}

}  // namespace bench

extern "C" [[gnu::used]] void bench_woken(weft::Task&, uintptr_t count) {
    bench::woken_at = static_cast<uint32_t>(count);
    bench::woken.store(1, weft::release);
}

#define BENCH_FIRST(NAME, CODE)                                                               \
    asm(".pushsection .text.bench_first_of_" NAME                                             \
        ", \"ax\"\n"                                                                          \
        ".globl bench_first_of_" NAME "\n" BENCH_FUNCTION "bench_first_of_" NAME ":\n\t" CODE \
        "\n\t.popsection")
#define BENCH_FUNCTION
#if __STDC_HOSTED__ == 0 && defined(__aarch64__)
#define BENCH_FIRST_CODE "mrs x1, pmevcntr0_el0\n\tb bench_woken"
#elif __STDC_HOSTED__ == 0 && defined(__riscv)
#define BENCH_FIRST_CODE "csrr a1, minstret\n\ttail bench_woken"
#elif __STDC_HOSTED__ == 0 && defined(__arm__)
#undef BENCH_FUNCTION
#define BENCH_FUNCTION "\t.syntax unified\n\t.thumb_func\n"
#define BENCH_FIRST_CODE "push {r0, lr}\n\tbl weft_image_clock\n\tmov r1, r0\n\tpop {r0, lr}\n\tb bench_woken"
#endif

#ifdef BENCH_FIRST_CODE
BENCH_FIRST("wake", BENCH_FIRST_CODE);
BENCH_FIRST("isr_wake", BENCH_FIRST_CODE);
BENCH_FIRST("wake_of_all", BENCH_FIRST_CODE);
#else
void bench_first_of_wake(weft::Task& self) { bench_woken(self, bench::counter()); }
void bench_first_of_isr_wake(weft::Task& self) { bench_woken(self, bench::counter()); }
void bench_first_of_wake_of_all(weft::Task& self) { bench_woken(self, bench::counter()); }
#endif
