// SPDX-License-Identifier: MIT OR Apache-2.0
// A port that lacks a call is told which.
// expect: weft port: void park() is missing or wrong
// flags: -Itests/compile_fail/port -DPORT_WITHOUT_PARK
#include <weft/weft.hpp>
