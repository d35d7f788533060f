// SPDX-License-Identifier: MIT OR Apache-2.0
// boards: board::instructions() on AArch64: event counter 0 counts retired instructions. QEMU offers the
// event with -icount only; it is exact then and counts all cores together, each core from its own start. Real
// cores count their own instructions.
#include "aarch64_board.hpp"
#include "aarch64_system.hpp"
#include "board.hpp"

namespace {

// Arm ARM, D13.4 (Performance Monitors registers) and D11.11 (events).
constexpr uint64_t event_inst_retired = 0x08;
constexpr uint64_t pmcr_enable = 1u << 0;
constexpr uint32_t pmcr_counters_shift = 11;  // PMCR_EL0.N
constexpr uint64_t pmcr_counters_mask = 0x1f;
constexpr uint64_t filter_count_el2 = 1u << 27;  // NSH; EL1 counts unless told otherwise
constexpr uint64_t counter0 = 1u << 0;

bool countable() {
    const bool event = (read_pmceid0_el0() >> event_inst_retired & 1) != 0;
    return event && (read_pmcr_el0() >> pmcr_counters_shift & pmcr_counters_mask) != 0;
}

}  // namespace

namespace aarch64 {

void enable_counters() {
    if (!countable()) return;
    write_pmevtyper0_el0(event_inst_retired | (current_el() == 2 ? filter_count_el2 : 0));
    write_pmevcntr0_el0(0);
    write_pmcntenset_el0(counter0);
    write_pmcr_el0(read_pmcr_el0() | pmcr_enable);
    instruction_barrier();
}

}  // namespace aarch64

namespace board {

uint32_t instructions() {
    if (!countable()) return 0;
    return static_cast<uint32_t>(read_pmevcntr0_el0());
}

}  // namespace board
