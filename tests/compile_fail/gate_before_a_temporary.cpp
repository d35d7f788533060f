// SPDX-License-Identifier: MIT OR Apache-2.0
// It would be gone before the gate opens.
// expect: weft: a task stays where it is until it has begun: give it a name, and no const
#include <weft/weft.hpp>

weft::Pool<1> pool;
weft::Gate gate(pool, weft::Job([] {}), 2);
