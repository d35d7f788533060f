// SPDX-License-Identifier: MIT OR Apache-2.0
// boards: the end of a RISC-V image that went wrong: says why on the console and exits with a failure.
#include <weft/port.hpp>

#include "board.hpp"
#include "riscv_virt.hpp"

namespace {

constexpr int panic_status = 101;
constexpr int exception_status = 102;
constexpr uint32_t nobody = ~0u;

// The core that reports. Only the first one does, so that lines do not mix. The word guards no memory.
weft::Atomic<uint32_t> reporter(nobody);

// Returns once, on one core. A second panic of that core (a trap while it reports) ends the run without a
// word; other cores wait for that end.
void claim_report(uint32_t core, int status) {
    uint32_t seen = nobody;
    if (reporter.compare_exchange(seen, core, weft::relaxed, weft::relaxed)) return;
    if (seen == core) riscv_finish(static_cast<uintptr_t>(status));
    for (;;) weft::Port::relax();
}

void print(const char* text) {
    while (*text != '\0') board::put(*text++);
}

void print_hex(uintptr_t value) {
    print("0x");
    for (uint32_t shift = 8 * sizeof(value); shift > 0;) {
        shift -= 4;
        board::put("0123456789abcdef"[value >> shift & 0xf]);
    }
}

void print_decimal(uintptr_t value) {
    if (value >= 10) print_decimal(value / 10);
    board::put(static_cast<char>('0' + value % 10));
}

}  // namespace

void riscv_fatal_trap(uintptr_t hart, uintptr_t mcause, uintptr_t mepc, uintptr_t mtval) {
    claim_report(weft::Port::core_id(), exception_status);
    print("\nboard: unexpected trap: hart ");
    print_decimal(hart);
    print(" mcause ");
    print_hex(mcause);
    print(" mepc ");
    print_hex(mepc);
    print(" mtval ");
    print_hex(mtval);
    print("\n");
    board::exit(exception_status);
}

void weft_image_panic(const char* reason, uint32_t core, const void* task) {
    claim_report(weft::Port::core_id(), panic_status);
    print("\nweft: panic: ");
    print(reason);
    print(" (core ");
    print_decimal(core);
    print(", task ");
    print_hex(reinterpret_cast<uintptr_t>(task));
    print(")\n");
    board::exit(panic_status);
}
