// SPDX-License-Identifier: MIT OR Apache-2.0
// Generated programs: what strands, gates and events promise. Notes as in judge.hpp: nothing here orders the cores.
#pragma once

#include <weft/weft.hpp>

#include "engine/scenario.hpp"
#include "tree.hpp"

namespace fuzz {

class SourceJudge {
public:
    void begin(const Program& program, const Layout& layout) {
        program_ = &program;
        layout_ = &layout;
    }

    // ---- Order: of two calls of one core the one ends before the other begins

    void comes(unsigned task) {
        Turn& turn = turns_[task];
        turn.core = static_cast<int>(self());
        turn.begun = line_of(task).accepted[self()];
    }
    void was_accepted(unsigned task) { turns_[task].accepted = ++line_of(task).accepted[self()]; }
    // The task leaves a strand: it runs, or is handed back.
    void leaves_strand(unsigned task) {
        for (unsigned other = 0; other != layout_->tasks.size(); ++other) {
            if (comes_before(other, task))
                weft::model::check(turns_[other].gone, "a strand keeps the order of a submitter");
        }
        turns_[task].gone = true;
    }
    // It was in the event to the end.
    void was_left_waiting(unsigned task) {
        for (unsigned other = 0; other != layout_->tasks.size(); ++other) {
            if (comes_before(task, other))
                weft::model::check(!turns_[other].gone, "an event lets the one go that has waited longest");
        }
        turns_[task].gone = true;
    }
    void let_go(unsigned task) { turns_[task].gone = true; }

    // ---- Strands

    void strand_runs(unsigned task) {
        Strand& strand = strand_of(statement(task));
        weft::model::check(!strand.busy, "two tasks of a strand overlap");
        weft::model::check(strand.order.get() == strand.begun, "a task of a strand sees those before it");
        strand.busy = true;
        strand.order.set(++strand.begun);
        leaves_strand(task);
    }
    void strand_ran(unsigned task) {
        Strand& strand = strand_of(statement(task));
        weft::model::check(strand.busy && strand.order.get() == strand.begun,
                           "two tasks of a strand overlap");
        strand.busy = false;
    }

    // ---- Gates

    // Before an arrival, which may be tried more than once.
    void arrives(const Statement& statement) {
        if (!can_count(statement)) return;
        Gate& gate = gates_[statement.number[0]];
        gate.begun += statement.number[1];
        gate.arrived.fetch_add(statement.number[1], weft::relaxed);
    }
    // The answers that it may get. `closing`: somebody has called shutdown(); `must_close`: and this core knows.
    template <class Call>
    weft::Status arrived(const Statement& statement, const bool& closing, bool must_close, Call call) {
        Gate& gate = gates_[statement.number[0]];
        const uint32_t all = program_->gates[statement.number[0]].number[0];
        const uint32_t by = statement.number[1];
        const weft::Status status = call();
        if (!can_count(statement)) {
            weft::model::check(status == weft::Status::not_expected,
                               "nobody, or more than are missing: not_expected");
        } else if (status == weft::Status::not_expected) {
            weft::model::check(gate.begun > all && (by != 1 || gate.begun >= 2 * all),
                               "not_expected, and it was expected");
        } else if (status == weft::Status::closed) {
            weft::model::check(closing && gate.begun >= all, "an arrival is refused that was not the last");
            gate.closed = true;
        } else {
            weft::model::check(status == weft::Status::ok, "arrive: ok, not_expected or closed");
            weft::model::check(by != all || !must_close, "the last arrival is refused after the shutdown");
            gate.counted += by;
        }
        return status;
    }
    // The follower begins; returns how often it had begun before.
    unsigned follower_runs(unsigned number) {
        Gate& gate = gates_[number];
        const uint32_t all = program_->gates[number].number[0];
        weft::model::check(gate.arrived.load(weft::relaxed) >= all,
                           "a follower sees what came before the arrivals");
        weft::model::check((gate.runs + 1) * all <= gate.begun, "a follower runs before its arrivals");
        ++gate.runs;
        return gate.turn.fetch_add(1, weft::relaxed);
    }
    unsigned runs_of_follower(unsigned number) const { return gates_[number].runs; }
    void gate_came_back(unsigned number) {
        weft::model::check(++gates_[number].came_back == 1, "a gate is queued once at a time");
    }

    // ---- Events

    // set(), signal(), clear(), wait(): `call` is one of them. `joined`: this core has joined the pool.
    template <class Call>
    weft::Status event_call(const Statement& statement, const bool& closing, bool joined, Call call) {
        Event& event = event_of(statement);
        const unsigned calls = ++event.calls;
        const bool alone = is_alone(event);  // and nobody has called meanwhile
        const bool must_close = joined && alone && waits_by_this_core(statement);
        if (event.going_on[self()] != 0 && statement.op != Op::wait) event.by = nobody_alone;
        ++event.going_on[self()];
        if (gives(statement.op)) {
            note_giver(event);
            event.cleared = false;
            ++event.gives;
            event.sets += statement.op == Op::set ? 1 : 0;
            event.told.fetch_add(1, weft::relaxed);
        } else if (statement.op == Op::clear) {
            note_giver(event);
            ++event.clears;
        } else {
            ++event.waits;
        }
        const weft::Status status = call();
        --event.going_on[self()];
        if (statement.op == Op::clear)
            event.cleared = event.by == static_cast<int>(self()) && alone && event.calls == calls;
        if (!gives(statement.op)) return status;
        weft::model::check(status == weft::Status::closed || !must_close || event.calls != calls,
                           "set, signal: closed after a join, if tasks wait");
        weft::model::check(
            status == weft::Status::ok || (status == weft::Status::closed && closing && event.waits != 0),
            "set, signal: ok; closed if the pool has ended and tasks wait");
        return status;
    }
    // Before the call of wait().
    void waits(unsigned task) {
        const Event& event = event_of(statement(task));
        Turn& turn = turns_[task];
        turn.must_stay = event.by == static_cast<int>(self()) && event.cleared;
        turn.gives = event.gives;
    }
    void was_let_go(unsigned task) {
        Event& event = event_of(statement(task));
        const Turn& turn = turns_[task];
        weft::model::check(event.gives != 0, "a task is let go by nobody");
        weft::model::check(event.told.load(weft::relaxed) != 0,
                           "a task sees what was written before its signal");
        weft::model::check(!turn.must_stay || event.gives > turn.gives,
                           "let go by a signal that was cleared");
        ++event.let_go;
        weft::model::check(event.sets != 0 || event.let_go <= event.gives, "a signal lets one task go");
        let_go(task);
    }

    // ---- The end. `all_run`: of its pool; `endless`: nobody has shut that down.

    void look_at_gate(unsigned number, bool all_run, bool endless) const {
        const Gate& gate = gates_[number];
        const unsigned opened = gate.counted / program_->gates[number].number[0];
        const unsigned ends = gate.runs + gate.came_back;
        // With an arrival that was too late a round may be lost.
        const bool may_miss = gate.closed || (endless && !all_run);
        weft::model::check(ends == opened || (may_miss && ends < opened),
                           "a follower runs once in each round");
    }
    // A task that no signal has reached, although the pool goes on.
    void stayed(unsigned task) const {
        const Event& event = event_of(statement(task));
        const bool lost = event.clears == 0 && (event.sets != 0 || (event.gives != 0 && event.let_go == 0));
        weft::model::check(!lost, "a signal is lost");
    }

private:
    static constexpr int nobody = -1;
    static constexpr int nobody_alone = -2;
    struct Turn {
        int core = nobody;
        unsigned begun = 0;     // accepted of this core before
        unsigned accepted = 0;  // and with this one; 0: not
        bool gone = false;
        bool must_stay = false;  // until there are more than this many
        unsigned gives = 0;
    };
    struct Line {
        unsigned accepted[weft::model::max_cores] = {};
    };
    struct Strand {
        weft::Plain<uint32_t> order{};
        unsigned begun = 0;
        bool busy = false;
        Line line;
    };
    struct Gate {
        weft::Atomic<uint32_t> arrived{};
        weft::Atomic<uint32_t> turn{};
        uint32_t begun = 0;    // the sum of all arrivals that may count
        uint32_t counted = 0;  // of those that did
        unsigned runs = 0;
        unsigned came_back = 0;
        bool closed = false;
    };
    struct Event {
        weft::Atomic<uint32_t> told{};
        unsigned calls = 0, gives = 0, sets = 0, clears = 0, waits = 0, let_go = 0;
        int by = nobody;       // whose are all sets, signals and clears
        bool cleared = false;  // the last of them was a clear, and nothing else went on
        unsigned going_on[weft::model::max_cores] = {};
        Line line;
    };

    bool can_count(const Statement& arrival) const {
        return arrival.number[1] != 0 && arrival.number[1] <= program_->gates[arrival.number[0]].number[0];
    }
    static unsigned self() { return weft::Port::core_id(); }
    const Statement& statement(unsigned task) const { return *layout_->tasks[task].statement; }
    Strand& strand_of(const Statement& one) { return strands_[one.pool][one.number[0]]; }
    Event& event_of(const Statement& one) { return events_[one.pool][one.number[0]]; }
    const Event& event_of(const Statement& one) const { return events_[one.pool][one.number[0]]; }
    Line& line_of(unsigned task) {
        const Statement& one = statement(task);
        return one.op == Op::strand ? strand_of(one).line : event_of(one).line;
    }
    bool comes_before(unsigned first, unsigned second) const {
        const Turn& a = turns_[first];
        const Turn& b = turns_[second];
        const Statement& one = statement(first);
        const Statement& other = statement(second);
        const bool same = one.op == other.op && one.pool == other.pool && one.number[0] == other.number[0];
        return same && a.core != nobody && a.core == b.core && a.accepted != 0 && a.accepted <= b.begun;
    }
    static void note_giver(Event& event) {
        const int core = static_cast<int>(self());
        if (event.by == nobody) event.by = core;
        if (event.by != core) event.by = nobody_alone;
    }
    // A task for which this core called wait().
    bool waits_by_this_core(const Statement& of) const {
        for (unsigned task = 0; task != layout_->tasks.size(); ++task) {
            const Turn& turn = turns_[task];
            const Statement& its = statement(task);
            const bool same = its.op == Op::wait && its.pool == of.pool && its.number[0] == of.number[0];
            if (same && turn.core == static_cast<int>(self()) && turn.accepted != 0 && !turn.gone)
                return true;
        }
        return false;
    }
    static bool is_alone(const Event& event) {
        unsigned all = 0;
        for (const unsigned each : event.going_on) all += each;
        return all == 0;
    }

    const Program* program_ = nullptr;
    const Layout* layout_ = nullptr;
    Turn turns_[most_tasks];
    Strand strands_[most_pools][most_sources];
    Gate gates_[most_sources];
    Event events_[most_pools][most_sources];
};

}  // namespace fuzz
