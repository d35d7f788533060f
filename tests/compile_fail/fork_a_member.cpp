// SPDX-License-Identifier: MIT OR Apache-2.0
// A member function needs an object.
// expect: weft: what is forked can be called without arguments, or with a weft::Here
#include <weft/weft.hpp>

struct Sample {
    void run() {}
};
void fork() {
    weft::fork_join([] {}, &Sample::run);
}
