// SPDX-License-Identifier: MIT OR Apache-2.0
// A task is the memory that it is queued with.
// expect: deleted
#include <weft/weft.hpp>

void run(weft::Task&);

weft::Task one(run);
weft::Task other(run);

void assign() { one = other; }
