// SPDX-License-Identifier: MIT OR Apache-2.0
// Conformance of a port: the first test that a porter runs. In the order of what relies on what: a test that
// fails makes those below it doubtful.
//
// Options on the command line: words select tests by name; `ms=N` is the time that each group of rounds may
// take on a slow board (default 300).
#include "crew.hpp"

namespace conformance {
extern const tap::Tests cores_tests, clock_tests, words_tests, starts_tests, events_tests, interrupts_tests;
}  // namespace conformance

using namespace conformance;

extern "C" int board_main() {
    return tap::run({cores_tests, clock_tests, words_tests, starts_tests, events_tests, interrupts_tests});
}
