// SPDX-License-Identifier: MIT OR Apache-2.0
// bench: the measurements, in the order in which they must run: cores that have once been on never go off again.
#pragma once

namespace bench {

void measure_poll();     // before any other core is on
void measure_fork();     // likewise
void measure_preempt();  // likewise
void measure_coroutines();
void measure_wake_of_two();
void measure_wake_of_all();
void measure_busy();

}  // namespace bench
