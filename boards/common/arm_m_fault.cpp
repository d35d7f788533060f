// SPDX-License-Identifier: MIT OR Apache-2.0
// boards: the last line of an M-profile image that met an unexpected exception.
#include <weft/port.hpp>

#include "arm_m_registers.hpp"
#include "board.hpp"
#include "report.hpp"

namespace {

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
                                                           [[maybe_unused]] const uint32_t* frame) {
    using namespace arm_m;
    using namespace report;
#if __ARM_ARCH < 7
    weft_image_unlock_words();  // the fault may have come with the lock in this core's hands, and the report takes it
#endif
#if ARM_M_MAINLINE
    const uint32_t cfsr_now = read32(cfsr);
    const bool overflow = (cfsr_now & cfsr_stkof) != 0;
    // A frame that would have reached below the limit was not written, and SP stands at the limit.
    const bool frame_lost =
        (overflow && frame == weft::Port::stack_limit()) || (cfsr_now & (cfsr_stkerr | cfsr_mstkerr)) != 0;
    if (overflow) stack_overflow(frame_lost ? 0 : pc);
#else
    constexpr bool frame_lost = false;
#endif
    begin(exception_status);
    print("\nboard: unexpected ");
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
#if ARM_M_MAINLINE
    print(" CFSR ");
    print_hex(cfsr_now);
    print(" HFSR ");
    print_hex(read32(hfsr));
    if ((cfsr_now & (cfsr_mmarvalid | cfsr_bfarvalid)) != 0) {
        print(" address ");
        print_hex(read32((cfsr_now & cfsr_mmarvalid) != 0 ? mmfar : bfar));
    }
#endif
    print("\n");
    board::exit(exception_status);
}

#define ARM_M_TEXT_OF(word) #word
#define ARM_M_TEXT(word) ARM_M_TEXT_OF(word)

// Entry of every exception that no code expects. All code of these images runs on the main stack, where the
// core has saved eight words; the return address is the seventh (DDI0553, "Exception entry, register
// stacking"). The report gets the whole stack of the core, whose top is the first word of the vector table,
// without a limit: the reason may be that there was none left.
extern "C" [[gnu::naked]] void arm_m_fault() {
    asm volatile(
#ifdef ARM_M_CODE_TOP
        // Semihosting without a debugger: a HardFault at `bkpt #0xab`. The call returns -1, and the image goes on. (The
        // board says how the addresses of its code begin: elsewhere a look at the instruction might fault again.)
        ".syntax unified\n\t"
        "ldr    r1, [sp, #24]\n\t"
        "lsrs   r2, r1, #24\n\t"
        "cmp    r2, #" ARM_M_TEXT(ARM_M_CODE_TOP) "\n\t"
        "bne    1f\n\t"
        "ldrh   r2, [r1]\n\t"
        "ldr    r3, =0xbeab\n\t"
        "cmp    r2, r3\n\t"
        "bne    1f\n\t"
        "adds   r1, #2\n\t"
        "str    r1, [sp, #24]\n\t"
        "movs   r0, #0\n\t"
        "mvns   r0, r0\n\t"
        "str    r0, [sp]\n\t"
        "bx     lr\n"
        "1:\n\t"
#endif
        "mrs    r0, ipsr\n\t"
        "ldr    r1, [sp, #24]\n\t"
        "mov    r2, sp\n\t"
#if __ARM_ARCH >= 8
        "movs   r3, #0\n\t"
        "msr    msplim, r3\n\t"
#endif
        "ldr    r3, =0xe000ed08\n\t"  // VTOR
        "ldr    r3, [r3]\n\t"
        "ldr    r3, [r3]\n\t"
        "mov    sp, r3\n\t"
        "b      arm_m_report_fault\n\t"
        ".ltorg");
}
