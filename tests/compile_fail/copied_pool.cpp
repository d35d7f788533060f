// SPDX-License-Identifier: MIT OR Apache-2.0
// Cores and queued tasks know a pool by its address.
// expect: deleted
// more: GCC names every member that cannot be copied
#include <weft/weft.hpp>

weft::Pool<2> original;
weft::Pool<2> copy = original;
