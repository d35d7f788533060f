// SPDX-License-Identifier: MIT OR Apache-2.0
// The port of other cores than those that the compiler makes code for.
// expect: weft: port/riscv is for RISC-V cores
// more: the compiler goes on after an #error
// flags: -Iport/riscv
#include <weft/weft.hpp>
