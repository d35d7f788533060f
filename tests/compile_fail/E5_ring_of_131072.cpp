// SPDX-License-Identifier: MIT OR Apache-2.0
// Larger rings help nobody: the rest goes to the overflow.
// expect: weft: the ring size must be a power of two from 2 to 65536
#include <weft/weft.hpp>

weft::Pool<1, 131072> pool;
