// SPDX-License-Identifier: MIT OR Apache-2.0
// Generated programs: which events come for sure.
#include "sources.hpp"

#include <algorithm>

namespace fuzz {

bool may_hold_up(const Statement& statement) {
    switch (statement.op) {
        case Op::run:
        case Op::serve:
        case Op::await:
        case Op::cycle:
        case Op::idle:
        case Op::join:
        case Op::call:
        case Op::crew:
        case Op::finish:
        case Op::pin:  // tried again until the core takes it
        case Op::among:
        case Op::lot:
        case Op::arrive:  // likewise
        case Op::meet:
        case Op::forever: return true;
        default: break;
    }
    if (statement.waits) return true;
    if (hands_in(statement.op)) return false;
    for (const Block& block : statement.blocks) {
        if (std::any_of(block.begin(), block.end(), may_hold_up)) return true;
    }
    return false;
}

class EventWalk {
public:
    explicit EventWalk(Events& events) : events_(events) {}

    // `sure`: what stands here is executed whoever waits for what; tasks of `pool` (-1: none).
    void walk(const Block& block, unsigned copies, bool sure, int pool) {
        answer(block);
        for (const Statement& statement : block) {
            if (Events::Event* const event = event_of(statement)) {
                const bool here = sure && (pool < 0 || pool == static_cast<int>(statement.pool));
                event->waits += statement.op == Op::wait ? copies : 0;
                event->cleared = event->cleared || statement.op == Op::clear;
                event->sure_set = event->sure_set || (here && statement.op == Op::set);
                event->sure_signal = event->sure_signal || (here && statement.op == Op::signal);
            }
            bool inner = sure && statement.op != Op::wait && !is_for_cores(statement.op);
            int its = pool;
            if (hands_in(statement.op) || statement.op == Op::call || statement.op == Op::crew) {
                inner = inner && (pool < 0 || pool == static_cast<int>(statement.pool));
                its = static_cast<int>(statement.pool);
            }
            for (const Block& child : statement.blocks)
                walk(child, copies * copies_of(statement), inner, its);
            if (may_hold_up(statement)) sure = false;
        }
    }

private:
    Events::Event* event_of(const Statement& statement) {
        const bool its = statement.op == Op::wait || statement.op == Op::clear || gives(statement.op);
        if (!its || statement.number[0] >= most_sources || statement.pool >= most_pools) return nullptr;
        return &events_.each_[statement.pool][statement.number[0]];
    }
    // Each wait takes one of the signals behind it in the block.
    void answer(const Block& block) {
        constexpr unsigned all = 1000;
        unsigned left[most_pools][most_sources] = {};
        for (size_t i = block.size(); i-- != 0;) {
            const Statement& statement = block[i];
            if (Events::Event* const event = event_of(statement)) {
                unsigned& here = left[statement.pool][statement.number[0]];
                if (statement.op == Op::signal) ++here;
                if (statement.op == Op::set) here = all;
                if (statement.op != Op::wait) continue;
                if (here == 0) event->each_answered = false;
                if (here != 0 && here < all) --here;
            }
            if (!may_hold_up(statement)) continue;
            for (auto& each : left) std::fill(each, each + most_sources, 0u);
        }
    }

    Events& events_;
};

Events look_at_events(const Program& program) {
    Events events;
    EventWalk walk(events);
    for (const Core& core : program.cores) walk.walk(core.body, 1, true, -1);
    for (const Handler& handler : program.handlers) walk.walk(handler.body, handler.times, true, -1);
    // How often a follower runs is not known yet: many waits.
    for (const Statement& gate : program.gates) {
        for (const Block& follower : gate.blocks) walk.walk(follower, 2, false, static_cast<int>(gate.pool));
    }
    for (const Statement& timer : program.timers) {
        for (const Block& follower : timer.blocks)
            walk.walk(follower, 2, false, static_cast<int>(timer.pool));
    }
    for (auto& pool : events.each_) {
        for (Events::Event& event : pool) {
            event.sure = !event.cleared &&
                         (event.sure_set || event.each_answered || (event.waits == 1 && event.sure_signal));
        }
    }
    return events;
}

}  // namespace fuzz
