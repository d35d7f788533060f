// SPDX-License-Identifier: MIT OR Apache-2.0
// So is a function for when all cores sleep.
// expect: weft: on_all_asleep() is a setting: build the library and its users with -DWEFT_REST=1
#include <weft/weft.hpp>

weft::Pool<1> pool;

void set() {
    pool.on_all_asleep([](void*) {}, nullptr);
}
