// SPDX-License-Identifier: MIT OR Apache-2.0
// Unit tests: what ends in a panic. They come first, see panics.hpp.
#include <string.h>

#include <new>

#include <weft/weft.h>

#include "harness.hpp"
#include "weft_image.hpp"

namespace unit {
namespace {

using weft::fork_join;
using weft::GroupTask;
using weft::Here;
using weft::Port;
using weft::TaskGroup;

#if WEFT_CHECKS

// ---- E5: what returns no status in C

void shut_down_nothing() { weft_shutdown(nullptr, WEFT_DRAIN); }
void clear_what_was_not_made() {
    weft_event event = {};
    weft_event_clear(&event);
}
#if WEFT_FORK_DEPTH
void do_nothing(void*) {}
void run_a_child_that_was_not_made() {
    weft_child child = {};
    weft_group group;
    static_cast<void>(weft_group_init(&group, nullptr));
    weft_group_run(&group, &child);
}
// What was in its memory before does not count.
void run_a_child_whose_init_was_refused() {
    weft_child child;
    memset(static_cast<void*>(&child), 0xff, sizeof child);
    weft_group group;
    static_cast<void>(weft_group_init(&group, nullptr));
    static_cast<void>(weft_child_init(&child, nullptr, nullptr));
    weft_group_run(&group, &child);
}
void run_in_a_group_that_was_not_made() {
    weft_group group = {};
    weft_child child;
    static_cast<void>(weft_child_init(&child, &do_nothing, nullptr));
    weft_group_run(&group, &child);
}
void wait_for_a_group_that_was_not_made() {
    weft_group group = {};
    weft_group_wait(&group);
}
#endif

#endif

void E5_misuse_in_c_panics() {
#if WEFT_CHECKS
    constexpr const char* remedy = "weft_..._init() has not made";
    CHECK(panics(&shut_down_nothing, remedy, ""));
    CHECK(panics(&clear_what_was_not_made, remedy, ""));
#if WEFT_FORK_DEPTH
    CHECK(panics(&run_a_child_that_was_not_made, remedy, ""));
    CHECK(panics(&run_a_child_whose_init_was_refused, remedy, ""));
    CHECK(panics(&run_in_a_group_that_was_not_made, remedy, ""));
    CHECK(panics(&wait_for_a_group_that_was_not_made, remedy, ""));
#endif
#else
    tap::skip("not on this board: checks");
#endif
}

#if WEFT_CHECKS

// ---- N4: rounds of work that somebody waits for

void submit_work_again_without_reset() {
    static Pool<1> pool;
    static weft::Work work(pool, [] {});
    for (uint32_t round = 0; round != 2; ++round) {
        static_cast<void>(pool.submit(work));
        static_cast<void>(pool.poll(1));
    }
}

// ---- E3: the task that has others stand still

#if WEFT_QUIESCE
void return_without_resume() {
    static weft::Pool<1> pool;  // nobody else, so nobody is late
    static Job owner([] { static_cast<void>(pool.quiesce(1000)); });
    static_cast<void>(pool.submit(owner));
    static_cast<void>(pool.poll(2));
}
#endif

// ---- E10: a core whose stack has overflowed

Pool<2> overflowing;
void smash_stack() { *Port::stack_limit() = 1; }

// A task follows on the same core.
void overflow_before_a_task() {
    static Job next([] {});
    smash_stack();
    static_cast<void>(overflowing.submit_on(1, next));
}
// The task that overflowed goes on to work for another pool, on the same stack.
void overflow_before_another_pool() {
    static Pool<2> other;
    static Job next([] {});
    smash_stack();
    static_cast<void>(other.submit_on(1, next));
    static_cast<void>(other.poll(1));
}
// It is the last one.
void overflow_before_the_end() {
    smash_stack();
    overflowing.shutdown();
}

template <void (*overflow)()>
void on_core_1() {
    static Job spoil(overflow);
    static_cast<void>(overflowing.submit_on(1, spoil));
    sleep(20);
}

// ---- E4: tasks that do not live as long as they are queued

WEFT_CONSTINIT Pool<1> short_lived{};

struct Memory {
    Memory() { static_cast<void>(new (where) Item); }
    Item& item() { return *reinterpret_cast<Item*>(where); }
    alignas(Item) unsigned char where[sizeof(Item)];
};

// As a local task of a loop that does not wait for it.
void make_a_queued_task_anew() {
    Memory memory;
    static_cast<void>(short_lived.submit(memory.item()));
    static_cast<void>(new (memory.where) Item);
    static_cast<void>(short_lived.submit(memory.item()));
    static_cast<void>(short_lived.poll(2));
}
// What comes where it was.
void overwrite_a_queued_task() {
    Memory memory;
    static_cast<void>(short_lived.submit(memory.item()));
    memset(memory.where, 0, sizeof(Item));
    static_cast<void>(short_lived.poll(1));
}
void fill_a_queued_task() {
    Memory memory;
    static_cast<void>(short_lived.submit(memory.item()));
    memset(memory.where, 0x5f, sizeof(Item));  // the mark is there by chance
    static_cast<void>(short_lived.poll(1));
}
void overwrite_a_task_of_a_batch() {
    Memory memory;
    Item other;
    Batch batch;
    static_cast<void>(batch.push(memory.item()));
    static_cast<void>(batch.push(other));
    memset(memory.where, 0, sizeof(Item));
    static_cast<void>(batch.pop());
}

// And another one comes behind it.
void make_a_task_of_a_batch_anew() {
    Memory memory;
    Item other;
    Batch batch;
    static_cast<void>(batch.push(memory.item()));
    static_cast<void>(new (memory.where) Item);
    static_cast<void>(batch.push(other));
}
void make_a_waiting_task_anew() {
    Memory memory;
    Item other;
    weft::Event event{short_lived};
    static_cast<void>(event.wait(memory.item()));
    static_cast<void>(new (memory.where) Item);
    static_cast<void>(event.wait(other));
}

// ---- B7: misuse of fork-join

void nothing() {}
using Nothing = GroupTask<void (*)()>;

Pool<1> this_pool;
Pool<1> other_pool;

template <class Function>
void in_pool(Function function) {
    fork_join(this_pool, nothing, function);  // the second one has the whole deque
}

void call_in_interrupt() {
    static Pool<2> pool;
    const weft::host::Interrupt interrupt;
    pool.call([] {});
}
void fork_in_interrupt() {
    in_pool([] {
        const weft::host::Interrupt interrupt;
        fork_join(nothing, nothing);
    });
}

void run_group_in_interrupt() {
    in_pool([] {
        Nothing task(nothing);
        TaskGroup group;
        const weft::host::Interrupt interrupt;
        group.run(task);
    });
}

void use_here_in_another_pool() {
    in_pool([] {
        const Here here;
        fork_join(
            other_pool, [=] { fork_join(here, nothing, nothing); }, nothing);
    });
}

void use_group_in_another_pool() {
    in_pool([] {
        Nothing task(nothing);
        TaskGroup group;
        fork_join(
            other_pool, [&] { group.run(task); }, nothing);
    });
}

void end_task_before_wait() {
    in_pool([] {
        TaskGroup group;
        Nothing task(nothing);
        group.run(task);
    });
}

void run_task_twice() {
    in_pool([] {
        Nothing task(nothing);
        TaskGroup group;
        group.run(task);
        group.run(task);
    });
}

void join_groups_out_of_order() {
    in_pool([] {
        Nothing one(nothing);
        Nothing other(nothing);
        TaskGroup first;
        TaskGroup second;
        first.run(one);
        second.run(other);
        first.wait();
    });
}

#endif

void E10_panic_names_an_overflowed_stack() {
#if WEFT_CHECKS
    constexpr const char* reason = "the stack overflowed";
    CHECK(panics(on_core_1<overflow_before_a_task>, reason, "core 1"));
    CHECK(panics(on_core_1<overflow_before_another_pool>, reason, "core 1"));
    CHECK(panics(on_core_1<overflow_before_the_end>, reason, "core 1"));
#else
    tap::skip("not on this board: checks");
#endif
}

void E4_panic_names_a_task_that_is_gone() {
#if WEFT_CHECKS
    constexpr const char* reason = "a task ended, or was made anew, while it was queued";
    CHECK(panics(make_a_queued_task_anew, reason));
    CHECK(panics(overwrite_a_queued_task, reason));
    CHECK(panics(fill_a_queued_task, reason));
    CHECK(panics(overwrite_a_task_of_a_batch, reason));
    CHECK(panics(make_a_task_of_a_batch_anew, reason));
    CHECK(panics(make_a_waiting_task_anew, reason));
#else
    tap::skip("not on this board: checks");
#endif
}

void B7_misuse_panics() {
#if WEFT_CHECKS
    CHECK(
        panics(fork_in_interrupt, "fork-join in an interrupt handler; submit_from_isr() a task that forks"));
    CHECK(panics(run_group_in_interrupt, "fork-join in an interrupt handler"));
    CHECK(panics(call_in_interrupt, "fork-join in an interrupt handler"));
    CHECK(panics(use_here_in_another_pool, "a Here or TaskGroup of another core or task"));
    CHECK(panics(use_group_in_another_pool, "a Here or TaskGroup of another core or task"));
    CHECK(panics(end_task_before_wait,
                 "a GroupTask ends before its group's wait(); declare it before the group"));
    CHECK(panics(run_task_twice, "a GroupTask is run() again before its group's wait()"));
    if (WEFT_FORK_DEPTH >= 2)
        CHECK(panics(join_groups_out_of_order, "what was forked last must be joined first"));
#else
    tap::skip("not on this board: checks");
#endif
}

void N4_work_that_runs_twice_in_a_round_panics() {
#if WEFT_CHECKS
    CHECK(panics(submit_work_again_without_reset, "a Work or Completion ran twice in a round; reset() it"));
#else
    tap::skip("not on this board: checks");
#endif
}

#if WEFT_QUIESCE
void E3_task_that_returns_without_resume_panics() {
#if WEFT_CHECKS
    CHECK(panics(return_without_resume, "a task that called quiesce() has returned, or joins a fork"));
#else
    tap::skip("not on this board: checks");
#endif
}
#endif

constexpr tap::Test tests[] = {
    TEST(N4_work_that_runs_twice_in_a_round_panics),
#if WEFT_QUIESCE
    TEST(E3_task_that_returns_without_resume_panics),
#endif
    TEST(E5_misuse_in_c_panics),
    TEST(E10_panic_names_an_overflowed_stack),
    TEST(E4_panic_names_a_task_that_is_gone),
    TEST(B7_misuse_panics),
};

}  // namespace

extern const tap::Tests panics_tests{tests};

}  // namespace unit
