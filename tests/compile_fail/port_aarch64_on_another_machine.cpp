// SPDX-License-Identifier: MIT OR Apache-2.0
// The port of other cores than those that the compiler makes code for.
// expect: weft: port/aarch64 is for 64-bit Arm cores
// more: the compiler goes on after an #error
// flags: -Iport/aarch64
#include <weft/weft.hpp>
