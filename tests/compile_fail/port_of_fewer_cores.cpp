// SPDX-License-Identifier: MIT OR Apache-2.0
// A pool cannot have more cores than its port.
// expect: weft: more cores than the port knows
// flags: -Itests/compile_fail/port -DPORT_OF_FOUR_CORES
#include <weft/weft.hpp>

weft::Pool<5> pool;
