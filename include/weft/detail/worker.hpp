// SPDX-License-Identifier: MIT OR Apache-2.0
// weft: Worker, all that the pool keeps for one core.
#pragma once

#include <weft/detail/fair_turn.hpp>
#include <weft/detail/ring.hpp>
#include <weft/detail/search_length.hpp>
#include <weft/detail/standstill.hpp>
#include <weft/detail/task_stack.hpp>
#include <weft/detail/victims.hpp>
#include <weft/stats.hpp>

namespace weft {
inline namespace WEFT_ABI {

class Scheduler;

namespace detail {

struct TraceRing;

// What a core is to this pool. The states protect no data; Port::cancel_start decides between a late core and the
// deadline.
//
//     off --start()--> claimed --Port::start_core says started--> starting --check in (the core)--> stays
//                      |     ^                                       |
//                      |     +------withdraw_overdue_starts()--------+   after the deadline, or at shutdown
//                      |
//                      +--refused, or withdrawn: the entry will not be called--> off
//                      +--absent--> absent
//                      +--not withdrawn: the core was faster--> starting, stays
//     claimed (but for poll() and calls: they wait), starting --run(), poll(), a call--> stays, on: who comes later
//                       withdraws the start, and starts or wakes another core instead: this one may go again
//
//     off --the core itself submits from code that is no pool's--> elsewhere: started only if nobody stays
//     elsewhere --start() as above; refused, or withdrawn--> elsewhere, off
//     any but claimed --poll(), a call from outside (the core itself)--> on       nobody starts it any more
//     any but claimed --a visit by a task of another pool--> on --its end--> off (DESIGN 7.8)
//     any --run() (the core itself)--> stays                          works until the pool ends, and a pool ends once
//
// With WEFT_ELASTIC=1 (ELASTIC 2.1):
//     stays --asked to, or its keep-alive is over--> leaving --it has seen something--> stays
//                                                       +--back in its pen--> off; back from run()--> elsewhere (in
//         a task of another pool: off)
//     elsewhere, on --it was retired, and is admitted--> off; elsewhere --its leaving of another pool, before what
//         follows on that is submitted to this one--> off
//     Who meets `leaving` waits for what follows: a few steps, which wait for nobody.
enum class Power : uint32_t { off, elsewhere, absent, leaving, claimed, starting, on, stays };
inline uint32_t word(Power power) { return static_cast<uint32_t>(power); }

// Off, or on its way: a start may be tried, or is under way.
constexpr bool may_come(uint32_t power) {
    return power == static_cast<uint32_t>(Power::off) || power == static_cast<uint32_t>(Power::claimed) ||
           power == static_cast<uint32_t>(Power::starting);
}

// On its way out, or back to work: for a few steps.
constexpr bool is_leaving(uint32_t power) {
    return WEFT_ELASTIC != 0 && power == static_cast<uint32_t>(Power::leaving);
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Weffc++"  // it asks for a start value of `counters`, whose words have theirs
struct alignas(Port::cache_line) Worker {
    // Values of `active`; 0: the core is no worker.
    static constexpr uint16_t in_loop = 1;      // of run() or poll(): submit() may use the ring
    static constexpr uint16_t in_function = 2;  // of the image, before a sleep without a look at its ring
    static constexpr uint16_t preempted = 3;    // a task of the level that preempts runs on top of it
    // Values of `nap`, of a sleep; 0: none.
    static constexpr uint16_t unlimited = 1;
    static constexpr uint16_t limited = 2;
    static constexpr uint16_t over = 3;  // it has slept for as long as it may
    // Values of `search`, of what it may look at.
    static constexpr uint16_t no_search = 0;
    static constexpr uint16_t searches = 1;        // and is counted
    static constexpr uint16_t may_not_search = 2;  // enough others did
    // Values of `follower` that are no address.
    static constexpr uintptr_t none = 0;
    static constexpr uintptr_t ended = 1;  // the core has left for good

    constexpr Worker(uint32_t id, Ring::Slot* slots, uint32_t capacity)
        : ring(slots, capacity), core(static_cast<uint16_t>(id)), victims(id) {}

    // Turns (DESIGN 4.6): each time that one is due, the own ring is first, and the shared queues are after that. So
    // neither takes all of them, however many tasks are counted in one round. `since`: how many tasks ago it was due.
    // `due`, `passed`: a loop's copies. Between the two `due` is set back further than tasks are counted in one round.
    static constexpr int32_t half_done = 1 << 30;
    bool take_turn(uint32_t executed, int32_t since, uint32_t& due, uint32_t& passed) {
        const bool its = since >= half_done;
        if (its) {
            fair.comes();
            due = executed + (fair.interval() - 1);
        } else {
            due = executed - half_done;
        }
        fair_at.set(due);
        pass_over(due, passed, 0);
        return its;
    }
#if WEFT_URGENCY_LEVELS > 1
    // How many urgent tasks have passed over a turn that is due; and may: a row, and the others' turns after it.
    uint32_t passed() const { return passed_over.get(); }
    static constexpr uint32_t most_passed =
        WEFT_FAIR_INTERVAL + WEFT_URGENCY_LEVELS < 0xffff ? WEFT_FAIR_INTERVAL + WEFT_URGENCY_LEVELS : 0xffff;
    void pass_over(uint32_t due, uint32_t& passed, uint32_t by) {
        passed = by;
        if (due == fair_at.get()) passed_over.set(static_cast<uint16_t>(by < 0xffff ? by : 0xffff));
    }
#else
    static constexpr uint32_t passed() { return 0; }
    static void pass_over(uint32_t, uint32_t&, uint32_t) {}
#endif

    Ring ring;  // first: its head needs no address arithmetic

    // Written by any core.
    TaskStack overflow{};           // what did not fit into the ring; any worker consumes
    TaskStack pinned{};             // submit_on(); consumed by this core only
    Atomic<uint32_t> power{};       // Power
    Atomic<uint32_t> started_at{};  // now() when `starting` began; written by the core that starts it
#if WEFT_ELASTIC
    Atomic<uint32_t>
        visits{};  // how many others are about to pin a task to it, to see that it cannot be had, or claim it
    Atomic<uintptr_t>
        follower{};  // what is submitted when it has left: the address of a Waitable; none, or ended
#endif
    Atomic<uint32_t> start_failures{};  // written by the core that holds it `claimed`

#if WEFT_REST
    // Written by this core only; for who looks whether the pool is at rest.
    Published<uint32_t> turns{};  // how often it has come or gone, to sleep too; odd: it is awake here
    Published<uint32_t> waits{};  // how many tasks on its stack wait for others
#if WEFT_PREEMPTION
    Published<uint32_t> top_turns{};  // as `turns`, of what runs on top; odd: that runs
#endif
#endif
#if WEFT_QUIESCE
    Stand stand{};  // written by this core only; for who has all others stand still
#endif

    // Written by this core only, in task context; nobody else reads them but the counters.
    const uint16_t core;       // this core's id
    Plain<uint32_t> turn{};    // which of the three shared queues is looked at first
    Plain<uint16_t> active{};  // in_loop, in_function or 0
    Plain<uint16_t> role{};    // IdleBits::waking, if this core holds the waking role, or 0
    Plain<uint16_t> more{};    // the search left tasks behind in the queue that it took one from
#if WEFT_TRACE
    Plain<TraceRing*> trace{};  // the recorder's, of the core that works here; with hooks none, and as large
#endif
    Counters counters;
    Plain<uint32_t> fair_at{WEFT_FAIR_INTERVAL - 1};  // after this many tasks a turn is due, see above
    Victims victims;
#if WEFT_FAIR_MOST
    FairTurn fair{};
#else
    static constexpr FairTurn fair{};        // it does not change
#endif
#if WEFT_SEARCH_MOST
    Plain<uint16_t> search_rounds{WEFT_SEARCH_ROUNDS + 1};  // how many before the next sleep
#else
    static constexpr int search_rounds = 0;  // they do not change
#endif
#if WEFT_SLEEP_HOOKS
    Plain<uint32_t> slept{};  // for how many ticks, the last time
#endif
#if WEFT_URGENCY_LEVELS > 1
    Plain<uint16_t> passed_over{};   // see passed()
    Plain<uint16_t> urgent_row{};    // how many urgent tasks were executed in a row
    Plain<uint32_t> urgent_until{};  // tasks executed when the row ended
#endif
#if WEFT_PREEMPTION
    Plain<Scheduler*> pool{};
    Plain<Worker*> outer{};       // the worker that this core is in the pool around, see Preemption
    Plain<uint16_t> suspended{};  // what `active` was before it became `preempted`
#endif
#if WEFT_CORE_SETS
    Plain<uint32_t> next_set{};  // the next look at the sets' queues begins there
#endif
#if WEFT_CORE_SETS || WEFT_BLOCKING
    Plain<uint16_t> tells{};  // before its next task, or when it leaves: see Scheduler::tell_before_a_task()
#endif
#if WEFT_BLOCKING
    Plain<uint16_t> blocks{};  // the task that it has taken, and not begun, is a blocking one
    Plain<uint16_t>
        had_turn{};  // of the last two turns of the shared queues, the first was one of these tasks'
#endif
#if WEFT_ELASTIC || WEFT_BLOCKING
    Plain<uint16_t> looked_at{};   // the core whose queues it has looked at last in its turns
    Plain<uint16_t> has_noted{};   // that one had something, and
    Plain<uint32_t> noted{};       // how many tasks that had begun in its loops
    Published<uint32_t> helped{};  // written by this core only: how many it has executed in joins
#endif
#if WEFT_MANDATORY
    Plain<uint16_t> must_run{};  // the task that it has taken, and not begun, is a mandatory one
#endif
#if WEFT_METRICS
    Plain<Origin> origin{};  // of the task that it has taken, and not begun; ring: nothing is noted
#endif
#if WEFT_FEW_SEARCHERS
    Plain<uint16_t> search{};  // see above
#endif
#if WEFT_ELASTIC
    Plain<uint16_t> by_itself{};  // it called run()
    Plain<uint16_t> nap{};        // see above
    Plain<uint32_t> nap_end{};    // a tick
#endif
#if WEFT_CHECKS
    Plain<uint32_t*> stack_limit{};
#endif
};
#pragma GCC diagnostic pop

#if WEFT_PREEMPTION
// What a core is, beyond its pools: for the handler that has interrupted it. Each core touches its own entries only,
// and so does its handler.
struct Preemption {
    // The worker that it is, in the pool that it has come into last; from there on by Worker::outer.
    static inline Worker* volatile innermost[Port::max_cores] = {};
    // It runs tasks of the level that preempts.
    static inline volatile bool running[Port::max_cores] = {};
#if WEFT_QUIESCE
    // It must not stand on top of what it does: others would wait for that, and it for them.
    static inline volatile bool goes_on[Port::max_cores] = {};
#endif

    static bool runs_here() {
        const uint32_t core = Port::core_id();
        return core < Port::max_cores && running[core];
    }
};
#else
struct Preemption {
    static constexpr bool runs_here() { return false; }
};
#endif

// Who claims a core is a visitor of it until it has said what became of the claim. Else that core could come and leave,
// and be claimed by somebody else meanwhile (ELASTIC 2.3).
class Claim {
public:
#if WEFT_ELASTIC
    explicit Claim(Worker& worker, bool claims = true) : visits_(claims ? &worker.visits : nullptr) {
        // relaxed: ordered by the step [T1] that claims the core, which a core that comes takes back
        if (visits_ != nullptr) visits_->fetch_add(1, relaxed);
    }
    ~Claim() {
        if (visits_ != nullptr) visits_->fetch_sub(1, release);  // [T2] what became of it
    }
    Claim(const Claim&) = delete;
    Claim& operator=(const Claim&) = delete;

private:
    Atomic<uint32_t>* visits_;
#else
    explicit Claim(const Worker&, bool = true) {}
#endif
};

}  // namespace detail
}  // namespace WEFT_ABI
}  // namespace weft
