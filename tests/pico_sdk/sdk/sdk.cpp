// SPDX-License-Identifier: MIT OR Apache-2.0
// A stand-in for the Pico SDK (pico_sdk_init.cmake): start-up, console, core 1, spin locks. RP2040 datasheet. The
// clocks and the handshake with core 1 are those of boards/rp2040.
#include "sdk.hpp"

#include "hardware/sync.h"
#include "mmio.hpp"
#include "pico/multicore.h"
#include "pico/stdlib.h"
#include "rp_chip.hpp"

int main();

namespace {

constexpr uintptr_t spinlock0 = 0xd0000100;
constexpr uintptr_t cpuid = 0xd0000000;
constexpr uint first_free_lock = 24;  // the SDK's range for those who claim
constexpr uint locks = 32;
constexpr int panicked = 3;

uint32_t claimed_locks;
void (*core1_entry)();

[[noreturn]] void finish(int status) {
    uint32_t block[] = {0x20026, static_cast<uint32_t>(status)};  // ADP_Stopped_ApplicationExit
    register uint32_t r0 asm("r0") = 0x20;                        // SYS_EXIT_EXTENDED
    register uint32_t* r1 asm("r1") = block;
    for (;;) asm volatile("bkpt #0xab" : "+r"(r0) : "r"(r1) : "memory");
}

void unexpected() { panic("an exception that nobody expects"); }

extern "C" [[noreturn]] void stub_reset0() {
    for (uint32_t* word = stub_bss_start; word < stub_bss_end; ++word) *word = 0;
    rp::start_clocks();
    for (uint lock = 0; lock < locks; ++lock) write32(spinlock0 + 4 * lock, 1);
    asm volatile("cpsie i" ::: "memory");
    for (void (**constructor)() = stub_constructors; constructor < stub_constructors_end; ++constructor) {
        (*constructor)();
    }
    finish(main());
}

void reset1() {
    asm volatile("cpsie i" ::: "memory");
    core1_entry();
    panic("core 1 came back from its entry");
}

using Handler = void (*)();
struct Vectors {
    char* stack;
    Handler handlers[15];
    Handler external[4];  // the timer's
};

constexpr Vectors table(char* stack, Handler reset) {
    Vectors made{};
    made.stack = stack;
    for (Handler& handler : made.handlers) handler = unexpected;
    made.handlers[0] = reset;
    for (Handler& handler : made.external) handler = stub_alarm_interrupt;
    return made;
}

[[gnu::section(".vectors0"), gnu::used]] const Vectors vectors0 = table(__StackTop, stub_reset0);
[[gnu::section(".vectors1"), gnu::used]] const Vectors vectors1 = table(__StackOneTop, reset1);

}  // namespace

extern "C" {

uint get_core_num(void) { return read32(cpuid); }

bool stdio_init_all(void) { return true; }

int puts_raw(const char* text) {
    for (; *text != 0; ++text) rp::put(*text);
    rp::put('\n');
    return 0;
}

void panic(const char* format, ...) {
    puts_raw("*** PANIC ***");
    puts_raw(format);
    // The one format with a text that is worth it here: "%s ...".
    if (format[0] == '%' && format[1] == 's') {
        __builtin_va_list words;
        __builtin_va_start(words, format);
        puts_raw(__builtin_va_arg(words, const char*));
        __builtin_va_end(words);
    }
    finish(panicked);
}

int spin_lock_claim_unused(bool required) {
    for (uint lock = first_free_lock; lock < locks; ++lock) {
        if ((claimed_locks & (1u << lock)) == 0) {
            claimed_locks |= 1u << lock;
            return static_cast<int>(lock);
        }
    }
    if (required) panic("No spinlocks are available");
    return -1;
}

bool spin_lock_is_claimed(uint number) { return (claimed_locks & (1u << number)) != 0; }

spin_lock_t* spin_lock_init(uint number) {
    spin_lock_t* const lock = reinterpret_cast<spin_lock_t*>(spinlock0 + 4 * number);
    spin_unlock_unsafe(lock);
    return lock;
}

// The SDK waits for ever where core 1 does not answer.
void multicore_launch_core1(void (*entry)(void)) {
    core1_entry = entry;
    const uint32_t* const table = reinterpret_cast<const uint32_t*>(&vectors1);
    while (!rp::launch_core1(reinterpret_cast<uintptr_t>(table), table[0], table[1])) {
        // Once more.
    }
}

}  // extern "C"
