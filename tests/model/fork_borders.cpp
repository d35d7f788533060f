// SPDX-License-Identifier: MIT OR Apache-2.0
// Model: what once went wrong with fork-join at its borders: handlers, other pools, cores outside of the pool, cores
// that poll, cores that do not come, the end of the pool. Edges F1, F2, I1.
#include "forks.hpp"

namespace {

using model::Arrival;
using weft::detail::ForkDeque;

// The pieces of these scenarios. `ran`: another core has run what was handed to it; it counts as lost until then.
template <unsigned cores_>
struct Border {
    weft::Pool<cores_, 2> pool;
    weft::Atomic<uint32_t> ran{0};
    int runs = 0;
    Root root;

    void work() {
        forget_pools();
        static_cast<void>(pool.run());
    }
    // Core 0 runs `body` as a task, and ends the pool.
    template <class Body>
    void root_is(model::Program& on, Body body) {
        on.core(0, [this, body] {
            root.submit_to(pool, body);
            work();
        });
    }
    // Core 0, asleep.
    void wait_until_ran() {
        while (ran.load(weft::relaxed) == 0) weft::Port::park();
    }
    void has_run() {
        ran.store(1, weft::relaxed);
        weft::Port::unpark(0);
    }
    void ran_once() { model::check(runs == 1, "it runs exactly once"); }
};

// Result: Never (runs twice). A handler interrupts a handler that offers, and the frame is gone when that goes on.
struct HandlerInHandler : Border<2> {
    Signal begun;
    void cores(model::Program& on) {
        on.core(0, [this] {
            forget_pools();
            weft::fork_join(pool, [this] {
                fork_nothing();
                weft::fork_join([this] { ForkDeque::current()->ask(), begun.signal(); }, [this] { ++runs; });
            });
        });
        on.core_at_rest(1, [this] {
            find_nobody_to_start(pool);
            begun.wait(), pool.poll(1).tasks, pool.poll(1);
        });
        on.interrupt(
            0, [this] { pool.offer_from_isr(); }, 2);
        on.nested_interrupts(0);
    }
    void finish() { ran_once(); }
};
MODEL_SCENARIO(fork_isr_in_isr, HandlerInHandler).stale_reads(1);

// Result: Never (a child waits for ever). The core is in another pool, within a task of this one: its handler offers.
struct HandlerOfOuterPool : Border<2> {
    weft::Pool<2, 2> inner;
    void cores(model::Program& on) {
        root_is(on, [this] {
            fork_nothing();
            weft::fork_join(
                [this] {
                    ForkDeque* const outer = ForkDeque::current();
                    weft::fork_join(inner, [this, outer] {
                        wait_until_asked(outer), pool.offer_from_isr(), wait_until_ran();
                    });
                },
                [this] { has_run(); });
        });
        sleeps_at_first(on, pool);
    }
};
MODEL_SCENARIO(fork_isr_of_outer_pool, HandlerOfOuterPool).stale_reads(1);

// Result: Never (sleeps for ever; somebody else's task). A core from outside waits in call() while the pool ends.
// What nobody does any more it does itself; join() hands back what was submitted, and this was not. `works`: core 0
// is a worker; otherwise it joins.
template <weft::Shutdown mode, bool works>
struct CallAndEnd : Border<1> {
    void end() {
        weft::Batch left;
        pool.shutdown(mode);
        must(pool.join(left));
        model::check(left.empty(), "nobody submitted a task");
    }
    void cores(model::Program& on) {
        on.core(0, [this] {
            forget_pools();
            if (!works) return end();
            static_cast<void>(pool.run());
        });
        on.core(1, [this] {
            forget_pools();
            weft::fork_join(pool, [this] { ++runs; });
        });
        if (works) on.core(2, [this] { forget_pools(), end(); });
    }
    void finish() { ran_once(); }
};
using weft::Shutdown;
MODEL_SCENARIO(fork_call_abandoned, CallAndEnd<Shutdown::abandon, false>)
    .preemptions(3)
    .stale_reads(3)
    .each_wake();
MODEL_SCENARIO(fork_call_drained, CallAndEnd<Shutdown::drain, false>)
    .preemptions(3)
    .stale_reads(3)
    .each_wake();
MODEL_SCENARIO(fork_call_abandoned_by_worker, CallAndEnd<Shutdown::abandon, true>).stale_reads(1).each_wake();

// Result: Never. The pool is shut down while its cores fork and join: what has begun is completed, deeper helpers
// included. A core that comes too late forks serially.
template <weft::Shutdown mode>
struct EndsMeanwhile : Border<2> {
    int child[2] = {};
    void cores(model::Program& on) {
        on.core(0, [this] {
            forget_pools();
            weft::fork_join(
                pool, [this] { ++child[0]; }, [this] { ++child[1]; });
        });
        on.core_at_rest(1, [this] { work(); });
        on.core(2, [this] {
            forget_pools();
            weft::Batch left;
            pool.shutdown(mode);
            must(pool.join(left));
        });
    }
    void finish() { model::check(child[0] == 1 && child[1] == 1, "each child runs exactly once"); }
};
MODEL_SCENARIO(fork_ends_drain, EndsMeanwhile<Shutdown::drain>).each_wake();
MODEL_SCENARIO(fork_ends_abandon, EndsMeanwhile<Shutdown::abandon>).each_wake();

// Result: Never. The pool is shut down while a root has begun or has not: then the joiner runs it, and its children, or
// it is handed back, and its children never existed.
template <weft::Shutdown mode>
struct EndsBefore : Border<1> {
    int child[2] = {};
    struct Forks : weft::Task {
        Forks() : Task(&Forks::run) {}
        static void run(weft::Task& self) {
            EndsBefore& all = *static_cast<Forks&>(self).all;
            ++all.runs;
            weft::fork_join([&all] { ++all.child[0]; }, [&all] { ++all.child[1]; });
        }
        EndsBefore* all = nullptr;
    } task;
    void cores(model::Program& on) {
        on.core(0, [this] {
            task.all = this;
            static_cast<void>(pool.submit(task));
            work();
        });
        on.core(1, [this] {
            forget_pools();  // a joiner may run what is left
            weft::Batch left;
            pool.shutdown(mode);
            must(pool.join(left));
        });
    }
    void finish() { model::check(child[0] == runs && child[1] == runs && runs <= 1, "all or nothing"); }
};
MODEL_SCENARIO(fork_ends_before_drain, EndsBefore<Shutdown::drain>).each_wake();
MODEL_SCENARIO(fork_ends_before_abandon, EndsBefore<Shutdown::abandon>).each_wake();

// Result: Never (sleeps for ever). A core from outside calls, and the first core to be started does not come.
template <unsigned cores_>
struct CallStarts : Border<cores_> {
    void caller(model::Program& on) {
        on.core(cores_, [this] {
            forget_pools();
            weft::fork_join(this->pool, [this] { ++this->runs; });
            this->pool.shutdown();
            must(this->pool.join());
        });
    }
    void finish() { this->ran_once(); }
};
struct CallRefused : CallStarts<1> {
    void cores(model::Program& on) {
        on.late_core(0, {Arrival::refused, Arrival::normal});
        caller(on);
    }
};
MODEL_SCENARIO(fork_call_start_refused, CallRefused);
struct CallNever : CallStarts<2> {
    void cores(model::Program& on) {
        on.late_core(1, {Arrival::never});
        on.late_core(0);
        caller(on);
    }
};
MODEL_SCENARIO(fork_call_start_never_comes, CallNever);

// Result: Never (sleeps for ever). A core from outside calls while the only core of the pool is there for a call of its
// own, or polls once; that core works for nobody afterwards.
template <bool polls>
struct CallMeetsGuest : Border<1> {
    void cores(model::Program& on) {
        on.core(0, [this] {
            forget_pools();
            if (polls) {
                pool.poll(1);
            } else {
                weft::fork_join(pool, [] {});
            }
        });
        on.core(1, [this] {
            forget_pools();
            weft::fork_join(pool, [this] { ++runs; });
        });
    }
    void finish() { ran_once(); }
};
MODEL_SCENARIO(fork_call_meets_call, CallMeetsGuest<false>);
MODEL_SCENARIO(fork_call_meets_poll, CallMeetsGuest<true>);

// Result: Never (deadlock). Core 0 waits for a child that core 1 runs; the child calls a pool whose only core is core
// 0.
struct SmallerPool : Border<2> {
    weft::Pool<1, 2> small;
    void forks() {
        weft::fork_join([this] { wait_until_ran(); },
                        [this] {
                            has_run();
                            weft::fork_join(small, [this] { ++runs; });
                        });
    }
    void cores(model::Program& on) {
        on.core(0, [this] {
            forget_pools();
            weft::fork_join(small, [this] { weft::fork_join(pool, [this] { forks(); }); });
            pool.shutdown();
        });
        on.core(1, [this] { work(); });
    }
    void finish() { ran_once(); }
};
MODEL_SCENARIO(fork_call_smaller_pool, SmallerPool);

// Result: Never. From a task of one pool into another one and back: each works for the pool that was named.
struct CallBack : Border<1> {
    weft::Pool<1, 2> inner;
    void cores(model::Program& on) {
        root_is(on, [this] {
            weft::fork_join(inner, [this] {
                weft::fork_join(pool, [this] {
                    model::check(ForkDeque::current()->pool() == &pool, "it works for the pool it named");
                });
                model::check(ForkDeque::current()->pool() == &inner, "and for the other one again");
            });
        });
    }
};
MODEL_SCENARIO(fork_call_back, CallBack);

// Result: Never (a child waits for ever). The other core does not sleep: it polls. A poll that finds nothing asks, and
// the next one finds what was forked in between. Earlier polls meet earlier offers, which are taken back.
struct Polls : Border<2> {
    Meeting<2> begun, asked, forked;
    void cores(model::Program& on) {
        root_is(on, [this] {
            fork_nothing(), begun.arrive();
            weft::fork_join([this] { asked.arrive(), fork_nothing(), forked.arrive(), wait_until_ran(); },
                            [this] { has_run(); });
        });
        on.core(1, [this] {
            forget_pools();
            pool.poll(1).tasks, begun.arrive();
            pool.poll(1).tasks, asked.arrive();
            forked.arrive(), pool.poll(1);
        });
    }
};
MODEL_SCENARIO(fork_polls, Polls);

// Result: Never (serial for ever). The first core that is started never comes; there is another one, which is started
// by the first fork after the deadline.
struct StartNeverComes : Border<3> {
    void cores(model::Program& on) {
        on.core(0, [this] {
            forget_pools();
            weft::fork_join(pool, [this] {
                weft::fork_join([this] { model::advance_clock(1000000), fork_nothing(), wait_until_ran(); },
                                [this] { has_run(); });
            });
        });
        on.late_core(1, {Arrival::never});
        on.late_core(2);
    }
};
MODEL_SCENARIO(fork_start_never_comes, StartNeverComes).parked_at_end();

// Result: Never (serial for ever). A start was refused in an earlier call; the next call tries again.
struct StartRefused : Border<2> {
    void cores(model::Program& on) {
        on.core(0, [this] {
            forget_pools();
            weft::fork_join(pool, [this] { fork_nothing(); });
            weft::fork_join(pool,
                            [this] { weft::fork_join([this] { wait_until_ran(); }, [this] { has_run(); }); });
            pool.shutdown();
            must(pool.join());
        });
        on.late_core(1, {Arrival::refused, Arrival::normal});
    }
};
MODEL_SCENARIO(fork_start_refused, StartRefused);

// Result: Never (a child waits for ever). Long children that do not fork: a join, too, hands out what is left, if
// somebody has asked before. Children of a group; second callables.
template <bool group>
struct Leaves : Border<2> {
    Signal ran;
    void cores(model::Program& on) {
        root_is(on, [this] {
            fork_nothing();
            if (group) {
                weft::GroupTask first([this] { ran.signal(); });
                weft::GroupTask last([this] { ran.wait(); });
                weft::TaskGroup both;
                both.run(first), both.run(last);
                ForkDeque::current()->ask();
                both.wait();
            } else {
                weft::fork_join(
                    [this] { weft::fork_join([] { ForkDeque::current()->ask(); }, [this] { ran.wait(); }); },
                    [this] { ran.signal(); });
            }
        });
        sleeps_at_first(on, pool);
    }
};
MODEL_SCENARIO(fork_group_of_leaves, Leaves<true>);
MODEL_SCENARIO(fork_second_callables, Leaves<false>);

}  // namespace
