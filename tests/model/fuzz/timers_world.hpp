// SPDX-License-Identifier: MIT OR Apache-2.0
// Generated programs: the timers of a run.
#pragma once

#include <weft/weft.hpp>

#include <new>

#include "engine/scenario.hpp"
#include "judge_timers.hpp"
#include "tree.hpp"

#if WEFT_TIMERS
#include <weft/timer.hpp>
#endif

namespace fuzz {

#if WEFT_TIMERS

class Timers {
public:
    // `followers`: one for each timer.
    template <class Pools, class Followers>
    void build(const Program& program, Pools& pools, Followers& followers) {
        for (unsigned i = 0; i != program.timers.size(); ++i)
            new (&timer(i)) weft::Timer(*pools[program.timers[i].pool], followers[i]);
    }
    weft::Status start(const Program& program, const Statement& statement, bool handler) {
        weft::Timer& its = timer(statement.number[0]);
        const uint32_t ticks = statement.number[1];
        const uint32_t slack = statement.number[2];
        const uint32_t tick = program.machine.clock + ticks;
        switch (statement.op) {
            case Op::after:
                return handler ? its.start_after_from_isr(ticks, slack) : its.start_after(ticks, slack);
            case Op::at: return handler ? its.start_at_from_isr(tick, slack) : its.start_at(tick, slack);
            default: return handler ? its.start_every_from_isr(ticks, slack) : its.start_every(ticks, slack);
        }
    }
    Answer cancel(unsigned number, bool handler) {
        switch (handler ? timer(number).cancel_from_isr() : timer(number).cancel()) {
            case weft::CancelResult::cancelled: return Answer::cancelled;
            case weft::CancelResult::too_late: return Answer::too_late;
            default: return Answer::not_armed;
        }
    }
    bool is_armed(unsigned number) { return timer(number).is_armed(); }
    uint32_t missed(unsigned number) { return timer(number).missed(); }
    // As a task that is handed back: its number, or -1.
    int number_of(const weft::Task* task) const {
        const uintptr_t at = reinterpret_cast<uintptr_t>(task);
        for (unsigned i = 0; i != most_timers; ++i) {
            const uintptr_t begin = reinterpret_cast<uintptr_t>(memory_[i]);
            if (at >= begin && at < begin + sizeof memory_[i]) return static_cast<int>(i);
        }
        return -1;
    }
    void end(unsigned number) { weft::model::end_of_life(memory_[number], sizeof memory_[number]); }

private:
    weft::Timer& timer(unsigned number) { return *reinterpret_cast<weft::Timer*>(memory_[number]); }

    alignas(64) unsigned char memory_[most_timers][sizeof(weft::Timer)];
};

#else

// The law lets no program with timers through.
class Timers {
public:
    template <class Pools, class Followers>
    void build(const Program&, Pools&, Followers&) {}
    weft::Status start(const Program&, const Statement&, bool) { return weft::Status::ok; }
    Answer cancel(unsigned, bool) { return Answer::not_armed; }
    bool is_armed(unsigned) { return false; }
    uint32_t missed(unsigned) { return 0; }
    int number_of(const weft::Task*) const { return -1; }
    void end(unsigned) {}
};

#endif

}  // namespace fuzz
