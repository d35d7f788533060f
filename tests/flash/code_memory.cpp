// SPDX-License-Identifier: MIT OR Apache-2.0
// The code memory as flash is while it is written, and who is caught in it.
#include "code_memory.hpp"

namespace flash {

Faults faults[cores];
volatile uint32_t unreadable;

namespace {

constexpr uintptr_t vtor = 0xe000ed08;
constexpr uint32_t words_of_table = 16 + 8;
// A table is aligned to the size of a full one (boards/common/arm_m_start.cpp).
struct alignas(1024) Table {
    uint32_t words[words_of_table];
} tables[cores];

// HardFault, MemManage, BusFault: a fetch or a load that did not pass. The core has saved eight words; the seventh is
// the address of the instruction, which is executed again. Who faults for another reason would come again and again.
WEFT_RAM_CODE void on_fault(const uint32_t* frame) {
    Faults& own = faults[weft_image_core_id];
    own.address = frame[6];
    own.count = own.count + 1;
    arm_m::write32(arm_m::cfsr, 0xffffffff);
    arm_m::write32(arm_m::hfsr, 0xffffffff);
    if (unreadable == weft_image_core_id + 1)
        set_readable(true), unreadable = 0;  // the owner itself: a failed test
    while (unreadable != 0) asm volatile("yield" ::: "memory");
    arm_m::synchronise();
}

[[gnu::naked, gnu::noinline, gnu::section(WEFT_RAM_SECTION)]] void fault_entry() {
    asm volatile(
        "mov    r0, sp\n\t"
        "push   {r4, lr}\n\t"
        "bl     %c0\n\t"
        "pop    {r4, pc}" ::"i"(on_fault));
}

}  // namespace

void take_faults() {
    const uint32_t core = Port::core_id();
    uint32_t* const table = tables[core].words;
    const auto* const before = reinterpret_cast<const uint32_t*>(arm_m::read32(vtor));
    for (uint32_t i = 0; i != words_of_table; ++i) table[i] = before[i];
    for (uint32_t fault = 3; fault <= 5; ++fault) {  // HardFault, MemManage, BusFault
        table[fault] = static_cast<uint32_t>(reinterpret_cast<uintptr_t>(&fault_entry));
    }
    arm_m::write32(vtor, static_cast<uint32_t>(reinterpret_cast<uintptr_t>(table)));
    arm_m::synchronise();
}

void close_code_memory(uint32_t turns) {
    const uint32_t held = Port::hold_interrupts();
    const uint32_t other = weft_image_core_id ^ 1;
    const uint32_t before = faults[other].count;
    unreadable = weft_image_core_id + 1;
    arm_m::synchronise();
    set_readable(false);
    while (turns-- != 0 && faults[other].count == before) asm volatile("dsb\n\tsev\n\tyield" ::: "memory");
    set_readable(true);
    unreadable = 0;
    Port::release_interrupts(held);
}

void read_code_memory(const volatile uint32_t* word, const volatile uint32_t* stop) {
    while (*stop == 0) static_cast<void>(*word);
}

}  // namespace flash
