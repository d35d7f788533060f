// SPDX-License-Identifier: MIT OR Apache-2.0
/// @file
/// Scheduler: everything that a pool does. Not a template: one copy of the code serves pools of every size.
#pragma once

#include <weft/core_set.hpp>
#include <weft/detail/fork.hpp>
#include <weft/detail/rest.hpp>
#include <weft/detail/roster.hpp>
#include <weft/detail/set_queue.hpp>
#include <weft/detail/timer_queue.hpp>
#include <weft/detail/traits.hpp>
#include <weft/mandatory.hpp>
#include <weft/metrics.hpp>
#include <weft/quiesce.hpp>
#include <weft/sleep.hpp>
#include <weft/searching.hpp>

namespace weft {
inline namespace WEFT_ABI {

class Waitable;

namespace detail {

class Waiter;

// What a pointer points to is called; a function, too, or what is constant.
template <class Pointer>
struct Call {
    static void run(void* pointer) { (**static_cast<Pointer*>(pointer))(); }
};

}  // namespace detail

/// The number of the core that calls it, 0..n-1: the one that submit_on() and Scheduler::stats() take.
/// @context Any context of any core.
inline uint32_t this_core() { return Port::core_id(); }

/// What becomes of the tasks that are queued at Scheduler::shutdown().
enum class Shutdown : uint8_t {
    drain,  ///< every accepted task still runs, but what is pinned to a core that does not come any more
    abandon,  ///< running tasks end, queued ones are handed back by join() (but for mandatory ones, see Mandatory)
};

/// What Scheduler::poll() did. ok and no task: there was nothing to do at the moment, or other cores were faster.
struct Polled {
    Status status;   ///< ok; or why no task was run: see poll()
    uint32_t tasks;  ///< how many tasks were run
};

/// The interface of a pool; create a Pool<Cores>. *Worker* below: a core inside run() or poll(), or one that weft
/// started. *Core of the pool*: one with an id 0..Cores-1, as this_core() counts; any other is *foreign*. "Checked
/// builds" (WEFT_CHECKS=1) report a misuse that is otherwise undefined.
/// @lifetime A pool must outlive every call into it and every core that works for it. When join() has returned, no
/// core works for it any more.
class Scheduler : public Quiescing,
                  public Elasticity,
                  public Watching,
                  public Blocking,
                  public Mandatory,
                  public Metrics,
                  public Sleeping,
                  public Searching {
    friend class detail::Source;
    friend class Quiescing;
    friend class Elasticity;
    friend class Watching;
    friend class Blocking;
    friend class Mandatory;
    friend class Metrics;
    friend class Sleeping;
    friend class Searching;

public:
    Scheduler(const Scheduler&) = delete;
    Scheduler& operator=(const Scheduler&) = delete;

    /// Queues a task; it runs once, on any core of the pool. From a task of this pool it goes to the worker's own ring,
    /// otherwise to the injector.
    ///
    /// It wakes a parked core if none is searching. It powers one on if none is parked and the pool has cores that are
    /// off. A core that submits from outside of all pools is taken to run code of its own: this pool does not start it
    /// while another core stays. It may come by run() or poll().
    /// @context Task context of any core, foreign ones too; also before main() and in tasks.
    /// @return ok, closed; in checked builds also misaligned_task, null_run, already_queued, wrong_context (interrupt
    /// handler).
    /// @lifetime The task stays alive and in place until its run function starts.
    Status submit(Task& task);

    /// Queues all tasks of the batch, with one wake, and leaves the batch empty. If it does not return ok, the batch
    /// keeps its tasks. An empty batch is ok.
    /// @context As submit(Task&).
    /// @return ok, closed; in checked builds also wrong_context (interrupt handler).
    /// @lifetime Each task stays alive and in place until its run function starts; the batch need not.
    Status submit(Batch& batch);

#if WEFT_URGENCY_LEVELS > 1
    /// The same at a level of urgency: before all tasks of lower levels, see Urgency. It goes to a queue of that level
    /// that all cores share, also from a task of this pool. With WEFT_URGENCY_LEVELS of at least 2.
    /// @context As submit(Task&).
    /// @return As submit(Task&); out_of_range: there is no such level, see WEFT_URGENCY_LEVELS.
    /// @lifetime As submit(Task&).
    Status submit(Task& task, Urgency urgency) {
        return urgency == Urgency::normal ? submit(task) : rush(task, urgency, Chances::from_outside);
    }
    /// The same for all tasks of the batch.
    /// @context As submit(Batch&).
    /// @return As submit(Batch&); out_of_range: there is no such level, see WEFT_URGENCY_LEVELS.
    /// @lifetime As submit(Batch&).
    Status submit(Batch& batch, Urgency urgency) {
        return urgency == Urgency::normal ? submit(batch) : rush(batch, urgency, Chances::from_outside);
    }
#else
    /// Not in this build: the message says what to do.
    /// @context Does not compile.
    /// @return Nothing: it does not compile.
    template <bool levels = false>
    auto submit(Task&, Urgency) {
        return detail::refuse_level<levels>();
    }
    /// Not in this build: the message says what to do.
    /// @context Does not compile.
    /// @return Nothing: it does not compile.
    template <bool levels = false>
    auto submit(Batch&, Urgency) {
        return detail::refuse_level<levels>();
    }
#endif

    /// For whatever else is submitted: the message says what to do instead.
    /// @context Does not compile.
    /// @return Nothing: it does not compile.
    template <class Other, class = detail::Refused<Other&&, Task, Batch>>
    auto submit(Other&&, Urgency = Urgency::normal) {
        return detail::refuse<Other, Task, Batch>();
    }

    /// Queues a task from an interrupt handler. Lock-free (but on ARMv6-M): a bounded number of steps, but for retries
    /// that another core's success causes. It wakes a parked core but never powers one on, which may not be possible in
    /// a handler. With every core off, the task waits for the next submit(), run() or poll().
    /// @context Any context of any core; interrupt handlers of any priority, nested.
    /// @return ok, closed; in checked builds also misaligned_task, null_run, already_queued.
    /// @lifetime As submit(Task&).
    Status submit_from_isr(Task& task);
#if WEFT_URGENCY_LEVELS > 1
    /// The same at a level of urgency, as submit(Task&, Urgency).
    /// @context As submit_from_isr(Task&).
    /// @return As submit_from_isr(Task&); out_of_range: there is no such level, see WEFT_URGENCY_LEVELS.
    /// @lifetime As submit(Task&).
    Status submit_from_isr(Task& task, Urgency urgency) {
        return urgency == Urgency::normal ? submit_from_isr(task) : rush(task, urgency, Chances::from_isr);
    }
#else
    /// Not in this build: the message says what to do.
    /// @context Does not compile.
    /// @return Nothing: it does not compile.
    template <bool levels = false>
    auto submit_from_isr(Task&, Urgency) {
        return detail::refuse_level<levels>();
    }
#endif
    /// For whatever else is submitted: as submit(Other&&).
    /// @context Does not compile.
    /// @return Nothing: it does not compile.
    template <class Other, class = detail::Refused<Other&&, Task>>
    auto submit_from_isr(Other&&, Urgency = Urgency::normal) {
        return detail::refuse<Other, Task>();
    }

    /// Queues a task that runs on `core` only. A core that is off is started first. If a core is on its way but does
    /// not come, the task waits until it comes or join() hands it back. It may do so, too, where this call and a
    /// shutdown meet. Several tasks pinned to one core run in no promised order. The calling core may name itself
    /// before it calls run(). In a task of another pool, too: then its task waits until the core works for this pool,
    /// or join() hands it back. So it does if the core is here for a poll(), a call from outside or a wait of another
    /// pool's task only, and leaves without having seen it; a further submit_on() starts the core, if that is possible
    /// then.
    /// @context As submit(Task&).
    /// @return ok, closed, unknown_core, core_unavailable (it is off and could not be started, by this call, or by one
    /// at the same time; with WEFT_ELASTIC=1 also: it is retired, or limit_cores() allows no further one); in checked
    /// builds also misaligned_task, null_run, already_queued, wrong_context (interrupt handler).
    /// @lifetime As submit(Task&).
    Status submit_on(uint32_t core, Task& task);
    /// For whatever else is submitted: as submit(Other&&).
    /// @context Does not compile.
    /// @return Nothing: it does not compile.
    template <class Where, class Other, class = detail::Refused<Other&&, Task>>
    auto submit_on(const Where&, Other&&) {
        return detail::refuse_on<Where, Other, Task>();
    }

#if WEFT_CORE_SETS
    /// Queues a task that runs on one of these cores: whichever comes first. Nobody steals it from them. A parked core
    /// of the set is woken; if none is, one of them that is off is started. If that one does not come, or no other one
    /// than a visitor is here (as with one core), who leaves without having seen it, the task waits for another one of
    /// the set to be free, or for the next submit for that set: it tries the next one. Tasks of one set begin in no
    /// promised order. The set of all cores: as submit(). With WEFT_CORE_SETS=n.
    /// @context As submit(Task&).
    /// @return ok, closed, unknown_core (one of them is not in this pool), core_unavailable (all are off, and none
    /// could be started, by this call, or by one at the same time), out_of_range (the set is empty, or more than
    /// WEFT_CORE_SETS different sets of two cores or more have been used in this pool); in checked builds also
    /// misaligned_task, null_run, already_queued, wrong_context (interrupt handler).
    /// @lifetime As submit(Task&).
    Status submit_on(CoreSet cores, Task& task) { return submit_for(cores, task, Chances::from_outside); }
    /// The same for all tasks of the batch, each for itself, with one wake. If it does not return ok, the batch keeps
    /// its tasks. An empty batch is ok.
    /// @context As submit(Batch&).
    /// @return As submit_on(CoreSet, Task&), but nothing about a single task.
    /// @lifetime As submit(Batch&).
    Status submit_on(CoreSet cores, Batch& batch) { return submit_for(cores, batch, Chances::from_outside); }
    /// The same from an interrupt handler: as submit_from_isr(), it starts no core. If another core is just starting
    /// one of the set, and that one is refused or absent, the task waits for the next submit for that set.
    /// @context As submit_from_isr(Task&).
    /// @return As submit_on(CoreSet, Task&), without wrong_context. core_unavailable: all are off.
    /// @lifetime As submit(Task&).
    Status submit_on_from_isr(CoreSet cores, Task& task) {
        return submit_for(cores, task, Chances::from_isr);
    }
    /// For whatever else is submitted: as submit(Other&&).
    /// @context Does not compile.
    /// @return Nothing: it does not compile.
    template <class Other, class = detail::Refused<Other&&, Task, Batch>>
    auto submit_on(CoreSet, Other&&) {
        return detail::refuse<Other, Task, Batch>();
    }
#else
    /// Not in this build: the message says what to do.
    /// @context Does not compile.
    /// @return Nothing: it does not compile.
    template <class Other>
    auto submit_on(CoreSet, Other&&) {
        static_assert(sizeof(Other) == 0,
                      "weft: sets of cores are a setting: build all with -DWEFT_CORE_SETS=<number of sets>");
        return detail::Nothing();
    }
    /// Not in this build: the message says what to do.
    /// @context Does not compile.
    /// @return Nothing: it does not compile.
    template <class Other>
    auto submit_on_from_isr(CoreSet, Other&&) {
        static_assert(sizeof(Other) == 0,
                      "weft: sets of cores are a setting: build all with -DWEFT_CORE_SETS=<number of sets>");
        return detail::Nothing();
    }
#endif

    /// The calling core becomes a worker and stays one until shutdown(). It sleeps while there is nothing to do.
    /// @context Task context of a core of the pool that is not a worker of it already.
    /// @return ok after the shutdown; unknown_core (a foreign core); wrong_context (a worker already; in checked builds
    /// also an interrupt handler); closed (the pool is being joined, or was). With WEFT_ELASTIC=1: retired, when the
    /// core has left; and at once if it is still retired and another core is here, or can be started.
    Status run();

    /// The calling core runs at most `max_tasks` tasks and returns; for a super-loop. It does not sleep. A strand is
    /// one task here, and may run WEFT_STRAND_BURST of its own; so is a task with all that it runs in a wait. Tasks
    /// that the core leaves in its ring remain there for other cores to steal and for its next poll(). poll(0) does
    /// nothing, and returns ok, on a foreign core, too. Between two polls the core is no worker: let it see closed
    /// before another core joins. Else what is pinned to it is left over.
    /// @context As run().
    /// @return how many tasks were run, with ok. Or closed: the pool was shut down and this core is done with it; leave
    /// the loop, and call join(). (One that polls on may be told ok once more, with no task, if another core joins just
    /// then.) Or unknown_core, wrong_context: as run().
    Polled poll(uint32_t max_tasks);

    /// Ends the pool: submits are refused from now on, and workers leave when they find nothing more. Returns at once.
    /// A second call may turn drain into abandon and otherwise changes nothing. Follow it with join().
    /// @context Any context of any core, in a task of the pool too.
    [[gnu::cold]] void shutdown(Shutdown mode = Shutdown::drain);

    /// As join(Batch&), for those who do not want tasks back: what has not run is released, free for any use.
    /// @context As join(Batch&).
    /// @return ok; wrong_context; left_over: after a drain, tasks could not be run (pinned, see join(Batch&)).
    Status join();
    /// Waits until shutdown() was called and every worker has left. If no core calls it, for ever: whether one will, or
    /// an interrupt handler, cannot be known. Sees all that every task wrote, and the pool may be destroyed at once.
    /// After drain, what any core may run is run here first. Tasks that have not run are appended to `left_over`, ready
    /// to be submitted elsewhere. They were abandoned, or pinned to a core that did not come: never, not before its
    /// deadline, or not to another poll(). Or it had left already, where a submit_on() and the shutdown met.
    /// @context Task context of any core that is not a worker of the pool, foreign ones too; one core at a time.
    /// @return ok, and ok again once a join has returned; wrong_context (a worker; another core is in join(); in
    /// checked builds also an interrupt handler).
    Status join(Batch& left_over);

#if WEFT_REST
    /// Waits until the pool is idle: there was a moment, after the call, at which nothing was queued and no task ran.
    /// So all that was submitted before has run, with all that it has submitted in turn; and its writes are seen. The
    /// pool goes on. What is not submitted yet does not count: what waits for a gate, an event or a time. Nor what a
    /// strand or an event has accepted while another core's call, or a handler's, is handing it in: after that call it
    /// does. A task that waits for another one runs; one that is pinned to a core that does not come is queued.
    ///
    /// A core of the pool works for it meanwhile, as with poll(), and sleeps if there is nothing to do. A foreign core
    /// looks again and again, with Port::relax() in between, and starts none: if the only core on its way never comes,
    /// the next submit tries another one. If others go on submitting so that the pool is never idle, it waits for ever;
    /// beside a core that polls without a pause, for long. With WEFT_REST=1.
    /// @context Task context of any core that is not a worker of the pool, several at a time.
    /// @return ok. closed: the pool was shut down before (join() is what waits then). wrong_context: in a task of this
    /// pool; a foreign core in a task of another pool, or in a function of on_sleep() or on_all_asleep(); in checked
    /// builds also an interrupt handler.
    Status wait_idle();

    /// function(argument) is called each time that all cores that work for the pool sleep: by the last one, before its
    /// sleep. So an image knows when to stop clocks, or to let a watchdog be. Once for each time; no two calls overlap.
    /// A core that leaves poll(), run() or a call from outside is awake, so nothing is called for it. If the last one
    /// that is awake goes back to where it came from (elastic.hpp), one that sleeps wakes up for the call. A core on
    /// its way does not work yet. With WEFT_REST=1.
    ///
    /// The core sleeps when the function returns. If something was submitted meanwhile it does not, or another core is
    /// awake already. The function may sleep by itself: what would end Port::park() ends a WFE or WFI in it, and then
    /// it returns. It may call what interrupt handlers may call, and submit(). There run(), poll() and waits for this
    /// pool return wrong_context, and what is forked runs serially. A task of a level that preempts, on top of a core
    /// that sleeps, does not end that sleep: nothing is called again after it.
    /// @context Before the pool is used: no core works for it, nothing was submitted.
    /// @return ok; wrong_context: a core works for the pool already, or is on its way.
    /// @lifetime Function and argument are used until join() has returned.
    Status on_all_asleep(void (*function)(void* argument), void* argument);
#else
    /// Not in this build: the message says what to do.
    /// @context Does not compile.
    /// @return Nothing: it does not compile.
    template <bool rest = false>
    auto wait_idle() {
        static_assert(rest,
                      "weft: wait_idle() is a setting: build the library and its users with -DWEFT_REST=1");
        return detail::Nothing();
    }
    /// Not in this build: the message says what to do.
    /// @context Does not compile.
    /// @return Nothing: it does not compile.
    template <bool rest = false>
    auto on_all_asleep(void (*)(void*), void*) {
        static_assert(
            rest, "weft: on_all_asleep() is a setting: build the library and its users with -DWEFT_REST=1");
        return detail::Nothing();
    }
#endif

#if WEFT_FORK_DEPTH
    /// Runs callable() as if in a task of this pool, and returns when it has returned. That is what fork_join() and its
    /// like do with a pool in front. The calling core works for the pool meanwhile, if it may (as with poll()). A
    /// foreign core sleeps until a worker has done it.
    ///
    /// It runs here and now in four cases: the pool is closed or abandoned; no core of it is in run(), was started or
    /// can be; a foreign core calls inside a task of another pool; or nothing may wait there (in a function of
    /// on_sleep() or on_all_asleep(), by the owner of a quiesce()). What it forks is run serially then,
    /// unless it is inside a task of another pool.
    /// @context Task context of any core; with WEFT_FORK_DEPTH of at least 1.
    /// @lifetime The callable is called where it is: it is not copied.
    template <class Callable>
    void call(Callable&& callable) {
        auto* pointer = __builtin_addressof(callable);
        call(&detail::Call<decltype(pointer)>::run, &pointer);
    }
#endif

    /// For the handler of a periodic interrupt (or one sent by another core) on each core. While the core runs a long
    /// child of a fork, its other forked children are handed to cores that have nothing to do. Without it that happens
    /// when the core forks again, or begins the next chunk of a loop. A few instructions if no core asks; with
    /// WEFT_FORK_DEPTH=0 nothing.
    /// @context Interrupt handlers of any core, nested too.
    void offer_from_isr();

    /// shutdown() was called: for a long task that can stop before its end.
    /// @context Any context of any core.
    bool is_closing() const { return idle_.look().is_closing(); }
    /// How many cores the pool is for.
    /// @context Any context.
    uint32_t cores() const { return cores_; }
    /// What one core has done, since the pool was constructed; all zero for an unknown core. The words are read one by
    /// one. While the core works they need not belong to the same moment.
    /// @context Any context, at any time in the pool's life, also after join().
    CoreStats stats(uint32_t core) const;
    /// The sums over all cores, as stats().
    /// @context As stats().
    CoreStats total() const;
    /// How many starts of cores failed: refused, absent, or not checked in before the deadline.
    /// @context As stats().
    uint32_t start_failures() const;
    /// How many cores work for the pool or are on their way. It may be too high for a moment, never too low: a core is
    /// counted before it is clear that it comes, by each core that wants it.
    /// @context As stats().
    uint32_t live_cores() const { return roster_.live(); }

    /// The most cores that a pool can have.
    static constexpr uint32_t most_cores = detail::IdleBits::most_cores;

protected:
    /// For Pool; `cores` is the length of both arrays.
    /// @context As Pool().
    constexpr Scheduler(detail::Worker* workers, detail::ForkDeque* forks, uint32_t cores)
        : cores_(cores), workers_(workers), forks_(forks), roster_(cores) {}

private:
    using Worker = detail::Worker;

    using IdleBits = detail::IdleBits;
    using Chances = detail::Chances;

    // As max_tasks of work(): the core stays until the pool closes.
    static constexpr uint32_t until_closed = 0;

    // Cold functions wait, start cores, or serve a core that has nothing to do: they are compiled for size.
    // always_inline ones have one call.

    // scheduler.cpp: the way in and the worker's loop
    [[gnu::cold]] Worker* this_worker();
    [[gnu::always_inline]] inline Worker* active_worker();
    // At work, or on its way: it has its queue. Not of a claim, which may end in either way.
    static bool is_here(uint32_t power) { return power > static_cast<uint32_t>(detail::Power::claimed); }
    [[gnu::always_inline]] inline bool reach(Worker& worker);
    // A visit by a task of another pool is over.
    [[gnu::cold]] void ends_as_guest(Worker& worker);
    static bool is_at_work(Worker* worker) { return worker != nullptr && worker->active.get() != 0; }
    [[gnu::always_inline]] inline Status let_in(Task& task);
    inline Status let_in(Batch& batch, Chances chances);
    [[gnu::noinline]] Status inject(Task& task, Chances chances);
    inline Status push_apart(detail::TaskStack& list, Task& task, Chances& chances);
    [[gnu::noinline]] Status spill(Worker& worker, Task& task);
    [[gnu::cold, gnu::noinline]] Status hand_in(Batch& batch, Chances chances);
    inline void check_constructed() const;
    inline Status check_in();
    [[gnu::cold]] Status run_or_poll(uint32_t& tasks);
    [[gnu::cold]] uint32_t work(uint32_t max_tasks);
    [[gnu::always_inline]] inline bool polls_in_vain() const;
    inline Worker& become_worker(detail::Power how);
    [[gnu::always_inline]] inline void stop_working(Worker& worker, detail::ForkDeque* before);
    inline Task* next_shared(Worker& worker);
    uint32_t run_tasks(Worker& worker, uint32_t max_tasks, Batch* left_over);
    // What is left when the pool ends: runs it, or gives it back if the pool is abandoned, possibly since a moment ago.
    // In the name of `worker`. (No pool has so many tasks: each has an address.)
    void finish(Worker& worker, Batch& left_over) { run_tasks(worker, ~0u, &left_over); }
    bool is_abandoned() const { return idle_.look().is_abandoned(); }  // a hint, seen in the end
    inline bool arm_stack_canary(Worker& worker);
    inline void check_stack_canary(Worker& worker);
    inline void disarm_stack_canary(Worker& worker, bool armed);

    // search.cpp: where the next task comes from
    Task* find(Worker& worker, uint32_t max_tasks);
    [[gnu::always_inline]] inline Task* search(Worker& worker, uint32_t max_tasks);
    [[gnu::noinline]] Task* search_shared(Worker& worker);
    [[gnu::noinline]] Task* take_shared(Worker& worker);
    [[gnu::always_inline]] inline Task* search_victims(Worker& worker);
    Task* take_what_is_left(Worker& worker);
    [[gnu::always_inline]] inline void note_steal(Worker& worker, const Task& task, uint32_t core,
                                                  detail::Origin origin);
    Task* refill(Worker& worker, detail::TaskStack& stack);
    bool work_visible() const { return has_due_timer() || tasks_visible(); }
    bool tasks_visible(uintptr_t uncounted = detail::TaskStack::consuming) const;
    void ask_all();

    // idle.cpp: notify, waking, park
    [[gnu::noinline]] void retry_starts();
    Status notify(Chances chances);
    [[gnu::noinline]] Status wake(Chances chances);
    [[gnu::always_inline]] inline bool leaves_something(Worker& worker);
    void announce(Worker& worker);
    bool rest(Worker& worker);
    template <class Condition>
    [[gnu::always_inline]] inline bool rest_until(Worker& worker, Condition has_come);

    // wait.cpp: waiting in a task, or outside
    friend class Waitable;
    template <class Function>
    inline Status visit(Function function);
    template <class AsWorker, class FromAfar>
    inline Status wait_outside(AsWorker as_worker, FromAfar from_afar);
    Status await(Waitable& awaited);
    Status attend(Worker& worker, Waitable& awaited);
    Status attend_from_afar(Waitable& awaited);
    [[gnu::cold]] void pass_on(Worker& worker);
    bool is_stuck();
    bool wait_for_the_stuck(const Worker& worker, const detail::Waiter& waiter, uint32_t window);

    // rest.cpp: a pool that has nothing to do
    inline void wakes_up(Worker& worker);
    inline void goes_off(Worker& worker);
    inline void count_waits(Worker& worker, int by);
#if WEFT_REST
    // What a look at the cores of a pool at rest has found.
    struct Rested {
        uint32_t turns = 0;  // the sum
        uint32_t awake = 0;  // not 0: some core is awake
        uint32_t waits = 0;  // not 0: some core sleeps, and a task of it waits for another one
    };
    Rested look_at_cores() const;
    [[gnu::cold]] bool is_at_rest(bool without_waits) const;
    bool serve_rest(uint32_t own_bit);
    [[gnu::cold, gnu::noinline]] bool see_to_rest(Worker& worker);
    Status await_rest(Worker& worker);
    Status await_rest_from_afar();
#else
    static bool see_to_rest(Worker&) { return false; }
#endif

#if WEFT_URGENCY_LEVELS > 1
    // urgent.cpp: levels above the lowest
    Status rush(Task& task, Urgency urgency, Chances chances);
    Status rush(Batch& batch, Urgency urgency, Chances chances);
    detail::TaskStack& urgent_queue(detail::Level level) { return urgent_[level.number() - 1]; }
    // A hint: there is something urgent, or it is just being taken.
    [[gnu::always_inline]] bool has_urgent() const {
        bool used = false;
        for (const detail::TaskStack& stack : urgent_) used |= detail::TaskStack::any_used(stack);
        return used;
    }
    // For the last look: after its fence [I1].
    bool urgent_is_visible() const {
        bool visible = false;
        for (const detail::TaskStack& stack : urgent_) visible |= stack.looks_nonempty();
        return visible;
    }
    inline bool is_urgent(const detail::TaskStack& stack) const;
    // Since the last one of a row of urgent tasks.
    static uint32_t tasks_since_urgent(const Worker& worker) {
        return worker.counters.executed.own() - worker.urgent_until.get();
    }
    static bool is_turn_of_others(const Worker& worker) {
        return worker.urgent_row.get() >= WEFT_FAIR_INTERVAL && tasks_since_urgent(worker) <= highest_turn;
    }
    [[gnu::cold, gnu::noinline]] Task* next_urgent(Worker& worker, uint32_t due, uint32_t& passed);
    [[gnu::noinline]] Task* take_urgent(Worker& worker, uint32_t level);
    inline void close_urgent();
#else
    // Nothing comes here: a submit at a level does not compile.
    static Status rush(Batch&, Urgency, Chances) { return Status::out_of_range; }
    detail::TaskStack& urgent_queue(detail::Level) { return injector_; }
    static bool has_urgent() { return false; }
    static bool urgent_is_visible() { return false; }
    static bool is_urgent(const detail::TaskStack&) { return false; }
    static bool is_turn_of_others(const Worker&) { return false; }
    static Task* next_urgent(Worker&, uint32_t, uint32_t&) { return nullptr; }
    static Task* take_urgent(Worker&, uint32_t) { return nullptr; }
    static void close_urgent() {}
#endif
    static constexpr uint32_t most_urgent = WEFT_URGENCY_LEVELS - 1;
    static constexpr uint32_t highest_turn = most_urgent - WEFT_PREEMPTION;
    struct OnTop;  // preempt.cpp, in src/internal.hpp: a level that preempts

#if WEFT_CORE_SETS
    // core_set.cpp: tasks for some of the cores. `set`: their bits as in the idle word.
    Status submit_for(CoreSet cores, Task& task, Chances chances);
    Status submit_for(CoreSet cores, Batch& batch, Chances chances);
    detail::TaskStack* set_queue(uint32_t set);
    bool reach_one(uint32_t set, Chances chances);
    bool wake_one(uint32_t set, Chances chances);
    bool start_one_of(uint32_t set);
    bool start_any_of(uint32_t set, detail::Power from);
    [[gnu::cold, gnu::noinline]] bool tell_of_sets(Chances chances);
    [[gnu::noinline]] Task* take_of_sets(Worker& worker);
    void close_sets(Worker* self, Batch& left_over);
    // What this core may take of the sets' queues; for the last look: after its fence [I1].
    bool set_is_visible(uint32_t core) const {
        bool visible = false;
        for (const detail::SetQueue& each : sets_) {
            visible |= (each.cores() & IdleBits::bit(core)) != 0 && each.tasks.looks_nonempty();
        }
        return visible;
    }
    bool any_set_is_visible() const {
        bool visible = false;
        for (const detail::SetQueue& each : sets_) visible |= each.tasks.looks_nonempty();
        return visible;
    }
#else
    static bool tell_of_sets(Chances) { return false; }
    static Task* take_of_sets(Worker&) { return nullptr; }
    static void close_sets(Worker*, Batch&) {}
    static bool set_is_visible(uint32_t) { return false; }
    static bool any_set_is_visible() { return false; }
#endif
    // The core was asleep or away, or has left something that not every core may take: others may have relied on it.
    [[gnu::always_inline]] static inline void must_tell(Worker& worker);
    [[gnu::always_inline]] inline void tell_before_a_task(Worker& worker);
    // What only this core may take, or only some.
    [[gnu::always_inline]] bool has_own_work(const Worker& worker) const {
        return worker.pinned.looks_nonempty() || set_is_visible(worker.core);
    }

#if WEFT_TIMERS
    // timer.cpp: who watches the first deadline
    void serve_timers();
    void tell_watcher(Chances chances);
    bool keep_watch(uint32_t core, IdleBits seen);
    void leave_watch(uint32_t core, IdleBits seen);
    bool has_due_timer() const { return timers_.is_due(); }
    // Timers are armed, and nobody watches. `seen`: the idle word, by a step of this core.
    bool wants_a_watcher(IdleBits seen) const { return seen.is_unwatched() && timers_.has_live(); }
#else
    static void serve_timers() {}
    static bool keep_watch(uint32_t, IdleBits) { return true; }
    static void leave_watch(uint32_t, IdleBits) {}
    static bool has_due_timer() { return false; }
    static bool wants_a_watcher(IdleBits) { return false; }
#endif

    // power.cpp: cores as a resource
    static void core_entry(void* scheduler);
    [[gnu::always_inline]] static inline bool move(Worker& worker, detail::Power from, detail::Power to);
    [[gnu::cold]] void start_one();
    [[gnu::cold]] bool start_any(detail::Power from);
    [[gnu::cold]] bool start(uint32_t core, detail::Power from);
    [[gnu::cold]] void give_up(Worker& worker, detail::Power to);
    [[gnu::always_inline]] inline bool keeps_coming(Worker& worker);
    // What a look at all cores has found: a bit for each state in which one was seen; and that a start was withdrawn.
    // coming: a core is on its way. So it looked; it may have come since then, or not come. So who has withdrawn a
    // start begins another (DESIGN 7.3). claims: another core tries to start one. That may be refused, and then nobody
    // else is tried, if it was for a pinned task.
    using Found = uint32_t;
    static constexpr Found elsewhere = 1u << static_cast<uint32_t>(detail::Power::elsewhere);
    static constexpr Found claims = 1u << static_cast<uint32_t>(detail::Power::claimed);
    static constexpr Found coming = 1u << static_cast<uint32_t>(detail::Power::starting);
    static constexpr Found residents = 1u << static_cast<uint32_t>(detail::Power::stays);
    static constexpr Found withdrawn = residents << 1;
    static constexpr Found starts = claims | coming | withdrawn;
    [[gnu::cold]] Found withdraw_overdue_starts();
    static void unpark_each(uint32_t cores);

    // fork.cpp: fork-join off the common path
    friend class detail::ForkDeque;
    void announce_offer(detail::ForkDeque& deque, Chances chances);
    bool nobody_is_to_be_told() const;
    [[gnu::cold]] void wake_waiters();
    [[gnu::cold]] inline uint32_t idle_cores() const;
    void wake_another();
    Task* help(detail::ForkDeque& thief, uint32_t depth);
    bool wait_for_offer(uint32_t depth);

    // call.cpp: fork-join from outside
    void call(void (*function)(void*), void* argument);
    friend class detail::Errand;
    bool ensure_resident();
    [[gnu::cold]] void answer_calls(Worker& worker);

    // shutdown.cpp
    // All of join() but its last step, after which the pool may be gone.
    [[gnu::cold]] Status wait_for_the_end(Batch& left_over);
    [[gnu::always_inline]] inline bool seal_and_look(bool& some_come);

    // What every submit reads stands in one line, the idle word first: it needs no address arithmetic.
    alignas(Port::cache_line) detail::IdleWord idle_{};
    const uint32_t cores_;
    detail::Worker* const workers_;
    detail::ForkDeque* const forks_;
    detail::Roster roster_;
    Atomic<uint32_t> start_cursor_{};  // the core that was started last; a hint
    Atomic<uint32_t> waiters_{};       // bit k: core k sleeps in a join, and wants to hear of offers
    detail::InVain in_vain_{};         // who waits for tasks that nobody runs
#if WEFT_REST
    detail::Rest rest_{};
#endif
    alignas(Port::cache_line) detail::TaskStack injector_{};
#if WEFT_URGENCY_LEVELS > 1
    alignas(Port::cache_line) detail::TaskStack urgent_[most_urgent]{};  // level 1 first
#endif
#if WEFT_PREEMPTION
    Atomic<uint32_t>
        ready_{};  // bits as in the idle word: the core can be interrupted, and nobody has chosen it
#endif
#if WEFT_CORE_SETS
    detail::SetQueue sets_[WEFT_CORE_SETS]{};
#endif
#if WEFT_TIMERS
    alignas(Port::cache_line) detail::TimerQueue timers_{};
#endif
};

inline Status Scheduler::join(Batch& left_over) {
    const Status status = wait_for_the_end(left_over);
    if (status == Status::ok) roster_.end_join();
    return status;
}

inline Status Scheduler::join() {
    Batch left_over;
    Status status = wait_for_the_end(left_over);
    if (status == Status::ok) {
        if (!left_over.empty() && !is_abandoned()) status = Status::left_over;
        roster_.end_join();
    }
    while (left_over.pop() != nullptr) continue;  // each is released
    return status;
}

}  // namespace WEFT_ABI
}  // namespace weft

#include <weft/detail/figures.hpp>
