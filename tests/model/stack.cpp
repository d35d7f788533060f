// SPDX-License-Identifier: MIT OR Apache-2.0
// Model: the try-lock stack (overflow, pinned queue, injector). Edges S1, S2.
#include "tasks.hpp"

namespace {

using weft::detail::TaskStack;

template <unsigned tasks>
struct Stack {
    TaskStack stack;
    Mark mark[tasks];
    bool refused = false;

    void push(unsigned first, unsigned last) {
        for (unsigned i = first; i <= last; ++i) {
            mark[i].prepare();
            if (i != last) weft::detail::link(&mark[i]).set_next(&mark[i + 1]);
        }
        refused = !stack.push(&mark[first], &mark[last]);
    }
    // One visit of a consumer that takes at most `most` tasks; true: tasks remain.
    bool visit(unsigned most) {
        weft::Task* list = stack.try_lock();
        if (list == nullptr) return false;
        while (most-- != 0 && list != nullptr) Mark::run(*stack.next(list));
        return stack.unlock(list);
    }
    void finish() {
        while (stack.looks_nonempty()) visit(8);
        for (Mark& one : mark) model::check(one.as_promised(), "every task runs exactly once");
    }
};

// Result: Never. A chain of two and a single task are pushed while two consumers take one and two.
struct PushWhileHeld : Stack<3> {
    void cores(model::Program& on) {
        on.core(0, [this] { push(0, 1); });
        on.core(1, [this] { push(2, 2); });
        on.core(2, [this] { visit(1); });
        on.core(3, [this] { visit(2); });
    }
};
MODEL_SCENARIO(stack_push_while_held, PushWhileHeld).preemptions(model::unbounded).stale_reads(4);

// Result: Never. The same for longer: each core pushes and consumes.
struct Crowd : Stack<4> {
    void cores(model::Program& on) {
        on.core(0, [this] { push(0, 1), visit(1); });
        on.core(1, [this] { push(2, 2), visit(2); });
        on.core(2, [this] { push(3, 3), visit(1); });
    }
};
MODEL_SCENARIO(stack_crowd, Crowd).preemptions(3).stale_reads(3).deep(4, 4);

// Result: Never. What the first consumer leaves in the cache reaches the next one (S2).
struct CacheHandOver : Stack<3> {
    void cores(model::Program& on) {
        on.core(0, [this] { push(0, 2), visit(1); });
        on.core(1, [this] { visit(1); });
        on.core(2, [this] { visit(3); });
    }
};
MODEL_SCENARIO(stack_cache_hand_over, CacheHandOver).preemptions(model::unbounded).stale_reads(4);

// Result: Never. An ISR pushes at any point of its core's own consuming (embassy's and everyone's re-entrance fear).
struct PushFromIsr : Stack<3> {
    void cores(model::Program& on) {
        on.core(0, [this] { push(0, 0), visit(2); });
        on.interrupt(0, [this] { push(1, 1); });
        on.core(1, [this] { visit(1), push(2, 2); });
    }
};
MODEL_SCENARIO(stack_push_from_isr, PushFromIsr).preemptions(model::unbounded).stale_reads(4);

// Result: Never. Z9: a push that races the closing is either refused or found afterwards, never both, never neither.
struct CloseRace : Stack<1> {
    unsigned found = 0;

    void cores(model::Program& on) {
        on.core(0, [this] { push(0, 0); });
        on.core(1, [this] {
            stack.close();
            while (weft::Task* list = stack.try_lock()) {
                while (list != nullptr) Mark::run(*stack.next(list)), ++found;
                stack.unlock(list);
            }
        });
    }
    void finish() { model::check(found + (refused ? 1u : 0u) == 1, "refused or found, not both"); }
};
MODEL_SCENARIO(stack_close_race, CloseRace).preemptions(model::unbounded).stale_reads(4);

// Result: Never. Z8: whoever leaves tasks behind says so, whatever was pushed meanwhile.
struct RemainIsReported : Stack<2> {
    bool remain = false;

    void cores(model::Program& on) {
        on.core(0, [this] { push(0, 0), remain = visit(1); });
        on.core(1, [this] { push(1, 1); });
    }
    void finish() {
        model::check(!remain || stack.looks_nonempty(), "what remains can be seen");
        Stack::finish();
    }
};
MODEL_SCENARIO(stack_remain_is_reported, RemainIsReported).preemptions(model::unbounded).stale_reads(4);

}  // namespace
