// SPDX-License-Identifier: MIT OR Apache-2.0
// weft: what the source files of the host port ask of each other. Nobody else includes this.
#pragma once

namespace weft {
namespace host {

bool returns_early();                // faults: the park() of this thread is to return without an event
bool wakes_everyone();               // faults: a wake goes to all
void thread_of_core(uint32_t core);  // the calling thread plays it
bool clock_stands(uint32_t& tick);   // faults: the clock has been set by hand
void sleep_ms(uint32_t ms);          // of real time

}  // namespace host
}  // namespace weft
