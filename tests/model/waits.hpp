// SPDX-License-Identifier: MIT OR Apache-2.0
// Model: waits that work.cpp and unforked.cpp have.
#pragma once

#include "tasks.hpp"

namespace {

// Whoever has waited for it may let it end: it says so.
class Part : public weft::Waitable {
public:
    explicit Part(weft::Scheduler& pool) : Waitable(pool, &Part::run) {}

    // By who has waited: all that the runs wrote is there.
    void judge(uint32_t runs) {
        model::check(output_.get() == runs, "what it wrote is seen, once for each round");
        model::check(is_done(), "the round is done");  // last: this look would order the one before
    }
    void judge_and_end(uint32_t runs) {
        judge(runs);
        model::end_of_life(*this);
    }

    weft::Plain<uint32_t> input{};

private:
    static void run(weft::Task& self) {
        Part& part = static_cast<Part&>(self);
        const bool wanted = part.begin();
        if (wanted) {
            model::check(part.input.get() == 41, "it sees what its submitter wrote");
            part.output_.set(part.output_.get() + 1);
        }
        part.end(wanted);
    }

    weft::Plain<uint32_t> output_{};
};

// A part in its pool, whose core 0 sleeps at first.
template <unsigned cores>
struct OnePart {
    weft::Pool<cores, 2> pool;
    Part part{pool};

    void core_0_rests(model::Program& on) {
        on.core_at_rest(0, [this] { must(pool.run()); });
    }
    void submit() {
        part.input.set(41);
        must(pool.submit(part));
    }
};

// Result: Never. A task waits for another one, which its own core runs, or the other core. In any case it is told, or
// finds that it need not wait; and then the part is its own. Both cores come to sleep again, with nothing left.
struct InATask {
    weft::Pool<2, 2> pool;
    Part part{pool};
    struct First : weft::TaskOf<First> {
        void run() {
            all->part.input.set(41);
            must(all->pool.submit(all->part));
            must(all->part.wait());
            all->part.judge_and_end(1);
            all->pool.shutdown();
        }
        InATask* all = nullptr;
    } first;

    void cores(model::Program& on) {
        first.all = this;
        on.core_at_rest(0, [this] { must(pool.run()); });
        on.core(1, [this] {
            must(pool.submit(first));
            must(pool.run());
        });
    }
};

// Result: Never. A core that is no worker waits: it works meanwhile, and leaves with what it has not begun in its ring.
struct Outside {
    weft::Pool<2, 2> pool;
    Part part{pool};
    Mark other;

    void cores(model::Program& on) {
        on.core_at_rest(0, [this] { must(pool.run()); });
        on.core(1, [this] {
            other.prepare();
            part.input.set(41);
            must(pool.submit(part));
            must(pool.submit(other));
            must(part.wait());
            part.judge_and_end(1);
            pool.shutdown();
            must(pool.join());
            model::check(other.seen_runs() == 1, "nothing is left behind");
        });
    }
};

// Result: Never (goes round). A core waits for what is pinned to one that never comes, and the pool is shut down.
// Nobody else looks at the deadline of that start.
template <unsigned waiter, unsigned late>
struct NeverComesAtTheEnd : OnePart<2> {
    void cores(model::Program& on) {
        on.late_core(late, {model::Arrival::never});
        on.core(waiter, [this] {
            part.input.set(41);
            must(pool.submit_on(late, part));
            pool.shutdown();
            const weft::Status status = part.wait();
            model::check(status == weft::Status::closed, weft::describe(status));
            weft::Batch left;
            must(pool.join(left));
            model::check(left.pop() == &part, "it is handed back");
        });
    }
};
using NeverComesToAForeignCore = NeverComesAtTheEnd<2, 1>;

// Result: Never (waits for ever). A task of another pool waits beside a join for what only a busy core could run, and
// that core waits for the task: it is told at once that the pool is closed (work.hpp), with WEFT_FORK_DEPTH=0, too.
struct OtherPoolBesideAJoin {
    struct Job {
        void operator()() const {}
    };
    weft::Pool<2, 2> joined;
    weft::Pool<2, 2> other;
    weft::Work<Job> part{joined, Job{}};
    weft::Atomic<uint32_t> over{0}, begun{0};
    struct Linked : weft::Task {
        explicit Linked(Run function) : Task(function) {}
        OtherPoolBesideAJoin* all = nullptr;
    };
    Linked busy{[](weft::Task& self) {
        OtherPoolBesideAJoin& all = *static_cast<Linked&>(self).all;
        all.begun.store(1, weft::release);
        weft::Port::unpark(2);
        while (all.over.load(weft::acquire) == 0) weft::Port::park();
    }};
    Linked waits{[](weft::Task& self) {
        OtherPoolBesideAJoin& all = *static_cast<Linked&>(self).all;
        if (all.joined.submit(all.part) == weft::Status::ok) static_cast<void>(all.part.wait());
        all.over.store(1, weft::release);
        weft::Port::unpark(1);
    }};
    OtherPoolBesideAJoin() { busy.all = waits.all = this; }
    void cores(model::Program& on) {
        on.core_at_rest(0, [this] { must(other.run()); });
        on.core_at_rest(1, [this] { must(joined.run()); });
        on.core(2, [this] {
            must(joined.submit_on(1, busy));
            while (begun.load(weft::acquire) == 0) weft::Port::park();
            must(other.submit_on(0, waits));
            joined.shutdown();
            must(joined.join());
            other.shutdown();
            must(other.join());
        });
    }
};

}  // namespace
