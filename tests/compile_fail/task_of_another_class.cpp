// SPDX-License-Identifier: MIT OR Apache-2.0
// A line that was copied from another class: the run() of that one would be called, on an object of this one. (The
// note behind the error shows the constructor's line, which says what to do.)
// expect: private
// note: derive from the TaskOf of itself; write no {}
#include <weft/weft.hpp>

struct First : weft::TaskOf<First> {
    void run() {}
};
struct Second : weft::TaskOf<First> {
    Second() {}
    void run() {}
} second;
