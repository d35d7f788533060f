// SPDX-License-Identifier: MIT OR Apache-2.0
// A sleep with an end needs an alarm.
// expect: weft: keep_alive() needs an alarm: build the library and its users with -DWEFT_TIMERS=1
// flags: -DWEFT_ELASTIC=1
#include <weft/weft.hpp>

weft::Pool<2> pool;

weft::Status ask() { return pool.keep_alive(1000); }
