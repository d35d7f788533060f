// SPDX-License-Identifier: MIT OR Apache-2.0
// How many steps a call takes: accesses to words that cores share, fences, and calls of the port. With nobody in its
// way, in the state in which it takes most: so all other cores of the pool sleep, where it wakes one, or are off and
// refuse to be started. tools/bounds makes the table of docs/BOUNDS.md of it.
#include <stdio.h>

#include <string>

#include "../engine/explore.hpp"
#include "../tasks.hpp"

namespace {

// `size` is what the number depends on, if it does: the cores of the pool, or what the row says.
template <unsigned size, unsigned its_cores = size, unsigned ring = 2>
struct Call {
    weft::Pool<its_cores, ring> pool;
    Mark task[size + 1];
    uint32_t steps = 0;

    Call() {
        for (Mark& one : task) one.prepare();
    }
    template <class Function>
    void count(Function function) {
        weft::Port::fence();  // its first step comes when the others have come to rest
        const uint32_t before = model::steps();
        function();
        steps = model::steps() - before;
    }
    void rest(model::Program& on, unsigned from = 0) {
        for (unsigned core = from; core != its_cores; ++core) {
            on.core_at_rest(core, [this] { must(pool.run()); });
        }
    }
    // On a foreign core; `before` is not counted.
    template <class Before, class Function>
    void outside(model::Program& on, Before before, Function function) {
        prepare = model::Callable(before);
        body = model::Callable(function);
        on.core(its_cores, [this] {
            prepare();
            count([this] { body(); });
        });
    }
    template <class Function>
    void outside(model::Program& on, Function function) {
        outside(
            on, [] {}, function);
    }
    void off(model::Program& on, unsigned from = 0) {
        for (unsigned core = from; core != its_cores; ++core) on.late_core(core, {model::Arrival::refused});
    }
    // In a task on core 0.
    template <class Function>
    void in_task(model::Program& on, Function function) {
        body = model::Callable(function);
        on.core(0, [this] {
            weft::Job job([this] { body(); });
            must(pool.submit_on(0, job));
            must(pool.run());
        });
    }
    model::Callable prepare;
    model::Callable body;
    void finish() { model::outcome(std::to_string(steps)); }
};

template <unsigned size>
struct Submit : Call<size> {
    void cores(model::Program& on) {
        this->rest(on);
        this->outside(on, [this] { must(this->pool.submit(this->task[0])); });
    }
};

template <unsigned size>
struct SubmitStarts : Call<size> {
    void cores(model::Program& on) {
        this->off(on);
        this->outside(on, [this] { must(this->pool.submit(this->task[0])); });
    }
};

template <unsigned size>
struct SubmitUrgent : Call<size> {
    void cores(model::Program& on) {
        this->rest(on);
        this->outside(on, [this] { must(this->pool.submit(this->task[0], weft::Urgency::urgent)); });
    }
};

template <unsigned size>
struct SubmitFromIsr : Call<size> {
    void cores(model::Program& on) {
        this->rest(on);
        this->outside(on, [this] { must(this->pool.submit_from_isr(this->task[0])); });
    }
};

template <unsigned size>
struct SubmitInTask : Call<size> {
    void cores(model::Program& on) {
        this->rest(on, 1);
        this->in_task(on, [this] { this->count([this] { must(this->pool.submit(this->task[0])); }); });
    }
};

// The ring, of `size` tasks, is full.
template <unsigned size>
struct SubmitSpills : Call<size, 2, size> {
    void cores(model::Program& on) {
        this->rest(on, 1);
        this->in_task(on, [this] {
            for (unsigned i = 0; i != size; ++i) must(this->pool.submit(this->task[i]));
            this->count([this] { must(this->pool.submit(this->task[size])); });
        });
    }
};

template <unsigned size>
struct SubmitBatch : Call<size, 2> {
    weft::Batch batch;
    void cores(model::Program& on) {
        this->rest(on);
        this->outside(
            on,
            [this] {
                for (unsigned i = 0; i != size; ++i) must(batch.push(this->task[i]));
            },
            [this] { must(this->pool.submit(batch)); });
    }
};

template <unsigned size>
struct SubmitOn : Call<size> {
    void cores(model::Program& on) {
        this->rest(on);
        this->outside(on, [this] { must(this->pool.submit_on(0, this->task[0])); });
    }
};

template <unsigned size>
struct SubmitOnStarts : Call<size> {
    void cores(model::Program& on) {
        this->off(on);
        this->outside(on, [this] { static_cast<void>(this->pool.submit_on(0, this->task[0])); });
    }
};

template <unsigned size>
struct SubmitOnSet : Call<size> {
    void cores(model::Program& on) {
        this->rest(on);
        this->outside(on, [this] { must(this->pool.submit_on(weft::CoreSet::of(0, 1), this->task[0])); });
    }
};

template <unsigned size>
struct Poll : Call<size> {
    void cores(model::Program& on) {
        this->rest(on, 1);
        on.core(0, [this] { this->count([this] { must(this->pool.poll(1).status); }); });
    }
};

template <unsigned size>
struct Shutdown : Call<size> {
    void cores(model::Program& on) {
        this->rest(on);
        this->outside(on, [this] { this->pool.shutdown(); });
    }
};

template <unsigned size>
struct OfferFromIsr : Call<size> {
    void cores(model::Program& on) {
        this->rest(on, 1);
        on.core(0, [this] { this->count([this] { this->pool.offer_from_isr(); }); });
    }
};

template <unsigned size>
struct Stats : Call<size> {
    void cores(model::Program& on) {
        on.core(0, [this] { this->count([this] { static_cast<void>(this->pool.stats(0)); }); });
    }
};

template <unsigned size>
struct Total : Call<size> {
    void cores(model::Program& on) {
        on.core(0, [this] { this->count([this] { static_cast<void>(this->pool.total()); }); });
    }
};

template <unsigned size>
struct StrandSubmit : Call<size> {
    weft::Strand strand{this->pool};
    void cores(model::Program& on) {
        this->rest(on);
        this->outside(on, [this] { must(strand.submit(this->task[0])); });
    }
};

template <unsigned size>
struct GateArrive : Call<size> {
    weft::Gate gate{this->pool, this->task[0], 1};
    void cores(model::Program& on) {
        this->rest(on);
        this->outside(on, [this] { must(gate.arrive()); });
    }
};

template <unsigned size>
struct EventWait : Call<size> {
    weft::Event event{this->pool};
    void cores(model::Program& on) {
        this->rest(on);
        this->outside(
            on, [this] { must(event.signal()); }, [this] { must(event.wait(this->task[0])); });
    }
};

// this many tasks wait, and the event is set.
template <unsigned size>
struct EventSignal : Call<size, 2> {
    weft::Event event{this->pool};
    void cores(model::Program& on) {
        this->rest(on);
        this->outside(
            on,
            [this] {
                for (unsigned i = 0; i != size; ++i) must(event.wait(this->task[i]));
            },
            [this] { must(event.set()); });
    }
};

// So many timers are armed.
template <unsigned size>
struct Timers : Call<size, 2> {
    template <size_t... all>
    explicit Timers(std::index_sequence<all...>) : timer{{this->pool, this->task[all]}...} {}
    Timers() : Timers(std::make_index_sequence<size + 1>()) {}
    weft::Timer timer[size + 1];

    void arm() {
        for (unsigned i = 0; i != size; ++i) must(timer[i].start_after(1000 + 10 * i));
    }
};

template <unsigned size>
struct TimerStart : Timers<size> {
    void cores(model::Program& on) {
        this->rest(on);
        this->outside(
            on, [this] { this->arm(); }, [this] { must(this->timer[size].start_after(500)); });
    }
};

template <unsigned size>
struct TimerCancel : Timers<size> {
    void cores(model::Program& on) {
        this->rest(on);
        this->outside(
            on, [this] { this->arm(); }, [this] { static_cast<void>(this->timer[0].cancel()); });
    }
};

template <unsigned size>
struct WorkCancel : Call<size> {
    weft::Completion work{this->pool};
    void cores(model::Program& on) {
        this->rest(on);
        this->outside(
            on, [this] { must(this->pool.submit(work)); }, [this] { static_cast<void>(work.cancel()); });
    }
};

// Both bodies are empty. Nobody asks for children.
template <unsigned size>
struct ForkJoin : Call<size> {
    void cores(model::Program& on) {
        this->in_task(on, [this] {
            weft::fork_join([] {}, [] {});
            this->count([] { weft::fork_join([] {}, [] {}); });
        });
    }
};

// All others sleep, and hear of it.
template <unsigned size>
struct ForkJoinWakes : Call<size> {
    void cores(model::Program& on) {
        this->rest(on, 1);
        this->in_task(on, [this] { this->count([] { weft::fork_join([] {}, [] {}); }); });
    }
};

// ---- The rows: name, what the number depends on, and three sizes.

template <class State>
void measure(const char* row, const char* depends_on, unsigned size) {
    weft::model::Scenario scenario = weft::model::make_scenario<State>(row);
    scenario.preemptions(0).stale_reads(0).parked_at_end().alarms();
    const weft::model::Result result = weft::model::explore(scenario, scenario.config);
    if (result.failure != weft::model::Failure::none || result.outcomes.size() != 1) {
        fprintf(stderr, "%s %u: %s\n", row, size,
                result.outcomes.size() > 1 ? "more than one outcome" : result.message.c_str());
        exit(1);
    }
    printf("%s %s %u %s\n", row, depends_on, size, result.outcomes.begin()->c_str());
}

template <template <unsigned> class State, unsigned... sizes>
void row(const char* name, const char* depends_on) {
    (measure<State<sizes>>(name, depends_on, sizes), ...);
}

}  // namespace

int main() {
    row<SubmitInTask, 2, 3, 4>("submit_in_task", "n");
    row<SubmitSpills, 2, 4, 8>("submit_spills", "r");
    row<Submit, 2, 3, 4>("submit", "n");
    row<SubmitStarts, 2, 3, 4>("submit_starts", "n");
    row<SubmitUrgent, 2, 3, 4>("submit_urgent", "n");
    row<SubmitBatch, 2, 4, 8>("submit_batch", "b");
    row<SubmitFromIsr, 2, 3, 4>("submit_from_isr", "n");
    row<SubmitOn, 2, 3, 4>("submit_on", "n");
    row<SubmitOnStarts, 2, 3, 4>("submit_on_starts", "n");
    row<SubmitOnSet, 3, 4, 5>("submit_on_set", "n");
    row<Poll, 2, 3, 4>("poll", "n");
    row<Shutdown, 2, 3, 4>("shutdown", "n");
    row<OfferFromIsr, 2, 3, 4>("offer_from_isr", "n");
    row<Stats, 2, 3, 4>("stats", "n");
    row<Total, 2, 3, 4>("total", "n");
    row<ForkJoin, 2, 3, 4>("fork_join", "n");
    row<ForkJoinWakes, 2, 3, 4>("fork_join_wakes", "n");
    row<StrandSubmit, 2, 3, 4>("strand_submit", "n");
    row<GateArrive, 2, 3, 4>("gate_arrive", "n");
    row<EventWait, 2, 3, 4>("event_wait", "n");
    row<EventSignal, 1, 2, 4>("event_set", "w");
    row<TimerStart, 1, 4, 8>("timer_start", "t");
    row<TimerCancel, 1, 4, 8>("timer_cancel", "t");
    row<WorkCancel, 2, 3, 4>("work_cancel", "n");
    return 0;
}
