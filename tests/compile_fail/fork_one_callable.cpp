// SPDX-License-Identifier: MIT OR Apache-2.0
// One callable alone: there is nothing to fork.
// expect: weft: fork_join runs two callables or more side by side
#include <weft/weft.hpp>

void fork_one() {
    weft::fork_join([] {});
}
