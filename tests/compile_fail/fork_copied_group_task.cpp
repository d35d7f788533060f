// SPDX-License-Identifier: MIT OR Apache-2.0
// The deque points to a child: it stays where it is.
// expect: deleted
#include <weft/weft.hpp>

weft::GroupTask original([] {});
weft::GroupTask copy = original;
