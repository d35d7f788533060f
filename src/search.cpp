// SPDX-License-Identifier: MIT OR Apache-2.0
// weft: where a worker's next task comes from. Order: what is urgent; own ring; then, shared with others: own pinned
// queue, own overflow, the injector; then the victims: what they offer of their forks, their overflow, half of their
// ring. Every WEFT_FAIR_INTERVAL tasks the shared queues come before the own ring, so that one that never runs dry
// starves nobody.
#include "internal.hpp"

namespace weft {
inline namespace WEFT_ABI {

using detail::comes_from;
using detail::count;
using detail::Origin;

namespace {

// Nobody has called for the thief: it lets a single task to its owner for a moment.
struct WithoutRole {
    const detail::Worker& worker;
    explicit operator bool() const { return worker.role.get() == 0; }
};

#if WEFT_ELASTIC || WEFT_BLOCKING
// By another core: the tasks that it has begun in its loops. In its joins it takes none of what is queued.
// relaxed (both): a hint
uint32_t begun_by(const detail::Worker& worker) {
    return worker.counters.executed.load(relaxed) - worker.helped.load(relaxed);
}
#endif

// The calling core looks at a victim: how many times has it done so, with this one?
uint32_t tries_to_steal(detail::Worker& worker) {
    const uint32_t attempts = worker.counters.steal_attempts.own() + 1;
    worker.counters.steal_attempts.store(attempts, relaxed);  // relaxed: statistics
    return attempts;
}

// The next one of the Thue-Morse sequence. It has no period, nor has any part of it that is each n-th one. So a core
// that comes to its victims in turns does not come to one of them with the same answer each time.
bool is_turn_of_ring(uint32_t attempts) {
    attempts ^= attempts >> 16;
    attempts ^= attempts >> 8;
    attempts ^= attempts >> 4;
    return (0x6996u >> (attempts & 15) & 1) != 0;
}

// A task of another core's overflow or ring. These take turns at being first: one that never runs dry, as its core is
// in a task that goes on submitting, would hide the other. Without a task `origin` means nothing.
template <class FromOverflow, class FromRing>
[[gnu::always_inline]] inline Task* take_of(uint32_t attempts, const detail::Worker& other, Origin& origin,
                                            FromOverflow from_overflow, FromRing from_ring) {
    const bool some = other.overflow.looks_nonempty();
    Task* task = some && !is_turn_of_ring(attempts) ? from_overflow() : nullptr;
    origin = Origin::others_overflow;
    if (task == nullptr) {
        task = from_ring();
        if (task != nullptr) {
            origin = Origin::others_ring;
        } else if (some) {
            task = from_overflow();
        }
    }
    return task;
}

}  // namespace

#if WEFT_ELASTIC || WEFT_BLOCKING
// A core that has begun no task since it was noted, and has some, is in a long one, or is off: one of what it has. That
// is a turn of its own, and notes nobody: the next turn is the shared queues'.
Task* Scheduler::take_what_is_left(Worker& worker) {
    uint32_t core = worker.looked_at.get();
    if (worker.has_noted.get() != 0) {
        worker.has_noted.set(false);
        Worker& other = workers_[core];
        if (begun_by(other) == worker.noted.get()) {
            const uint32_t attempts = tries_to_steal(worker);
            Origin origin{};
            Task* const task = take_of(
                attempts, other, origin, [&] { return refill(worker, other.overflow); },
                [&] { return other.ring.steal_oldest(); });
            if (task != nullptr) {
                note_steal(worker, *task, core, origin);
                return task;
            }
        }
    }
    for (uint32_t left = cores_; left != 0; --left) {
        if (++core >= cores_) core = 0;
        const Worker& other = workers_[core];
        if (core == worker.core || !(other.ring.looks_nonempty() || other.overflow.looks_nonempty()))
            continue;
        worker.looked_at.set(static_cast<uint16_t>(core));
        worker.noted.set(begun_by(other));
        worker.has_noted.set(true);
        break;
    }
    return nullptr;
}
#endif

// What others hand to this worker or to all: own pinned queue, own overflow, the injector, the queues of the sets that
// this core is in. Most often there is nothing.
Task* Scheduler::search_shared(Worker& worker) {
    const bool some = detail::TaskStack::any_used(worker.pinned, worker.overflow, injector_) ||
                      set_is_visible(worker.core) || any_mandatory();
    return some ? take_shared(worker) : nullptr;
}

// They take turns at being the first to be looked at, so that one that never runs dry does not hide the others.
Task* Scheduler::take_shared(Worker& worker) {
    constexpr uint32_t of_sets = 3;
    constexpr uint32_t last = of_sets - 1 + (WEFT_CORE_SETS ? 1 : 0) + WEFT_MANDATORY;
    for (uint32_t i = 0; i <= last; ++i) {
        const uint32_t turn = worker.turn.get();
        worker.turn.set(turn == 0 ? last : turn - 1);
        detail::TaskStack& stack = turn == 0                        ? worker.pinned
                                   : turn == 1                      ? worker.overflow
                                   : WEFT_MANDATORY && turn == last ? mandatory_queue(injector_)
                                                                    : injector_;
        const bool is_of_sets = WEFT_CORE_SETS && turn == of_sets;
        Task* const task = is_of_sets ? take_of_sets(worker) : refill(worker, stack);
        if (task != nullptr) {
            comes_from(worker, turn == 0                        ? Origin::pinned
                               : turn == 1                      ? Origin::overflow
                               : is_of_sets                     ? Origin::set
                               : WEFT_MANDATORY && turn == last ? Origin::mandatory
                                                                : Origin::injector);
            announce(worker);
            return task;
        }
    }
    return nullptr;
}

inline void Scheduler::note_steal(Worker& worker, [[maybe_unused]] const Task& task,
                                  [[maybe_unused]] uint32_t core, Origin origin) {
    comes_from(worker, origin);
    WEFT_TRACE_BY(&worker, steal, detail::function_of(task), core);
    count(worker.counters.stolen, 1);
    announce(worker);
}

// One round of victims: their offer, their overflow, half of their ring. It begins after the victim of the last
// success, so steals spread over all of them. (With WEFT_RANDOM_VICTIMS it begins anywhere.)
// Whatever work_visible() counts is taken here: who saw it does not sleep, and would come again for ever. So nobody is
// left out for being parked: his overflow may hold what a thief that held it has left there.
Task* Scheduler::search_victims(Worker& worker) {
    uint32_t distance = worker.victims.last(cores_ - 1);
    for (uint32_t left = cores_ - 1; left != 0; --left) {
        if (++distance >= cores_) distance = 1;
        uint32_t core = worker.core + distance;
        if (core >= cores_) core -= cores_;
        Worker& victim = workers_[core];
        const uint32_t attempts = tries_to_steal(worker);
        Origin origin = Origin::forks;
        Task* task = forks_[core].offers(0) ? forks_[core].take(forks_[worker.core], 0) : nullptr;
        if (task == nullptr) {
            task = take_of(
                attempts, victim, origin, [&] { return refill(worker, victim.overflow); },
                [&] { return victim.ring.steal_into(worker.ring, WithoutRole{worker}); });
        }
        if (task != nullptr) {
            worker.victims.found(distance);
            note_steal(worker, *task, core, origin);
            return task;
        }
    }
    return nullptr;
}

// Off the fast path: a task from anywhere. Two ways to search, by `max_tasks`. A core that stays (until_closed) makes
// some rounds, sleeps, and again, until it has one or the pool closes. A core that polls (any other number) searches
// once; so does one that has stayed, for the last time, before it leaves.
Task* Scheduler::find(Worker& worker, uint32_t max_tasks) {
    detail::ForkDeque& forks = forks_[worker.core];
    forks.set_idle(true);
    worker.fair.cut();
    Task* const task = search(worker, max_tasks);
    forks.set_idle(false);
    return task;
}

Task* Scheduler::search(Worker& worker, uint32_t max_tasks) {
    detail::SearchLength length(worker.search_rounds);
    uint32_t rounds = length.rounds();
    // Then what is urgent comes last: the others may be in another core's queues only.
    const bool turn_of_others = is_turn_of_others(worker);
#if WEFT_BLOCKING
    const bool is_taker = max_tasks == until_closed;
#endif
    for (;;) {  // ends: with a task, or after the last search; rest() ends by its own promise
        stands_if_asked(worker);
        if (has_due_timer()) serve_timers();  // what comes may be urgent
        Task* task = turn_of_others ? nullptr : take_urgent(worker, most_urgent);
        if (task == nullptr) task = search_shared(worker);
        if (task == nullptr) {
            if (!WEFT_FEW_SEARCHERS || max_tasks != until_closed || begin_search(*this, worker)) {
                task = search_victims(worker);
            } else {
                // Others search. What it sees in its last look may be theirs, and then it comes again at once.
                length.cut(rounds);
                rounds = 1;
                Port::relax();
            }
        }
#if WEFT_BLOCKING
        if (task == nullptr) task = take_blocking(*this, worker, is_taker);
#endif
        if (task == nullptr && turn_of_others) task = take_urgent(worker, most_urgent);
        if (task != nullptr) {
            end_search(*this, worker);
            return task;
        }
        if (max_tasks != until_closed) {
            ask_all();  // a core that polls comes again
            return nullptr;
        }
        if (--rounds != 0) {
            Port::relax();
        } else {
            length.sleeps();
            // Closing: one more search, as of a core that polls, for what was submitted before. All that is left then
            // belongs to other workers. (A flag of its own in place of max_tasks costs bytes.)
            if (!rest(worker)) {
                max_tasks = 1;
            } else if (departs(*this, worker)) {
                return nullptr;
            }
            length.wakes();
            rounds = length.rounds();
        }
    }
}

// Takes one task to run and moves as many as fit into the worker's ring, where others can steal them by halves; pinned
// ones stay where they are, they are nobody else's concern; urgent ones too, they would be behind others there; and
// mandatory ones, as a pool that is abandoned hands back what is in its rings.
Task* Scheduler::refill(Worker& worker, detail::TaskStack& stack) {
    Task* list = stack.try_lock();
    if (list == nullptr) return nullptr;
    Task* const first = stack.next(list);
    const bool shared = &stack != &worker.pinned;
    uint32_t taken = 1;
    if (shared && !is_urgent(stack) && !takes_mandatory(worker, stack)) list = worker.ring.fill(list, taken);
    worker.more.set(stack.unlock(list, taken) && shared);
    return first;
}

// A look at every queue that any worker may take from; no claim. Callers have a fence [I1] before it. (Timers that are
// due count as work, too, see work_visible(); but in a pool that is closing they stay armed.) Who goes if it sees
// nothing leaves nothing uncounted, and stays where somebody is yet to be asked for forked children.
bool Scheduler::tasks_visible(uintptr_t uncounted) const {
    const bool goes = uncounted == 0;
    if (injector_.looks_nonempty(uncounted) || urgent_is_visible() || mandatory_is_visible(uncounted))
        return true;
    const Worker* worker = workers_;
    const Worker* const end = workers_ + cores_;
    const detail::ForkDeque* forks = forks_;
    do {  // ends: after one round
        if (worker->ring.looks_nonempty() || worker->overflow.looks_nonempty(uncounted)) return true;
        if (forks->offers(0)) return true;
        if (goes && !forks->hungry()) return true;
        ++forks;
    } while (++worker != end);
    return false;
}

}  // namespace WEFT_ABI
}  // namespace weft
