// SPDX-License-Identifier: MIT OR Apache-2.0
// A run function has no object of its own: the task is the object.
// expect: weft: a task's run function is static, or derive from weft::TaskOf, which calls run()
#include <weft/weft.hpp>

struct Sample : weft::Task {
    Sample() : Task(&Sample::run) {}
    void run() {}
};
Sample sample;
