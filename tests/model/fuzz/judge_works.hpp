// SPDX-License-Identifier: MIT OR Apache-2.0
// Generated programs: what work.hpp promises of waits and cancels, and scheduler.hpp of the function that is called
// when all sleep. Its notes are taken in the order of execution, as in judge.hpp.
#pragma once

#include <weft/weft.hpp>
#include <weft/work.hpp>

#include "engine/machine.hpp"
#include "engine/scenario.hpp"
#include "tree.hpp"

namespace fuzz {

class WorkJudge {
public:
    void begin(const Program& program, const Layout& layout) {
        program_ = &program;
        layout_ = &layout;
    }

    // Before a submit. False: the round before was not done, as the pool has ended.
    template <class Works>
    bool may_begin(Works& works, unsigned number) {
        Notes& its = notes_[number];
        if (its.begun != 0) {
            if (!its.waited) return false;
            weft::model::check(works.work(number).reset() == weft::Status::ok,
                               "reset of a round that is done: ok");
            its.waited = false;
        }
        ++its.begun;
        its.runs = 0;
        its.input.set(its.begun);
        return true;
    }
    // It may run on these cores only, until it is submitted again.
    void is_for(unsigned number, uint32_t cores) { notes_[number].cores = cores; }
    uint32_t cores_of(unsigned number) const { return notes_[number].cores; }
    void was_begun(unsigned number, weft::Status status, bool by_a_core) {
        Notes& its = notes_[number];
        const bool taken = status == weft::Status::ok;
        its.refused = !taken;
        its.accepted += taken ? 1 : 0;
        if (by_a_core) its.core = static_cast<int>(weft::Port::core_id());
    }
    // Its callable; `since`: how long this core is a worker for sure, or 0 where nobody may ask for that. Returns its
    // round.
    unsigned runs(unsigned number, unsigned since) {
        Notes& its = notes_[number];
        weft::model::check(its.begun != 0 && ++its.runs == 1, "a work runs once in a round");
        weft::model::check(its.input.get() == its.begun, "a work sees what was written before its submit");
        weft::model::check(!is_single(number) || its.cancelled == 0, "what was cancelled does not run");
        // Who comes later may run it: it was not there when nobody was left to do so.
        weft::model::check(its.given_up_in != its.begun || since == 0 || since >= its.given_up,
                           "a wait was closed, and who was here then runs what it was for");
        ++its.all_runs;
        return its.begun - 1;
    }
    void ran(unsigned number) { notes_[number].output.set(notes_[number].begun); }

    template <class Works>
    weft::CancelResult revoked(Works& works, unsigned number) {
        Notes& its = notes_[number];
        const weft::CancelResult answer = works.work(number).cancel();
        if (answer == weft::CancelResult::cancelled) {
            ++its.cancelled;
            weft::model::check(!is_single(number) || its.all_runs == 0,
                               "cancelled: its work will not be done");
            weft::model::check(!is_single(number) || works.work(number).is_cancelled(),
                               "a cancel is seen by who made it");
        } else {
            weft::model::check(answer == weft::CancelResult::too_late, "cancelled or too_late");
            weft::model::check(its.begun != 0, "too late for what was not submitted yet");
            weft::model::check(!is_single(number) || its.cancelled == 0, "the answer of a cancel is final");
            ++its.too_late;
        }
        return answer;
    }

    // wait(). `closing`: of its pool, at any time until it returns. True: it is given up, and was submitted before.
    template <class Works>
    bool finish(Works& works, const Statement& statement, const bool& closing) {
        const unsigned number = statement.number[0];
        Notes& its = notes_[number];
        if (its.refused) return false;
        const unsigned round = its.begun;
        const bool was_submitted = its.accepted == its.begun && !layout_->works[number].told;
        ++its.waits;
        const weft::Status status = works.work(number).wait();
        if (status == weft::Status::closed) {
            weft::model::check(closing, "wait: closed before anybody has called shutdown()");
            return was_submitted && round == its.begun;
        }
        if (status == weft::Status::wrong_context) {
            weft::model::check(its.waits > 1 && !is_many(number),
                               "wait: wrong_context, and nobody else waits");
            return false;
        }
        weft::model::check(status == weft::Status::ok, "wait: ok, closed or wrong_context");
        look_at_results(works, number, is_many(number) ? round : its.begun);
        its.waited = true;
        if (statement.number[1] == 0) return false;
        its.gone = true;
        works.end(number);
        return false;
    }
    void is_given_up(unsigned number, unsigned step) {
        notes_[number].given_up_in = notes_[number].begun;
        notes_[number].given_up = step;
    }
    // wait_idle() has returned ok on this core.
    template <class Works>
    void is_idle(Works& works, unsigned number) {
        Notes& its = notes_[number];
        const bool submitted = its.core == static_cast<int>(weft::Port::core_id()) && !its.refused;
        if (submitted && !its.gone)
            weft::model::check(works.work(number).is_done(), "the pool is idle: the round is done");
    }
    template <class Works>
    void came_back(Works& works, unsigned number) {
        Notes& its = notes_[number];
        weft::model::check(its.runs == 0 && !its.has_come_back,
                           "a work is handed back once, and has not run");
        weft::model::check(!works.work(number).is_done(), "what is handed back is not done");
        its.has_come_back = true;
    }

    bool was_accepted(unsigned number) const { return notes_[number].accepted != 0; }
    unsigned all_runs(unsigned number) const { return notes_[number].all_runs; }
    // At most: a submit need not be answered yet.
    unsigned turns_without(unsigned number) const { return notes_[number].begun - notes_[number].all_runs; }

    // In the end. `over`: whatever was accepted has had its turn, or was handed back.
    template <class Works>
    void look_at(Works& works, unsigned number, bool over) {
        const Notes& its = notes_[number];
        const bool is_work = program_->works[number].number[0] == 0;
        if (is_single(number)) {
            weft::model::check(its.too_late == 0 || its.cancelled == 0, "a cancel is answered once for all");
            weft::model::check(its.cancelled == 0 || its.all_runs == 0, "what was cancelled has not run");
            if (is_work) weft::model::check(its.too_late == 0 || its.all_runs == 1, "too late: it has run");
        }
        weft::model::check(its.refused || its.accepted == its.begun, "each submit is answered");
        if (its.gone || its.accepted == 0 || its.refused || !over) return;
        const bool done = works.work(number).is_done();
        weft::model::check(done != its.has_come_back, "each round is done, or handed back");
        if (!done || !is_work) return;
        const unsigned left_out = its.accepted - its.all_runs;
        weft::model::check(left_out <= its.cancelled, "what nobody has cancelled has run");
        weft::model::check(its.cancelled == 0 || left_out != 0, "what was cancelled has not run");
        weft::model::check(works.work(number).is_cancelled() == (its.runs == 0),
                           "cancelled is what has not run");
    }

private:
    struct Notes {
        unsigned begun = 0, accepted = 0;  // rounds
        unsigned runs = 0;                 // in this round
        unsigned all_runs = 0;
        unsigned cancelled = 0, too_late = 0;  // answers
        unsigned waits = 0;                    // that have begun
        unsigned given_up_in = 0;              // the round that a wait was closed in
        unsigned given_up = 0;                 // and when
        uint32_t cores = ~0u;
        int core = -1;  // whose own program has submitted it
        bool refused = false;
        bool waited = false;  // the round is done, as a wait has said
        bool gone = false;
        bool has_come_back = false;
        weft::Plain<unsigned> input{}, output{};
    };

    bool is_single(unsigned number) const { return layout_->works[number].begins == 1; }
    bool is_many(unsigned number) const { return !is_single(number); }

    template <class Works>
    void look_at_results(Works& works, unsigned number, unsigned round) {
        const Notes& its = notes_[number];
        weft::Waitable& work = works.work(number);
        weft::model::check(work.is_done(), "who has waited finds it done");
        if (program_->works[number].number[0] != 0) return;
        const bool taken_back = work.is_cancelled();
        weft::model::check(its.runs == (taken_back ? 0u : 1u), "done: it has run, or was taken back");
        weft::model::check(!taken_back || its.cancelled != 0, "taken back, and nobody did");
        weft::model::check(taken_back || its.output.get() == round, "who has waited sees what it wrote");
    }

    const Program* program_ = nullptr;
    const Layout* layout_ = nullptr;
    Notes notes_[most_works];
};

// Of one pool.
class AsleepJudge {
public:
    // The function. Returns how many calls there were before.
    unsigned begins(uint32_t cores) {
        weft::model::check(!inside_, "two calls overlap");
        weft::model::check(weft::Port::core_id() < cores, "called by a core of the pool");
        inside_ = true;
        last_call_ = ++steps_;
        last_call_at_ = weft::model::steps();
        calls_.set(calls_.get() + 1);
        return calls_.get() - 1;
    }
    void ends() { inside_ = false; }
    void task_ended() { last_task_ = ++steps_; }
    // All sleep, and nobody was a worker for a while only.
    void look_at(uint32_t cores) const {
        weft::model::check(last_call_ > last_task_, "all sleep, and nobody was told");
        // It was awake behind that: it has found that it is to leave.
        for (uint32_t core = 0; core != cores; ++core) {
            const weft::model::Machine& machine = weft::model::machine;
            weft::model::check(machine.runs_entry(core) || machine.was_awake_at(core) <= last_call_at_,
                               "a core has left, all others sleep, and nobody was told");
        }
    }

private:
    bool inside_ = false;
    unsigned steps_ = 0, last_call_ = 0, last_task_ = 0, last_call_at_ = 0;
    weft::Plain<unsigned> calls_{};  // a call sees the one before
};

}  // namespace fuzz
