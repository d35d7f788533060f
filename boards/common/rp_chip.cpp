// SPDX-License-Identifier: MIT OR Apache-2.0
// boards: RP2040 and RP2350. Sections are of the RP2040's datasheet, and the RP2350's has the same names. What differs,
// addresses and bits, is in the board's chip.hpp.
#include "rp_chip.hpp"

#include "chip.hpp"
#include "mmio.hpp"
#include "pl011.hpp"

namespace {

// 2.1.2: a write at this distance from a register clears only the bits that are written.
constexpr uintptr_t clear_bits = 0x3000;

void wait_for(uintptr_t address, uint32_t bits) {
    while ((read32(address) & bits) != bits) {
        // Hardware comes to it by itself.
    }
}

// 2.14, Subsystem resets
constexpr uintptr_t reset_done = chip::resets + 8;

void out_of_reset(uint32_t which) {
    write32(chip::resets + clear_bits, which);
    wait_for(reset_done, which);
}

// 2.16, Crystal oscillator: 12 MHz on the Pico; ready after about 1 ms (47 * 256 cycles).
constexpr uintptr_t xosc_status = chip::xosc + 0x04;
constexpr uintptr_t xosc_startup = chip::xosc + 0x0c;
constexpr uint32_t xosc_enable_1_15_mhz = 0xfabaa0;
constexpr uint32_t xosc_stable = 1u << 31;
constexpr uint32_t crystal_mhz = 12;

// 2.18, PLL: the crystal's clock * 125 / first / second
constexpr uintptr_t pll_power = chip::pll_sys + 0x04;
constexpr uintptr_t pll_feedback = chip::pll_sys + 0x08;
constexpr uintptr_t pll_dividers = chip::pll_sys + 0x0c;
constexpr uint32_t pll_lock = 1u << 31;
constexpr uint32_t pll_off_main_and_vco = (1u << 0) | (1u << 5);
constexpr uint32_t pll_off_dividers = 1u << 3;
constexpr uint32_t pll_times = 125;
static_assert(chip::clock_hz ==
                  crystal_mhz * 1'000'000 * pll_times / chip::pll_by_first / chip::pll_by_second,
              "the PLL makes the clock");

// 2.15, Clocks
constexpr uintptr_t clk_ref_control = chip::clocks + 0x30;
constexpr uintptr_t clk_ref_selected = chip::clocks + 0x38;
constexpr uintptr_t clk_sys_control = chip::clocks + 0x3c;
constexpr uintptr_t clk_sys_selected = chip::clocks + 0x44;
constexpr uintptr_t clk_peri_control = chip::clocks + 0x48;
constexpr uint32_t ref_from_crystal = 2;
constexpr uint32_t ref_is_crystal = 1u << 2;
constexpr uint32_t sys_from_ref = 0;
constexpr uint32_t sys_is_ref = 1u << 0;
constexpr uint32_t sys_from_pll = 1;  // the auxiliary source, which is the PLL unless another one is chosen
constexpr uint32_t sys_is_pll = 1u << 1;
constexpr uint32_t peri_enable = 1u << 11;  // from clk_sys

// 2.19, GPIO: UART0 sends at pin 0.
constexpr uintptr_t gpio0_control = chip::io_bank0 + 0x04;
constexpr uint32_t function_uart = 2;
constexpr uint32_t baud_rate = 115'200;

// 2.3.1, SIO: the mailboxes between the cores
constexpr uintptr_t fifo_status = 0xd0000050;
constexpr uintptr_t fifo_write = 0xd0000054;
constexpr uintptr_t fifo_read = 0xd0000058;
constexpr uint32_t fifo_has_word = 1u << 0;
constexpr uint32_t fifo_has_room = 1u << 1;
constexpr uint32_t answer_us = 1000;

bool wait_fifo(uint32_t bit) {
    const uint32_t begin = read32(chip::timer_raw_low);
    while ((read32(fifo_status) & bit) == 0) {
        if (read32(chip::timer_raw_low) - begin > answer_us) return false;
    }
    return true;
}

void drain_fifo() {
    while ((read32(fifo_status) & fifo_has_word) != 0) read32(fifo_read);
}

}  // namespace

namespace rp {

void start_clocks() {
    write32(xosc_startup, 47);
    write32(chip::xosc, xosc_enable_1_15_mhz);
    wait_for(xosc_status, xosc_stable);
    // Off the PLL, on which a debugger may have found it: neither the PLL nor the auxiliary source changes under it.
    write32(clk_sys_control, sys_from_ref);
    wait_for(clk_sys_selected, sys_is_ref);
    write32(clk_ref_control, ref_from_crystal);
    wait_for(clk_ref_selected, ref_is_crystal);

    out_of_reset(chip::of_pll_sys);
    write32(chip::pll_sys, 1);  // the crystal's clock as it is
    write32(pll_feedback, pll_times);
    write32(pll_power + clear_bits, pll_off_main_and_vco);
    wait_for(chip::pll_sys, pll_lock);
    write32(pll_dividers, (chip::pll_by_first << 16) | (chip::pll_by_second << 12));
    write32(pll_power + clear_bits, pll_off_dividers);
    write32(clk_sys_control, sys_from_pll);
    wait_for(clk_sys_selected, sys_is_pll);
    write32(clk_peri_control, peri_enable);

    chip::start_ticks(crystal_mhz);
    out_of_reset(chip::of_io_bank0 | chip::of_pads_bank0 | chip::of_timer | chip::of_uart0);
    write32(gpio0_control, function_uart);
    chip::connect_pin0();
    pl011::set_baud_rate(chip::uart0, chip::clock_hz, baud_rate);
    pl011::enable(chip::uart0);
}

void put(char c) { pl011::put(chip::uart0, c); }

// 2.8.2, "Launching code on processor core 1": each word comes back, or the core begins anew.
bool launch_core1(uintptr_t table, uintptr_t stack, uintptr_t entry) {
    const uintptr_t words[] = {0, 0, 1, table, stack, entry};
    constexpr uint32_t most_turns = 8;
    for (uint32_t turn = 0; turn < most_turns; ++turn) {
        bool same = true;
        for (uintptr_t word : words) {
            if (word == 0) {
                drain_fifo();
                chip::send_event();
            }
            if (!wait_fifo(fifo_has_room)) return false;
            write32(fifo_write, static_cast<uint32_t>(word));
            chip::send_event();
            if (!wait_fifo(fifo_has_word)) return false;
            same = read32(fifo_read) == word;
            if (!same) break;
        }
        if (same) return true;
    }
    return false;
}

}  // namespace rp
