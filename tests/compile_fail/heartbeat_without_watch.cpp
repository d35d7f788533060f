// SPDX-License-Identifier: MIT OR Apache-2.0
// Heartbeats are a setting.
// expect: weft: heartbeat() and beat() are a setting: build the library and its users with -DWEFT_WATCH=1
#include <weft/weft.hpp>

weft::Pool<2> pool;

weft::Heartbeat ask() { return pool.heartbeat(1); }
