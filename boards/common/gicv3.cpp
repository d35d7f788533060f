// SPDX-License-Identifier: MIT OR Apache-2.0
// boards: GICv3 set-up. Registers: GIC architecture specification, Arm IHI0069, chapter 12.
#include "gicv3.hpp"

#include "aarch64_system.hpp"
#include "gicv3_sgi.hpp"

namespace {

constexpr uintptr_t gicd_ctlr = 0x0000;
constexpr uint32_t gicd_ctlr_enable_group1 =
    1u << 1;  // EnableGrp1 (one security state), EnableGrp1A (Non-secure)
constexpr uint32_t gicd_ctlr_affinity_routing = 1u << 4;  // ARE, ARE_NS
constexpr uint32_t gicd_ctlr_rwp = 1u << 31;

// Per core: the RD_base frame, the SGI_base frame 64 KiB above it, and with GICv4 two more frames.
constexpr uintptr_t gicr_ctlr = 0x0000;
constexpr uintptr_t gicr_typer = 0x0008;  // low word; the affinity is in the high word
constexpr uintptr_t gicr_waker = 0x0014;
constexpr uintptr_t sgi_frame = 0x10000;
constexpr uintptr_t gicr_igroupr0 = sgi_frame + 0x0080;
constexpr uintptr_t gicr_isenabler0 = sgi_frame + 0x0100;
constexpr uintptr_t gicr_icenabler0 = sgi_frame + 0x0180;
constexpr uintptr_t gicr_icpendr0 = sgi_frame + 0x0280;
constexpr uintptr_t gicr_icactiver0 = sgi_frame + 0x0380;
constexpr uintptr_t gicr_ipriorityr0 = sgi_frame + 0x0400;

constexpr uint32_t gicr_ctlr_rwp = 1u << 3;
constexpr uint32_t gicr_typer_virtual_lpis = 1u << 1;
constexpr uint32_t gicr_typer_last = 1u << 4;
constexpr uint32_t gicr_waker_processor_sleep = 1u << 1;
constexpr uint32_t gicr_waker_children_asleep = 1u << 2;

constexpr uint32_t all = 0xffffffff;
constexpr uint32_t middle_priority = 0x80808080;  // four interrupts per word
constexpr uint32_t per_word = 4;
constexpr uint32_t low_word = gicv3::low_sgi / per_word * per_word;
constexpr uint32_t low_shift = 8 * (gicv3::low_sgi % per_word);
constexpr uint32_t priorities_with_low = (middle_priority & ~(0xffu << low_shift)) | 0xc0u << low_shift;
constexpr uint64_t lowest_priority = 0xff;

}  // namespace

namespace gicv3 {

bool is_present() {
    return (read_id_aa64pfr0_el1() >> 24 & 0xf) != 0;
}  // field GIC: system registers or none

void enable_distributor(uintptr_t distributor) {
    // Affinity routing may only change while all groups are disabled.
    write32(distributor + gicd_ctlr, 0);
    while ((read32(distributor + gicd_ctlr) & gicd_ctlr_rwp) != 0) {
        // The distributor ends this.
    }
    write32(distributor + gicd_ctlr, gicd_ctlr_affinity_routing);
    write32(distributor + gicd_ctlr, gicd_ctlr_affinity_routing | gicd_ctlr_enable_group1);
}

uintptr_t find_redistributor(uintptr_t redistributors, uint64_t mpidr) {
    const uint32_t wanted = static_cast<uint32_t>((mpidr >> 32 & 0xff) << 24 | (mpidr & 0xffffff));
    uintptr_t frame = redistributors;
    for (;;) {
        const uint32_t typer = read32(frame + gicr_typer);
        if (read32(frame + gicr_typer + 4) == wanted) return frame;
        if ((typer & gicr_typer_last) != 0) return 0;
        frame += (typer & gicr_typer_virtual_lpis) != 0 ? 0x40000 : 0x20000;
    }
}

void use_registers() {
    if (current_el() == 2) write_icc_sre_el2(read_icc_sre_el2() | 0x9);  // SRE, and EL1 may use its own
    write_icc_sre_el1(read_icc_sre_el1() | 0x1);                         // SRE: system registers, not memory
    instruction_barrier();
}

void enable_core(uintptr_t redistributor) {
    write32(redistributor + gicr_waker, read32(redistributor + gicr_waker) & ~gicr_waker_processor_sleep);
    while ((read32(redistributor + gicr_waker) & gicr_waker_children_asleep) != 0) {
        // The redistributor wakes up.
    }
    write32(redistributor + gicr_icenabler0, all);
    while ((read32(redistributor + gicr_ctlr) & gicr_ctlr_rwp) != 0) {
        // The redistributor ends this.
    }
    write32(redistributor + gicr_igroupr0, all);
    write32(redistributor + gicr_icpendr0, all);
    write32(redistributor + gicr_icactiver0, all);  // of a core that has left a handler for good
    for (uint32_t first = 0; first < 32; first += per_word) {
        write32(redistributor + gicr_ipriorityr0 + first,
                first == low_word ? priorities_with_low : middle_priority);
    }

    use_registers();
    write_icc_pmr_el1(lowest_priority);
    write_icc_bpr1_el1(0);  // as many bits of a priority as there are decide who comes on top of whom
    write_icc_igrpen1_el1(1);
    instruction_barrier();
}

void enable_private(uintptr_t redistributor, uint32_t interrupt) {
    write32(redistributor + gicr_isenabler0, 1u << interrupt);
}

void disable_private(uintptr_t redistributor, uint32_t interrupt) {
    write32(redistributor + gicr_icenabler0, 1u << interrupt);
    while ((read32(redistributor + gicr_ctlr) & gicr_ctlr_rwp) != 0) {
        // The redistributor ends this.
    }
}

uint32_t acknowledge() {
    const uint32_t interrupt = static_cast<uint32_t>(read_icc_iar1_el1()) & 0xffffff;
    // The DSB keeps accesses to the interrupting device behind the acknowledge (IHI0069, "ICC_IAR1_EL1").
    asm volatile("dsb sy" ::: "memory");
    return interrupt;
}

void send_sgi(uint64_t mpidr, uint32_t sgi) {
    write_icc_sgi1r_el1(gicv3_sgi_request(mpidr, sgi));
    instruction_barrier();  // sends it off now
}

void end(uint32_t interrupt) {
    write_icc_eoir1_el1(interrupt);
    instruction_barrier();
}

}  // namespace gicv3
