// SPDX-License-Identifier: MIT OR Apache-2.0
// Model: forked children between their owner, thieves, sleepers and an interrupt handler. Edges F1, F2, F3, I1.
// The deque holds two frames (WEFT_FORK_DEPTH=2).
#include "forks.hpp"

namespace {

// A task on core 0 forks; core 1 is a worker, too. What a child writes must be there after the join; it runs once.
template <unsigned children>
struct Forks {
    weft::Pool<2, 2> pool;
    Meeting<2> two;
    weft::Plain<uint32_t> input{};
    struct Child {
        weft::Plain<uint32_t> output{};
        int runs = 0;
    } child[children];
    Root root;

    void work() {
        forget_pools();
        must(pool.run());
    }
    // The body of a child.
    void is_run(unsigned which) {
        model::check(input.get() == 41, "the child sees what its parent wrote");
        child[which].output.set(child[which].output.get() + 1);
        ++child[which].runs;
    }
    void is_joined(unsigned which) {
        model::check(child[which].output.get() == 1, "the join sees what the child did");
    }
    template <class Body>
    void root_is(model::Program& on, Body body) {
        on.core(0, [this, body] {
            root.submit_to(pool, body);
            work();
        });
    }
    // `rested`: see sleeps_at_first().
    template <bool rested, class Body>
    void cores_with(model::Program& on, Body body) {
        root_is(on, body);
        if (rested) {
            sleeps_at_first(on, pool);
        } else {
            on.core(1, [this] { work(); });
        }
    }
    void finish() {
        for (Child& one : child) model::check(one.runs == 1, "every child runs exactly once");
        model::check(pool.sleeping_cores() == 0, "who slept in a join is awake again");
    }
};

// Result: Never (lost, twice, seen too early or too late). The owner takes its child back, or a thief runs it.
struct OneChild : Forks<2> {
    void cores(model::Program& on) {
        cores_with<false>(on, [this] {
            input.set(41);
            weft::fork_join([this] { is_run(0); }, [this] { is_run(1); });
            is_joined(0), is_joined(1);
        });
    }
};
MODEL_SCENARIO(fork_one_child, OneChild).each_wake();

// Result: Never (lost). A victim has both, a child on offer and tasks in its overflow: a thief takes one at a time.
struct ChildAndOverflow : Forks<2> {
    Signal stolen;
    Mark task[3];
    void cores(model::Program& on) {
        cores_with<true>(on, [this] {
            input.set(41);
            for (Mark& one : task) {
                one.prepare();
                must(pool.submit(one));
            }
            weft::fork_join([this] { is_run(0), stolen.wait(); }, [this] { stolen.signal(), is_run(1); });
            is_joined(0), is_joined(1);
        });
    }
    void finish() {
        Forks::finish();
        for (Mark& one : task) model::check(one.as_promised(), "every task runs exactly once");
    }
};
MODEL_SCENARIO(fork_child_and_overflow, ChildAndOverflow);

// Result: Never (serial; waits for ever). A core that is no core of the pool calls: a worker that stays does it; a core
// that only polls may be gone, and then the caller does it itself.
template <bool stays>
struct ForeignCall {
    weft::Pool<1, 2> pool;
    Mark task;
    unsigned runs = 0;
    void cores(model::Program& on) {
        on.core_at_rest(0, [this] {
            forget_pools();
            if (stays) {
                must(pool.run());
            } else {
                task.prepare();
                must(pool.submit_on(0, task));
                model::check(pool.poll(1).tasks == 1, "a task");
            }
        });
        on.core(1, [this] {
            forget_pools();
            auto errand = [this] {
                ++runs;
                model::check(weft::Port::core_id() == (stays ? 0 : 1), "where somebody stays");
            };
            pool.call(errand);
            pool.shutdown();
        });
    }
    void finish() { model::check(runs == 1, "it was done once"); }
};
MODEL_SCENARIO(call_where_a_worker_stays, ForeignCall<true>);
MODEL_SCENARIO(call_where_a_core_has_polled, ForeignCall<false>);

// Result: Never (waits for ever). A core that is no core of the pool calls while another one ends the pool, which
// nobody joins: the call is done by the worker before it leaves, or by the caller.
template <weft::Shutdown mode>
struct CallAtTheEnd {
    weft::Pool<1, 2> pool;
    unsigned runs = 0;
    void cores(model::Program& on) {
        on.core_at_rest(0, [this] {
            forget_pools();
            must(pool.run());
        });
        on.core(1, [this] {
            forget_pools();
            auto errand = [this] { ++runs; };
            pool.call(errand);
        });
        on.core(2, [this] { pool.shutdown(mode); });
    }
    void finish() { model::check(runs == 1, "it was done once"); }
};
MODEL_SCENARIO(call_at_the_end, CallAtTheEnd<weft::Shutdown::drain>);
MODEL_SCENARIO(call_at_the_end_abandoned, CallAtTheEnd<weft::Shutdown::abandon>);

// Result: Never (waits for ever). The thief ends while the owner is asleep in its join, or about to be.
struct WaiterSleeps : Forks<2> {
    Signal stolen;
    void cores(model::Program& on) {
        cores_with<false>(on, [this] {
            input.set(41);
            weft::fork_join([this] { is_run(0), stolen.wait(); }, [this] { stolen.signal(), is_run(1); });
            is_joined(0), is_joined(1);
        });
    }
};
MODEL_SCENARIO(fork_waiter_sleeps, WaiterSleeps).each_wake();

// Result: Never (waits for ever). The first callable does not end before another core has run the second; but it
// forks once when somebody has asked. So a core that sleeps, or is about to, is given the older child, although an
// earlier offer was taken back (B3). This is the bound: private work waits for the next fork of its owner.
template <bool rested>
struct NextForkOffers : Forks<2> {
    Signal ran;
    void cores(model::Program& on) {
        cores_with<rested>(on, [this] {
            input.set(41);
            fork_nothing();
            weft::fork_join([this] { is_run(0), wait_until_asked(), fork_nothing(), ran.wait(); },
                            [this] { is_run(1), ran.signal(); });
            is_joined(0), is_joined(1);
        });
    }
};
MODEL_SCENARIO(fork_next_fork_offers, NextForkOffers<true>).stale_reads(1);
MODEL_SCENARIO(fork_next_fork_offers_pct, NextForkOffers<false>).mode(model::Mode::pct).executions(50000);

// Result: Never (waits for ever). The other core has work of its own while the owner forks: nothing is asked for, and
// what is forked next stays private. When that core has none any more it sleeps, or is about to: it has asked before.
struct ThiefAsks : Forks<2> {
    Signal began, done, ran;
    struct Own : weft::TaskOf<Own> {
        void run() { its->began.signal(), its->done.wait(); }
        ThiefAsks* its = nullptr;
    } own;
    void cores(model::Program& on) {
        own.its = this;
        cores_with<true>(on, [this] {
            input.set(41);
            must(pool.submit(own));
            began.wait();
            fork_nothing();
            weft::fork_join(
                [this] { is_run(0), done.signal(), wait_until_asked(), fork_nothing(), ran.wait(); },
                [this] { is_run(1), ran.signal(); });
            is_joined(0), is_joined(1);
        });
    }
};
MODEL_SCENARIO(fork_thief_asks, ThiefAsks).stale_reads(1);

// The second child is stolen for sure, and forks children 1 and 2 by `forks`, while the owner waits in its join.
struct StolenParent : Forks<3> {
    Signal stolen;
    template <bool rested, class Body>
    void parent_of_two(model::Program& on, Body forks) {
        cores_with<rested>(on, [this, forks] {
            input.set(41);
            weft::fork_join([this] { is_run(0), stolen.wait(); },
                            [this, forks] {
                                stolen.signal();
                                forks();
                                is_joined(1), is_joined(2);
                            });
            is_joined(0), is_joined(1), is_joined(2);
        });
    }
};

// Result: Never (waits for ever). The owner waits for a stolen child, and must help with what that child forks: it
// needs two cores as well. The owner may be asleep when it is offered.
struct HelpsDeeper : StolenParent {
    void cores(model::Program& on) {
        parent_of_two<false>(on, [this] {
            weft::fork_join([this] { is_run(1), two.arrive(); }, [this] { is_run(2), two.arrive(); });
        });
    }
};
MODEL_SCENARIO(fork_helps_deeper, HelpsDeeper).each_wake();

// Result: Never (waits for ever). The same where the thief's deque is not new: nothing of what it forks next is offered
// unless somebody asks, and the only one who can is the owner, in its join. It gets the child at the next fork.
// (spin_returns: no loop here gives up.)
template <bool rested>
struct WaiterAsks : StolenParent {
    Signal ran;
    void cores(model::Program& on) {
        parent_of_two<rested>(on, [this] {
            fork_nothing();
            weft::fork_join([this] { is_run(1), wait_until_asked(), fork_nothing(), ran.wait(); },
                            [this] { is_run(2), ran.signal(); });
        });
    }
};
MODEL_SCENARIO(fork_waiter_asks, WaiterAsks<true>).spin_returns(0);
MODEL_SCENARIO(fork_waiter_asks_pct, WaiterAsks<false>).mode(model::Mode::pct).executions(50000);

// Result: Never (runs elsewhere). Core 0 waits for a child. Its thief offers the second child of a group before it runs
// what it has taken, and then takes it back: siblings are one level, so it is as deep as that, and must not run on the
// core that waits (B4).
struct HelpsNotBeside : Forks<3> {
    Signal forked, taken;
    weft::detail::ForkDeque* waiting = nullptr;
    void cores(model::Program& on) {
        on.core(0, [this] {
            forget_pools();
            model::check(pool.poll(1).tasks == 1, "the first sibling is on offer");
            weft::fork_join(pool, [this] {
                input.set(41);
                waiting = weft::detail::ForkDeque::current();
                weft::fork_join([this] { forked.signal(), taken.wait(); }, [this] { is_run(2); });
                is_joined(2);
            });
        });
        on.core_at_rest(1, [this] {
            forget_pools();
            weft::fork_join(pool, [this] {
                weft::GroupTask first([this] { ++child[0].runs; });
                weft::GroupTask second([this] {
                    ++child[1].runs;
                    model::check(weft::Port::core_id() == 1, "who waits runs deeper children only");
                });
                weft::TaskGroup group;
                group.run(first), forked.wait();
                weft::Task* task = nullptr;
                while ((task = waiting->take(*weft::detail::ForkDeque::current(), 0)) == nullptr)
                    weft::Port::relax();
                taken.signal(), group.run(second);
                weft::detail::TaskAccess::run (*task)(*task);
            });
        });
    }
};
MODEL_SCENARIO(fork_helps_not_beside, HelpsNotBeside).each_wake();

// Result: Never. More forks than the deque has room for: the rest runs at once (B2).
struct Full : Forks<4> {
    void cores(model::Program& on) {
        cores_with<true>(on, [this] {
            input.set(41);
            weft::fork_join([&] { is_run(0); }, [&] { is_run(1); }, [&] { is_run(2); }, [&] { is_run(3); });
            weft::TaskGroup group;
            weft::GroupTask nothing([] {});
            weft::GroupTask neither([] {});
            weft::GroupTask nor([] {});
            group.run(nothing), group.run(neither), group.run(nor);
            group.wait();
            for (unsigned i = 0; i != 4; ++i) is_joined(i);
        });
    }
};
MODEL_SCENARIO(fork_full, Full).stale_reads(1);

// Result: Never (lost, twice, another's frame). The deque, with room for two, is renewed if the thief happens to have
// begun what is in it. Nothing but the marks in the slots tells the owner (F3).
struct FullByChance : Forks<4> {
    Signal begun;
    void fork(unsigned which) {
        if (which != 4)
            weft::fork_join([this, which] { fork(which + 1); }, [this, which] { ++child[which].runs; });
    }
    void cores(model::Program& on) {
        on.core_at_rest(1, [this] { work(); });
        root_is(on, [this] {
            weft::fork_join([this] { begun.wait(), fork(1); }, [this] { begun.signal(), ++child[0].runs; });
        });
    }
};
MODEL_SCENARIO(fork_full_by_chance, FullByChance);

// Result: Never (waits for ever; lost; twice). Each of three nested forks needs two cores, and the deque has room for
// two: when thieves have begun all that is in it, it is renewed, and is restored by the joins.
struct FullOfStolen : Forks<3> {
    Meeting<2> two[3];
    void level(unsigned which) {
        if (which == 3) return;
        weft::fork_join([this, which] { two[which].arrive(), level(which + 1); },
                        [this, which] { two[which].arrive(), is_run(which); });
        is_joined(which);
    }
    void cores(model::Program& on) {
        on.core_at_rest(1, [this] { work(); });
        root_is(on, [this] { input.set(41), level(0); });
    }
};
MODEL_SCENARIO(fork_full_of_stolen, FullOfStolen);

// Result: Never. A handler on the owner's core offers, at any point of fork and join. The other core polls: it asks, or
// takes what is on offer. `asked`: there is a request before the fork, so the owner offers, too. There is another one
// before the join.
template <bool asked>
struct FromIsr : Forks<2> {
    Signal begun;
    void cores(model::Program& on) {
        on.core(0, [this] {
            forget_pools();
            weft::fork_join(pool, [this] {
                input.set(41);
                fork_nothing();
                if (asked) weft::detail::ForkDeque::current()->ask();
                begun.signal();
                weft::fork_join([this] { is_run(0), weft::detail::ForkDeque::current()->ask(); },
                                [this] { is_run(1); });
                is_joined(0), is_joined(1);
            });
        });
        on.interrupt(0, [this] { pool.offer_from_isr(); });
        on.core_at_rest(1, [this] {
            find_nobody_to_start(pool);
            begun.wait(), pool.poll(1).tasks, pool.poll(1);
        });
    }
};
MODEL_SCENARIO(fork_isr_offers, FromIsr<false>);
MODEL_SCENARIO(fork_isr_meets_offers, FromIsr<true>);

// Result: Never. The same where the other core is a worker, and asks when it goes to sleep.
struct FromIsrToWorker : Forks<2> {
    void cores(model::Program& on) {
        cores_with<false>(on, [this] {
            input.set(41);
            fork_nothing();
            weft::fork_join([this] { is_run(0); }, [this] { is_run(1); });
            is_joined(0), is_joined(1);
        });
        on.interrupt(0, [this] { pool.offer_from_isr(); });
    }
};
MODEL_SCENARIO(fork_isr_offers_pct, FromIsrToWorker).mode(model::Mode::pct).executions(50000);

}  // namespace
