// SPDX-License-Identifier: MIT OR Apache-2.0
// boards/qemu-virt-aarch64: QEMU's `virt` machine with a GICv3, entered at EL1 (EL2 with virtualization=on).
#include "aarch64_board.hpp"
#include "aarch64_system.hpp"
#include "board.hpp"
#include "gicv3.hpp"
#include "pl011.hpp"
#include "weft_image.hpp"

namespace {

// QEMU documentation, "virt generic virtual platform"; addresses as in its device tree.
constexpr uintptr_t uart = 0x09000000;
constexpr uintptr_t distributor = 0x08000000;
constexpr uintptr_t redistributors = 0x080a0000;
constexpr uint32_t cores_per_cluster = 16;  // with a GICv3

// Written by each core for itself before it uses weft; park() reads it on the same core.
uintptr_t redistributor_of[BOARD_CORES];

void set_up_core(uint32_t core) {
    redistributor_of[core] = gicv3::find_redistributor(redistributors, weft_image_mpidr(core));
    if (redistributor_of[core] == 0) weft_image_panic("this core has no redistributor", core, nullptr);
    aarch64::enable_counters();
    aarch64::enable_interrupts(core);
}

}  // namespace

namespace board {

const char* const name = "qemu-virt-aarch64";
const uint32_t cores = BOARD_CORES;

void put(char c) { pl011::put(uart, c); }

}  // namespace board

namespace aarch64 {

const uint32_t timer_interrupt = 27;
const uint32_t alarm_interrupt = 30;

uintptr_t redistributor(uint32_t core) { return redistributor_of[core]; }

void enable_console() { pl011::enable(uart); }

}  // namespace aarch64

extern "C" {

[[noreturn]] void aarch64_boot_core() {
    aarch64::enable_console();
    if (!gicv3::is_present()) aarch64::refuse("no GICv3, of which this image needs the system registers");
    gicv3::enable_distributor(distributor);
    set_up_core(0);
    board::exit(board_main());
}

[[noreturn]] void aarch64_secondary_core(uint32_t core) {
    set_up_core(core);
    weft_port_secondary(core);
}

uint32_t* weft_image_stack_limit(uint32_t core) {
    return reinterpret_cast<uint32_t*>(aarch64_stacks + core * aarch64::stack_bytes);
}

uint64_t weft_image_mpidr(uint32_t core) {
    return static_cast<uint64_t>(core / cores_per_cluster) << 8 | core % cores_per_cluster;
}

// The machine emulates PSCI itself: HVC reaches it from EL1, SMC from EL2.
weft_psci_conduit weft_image_psci_conduit() { return current_el() == 2 ? weft_psci_smc : weft_psci_hvc; }

#ifdef WEFT_PARK_WFI
const uint32_t weft_image_park_sgi = 15;

uintptr_t weft_image_redistributor(uint32_t core) { return aarch64::redistributor(core); }
#endif

}  // extern "C"
