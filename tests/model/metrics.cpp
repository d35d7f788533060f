// SPDX-License-Identifier: MIT OR Apache-2.0
// Model: how much is queued, read at any time by another core (WEFT_METRICS=1). METRICS 1.4 to 1.7; edges S1 and S2.
#include <weft/weft.hpp>

#include "engine/scenario.hpp"

// The other scenarios have these, too, of another library: of WEFT_METRICS=0 (Makefile).
namespace metrics {
#include "sleepers.hpp"
}  // namespace metrics
using namespace metrics;

namespace {

using weft::Queue;
using weft::QueueDepth;
using weft::detail::TaskStack;

// ---- A stack by itself: never negative, never more than was ever pushed, and exact in the end.
template <unsigned tasks>
struct Counted {
    TaskStack stack;
    Mark mark[tasks];
    unsigned refused = 0;

    void push(unsigned first, unsigned last) {
        for (unsigned i = first; i <= last; ++i) {
            mark[i].prepare();
            if (i != last) weft::detail::link(&mark[i]).set_next(&mark[i + 1]);
        }
        if (stack.push(&mark[first], &mark[last], last - first + 1)) return;
        ++refused;
        for (unsigned i = first; i <= last; ++i) mark[i].given = false;
    }
    void visit(unsigned most) {
        weft::Task* list = stack.try_lock();
        if (list == nullptr) return;
        unsigned taken = 0;
        for (; taken != most && list != nullptr; ++taken) Mark::run(*stack.next(list));
        static_cast<void>(stack.unlock(list, taken));
    }
    void look() {
        model::check(stack.now() <= tasks, "not negative, and no more than there are");
        model::check(stack.most() <= tasks, "nor ever");
    }
    void drain(uint32_t least, uint32_t most) {
        while (stack.looks_nonempty()) visit(2);
        for (Mark& one : mark) model::check(one.as_promised(), "every task runs exactly once");
        model::check(stack.now() == 0, "exact in the end");
        model::check(stack.most() >= least && stack.most() <= most, "the mark is that of some moment");
    }
};

// Result: Never. Two cores push, of which one takes; a third one looks.
struct Beside : Counted<3> {
    void cores(model::Program& on) {
        on.core(0, [this] { push(0, 1); });
        on.core(1, [this] { visit(1), push(2, 2); });
        on.core(2, [this] { visit(2), look(); });
        on.core(3, [this] { look(); });
    }
    void finish() { drain(2, 3); }
};
MODEL_SCENARIO(metrics_beside_pushes, Beside).stale_reads(3).deep(4, 4);

// Result: Never. What a consumer has left in the cache, the next one subtracts.
struct OfTheCache : Counted<3> {
    void cores(model::Program& on) {
        on.core(0, [this] { push(0, 2), visit(1); });
        on.core(1, [this] { visit(1), look(); });
        on.core(2, [this] { visit(3), look(); });
    }
    void finish() { drain(3, 3); }
};
MODEL_SCENARIO(metrics_of_the_cache, OfTheCache).stale_reads(3).deep(4, 4);

// Result: Never. A handler pushes and looks at any point of its core's own push and take.
struct InHandler : Counted<3> {
    void cores(model::Program& on) {
        on.core(0, [this] { push(0, 0), visit(2); });
        on.interrupt(0, [this] { look(), push(1, 1), look(); });
        on.core(1, [this] { visit(1), push(2, 2), look(); });
    }
    void finish() { drain(1, 3); }
};
MODEL_SCENARIO(metrics_in_a_handler, InHandler).stale_reads(3).deep(4, 4);

// Result: Never. A push that is refused leaves nothing behind.
struct Refused : Counted<3> {
    void cores(model::Program& on) {
        on.core(0, [this] { push(0, 1); });
        on.core(1, [this] { stack.close(), visit(1); });
        on.core(2, [this] { push(2, 2), look(); });
    }
    void finish() { drain(0, 3); }
};
MODEL_SCENARIO(metrics_refused, Refused).stale_reads(3).deep(4, 4);

// Result: Never. Two that raise the mark: the higher one stays.
struct RaisesTheMark : Counted<3> {
    void cores(model::Program& on) {
        on.core(0, [this] { push(0, 0); });
        on.core(1, [this] { push(1, 2), look(); });
    }
    void finish() { drain(3, 3); }
};
MODEL_SCENARIO(metrics_two_raise_the_mark, RaisesTheMark).preemptions(model::unbounded).stale_reads(4);

// Each task that was run came from somewhere, and from one place.
void come_from(const weft::CoreStats& stats) {
    const uint32_t sum = stats.from_ring + stats.from_pinned + stats.from_overflow + stats.from_injector +
                         stats.from_sets + stats.from_urgent + stats.from_blocking + stats.from_mandatory +
                         stats.from_forks + stats.from_others_overflow + stats.from_others_ring +
                         stats.from_strands;
    model::check(sum == stats.executed, "each from one place");
}

// ---- A pool. Another core looks at all of it.
template <unsigned tasks>
struct OfPool : Sleepers<1, tasks> {
    using Base = Sleepers<1, tasks>;
    using Base::pool;
    static constexpr unsigned most = 2 * tasks;  // one that moves may be seen twice

    void look() {
        model::check(pool.queued() <= most, "no queue is negative");
        model::check(pool.sleeping_cores() <= 1, "one core can sleep");
    }
    void finish() {
        Base::finish();
        model::check(pool.queued() == 0, "nothing is queued in the end");
        come_from(pool.total());
    }
    void most_was(Queue queue, uint32_t expected) {
        const QueueDepth depth = pool.depth(queue, 0);
        model::check(depth.now == 0 && depth.most == expected, "all that was there, and is not any more");
    }
};

// Result: Never. A batch from outside: one task runs, the others move into the ring.
struct OfBatch : OfPool<3> {
    void cores(model::Program& on) {
        worker<true>(on, 0);
        on.core(1, [this] {
            weft::Batch batch;
            for (One& one : task) one.prepare(), must(batch.push(one));
            must(pool.submit(batch));
            look();
        });
    }
    void finish() {
        OfPool::finish();
        most_was(Queue::injector, 3);
        most_was(Queue::ring, 2);
        most_was(Queue::overflow, 0);
        const weft::CoreStats stats = pool.total();
        model::check(stats.from_injector == 1 && stats.from_ring == 2, "one of three, and what came with it");
    }
};
MODEL_SCENARIO(metrics_of_a_batch, OfBatch).stale_reads(2);

// Result: Never. A task submits one more than its ring takes.
struct OfSpill : OfPool<4> {
    void cores(model::Program& on) {
        task[0].body = [this] {
            for (unsigned i = 1; i != 4; ++i) submit(i);
            model::check(pool.queued() == 3, "the core sees its own");
        };
        worker<true>(on, 0);
        on.core(1, [this] { submit(0), look(); });
    }
    void finish() {
        OfPool::finish();
        most_was(Queue::injector, 1);
        most_was(Queue::ring, 2);
        most_was(Queue::overflow, 1);
    }
};
MODEL_SCENARIO(metrics_of_a_spill, OfSpill).stale_reads(2);

// Result: Never. A thief takes half of a ring while another core looks at both.
struct OfThief : Workers<2> {
    using Workers<2>::pool;
    Doing task[4];

    void cores(model::Program& on) {
        on.core(0, [this] {
            for (Doing& one : task) one.prepare();
            task[0].body = [this] {
                for (unsigned i = 1; i != 3; ++i) must(pool.submit(task[i]));
            };
            must(pool.submit_on(0, task[0]));
            while (pool.poll(3).tasks != 0) continue;
        });
        on.core(1, [this] { static_cast<void>(pool.poll(2)); });
        on.core(2, [this] {
            for (uint32_t core = 0; core != 2; ++core) {
                model::check(pool.depth(Queue::ring, core).now <= 2, "no more than a ring has");
            }
        });
    }
    void finish() {
        for (uint32_t core = 0; core != 2; ++core) {
            const QueueDepth ring = pool.depth(Queue::ring, core);
            model::check(ring.now <= ring.most && ring.most <= 2, "in its bounds");
        }
        model::check(pool.depth(Queue::pinned, 0).most == 1, "what was pinned");
        const weft::CoreStats thief = pool.stats(1);
        model::check(thief.from_others_ring == thief.stolen, "there is nothing else to steal");
        come_from(pool.stats(0)), come_from(thief);
    }
};
MODEL_SCENARIO(metrics_of_a_thief, OfThief).stale_reads(2);

}  // namespace
