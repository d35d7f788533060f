// SPDX-License-Identifier: MIT OR Apache-2.0
// boards: what a board with an SSE-200 subsystem says about itself, in its own file.
#pragma once

#include <stdint.h>

namespace sse200 {

extern const uintptr_t uart;  // of the console: a CMSDK one, with the clock of the cores and the timers

}  // namespace sse200
