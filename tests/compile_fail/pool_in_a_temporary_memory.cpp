// SPDX-License-Identifier: MIT OR Apache-2.0
// It must live as long as the pool.
// expect: weft: a PoolIn<Cores, RingSize> is made in a PoolMemory<Cores, RingSize> that has a name
#include <weft/weft.hpp>

weft::PoolIn<4> pool{weft::PoolMemory<4>()};
