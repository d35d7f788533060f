// SPDX-License-Identifier: MIT OR Apache-2.0
// boards: the last line of an M-profile image that goes wrong: a panic of weft, or an unexpected exception.
#include <weft/port.hpp>

#include "arm_m_registers.hpp"
#include "board.hpp"

namespace {

constexpr int panic_status = 101;
constexpr int exception_status = 102;

// The first core to report ends the run; another one stops here, so that their lines do not mix. A core that
// fails again while it reports ends the run without more words.
void one_reporter(int status) {
    static uint32_t reporter;  // number of the core + 1
    const uint32_t self = weft::Port::core_id() + 1;
    uint32_t seen = 0;
    constexpr int relaxed = __ATOMIC_RELAXED;  // the word guards no memory
    if (__atomic_compare_exchange_n(&reporter, &seen, self, false, relaxed, relaxed)) return;
    if (seen == self) board::exit(status);
    for (;;) weft::Port::relax();
}

void print(const char* text) {
    while (*text != '\0') board::put(*text++);
}

void print_hex(uintptr_t value) {
    print("0x");
    for (uint32_t shift = 32; shift > 0;) {
        shift -= 4;
        board::put("0123456789abcdef"[(value >> shift) & 0xf]);
    }
}

void print_decimal(uint32_t value) {
    if (value >= 10) print_decimal(value / 10);
    board::put(static_cast<char>('0' + value % 10));
}

const char* exception_name(uint32_t exception) {
    switch (exception) {
        case 2: return "NMI";
        case 3: return "HardFault";
        case 4: return "MemManage";
        case 5: return "BusFault";
        case 6: return "UsageFault";
        case 7: return "SecureFault";
        default: return "exception";
    }
}

}  // namespace

// The rest of arm_m_fault. `frame` is where the core saved its state, `pc` the return address in there. Used,
// because only assembly refers to it.
extern "C" [[noreturn, gnu::used]] void arm_m_report_fault(uint32_t exception, uint32_t pc,
                                                           const uint32_t* frame) {
    using namespace arm_m;
    one_reporter(exception_status);
    const uint32_t cfsr_now = read32(cfsr);
    const bool overflow = (cfsr_now & cfsr_stkof) != 0;
    // A frame that would have reached below the limit was not written, and SP stands at the limit.
    const bool frame_lost =
        (overflow && frame == weft::Port::stack_limit()) || (cfsr_now & (cfsr_stkerr | cfsr_mstkerr)) != 0;
    print(overflow ? "\nboard: stack overflow, " : "\nboard: unexpected ");
    print(exception_name(exception));
    print(" (");
    print_decimal(exception);
    print("): core ");
    print_decimal(weft::Port::core_id());
    print(" PC ");
    if (frame_lost) {
        print("lost");
    } else {
        print_hex(pc);
    }
    print(" CFSR ");
    print_hex(cfsr_now);
    print(" HFSR ");
    print_hex(read32(hfsr));
    if ((cfsr_now & (cfsr_mmarvalid | cfsr_bfarvalid)) != 0) {
        print(" address ");
        print_hex(read32((cfsr_now & cfsr_mmarvalid) != 0 ? mmfar : bfar));
    }
    print("\n");
    board::exit(exception_status);
}

// Entry of every exception that no code expects. All code of these images runs on the main stack, where the
// core has saved eight words; the return address is the seventh (DDI0553, "Exception entry, register
// stacking"). The report gets the whole stack of the core, whose top is the first word of the vector table,
// without a limit: the reason may be that there was none left.
extern "C" [[gnu::naked]] void arm_m_fault() {
    asm volatile(
        "mrs    r0, ipsr\n\t"
        "ldr    r1, [sp, #24]\n\t"
        "mov    r2, sp\n\t"
        "movs   r3, #0\n\t"
        "msr    msplim, r3\n\t"
        "ldr    r3, =0xe000ed08\n\t"  // VTOR
        "ldr    r3, [r3]\n\t"
        "ldr    r3, [r3]\n\t"
        "mov    sp, r3\n\t"
        "b      arm_m_report_fault\n\t"
        ".ltorg");
}

extern "C" [[noreturn]] void weft_image_panic(const char* reason, uint32_t core, const void* task) {
    one_reporter(panic_status);
    print("\nweft: panic: ");
    print(reason);
    print(" (core ");
    print_decimal(core);
    print(", task ");
    print_hex(reinterpret_cast<uintptr_t>(task));
    print(")\n");
    board::exit(panic_status);
}
