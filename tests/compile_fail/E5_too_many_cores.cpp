// SPDX-License-Identifier: MIT OR Apache-2.0
// The idle word has 24 bits for cores.
// expect: weft: a pool has at most 24 cores (bits of the idle word)
#include <weft/weft.hpp>

weft::Pool<25> pool;
