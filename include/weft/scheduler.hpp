// SPDX-License-Identifier: MIT OR Apache-2.0
// weft: Scheduler, everything a pool does. Not a template: one copy of the code serves pools of every size.
#pragma once

#include <weft/batch.hpp>
#include <weft/detail/fork.hpp>
#include <weft/detail/traits.hpp>
#include <weft/detail/worker.hpp>

namespace weft {
inline namespace WEFT_ABI {

namespace detail {

// Any callable, as a function of one pointer.
template <class Callable>
struct Call {
    static void run(void* callable) { (*static_cast<Callable*>(callable))(); }
};
template <class Callable>
struct Call<Callable&> : Call<Callable> {};

// What Scheduler::submit() takes: tasks and batches that have a name.
template <class Argument>
inline constexpr bool is_submitted = false;
template <class Argument>
inline constexpr bool is_submitted<Argument&> = __is_base_of(Task, Argument) || __is_base_of(Batch, Argument);

}  // namespace detail

enum class Shutdown : uint8_t {
    drain,    // every accepted task still runs; join() returns after the last
    abandon,  // running tasks end, queued ones are handed back by join()
};

// What a poll() did. ok and no task: there was nothing to do, or other cores were faster.
struct Polled {
    Status
        status;  // ok; or why the calling core may not work for the pool, as run() says it: then no task was run
    uint32_t tasks;  // that were run
};

// The pool's interface; create a Pool<Cores>. "Worker" below: a core inside run() or poll(), or one that weft
// started. A pool must outlive every call into it and every core that works for it; join() says when the latter is
// true.
class Scheduler {
public:
    Scheduler(const Scheduler&) = delete;
    Scheduler& operator=(const Scheduler&) = delete;

    // Queues a task; it runs once, on any core. Task context, any core, also before main() and from foreign cores.
    // From a task of this pool it goes to the worker's own ring, otherwise to the injector. Wakes a parked core if
    // none is searching; powers one on if none is parked and the pool has cores that are off. A core that does so
    // from outside is taken to run code of its own: this pool does not start it, it may come by run() or poll().
    // Returns closed; checked builds also misaligned_task, null_run, already_queued, wrong_context (ISR).
    Status submit(Task& task);

    // Queues all tasks of the batch with one notify and leaves the batch empty; on any other answer than ok the batch
    // keeps them. An empty batch is ok. Contexts and answers as submit(Task&).
    Status submit(Batch& batch);

    // For whatever else is submitted: what to do instead.
    template <class Other, class = typename detail::OnlyIf<!detail::is_submitted<Other&&>>::Type>
    Status submit(Other&&) {
        static_assert(__is_base_of(Task, Other),
                      "weft: submit() takes a task: weft::Job job([&] { ... }); pool.submit(job);");
        static_assert(sizeof(Other) == 0,
                      "weft: a task stays where it is until it has begun: give it a name, and submit that");
        return Status::ok;
    }

    // Queues a task from an interrupt handler: lock-free, a bounded number of steps but for retries that another
    // core's success causes; any priority, nested. Wakes a parked core but never powers one on (a start may not be
    // possible in an ISR): with every core off, the task waits for the next submit(), run() or poll(). Answers as
    // submit(Task&).
    Status submit_from_isr(Task& task);

    // Queues a task that runs on `core` only. Task context. A core that is off is started first: core_unavailable if
    // that fails. A core that is on its way but does not come keeps the task until it does, or join() hands it back.
    // Several tasks pinned to one core run in no promised order.
    // The calling core may name itself before it calls run(). Otherwise as submit(Task&), and unknown_core.
    Status submit_on(uint32_t core, Task& task);

    // The calling core becomes a worker until shutdown; returns ok then. Task context of a core 0..Cores-1 that is
    // not a worker already (wrong_context) and not in an ISR. closed: the pool was joined before. unknown_core: other
    // id.
    Status run();

    // The calling core runs at most `max_tasks` tasks and returns; for a super-loop. Contexts and statuses as run().
    // Tasks it leaves in its ring remain there for other cores to steal and for its next poll(). poll(0) does nothing.
    Polled poll(uint32_t max_tasks);

    // Ends the pool: submits are refused from now on, workers leave. Any context, any core. Returns at once; a second
    // call may turn drain into abandon and otherwise changes nothing. Follow it with join().
    [[gnu::cold]] void shutdown(Shutdown mode = Shutdown::drain);

    // Waits until shutdown() was called and every worker has left. For ever if nobody calls it: whether somebody will,
    // an interrupt handler say, cannot be known. Sees all that every task wrote; the pool may be destroyed at once. Not
    // from a worker or an ISR, one core at a time: wrong_context.
    // Tasks that have not run (abandon; pinned to a core that never came) go to `left_over`, ready to be submitted
    // elsewhere. Without a batch they are only released: as asked for after abandon; after drain the status is
    // left_over then. After drain, what any core may run is run here first. ok again once a join has returned.
    Status join();
    [[gnu::cold]] Status join(Batch& left_over);

#if WEFT_FORK_DEPTH
    // Runs callable() as if in a task of this pool, and returns when it has returned: what fork_join() and its like do
    // with a pool. The calling core works for the pool meanwhile, if it may (as with poll()); another
    // core sleeps until a worker has done it. Simply here and now (and serially, unless inside a task of another
    // pool) if the pool is closed or abandoned, if no core of it is in run(), was started or can be, or if another core
    // calls from within a task that a worker of another pool runs. Task context, any core.
    template <class Callable>
    void call(Callable&& callable) {
        call(&detail::Call<Callable>::run, &callable);
    }
#endif

    // For the handler of a periodic interrupt (or one sent by another core) on each core: while the core runs a long
    // child of a fork, its other forked children are handed to cores that have nothing to do. Without it that happens
    // when the core forks again, or begins the next chunk of a loop. ISR of any core; a few instructions if nobody
    // asks.
    void offer_from_isr();

    // Any context, any time; the words are read one by one.
    uint32_t cores() const { return cores_; }
    CoreStats stats(uint32_t core) const;  // all zero for an unknown core
    CoreStats total() const;               // the sums over all cores
    // Core starts that failed: refused, absent, or not checked in before the deadline. Any context.
    uint32_t start_failures() const;
    // Cores that work for the pool or are on their way. Any context.
    uint32_t live_cores() const { return roster_.load(relaxed) & live_mask; }  // relaxed: statistics

    // Bounds that Pool checks at compile time.
    static constexpr uint32_t most_cores = 24;

protected:
    constexpr Scheduler(detail::Worker* workers, detail::ForkDeque* forks, uint32_t cores)
        : cores_(cores), workers_(workers), forks_(forks) {}

private:
    using Worker = detail::Worker;

    // The idle word. The marks stand in the low bits: as constants of instructions they are short there.
    static constexpr uint32_t can_start = 1u << 0;  // a core may be off or on its way: who wants one looks
    static constexpr uint32_t can_retry = 1u << 1;  // a start failed; worth another try now and then
    static constexpr uint32_t waking = 1u << 2;     // one core, chosen or by itself, is the one that searches
    static constexpr uint32_t closing = 1u << 3;    // shutdown() was called
    static constexpr uint32_t abandoning = 1u << 4;  // ... with Shutdown::abandon
    // Bit 8 + k = core k is parked or about to park, and nobody has chosen it yet.
    static constexpr uint32_t first_core = 8;
    static constexpr uint32_t parked_cores = ~0u << first_core;
    static constexpr uint32_t bit(uint32_t core) { return 1u << first_core << core; }

    // The roster: who must leave before join() may return.
    static constexpr uint32_t live_mask = 0xffu;  // cores at work or on their way
    static constexpr uint32_t sealed = 1u << 8;   // closing, and joined: nobody may enter any more
    static constexpr uint32_t one_caller = 1u
                                           << 9;  // a core that sleeps in call(): no worker that stays leaves
    static constexpr uint32_t callers_mask = 0x1ffu * one_caller;
    static constexpr uint32_t joiner_shift = 18;  // id of the joining core, plus one
    static constexpr uint32_t joiner_mask = 0x3fffu << joiner_shift;

    // What a notify may do: choose a parked core; start one (not from an ISR); try failed ones again (from outside).
    static constexpr uint32_t from_isr = parked_cores;
    static constexpr uint32_t from_task = parked_cores | can_start;
    static constexpr uint32_t from_outside = from_task | can_retry;

    // Cold functions wait, start cores, or serve a core that has nothing to do: they are compiled for size.
    // always_inline ones have one call.

    // scheduler.cpp: the way in and the worker's loop
    [[gnu::cold]] Worker* own();
    [[gnu::always_inline]] inline Worker* current();
    // At work, on its way, or gone: it has its queue.
    static bool is_here(uint32_t power) { return power > static_cast<uint32_t>(detail::Power::absent); }
    [[gnu::cold]] bool reach(uint32_t core);
    static bool is_at_work(Worker* worker) { return worker != nullptr && worker->active.get() != 0; }
    [[gnu::always_inline]] inline Status admit(Task& task);
    [[gnu::noinline]] Status inject(Task& task, uint32_t chances);
    [[gnu::cold]] Status spill(Worker& worker, Task& task);
    inline void check_constructed() const;
    inline Status enlist();
    [[gnu::cold]] Status engage(uint32_t& tasks);
    [[gnu::cold]] uint32_t work(uint32_t max_tasks);
    inline Worker& arrive(detail::Power how);
    uint32_t serve(Worker& worker, uint32_t max_tasks, Batch* left_over);
    inline bool arm_stack_canary(Worker& worker);
    inline void check_stack_canary(Worker& worker);
    inline void disarm_stack_canary(Worker& worker, bool armed);
    // relaxed: a hint, seen in the end
    bool abandoned() const { return (idle_.load(relaxed) & abandoning) != 0; }

    // search.cpp: where the next task comes from
    [[gnu::cold]] Task* next_shared(Worker& worker);
    Task* search(Worker& worker, uint32_t leaving);
    [[gnu::always_inline]] inline Task* search_and_sleep(Worker& worker, uint32_t leaving);
    [[gnu::noinline]] Task* search_shared(Worker& worker);
    [[gnu::noinline]] Task* take_shared(Worker& worker);
    [[gnu::always_inline]] inline Task* search_victims(Worker& worker);
    static Task* refill(Worker& worker, detail::TaskStack& stack);
    bool work_visible() const;
    void ask_all();
    bool retry_starts();

    // idle.cpp: notify, waking, park
    WEFT_SHARED static uint32_t change(Atomic<uint32_t>& word, uint32_t clear, uint32_t set);
    WEFT_SHARED static bool step(Atomic<uint32_t>& word, uint32_t from, uint32_t to);
    Status notify(uint32_t chances);
    Status wake(uint32_t chances);
    void announce(Worker& worker);
    uint32_t rest(Worker& worker);
    static bool worth_waking(uint32_t seen, uint32_t chances) {
        return (seen & chances) != 0 && (seen & (waking | closing)) == 0;
    }

    // power.cpp: cores as a resource
    static void started(void* scheduler);
    [[gnu::always_inline]] static inline bool move(Worker& worker, detail::Power from, detail::Power to);
    [[gnu::cold]] void start_one();
    [[gnu::cold]] bool start_any(detail::Power from);
    [[gnu::cold]] bool start(uint32_t core, detail::Power from);
    bool unattended() const { return (roster_.load(relaxed) & live_mask) == 0; }  // relaxed: a hint
    [[gnu::cold]] void give_up(Worker& worker, detail::Power to);
    static uint32_t start_deadline();
    enum class Starts : uint32_t { none, withdrawn, under_way };
    [[gnu::cold]] Starts look_at_starts();
    bool start_under_way() { return look_at_starts() == Starts::under_way; }
    bool enter();
    void leave();
    [[gnu::cold]] static void wake_joiner(uint32_t roster);
    static void unpark_each(uint32_t cores);

    // fork.cpp: fork-join off the common path
    friend class detail::ForkDeque;
    void offered(detail::ForkDeque& deque, uint32_t chances);
    [[gnu::cold]] void tell_joiners();
    [[gnu::cold]] inline uint32_t idle_cores() const;
    void overdue();
    Task* help(detail::ForkDeque& own, uint32_t depth);
    bool wait_for_offer(uint32_t depth);
    void call(void (*function)(void*), void* argument);
    Status visit(void (*function)(void*), void* argument);
    friend class detail::Errand;
    bool inhabited() const;
    bool attended();
    bool enter_call();
    void end_call();
    [[gnu::cold]] void answer_calls(Worker& worker);

    // shutdown.cpp
    [[gnu::always_inline]] inline bool all_left(bool& coming);

    // What every submit reads stands in one line, the idle word first: it needs no address arithmetic.
    alignas(Port::cache_line) Atomic<uint32_t> idle_{can_start};
    const uint32_t cores_;
    detail::Worker* const workers_;
    detail::ForkDeque* const forks_;
    Atomic<uint32_t> roster_{};
    Atomic<uint32_t> start_cursor_{};  // the core that was started last; a hint
    Atomic<uint32_t> joiners_{};       // bit k: core k sleeps in a join, and wants to hear of offers
    alignas(Port::cache_line) detail::TaskStack injector_{};
};

// Inline, so that an image that asks for no statistics has no code for them.
inline CoreStats Scheduler::stats(uint32_t core) const {
    CoreStats stats;
    if (core < cores_) detail::add(stats, workers_[core].counters);
    return stats;
}

inline CoreStats Scheduler::total() const {
    CoreStats sum;
    for (uint32_t core = 0; core != cores_; ++core) detail::add(sum, workers_[core].counters);
    return sum;
}

inline uint32_t Scheduler::start_failures() const {
    uint32_t sum = 0;
    for (uint32_t core = 0; core != cores_; ++core) {
        sum += workers_[core].start_failures.load(relaxed);  // relaxed: statistics
    }
    return sum;
}

inline Status Scheduler::join() {
    Batch left_over;
    const Status status = join(left_over);
    if (left_over.empty()) return status;
    while (left_over.pop() != nullptr) {
    }  // each is released
    return abandoned() ? status : Status::left_over;
}

}  // namespace WEFT_ABI
}  // namespace weft
