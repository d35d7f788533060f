// SPDX-License-Identifier: MIT OR Apache-2.0
// Cores without atomic instructions: RV32IMC.
// expect: weft: port/riscv needs atomic instructions
// more: the compiler goes on after an #error
// flags: -Iport/riscv -D__riscv=1
#include <weft/weft.hpp>
