// SPDX-License-Identifier: MIT OR Apache-2.0
// Each core has a ring there, and its forks.
// expect: weft: a PoolIn<Cores, RingSize> is made in a PoolMemory<Cores, RingSize> that has a name
#include <weft/weft.hpp>

weft::PoolMemory<2> memory;
weft::PoolIn<4> pool{memory};
