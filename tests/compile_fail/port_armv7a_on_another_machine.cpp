// SPDX-License-Identifier: MIT OR Apache-2.0
// The port of other cores than those that the compiler makes code for.
// expect: weft: port/armv7a is for 32-bit code of A-profile cores
// more: the compiler goes on after an #error
// flags: -Iport/armv7a
#include <weft/weft.hpp>
