// SPDX-License-Identifier: MIT OR Apache-2.0
// Model: attacks on fork-join.
#include "tasks.hpp"

namespace {

using model::Arrival;
using weft::detail::ForkDeque;

// Core 0 runs `body` as the root task of `pool`, and ends the pool.
template <unsigned cores>
struct Attack {
    weft::Pool<cores, 2> pool;
    int runs[3] = {};
    weft::Atomic<uint32_t> ran{0};
    struct Root : weft::Task {
        Root() : Task(&Root::run) {}
        static void run(weft::Task& self) {
            Root& root = static_cast<Root&>(self);
            root.body();
            root.pool->shutdown();
        }
        model::Callable body;
        weft::Scheduler* pool = nullptr;
    } root;

    void work() {
        ForkDeque::leave(nullptr);
        must(pool.run());
    }
    template <class Body>
    void rooted(model::Program& on, Body body) {
        on.core(0, [this, body] {
            root.pool = &pool;
            root.body = model::Callable(body);
            must(pool.submit(root));
            work();
        });
    }
    void fork_nothing() {
        weft::fork_join([] {}, [] {});
    }
    // The first callable does not end before another core has run the second; it forks now and then.
    void needs_another_core() {
        fork_nothing();
        weft::fork_join(
            [this] {
                while (ran.load(weft::relaxed) == 0) fork_nothing(), weft::Port::relax();
            },
            [this] { ran.store(1, weft::relaxed); });
    }
};

// 1. Two handlers on one core, one interrupting the other.
struct NestedIsr : Attack<2> {
    weft::Atomic<uint32_t> go{0};
    void cores(model::Program& on) {
        on.core(0, [this] {
            ForkDeque::leave(nullptr);
            pool.call([](void* self) { static_cast<NestedIsr*>(self)->asked(); }, this);
        });
        on.core(1, [this] {
            ForkDeque::leave(nullptr);
            while (go.load(weft::relaxed) == 0) weft::Port::relax();
            while (go.load(weft::relaxed) == 1) pool.poll(1), weft::Port::relax();
        });
        on.interrupt(
            0, [this] { pool.offer_from_isr(); }, 2);
        on.nested_interrupts(0);
    }
    void asked() {
        fork_nothing();
        weft::fork_join(
            [this] {
                ForkDeque::current()->ask();
                go.store(1, weft::relaxed);
            },
            [this] { ++runs[1]; });
        go.store(2, weft::relaxed);
    }
    void finish() { model::check(runs[1] == 1, "every child runs exactly once"); }
};
MODEL_SCENARIO(attack_nested_isr, NestedIsr).preemptions(2).stale_reads(0);

// 2. A foreign core waits in call(); the pool is abandoned.
template <weft::Shutdown mode>
struct ErrandAndEnd : Attack<1> {
    void cores(model::Program& on) {
        on.core(0, [this] {
            weft::Batch left;
            pool.shutdown(mode);
            must(pool.join(left));
            model::check(left.empty(), "nobody submitted a task");
        });
        on.core(1, [this] {
            ForkDeque::leave(nullptr);
            pool.call([](void* self) { ++static_cast<ErrandAndEnd*>(self)->runs[0]; }, this);
        });
    }
    void finish() { model::check(runs[0] == 1, "the function ran once"); }
};
MODEL_SCENARIO(attack_errand_abandoned, ErrandAndEnd<weft::Shutdown::abandon>).each_wake();
MODEL_SCENARIO(attack_errand_drained, ErrandAndEnd<weft::Shutdown::drain>).each_wake();

// 3. A foreign core calls, the first core to be started is refused / never comes.
template <unsigned cores>
struct ErrandStarts : Attack<cores> {
    void caller(model::Program& on) {
        on.core(cores, [this] {
            ForkDeque::leave(nullptr);
            this->pool.call([](void* self) { ++static_cast<ErrandStarts*>(self)->runs[0]; }, this);
            this->pool.shutdown();
            must(this->pool.join());
        });
    }
    void finish() { model::check(this->runs[0] == 1, "the function ran once"); }
};
struct ErrandRefused : ErrandStarts<1> {
    void cores(model::Program& on) {
        on.late_core(0, {Arrival::refused, Arrival::normal});
        caller(on);
    }
};
MODEL_SCENARIO(attack_errand_refused, ErrandRefused).preemptions(1);
struct ErrandNever : ErrandStarts<2> {
    void cores(model::Program& on) {
        on.late_core(1, {Arrival::never});
        on.late_core(0, {Arrival::normal});
        caller(on);
    }
};
MODEL_SCENARIO(attack_errand_never, ErrandNever).preemptions(1).stale_reads(0);

// 4. The other core polls.
struct Polls : Attack<2> {
    weft::Atomic<uint32_t> over{0};
    void cores(model::Program& on) {
        rooted(on, [this] { needs_another_core(), over.store(1, weft::relaxed); });
        on.core(1, [this] {
            ForkDeque::leave(nullptr);
            while (over.load(weft::relaxed) == 0) {
                pool.poll(1);
                weft::Port::relax();
            }
        });
    }
};
MODEL_SCENARIO(attack_polls, Polls).preemptions(1).stale_reads(0).seconds(20);

// 2b. The same with a worker, who may have the errand in its ring.
struct ErrandAndWorker : Attack<1> {
    void cores(model::Program& on) {
        on.core(0, [this] {
            ForkDeque::leave(nullptr);
            static_cast<void>(pool.run());
        });
        on.core(1, [this] {
            ForkDeque::leave(nullptr);
            pool.call([](void* self) { ++static_cast<ErrandAndWorker*>(self)->runs[0]; }, this);
        });
        on.core(2, [this] {
            weft::Batch left;
            pool.shutdown(weft::Shutdown::abandon);
            must(pool.join(left));
            model::check(left.empty(), "nobody submitted a task");
        });
    }
    void finish() { model::check(runs[0] == 1, "the function ran once"); }
};
MODEL_SCENARIO(attack_errand_worker, ErrandAndWorker).preemptions(1).each_wake();

// 8. Children of a group that are long and do not fork: offered one after the other.
template <bool group>
struct Leaves : Attack<2> {
    weft::Atomic<uint32_t> asked{0};
    void second() {
        while (ran.load(weft::relaxed) == 0) weft::Port::relax();
    }
    void cores(model::Program& on) {
        rooted(on, [this] {
            fork_nothing();
            if (group) {
                weft::GroupTask first([this] { ran.store(1, weft::relaxed); });
                weft::GroupTask last([this] { second(); });
                weft::TaskGroup both;
                both.run(first), both.run(last);
                ForkDeque::current()->ask();
            } else {
                weft::fork_join(
                    [this] { weft::fork_join([] { ForkDeque::current()->ask(); }, [this] { second(); }); },
                    [this] { ran.store(1, weft::relaxed); });
            }
        });
        on.core(1, [this] { work(); });
    }
};
MODEL_SCENARIO(attack_group_of_leaves, Leaves<true>).preemptions(1).stale_reads(0).seconds(20);
MODEL_SCENARIO(attack_unwinding, Leaves<false>).preemptions(1).stale_reads(0).seconds(20);

// 5. The first core that is started never comes; there is another one.
template <Arrival first>
struct OffCores : Attack<3> {
    void cores(model::Program& on) {
        on.core(0, [this] {
            ForkDeque::leave(nullptr);
            pool.call([](void* self) { static_cast<OffCores*>(self)->needs_another_core(); }, this);
            pool.shutdown();
            must(pool.join());
        });
        on.late_core(1, {first});
        on.late_core(2, {Arrival::normal});
    }
};
MODEL_SCENARIO(attack_start_never, OffCores<Arrival::never>).preemptions(0).stale_reads(0).seconds(20);
struct OneOff : Attack<2> {
    void cores(model::Program& on) {
        on.core(0, [this] {
            ForkDeque::leave(nullptr);
            weft::fork_join(pool, [] { weft::fork_join([] {}, [] {}); });  // starts core 1: refused
            pool.call([](void* self) { static_cast<OneOff*>(self)->needs_another_core(); }, this);
            pool.shutdown();
            must(pool.join());
        });
        on.late_core(1, {Arrival::refused, Arrival::normal});
    }
};
MODEL_SCENARIO(attack_start_refused, OneOff).preemptions(0).stale_reads(0).seconds(20);

// 6. A second pool on the owner's core; a handler offers for the first one.
struct IsrOfOuterPool : Attack<2> {
    weft::Pool<2, 2> inner;
    void cores(model::Program& on) {
        rooted(on, [this] {
            fork_nothing();
            weft::fork_join(
                [this] {
                    weft::fork_join(inner, [this] {
                        while (ran.load(weft::relaxed) == 0) pool.offer_from_isr(), weft::Port::relax();
                    });
                },
                [this] { ran.store(1, weft::relaxed); });
        });
        on.core(1, [this] { work(); });
    }
};
MODEL_SCENARIO(attack_isr_of_outer_pool, IsrOfOuterPool).preemptions(1).stale_reads(0).seconds(20);

// 6b. Core 0 waits for a child that core 1 runs; that child calls a pool whose only core is core 0.
struct SmallerPool : Attack<2> {
    weft::Pool<1, 2> small;
    weft::Atomic<uint32_t> stolen{0};
    void cores(model::Program& on) {
        on.core(0, [this] {
            ForkDeque::leave(nullptr);
            weft::fork_join(small, [this] {
                weft::fork_join(pool, [this] {
                    weft::fork_join(
                        [this] {
                            while (stolen.load(weft::relaxed) == 0) weft::Port::relax();
                        },
                        [this] {
                            stolen.store(1, weft::relaxed), weft::fork_join(small, [this] { ++runs[0]; });
                        });
                });
            });
            pool.shutdown();
        });
        on.core(1, [this] { work(); });
    }
    void finish() { model::check(runs[0] == 1, "the function ran once"); }
};
MODEL_SCENARIO(attack_smaller_pool, SmallerPool).preemptions(0).stale_reads(0).seconds(20);

// 7. Back into the first pool from within the second one.
struct CallBack : Attack<1> {
    weft::Pool<1, 2> inner;
    void cores(model::Program& on) {
        rooted(on, [this] {
            weft::fork_join(inner, [this] {
                weft::fork_join(pool, [this] {
                    model::check(ForkDeque::current()->pool() == &pool, "it works for the pool it named");
                });
                model::check(ForkDeque::current()->pool() == &inner, "and for the other one again");
            });
        });
    }
};
MODEL_SCENARIO(attack_call_back, CallBack);

}  // namespace
