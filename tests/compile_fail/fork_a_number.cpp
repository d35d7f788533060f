// SPDX-License-Identifier: MIT OR Apache-2.0
// What is forked can be called.
// expect: weft: what is forked can be called without arguments, or with a weft::Here
#include <weft/weft.hpp>

void fork() {
    weft::fork_join([] {}, 3);
}
