// SPDX-License-Identifier: MIT OR Apache-2.0
// TaskOf calls a member function run().
// expect: weft: the class of a weft::TaskOf has a public `void run()`: the work of the task
#include <weft/weft.hpp>

struct Sample : weft::TaskOf<Sample> {
    void work() {}
};
Sample sample;
