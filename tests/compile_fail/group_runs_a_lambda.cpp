// SPDX-License-Identifier: MIT OR Apache-2.0
// A group needs memory for each child.
// expect: weft: TaskGroup::run() takes a weft::GroupTask: weft::GroupTask child([&] { ... });
#include <weft/weft.hpp>

void run(weft::TaskGroup& group) {
    group.run([] {});
}
