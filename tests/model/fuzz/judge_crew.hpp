// SPDX-License-Identifier: MIT OR Apache-2.0
// Generated programs: what may happen while cores stand still, and which cores may work for a pool that is asked for
// fewer. As judge.hpp.
#pragma once

#include <weft/weft.hpp>

#include "engine/machine.hpp"
#include "engine/scenario.hpp"
#include "tree.hpp"

namespace fuzz {

// Which core is in the middle of what.
class Whereabouts {
public:
    void begin(const Program& program) { program_ = &program; }

    void task_begins(unsigned pool) {
        On& its = here(pool);
        ++its.tasks;
        const unsigned entries = weft::model::machine.entries(weft::Port::core_id());
        if (its.first != 0 && its.calls == its.first_calls && entries == its.first_entries) return;
        its.first = weft::model::steps(), its.first_calls = its.calls, its.first_entries = entries;
    }
    void task_ends(unsigned pool) { --here(pool).tasks; }
    void run_begins(unsigned pool) { here(pool).runs = true; }
    void run_ends(unsigned pool) { here(pool).runs = false, has_run_[pool] = true; }
    // A statement that names the pool: it may make the core a worker for a while, if it has no task of the pool.
    void call_begins(unsigned pool, bool may_sleep_as_worker) {
        if (here(pool).tasks != 0) return;
        ++here(pool).calls;
        weft::model::machine.forget_parks();
        here(pool).sleeps = may_sleep_as_worker;
    }
    // In a task: since when the core has surely been a worker, without a break. It has begun the first task of this
    // time, or has slept before, in a call in which only workers do.
    unsigned works_since(unsigned pool) {
        const On& its = here(pool);
        const unsigned parked = weft::model::machine.first_park(weft::Port::core_id());
        const bool has_slept = its.sleeps && program_->pools.size() == 1 && parked != 0;
        return has_slept && parked < its.first ? parked : its.first;
    }

    // It works for the pool: it is in a task, in run(), or was started.
    bool works(unsigned pool) const {
        const unsigned self = weft::Port::core_id();
        if (on_[pool][self].tasks != 0) return true;
        return self < program_->pools[pool].cores &&
               (on_[pool][self].runs || weft::model::machine.runs_entry(self));
    }
    unsigned tasks_here(unsigned pool) const { return on_[pool][weft::Port::core_id()].tasks; }
    bool in_task(unsigned pool, unsigned core) const { return on_[pool][core].tasks != 0; }
    bool in_run(unsigned pool, unsigned core) const { return on_[pool][core].runs; }
    // Some run() has come back.
    bool has_run(unsigned pool) const { return has_run_[pool]; }
    // Of a program with one pool.
    bool was_started(unsigned core) const { return weft::model::machine.runs_entry(core); }

private:
    struct On {
        unsigned tasks = 0;  // one on top of the other
        bool runs = false;
        unsigned calls = 0;
        bool sleeps = false;
        unsigned first = 0, first_calls = 0, first_entries = 0;
    };
    On& here(unsigned pool) { return on_[pool][weft::Port::core_id()]; }

    const Program* program_ = nullptr;
    On on_[most_pools][weft::model::max_cores];
    bool has_run_[most_pools] = {};
};

// While an owner has the others stand it writes a plain word that all tasks read: a race is reported by the engine.
class StillJudge {
public:
    // `stands`: nothing but a fault keeps the cores from standing in time.
    template <class Call>
    bool quiesced(unsigned pool, uint32_t ticks, bool stands, Call call) {
        Notes& notes = notes_[pool];
        const uint64_t begun = weft::model::machine.elapsed();
        const bool was_owner = is_owner(pool);
        ++notes.tries;
        notes.tried_by |= 1u << weft::Port::core_id();
        ++notes.trying;
        const weft::Status status = call();
        --notes.trying;
        const uint64_t spent = weft::model::machine.elapsed() - begun;
        if (was_owner) {
            weft::model::check(status == weft::Status::wrong_context, "quiesce by the owner: wrong_context");
        } else if (ticks >= 1u << 31) {
            weft::model::check(status == weft::Status::out_of_range, "quiesce: out_of_range");
        } else if (status == weft::Status::timed_out) {
            weft::model::check(spent >= ticks, "quiesce has timed out too early");
            weft::model::check(!stands, "quiesce has timed out, and nothing kept the cores from standing");
        } else if (status == weft::Status::busy) {
            // Nothing need order this call behind the end of another one.
            const bool others = (notes.tried_by & ~(1u << weft::Port::core_id())) != 0;
            weft::model::check(others, "quiesce: busy, and nobody else has called it");
        } else {
            weft::model::check(status == weft::Status::ok, "quiesce: ok, busy or timed_out");
            weft::model::check(notes.owner < 0, "two owners");
            notes.owner = static_cast<int>(weft::Port::core_id());
            notes.starts = weft::model::machine.starts();
            // Who had claimed the owner's own core, and was slow, may start it meanwhile: when it leaves its program.
            notes.own_starts = weft::model::machine.runs_entry(weft::Port::core_id()) ? 0 : 1;
            notes.flash.set(notes.flash.get() + 1);
            return true;
        }
        return false;
    }
    template <class Call>
    void resumed(unsigned pool, Call call) {
        Notes& notes = notes_[pool];
        const bool owner = is_owner(pool);
        if (owner) {
            weft::model::check(weft::model::machine.starts() - notes.starts <= notes.own_starts || !alone_,
                               "a core was started while all others stood");
            notes.flash.set(notes.flash.get() + 1);
            notes.owner = -1;
        }
        ++notes.trying;
        const weft::Status status = call();
        --notes.trying;
        weft::model::check(status == (owner ? weft::Status::ok : weft::Status::wrong_context),
                           "resume: ok by the owner, else wrong_context");
    }
    void begin(const Program& program) {
        alone_ = program.pools.size() == 1;
        // What the image's own code starts for another pool, while all of this one stand, is the image's concern: that
        // code does not stand. (Not of the one core that has them stand: it does one thing after the other.)
        unsigned stills = 0;
        for_all(program, [&stills](const Statement& one) { stills += one.op == Op::still ? 1 : 0; });
        for (const Core& core : program.cores) {
            unsigned own = 0;
            for (const Statement& one : core.body) own += one.op == Op::still ? 1 : 0;
            if (own == stills) continue;
            for (const Statement& one : core.body) notes_[one.pool].by_own_code = true;
        }
    }

    bool is_owner(unsigned pool) const {
        return notes_[pool].owner == static_cast<int>(weft::Port::core_id());
    }
    // A core may be refused that could be started otherwise, while cores stand or are to. `tries`: before the call.
    unsigned tries(unsigned pool) const { return notes_[pool].tries - (is_under_way(pool) ? 1 : 0); }
    bool asked(unsigned pool, unsigned tries) const {
        return is_under_way(pool) || notes_[pool].tries != tries;
    }

    // By a core that works for the pool. Another pool's owner has it stand, too, if it was started: else it runs the
    // image's own code.
    void reads(unsigned pool) {
        const bool was_started = weft::model::machine.runs_entry(weft::Port::core_id());
        for (unsigned other = 0; other != (alone_ ? 1 : most_pools); ++other) {
            const Notes& notes = notes_[other];
            if (other != pool && (!was_started || notes_[pool].by_own_code)) continue;
            weft::model::check(notes.owner < 0 || is_owner(other), "it runs on a core that is to stand");
            static_cast<void>(notes.flash.get());
        }
    }

private:
    bool is_under_way(unsigned pool) const { return notes_[pool].trying != 0 || notes_[pool].owner >= 0; }

    struct Notes {
        weft::Plain<uint32_t> flash{};
        int owner = -1;
        unsigned trying = 0;
        unsigned tries = 0;
        uint32_t tried_by = 0;  // cores, as bits
        unsigned starts = 0;
        unsigned own_starts = 0;
        bool by_own_code = false;  // the image's own code may start a core for it
    };

    bool alone_ = true;  // no other pool, whose cores may be started
    Notes notes_[most_pools];
};

// Cores that leave, and come back. What is said of a core by several at once is not known until it is said again.
class CrewJudge {
public:
    void begin(const Program& program) { program_ = &program; }

    // Something of the pool is used: from now on cores may come. `by_a_task`: ordered behind whatever has submitted it.
    void is_used(unsigned pool, bool by_a_task) {
        Notes& notes = notes_[pool];
        notes.used = true;
        // Nothing orders this behind another core's keep_alive(): who comes for it may sleep without having seen that.
        if (!by_a_task && notes.kept_by != weft::Port::core_id()) notes.leave = false;
    }

    // `closing`: of the pool of the work that follows, or nullptr.
    template <class Call>
    weft::Status retired(unsigned pool, uint32_t core, const bool* closing, Call call) {
        Notes& notes = notes_[pool];
        const uint32_t others = all(pool) & ~bit(core);
        const uint32_t bits = core < 32 ? bit(core) : 0;
        const bool must_fail = core < cores(pool) && (notes.sure_retired & others) == others;
        // What another core has admitted, this one need not have heard of.
        uint32_t maybe = ~notes.sure_admitted;
        for (uint32_t other = 0; other != cores(pool); ++other)
            maybe |= notes.admitted_by[other] != weft::Port::core_id() ? notes.ever_retired & bit(other) : 0;
        const unsigned number = ++notes.calls;
        notes.sure_admitted &= ~bits;
        notes.ever_retired |= bits;
        if (closing != nullptr && bits != 0) ++notes.told[core];
        ++notes.asking;
        const bool alone = notes.asking == 1;
        const weft::Status status = call();
        --notes.asking;
        const bool undisturbed = alone && notes.calls == number;
        maybe |= ~notes.sure_admitted;
        if (status == weft::Status::closed) {
            weft::model::check(closing != nullptr && *closing, "retire: closed, and nobody has shut down");
            // Nothing was changed.
            if (undisturbed && (notes.sure_retired & bits) == 0)
                notes.sure_admitted |= bits & ~notes.doubtful;
            return status;
        }
        if (core >= cores(pool)) {
            weft::model::check(status == weft::Status::unknown_core, "retire: unknown_core");
        } else if (status == weft::Status::core_unavailable) {
            weft::model::check((maybe & others) == others || !undisturbed,
                               "retire: core_unavailable, and another core may come");
            if (undisturbed && (notes.sure_retired & bits) == 0)
                notes.sure_admitted |= bits & ~notes.doubtful;
        } else {
            // The other one may come meanwhile, and be gone again.
            const bool another_waits = closing != nullptr && notes.told[core] > 1;
            weft::model::check(status == weft::Status::ok || (status == weft::Status::busy && another_waits),
                               "retire: ok, or busy with another one that follows");
            weft::model::check(!must_fail || !undisturbed, "the last core that may come is retired");
            if (undisturbed) notes.sure_retired |= bits;
        }
        if (!undisturbed) notes.doubtful |= bits, notes.sure_retired &= ~bits;
        if (undisturbed && status != weft::Status::core_unavailable) notes.doubtful &= ~bits;
        return status;
    }
    template <class Call>
    void admitted(unsigned pool, uint32_t core, Call call) {
        Notes& notes = notes_[pool];
        const uint32_t bits = core < 32 ? bit(core) : 0;
        const unsigned number = ++notes.calls;
        notes.sure_retired &= ~bits;
        ++notes.asking;
        const bool alone = notes.asking == 1;
        const weft::Status status = call();
        --notes.asking;
        const bool undisturbed = alone && notes.calls == number;
        weft::model::check(status == (core < cores(pool) ? weft::Status::ok : weft::Status::unknown_core),
                           "admit: ok or unknown_core");
        if (undisturbed) notes.sure_admitted |= bits, notes.doubtful &= ~bits;
        if (core < cores(pool)) notes.admitted_by[core] = weft::Port::core_id();
        if (!undisturbed) notes.doubtful |= bits, notes.sure_retired &= ~bits;
    }
    template <class Call>
    void limited(unsigned pool, uint32_t most, Call call) {
        Notes& notes = notes_[pool];
        const bool first = !notes.used && notes.limiting == 0 && notes.limits == 0;
        const unsigned number = ++notes.limits;
        ++notes.limiting;
        if (most != 0) notes.cap = most > notes.cap ? most : notes.cap;
        const bool alone = notes.limiting == 1;
        const weft::Status status = call();
        --notes.limiting;
        weft::model::check(status == (most == 0 ? weft::Status::out_of_range : weft::Status::ok),
                           "limit_cores: ok or out_of_range");
        if (most == 0) return;
        const bool undisturbed = alone && notes.limits == number;
        notes.limit = undisturbed ? most : unknown;
        if (first && undisturbed && !notes.used) notes.cap = most;
    }
    template <class Call>
    void kept(unsigned pool, uint32_t ticks, Call call) {
        Notes& notes = notes_[pool];
        const bool first = !notes.used && notes.keeps == 0;
        ++notes.keeps;
        const weft::Status status = call();
        weft::model::check(status == (ticks >= 1u << 31 ? weft::Status::out_of_range : weft::Status::ok),
                           "keep_alive: ok or out_of_range");
        notes.leave = first && !notes.used && notes.keeps == 1 && status == weft::Status::ok;
        notes.kept_by = weft::Port::core_id();
    }

    bool may_be_retired(unsigned pool, uint32_t core) const {
        return (notes_[pool].ever_retired & bit(core)) != 0;
    }
    // It may have left, or may not be started.
    bool is_elastic(unsigned pool) const {
        const Notes& notes = notes_[pool];
        return notes.ever_retired != 0 || notes.limits != 0 || notes.keeps != 0;
    }

    // A task begins here, and has been noted.
    void runs_here(unsigned pool, const Whereabouts& where) const {
        if (program_->pools.size() != 1 || !where.was_started(weft::Port::core_id())) return;
        unsigned at_work = 0;
        for (unsigned core = 0; core != cores(pool); ++core)
            at_work += where.was_started(core) && where.in_task(pool, core) ? 1 : 0;
        weft::model::check(at_work <= notes_[pool].cap, "more cores were started than the limit says");
    }

    static bool is_here(unsigned pool, unsigned core, const Whereabouts& where) {
        return where.was_started(core) || where.in_run(pool, core);
    }
    // Somebody is here, who sleeps in the end.
    bool is_any_here(unsigned pool, const Whereabouts& where) const {
        bool some = false;
        for (unsigned core = 0; core != cores(pool); ++core) some = some || is_here(pool, core, where);
        return some;
    }
    // In the end, when all sleep, whatever has run. One that is alone, and retired, leaves behind its successor.
    void look_at_last(unsigned pool, const Whereabouts& where) const {
        unsigned here = 0, last = 0;
        for (unsigned core = 0; core != cores(pool); ++core) {
            if (is_here(pool, core, where)) ++here, last = core;
        }
        if (here != 1 || where.in_task(pool, last) || (notes_[pool].sure_retired & bit(last)) == 0) return;
        weft::model::check(!has_successor(pool, last), "the last one is retired, and another one could come");
    }
    // The same, where all has run.
    void look_at(unsigned pool, const Whereabouts& where) const {
        const Notes& notes = notes_[pool];
        unsigned here = 0;
        // One in a task. If there is only one more, that is its successor, and stays (ELASTIC 1.2).
        bool retired = false;
        for (unsigned core = 0; core != cores(pool); ++core) {
            if (!is_here(pool, core, where)) continue;
            ++here;
            retired = retired || (where.in_task(pool, core) && (notes.ever_retired & bit(core)) != 0);
        }
        if (here < 2) return;
        const bool all_leave = notes.leave && program_->timers.empty() && !(here == 2 && retired);
        for (unsigned core = 0; core != cores(pool); ++core) {
            if (!is_here(pool, core, where) || where.in_task(pool, core)) continue;
            weft::model::check((notes.sure_retired & bit(core)) == 0, "a core that was retired sleeps on");
            if (!where.was_started(core)) continue;
            weft::model::check(here <= notes.limit, "more cores sleep on than the limit says");
            weft::model::check(!all_leave, "a core sleeps on, and has to leave");
        }
    }

private:
    // Some other core can be started, and always could.
    bool has_successor(unsigned pool, unsigned last) const {
        const Notes& notes = notes_[pool];
        if (notes.limits != 0 || program_->settings.quiesce != 0) return false;
        bool some = false;
        for (unsigned core = 0; core != cores(pool) && core != program_->cores.size(); ++core) {
            const bool may_stay = core != last && (notes.ever_retired & bit(core)) == 0;
            some = some || (may_stay && program_->cores[core].always_comes());
        }
        return some;
    }

    static constexpr uint32_t unknown = ~0u;
    struct Notes {
        bool used = false;
        // Bits. `doubtful`: several have asked for something at once.
        uint32_t sure_retired = 0, sure_admitted = ~0u, ever_retired = 0, doubtful = 0;
        uint32_t told[32] = {};  // how often something was to follow on its leaving
        uint32_t admitted_by[weft::model::max_cores] = {};  // the last one that has done so
        unsigned calls = 0, asking = 0;
        uint32_t limit = unknown;  // in force
        uint32_t cap = unknown;    // the largest one that was, since before the first core could come
        unsigned limits = 0, limiting = 0;
        unsigned keeps = 0;
        uint32_t kept_by = unknown;  // the core of the last one
        bool leave = false;          // each core that sleeps leaves in the end
    };

    static uint32_t bit(uint32_t core) { return core < 32 ? 1u << core : 0; }
    uint32_t cores(unsigned pool) const { return program_->pools[pool].cores; }
    uint32_t all(unsigned pool) const { return (1u << cores(pool)) - 1; }

    const Program* program_ = nullptr;
    Notes notes_[most_pools];
};

// Blocking tasks: no more at a time than the largest limit that was ever asked for; in the loop of a core that
// stays, and nowhere else, but by the joiner.
class BlockJudge {
public:
    void begin(const Program& program) { program_ = &program; }

    template <class Call>
    void limited(unsigned pool, uint32_t most, Call call) {
        Notes& notes = notes_[pool];
        const uint32_t cores = program_->pools[pool].cores;
        const uint32_t cut = most > cores ? cores : most;
        notes.cap = cut > notes.cap ? cut : notes.cap;
        const weft::Status status = call();
        weft::model::check(status == (most == 0 ? weft::Status::out_of_range : weft::Status::ok),
                           "limit_blocking: ok or out_of_range");
    }
    void begins(unsigned pool, const Whereabouts& where, bool joins) {
        Notes& notes = notes_[pool];
        weft::model::check(++notes.running <= notes.cap, "more blocking tasks run than may");
        if (joins || program_->pools.size() != 1) return;
        const unsigned core = weft::Port::core_id();
        weft::model::check(where.in_run(pool, core) || where.was_started(core),
                           "a blocking task, and the core does not stay");
        weft::model::check(where.tasks_here(pool) == 1, "a blocking task on top of another task");
    }
    void ended(unsigned pool) { --notes_[pool].running; }

private:
    struct Notes {
        unsigned running = 0;
        uint32_t cap = 1;
    };

    const Program* program_ = nullptr;
    Notes notes_[most_pools];
};

}  // namespace fuzz
