// SPDX-License-Identifier: MIT OR Apache-2.0
// Generated programs: what timers promise. Notes as in judge.hpp: nothing here orders the cores. The clock is the
// machine's, which all cores share; `elapsed` does not wrap.
#pragma once

#include <weft/weft.hpp>

#include <algorithm>

#include "engine/machine.hpp"
#include "engine/scenario.hpp"
#include "tree.hpp"
#include "world.hpp"

namespace fuzz {

// As weft::CancelResult, which a build without timers does not have.
enum class Answer : uint8_t { cancelled, too_late, not_armed };

class TimerJudge {
public:
    void begin(const Program& program, const Layout& layout, const Demands& demands) {
        program_ = &program;
        layout_ = &layout;
        demands_ = &demands;
        releases_ = weft::model::machine.releases();
    }
    // A core has let time pass.
    void ticked() { last_tick_ = now(); }

    // ---- Starts

    // Writes what the run must see. Returns the number of the start.
    unsigned prepare(unsigned number) {
        Timer& timer = timers_[number];
        const unsigned index = timer.count++;
        timer.told[index].store(1, weft::relaxed);
        timer.written[index].set(given);
        return index;
    }
    // Right before the call.
    void starts(const Statement& statement, unsigned index) {
        Timer& timer = timers_[statement.number[0]];
        Start& start = timer.starts[index];
        start.core = self();
        start.begun = ++turn_;
        start.period = statement.op == Op::every ? statement.number[1] : 0;
        start.slack = statement.number[2];
        const uint64_t ticks = statement.number[1];
        start.due = statement.op == Op::at ? std::max(ticks, now()) : now() + ticks;
        start.begun_at = now();
        start.runs_before = timer.runs;
        start.was_alone = timer.going_on++ == 0;
        ++timer.begun;
        timer.allowed = any;
        timer.longest_slack = std::max(timer.longest_slack, start.slack);
    }
    void started(unsigned number, unsigned index, weft::Status status) {
        Timer& timer = timers_[number];
        Start& start = timer.starts[index];
        --timer.going_on;
        start.ended = ++turn_;
        start.ok = status == weft::Status::ok;
        start.ended_at = now();
        if (!start.ok) return;
        // It takes the place of those that were over when it began.
        for (Start& other : timer.starts) {
            if (other.core == start.core && other.ended != 0 && other.ended < start.begun)
                other.until = std::min(other.until, now());
        }
    }

    // ---- Runs

    // The follower begins; returns how often it had begun before.
    unsigned begins(unsigned number, uint32_t missed, bool joined) {
        Timer& timer = timers_[number];
        const Layout::Timer& its = layout_->timers[number];
        weft::model::check(!joined, "a timer runs behind the join");
        weft::model::check(!timer.is_over, "a timer runs behind its end");
        weft::model::check(timer.runs + missed + 1 <= times_come(number), "a timer runs before its time");
        weft::model::check(timer.allowed != 0, "a timer runs although it was cancelled");
        if (timer.allowed != any) --timer.allowed;
        if (is_prompt(number)) look_at_lateness(number);
        const unsigned run = timer.runs++;
        bool told = false;
        const bool ordered = has_one_starter(timer);
        for (unsigned i = 0; i != timer.count && !told; ++i) {
            const Start& start = timer.starts[i];
            if (ordered && come_of(start, start.until) == 0) continue;
            told = timer.told[i].load(weft::relaxed) != 0;
        }
        weft::model::check(told, "a run sees what was written before a start");
        // One start after the other: this run is that of the last one.
        for (unsigned i = 0; its.sure && i <= (its.periodic ? 0 : run); ++i)
            weft::model::check(timer.written[i].get() == given,
                               "a run sees what was written before its start");
        weft::model::check(!timer.busy, "two runs of a timer overlap");
        weft::model::check(timer.order.get() == run, "a run of a timer sees those before it");
        if (is_periodic(number) && its.sure) look_at_missed(timer, run, missed);
        timer.busy = true;
        timer.order.set(run + 1);
        return run;
    }
    void ended(unsigned number, unsigned run) {
        Timer& timer = timers_[number];
        weft::model::check(timer.busy && timer.order.get() == run + 1, "two runs of a timer overlap");
        timer.busy = false;
        timer.end_before = timer.last_end;
        timer.last_end = now();
    }
    void came_back(unsigned number) {
        weft::model::check(++timers_[number].came_back == 1, "a timer is queued once at a time");
    }

    // ---- Cancels

    template <class Call>
    Answer cancelled(unsigned number, Call call) {
        Timer& timer = timers_[number];
        const unsigned begun = ++turn_;
        const unsigned starts = timer.begun;
        bool alone = timer.going_on == 0;
        ++timer.cancels;
        const Answer answer = call();
        --timer.cancels;
        alone = alone && timer.begun == starts;
        const unsigned before = timer.last_cancel;
        timer.last_cancel = ++turn_;
        // A start of another core that nothing orders before this call may not be seen: no news are no answer.
        const bool sees_all = answer == Answer::cancelled || by_this_core(number);
        for (Start& start : timer.starts) {
            if (sees_all && start.ended != 0 && start.ended < begun)
                start.until = std::min(start.until, now());
        }
        if (answer == Answer::cancelled) ++timer.cancelled;
        weft::model::check(timer.cancelled <= timer.count, "more cancels than starts");
        if (answer == Answer::too_late)
            weft::model::check(times_come(number) != 0, "too late, before its time");
        if (!alone || !sees_all) return answer;
        timer.allowed = std::min(timer.allowed, answer == Answer::too_late ? 1u : 0u);
        timer.canceller = self();
        const bool runs_on = timer.busy && answer != Answer::too_late;
        weft::model::check(!runs_on, "a timer that runs is cancelled too late");
        if (answer == Answer::not_armed) look_at_not_armed(timer, begun, before);
        return answer;
    }
    // Behind a cancel: `armed` was read.
    void look_at_armed(unsigned number, bool armed) {
        Timer& timer = timers_[number];
        // What another core took back this one may still see.
        const bool took_it_back = timer.allowed != any && timer.canceller == self();
        weft::model::check(!armed || !took_it_back, "armed behind a cancel");
    }
    void is_over(unsigned number) {
        Timer& timer = timers_[number];
        timer.is_over = true;
        // Its last run has ended.
        if (timer.runs != 0)
            weft::model::check(timer.order.get() == timer.runs, "a cancel sees what the runs wrote");
    }
    bool was_over(unsigned number) const { return timers_[number].is_over; }

    // ---- The end

    void closed(unsigned pool) { closed_[pool] = std::min(closed_[pool], now()); }
    unsigned runs_of(unsigned number) const { return timers_[number].runs; }
    // What there is behind everything. `joined`: its pool was.
    void look_at(unsigned number, bool armed, uint32_t missed, bool joined) const {
        const Timer& timer = timers_[number];
        const Layout::Timer& its = layout_->timers[number];
        const unsigned pool = program_->timers[number].pool;
        unsigned good = 0;
        for (const Start& start : timer.starts) good += start.ok ? 1 : 0;
        const unsigned ends = timer.runs + timer.came_back + missed;
        weft::model::check(ends <= times_come(number), "more runs than times that have come");
        weft::model::check(its.periodic || ends + timer.cancelled + (armed ? 1 : 0) <= good,
                           "a start counts once");
        if (demands_->all_run[pool] && its.sure)
            weft::model::check(timer.runs == its.runs, "a timer runs at each of its times");
        if (demands_->timed[pool]) weft::model::check(!armed, "a timer is forgotten");
        if (!demands_->timed[pool] && !joined) return;
        // The last start, if it is clear which one that was.
        const Start* const last = last_start(timer);
        if (last == nullptr || last->begun <= timer.last_cancel) return;
        const bool left_out = its.periodic ? missed != 0 : ends + timer.cancelled >= good;
        weft::model::check(timer.runs > last->runs_before || armed || timer.came_back != 0 || left_out,
                           "a start is lost");
    }

private:
    static constexpr unsigned any = ~0u;
    static constexpr uint64_t never = ~uint64_t{0};
    static constexpr uint32_t given = 43;
    struct Start {
        unsigned core = 0;
        unsigned begun = 0, ended = 0;  // 0: not yet
        bool ok = false;
        bool was_alone = false;  // no other start went on when it began
        uint64_t due = never;    // the first time, or later
        uint64_t begun_at = 0, ended_at = 0;
        uint64_t until = never;  // it may fire: when another start or a cancel took it back for sure
        uint32_t period = 0;
        uint32_t slack = 0;
        unsigned runs_before = 0;
    };
    struct Timer {
        Start starts[most_starts];
        weft::Atomic<uint32_t> told[most_starts];
        weft::Plain<uint32_t> written[most_starts];
        weft::Plain<uint32_t> order{};
        unsigned count = 0;     // of the starts
        unsigned begun = 0;     // of these
        unsigned going_on = 0;  // calls that start it
        unsigned cancels = 0;   // and that cancel it
        unsigned last_cancel = 0;
        unsigned cancelled = 0;  // answers
        unsigned runs = 0;       // that have begun
        unsigned came_back = 0;
        unsigned allowed = any;  // runs that may begin before the next start
        unsigned canceller = 0;  // the core that said so last
        uint32_t longest_slack = 0;
        uint64_t last_end = 0, end_before = 0;  // of the last run, of the one before
        bool busy = false;
        bool is_over = false;
    };

    static uint64_t now() { return weft::model::machine.elapsed(); }
    static unsigned self() { return weft::Port::core_id(); }
    bool is_periodic(unsigned number) const {
        return layout_->timers[number].periodic && !layout_->timers[number].once;
    }
    // Time passes only when nobody can go on, and where the program says so.
    bool only_alarms() const {
        return program_->machine.per_call == 0 && weft::model::machine.releases() == releases_;
    }
    bool is_prompt(unsigned number) const {
        return demands_->prompt[program_->timers[number].pool] && only_alarms();
    }
    bool by_this_core(unsigned number) const {
        const Timer& timer = timers_[number];
        return has_one_starter(timer) && (timer.count == 0 || timer.starts[0].core == self());
    }
    // How many times have come at which it may have fired, or left a run out. Where nothing orders two starts they come
    // at the same time, and so does one of a handler in the middle of another. Then the timer may have the time of the
    // one and the period of the other.
    uint64_t times_come(unsigned number) const {
        uint64_t sum = 0;
        const uint64_t closed =
            only_alarms() && last_tick_ == 0 ? closed_[program_->timers[number].pool] : never;
        const bool ordered = has_one_starter(timers_[number]);
        Start any_of = timers_[number].starts[0];
        for (const Start& start : timers_[number].starts) {
            any_of.due = std::min(any_of.due, start.due);
            const bool shorter = any_of.period == 0 || start.period < any_of.period;
            if (start.period != 0 && shorter) any_of.period = start.period;
        }
        for (const Start& start : timers_[number].starts) {
            if (start.begun == 0) continue;
            sum += ordered ? come_of(start, std::min(start.until, closed)) : come_of(any_of, closed);
        }
        return sum;
    }
    static uint64_t come_of(const Start& start, uint64_t until) {
        const uint64_t end = std::min(now(), until);
        if (end < start.due) return 0;
        return 1 + (start.period == 0 ? 0 : (end - start.due) / start.period);
    }
    // All its starts are one after the other, on one core.
    static bool has_one_starter(const Timer& timer) {
        return std::all_of(timer.starts, timer.starts + timer.count, [&timer](const Start& start) {
            return start.begun == 0 || (start.was_alone && start.core == timer.starts[0].core);
        });
    }
    // What was due when this run was fired has run, or was left out. Who fired it may have looked at the clock before
    // the last run had ended; but behind all that fired that run, and so behind the end of the run before it.
    static void look_at_missed(const Timer& timer, unsigned run, uint32_t missed) {
        const Start& start = timer.starts[0];
        if (start.ended == 0 || timer.end_before < start.ended_at) return;
        weft::model::check(run + 1 + missed >= (timer.end_before - start.ended_at) / start.period,
                           "a run is left out, and not counted");
    }
    // Some core is free to look: what is due runs before time passes again.
    void look_at_lateness(unsigned number) const {
        const Timer& timer = timers_[number];
        if (!has_one_starter(timer) && layout_->timers[number].periodic) return;
        bool good = false;
        for (const Start& start : timer.starts) {
            if (start.begun == 0 || now() < start.due) continue;
            const uint64_t late = start.period == 0 ? now() - start.due : (now() - start.due) % start.period;
            // It looks at the clock at some time in the call.
            const uint64_t call = (start.ended == 0 ? now() : start.ended_at) - start.begun_at;
            good = good || late <= timer.longest_slack + call || now() == last_tick_;
        }
        weft::model::check(good, "a timer is late, although a core sleeps");
    }
    // `before`: when the cancel before this one had ended.
    static void look_at_not_armed(const Timer& timer, unsigned begun, unsigned before) {
        const Start* const last = last_start(timer);
        if (last == nullptr || !last->ok || timer.cancels != 0) return;
        if (last->ended >= begun || before >= last->begun) return;
        weft::model::check(last->period == 0 && last->due <= now(), "not_armed, and it was");
    }
    // nullptr: it went on beside others.
    static const Start* last_start(const Timer& timer) {
        const Start* last = nullptr;
        for (const Start& start : timer.starts) {
            if (start.ok && (last == nullptr || start.begun > last->begun)) last = &start;
        }
        for (const Start& start : timer.starts) {
            const bool beside = last != nullptr && &start != last && start.begun != 0 &&
                                (start.ended == 0 || start.ended > last->begun) && start.begun < last->ended;
            if (beside) return nullptr;
        }
        return last;
    }

    const Program* program_ = nullptr;
    const Layout* layout_ = nullptr;
    const Demands* demands_ = nullptr;
    uint64_t releases_ = 0;
    uint64_t last_tick_ = 0;
    unsigned turn_ = 0;
    uint64_t closed_[most_pools] = {never, never};  // when the first shutdown() had returned
    Timer timers_[most_timers];
};

}  // namespace fuzz
