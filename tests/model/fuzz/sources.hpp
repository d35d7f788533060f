// SPDX-License-Identifier: MIT OR Apache-2.0
// Generated programs: strands, gates and events, as far as nothing but the tree is asked.
#pragma once

#include "tree.hpp"

namespace fuzz {

// Which tasks that wait for an event are let go for sure, if each statement is executed. That is so in these cases:
//   - somebody who waits for nothing sets the event, and nobody clears it;
//   - whoever waits gives a signal of its own behind that, so there is one for each (others do no harm: a signal is
//     lost only while nobody waits), and nobody clears it;
//   - one task waits, and somebody who waits for nothing signals.
class Events {
public:
    bool surely_come(const Statement& wait) const {
        return wait.number[0] < most_sources && each_[wait.pool][wait.number[0]].sure;
    }

private:
    friend class EventWalk;
    friend Events look_at_events(const Program& program);
    struct Event {
        unsigned waits = 0;
        bool cleared = false, sure_set = false, sure_signal = false, each_answered = true;
        bool sure = false;
    };
    Event each_[most_pools][most_sources];
};

Events look_at_events(const Program& program);

// A statement behind which a core's program may not come, before others have done something.
bool may_hold_up(const Statement& statement);

}  // namespace fuzz
