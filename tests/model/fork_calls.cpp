// SPDX-License-Identifier: MIT OR Apache-2.0
// Model: calls between pools, a start that gets overdue at a join, depths behind a stolen child, and a pin beside a
// core that is waking.
#include "forks.hpp"

namespace {

// Result: Never (deadlock). Core 0 stays in the small pool; a task there forks in the larger one. Core 1 runs the
// stolen child, which calls the small pool. It must not sleep until core 0 has done that: core 0 waits for the child.
struct CallsBackToWhoWaits {
    weft::Pool<1, 2> small;
    weft::Pool<2, 2> large;
    weft::Atomic<uint32_t> stolen{0};
    unsigned runs = 0;
    Root root;
    void cores(model::Program& on) {
        on.core(0, [this] {
            forget_pools();
            root.submit_to(small, [this] {
                weft::fork_join(large, [this] {
                    weft::fork_join(
                        [this] {
                            while (stolen.load(weft::acquire) == 0) weft::Port::relax();
                        },
                        [this] {
                            stolen.store(1, weft::release);
                            weft::fork_join(small, [this] { ++runs; });
                        });
                });
                large.shutdown();
            });
            must(small.run());
        });
        on.core_at_rest(1, [this] {
            forget_pools();
            must(large.run());
        });
    }
    void finish() { model::check(runs == 1, "the callable runs exactly once"); }
};
MODEL_SCENARIO(call_back_to_who_waits, CallsBackToWhoWaits).preemptions(1).stale_reads(1);

// Result: Never (waits for ever). Core 1 was started for a child and does not come. Its deadline passes while the owner
// runs its own part. The group's wait then finds somebody hungry and nothing more to offer, so it must look at the
// start: it is withdrawn, core 2 is started, and takes the first child beside the second one. They wait for each other.
struct OverdueAtAJoin {
    weft::Pool<3, 2> pool;
    weft::Atomic<uint32_t> here{0};
    unsigned runs = 0;
    void part() {
        ++runs;
        here.fetch_add(1, weft::release);
        while (here.load(weft::acquire) != 2) weft::Port::relax();
    }
    void cores(model::Program& on) {
        on.core(0, [this] {
            forget_pools();
            weft::fork_join(pool, [this] {
                weft::GroupTask first([this] { part(); });
                weft::GroupTask second([this] { part(); });
                weft::TaskGroup group;
                group.run(first), group.run(second);
                model::advance_clock(WEFT_START_DEADLINE_MS * weft::Port::ticks_per_ms() + 1);
            });
            pool.shutdown();
        });
        on.late_core(1, {model::Arrival::never});
        on.late_core(2);
    }
    void finish() { model::check(runs == 2, "every part runs exactly once"); }
};
MODEL_SCENARIO(fork_start_overdue_at_a_join, OverdueAtAJoin).preemptions(1).stale_reads(1);

// Result: Never. A stolen child is deeper than what its core forks afterwards: when it has ended, the depth counts from
// where it did before.
struct BaseComesBack {
    weft::Pool<2, 2> pool;
    weft::Atomic<uint32_t> stolen{0};
    Root root;
    void cores(model::Program& on) {
        on.core(0, [this] {
            forget_pools();
            root.submit_to(pool, [this] {
                weft::fork_join(
                    [this] {
                        while (stolen.load(weft::acquire) == 0) weft::Port::relax();
                    },
                    [this] { stolen.store(1, weft::release); });
            });
            must(pool.run());
        });
        on.core_at_rest(1, [this] {
            forget_pools();
            must(pool.run());
        });
    }
    void finish() {
        for (unsigned core : {0, 1}) {
            model::check(depth_of_first_slot(pool, core) == 0, "the depth of the first fork is as before");
        }
    }
};
MODEL_SCENARIO(fork_base_comes_back, BaseComesBack).preemptions(1).stale_reads(1);

// Result: Never (sleeps for ever). Another core holds the waking role while a task is pinned to a core that sleeps: who
// wakes will not look at that queue, so the sleeper must be woken in spite of it.
struct PinnedBesideWaking {
    weft::Pool<3, 2> pool;
    Mark mark;
    void cores(model::Program& on) {
        on.core(0, [this] {
            mark.prepare();
            must(pool.submit_on(1, mark));
        });
        on.core_at_rest(1, [this] { must(pool.run()); });
        on.core(2, [this] { must(pool.run()); });
    }
    void finish() { model::check(mark.as_promised(), "the pinned task runs"); }
};
MODEL_SCENARIO(pinned_beside_a_waking_core, PinnedBesideWaking).parked_at_end();

// Where the calling core forks to.
bool works_for(const weft::Scheduler& pool) {
    const weft::detail::ForkDeque* const here = weft::detail::ForkDeque::current();
    return here != nullptr && here->pool() == &pool;
}

// Result: Never. After a call of another pool, a task works for its own pool again.
struct CallAndBack {
    weft::Pool<1, 2> pool, other;
    Root root;
    bool back = false;
    void cores(model::Program& on) {
        on.core(0, [this] {
            forget_pools();
            root.submit_to(pool, [this] {
                weft::fork_join(other, [] {});
                back = works_for(pool);
            });
            must(pool.run());
        });
    }
    void finish() { model::check(back, "it works for its own pool again"); }
};
MODEL_SCENARIO(call_and_back, CallAndBack);

// Result: Never. A task waits for one of another pool, in which its core waits for one of the first pool again. That is
// in its own pool, and so are the others when these waits have ended.
struct WaitsThereAndBack {
    weft::Pool<1, 2> pool, other;
    unsigned in_place = 0;
    Root root;
    void is_in(const weft::Scheduler& where) { in_place += works_for(where) ? 1 : 0; }
    weft::Work<model::Callable> inner{pool, model::Callable([this] { is_in(pool); })};
    weft::Work<model::Callable> middle{other, model::Callable([this] {
                                           must(pool.submit_on(0, inner));
                                           must(inner.wait());
                                           is_in(other);
                                       })};
    void cores(model::Program& on) {
        on.core(0, [this] {
            forget_pools();
            root.submit_to(pool, [this] {
                must(other.submit_on(0, middle));
                must(middle.wait());
                is_in(pool);
            });
            must(pool.run());
        });
    }
    void finish() { model::check(in_place == 3, "each task is in its own pool"); }
};
MODEL_SCENARIO(work_wait_there_and_back, WaitsThereAndBack);

// Result: Never (waits for ever). A task waits for one of another pool, which waits for a Completion of the first pool
// that nobody submits. When that pool is abandoned both waits end.
struct InACircle {
    weft::Pool<2, 2> pool, other;
    weft::Completion never{pool};
    weft::Atomic<uint32_t> begun{0};
    weft::Status inner = weft::Status::ok, outer = weft::Status::closed;
    weft::Work<model::Callable> middle{other, model::Callable([this] {
                                           begun.store(1, weft::relaxed);
                                           inner = never.wait();
                                       })};
    weft::Work<model::Callable> first{pool, model::Callable([this] {
                                          must(other.submit_on(1, middle));
                                          outer = middle.wait();
                                          other.shutdown();
                                      })};
    void cores(model::Program& on) {
        on.core_at_rest(0, [this] {
            forget_pools();
            must(pool.run());
        });
        on.core_at_rest(1, [this] {
            forget_pools();
            must(other.run());
        });
        on.core(2, [this] {
            must(pool.submit(first));
            while (begun.load(weft::relaxed) == 0) weft::Port::relax();
            pool.shutdown(weft::Shutdown::abandon);
        });
    }
    void finish() {
        model::check(inner == weft::Status::closed && outer == weft::Status::ok, "both waits end");
    }
};
MODEL_SCENARIO(work_wait_in_a_circle_abandoned, InACircle).preemptions(1).stale_reads(1);

// Result: Never. In that inner wait the core takes another one's child, which forks: for its own pool.
struct StealsThereAndBack {
    weft::Pool<2, 2> pool;
    weft::Pool<1, 2> other;
    weft::Atomic<uint32_t> stolen{0};
    unsigned runs = 0;
    Root root;
    weft::Work<model::Callable> inner{pool, model::Callable([this] {
                                          const auto child = [this] {
                                              ++runs;
                                              stolen.store(1, weft::release);
                                          };
                                          const auto part = [this] {
                                              while (stolen.load(weft::acquire) == 0) weft::Port::relax();
                                          };
                                          weft::fork_join(part, child);
                                      })};
    weft::Work<model::Callable> middle{other, model::Callable([this] {
                                           must(pool.submit_on(1, inner));
                                           must(inner.wait());
                                       })};
    void cores(model::Program& on) {
        on.core(0, [this] {
            forget_pools();
            root.submit_to(pool, [this] {
                must(other.submit_on(0, middle));
                must(middle.wait());
            });
            must(pool.run());
        });
        on.core_at_rest(1, [this] {
            forget_pools();
            must(pool.run());
        });
    }
    void finish() { model::check(runs == 1, "the child runs exactly once"); }
};
MODEL_SCENARIO(work_wait_steals_there_and_back, StealsThereAndBack).preemptions(1).stale_reads(1);

}  // namespace
