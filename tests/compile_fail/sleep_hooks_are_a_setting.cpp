// SPDX-License-Identifier: MIT OR Apache-2.0
// So are functions around each sleep.
// expect: weft: on_sleep() is a setting: build the library and its users with -DWEFT_SLEEP_HOOKS=1
#include <weft/weft.hpp>

weft::Pool<1> pool;

void set() { static_cast<void>(pool.on_sleep(nullptr, nullptr, nullptr)); }
