// SPDX-License-Identifier: MIT OR Apache-2.0
// weft: where a worker's next task comes from. Order: own ring; then, shared with others: own pinned queue, own
// overflow, the injector; then the victims from a random start: their overflow, half of their ring. Every
// WEFT_FAIR_INTERVAL tasks the shared queues come first, so that a ring that never runs dry starves nobody.
#include "internal.hpp"

namespace weft {
inline namespace WEFT_ABI {

using detail::count;

// The turn of the shared queues has come: a task from there, or nullptr.
Task* Scheduler::next_shared(Worker& worker) {
    worker.tick.set(WEFT_FAIR_INTERVAL);
    // relaxed: a hint. Failed starts get a chance.
    if ((idle_.load(relaxed) & can_retry) != 0) change(idle_, 0, can_start);
    Task* const task = search_shared(worker);
    if (task != nullptr) announce(worker);
    return task;
}

// Off the fast path: a number of rounds through the shared queues and the victims, then sleep, and again.
Task* Scheduler::search(Worker& worker, bool stay) {
    uint32_t rounds = WEFT_SEARCH_ROUNDS;
    for (;;) {  // ends: with a task, or the pool closes; rest() ends by its own promise
        Task* task = search_shared(worker);
        if (task == nullptr) task = search_victims(worker);
        if (task != nullptr) {
            announce(worker);
            return task;
        }
        if (rounds-- != 0) {
            Port::relax();
            continue;
        }
        // Not open: this search came after the shutdown was seen, so all that is left belongs to other workers.
        if (!stay || abandoned()) {
            ask_all();  // a core that polls comes again
            return nullptr;
        }
        stay = rest(worker);
        rounds = WEFT_SEARCH_ROUNDS;
    }
}

// Asks for forked children, to be offered when their owners fork again.
void Scheduler::ask_all() {
    for (uint32_t core = 0; core != cores_; ++core) forks_[core].ask();
}

// What others hand to this worker or to all: own pinned queue, own overflow, the injector. They take turns at being the
// first to be looked at, so that one that never runs dry does not hide the others.
Task* Scheduler::search_shared(Worker& worker) {
    for (uint32_t i = 0; i != 3; ++i) {
        const uint32_t turn = worker.turn.get();
        worker.turn.set(static_cast<uint16_t>(turn == 0 ? 2 : turn - 1));
        detail::TaskStack& stack = turn == 0 ? worker.pinned : turn == 1 ? worker.overflow : injector_;
        uint32_t taken = 0;
        Task* const task = refill(worker, stack, taken);
        if (task == nullptr) continue;
        if (turn != 1) count(worker.counters.injected, taken);
        return task;
    }
    return nullptr;
}

Task* Scheduler::search_victims(Worker& worker) {
    uint32_t core = pick_victim(worker);
    uint32_t taken = 0;
    Task* task = nullptr;
    for (uint32_t i = 0; task == nullptr && i != cores_; ++i) {
        Worker& victim = workers_[core];
        if (++core == cores_) core = 0;
        if (&victim == &worker) continue;
        count(worker.counters.steal_attempts, 1);
        task = forks_[victim.core].take(forks_[worker.core], 0);
        if (task != nullptr) {
            taken = 1;
            break;
        }
        task = refill(worker, victim.overflow, taken);
        if (task != nullptr) break;
        task = victim.ring.steal_into(worker.ring, taken);
        if (taken > 1) worker.more.set(true);
    }
    count(worker.counters.stolen, taken);
    return task;
}

// Takes one task to run and moves as many as fit into the worker's ring, where others can steal them by halves; pinned
// ones stay where they are, they are nobody else's concern. `taken`: how many in all.
Task* Scheduler::refill(Worker& worker, detail::TaskStack& stack, uint32_t& taken) {
    Task* list = nullptr;
    if (!stack.try_lock(list)) return nullptr;
    const bool shared = &stack != &worker.pinned;
    const uint32_t room = shared ? worker.ring.free_slots() : 0;
    Task* first = nullptr;
    uint32_t count = 0;  // at least one in the end: an empty stack cannot be locked
    while (count <= room) {
        Task* const task = stack.next(list);
        if (task == nullptr) break;
        if (count == 0) {
            first = task;
        } else {
            worker.ring.place(count - 1, task);
        }
        ++count;
    }
    taken = count;
    const bool remain = stack.unlock(list);
    worker.ring.publish(count - 1);
    if (shared && (count != 1 || remain)) worker.more.set(true);
    return first;
}

// Where the round of victims begins: xorshift32 (Marsaglia, "Xorshift RNGs", 2003), scaled without a division.
uint32_t Scheduler::pick_victim(Worker& worker) {
    uint32_t x = worker.random.get();
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    worker.random.set(x);
    return ((x >> 16) * cores_) >> 16;
}

// A look at every queue that any worker may take from; no claim. Callers have a fence [I1] before it.
bool Scheduler::work_visible() const {
    if (injector_.looks_nonempty()) return true;
    const Worker* const end = workers_ + cores_;
    for (const Worker* worker = workers_; worker != end; ++worker) {
        if (worker->ring.looks_nonempty() || worker->overflow.looks_nonempty()) return true;
        if (forks_[worker->core].offers(0)) return true;
    }
    return false;
}

}  // namespace WEFT_ABI
}  // namespace weft
