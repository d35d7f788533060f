// SPDX-License-Identifier: MIT OR Apache-2.0
// weft: one core has all others stand still. docs/QUIESCE.md leads up to this.
//
//     the owner:   request = g; fence [U3]; unpark all; each core: off, away, or stands for g?
//     a worker:    sees g: stands, until the request is not g any more
//     one that comes:   it is here; fence [U3]; looks at the request
//     who starts one:   it is claimed; fence [U3]; looks at the request, and gives the claim back
//
// Claim 12: if the owner has seen all stand, no other core runs a task until it lets go.
//   1. A core that is off or away at the owner's look comes later. Fences have one order: the owner's was first, else
//      it would have seen the core, or the claim. So the core sees g, and stands before its first task.
//   2. A core that is here stands for g: it leaves when the request is not g.
// Claim 13: no start is lost. Who gives a claim back looks at the request again after a fence. If it is over, it
// claims anew. Else let_go() comes after that, and sees the core off.
// Claim 24, with a level that preempts: no core is waited for that stands on top of what others wait for. The owner
// waits for claims, and for who asks for another pool's cores. There a core goes on, and interrupts itself after it.
#include <weft/config.hpp>

#if WEFT_QUIESCE

#include "internal.hpp"

namespace weft {
inline namespace WEFT_ABI {

namespace {

// Nothing else stands in this section: all that it needs is inlined (tools/check_ram_code).
WEFT_RAM_CODE void stand_in_ram(detail::Stand& stand, const Atomic<uint32_t>& request, uint32_t number) {
    stand.stand(request, number);
}

// The recorder is not in that section: it is told before the core stands, and after it.
inline void stand_and_tell(detail::Stand& stand, const Atomic<uint32_t>& request, uint32_t number) {
    WEFT_TRACE_EVENT(stand, 0, number);
    stand_in_ram(stand, request, number);
    WEFT_TRACE_EVENT(stand_end, 0, 0);
}

}  // namespace

// Not by the owner, which would wait for itself.
bool Quiescing::stands(detail::Worker& worker, uint32_t number) {
    if (!is_owner()) {
        stand_and_tell(worker.stand, standstill_.request(), number);
        return true;
    }
#if WEFT_CHECKS
    Port::panic(
        "weft: a task that called quiesce() has returned, or joins a fork; let it call resume() first",
        Port::core_id(), nullptr);
#else
    return false;
#endif
}

// The worker that the calling core is: at work, or as the joiner, in a task that was left. A joiner that is no core of
// the pool works in the name of the first one. nullptr: none.
detail::Worker* Quiescing::works_as(const Scheduler& pool) {
    const uint32_t self = Port::core_id();
    const bool joins = pool.roster_.is_joined_by(self);
    if (self >= pool.cores_) return joins ? pool.workers_ : nullptr;
    Scheduler::Worker* const worker = pool.workers_ + self;
    return joins || Scheduler::is_at_work(worker) ? worker : nullptr;
}

// Another core's request is under way. A worker stands for it in its task.
Status Quiescing::await_another(Scheduler& pool) {
    Scheduler::Worker* const worker = works_as(pool);
    while (const uint32_t number = standstill_.asked()) {  // ends: with the requests of others
        if (worker != nullptr) {
            stand_and_tell(worker->stand, standstill_.request(), number);
        } else {
            Port::relax();
        }
    }
    return Status::busy;
}

// A core on its way runs code before it stands: it is waited for. So is one on its way back to its pen. And a joiner
// that works in the name of the owner's core, which does not work then. Not the worker that the owner is itself.
// And who has claimed the owner's core, and is about to start it: the owner comes later, but that one runs.
// `turns`: the sum of the turns of those that are in their pens, as each only grows. `stand`: how many stand instead,
// who go on standing; if there are as many, the sum is of the same cores.
bool Quiescing::look(const Scheduler& pool, uint32_t number, uint32_t& turns, uint32_t& stand) {
    const uint32_t self = Port::core_id();
    const Scheduler::Worker* const own = works_as(pool);
    for (uint32_t core = 0; core != Port::max_cores; ++core) {
        if (core == self && (core >= pool.cores_ || own != nullptr)) continue;
        if (core < pool.cores_) {
            const Scheduler::Worker& worker = pool.workers_[core];
            const uint32_t power = worker.power.load(acquire);  // [U3] if the core has come: that it is here
            const bool comes = power == detail::word(detail::Power::claimed) ||
                               (power == detail::word(detail::Power::starting) && core != self);
            const uint32_t stands = worker.stand.number();
            if (stands == number) {
                ++stand;
                // By a joiner in the name of this core, which may run other code, or be in its pen.
                if (core != 0 || !pool.roster_.is_finished_by_another(pool.cores_)) continue;
            } else if ((stands != 0 && &worker != own) || comes) {
                return false;
            }
        }
        if (core == self) continue;
        const uint32_t turn = Port::pen_turn(core);
        if (turn == 0) return false;
        turns += turn;
    }
    return true;
}

// Another pool's core may have had one started that was seen in its pen before, and have come to its own one since
// then. So all are looked at twice, and none was started in between: then there was a moment when nobody could.
bool Quiescing::all_stand(const Scheduler& pool, uint32_t number) {
    uint32_t before = 0;
    uint32_t after = 0;
    uint32_t stood = 0;
    uint32_t stand = 0;
    return look(pool, number, before, stood) && look(pool, number, after, stand) && before == after &&
           stood == stand;
}

// The end of a request.
void Quiescing::let_go(Scheduler& pool) {
    {
        const Scheduler::OnTop::GoesOn goes_on;  // or it would stand for its own request
        owner_.store(0, relaxed);                // relaxed: see is_owner()
        standstill_.end();
    }
    // Submits may have found that none could be started. By that step: a timer was started before, or finds the mark.
    const detail::IdleBits seen = pool.idle_.allow_start();
    Port::fence();  // [U3] the end before the look; pairs with forbids_starts(). [I1] as in notify()
    if (pool.work_visible() || pool.wants_a_watcher(seen)) {
        static_cast<void>(pool.wake(detail::Chances::from_outside));
    }
    pool.reach_the_pinned(pool);
#if WEFT_ELASTIC
    pool.wake_all(pool);  // one may wait for a successor
#endif
    static_cast<void>(pool.tell_of_sets(detail::Chances::from_outside));
    pool.tell_of_blocking(pool, detail::Chances::from_outside);
    pool.needs_another(pool);
}

Status Quiescing::quiesce(uint32_t ticks) {
    Scheduler& pool = static_cast<Scheduler&>(*this);
    pool.check_constructed();
    if (Scheduler::OnTop::is_no_task_context() || is_owner()) return Status::wrong_context;
    if (ticks >= 1u << 31) return Status::out_of_range;
    {
        // Or it would stand for its own request. Nor for one of another pool, before its own is granted: it could not
        // see its own deadline, and who asks there may be about to stand for this one.
        const Scheduler::OnTop::GoesOn goes_on;
        if (const uint32_t number = standstill_.ask()) return await_all(pool, number, ticks);
    }
    return await_another(pool);
}

// The owner.
Status Quiescing::await_all(Scheduler& pool, uint32_t number, uint32_t ticks) {
    const uint32_t self = Port::core_id();
    owner_.store(self + 1, relaxed);  // relaxed: see is_owner()
    WEFT_TRACE_EVENT(quiesce, reinterpret_cast<uintptr_t>(&pool), number);
    const uint32_t begin = Port::now();
    Port::fence();  // [U3] the request before the look at the cores
    for (uint32_t core = 0; core != pool.cores_; ++core) {
        if (core != self) Port::unpark(core);
    }
#if WEFT_PREEMPTION
    Scheduler::OnTop::interrupt_for_quiescing(pool);
#endif
    while (!all_stand(pool, number)) {  // ends: with the deadline
        if (Port::now() - begin >= ticks) {
            WEFT_TRACE_EVENT(resume, reinterpret_cast<uintptr_t>(&pool), 1);
            let_go(pool);
            return Status::timed_out;
        }
        static_cast<void>(pool.withdraw_overdue_starts());
        Port::relax();
    }
    return Status::ok;
}

Status Quiescing::resume() {
    if (Scheduler::OnTop::is_no_task_context() || !is_owner()) return Status::wrong_context;
    Scheduler& pool = static_cast<Scheduler&>(*this);
    WEFT_TRACE_EVENT(resume, reinterpret_cast<uintptr_t>(&pool), 0);
    let_go(pool);
    return Status::ok;
}

}  // namespace WEFT_ABI
}  // namespace weft

#endif  // WEFT_QUIESCE
