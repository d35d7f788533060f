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

// Of each core: which of its four generic timers interrupt it, and which of its four mailboxes do; what has interrupted
// it: bits 0 to 3 the timers, 4 to 7 the mailboxes.
constexpr uintptr_t timer_control = local + 0x40;
constexpr uintptr_t mailbox_control = local + 0x50;
constexpr uintptr_t source = local + 0x60;
uintptr_t own(uintptr_t registers) { return registers + 4 * weft::Port::core_id(); }

// Mailboxes: 0 is the event of a core that sleeps in WFI, 1 the request of a level that preempts. A write of ones sets
// these bits, or clears them at the other place.
constexpr uint32_t preempt_mailbox = 1;
constexpr uint32_t of_source = 0xf | 1u << (4 + preempt_mailbox);
constexpr uintptr_t mailbox_set = local + 0x80;
constexpr uintptr_t mailbox_clear = local + 0xc0;  // reads as what is set
uintptr_t mailbox(uintptr_t registers, uint32_t core, uint32_t number) {
    return registers + 16 * core + 4 * number;
}

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
const uint32_t preempt_interrupt = 4 + preempt_mailbox;

void enable_console() {
    const uint32_t functions = read32(gpio_function_10_to_19);
    write32(gpio_function_10_to_19, (functions & ~pins_14_and_15) | alternative_0);
    pl011::set_baud_rate(uart, uart_clock_hz, baud_rate);
    pl011::enable(uart);
}

void enable_machine() {}

void enable_controller(uint32_t core) {
    write32(own(timer_control), 0);
    write32(own(mailbox_control), 0);
    write32(mailbox(mailbox_clear, core, preempt_mailbox), 1);
}

// The four timers and the four mailboxes have numbers behind each other; a register of each kind enables them.
void enable_interrupt(uint32_t interrupt) {
    const uintptr_t control = own(interrupt < 4 ? timer_control : mailbox_control);
    write32(control, read32(control) | 1u << interrupt % 4);
}

void disable_interrupt(uint32_t interrupt) {
    const uintptr_t control = own(interrupt < 4 ? timer_control : mailbox_control);
    write32(control, read32(control) & ~(1u << interrupt % 4));
    (void)read32(control);  // the write has arrived
    asm volatile("dsb sy" ::: "memory");
}

// There are no priorities here. So a timer is the first, and the request of a level that preempts is taken back and
// held off until its end: meanwhile others come, and it does not.
uint32_t acknowledge() {
    const uint32_t pending = read32(own(source)) & of_source;
    if (pending == 0) return spurious;
    const auto interrupt = static_cast<uint32_t>(__builtin_ctz(pending));
    if (interrupt == preempt_interrupt) {
        disable_interrupt(interrupt);
        const uintptr_t clear = mailbox(mailbox_clear, weft::Port::core_id(), preempt_mailbox);
        write32(clear, 1);
        (void)read32(clear);  // before the look for what was asked for
    }
    return interrupt;
}

// A timer is a level: it is down when the timer is.
void end(uint32_t taken) {
    if (taken == preempt_interrupt) enable_interrupt(taken);
}

void interrupt(uint32_t core, uint32_t number) { write32(mailbox(mailbox_set, core, number % 4), 1); }

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

constexpr uint32_t event_mailbox = 0;
constexpr uint32_t event_interrupt = 4 + event_mailbox;

void weft_image_event_send(uint32_t core) { aarch64::interrupt(core, event_interrupt); }

void weft_image_event_enable(uint32_t) { aarch64::enable_interrupt(event_interrupt); }

void weft_image_event_disable(uint32_t) { aarch64::disable_interrupt(event_interrupt); }

void weft_image_event_clear(uint32_t core) {
    write32(mailbox(mailbox_clear, core, event_mailbox), 1);
    (void)read32(mailbox(mailbox_clear, core, event_mailbox));
}

#endif

}  // extern "C"
