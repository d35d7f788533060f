// SPDX-License-Identifier: MIT OR Apache-2.0
// Model: workers that sleep, and tasks of which the last one ends the pool.
#pragma once

#include "tasks.hpp"

// A task that does something first.
class Doing : public Mark {
public:
    Doing() : Mark(&Doing::run) {}
    model::Callable body;

protected:
    explicit Doing(Run function) : Mark(function) {}
    static void run(weft::Task& self) {
        Doing& one = static_cast<Doing&>(self);
        if (one.body) one.body();
        Mark::run(self);
    }
};

// What somebody says, once or several times, to a core that sleeps until then.
class Flag {
public:
    void set(unsigned sleeper) {
        said_.fetch_add(1, weft::release);
        weft::Port::unpark(sleeper);
    }
    void await(uint32_t times = 1) const {
        while (said_.load(weft::acquire) < times) weft::Port::park();
    }

private:
    weft::Atomic<uint32_t> said_{0};
};

template <unsigned cores, unsigned ring = 2>
struct Workers {
    weft::Pool<cores, ring> pool;

    void work() { must(pool.run()); }
    // Core `id` is a worker; `rested`: asleep before the others begin.
    template <bool rested>
    void worker(model::Program& on, unsigned id) {
        if (rested) {
            on.core_at_rest(id, [this] { work(); });
        } else {
            on.core(id, [this] { work(); });
        }
    }
};

// A core that sleeps in run() before the others begin, and is retired: it comes back.
class Leaver {
public:
    void sleeps(model::Program& on, unsigned id, weft::Scheduler& where) {
        pool_ = &where;
        on.core_at_rest(id, [this] {
            const weft::Status status = pool_->run();
            model::check(status == weft::Status::retired, weft::describe(status));
            has_left_ = true;
        });
    }
    void must_have_left() const { model::check(has_left_, "who is retired has left"); }

private:
    weft::Scheduler* pool_ = nullptr;
    bool has_left_ = false;
};

// A task that submits itself again until it is told: the ring of the core that runs it never runs dry.
class Chain : public weft::Task {
public:
    explicit Chain(weft::Scheduler& pool) : Task(&Chain::run), pool_(pool) {}
    void stop() { stops_.store(1, weft::relaxed); }  // relaxed: soon is enough

private:
    static void run(weft::Task& self) {
        Chain& one = static_cast<Chain&>(self);
        weft::Port::relax();  // the other cores' turn
        if (one.stops_.load(weft::relaxed) == 0) static_cast<void>(one.pool_.submit(one));
    }
    weft::Scheduler& pool_;
    weft::Atomic<uint32_t> stops_{0};
};

// A pool whose last task shuts it down.
template <unsigned cores, unsigned tasks, unsigned ring = 2>
struct Sleepers : Workers<cores, ring> {
    using Workers<cores, ring>::pool;
    weft::Atomic<uint32_t> left{tasks};
    struct One : Doing {
        One() : Doing(&One::run) {}
        static void run(weft::Task& self) {
            Doing::run(self);
            Sleepers& all = *static_cast<One&>(self).all;
            if (all.left.fetch_sub(1, weft::acq_rel) == 1) all.pool.shutdown();
        }
        Sleepers* all = nullptr;
    } task[tasks];
    Meeting<2> two;

    Sleepers() {
        for (One& one : task) one.all = this;
    }
    void submit(unsigned which, weft::Urgency level = weft::Urgency::normal) {
        task[which].prepare();
        must(pool.submit(task[which], level));
    }
    void submit_from_isr(unsigned which, weft::Urgency level = weft::Urgency::normal) {
        task[which].prepare();
        must(pool.submit_from_isr(task[which], level));
    }
    // By a core that will be a worker: it runs there.
    void submit_here(unsigned which) {
        task[which].prepare();
        must(pool.submit_on(weft::Port::core_id(), task[which]));
    }
    // A task that does not end: it needs a core for itself. For scenarios that are over then: `parked_at_end`.
    void goes_on() {
        for (++going_on;;) weft::Port::park();
    }
    unsigned going_on = 0;
    void finish() {
        for (One& one : task) model::check(one.as_promised(), "every task runs exactly once");
    }
};

// ---- Scenarios of every level of urgency

// One sleeper, one submitter from outside.
template <weft::Urgency level>
struct SubmitOutside : Sleepers<1, 1> {
    void cores(model::Program& on) {
        on.core(0, [this] { work(); });
        on.core(1, [this] { submit(0, level); });
    }
};

// An ISR of the sleeping core itself submits, at any point of its way to sleep.
template <weft::Urgency level>
struct OwnIsr : Sleepers<1, 1> {
    void cores(model::Program& on) {
        on.core(0, [this] { work(); });
        on.interrupt(0, [this] { submit_from_isr(0, level); });
    }
};

// One batch, two tasks that do not end: the woken core must see to the rest before it runs its own.
template <bool rested, weft::Urgency level>
struct BatchNeedsTwo : Sleepers<2, 2> {
    void cores(model::Program& on) {
        worker<rested>(on, 0);
        worker<rested>(on, 1);
        on.core(2, [this] {
            weft::Batch batch;
            for (One& one : task) {
                one.body = model::Callable([this] { goes_on(); });
                one.prepare();
                must(batch.push(one));
            }
            must(pool.submit(batch, level));
        });
    }
    void finish() { model::check(going_on == 2, "each core runs one of the tasks"); }
};
