// SPDX-License-Identifier: MIT OR Apache-2.0
/// @file
/// Elasticity: cores that leave a pool and come back. A part of Scheduler.
#pragma once

#include <weft/detail/worker.hpp>
#include <weft/status.hpp>

namespace weft {
inline namespace WEFT_ABI {

class Scheduler;
class Waitable;

#if WEFT_ELASTIC

/// Cores come to a pool when there is work, see Scheduler::submit(). With WEFT_ELASTIC=1 they can also leave it before
/// its end: by hand, above a limit, or when they have slept for some time. A core that the pool has started goes back
/// to where it waits for a start, as after the pool's end: another pool may have it. One that called run() returns
/// from it, with Status::retired. The tasks in its queues stay where others find them: cores that have nothing else,
/// and, in turns, those that are busy.
///
///     pool.keep_alive(ticks);                 // who sleeps for that long leaves; it is started when needed
///     pool.limit_cores(2);                    // at most two at a time
///     pool.retire(3);                         // core 3 leaves when its task ends, and does not come back
///     pool.admit(3);                          // until now
///
/// So several pools may share a chip: each knows all cores, and has retired those that work for another one. A core
/// moves when it has left the one and is admitted to the other:
///
///     weft::Completion left{critical};        // of the pool that gets the core
///     ordinary.retire(2, left);
///     left.wait();                            // in a task of that pool, or from outside
///     critical.admit(2);
///
/// One core always stays: the last one that is here does not leave, whatever is asked for, until another has come. But
/// none comes by itself: who retires all cores but one that does not call run() has a pool that runs nothing.
///
/// Two tasks that each wait() for a core of the other's pool would wait for ever, if each is on the core that the other
/// one waits for. Let a Work follow instead, which admits the core. After the pool's end all of this returns what it
/// returns before, and nobody comes or leaves by it.
/// @lifetime A part of the pool.
class Elasticity {
public:
    /// The core leaves when its task ends, and is not started any more. What is pinned to it and queued already it runs
    /// first, and what is pinned to it meanwhile: a task that pins itself again keeps it. When it has left, submit_on()
    /// returns core_unavailable, and at once if it polls; but not while it is here by another run(). If it is the last
    /// one here, another one is started, and it leaves when that has come; one that is refused is tried again when this
    /// one has something to do. At a limit of one it stays until that is raised. Does not wait. A core that is off,
    /// absent or retired just stays so.
    /// @context Task context of any core, the core itself too; before it has ever come.
    /// @return ok. unknown_core. core_unavailable: all others are retired; nothing was changed. wrong_context: on top
    /// of a task; in checked builds also an interrupt handler.
    Status retire(uint32_t core);

    /// The same, and says when it is done: `follower` is submitted, to its own pool, when the core has left this one.
    /// Then another pool can start it, the follower's too, which does if it needs one; or run() returns, if the core
    /// called that. It is submitted at once if the core is not here: off, absent, one that polls. (What is pinned to
    /// one that polls waits for its next poll, or for admit().) A start that is under way is taken back, unless a task
    /// is pinned to that core: then it has its time to come. If the core is admitted again meanwhile, `follower` waits
    /// until it leaves all the same, at the latest with this pool's end: also at a limit of one, until that is raised.
    /// If the follower's pool has been shut down by then, it does not run, and its wait() returns closed.
    /// @context As retire().
    /// @return ok. busy: another follower waits for this core; it is retired all the same, and the follower is yours.
    /// All that retire() returns, and submit() of a task, closed too, if the follower's pool is; nothing was changed.
    /// @lifetime The follower, and its pool, until it has run and the call has returned; at the latest until this
    /// pool's join() has.
    Status retire(uint32_t core, Waitable& follower);

    /// The core may be started again. It is at once, or when the limit and a quiesce() allow it, if there is work or a
    /// timer that nobody else is free for, or something pinned to it; not if it is the calling core, or runs code of
    /// its own or another pool's. One that called run() comes back by another run(). That a core has submitted to this
    /// pool, waited, called or polled in it while it was retired, does not keep it from being started.
    /// @context As retire().
    /// @return ok, also if it was not retired; unknown_core; wrong_context as with retire().
    Status admit(uint32_t core);

    /// At most `most` cores work for the pool at a time. Cores that call run() count, and are let in always; those that
    /// poll or call do not count. A smaller limit than before: cores that were started leave when their tasks end. A
    /// core that was about to leave runs what is pinned to it just then, also if another one has come in its place.
    /// live_cores() may say more for a moment, as it counts those that are on their way in and out.
    /// @context As retire().
    /// @return ok. out_of_range: 0. wrong_context as with retire().
    Status limit_cores(uint32_t most);

#if WEFT_TIMERS
    /// A core that was started, and has slept for `ticks` of Port::now(), leaves. 0: it leaves instead of sleeping. It
    /// takes one alarm of its own, and nothing looks in between. The core that watches for the timers stays, and so
    /// does the last one: these two sleep, also with 0.
    /// @context As retire(). Cores that sleep already hear of it when they sleep the next time.
    /// @return ok. out_of_range: half a turn of the clock or more. wrong_context as with retire().
    Status keep_alive(uint32_t ticks);
    /// As at first: they sleep for as long as there is nothing to do.
    /// @context As retire().
    void keep_alive_for_ever() { keep_alive_.store(for_ever, relaxed); }  // relaxed: no data
#else
    /// Not in this build: the message says what to do.
    /// @context Does not compile.
    /// @return Nothing: it does not compile.
    template <bool timers = false>
    Status keep_alive(uint32_t) {
        static_assert(
            timers,
            "weft: keep_alive() needs an alarm: build the library and its users with -DWEFT_TIMERS=1");
        return Status::ok;
    }
#endif

private:
    friend class Scheduler;
    friend class Blocking;
    friend class Quiescing;
    constexpr Elasticity() = default;

    // crew_: how many cores are here to stay; those and how many are on their way by a start; and the most of these.
    static constexpr uint32_t one_here = 1;
    static constexpr uint32_t one_hired = 1u << 8;
    static constexpr uint32_t most_shift = 16;
    static constexpr uint32_t count_mask = 0xffu;
    static constexpr uint32_t for_ever = 1u << 31;  // keep_alive_
    static uint32_t here(uint32_t crew) { return crew & count_mask; }
    static uint32_t hired(uint32_t crew) { return crew >> 8 & count_mask; }
    // relaxed: a hint; or after a fence of the caller, or steps [T1], as that says.
    uint32_t count_here() const { return here(crew_.load(relaxed)); }
    static uint32_t most(uint32_t crew) { return crew >> most_shift; }

    bool is_retired(uint32_t core) const {
        return (retired_.load(relaxed) >> core & 1) != 0;  // relaxed: a hint; seen in the end
    }
    // After its visit. It is retired, and at most visits this pool, by a poll or a call: nobody runs what is pinned to
    // it.
    [[gnu::cold]] bool is_out(detail::Worker& worker) const;
    // Its power state, by a change of nothing: a load may show what is long past. Waits for who is leaving.
    [[gnu::cold]] static uint32_t newest(detail::Worker& worker);
    // The same, after the claim that another core may hold just now.
    [[gnu::cold]] static uint32_t unclaimed(detail::Worker& worker);
    // After a claim. False: the core may not be started.
    bool hires(uint32_t core);
    // After a hire that failed, without the claim: may it be tried again? Another core's start may have the last
    // place, and be refused: waits until that is known.
    [[gnu::cold]] bool may_hire(Scheduler& pool, uint32_t core) const;
    // Around the push of a pinned task, and before the look at the power state.
    static void visits(detail::Worker& worker) {
        worker.visits.fetch_add(1, relaxed);  // relaxed: ordered by the fence
        Port::fence();                        // [I1] the visitor before that look; pairs with departs()
    }
    static void end_visit(detail::Worker& worker) { worker.visits.fetch_sub(1, release); }  // [T2] the task
    // The calling core enters `power`. Returns what it was before: never `leaving`, which somebody else has made of it.
    [[gnu::cold]] static uint32_t enters_from(detail::Worker& worker, uint32_t power);
    // A start that came to nothing.
    void lays_off() { crew_.fetch_sub(one_hired, relaxed); }  // relaxed: no data
    // A core comes to stay: by a start, or by itself.
    void comes_to_stay(Scheduler& pool, const detail::Worker& worker) {
        counts(pool, worker.by_itself.get() != 0 ? one_here + one_hired : one_here);
    }
    // The calling core is one more that is here, and not on its way any more, or was not before.
    void counts(Scheduler& pool, uint32_t one);
    // It is asked to leave, and may do so.
    bool has_to_go(const detail::Worker& worker) const {
        const uint32_t crew = crew_.load(relaxed);  // relaxed: a hint; the step decides
        const bool above = hired(crew) > most(crew) && worker.by_itself.get() == 0;
        return (above || is_retired(worker.core)) && here(crew) > 1;
    }
    // It has to go, but is the last one here.
    bool lacks_a_successor(const detail::Worker& worker) const {
        return is_retired(worker.core) && count_here() == 1;  // a hint; the start decides
    }
    bool is_asked_to_go(const detail::Worker& worker) const {
        return has_to_go(worker) || lacks_a_successor(worker);
    }
    bool sign_off(const detail::Worker& worker, bool must);
    bool may_stay(const detail::Worker& worker) const;
    void lets_succeed(const Scheduler& pool, const detail::Worker& worker);
    bool all_block(const Scheduler& pool, uint32_t others) const;
    [[gnu::cold]] void after_blocking(Scheduler& pool);
    [[gnu::cold]] bool departs(Scheduler& pool, detail::Worker& worker);
    static bool steps_out(detail::Worker& worker, detail::Power to, bool vacated);
    static Waitable* take_follower(detail::Worker& worker, uintptr_t then);
    [[gnu::cold]] static Waitable* take_follower_of_who_is_out(detail::Worker& worker, bool claims);
    [[gnu::cold]] void note_own_coming(detail::Worker& worker);
#if WEFT_REST
    [[gnu::cold]] static void lets_rest(Scheduler& pool);
#else
    static void lets_rest(Scheduler&) {}
#endif
    bool leaves_later(Scheduler& pool, detail::Worker& worker);
    bool take_start_back(Scheduler& pool, detail::Worker& worker);
    // The calling core submits what follows on its leaving another pool, and can be started in this one. Until it has
    // tried itself (comes_back()) the mark that somebody is off stays, for others.
    static bool has_just_left(const Scheduler& pool);
    static void forgets_guest(Scheduler& pool, uint32_t core);
    static void forget_elsewhere(detail::Worker& worker);
    static void offer_once_unclaimed(Scheduler& pool, uint32_t core);
    [[gnu::cold]] static void reach_the_pinned(Scheduler& pool);
    // `taken`: by take_follower(); nullptr: nothing follows. `vacated`: if that is the calling core, it can be started.
    static void after_leaving(const detail::Worker& worker, Waitable* taken, bool vacated = false);
    [[gnu::cold]] static void comes_back(Scheduler& pool, uint32_t core);
#if WEFT_TIMERS
    bool succeeds(const Scheduler& pool, const detail::Worker& worker) const;
#endif
    // In its sleep, before each park(): it is to leave, or its keep-alive is over.
    bool ends_sleep(const Scheduler& pool, detail::Worker& worker);
    static void after_sleep(detail::Worker& worker);
    [[gnu::cold]] static void wake_all(Scheduler& pool);
    [[gnu::cold]] void offer_cores(Scheduler& pool);
    [[gnu::cold]] static void offer_place(Scheduler& pool);

    Atomic<uint32_t> crew_{count_mask << most_shift};
    Atomic<uint32_t> retired_{};  // bit k: core k
#if WEFT_TIMERS
    Atomic<uint32_t> keep_alive_{for_ever};
#endif
};

#else

/// Not in this build: the messages say what to do.
class Elasticity {
public:
    /// Not in this build: the message says what to do.
    /// @context Does not compile.
    /// @return Nothing: it does not compile.
    template <bool setting = false>
    Status retire(uint32_t) {
        return refuse<setting>();
    }
    /// Not in this build: the message says what to do.
    /// @context Does not compile.
    /// @return Nothing: it does not compile.
    template <bool setting = false>
    Status retire(uint32_t, Waitable&) {
        return refuse<setting>();
    }
    /// Not in this build: the message says what to do.
    /// @context Does not compile.
    /// @return Nothing: it does not compile.
    template <bool setting = false>
    Status admit(uint32_t) {
        return refuse<setting>();
    }
    /// Not in this build: the message says what to do.
    /// @context Does not compile.
    /// @return Nothing: it does not compile.
    template <bool setting = false>
    Status limit_cores(uint32_t) {
        return refuse<setting>();
    }
    /// Not in this build: the message says what to do.
    /// @context Does not compile.
    /// @return Nothing: it does not compile.
    template <bool setting = false>
    Status keep_alive(uint32_t) {
        return refuse<setting>();
    }

private:
    friend class Scheduler;
    friend class Blocking;
    friend class Quiescing;
    constexpr Elasticity() = default;
    template <bool setting>
    static Status refuse() {
        static_assert(
            setting,
            "weft: that cores leave a pool before its end is a setting: build the library and its users with "
            "-DWEFT_ELASTIC=1");
        return Status::ok;
    }
    static constexpr bool is_out(const detail::Worker&) { return false; }
    static constexpr bool has_just_left(const Scheduler&) { return false; }
    static constexpr uint32_t newest(const detail::Worker&) { return 0; }
    static uint32_t enters_from(detail::Worker& worker, uint32_t power) {
        // [T1] acquire: what start() posted; release: that it is idle, for who finds that it is not coming any more.
        return worker.power.exchange(power, acq_rel);
    }
    static constexpr bool hires(uint32_t) { return true; }
    static constexpr bool may_hire(const Scheduler&, uint32_t) { return true; }
    static void visits(const detail::Worker&) {}
    static void end_visit(const detail::Worker&) {}
    static void lays_off() {}
    static void comes_to_stay(Scheduler&, const detail::Worker&) {}
    static constexpr bool is_asked_to_go(const detail::Worker&) { return false; }
    static constexpr bool departs(Scheduler&, detail::Worker&) { return false; }
    static constexpr Waitable* take_follower_of_who_is_out(const detail::Worker&, bool) { return nullptr; }
    static constexpr void note_own_coming(const detail::Worker&) {}
    static void after_leaving(const detail::Worker&, const Waitable*) {}
    static constexpr uint32_t count_here() { return 0; }
    static constexpr bool ends_sleep(const Scheduler&, detail::Worker&) { return false; }
    static void after_sleep(detail::Worker&) {}
    static void after_blocking(Scheduler&) {}
    static void reach_the_pinned(Scheduler&) {}
};

#endif

}  // namespace WEFT_ABI
}  // namespace weft
