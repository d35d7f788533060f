// SPDX-License-Identifier: MIT OR Apache-2.0
// boards: RP2040. Addresses and bits: RP2040 datasheet; the section stands beside each.
#include "chip.hpp"

#include "mmio.hpp"
#include "weft_image.hpp"

namespace {

// 2.1.2: a write at this distance from a register clears only the bits that are written.
constexpr uintptr_t clear_bits = 0x3000;

void wait_for(uintptr_t address, uint32_t bits) {
    while ((read32(address) & bits) != bits) {
        // Hardware comes to it by itself.
    }
}

// 2.14, Subsystem resets
constexpr uintptr_t resets = 0x4000c000;
constexpr uintptr_t reset_done = resets + 8;
constexpr uint32_t of_io_bank0 = 1u << 5;
constexpr uint32_t of_pads_bank0 = 1u << 8;
constexpr uint32_t of_pll_sys = 1u << 12;
constexpr uint32_t of_timer = 1u << 21;
constexpr uint32_t of_uart0 = 1u << 22;

void out_of_reset(uint32_t which) {
    write32(resets + clear_bits, which);
    wait_for(reset_done, which);
}

// 2.16, Crystal oscillator: 12 MHz on the Pico; ready after about 1 ms (47 * 256 cycles).
constexpr uintptr_t xosc = 0x40024000;
constexpr uintptr_t xosc_status = xosc + 0x04;
constexpr uintptr_t xosc_startup = xosc + 0x0c;
constexpr uint32_t xosc_enable_1_15_mhz = 0xfabaa0;
constexpr uint32_t xosc_stable = 1u << 31;
constexpr uint32_t crystal_mhz = 12;

// 2.18, PLL: 12 MHz * 125 / 6 / 2 = 125 MHz
constexpr uintptr_t pll_sys = 0x40028000;
constexpr uintptr_t pll_power = pll_sys + 0x04;
constexpr uintptr_t pll_feedback = pll_sys + 0x08;
constexpr uintptr_t pll_dividers = pll_sys + 0x0c;
constexpr uint32_t pll_lock = 1u << 31;
constexpr uint32_t pll_off_main_and_vco = (1u << 0) | (1u << 5);
constexpr uint32_t pll_off_dividers = 1u << 3;
constexpr uint32_t pll_times_125 = 125;
constexpr uint32_t pll_by_6_and_2 = (6u << 16) | (2u << 12);
static_assert(rp2040::clock_hz == crystal_mhz * 1'000'000 * 125 / 6 / 2, "the PLL makes the clock");

// 2.15, Clocks
constexpr uintptr_t clk_ref_control = 0x40008030;
constexpr uintptr_t clk_ref_selected = 0x40008038;
constexpr uintptr_t clk_sys_control = 0x4000803c;
constexpr uintptr_t clk_sys_selected = 0x40008044;
constexpr uintptr_t clk_peri_control = 0x40008048;
constexpr uint32_t ref_from_crystal = 2;
constexpr uint32_t ref_is_crystal = 1u << 2;
constexpr uint32_t sys_from_pll = 1;  // the auxiliary source, which is the PLL unless another one is chosen
constexpr uint32_t sys_is_pll = 1u << 1;
constexpr uint32_t peri_enable = 1u << 11;  // from clk_sys

// 4.7.2: the watchdog's tick, of one microsecond, drives the timer.
constexpr uintptr_t watchdog_tick = 0x4005802c;
constexpr uint32_t tick_enable = 1u << 9;

// 2.19, GPIO: UART0 sends at pin 0.
constexpr uintptr_t gpio0_control = 0x40014004;
constexpr uint32_t function_uart = 2;

// 2.3.1, SIO: the mailboxes between the cores
constexpr uintptr_t fifo_status = 0xd0000050;
constexpr uintptr_t fifo_write = 0xd0000054;
constexpr uintptr_t fifo_read = 0xd0000058;
constexpr uint32_t fifo_has_word = 1u << 0;
constexpr uint32_t fifo_has_room = 1u << 1;
constexpr uint32_t answer_us = 1000;

// The boot ROM sleeps in WFE between words.
void send_event() { asm volatile("dsb\n\tsev" ::: "memory"); }

bool wait_fifo(uint32_t bit) {
    const uint32_t begin = weft_image_clock();
    while ((read32(fifo_status) & bit) == 0) {
        if (weft_image_clock() - begin > answer_us) return false;
    }
    return true;
}

void drain_fifo() {
    while ((read32(fifo_status) & fifo_has_word) != 0) read32(fifo_read);
}

}  // namespace

namespace rp2040 {

void start_clocks() {
    write32(xosc_startup, 47);
    write32(xosc, xosc_enable_1_15_mhz);
    wait_for(xosc_status, xosc_stable);
    write32(clk_ref_control, ref_from_crystal);
    wait_for(clk_ref_selected, ref_is_crystal);

    out_of_reset(of_pll_sys);
    write32(pll_sys, 1);  // the crystal's clock as it is
    write32(pll_feedback, pll_times_125);
    write32(pll_power + clear_bits, pll_off_main_and_vco);
    wait_for(pll_sys, pll_lock);
    write32(pll_dividers, pll_by_6_and_2);
    write32(pll_power + clear_bits, pll_off_dividers);
    write32(clk_sys_control, sys_from_pll);
    wait_for(clk_sys_selected, sys_is_pll);
    write32(clk_peri_control, peri_enable);

    write32(watchdog_tick, tick_enable | crystal_mhz);
    out_of_reset(of_io_bank0 | of_pads_bank0 | of_timer | of_uart0);
    write32(gpio0_control, function_uart);
}

// 2.8.2, "Launching code on processor core 1": each word comes back, or the core begins anew.
bool launch_core1(const uint32_t* vectors) {
    const uint32_t table = static_cast<uint32_t>(reinterpret_cast<uintptr_t>(vectors));
    const uint32_t words[] = {0, 0, 1, table, vectors[0], vectors[1]};
    constexpr uint32_t most_turns = 8;
    for (uint32_t turn = 0; turn < most_turns; ++turn) {
        bool same = true;
        for (uint32_t word : words) {
            if (word == 0) {
                drain_fifo();
                send_event();
            }
            if (!wait_fifo(fifo_has_room)) return false;
            write32(fifo_write, word);
            send_event();
            if (!wait_fifo(fifo_has_word)) return false;
            same = read32(fifo_read) == word;
            if (!same) break;
        }
        if (same) return true;
    }
    return false;
}

}  // namespace rp2040
