// SPDX-License-Identifier: MIT OR Apache-2.0
// boards: GICv2. Registers: GIC architecture specification, Arm IHI0048, chapter 4; those of the first 32 interrupts
// are each core's own.
#include "gicv2.hpp"

#include "mmio.hpp"

namespace {

constexpr uintptr_t gicd_ctlr = 0x000;
constexpr uintptr_t gicd_isenabler0 = 0x100;
constexpr uintptr_t gicd_icenabler0 = 0x180;
constexpr uintptr_t gicd_icpendr0 = 0x280;
constexpr uintptr_t gicd_ipriorityr0 = 0x400;
constexpr uintptr_t gicd_sgir = 0xf00;
constexpr uintptr_t gicd_cpendsgir0 = 0xf10;  // a byte for each SGI, a bit for each core that has sent it
constexpr uintptr_t gicc_ctlr = 0x000;
constexpr uintptr_t gicc_pmr = 0x004;
constexpr uintptr_t gicc_iar = 0x00c;
constexpr uintptr_t gicc_eoir = 0x010;

constexpr uint32_t enable = 1;  // of GICD_CTLR and GICC_CTLR
constexpr uint32_t all = 0xffffffff;
constexpr uint32_t first_special = 1020;  // and above: nothing to serve

// The lower the number, the more urgent; four interrupts per word. GICC_PMR passes what is more urgent than itself.
constexpr uint32_t middle_priority = 0x80808080;
constexpr uint32_t priority_of_low = 0xc0;
constexpr uint32_t priority_of_hidden = 0xf0;
constexpr uint32_t pass_all_but_hidden = 0xe0;
constexpr uint32_t pass_all = 0xff;

constexpr uint32_t sgir_target_shift = 16;  // a bit for each core
constexpr uint32_t per_word = 4;
constexpr uint32_t hidden_shift = 8 * (gicv2::hidden_sgi % per_word);
constexpr uint32_t hidden_word = gicv2::hidden_sgi / per_word * per_word;

// The priorities of the four interrupts from `first` on.
constexpr uint32_t priorities_from(uint32_t first) {
    uint32_t word = 0;
    for (uint32_t i = 0; i < per_word; ++i) {
        const uint32_t interrupt = first + i;
        const uint32_t priority = interrupt == gicv2::hidden_sgi ? priority_of_hidden
                                  : interrupt == gicv2::low_sgi  ? priority_of_low
                                                                 : middle_priority & 0xff;
        word |= priority << 8 * i;
    }
    return word;
}

// The device has done what was written to it before.
void arrived(uintptr_t address) {
    (void)read32(address);
    asm volatile("dsb sy" ::: "memory");
}

}  // namespace

namespace gicv2 {

void enable_distributor() { write32(distributor + gicd_ctlr, enable); }

void enable_core() {
    write32(distributor + gicd_icenabler0, all);
    write32(distributor + gicd_icpendr0, all);
    for (uint32_t first = 0; first < 32; first += per_word) {
        write32(distributor + gicd_ipriorityr0 + first, priorities_from(first));
    }
    write32(cpu_interface + gicc_pmr, pass_all_but_hidden);
    write32(cpu_interface + gicc_ctlr, enable);
    clear_hidden_sgi();
}

void enable_private(uint32_t interrupt) { write32(distributor + gicd_isenabler0, 1u << interrupt); }

void disable_private(uint32_t interrupt) {
    write32(distributor + gicd_icenabler0, 1u << interrupt);
    arrived(distributor + gicd_icenabler0);
}

uint32_t acknowledge() {
    const uint32_t taken = read32(cpu_interface + gicc_iar);
    return (taken & number_mask) < first_special ? taken : spurious;
}

void end(uint32_t taken) { write32(cpu_interface + gicc_eoir, taken); }

void send_sgi(uint32_t core, uint32_t sgi) {
    write32(distributor + gicd_sgir, 1u << (sgir_target_shift + core) | sgi);
}

void show_hidden_sgi() { write32(cpu_interface + gicc_pmr, pass_all); }

void hide_hidden_sgi() {
    write32(cpu_interface + gicc_pmr, pass_all_but_hidden);
    arrived(cpu_interface + gicc_pmr);
}

void clear_hidden_sgi() {
    write32(distributor + gicd_cpendsgir0 + hidden_word, 0xffu << hidden_shift);
    (void)read32(distributor + gicd_cpendsgir0 + hidden_word);
}

}  // namespace gicv2
