// SPDX-License-Identifier: MIT OR Apache-2.0
// boards: the semihosting trap of M-profile cores ("Semihosting for AArch32 and AArch64", Arm).
#include "semihosting.hpp"

// r0: operation, and the answer; r1: parameter block. The host reads and writes memory through the block.
extern "C" intptr_t semihosting_call(uintptr_t operation, void* block) {
    register uintptr_t r0 asm("r0") = operation;
    register void* r1 asm("r1") = block;
    asm volatile("bkpt #0xab" : "+r"(r0) : "r"(r1) : "memory");
    return static_cast<intptr_t>(r0);
}
