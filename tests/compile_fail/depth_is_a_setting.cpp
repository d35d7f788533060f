// SPDX-License-Identifier: MIT OR Apache-2.0
// Depths of queues are a setting.
// expect: weft: depths of queues are a setting: build the library and its users with -DWEFT_METRICS=1
#include <weft/weft.hpp>

weft::Pool<2> pool;

uint32_t ask() { return pool.depth(weft::Queue::injector).now + pool.queued(); }
