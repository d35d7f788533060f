// SPDX-License-Identifier: MIT OR Apache-2.0
// boards/qemu-virt-aarch64: QEMU's `virt` machine with a GICv3, entered at EL1 (EL2 with virtualization=on).
#include "aarch64_board.hpp"
#include "aarch64_system.hpp"
#include "board.hpp"
#include "gicv3.hpp"
#include "pl011.hpp"
#include "psci.hpp"
#include "weft_image.hpp"
#include "weft_port.hpp"

namespace {

// QEMU documentation, "virt generic virtual platform"; addresses as in its device tree.
constexpr uintptr_t uart = 0x09000000;
constexpr uintptr_t distributor = 0x08000000;
constexpr uintptr_t redistributors = 0x080a0000;
constexpr uint32_t cores_per_cluster = 16;  // with a GICv3

// Written by each core for itself before it uses weft; park() reads it on the same core.
uintptr_t redistributor_of[BOARD_CORES];

uintptr_t own_redistributor() { return redistributor_of[weft::Port::core_id()]; }

}  // namespace

namespace board {

const char* const name = "qemu-virt-aarch64";
const uint32_t cores = BOARD_CORES;

void put(char c) { pl011::put(uart, c); }

#if WEFT_POWER_OFF
bool is_off(uint32_t core) { return weft::psci::state_of(core) == weft::psci::is_off; }
#endif

}  // namespace board

namespace aarch64 {

const uint32_t timer_interrupt = 27;
const uint32_t alarm_interrupt = 30;
const uint32_t preempt_interrupt = gicv3::low_sgi;
const uint32_t recall_interrupt = 13;

void enable_console() { pl011::enable(uart); }

void enable_machine() {
    if (!gicv3::is_present()) refuse("no GICv3, of which this image needs the system registers");
    gicv3::enable_distributor(distributor);
}

void enable_controller(uint32_t core) {
    redistributor_of[core] = gicv3::find_redistributor(redistributors, weft_image_mpidr(core));
    if (redistributor_of[core] == 0) weft_image_panic("this core has no redistributor", core, nullptr);
    gicv3::enable_core(redistributor_of[core]);
}

void enable_interrupt(uint32_t interrupt) { gicv3::enable_private(own_redistributor(), interrupt); }

void disable_interrupt(uint32_t interrupt) { gicv3::disable_private(own_redistributor(), interrupt); }

uint32_t acknowledge() { return gicv3::acknowledge(); }

void end(uint32_t taken) { gicv3::end(taken); }

void interrupt(uint32_t core, uint32_t number) { gicv3::send_sgi(weft_image_mpidr(core), number); }

}  // namespace aarch64

extern "C" {

uint64_t weft_image_mpidr(uint32_t core) {
    return static_cast<uint64_t>(core / cores_per_cluster) << 8 | core % cores_per_cluster;
}

// The machine emulates PSCI itself: HVC reaches it from EL1, SMC from EL2.
weft_psci_conduit weft_image_psci_conduit() { return current_el() == 2 ? weft_psci_smc : weft_psci_hvc; }

#if BOARD_RESTART
void weft_image_recall(uint32_t core) {
    gicv3::use_registers();  // core 0 has set up nothing yet
    gicv3::send_sgi(weft_image_mpidr(core), aarch64::recall_interrupt);
}
#endif

#ifdef WEFT_PARK_WFI
const uint32_t weft_image_park_sgi = 15;

uintptr_t weft_image_redistributor(uint32_t core) { return redistributor_of[core]; }
#endif

}  // extern "C"
