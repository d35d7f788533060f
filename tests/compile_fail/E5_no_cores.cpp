// SPDX-License-Identifier: MIT OR Apache-2.0
// A pool without cores would never run anything.
// GCC 13 says a second time that there is no pool.
// most: 2
// expect: weft: a pool needs at least one core
#include <weft/weft.hpp>

weft::Pool<0> pool;
