// SPDX-License-Identifier: MIT OR Apache-2.0
// boards: RISC-V harts with SiFive's CLINT at its usual address, or with its registers elsewhere, 32 and 64 bits:
// timer, and the port's image constants. Registers: SiFive FU540-C000 manual, "CLINT".
#include "riscv_board.hpp"

#include <weft/port.hpp>
#include <weft/stack.hpp>

#include "board.hpp"
#include "restart.hpp"
#include "semihosting.hpp"

namespace {

using weft::Port;
using weft::riscv::read32;
using weft::riscv::write32;

// A board without a CLINT says where these are, and how far from core to core.
#ifndef RISCV_MTIME
#define RISCV_MSIP (0x02000000 + 4 * WEFT_RISCV_FIRST_HART)
#define RISCV_MTIMECMP 0x02004000
#define RISCV_MTIMECMP_BYTES 8
#define RISCV_MTIME 0x0200bff8
#endif
constexpr uintptr_t mtimecmp = RISCV_MTIMECMP;
constexpr uintptr_t mtime = RISCV_MTIME;
constexpr uint32_t mtime_hz = RISCV_MTIME_HZ;

constexpr uintptr_t mti = 1u << 7;  // machine timer interrupt: MTIE in mie

constexpr uintptr_t sys_exit = 0x18;
constexpr uintptr_t sys_exit_extended = 0x20;

static_assert(BOARD_CORES <= Port::max_cores, "this board needs a larger WEFT_MAX_CORES");

// One comparator serves the periodic interrupt and weft's alarm. Touched by its own core only, with the interrupt off
// and in the interrupt. Volatile: the reader is an interrupt.
constexpr uint64_t never = ~0ull;
struct Timer {
    void (*isr)();
    uint32_t period;
    volatile uint64_t next;  // both 0: never, as the memory is at the start
    volatile uint64_t alarm;
};
Timer timers[BOARD_CORES];

uint64_t read_mtime() {
    for (;;) {
        const uint32_t high = read32(mtime + 4);
        const uint32_t low = read32(mtime);
        if (read32(mtime + 4) == high) return static_cast<uint64_t>(high) << 32 | low;
    }
}

// "Privileged", mtime and mtimecmp: written in this order, no intermediate value is below both the old and
// the new.
void write_mtimecmp(uint64_t time) {
    const uintptr_t own = mtimecmp + RISCV_MTIMECMP_BYTES * (Port::core_id() + WEFT_RISCV_FIRST_HART);
    write32(own, ~0u);
    write32(own + 4, static_cast<uint32_t>(time >> 32));
    write32(own, static_cast<uint32_t>(time));
}

// The earlier one of the two that are set.
void update_mtimecmp(const Timer& timer) {
    const uint64_t next = timer.next == 0 ? never : timer.next;
    const uint64_t alarm = timer.alarm == 0 ? never : timer.alarm;
    write_mtimecmp(next < alarm ? next : alarm);
}

// A change of this core's timer: no interrupt of it meanwhile, and the comparator follows.
class Change {
public:
    Change() { asm volatile("csrc mie, %0" : : "r"(mti) : "memory"); }
    ~Change() {
        update_mtimecmp(timer);
        asm volatile("csrs mie, %0" : : "r"(mti) : "memory");
    }
    Change(const Change&) = delete;
    Change& operator=(const Change&) = delete;

    Timer& timer = timers[Port::core_id()];
};

}  // namespace

// --- port/riscv/weft_image.hpp ---

const uint32_t weft_image_cores = BOARD_CORES;
const uintptr_t weft_image_msip = RISCV_MSIP;
const uintptr_t weft_image_mtime = mtime;
const uint32_t weft_image_ticks_per_ms = mtime_hz / 1000;

uint32_t* weft_image_stack_limit(uint32_t core) {
    if (core >= BOARD_CORES) return nullptr;
    return riscv_stacks + (core * RISCV_STACK_BYTES + RISCV_GUARD_BYTES) / sizeof(uint32_t);
}

void weft_image_set_alarm(uint32_t tick) {
    const Change change;
    const uint64_t now = read_mtime();
    const uint32_t left = tick - static_cast<uint32_t>(now);
    change.timer.alarm = static_cast<int32_t>(left) < 0 ? now : now + left;
}

void weft_image_clear_alarm() { Change().timer.alarm = 0; }

#if BOARD_RESTART
// It is due at once. If that core writes its comparator just then this is lost, and asked for again.
void weft_image_recall(uint32_t core) {
    const uintptr_t comparator = mtimecmp + RISCV_MTIMECMP_BYTES * (core + WEFT_RISCV_FIRST_HART);
    write32(comparator + 4, 0);
    write32(comparator, 0);
}
#endif

// --- start and end ---

void riscv_boot() {
    riscv_enable_console();
    static_cast<void>(weft::paint_stack());
    board::exit(board_main());
}

void riscv_secondary(uint32_t core) {
    static_cast<void>(weft::paint_stack());
    weft_port_secondary(core);
}

// An exit request comes back only if nobody serves semihosting: then the board ends the run. Both take the
// status in the second word of the block.
intptr_t semihosting_call(uintptr_t operation, void* block) {
    const intptr_t answer = riscv_semihosting(operation, block);
    const bool exit_failed = operation == sys_exit || operation == sys_exit_extended;
    if (exit_failed) riscv_finish(static_cast<uintptr_t*>(block)[1]);
    return answer;
}

// --- board.hpp ---

namespace board {

#if BOARD_RESTART
void restart() { riscv_restart(); }
#endif

const uint32_t cores = BOARD_CORES;

void start_timer(uint32_t hz, void (*isr)()) {
    const Change change;
    change.timer.isr = isr;
    change.timer.period = hz < mtime_hz ? mtime_hz / hz : 1;
    change.timer.next = read_mtime() + change.timer.period;
}

void stop_timer() { Change().timer.next = 0; }

// minstret. Under QEMU's -icount shift=0 this is every instruction of the machine, exactly.
uint32_t instructions() {
    uintptr_t retired;
    asm volatile("csrr %0, minstret" : "=r"(retired) : : "memory");
    return static_cast<uint32_t>(retired);
}

}  // namespace board

void riscv_timer_interrupt() {
#if BOARD_RESTART
    weft_port_recalled();
#endif
    Timer& timer = timers[Port::core_id()];
    const uint64_t now = read_mtime();
    // MTIP may lag behind a write of mtimecmp: then neither is due.
    const bool alarm = timer.alarm != 0 && timer.alarm <= now;
    const bool tick = timer.next != 0 && timer.next <= now;
    if (alarm) timer.alarm = 0;
    if (tick) {
        timer.next = timer.next + timer.period <= now ? now + timer.period  // skip what was missed
                                                      : timer.next + timer.period;
    }
    update_mtimecmp(timer);
    if (alarm) Port::unpark(Port::core_id());
    if (tick) timer.isr();
}
