// SPDX-License-Identifier: MIT OR Apache-2.0
// Generated programs: the answers that the public headers allow, at each call. Its notes are taken in the order of
// execution; what a core has begun or seen may be used against any other, since a call is answered after it has begun.
#pragma once

#include <weft/weft.hpp>

#include "engine/machine.hpp"
#include "engine/scenario.hpp"
#include "judge_crew.hpp"
#include "tree.hpp"
#include "world.hpp"

namespace fuzz {

class Judge {
public:
    void begin(const Program& program, const Demands& demands, const StillJudge& stills,
               const CrewJudge& crew) {
        program_ = &program;
        demands_ = &demands;
        stills_ = &stills;
        crew_ = &crew;
    }

    // submit(), submit(Batch&), submit_from_isr(); of a strand, too
    template <class Call>
    weft::Status submitted(unsigned pool, Call call) {
        const bool must_close = own(pool).knows_end;
        const weft::Status status = call();
        weft::model::check(status == weft::Status::ok || status == weft::Status::closed,
                           "a submit is answered by ok or closed");
        look_at_end(pool, status, must_close);
        return status;
    }

    template <class Call>
    weft::Status pinned(unsigned pool, uint32_t core, Call call) {
        const bool must_close = own(pool).knows_end;
        // What was so before the call.
        const bool could_fail = may_be_unavailable(pool, core);
        const unsigned tries = stills_->tries(pool);
        const weft::Status status = call();
        if (core >= program_->pools[pool].cores) {
            weft::model::check(status == weft::Status::unknown_core, "submit_on: unknown_core");
            return status;
        }
        if (status == weft::Status::core_unavailable) {
            // Somebody else's start of that core may have become overdue meanwhile, and been withdrawn.
            const bool overdue = weft::model::machine.elapsed() >= deadline_of(*program_);
            // And who has cores stand starts none; another core may have been retired meanwhile.
            const bool refused = stills_->asked(pool, tries) || may_be_unavailable(pool, core);
            weft::model::check(could_fail || overdue || refused,
                               "submit_on: core_unavailable for a core that is on or can be started");
            weft::model::check(!must_close, "submit_on: closed after the shutdown");
            return status;
        }
        weft::model::check(status == weft::Status::ok || status == weft::Status::closed,
                           "submit_on: ok, closed or core_unavailable");
        look_at_end(pool, status, must_close);
        return status;
    }

    // submit_on(CoreSet, ...), submit_on_from_isr()
    template <class Call>
    weft::Status submitted_for(unsigned pool, uint32_t cores, Call call) {
        Notes& notes = notes_[pool];
        const uint32_t all = (1u << program_->pools[pool].cores) - 1;
        if (cores == all) return submitted(pool, call);
        const bool several = (cores & (cores - 1)) != 0 && (cores & ~all) == 0;
        const bool must_close = own(pool).knows_end;
        // What was so before the call.
        bool could_fail = true;
        for (uint32_t core = 0; core != program_->pools[pool].cores; ++core)
            could_fail = could_fail && ((cores >> core & 1) == 0 || may_be_off(pool, core));
        const bool has_its_place = several && (notes.sets_taken >> cores & 1) != 0;
        if (several) notes.sets_named |= 1u << cores;
        const unsigned tries = stills_->tries(pool);
        const weft::Status status = call();
        if (status == weft::Status::closed && cores != 0 && (cores & ~all) == 0) {
            weft::model::check(notes.closing, "closed before anybody has called shutdown()");
            return status;
        }
        if (cores == 0 || (cores & ~all) != 0) {
            weft::model::check(
                status == (cores == 0 ? weft::Status::out_of_range : weft::Status::unknown_core),
                "submit_on a bad set: out_of_range or unknown_core");
            return status;
        }
        weft::model::check(!must_close, "submit_on: closed after the shutdown");
        if (status == weft::Status::out_of_range) {
            const uint32_t others = notes.sets_named & ~(1u << cores);
            weft::model::check(several && !has_its_place && count(others) >= WEFT_CORE_SETS,
                               "submit_on: out_of_range though there is a place for the set");
        } else if (status == weft::Status::core_unavailable) {
            const bool overdue = weft::model::machine.elapsed() >= deadline_of(*program_);
            weft::model::check(
                could_fail || overdue || stills_->asked(pool, tries),
                "submit_on: core_unavailable for a set of which a core is on or can be started");
        } else {
            weft::model::check(status == weft::Status::ok, "submit_on a set: an answer that is none");
            if (several) notes.sets_taken |= 1u << cores;
            weft::model::check(count(notes.sets_taken) <= WEFT_CORE_SETS, "more sets than there are places");
        }
        return status;
    }

    // `inside`: the pool of the task in which the call stands, or -1.
    template <class Call>
    void ran(unsigned pool, int inside, Call call) {
        const bool known = self() < program_->pools[pool].cores;
        const weft::Status status = call();
        if (!known) {
            weft::model::check(status == weft::Status::unknown_core, "run: unknown_core");
        } else if (status == weft::Status::closed) {
            weft::model::check(notes_[pool].joins != 0, "run: closed before anybody joined");
        } else if (inside == static_cast<int>(pool)) {
            weft::model::check(status == weft::Status::wrong_context, "run in a task: wrong_context");
        } else if (status == weft::Status::retired) {
            weft::model::check(crew_->may_be_retired(pool, self()),
                               "run: retired, and nobody has asked for it");
        } else {
            weft::model::check(status == weft::Status::ok, "run: ok");
            weft::model::check(notes_[pool].closing, "run ends by the shutdown");
            own(pool).knows_end = true;
        }
    }

    template <class Call>
    weft::Polled polled(unsigned pool, int inside, uint32_t most, Call call) {
        const bool known = self() < program_->pools[pool].cores;
        // Who was told by a poll only may see the join before the shutdown, and be told otherwise once more.
        const bool must_close = own(pool).knows_end;
        const unsigned before = own(pool).strand_runs;
        const weft::Polled polled = call();
        const weft::Status status = polled.status;
        const bool works = known && inside != static_cast<int>(pool) && status == weft::Status::ok;
        weft::model::check(polled.tasks <= (works ? most : 0), "poll runs at most as many as it may");
        weft::model::check(own(pool).strand_runs - before <= polled.tasks * WEFT_STRAND_BURST,
                           "a burst of a strand ends");
        if (most == 0) {
            weft::model::check(status == weft::Status::ok, "poll(0): ok");
        } else if (!known) {
            weft::model::check(status == weft::Status::unknown_core, "poll: unknown_core");
        } else if (inside == static_cast<int>(pool)) {
            const bool joins = status == weft::Status::closed && own(pool).joining != 0;
            weft::model::check(status == weft::Status::wrong_context || joins,
                               "poll in a task: wrong_context");
        } else if (status == weft::Status::closed) {
            // What it sees may be that somebody joins, which orders nothing: a submit may still be accepted.
            weft::model::check(notes_[pool].closing, "poll: closed before anybody has called shutdown()");
        } else {
            weft::model::check(status == weft::Status::ok, "poll: ok or closed");
            weft::model::check(!must_close || polled.tasks != 0, "poll: closed when nothing is left");
        }
        return polled;
    }

    // wait_idle(), by a core itself. True: all has run.
    template <class Call>
    bool was_idle(unsigned pool, Call call) {
        const weft::Status status = call();
        if (status == weft::Status::closed) {
            weft::model::check(notes_[pool].closing,
                               "wait_idle: closed before anybody has called shutdown()");
            return false;
        }
        weft::model::check(status == weft::Status::ok, "wait_idle: ok or closed");
        return true;
    }

    // False: the calling core works for the pool, and may not.
    template <class Call>
    bool joined(unsigned pool, int inside, Call call) {
        Notes& notes = notes_[pool];
        for (;;) {  // ends: when nobody else joins
            ++notes.joins;
            ++own(pool).joining;
            const weft::Status status = call();
            --own(pool).joining;
            if (inside == static_cast<int>(pool)) {
                weft::model::check(status == weft::Status::wrong_context, "join in a task: wrong_context");
                return false;
            }
            if (status == weft::Status::ok) break;
            weft::model::check(status == weft::Status::wrong_context && notes.joins > 1,
                               "join: ok, or wrong_context while another core joins");
            weft::Port::relax();
        }
        weft::model::check(notes.closing, "join waits for the shutdown");
        notes.joined = true;
        own(pool).knows_end = true;
        return true;
    }
    // Behind a join: each task that it has handed back is noted as such.
    void took_left_over(unsigned pool) { own(pool).has_joined = true; }

    template <class Call>
    void closes(unsigned pool, weft::Shutdown mode, Call call) {
        notes_[pool].closing = true;
        notes_[pool].abandoned = notes_[pool].abandoned || mode == weft::Shutdown::abandon;
        call();
        own(pool).knows_end = true;
        own(pool).has_abandoned = own(pool).has_abandoned || mode == weft::Shutdown::abandon;
    }

    static constexpr uint32_t any_core = ~0u;
    // What runs in a wait counts as a part of the task that waits.
    void runs_in_strand(unsigned pool) { own(pool).strand_runs += own(pool).waits == 0 ? 1 : 0; }
    void waits_here(unsigned pool, bool begins) { begins ? ++own(pool).waits : --own(pool).waits; }
    const bool& closing(unsigned pool) const { return notes_[pool].closing; }
    bool abandoned(unsigned pool) const { return notes_[pool].abandoned; }
    bool was_joined(unsigned pool) const { return notes_[pool].joined; }
    bool has_joined_here(unsigned pool) { return own(pool).has_joined; }
    bool joins_here(unsigned pool) { return own(pool).joining != 0; }
    bool knows_end(unsigned pool) { return own(pool).knows_end; }

    // A task begins here; `cores`: on which it may run, as bits.
    void runs_here(unsigned pool, uint32_t cores, bool is_mandatory = false) {
        weft::model::check(self() < program_->pools[pool].cores || own(pool).joining != 0,
                           "a task runs on a core of the pool");
        weft::model::check(cores == any_core || (cores >> self() & 1) != 0,
                           "a task runs on a core that it was submitted for");
        weft::model::check(is_mandatory || !own(pool).has_abandoned,
                           "who has abandoned the pool begins no task of it");
        // The joiner is no worker.
        if (own(pool).joining == 0) own(pool).works = true;
    }

    // In the end: `world` has the pools.
    template <class World>
    void look_at_starts(World& world) const {
        unsigned failures = 0;
        for (unsigned i = 0; i != program_->pools.size(); ++i) failures += world.pools[i]->start_failures();
        const weft::model::Machine& machine = weft::model::machine;
        weft::model::check(failures >= machine.failed_starts(), "every start that failed was counted");
        if (demands_->withdraws || machine.elapsed() >= deadline_of(*program_)) return;
        weft::model::check(failures == machine.failed_starts(), "no start was withdrawn before its deadline");
    }

private:
    struct Notes {
        bool closing = false;  // somebody has called shutdown()
        bool abandoned = false;
        unsigned joins = 0;  // calls of join()
        bool joined = false;
        // Bits, by the sets' masks: of two cores or more. That were used, and that an ok has shown to have a place.
        uint32_t sets_named = 0, sets_taken = 0;
        struct Own {
            bool knows_end = false;  // this core has shut the pool down, or was told of its end
            bool works = false;      // a task was run here
            unsigned joining = 0;    // calls, one within the other
            bool has_abandoned = false;
            bool has_joined = false;
            unsigned strand_runs = 0;
            unsigned waits = 0;  // for works, one on top of the other
        } own[weft::model::max_cores];
    };

    static unsigned self() { return weft::Port::core_id(); }
    Notes::Own& own(unsigned pool) { return notes_[pool].own[self()]; }

    void look_at_end(unsigned pool, weft::Status status, bool must_close) const {
        weft::model::check(status != weft::Status::closed || notes_[pool].closing,
                           "closed before anybody has called shutdown()");
        weft::model::check(status == weft::Status::closed || !must_close, "closed after the shutdown");
    }
    static unsigned count(uint32_t bits) { return static_cast<unsigned>(__builtin_popcount(bits)); }
    // A handler starts no core. So all that is known is who has run a task, or makes the call.
    bool may_be_off(unsigned pool, uint32_t core) const {
        if (weft::Port::in_isr()) return !notes_[pool].own[core].works && core != self();
        return may_be_unavailable(pool, core);
    }
    // Is the core off, and could a start of it fail? Not if it works, or names itself. A core with a program of its own
    // cannot be started, or not now; one that two pools share may be with the other.
    bool may_be_unavailable(unsigned pool, uint32_t core) const {
        if (core >= program_->cores.size() || core >= program_->pools[pool].cores) return true;
        if (crew_->may_be_retired(pool, core)) return true;
        if (core == self()) return false;
        if (crew_->is_elastic(pool) || notes_[pool].own[core].works) return crew_->is_elastic(pool);
        const Core& its = program_->cores[core];
        if (its.boots || its.late.empty() || program_->pools.size() > 1) return true;
        for (const Start start : its.late) {
            if (start == Start::refused || start == Start::absent) return true;
        }
        return false;
    }

    const Program* program_ = nullptr;
    const Demands* demands_ = nullptr;
    const StillJudge* stills_ = nullptr;
    const CrewJudge* crew_ = nullptr;
    Notes notes_[most_pools];
};

}  // namespace fuzz
