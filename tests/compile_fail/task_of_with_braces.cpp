// SPDX-License-Identifier: MIT OR Apache-2.0
// A class without a constructor is an aggregate, so {} begins its base outside of it, where that is private. (The note
// behind the error shows the constructor's line, which says what to do.)
// expect: private
// note: derive from the TaskOf of itself; write no {}
#include <weft/weft.hpp>

struct Sample : weft::TaskOf<Sample> {
    void run() {}
    int raw = 0;
} sample{};
