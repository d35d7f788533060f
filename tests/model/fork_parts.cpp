// SPDX-License-Identifier: MIT OR Apache-2.0
// Model: coarse parts. Whoever sleeps when something is forked finds it on offer, although the owner forks no more.
// The parts wait for each other, asleep, so each needs a core to itself. Edges F1, I1.
#include "forks.hpp"

namespace {

// Core 0 runs the root; the others sleep before it begins. The deque has room for two (WEFT_FORK_DEPTH=2).
template <unsigned cores_>
struct Coarse {
    static constexpr unsigned count = cores_;
    weft::Pool<cores_, 2> pool;
    Meeting<cores_> all;
    unsigned runs = 0;
    Root root;

    void work() {
        forget_pools();
        must(pool.run());
    }
    void part() { ++runs, all.arrive(); }
    template <class Body>
    void cores_with(model::Program& on, Body body) {
        on.core(0, [this, body] {
            root.submit_to(pool, body);
            work();
        });
        on.core_at_rest(1, [this] {
            find_nobody_to_start(pool);
            work();
        });
        for (unsigned id = 2; id != cores_; ++id) on.core_at_rest(id, [this] { work(); });
    }
    void finish() { model::check(runs == count, "every part runs exactly once"); }
};

// Result: Never (waits for ever). The first offer wakes the sleeper, and is taken back; what is forked next must be on
// offer when that core comes, as its owner forks no more.
struct AfterTakenBack : Coarse<2> {
    void cores(model::Program& on) {
        cores_with(on, [this] {
            fork_nothing();
            weft::fork_join([this] { part(); }, [this] { part(); });
        });
    }
};
MODEL_SCENARIO(fork_parts_after_taken_back, AfterTakenBack).each_wake();

// With rounds of search before the sleep, a core at rest may be one that searches, and does not count as a sleeper.
#if WEFT_SEARCH_ROUNDS == 0

// Result: Never (waits for ever). Three parts for three cores: too large to be exhausted. By a group ...
struct OfGroup : Coarse<3> {
    void fork() {
        weft::GroupTask first([this] { part(); });
        weft::GroupTask second([this] { part(); });
        weft::TaskGroup group;
        group.run(first), group.run(second);
        part();
    }
    void cores(model::Program& on) {
        cores_with(on, [this] { fork(); });
    }
};
MODEL_SCENARIO(fork_parts_of_group_pct, OfGroup).mode(model::Mode::pct).executions(20000);

// Result: Never (waits for ever). The same where the sleepers have run a task before: they are idle again, and count.
// (With one sleeper that would not matter: a single frame is offered in any case.)
struct WorkedBefore : OfGroup {
    Mark before[3];
    void cores(model::Program& on) {
        cores_with(on, [this] {
            nobody_can_be_started(pool);
            fork();
        });
        for (unsigned id : {1, 2}) {
            on.core_at_rest(id, [this, id] {
                forget_pools();
                before[id].prepare();
                must(pool.submit_on(id, before[id]));
                work();
            });
        }
    }
    void finish() {
        OfGroup::finish();
        for (unsigned id : {1, 2}) model::check(before[id].as_promised(), "they have run one");
    }
};
MODEL_SCENARIO(fork_parts_for_who_has_worked, WorkedBefore).preemptions(1).stale_reads(0);
MODEL_SCENARIO(fork_parts_for_who_has_worked_random, WorkedBefore)
    .wake(model::Wake::targeted)
    .mode(model::Mode::random)
    .executions(20000);

// Result: Never (a thief finds no child). A tick comes while the second child, which is owed, goes on offer at once.
// For the handler it is never one that it could offer, though yet another one is owed.
struct SecondMeetsATick : Coarse<4> {
    int first_runs = 0;
    int second_runs = 0;
    void cores(model::Program& on) {
        cores_with(on, [this] {
            weft::GroupTask first([this] { ++first_runs; });
            weft::GroupTask second([this] { ++second_runs; });
            weft::TaskGroup group;
            group.run(first), group.run(second);
        });
        on.interrupt(
            0, [this] { pool.offer_from_isr(); }, 1, model::Occurs::may);
    }
    void finish() { model::check(first_runs == 1 && second_runs == 1, "each child runs exactly once"); }
};
MODEL_SCENARIO(fork_parts_second_meets_a_tick, SecondMeetsATick).preemptions(0).stale_reads(0);

// Result: Never. Of two children of a group, on offer together, the second is no deeper than the first: a core that
// waits for a sibling of theirs may not help with it.
struct SiblingsOnOffer : Coarse<3> {
    const weft::detail::ForkDeque* owner = nullptr;
    void look() { model::check(!owner->offers(1), "siblings are as deep as each other"); }
    void cores(model::Program& on) {
        cores_with(on, [this] {
            owner = weft::detail::ForkDeque::current();
            weft::GroupTask first([this] { look(), part(); });
            weft::GroupTask second([this] { look(), part(); });
            weft::TaskGroup group;
            group.run(first), group.run(second);
            part();
        });
    }
};
MODEL_SCENARIO(fork_parts_siblings_on_offer, SiblingsOnOffer).preemptions(1).stale_reads(0);

// Result: Never (waits for ever). A submit from outside is about to start a core: it has taken the mark away that one
// can be started, and has tried none yet. The cores that are off count all the same: the one that comes has a short
// child first, and must find the other one on offer behind that.
struct WhileAStartIsTried {
    weft::Pool<3, 2> pool;
    Meeting<2> both;
    Root root;
    Mark other;
    void cores(model::Program& on) {
        other.prepare();
        on.core_at_rest(0, [this] {
            forget_pools();
            root.submit_to(pool, [this] {
                weft::Port::relax();
                weft::GroupTask nothing([] {});
                weft::GroupTask child([this] { both.arrive(); });
                weft::TaskGroup group;
                group.run(nothing), group.run(child);
                both.arrive();
            });
            must(pool.run());
            weft::Batch left;
            must(pool.join(left));
            if (left.pop() != nullptr) other.runs += 1;
        });
        on.late_core(1);
        on.late_core(2);
        on.core(3, [this] {
            const weft::Status status = pool.submit(other);
            model::check(status == weft::Status::ok || status == weft::Status::closed, "accepted or refused");
            other.given = status == weft::Status::ok;
        });
    }
    void finish() { model::check(other.as_promised(), "it runs once, or is handed back"); }
};
MODEL_SCENARIO(fork_parts_while_a_start_is_tried, WhileAStartIsTried).preemptions(1).stale_reads(0);

// Result: Never (waits for ever). The three parts by nested forks ...
struct OfForks : Coarse<3> {
    void cores(model::Program& on) {
        cores_with(on, [this] {
            weft::fork_join([this] { weft::fork_join([this] { part(); }, [this] { part(); }); },
                            [this] { part(); });
        });
    }
};
MODEL_SCENARIO(fork_parts_of_forks_pct, OfForks).mode(model::Mode::pct).executions(20000);

// ... and by a loop, which splits as often as there are cores.
struct OfLoop : Coarse<3> {
    void cores(model::Program& on) {
        cores_with(on, [this] { weft::parallel_for(0u, 3u, 1, [this](unsigned) { part(); }); });
    }
};
MODEL_SCENARIO(fork_parts_of_loop_pct, OfLoop).mode(model::Mode::pct).executions(20000);

// Result: Never (waits for ever). A short child makes as many offers as cores sleep, and is taken back: one offer is
// left for two sleepers, so the next child must be on offer, too. No race is needed to see it: without preemptions.
struct AfterOneOfTwoTakenBack : Coarse<3> {
    void cores(model::Program& on) {
        cores_with(on, [this] {
            weft::fork_join(
                [this] {
                    fork_nothing();
                    weft::fork_join([this] { part(); }, [this] { part(); });
                },
                [this] { part(); });
        });
    }
};
MODEL_SCENARIO(fork_parts_after_one_of_two, AfterOneOfTwoTakenBack)
    .preemptions(0)
    .stale_reads(0)
    .within_bounds();

// Result: Never (waits for ever). The same where no other core is on yet: who is off, or on its way, is to be served.
struct OfColdGroup : OfGroup {
    void cores(model::Program& on) {
        OfGroup::cores(on);
        for (unsigned id : {1, 2}) {
            on.plan(id).boots = false;
            on.late_core(id);
        }
    }
};
MODEL_SCENARIO(fork_parts_of_cold_group_pct, OfColdGroup).mode(model::Mode::pct).executions(20000);

// Result: Never (waits for ever). A core waits in a join for a thief and may only take what is deeper than that child.
// Another owner offers two frames, the shallow one in front. Who takes that one must tell the core in the join that the
// deep one can be taken now: the four parts need a core each, and nobody offers anything afterwards.
struct Uncovered {
    weft::Pool<4, 2> pool;
    Meeting<4> all;
    weft::Atomic<uint32_t> stolen{0};
    weft::Plain<weft::detail::ForkDeque*> waiting{};
    unsigned runs = 0;
    Root root;
    struct Joining : weft::Task {
        Joining() : Task(&Joining::run) {}
        static void run(weft::Task& self) {
            Uncovered& its = *static_cast<Joining&>(self).its;
            its.waiting.set(weft::detail::ForkDeque::current());
            weft::fork_join(
                [&its] {
                    while (its.stolen.load(weft::acquire) == 0) weft::Port::relax();
                },
                [&its] { its.stolen.store(1, weft::release), its.part(); });
        }
        Uncovered* its = nullptr;
    } joining;

    void part() { ++runs, all.arrive(); }
    void work() {
        forget_pools();
        must(pool.run());
    }
    void cores(model::Program& on) {
        on.core(0, [this] {
            root.submit_to(pool, [this] {
                joining.its = this;
                must(pool.submit_on(1, joining));
                while (stolen.load(weft::acquire) == 0) weft::Port::relax();
                while (waiting.get()->is_idle() == 0) weft::Port::relax();  // in the join
                weft::fork_join([this] { weft::fork_join([this] { part(); }, [this] { part(); }); },
                                [this] { part(); });
            });
            work();
        });
        on.core_at_rest(1, [this] {
            find_nobody_to_start(pool);
            work();
        });
        for (unsigned id : {2, 3}) on.core_at_rest(id, [this] { work(); });
    }
    void finish() { model::check(runs == 4, "every part runs exactly once"); }
};
MODEL_SCENARIO(fork_parts_uncovered_pct, Uncovered).mode(model::Mode::pct).executions(20000).stale_reads(0);

#endif

// Two parts that wait for each other, forked last.
struct TwoParts : Coarse<2> {
    void parts() {
        weft::fork_join([this] { part(); }, [this] { part(); });
    }
};

// Result: Never (waits for ever). Core 1 is off, and the first fork starts it. When it has checked in it is not on its
// way any more, and has yet to begin its first search: it is idle from the first moment on.
template <bool visits>
struct ArrivesBetween : TwoParts {
    void body() {
        fork_nothing();
        fork_nothing();
        judged =
            pool.stats(1).executed == 0;  // otherwise it has stolen one of these, and ends that at some time
        if (judged) parts();
    }
    void finish() {
        if (judged) TwoParts::finish();
    }
    bool judged = false;
    void cores(model::Program& on) {
        on.core(0, [this] {
            forget_pools();
            if (visits) {
                pool.call([this] { body(); });
                pool.shutdown();
                return;
            }
            root.submit_to(pool, [this] { body(); });
            must(pool.run());
        });
        on.late_core(1);
    }
};
MODEL_SCENARIO(fork_parts_for_who_arrives, ArrivesBetween<false>).stale_reads(0);
MODEL_SCENARIO(fork_parts_of_a_call_for_who_arrives, ArrivesBetween<true>).stale_reads(2);

// Result: Never (waits for ever). Core 1 is off. A tick comes between the owner's look and its offer: the handler makes
// the offer, but may start nobody. So the owner does.
template <bool ticks_on>
struct ColdTick : TwoParts {
    weft::Atomic<uint32_t> here{0};
    void part() {
        ++runs;
        here.fetch_add(1, weft::release);
        while (here.load(weft::acquire) != 2) {
            weft::Port::relax();
            if (ticks_on) pool.offer_from_isr();  // what a handler would do just here
        }
    }
    void cores(model::Program& on) {
        on.core(0, [this] {
            forget_pools();
            pool.call([this] { weft::fork_join([this] { part(); }, [this] { part(); }); });
            pool.shutdown();
        });
        on.late_core(1);
        on.interrupt(
            0, [this] { pool.offer_from_isr(); }, 1, model::Occurs::may);
    }
};
MODEL_SCENARIO(fork_parts_offered_by_a_tick, ColdTick<false>).preemptions(0).stale_reads(0);
MODEL_SCENARIO(fork_parts_offered_by_ticks, ColdTick<true>).preemptions(0).stale_reads(0);

}  // namespace
