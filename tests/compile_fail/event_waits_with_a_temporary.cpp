// SPDX-License-Identifier: MIT OR Apache-2.0
// It would be gone before it is let go.
// expect: weft: a task stays where it is until it has begun: give it a name, and no const
#include <weft/weft.hpp>

void wait(weft::Event& event) {
    event.wait(weft::Job([] {}));
}
