// SPDX-License-Identifier: MIT OR Apache-2.0
// weft: OpenMP's teams: how cores come together for a region, meet at barriers, and part (docs/OPENMP.md 3, 4).
#include <weft/trace.hpp>

#include "layer.hpp"

namespace weft {
inline namespace WEFT_ABI {
namespace detail {
namespace openmp {

namespace {

bool is_no_task_context() { return (WEFT_CHECKS && Port::in_isr()) || Preemption::runs_here(); }
bool waits_nowhere() { return is_no_task_context() || ForkDeque::runs_beside_a_sleep(); }

}  // namespace

void Invitation::run(Task& self) {
    // [O4] Either the master sees this and queues it again, or this sees that the crew is open.
    static_cast<void>(static_cast<Invitation&>(self).queued_.exchange(0, acq_rel));
    layer.crew.join_in();
}

Status Crew::attach(Scheduler& pool, const Space& space) {
    if (waits_nowhere()) return Status::wrong_context;
    if (!take()) return Status::wrong_context;
    Status status = Status::wrong_context;
    if (cores_.load(relaxed) == 0) {  // relaxed: by [O2]
        space_ = space;
        for (uint32_t core = 0; core != space.cores; ++core) new (Place{&invitation(core)}) Invitation();
        team_.adopt(space);
        layer.counts.reset();
        // relaxed (all): the crew's word orders them for who takes it; for others they are hints
        pool_.store(&pool, relaxed);
        was_attached_.store(1, relaxed);
        cores_.store(pool.cores() < space.cores ? pool.cores() : space.cores, relaxed);
        status = Status::ok;
    }
    give_back();
    return status;
}

Status Crew::detach() {
    if (waits_nowhere()) return Status::wrong_context;
    if (!take()) return Status::wrong_context;
    const bool attached = cores_.load(relaxed) != 0;  // relaxed (both): by [O2]
    cores_.store(0, relaxed);
    give_back();
    return attached ? Status::ok : Status::wrong_context;
}

uint32_t Crew::limit() const {
    const uint32_t cores =
        cores_.load(relaxed);  // relaxed: set before the program's regions, by the program's order
    return cores == 0 ? 1 : cores;
}

void Crew::must_be_attached() const {
    if (!WEFT_CHECKS || was_attached_.load(relaxed) != 0) return;  // relaxed: as in limit()
    Port::panic(
        "weft: an OpenMP region, and no pool to run it; call weft::openmp::attach(pool, memory) before",
        Port::core_id(), nullptr);
}

// Returns for how many cores it is worth to wait.
uint32_t Crew::invite(Scheduler& pool, uint32_t self, uint32_t most) {
    const uint32_t cores = limit();
    uint32_t coming = 0;
    for (uint32_t i = 1; i <= cores && coming != most; ++i) {
        const uint32_t core = (self + i) % cores;
        if (core == self) continue;
        Invitation& one = invitation(core);
        if (!one.claim()) continue;  // busy since an earlier region, or missing
        const Status status = pool.submit_on(core, one);
        if (status == Status::ok) {
            ++coming;
            continue;
        }
        one.unclaim();
        if (status == Status::closed) break;
    }
    return coming;
}

// Returns how many have joined.
uint32_t Crew::gather(Scheduler& pool, uint32_t self, uint32_t most) {
    call_.store(open | most << most_at, release);  // [O3] the team as it was prepared
    const uint32_t coming = invite(pool, self, most);
    const uint64_t ticks = uint64_t(Port::ticks_per_ms()) * WEFT_START_DEADLINE_MS;
    const uint32_t deadline = ticks < 1u << 31 ? static_cast<uint32_t>(ticks) : (1u << 31) - 1;
    const uint32_t begin = Port::now();
    // relaxed: a number; who is in is decided by the next step
    while ((call_.load(relaxed) & joined) < coming && Port::now() - begin < deadline) Port::relax();
    return call_.fetch_and(~open, release) & joined;  // [O3]
}

bool Crew::run(Member* outer, Member& member, Function function, void* data, uint32_t threads,
               const Range* loop) {
    if (!take()) return false;
    const uint32_t cores = limit();
    Scheduler& pool = *pool_.load(relaxed);  // relaxed: by [O2]
    if (threads == 0 || threads > cores) threads = cores;
    uint32_t others = 0;
    if (threads > 1) {
        look_at_the_clock();
        team_.prepare(function, data, member, loop);
        others = gather(pool, member.core, threads - 1);
    }
    if (others != 0) {
        team_.inside.store(others, relaxed);  // relaxed: before the barrier's word, after which they leave
        team_.enter(member, 0, others + 1);
        Counts::add(layer.counts.teams);
        layer.here[member.core] = &member;
        function(data);
        team_.barrier(member);
        layer.here[member.core] = outer;
        while (team_.inside.load(acquire) != 0) Port::relax();  // [O9] their last touch of the team
        look_at_the_clock();
    }
    give_back();
    return others != 0;
}

// On a core that was invited.
void Crew::join_in() {
    uint32_t seen = call_.load(relaxed);  // relaxed: the exchange decides
    do {
        if ((seen & open) == 0 || (seen & joined) >= (seen >> most_at & joined)) return;
        // [O3] the team as it was prepared. relaxed on failure: only looked at again
    } while (!call_.compare_exchange(seen, seen + 1, acquire, relaxed));
    Member member;
    member.core = Port::core_id();
    member.outer = layer.here[member.core];
    const uint32_t number = (seen & joined) + 1;
    while (((seen = call_.load(acquire)) & open) != 0) Port::relax();  // [O3] how many they are
    team_.enter(member, number, (seen & joined) + 1);
    layer.here[member.core] = &member;
    WEFT_TRACE_EVENT(inner, reinterpret_cast<uintptr_t>(team_.function.get()), 0);
    team_.function.get()(team_.shared.get());
    team_.barrier(member);
    layer.here[member.core] = member.outer;
    team_.inside.fetch_sub(1, release);  // [O9] the last touch of the team
}

Member* member_or_none() {
    const uint32_t core = Port::core_id();
    return core < Port::max_cores ? layer.here[core] : nullptr;
}

Member& this_member() {
    if (WEFT_CHECKS && is_no_task_context()) {
        Port::panic(
            "weft: OpenMP in an interrupt handler, or on a level that preempts; submit a task that does it",
            Port::core_id(), nullptr);
    }
    const uint32_t core = Port::core_id();
    if (WEFT_CHECKS && core >= Port::max_cores) {
        Port::panic("weft: OpenMP on a core that the port does not count (WEFT_MAX_CORES)", core, nullptr);
    }
    if (layer.here[core] != nullptr) return *layer.here[core];
    layer.outside[core].core = core;
    return layer.outside[core];
}

void region(Function function, void* data, uint32_t threads, const Range* loop) {
    Member& around = this_member();
    layer.crew.must_be_attached();
    Member* const outer = layer.here[around.core];
    Member member;
    member.core = around.core;
    member.outer = outer;
    member.level = around.level + 1;
    member.active = around.active;
    if (threads == 0) threads = layer.settings.threads.load(relaxed);  // relaxed: a setting
    if (threads != 1 && around.active == 0 && layer.crew.run(outer, member, function, data, threads, loop))
        return;
    Counts::add(layer.counts.alone);
    if (loop != nullptr) {
        member.own.prepare(*loop);
        member.share = &member.own;
    }
    layer.here[around.core] = &member;
    function(data);
    layer.here[around.core] = outer;
}

// ---- The team

void Team::prepare(Function of_region, void* with, const Member& master, const Range* loop) {
    function.set(of_region);
    shared.set(with);
    level.set(master.level);
    master_ = master.core;
    begins_in_a_loop.set(loop != nullptr);
    // relaxed (all): the crew's word orders them [O3]
    for (uint32_t i = 0; i != shares; ++i) {
        share[i].turn.store(i << 2 | Share::is_free, relaxed);
        share[i].left.store(0, relaxed);
    }
    if (loop != nullptr) {
        share[0].prepare(*loop);
        share[0].turn.store(Share::is_ready, relaxed);
    }
    singles.store(0, relaxed);
    round_.store(0, relaxed);
}

void Team::enter(Member& member, uint32_t number, uint32_t size) {
    member.team = this;
    member.number = number;
    member.others = size - 1;
    member.level = level.get();
    member.active = 1;
    if (begins_in_a_loop.get() == 0) return;
    member.met_shares = 1;
    member.share = &share[0];
}

// After a fence.
void Team::tell(uint32_t cores) {
    for (uint32_t core = 0; cores >> core != 0; ++core) {
        if ((cores >> core & 1) == 0) continue;
        Port::unpark(core == Sleepers::foreign ? master_ : core);
        if (core == Sleepers::foreign) break;
    }
}

void Team::barrier(Member& member) {
    uint32_t seen = round_.fetch_add(1, acq_rel) + 1;  // [O5] what it did before, for the others
    const uint32_t round = seen & ~arrived;
    uint32_t patience = WEFT_STEAL_PATIENCE;
    const auto all_is_done = [&](uint32_t now) {
        return (now & arrived) == member.size() && tasks_.load(acquire) == 0;  // [O8] what the tasks did
    };
    while ((seen & ~arrived) == round) {  // ends: with the last member, and its last task
        if (run_any(member)) {
            patience = WEFT_STEAL_PATIENCE;
        } else if (all_is_done(seen)) {
            // [O5] what all did. relaxed on failure: it is loaded again
            if (round_.compare_exchange(seen, round + arrived + 1, acq_rel, relaxed)) {
                Port::fence();  // [O6] the round before the look for who sleeps
                return tell(at_barriers_.look());
            }
        } else if (patience != 0) {
            --patience;
            Port::relax();
        } else {
            // relaxed (all): after the fence
            at_barriers_.sleep(member.core, [&] {
                const uint32_t now = round_.load(relaxed);
                return (now & ~arrived) != round || ready_.load(relaxed) != 0 || all_is_done(now);
            });
        }
        seen = round_.load(acquire);  // [O5] what the others did
    }
}

// A new task: for one who can run any, or else for those who look for certain ones.
void Team::tell_of_task() {
    Port::fence();  // [O6] the task before the look for who sleeps
    const uint32_t able = at_barriers_.look();
    if (able == 0) return tell(elsewhere_.look());
    const uint32_t one = able & (0u - able);
    at_barriers_.forget(one);
    tell(one);
}

}  // namespace openmp
}  // namespace detail

namespace openmp {

Status attach(Scheduler& pool, const detail::openmp::Space& space) {
    return detail::openmp::layer.crew.attach(pool, space);
}
Status detach() { return detail::openmp::layer.crew.detach(); }

Figures figures() {
    const detail::openmp::Counts& counts = detail::openmp::layer.counts;
    // relaxed (all): statistics
    return {counts.teams.load(relaxed), counts.alone.load(relaxed), counts.deferred.load(relaxed),
            counts.without_room.load(relaxed), counts.largest.load(relaxed)};
}

}  // namespace openmp
}  // namespace WEFT_ABI
}  // namespace weft

extern "C" {
void GOMP_parallel(void (*function)(void*), void* data, unsigned threads, unsigned flags);
void GOMP_barrier(void);
}

void GOMP_parallel(void (*function)(void*), void* data, unsigned threads, unsigned) {
    weft::detail::openmp::region(function, data, threads, nullptr);
}

void GOMP_barrier(void) {
    weft::detail::openmp::Member& member = weft::detail::openmp::this_member();
    if (member.team != nullptr) member.team->barrier(member);
}
