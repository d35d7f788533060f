// SPDX-License-Identifier: MIT OR Apache-2.0
// weft with the Raspberry Pi Pico SDK: what the ports armv6m (RP2040) and armv7m (RP2350) ask of the image, answered by
// the SDK. Written to the documented interface of SDK 2.1; hardware_alarm_claim_unused() is the youngest part of it.
#include "weft_pico.h"

#include <weft/port.hpp>

#include "hardware/sync.h"
#include "hardware/timer.h"
#include "pico.h"
#include "pico/multicore.h"
#include "weft_image.hpp"

#ifndef PICO_WEFT_CORE1
#define PICO_WEFT_CORE1 1
#endif
#ifndef __ARM_ARCH_PROFILE
#error "weft: with the Pico SDK weft runs on Arm cores alone (RP2040, RP2350)"
#endif
#if defined(WEFT_PREEMPTION) && WEFT_PREEMPTION
#error "weft: no level that preempts with the Pico SDK: nobody answers weft_image_interrupt() here"
#endif

extern "C" {
// The SDK's linker scripts: the lowest byte of each core's stack.
extern char __StackBottom[];
extern char __StackOneBottom[];
}

namespace {

// Each core its own alarm, claimed when it first sets one, and given back never. Written and read by that core.
int alarm_of[2] = {-1, -1};

void set_up_core() {
#ifdef __ARM_FEATURE_LDREX
    // ACTLR.EXTEXCLALL (Cortex-M33 manual, "Auxiliary Control Register"), a register of each core: exclusive accesses
    // go to the bus, where both cores meet. The SDK does the same, unless PICO_SW_SPIN_LOCKS_NO_EXTEXCLALL.
    volatile uint32_t& actlr = *reinterpret_cast<volatile uint32_t*>(uintptr_t{0xe000e008});
    actlr = actlr | (1u << 29);
    __dsb();
    __isb();
#endif
}

#if PICO_WEFT_CORE1
void core1() {
    set_up_core();
    weft_pico_core1_init();
    weft_port_secondary(1);
}
#endif

// In the interrupt, on the core that set the alarm.
void alarm_came(uint) { weft::Port::unpark(weft::Port::core_id()); }

}  // namespace

const uint32_t weft_image_ticks_per_ms = 1000;

extern "C" {

[[gnu::weak]] void weft_pico_core1_init(void) {}

#ifdef __ARM_FEATURE_LDREX

// Before the constructors of a program, which may hand in tasks.
[[gnu::constructor(101)]] static void weft_pico_begin() { set_up_core(); }

#else

static spin_lock_t* words_lock;

// Before the constructors of a program, which may hand in tasks: a program without a free lock ends here, in the SDK's
// panic.
[[gnu::constructor(101)]] static void weft_pico_begin() {
    words_lock = spin_lock_init(static_cast<uint>(spin_lock_claim_unused(true)));
}

// The port holds interrupts off meanwhile.
void weft_image_lock_words(void) { spin_lock_unsafe_blocking(words_lock); }
void weft_image_unlock_words(void) { spin_unlock_unsafe(words_lock); }

#endif

uint32_t weft_image_clock(void) { return time_us_32(); }

int weft_image_power_on([[maybe_unused]] uint32_t core) {
#if PICO_WEFT_CORE1
    if (core == 1) {
        multicore_launch_core1(core1);
        return 0;
    }
#endif
    return -1;
}

uint32_t* weft_image_stack_limit(uint32_t core) {
    if (core == 0) return reinterpret_cast<uint32_t*>(__StackBottom);
    return PICO_WEFT_CORE1 ? reinterpret_cast<uint32_t*>(__StackOneBottom) : nullptr;
}

void weft_image_panic(const char* reason, uint32_t core, const void* task) {
    panic("%s (core %u, task %p)", reason, static_cast<unsigned>(core), task);
}

void weft_image_set_alarm(uint32_t tick) {
    int& alarm = alarm_of[weft::Port::core_id()];
    if (alarm < 0) {
        alarm = hardware_alarm_claim_unused(true);
        hardware_alarm_set_callback(static_cast<uint>(alarm), alarm_came);  // on this core
    }
    const uint64_t now = time_us_64();
    const int32_t ahead = static_cast<int32_t>(tick - static_cast<uint32_t>(now));
    // An event that comes at once is as good as an interrupt that does: it is what the interrupt is for.
    if (ahead <= 0 || hardware_alarm_set_target(static_cast<uint>(alarm),
                                                from_us_since_boot(now + static_cast<uint32_t>(ahead)))) {
        weft::Port::unpark(weft::Port::core_id());
    }
}

void weft_image_clear_alarm(void) {
    const int alarm = alarm_of[weft::Port::core_id()];
    if (alarm >= 0) hardware_alarm_cancel(static_cast<uint>(alarm));
}

}  // extern "C"
