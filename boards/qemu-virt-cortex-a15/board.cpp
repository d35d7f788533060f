// SPDX-License-Identifier: MIT OR Apache-2.0
// boards/qemu-virt-cortex-a15: QEMU's `virt` machine with 32-bit cores and a GICv2, entered in Supervisor mode.
#include <weft/stack.hpp>

#include "board.hpp"

#include "armv7a_board.hpp"
#include "gicv2.hpp"
#include "pl011.hpp"
#include "weft_image.hpp"

namespace {

// QEMU documentation, "virt generic virtual platform"; addresses as in its device tree.
constexpr uintptr_t uart = 0x09000000;
constexpr uint32_t timer_hz = 62'500'000;  // CNTFRQ there

// Power State Coordination Interface (Arm DEN0022), 32-bit function identifier. The machine emulates it itself.
constexpr uint32_t psci_cpu_on = 0x84000003;

}  // namespace

namespace gicv2 {

const uintptr_t distributor = 0x08000000;
const uintptr_t cpu_interface = 0x08010000;

}  // namespace gicv2

namespace armv7a {

const uint32_t alarm_interrupt = 27;
const uint32_t timer_interrupt = 30;

}  // namespace armv7a

namespace board {

const char* const name = "qemu-virt-cortex-a15";
const uint32_t cores = BOARD_CORES;

void put(char c) { pl011::put(uart, c); }

}  // namespace board

extern "C" {

const uint32_t weft_image_ticks_per_ms = timer_hz / 1000;

[[noreturn]] void armv7a_boot_core() {
    static_cast<void>(weft::paint_stack());
    pl011::enable(uart);
    gicv2::enable_distributor();
    armv7a::enable_counters();
    armv7a::enable_interrupts();
    board::exit(board_main());
}

[[noreturn]] void armv7a_secondary_core(uint32_t core) {
    static_cast<void>(weft::paint_stack());
    armv7a::enable_counters();
    armv7a::enable_interrupts();
    weft_port_secondary(core);
}

// Affinity 0.0.n: the machine has one cluster of up to eight such cores.
int weft_image_power_on(uint32_t core) {
    const auto entry = reinterpret_cast<uintptr_t>(&armv7a_secondary_start);
    return armv7a::armv7a_hvc(psci_cpu_on, core, entry, core);
}

uint32_t* weft_image_stack_limit(uint32_t core) {
    using namespace armv7a;
    return reinterpret_cast<uint32_t*>(stacks + (core + 1) * slot_bytes - stack_bytes);
}

}  // extern "C"
