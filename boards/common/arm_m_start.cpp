// SPDX-License-Identifier: MIT OR Apache-2.0
// boards: vector tables and start-up of dual-core M-profile boards. Each core has its own table,
// because the first word of a table is that core's stack. The linker script provides the symbols declared
// below; the board provides arm_m_board_start() and points core 1 at arm_m::vectors1.
#include <stddef.h>
#include <stdint.h>

#include <weft/stack.hpp>

#include "arm_m_registers.hpp"
#include "arm_m_start.hpp"
#include "board.hpp"
#include "weft_image.hpp"

extern "C" {

extern uint32_t arm_m_data_start[];
extern uint32_t arm_m_data_end[];
extern const uint32_t arm_m_data_load[];
extern uint32_t arm_m_bss_start[];
extern uint32_t arm_m_bss_end[];

[[noreturn]] void arm_m_reset();
void arm_m_fault();
void arm_m_systick();
void arm_m_alarm();     // the board's
void arm_m_doorbell();  // the board's

}  // extern "C"

namespace arm_m {

using Handler = void (*)();

// The table's layout is fixed: DDI0553, "Exception numbers and exception priority numbers". After the
// system exceptions the board has some external interrupts: weft's alarms, and a doorbell.
struct Vectors {
    uint32_t* stack_top;
    Handler reset;
    Handler nmi, hard_fault, mem_manage, bus_fault, usage_fault, secure_fault;
    Handler reserved[3];
    Handler svcall, debug_monitor;
    Handler reserved13;
    Handler pendsv, systick;
    Handler external[external_interrupts];
};
static_assert(sizeof(Vectors) == (16 + external_interrupts) * sizeof(uint32_t), "a word per exception");

}  // namespace arm_m

namespace {

// Each core has its own copy of these registers.
void set_up_core([[maybe_unused]] uint32_t* stack_limit) {
#if __ARM_ARCH >= 8
    // Main stack limit: a push below it raises a UsageFault (STKOF) instead of writing into a neighbour.
    asm volatile("msr msplim, %0" ::"r"(stack_limit));
#endif
#if ARM_M_MAINLINE
    arm_m::write32(arm_m::actlr, arm_m::read32(arm_m::actlr) | arm_m::actlr_extexclall);
    // Without these every fault arrives as a HardFault and hides its name.
    arm_m::write32(arm_m::shcsr, arm_m::shcsr_all_faults);
#if WEFT_PREEMPTION
    arm_m::write32(arm_m::shpr3, arm_m::shpr3_pendsv_lowest);
    arm_m::write32(arm_m::nvic_iser0, 1u << arm_m::doorbell_interrupt);
#endif
#endif
    arm_m::synchronise();
    asm volatile("cpsie i" ::: "memory");
}

// Words between two symbols of the linker script. As numbers: for the language they are unrelated objects.
size_t words(const uint32_t* from, const uint32_t* to) {
    return (reinterpret_cast<uintptr_t>(to) - reinterpret_cast<uintptr_t>(from)) / sizeof(uint32_t);
}

void load_memory() {
    const size_t data_words = words(arm_m_data_start, arm_m_data_end);
    for (size_t i = 0; i < data_words; ++i) arm_m_data_start[i] = arm_m_data_load[i];
    const size_t bss_words = words(arm_m_bss_start, arm_m_bss_end);
    for (size_t i = 0; i < bss_words; ++i) arm_m_bss_start[i] = 0;
}

[[noreturn]] void reset1() {
    set_up_core(arm_m_stack1_limit);
    static_cast<void>(weft::paint_stack());
    weft_port_secondary(1);
}

#if WEFT_PREEMPTION
using arm_m::doorbell_interrupt;
#endif
using arm_m::Handler;
using arm_m::Vectors;

constexpr Vectors vector_table(uint32_t* stack_top, Handler reset) {
    Vectors table{};
    table.stack_top = stack_top;
    table.reset = reset;
    table.nmi = table.hard_fault = arm_m_fault;
    table.mem_manage = table.bus_fault = table.usage_fault = table.secure_fault = arm_m_fault;
    table.svcall = table.debug_monitor = table.pendsv = arm_m_fault;
    table.systick = arm_m_systick;
    for (Handler& handler : table.external) handler = arm_m_alarm;
#if WEFT_PREEMPTION
    table.pendsv = weft_port_pendsv;
    table.external[doorbell_interrupt] = arm_m_doorbell;
#endif
    return table;
}

}  // namespace

// Where core 0 starts.
extern "C" [[noreturn]] void arm_m_reset() {
    load_memory();
    set_up_core(arm_m_stack0_limit);
    arm_m_board_start();
    static_cast<void>(weft::paint_stack());
    board::exit(board_main());
}

namespace arm_m {

extern const Vectors vectors0;
[[gnu::section(".vectors0"), gnu::used]] const Vectors vectors0 = vector_table(arm_m_stack0_top, arm_m_reset);
[[gnu::section(".vectors1")]] const Vectors vectors1 = vector_table(arm_m_stack1_top, reset1);

}  // namespace arm_m
