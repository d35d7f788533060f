// SPDX-License-Identifier: MIT OR Apache-2.0
// The port of other cores than those that the compiler makes code for.
// expect: weft: port/armv7m is for M-profile cores
// more: the compiler goes on after an #error
// flags: -Iport/armv7m
#include <weft/weft.hpp>
