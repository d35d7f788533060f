// SPDX-License-Identifier: MIT OR Apache-2.0
// Replay on the host: in a build with VARIANT=replay the accesses of weft's words, its reads of the clock and the
// port's lock are events. WEFT_REPLAY=record:FILE writes down which core makes each; WEFT_REPLAY=replay:FILE lets the
// cores make them in that order only. One event at a time: what only weak memory shows is not seen in such a build.
#pragma once

#include <pthread.h>

#include "hooked_words.hpp"

namespace weft {
namespace host {

// Lives as long as the event: no other core makes one meanwhile.
class Turn {
public:
    explicit Turn(uint32_t site);
    ~Turn();
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;
};
using Words = HookedWords<Turn>;

bool sleeps_by_events();                // nobody sleeps in the kernel: the next access waits for its turn
void relax_in_turn();                   // of a thread that spins
void pause_in_turn();                   // of a core that sleeps: time passes
uint32_t recorded_tick(uint32_t tick);  // what now() is to answer
void lock_in_turn(pthread_mutex_t& mutex);
void signal_in_turn(uint32_t thread, int signal);  // to the thread with that number of the kernel's

}  // namespace host
}  // namespace weft
