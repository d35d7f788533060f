// SPDX-License-Identifier: MIT OR Apache-2.0
// Generated programs: a scenario out of a tree.
#pragma once

#include "engine/scenario.hpp"
#include "tree.hpp"

namespace fuzz {

// What the judge may ask for, besides what holds always. From legal.cpp.
struct Demands {
    bool endless[most_pools] = {};    // nobody shuts it down: cores sleep in the end
    bool all_run[most_pools] = {};    // every task of it runs without anybody's help
    bool one_stays[most_pools] = {};  // a core, for what the function of a sleeping pool submits
    bool patient[most_pools] = {};    // a pin that the core does not take yet is tried again
    bool racing[most_pools] = {};     // it may be shut down while it is used
    bool gone[most_pools] = {};       // the memory of the pool is somebody else's when its join has returned
    bool timed[most_pools] = {};      // what is armed fires: some core is there to the end
    bool prompt[most_pools] = {};     // at once, while no time passes but when all cores rest
    bool sleeps[most_pools] = {};     // who works for it sleeps in the end, and nobody else has worked for it
    bool stands[most_pools] = {};  // its cores come to where they stand, and no time passes but when all rest
    bool rests[most_pools] = {};   // all cores sleep in the end
    bool succeeds[most_pools] = {};  // who could come for the last one that is retired comes
    bool blocks[most_pools] = {};    // some of its tasks may be blocking ones
    bool pins_may_fail = false;      // what is refused to be pinned counts as run (moves.hpp, across.hpp)
    uint64_t sure_pins = 0;  // bits, by the statements' ids: pins to a core that is there, or can be started
    bool withdraws = false;  // starts are withdrawn before their deadline: somebody abandons the pool
};

// The program must stay where it is and be numbered; there is one at a time.
weft::model::Scenario scenario_of(const Program& program, const Layout& layout, const Demands& demands);

}  // namespace fuzz
