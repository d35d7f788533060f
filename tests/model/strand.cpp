// SPDX-License-Identifier: MIT OR Apache-2.0
// Model: strands. Their tasks never overlap, run in order, each once, and see what the ones before them wrote. Around
// the end of the pool each is refused, runs, or is left in the strand. Edges Q1, Q2.
#include "tasks.hpp"

namespace {

// A task of a strand: the `place`-th of its submitter's.
struct Step : Mark {
    Step() : Mark(&Step::run_step) {}
    static void run_step(weft::Task& self) {
        Mark::run(self);
        Step& step = static_cast<Step&>(self);
        model::check(step.before->get() == step.place, "in the order of its submitter");
        step.before->set(step.place + 1);
        step.shared->set(step.shared->get() + 1);  // a race, if two overlap or do not see each other
        if (step.ends != nullptr && step.shared->get() == step.all) step.ends->shutdown();
    }
    weft::Plain<uint32_t>* shared = nullptr;
    weft::Plain<uint32_t>* before = nullptr;
    uint32_t place = 0;
    uint32_t all = 0;
    weft::Scheduler* ends = nullptr;
};

template <unsigned cores, uint32_t count>
struct Steps {
    weft::Pool<cores, 2> pool;
    weft::Strand strand{pool};
    weft::Plain<uint32_t> shared{};
    weft::Plain<uint32_t> before[2];
    Step steps[count];
    bool to_the_end = true;  // the last one shuts down; else each may be refused

    void prepare(unsigned number, unsigned submitter, uint32_t place) {
        Step& step = steps[number];
        step.prepare();
        step.shared = &shared, step.before = &before[submitter], step.place = place;
        step.all = count, step.ends = to_the_end ? &pool : nullptr;
    }
    void judge(unsigned number, weft::Status status) {
        steps[number].given = status == weft::Status::ok;
        model::check(steps[number].given || (!to_the_end && status == weft::Status::closed), "accepted");
    }
    void submit(unsigned number, unsigned submitter, uint32_t place) {
        prepare(number, submitter, place);
        judge(number, strand.submit(steps[number]));
    }
    void submit_from_isr(unsigned number, unsigned submitter, uint32_t place) {
        prepare(number, submitter, place);
        judge(number, strand.submit_from_isr(steps[number]));
    }
    // What was accepted and has not run is in the strand, once and in order.
    void join(bool comes_back) {
        weft::Batch left;
        must(pool.join(left));
        model::check(comes_back || left.empty(), "the strand is not left over");
        while (left.pop() != nullptr) {
        }
    }
    void take_back() {
        weft::Batch left;
        strand.take_back(left);
        while (weft::Task* const task = left.pop()) {
            Step& step = *static_cast<Step*>(task);
            model::check(step.given, "what was refused is not in it");
            step.given = false;
        }
    }
    void finish() {
        for (Step& step : steps) model::check(step.as_promised(), "each runs once, or comes back");
    }
};

// Result: Never. Two cores submit, one of them twice. The strand goes idle in between, or does not.
struct TwoSubmitters : Steps<1, 3> {
    void cores(model::Program& on) {
        on.core_at_rest(0, [this] { must(pool.run()); });
        on.core(1, [this] { submit(0, 0, 0), submit(1, 0, 1); });
        on.core(2, [this] { submit(2, 1, 0); });
    }
};
MODEL_SCENARIO(strand_two_submitters, TwoSubmitters).stale_reads(1);

// Result: Never. Two workers: whoever runs the strand next sees what its tasks wrote on the other core.
struct TwoWorkers : Steps<2, 2> {
    void cores(model::Program& on) {
        on.core_at_rest(0, [this] { must(pool.run()); });
        on.core(1, [this] { submit(0, 0, 0), submit(1, 0, 1), must(pool.run()); });
    }
};
MODEL_SCENARIO(strand_two_workers, TwoWorkers).stale_reads(2);

// Result: Never. A burst is over while tasks are left: the strand is handed to the pool again, and another core may
// take it at once. (WEFT_STRAND_BURST is 2 here.)
struct AfterABurst : Steps<2, 3> {
    void cores(model::Program& on) {
        for (unsigned number = 0; number != 3; ++number) {
            prepare(number, 0, number);
            steps[number].given = true;
        }
        on.core_at_rest(0, [this] { must(pool.run()); });
        on.core(1, [this] {
            for (Step& step : steps) must(strand.submit(step));
            must(pool.run());
        });
    }
};
MODEL_SCENARIO(strand_after_a_burst, AfterABurst).stale_reads(1);

// Result: Never. Each task of the strand submits the next one, so there is only one at a time. A burst is over
// nevertheless, and the pool's other task has its turn.
struct FeedsItself {
    weft::Pool<1, 2> pool;
    weft::Strand strand{pool};
    Mark other;
    struct Link : weft::TaskOf<Link> {
        void run() {
            if (++its->runs != 3) return must(its->strand.submit(*this));
            model::check(its->other.runs == 1, "after a burst of two");
            its->pool.shutdown();
        }
        FeedsItself* its = nullptr;
    } task;
    int runs = 0;

    void cores(model::Program& on) {
        on.core(0, [this] {
            task.its = this;
            other.prepare();
            must(pool.submit(other));
            must(strand.submit(task));  // what came last is taken first
            must(pool.run());
        });
    }
    void finish() { model::check(runs == 3 && other.as_promised(), "all ran"); }
};
MODEL_SCENARIO(strand_feeds_itself, FeedsItself);

// Result: Never. A task of the pool and a handler on its core submit to one strand.
struct FromIsr : Steps<1, 2> {
    model::Callable body{[this] { submit(0, 0, 0); }};
    struct Submits : weft::TaskOf<Submits> {
        void run() { (*body)(); }
        model::Callable* body = nullptr;
    } first;
    void cores(model::Program& on) {
        on.core(0, [this] {
            first.body = &body;
            must(pool.submit(first));
            must(pool.run());
        });
        on.interrupt(0, [this] { submit_from_isr(1, 1, 0); });
    }
};
MODEL_SCENARIO(strand_from_isr, FromIsr).each_wake();

// Result: Never. No core is there yet. A handler submits, which starts none; the task behind that one does.
struct BehindAHandlers : Steps<1, 2> {
    void cores(model::Program& on) {
        on.late_core(0);
        on.core(1, [this] { submit(0, 0, 0); });
        on.interrupt(1, [this] { submit_from_isr(1, 1, 0); });
    }
};
MODEL_SCENARIO(strand_behind_a_handlers, BehindAHandlers).each_wake();

// Result: Never. Submits race the end of the pool: each task is refused, runs, or is left in the strand.
template <weft::Shutdown mode>
struct AtTheEnd : Steps<1, 2> {
    weft::Atomic<uint32_t> submitters{2};
    void over() { submitters.fetch_sub(1, weft::release), weft::Port::unpark(0); }
    void cores(model::Program& on) {
        to_the_end = false;
        on.core(0, [this] {
            static_cast<void>(pool.run());
            join(mode == weft::Shutdown::abandon);
            while (submitters.load(weft::acquire) != 0) weft::Port::park();
            take_back();
        });
        on.core(1, [this] { submit(0, 0, 0), pool.shutdown(mode), over(); });
        on.core(2, [this] { submit(1, 1, 0), over(); });
    }
};
MODEL_SCENARIO(strand_at_the_end, AtTheEnd<weft::Shutdown::drain>).stale_reads(1);
MODEL_SCENARIO(strand_abandoned, AtTheEnd<weft::Shutdown::abandon>).stale_reads(1);

}  // namespace
