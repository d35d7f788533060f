// SPDX-License-Identifier: MIT OR Apache-2.0
// A ring has at least two slots: half of one is none.
// expect: weft: the ring size must be a power of two from 2 to 65536
#include <weft/weft.hpp>

weft::Pool<1, 1> pool;
