// SPDX-License-Identifier: MIT OR Apache-2.0
// A call of the wrong type counts as missing: a 64-bit clock would be cut off silently.
// expect: weft port: uint32_t now() is missing or wrong
// flags: -Itests/compile_fail/port -DPORT_WITH_WRONG_NOW
#include <weft/weft.hpp>
