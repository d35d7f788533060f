// SPDX-License-Identifier: MIT OR Apache-2.0
// Waiting until all has run is a setting.
// expect: weft: wait_idle() is a setting: build the library and its users with -DWEFT_REST=1
#include <weft/weft.hpp>

weft::Pool<1> pool;

weft::Status wait() { return pool.wait_idle(); }
