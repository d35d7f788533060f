// SPDX-License-Identifier: MIT OR Apache-2.0
// Model checker: what an execution can end with, and the way out of it.
#pragma once

#include <stdint.h>

namespace weft {
namespace model {

enum class Failure : uint8_t {
    none,
    check,        // a check of the scenario
    panic,        // the code under test called panic()
    race,         // unordered accesses to plain memory, one of them a write
    lifetime,     // an access after, or not ordered before, an object's end of life
    two_writers,  // a Published written by two cores without order
    lost_wake,    // nobody can go on, and somebody has not finished
    livelock,     // too many steps
    crash,        // a signal: the code under test used a bad pointer
    misuse,       // a call that the port contract forbids
    model_limit,  // the model is too small for this scenario
    not_found,    // the exploration itself: an expected counterexample or outcome is missing
};

const char* name_of(Failure failure);

// Ends the execution: never returns to the caller. On a core's fiber, or in the final check.
[[noreturn]] void fail(Failure failure, const char* format, ...) __attribute__((format(printf, 2, 3)));

}  // namespace model
}  // namespace weft
