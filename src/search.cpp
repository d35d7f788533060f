// SPDX-License-Identifier: MIT OR Apache-2.0
// weft: where a worker's next task comes from. Order: own ring; then, shared with others: own pinned queue, own
// overflow, the injector; then the victims from a random start: their overflow, half of their ring. Every
// WEFT_FAIR_INTERVAL tasks the shared queues come first, so that a ring that never runs dry starves nobody.
#include "internal.hpp"

namespace weft {
inline namespace WEFT_ABI {

using detail::count;

// The worker's next task. If it may stay, it sleeps until there is one; nullptr: time to leave the pool.
Task* Scheduler::next(Worker& worker, bool stay) {
    Task* task = nullptr;
    const uint16_t tick = static_cast<uint16_t>(worker.tick.get() + 1);
    worker.tick.set(tick);
    if (tick == WEFT_FAIR_INTERVAL) {
        worker.tick.set(0);
        if ((idle_.load(relaxed) & can_retry) != 0) change(0, can_start);  // relaxed: a hint; failed starts get a chance
        task = search_shared(worker);
    }
    if (task == nullptr) {
        task = worker.ring.pop();
        if (task != nullptr) return task;
        task = search(worker, stay);
        if (task == nullptr) return nullptr;
    }
    announce(worker);
    return task;
}

// Off the fast path: a number of rounds through the shared queues and the victims, then sleep, and again.
Task* Scheduler::search(Worker& worker, bool stay) {
    bool open = stay;
    for (uint32_t round = 0;; ++round) {  // ends: with a task, or when the pool closes; rest() ends by its own promise
        Task* task = search_shared(worker);
        if (task == nullptr) task = search_victims(worker);
        if (task != nullptr) return task;
        if (round < WEFT_SEARCH_ROUNDS) {
            Port::relax();
            continue;
        }
        // Not open: this search came after the shutdown was seen, so all that is left belongs to other workers.
        if (!open || abandoned()) return nullptr;
        open = rest(worker);
        round = static_cast<uint32_t>(-1);
    }
}

// What others hand to this worker or to all: own pinned queue, own overflow, the injector. They take turns at being the
// first to be looked at, so that one that never runs dry does not hide the others.
Task* Scheduler::search_shared(Worker& worker) {
    detail::TaskStack* const stacks[] = {&worker.pinned, &worker.overflow, &injector_};
    for (uint32_t i = 0; i != 3; ++i) {
        const uint32_t turn = worker.turn.get();
        worker.turn.set(static_cast<uint16_t>(turn == 2 ? 0 : turn + 1));
        uint32_t taken = 0;
        Task* const task = refill(worker, *stacks[turn], taken);
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
    Task* const first = stack.next(list);  // there is one: an empty stack cannot be locked
    const bool shared = &stack != &worker.pinned;
    const uint32_t room = shared ? worker.ring.free_slots() : 0;
    uint32_t moved = 0;
    while (moved != room) {
        Task* const task = stack.next(list);
        if (task == nullptr) break;
        worker.ring.place(moved, task);
        ++moved;
    }
    taken = moved + 1;
    const bool remain = stack.unlock(list);
    worker.ring.publish(moved);
    if (shared && (moved != 0 || remain)) worker.more.set(true);
    return first;
}

// Where the round of victims begins: xorshift32 (Marsaglia, "Xorshift RNGs", 2003), scaled without a division.
uint32_t Scheduler::pick_victim(Worker& worker) {
    uint32_t x = worker.random.get();
    if (x == 0) x = (worker.core + 1u) * 0x9e3779b9u;
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    worker.random.set(x);
    return ((x >> 16) * cores_) >> 16;
}

// A look at every queue that any worker may take from; no claim. Callers have a fence [I1] before it.
bool Scheduler::work_visible() const {
    if (injector_.looks_nonempty()) return true;
    for (uint32_t core = 0; core != cores_; ++core) {
        if (workers_[core].ring.looks_nonempty() || workers_[core].overflow.looks_nonempty()) return true;
    }
    return false;
}

}  // namespace WEFT_ABI
}  // namespace weft
