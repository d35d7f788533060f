// SPDX-License-Identifier: MIT OR Apache-2.0
// Cores that leave a pool are a setting.
// expect: weft: that cores leave a pool before its end is a setting
#include <weft/weft.hpp>

weft::Pool<2> pool;

weft::Status ask() { return pool.admit(1); }
