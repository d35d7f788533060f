// SPDX-License-Identifier: MIT OR Apache-2.0
// Slots are found by masking the index; an even number is not enough.
// expect: weft: the ring size must be a power of two from 2 to 65536
#include <weft/weft.hpp>

weft::Pool<4, 96> pool;
