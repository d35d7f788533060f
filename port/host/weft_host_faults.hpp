// SPDX-License-Identifier: MIT OR Apache-2.0
// weft: faults that tests inject into the host port. Always compiled in: they are asked for only where a core
// is started, where a thread goes to sleep or is woken from it, and where the clock is read.
#pragma once

#include <stdint.h>

namespace weft {
namespace host {

// The next `times` calls of start_core(core) are refused.
void refuse_starts(uint32_t core, uint32_t times);

// Every start_core(core) says `absent`.
void hide_core(uint32_t core);

// start_core(core) says `started`, but the core does not arrive before release_starts(core). When hold_starts
// has returned, no entry is taken any more: a cancel_start that follows is sure to win.
void hold_starts(uint32_t core);
void release_starts(uint32_t core);

// The core arrives `ms` milliseconds after start_core said `started`.
void delay_starts(uint32_t core, uint32_t ms);

// Every `every`th park() of a thread that would sleep returns at once, without an event; 0: none does. 1: a
// storm, no thread ever sleeps (like an emulator whose WFE does not block).
void spurious_parks(uint32_t every);

// An unpark that wakes a sleeping thread sets the events of all the others too (like SEV, which has no
// address).
void wake_everyone(bool on);

// The clock stands at this tick, until it is set again. For alarms real time goes on: use it where nobody sleeps.
void set_clock(uint32_t tick);

// No faults any more; cores that were held arrive.
void clear_faults();

}  // namespace host
}  // namespace weft
