// SPDX-License-Identifier: MIT OR Apache-2.0
// Two groups would join the same children.
// expect: deleted
#include <weft/weft.hpp>

void copy(weft::TaskGroup& original) { weft::TaskGroup copy = original; }
