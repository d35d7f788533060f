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
// Claim 14, with a level that preempts: no core is waited for that stands on top of what others wait for. The owner
// waits for claims and for its own steps of the request: in these a core goes on, and interrupts itself after them.
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
bool Quiescing::all_stand(const Scheduler& pool, uint32_t number) {
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
            if (stands == number) continue;
            if ((stands != 0 && &worker != own) || comes) return false;
        }
        if (core != self && !Port::is_penned(core)) return false;
    }
    return true;
}

// The end of a request.
void Quiescing::let_go(Scheduler& pool) {
    {
        const Scheduler::OnTop::GoesOn goes_on(pool);  // or it would stand for its own request
        owner_.store(0, relaxed);                      // relaxed: see is_owner()
        standstill_.end();
    }
    // Submits may have found that none could be started. By that step: a timer was started before, or finds the mark.
    const detail::IdleBits seen = pool.idle_.allow_start();
    Port::fence();  // [U3] the end before the look; pairs with forbids_starts(). [I1] as in notify()
    if (pool.work_visible() || pool.wants_a_watcher(seen)) {
        static_cast<void>(pool.wake(detail::Chances::from_outside));
    }
    static_cast<void>(pool.tell_of_sets(detail::Chances::from_outside));
    pool.tell_of_blocking(pool, detail::Chances::from_outside);
    pool.needs_another(pool);
}

Status Quiescing::quiesce(uint32_t ticks) {
    Scheduler& pool = static_cast<Scheduler&>(*this);
    pool.check_constructed();
    if (Scheduler::OnTop::is_no_task_context() || is_owner()) return Status::wrong_context;
    if (ticks >= 1u << 31) return Status::out_of_range;
    const uint32_t self = Port::core_id();
    uint32_t number = 0;
    {
        const Scheduler::OnTop::GoesOn goes_on(pool);  // or it would stand for its own request
        number = standstill_.ask();
        if (number != 0) owner_.store(self + 1, relaxed);  // relaxed: see is_owner()
    }
    if (number == 0) return await_another(pool);
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
