// SPDX-License-Identifier: MIT OR Apache-2.0
// boards: AMD ZCU102, Zynq UltraScale+ MPSoC, application cores. Entered at EL3, it holds cores 1 to 3 in reset and
// starts them itself; entered below a firmware, at EL1 or EL2, it asks that by PSCI. Registers: Zynq UltraScale+ Device
// Register Reference (UG1087), modules UART, APU and CRF_APB.
#include "aarch64_board.hpp"
#include "aarch64_system.hpp"
#include "board.hpp"
#include "gicv2.hpp"
#include "weft_image.hpp"
#include "weft_port.hpp"

extern "C" void zcu102_secondary();  // start.S

namespace {

constexpr uint32_t cores_of_chip = 4;

// UART 0, a Cadence one. Its baud rate stays as a boot loader, or the emulator, left it.
constexpr uintptr_t uart_control = 0xff000000;
constexpr uint32_t transmit_enable = 1u << 4;
constexpr uintptr_t uart_status = 0xff00002c;
constexpr uint32_t transmit_full = 1u << 4;
constexpr uintptr_t uart_fifo = 0xff000030;

// RVBARADDR0L: where a core starts out of reset; 8 bytes for each core, the low word first.
constexpr uintptr_t reset_vectors = 0xfd5c0040;
// RST_FPD_APU: a bit of each core holds it in reset, another one, 10 above, in power-on reset.
constexpr uintptr_t resets = 0xfd1a0104;
constexpr uint32_t resets_of_core0 = 1u << 0 | 1u << 10;

bool entered_at_el3;  // written by the boot core before others are started

// The resets of all cores are in one word, and two cores may start others at the same time.
weft::Port::Atomic<uint32_t> resets_locked;

void release_from_reset(uint32_t core) {
    while (resets_locked.exchange(1, weft::acquire) != 0) weft::Port::relax();
    write32(resets, read32(resets) & ~(resets_of_core0 << core));
    (void)read32(resets);  // the write has arrived: the next one to change the word reads it
    asm volatile("dsb sy" ::: "memory");
    resets_locked.store(0, weft::release);
}

}  // namespace

namespace board {

const char* const name = "zcu102";
const uint32_t cores = BOARD_CORES;

void put(char c) {
    while ((read32(uart_status) & transmit_full) != 0) {
        // The transmitter drains its FIFO.
    }
    write32(uart_fifo, static_cast<unsigned char>(c));
}

}  // namespace board

namespace gicv2 {

const uintptr_t distributor = 0xf9010000;
const uintptr_t cpu_interface = 0xf9020000;

}  // namespace gicv2

namespace aarch64 {

const uint32_t timer_interrupt = 27;
const uint32_t alarm_interrupt = 30;
const uint32_t preempt_interrupt = gicv2::low_sgi;

void enable_console() { write32(uart_control, transmit_enable); }

void enable_machine() {
    entered_at_el3 = read_tpidr_el1() != 0;  // aarch64_el3.S
    gicv2::enable_distributor();
}

void enable_controller(uint32_t) { gicv2::enable_core(); }

void enable_interrupt(uint32_t interrupt) { gicv2::enable_private(interrupt); }

void disable_interrupt(uint32_t interrupt) { gicv2::disable_private(interrupt); }

uint32_t acknowledge() { return gicv2::acknowledge(); }

void end(uint32_t taken) { gicv2::end(taken); }

void interrupt(uint32_t core, uint32_t number) { gicv2::send_sgi(core, number); }

}  // namespace aarch64

extern "C" {

uint64_t weft_image_mpidr(uint32_t core) { return core; }

weft_psci_conduit weft_image_psci_conduit() { return entered_at_el3 ? weft_psci_none : weft_psci_smc; }

int32_t weft_image_power_on(uint32_t core) {
    if (core >= cores_of_chip) return weft_power_absent;
    if (core == 0) return weft_power_refused;
    const uintptr_t vector = reset_vectors + sizeof(uint64_t) * core;
    write32(vector, static_cast<uint32_t>(reinterpret_cast<uintptr_t>(&zcu102_secondary)));
    write32(vector + sizeof(uint32_t), 0);
    (void)read32(vector);  // the vector has arrived before the reset, which is another device's, ends
    asm volatile("dsb sy" ::: "memory");
    release_from_reset(core);
    return weft_power_comes;
}

#ifdef WEFT_PARK_WFI_IMAGE

void weft_image_event_send(uint32_t core) { gicv2::send_sgi(core, gicv2::hidden_sgi); }

void weft_image_event_enable(uint32_t) { gicv2::show_hidden_sgi(); }

void weft_image_event_disable(uint32_t) { gicv2::hide_hidden_sgi(); }

void weft_image_event_clear(uint32_t) { gicv2::clear_hidden_sgi(); }

#endif

}  // extern "C"
