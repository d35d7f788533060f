// SPDX-License-Identifier: MIT OR Apache-2.0
// A whole image around weft, nothing else in it: this file, start.S and own_board.ld, for the two Cortex-M33 of Arm's
// AN521, as QEMU emulates it. A port's weft_image.hpp says what it asks of an image; here is the answer to
// port/armv7m's.
//
//     arm-none-eabi-g++ -std=c++17 -O2 -mcpu=cortex-m33 -mthumb -mfloat-abi=soft -mgeneral-regs-only -ffreestanding
//         -fno-exceptions -fno-rtti -fno-threadsafe-statics -nostdlib -Iinclude -Iport -Iport/armv7m
//         -T examples/own_board/mps2-an521/own_board.ld examples/own_board/mps2-an521/start.S
//         examples/own_board/mps2-an521/main.cpp src/*.cpp port/armv7m/*.cpp -lgcc -o own_board.elf
//     qemu-system-arm -M mps2-an521 -nographic -semihosting -kernel own_board.elf
//
// On silicon there is more to do before main(): clocks, power domains, wait states of the flash. And nobody waits for
// finish(): there it stops the chip, or resets it.
#include <weft/weft.hpp>
#include <weft_image.hpp>

// ---- What the chip is

namespace {

constexpr uint32_t cores = 2;
constexpr uint32_t stack_words = 4096 / sizeof(uint32_t);

volatile uint32_t& device(uintptr_t address) { return *reinterpret_cast<volatile uint32_t*>(address); }

constexpr uintptr_t uart_data = 0x50200000;  // CMSDK
constexpr uintptr_t uart_state = 0x50200004;
constexpr uintptr_t uart_control = 0x50200008;
constexpr uintptr_t uart_divider = 0x50200010;
constexpr uintptr_t timer_value = 0x50002004;  // CMSDK dual timer, timer 1: counts down at 20 MHz
constexpr uintptr_t timer_control = 0x50002008;
constexpr uintptr_t core1_vectors = 0x50021114;  // SSE-200: INITSVTOR1
constexpr uintptr_t cores_held = 0x50021118;     // SSE-200: CPUWAIT, a bit for each core

void print(const char* text) {
    while (*text != 0) {
        while ((device(uart_state) & 1) != 0) {  // it has no room
        }
        device(uart_data) = static_cast<uint8_t>(*text++);
    }
}

}  // namespace

extern "C" {

extern const uint32_t vectors1[];            // start.S
extern uint32_t stacks[cores][stack_words];  // start.S

// Called by start.S on core 0, with memory set up.
void set_up_devices() {
    device(uart_divider) = 174;    // 115200 baud of 20 MHz
    device(uart_control) = 1;      // transmit
    device(timer_control) = 0x82;  // free-running, 32 bits
}

[[noreturn]] void finish(int status) {
    const uintptr_t exit[] = {0x20026, static_cast<uintptr_t>(status)};
    register uintptr_t r0 asm("r0") = 0x20;  // ends the emulation: SYS_EXIT_EXTENDED of semihosting
    register const uintptr_t* r1 asm("r1") = exit;
    asm volatile("bkpt #0xab" ::"r"(r0), "r"(r1) : "memory");
    for (;;) {
    }
}

const uint32_t weft_image_ticks_per_ms = 20000;
uint32_t weft_image_clock() { return ~device(timer_value); }

int weft_image_power_on(uint32_t core) {
    if (core != 1) return -1;
    device(core1_vectors) = static_cast<uint32_t>(reinterpret_cast<uintptr_t>(vectors1));
    device(cores_held) = device(cores_held) & ~2u;
    return 0;
}

uint32_t* weft_image_stack_limit(uint32_t core) { return core < cores ? stacks[core] : nullptr; }

void weft_image_panic(const char* reason, uint32_t, const void*) {
    print("panic: ");
    print(reason);
    print("\n");
    finish(1);
}

}  // extern "C"

// ---- What it does

WEFT_CONSTINIT weft::Pool<cores> pool{};
weft::Atomic<uint32_t> arrived{};

// Two tasks that wait for each other: each has a core to itself.
struct Meet : weft::TaskOf<Meet> {
    void run() {
        core = weft::this_core();
        if (arrived.fetch_add(1, weft::acq_rel) == cores - 1) pool.shutdown();
        while (arrived.load(weft::acquire) != cores) weft::Port::relax();
    }
    uint32_t core = cores;
};
Meet meets[cores];

int main() {
    for (Meet& meet : meets) {
        if (pool.submit(meet) != weft::Status::ok) return 1;
    }
    if (pool.run() != weft::Status::ok || pool.join() != weft::Status::ok) return 1;
    if (meets[0].core == meets[1].core) return 1;
    print("two cores have met\n");
    return 0;
}
