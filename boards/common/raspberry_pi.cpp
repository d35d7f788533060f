// SPDX-License-Identifier: MIT OR Apache-2.0
// boards: Raspberry Pi 3 (BCM2837) and 4 (BCM2711), 64 bits. The firmware holds cores 1 to 3 in a spin table.
// Registers: BCM2836 ARM-local peripherals (QA7), "Timers interrupt control" and "Mailboxes"; BCM2835 ARM Peripherals,
// "General Purpose I/O".
#include "aarch64_board.hpp"
#include "aarch64_system.hpp"
#include "board.hpp"
#include "pl011.hpp"
#include "weft_image.hpp"
#include "weft_port.hpp"

extern "C" void raspberry_pi_secondary();  // raspberry_pi_start.S

namespace {

#if RASPBERRY_PI == 3
constexpr uintptr_t peripherals = 0x3f000000;
constexpr uintptr_t local = 0x40000000;
#else
constexpr uintptr_t peripherals = 0xfe000000;
constexpr uintptr_t local = 0xff800000;
#endif
constexpr uint32_t cores_of_chip = 4;

constexpr uintptr_t gpio_function_10_to_19 = peripherals + 0x200004;  // three bits a pin
constexpr uint32_t pins_14_and_15 = 077u << 12;
constexpr uint32_t alternative_0 = 044u << 12;  // of both: the PL011
constexpr uintptr_t uart = peripherals + 0x201000;
constexpr uint32_t uart_clock_hz = 48'000'000;  // config.txt asks for it
constexpr uint32_t baud_rate = 115'200;

// The firmware's stub looks at these words, eight bytes for each core, with its caches off.
constexpr uintptr_t spin_table = 0xd8;

// Of each core: which of its four generic timers interrupt it, and whether its mailboxes do; what has interrupted it.
// The same bit numbers in the first and the third.
constexpr uintptr_t timer_control = local + 0x40;
constexpr uintptr_t source = local + 0x60;
constexpr uint32_t timers_of_source = 0xf;

uintptr_t own(uintptr_t registers) { return registers + 4 * weft::Port::core_id(); }

}  // namespace

namespace board {

#if RASPBERRY_PI == 3
const char* const name = "raspberry-pi-3b";
#else
const char* const name = "raspberry-pi-4b";
#endif
const uint32_t cores = BOARD_CORES;

void put(char c) { pl011::put(uart, c); }

}  // namespace board

namespace aarch64 {

const uint32_t timer_interrupt = 3;  // CNTVIRQ
const uint32_t alarm_interrupt = 1;  // CNTPNSIRQ

void enable_console() {
    const uint32_t functions = read32(gpio_function_10_to_19);
    write32(gpio_function_10_to_19, (functions & ~pins_14_and_15) | alternative_0);
    pl011::set_baud_rate(uart, uart_clock_hz, baud_rate);
    pl011::enable(uart);
}

void enable_machine() {}

void enable_controller(uint32_t) { write32(own(timer_control), 0); }

void enable_interrupt(uint32_t interrupt) {
    write32(own(timer_control), read32(own(timer_control)) | 1u << interrupt);
}

void disable_interrupt(uint32_t interrupt) {
    write32(own(timer_control), read32(own(timer_control)) & ~(1u << interrupt));
    (void)read32(own(timer_control));  // the write has arrived
    asm volatile("dsb sy" ::: "memory");
}

uint32_t acknowledge() {
    const uint32_t pending = read32(own(source)) & timers_of_source;
    return pending == 0 ? spurious : static_cast<uint32_t>(__builtin_ctz(pending));
}

void end(uint32_t) {}  // a level: it is down when the timer is

}  // namespace aarch64

extern "C" {

// The stub of a core is outside of all coherence: the word must be in memory, not in a cache. The stub waits in WFE.
int32_t weft_image_power_on(uint32_t core) {
    if (core >= cores_of_chip) return weft_power_absent;
    if (core == 0) return weft_power_refused;
    const uintptr_t word = spin_table + sizeof(uint64_t) * core;
    asm volatile(
        "str %1, [%0]\n\t"
        "dc cvac, %0\n\t"
        "dsb sy\n\t"
        "sev" ::"r"(word),
        "r"(&raspberry_pi_secondary)
        : "memory");
    return weft_power_comes;
}

uint64_t weft_image_mpidr(uint32_t core) { return core; }

weft_psci_conduit weft_image_psci_conduit() { return weft_psci_none; }

#ifdef WEFT_PARK_WFI_IMAGE

// Mailbox 0 of each core; 1 to 3 are free. A write of ones sets these bits, or clears them at the other place.
constexpr uintptr_t mailbox_control = local + 0x50;  // bit 0: mailbox 0 interrupts as IRQ
constexpr uintptr_t mailbox_set = local + 0x80;      // 16 bytes for each core
constexpr uintptr_t mailbox_clear = local + 0xc0;    // reads as what is set

void weft_image_event_send(uint32_t core) { write32(mailbox_set + 16 * core, 1); }

void weft_image_event_enable(uint32_t core) { write32(mailbox_control + 4 * core, 1); }

void weft_image_event_disable(uint32_t core) {
    write32(mailbox_control + 4 * core, 0);
    (void)read32(mailbox_control + 4 * core);  // the write has arrived
    asm volatile("dsb sy" ::: "memory");
}

void weft_image_event_clear(uint32_t core) {
    write32(mailbox_clear + 16 * core, 1);
    (void)read32(mailbox_clear + 16 * core);
}

#endif

}  // extern "C"
