// SPDX-License-Identifier: MIT OR Apache-2.0
// A pool cannot have more cores than its port.
// expect: weft: the port does not know so many cores
// flags: -Itests/compile_fail/port -DPORT_OF_FOUR_CORES
#include <weft/weft.hpp>

weft::Pool<5> pool;
