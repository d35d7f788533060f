// SPDX-License-Identifier: MIT OR Apache-2.0
// A limit of those who search is a setting.
// expect: weft: a limit of those who search is a setting: build the library and its users with -DWEFT_FEW_SEARCHERS=1
#include <weft/weft.hpp>

weft::Pool<2> pool;

uint32_t ask() { return pool.searching_cores(); }
