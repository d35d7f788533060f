// SPDX-License-Identifier: MIT OR Apache-2.0
// The port of Linux where there is none.
// expect: weft: port/host is for Linux
// more: the compiler goes on after an #error
// flags: -U__linux__
#include <weft/weft.hpp>
