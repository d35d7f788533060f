// SPDX-License-Identifier: MIT OR Apache-2.0
// Cores that stand still are a setting.
// expect: weft: quiesce() is a setting: build the library and its users with -DWEFT_QUIESCE=1
#include <weft/weft.hpp>

weft::Pool<1> pool;

weft::Status quiesce() { return pool.quiesce(1); }
