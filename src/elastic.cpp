// SPDX-License-Identifier: MIT OR Apache-2.0
// weft: cores that leave a pool before its end. docs/ELASTIC.md leads up to this.
//
//     who leaves:   l0  it is not counted any more, unless it is the last one; the waking role is given up
//                   l1  power: leaving; `can_start` is set; fence [I1]
//                   l2  a look at the visitors, then at all queues
//                       something: power: stays. It goes on, and is counted again
//                   l3  it is in its pen again; what follows on its leaving is taken; power: off
//                   l4  that is submitted
//
// Claim 14: no task is left to a core that leaves, and a core that is off can be started.
//   1. A task that any core may run is visible before its submitter looks at the idle word: see the claims in idle.cpp.
//      If that look comes before l1, l2 sees the task. If it comes after, it sees `can_start`, or a core that is
//      parked, or that another core has cleared the mark since l1.
//   2. Who clears the mark tries all cores after that (start_one()), by steps of their power states. If it meets
//      `leaving` it waits for l3, and tries again. If it meets `stays`, l1 comes after, and so does the mark of l1.
//   3. So the submitter, or who cleared the mark, starts this core if no other one is to be had. It waits for it from
//      l1 to l3 only. In these steps a core waits for nobody, so two of them do not wait for each other. If it meets
//      `stays` because the core was allowed to stay just now, l2 looks at the queues, though the core had to go.
//   4. Who pins a task visits the core first: it is counted, then fences, then looks at the power state. Either l2 sees
//      the visitor, or the visitor meets `leaving`, waits for l3, and starts the core. With the last visit comes its
//      task [T2]. A core that is started for a visitor does not leave before that one has gone.
// Claim 15: the last one that is here does not leave: l0 is a step of the word that counts them.
// Claim 21: what follows on a core's leaving is submitted once, and not while the core is here.
//   1. Who retires it writes the follower into its word, from `none`, and then makes a step of its power state. If that
//      comes before l1, the exchange of l3 sees the word [T1]. If it comes after, it shows that the core is off: the
//      retirement was written before, so nobody starts it, and who retires it takes the word back itself.
//   2. Who takes the word back, or exchanges it, has it: one of the two.
//   3. At the pool's end there is no l3. The exchange leaves `ended`; who finds that submits the follower itself.
//   4. A core that was claimed is waited for. One that was started comes, or its start is withdrawn by who retires it.
//      If something is pinned to it, or it is admitted meanwhile, it is left to its deadline. Who withdraws it then
//      does l4. So does a core that comes by a poll or a call, and withdraws its own start. The word is taken while its
//      state is `leaving`.
#include <weft/config.hpp>

#if WEFT_ELASTIC

#include <weft/work.hpp>

#include "internal.hpp"

namespace weft {
inline namespace WEFT_ABI {

using detail::Power;
using detail::Worker;

// ---- What a pool is asked for

Status Elasticity::retire(uint32_t core) {
    Scheduler& pool = static_cast<Scheduler&>(*this);
    pool.check_constructed();
    if (Scheduler::OnTop::is_no_task_context()) return Status::wrong_context;
    if (core >= pool.cores_) return Status::unknown_core;
    const uint32_t all = (1u << pool.cores_) - 1;
    uint32_t seen = retired_.load(relaxed);  // relaxed (all): it protects no data
    do {
        if ((seen | 1u << core) == all) return Status::core_unavailable;
    } while (!retired_.compare_exchange(seen, seen | 1u << core, relaxed, relaxed));
    WEFT_TRACE_EVENT(retire, reinterpret_cast<uintptr_t>(&pool), core);
    pool.idle_.allow_start();  // the last one that is here starts another one, see departs()
    Port::fence();             // [I1] the request before the look; pairs with rest_until()
    if (pool.idle_.look().is_parked(core)) Port::unpark(core);
    return Status::ok;
}

Status Elasticity::retire(uint32_t core, Waitable& follower) {
    Scheduler& pool = static_cast<Scheduler&>(*this);
    Scheduler& its_pool = *follower.pool_;
    const Status accepted = its_pool.let_in(follower);
    if (accepted != Status::ok) return accepted;
    Status status = retire(core);
    if (status == Status::ok) {
        Worker& worker = pool.workers_[core];
        const uintptr_t word = reinterpret_cast<uintptr_t>(&follower);
        const bool waits = detail::step(worker.follower, Worker::none, word);
        // relaxed: no data; what the core has left there at its end stays there
        if (!waits && worker.follower.load(relaxed) != Worker::ended) {
            status = Status::busy;
        } else {
            if (waits && leaves_later(pool, worker)) return Status::ok;
            if (!waits || detail::step(worker.follower, word, Worker::none)) {
                offer_once_unclaimed(its_pool, core);
                static_cast<void>(its_pool.inject(follower, detail::Chances::from_outside));
            }
            return Status::ok;
        }
    }
    detail::link(&follower).unclaim();
    return status;
}

// It is here or comes, and its follower is submitted when it leaves, or is given up. False: it is off, since a step
// after the follower's word [T1].
bool Elasticity::leaves_later(Scheduler& pool, Worker& worker) {
    for (;;) {  // ends: a claim does, and a visit, after a few steps
        const uint32_t power = newest(worker);
        if (power == word(Power::stays)) return true;
        if (power == word(Power::starting)) {
            // Admitted since it was retired: it comes, and leaves later. relaxed: no data; a change by nothing sees the
            // newest word.
            if ((retired_.fetch_or(0, relaxed) >> worker.core & 1) == 0) return true;
            if (!take_start_back(pool, worker)) return true;
        } else if (power != word(Power::claimed)) {
            return false;
        }
        Port::relax();
    }
}

// Nobody needs a core that is to leave as soon as it comes, unless something is pinned to it. False: it comes for that,
// or was faster. True: look again.
bool Elasticity::take_start_back(Scheduler& pool, Worker& worker) {
    const Scheduler::OnTop::GoesOn goes_on;
    const detail::Claim claim(worker);
    if (!Scheduler::move(worker, Power::starting, Power::claimed)) return true;
    Port::fence();  // [I1] the claim before the look at the visitors; pairs with visits()
    // [T2] with the last visit, but for this claim's own, comes its task
    const bool visited = worker.visits.load(acquire) != 1;
    const bool pinned = worker.pinned.looks_nonempty();
    if (visited || pinned || !Port::cancel_start(worker.core, &pool)) {
        if (pool.keeps_coming(worker)) return visited;
    } else {
        Scheduler::move(worker, Power::claimed, Power::off);
        lays_off();
        pool.roster_.count_out();
    }
    offer_cores(pool);  // others may come for what it was started for
    return true;
}

// After a claim: one that was `elsewhere` is that again if its start is refused.
void Elasticity::forget_elsewhere(Worker& worker) {
    while (unclaimed(worker) == word(Power::elsewhere) &&
           !Scheduler::move(worker, Power::elsewhere, Power::off)) {
    }  // ends: each round, it has changed
}

// What a core that is retired did here as a task of another pool, or as a guest, does not keep it from being started.
// Not beside a claim of it (ELASTIC 4.4): who holds that one would take the next claim for its own.
void Elasticity::forgets_guest(Scheduler& pool, uint32_t core) {
    Worker& worker = pool.workers_[core];
    forget_elsewhere(worker);
    bool visited = true;
    // Another one may be at it, too: nothing is said of the core before that is over.
    while (visited && newest(worker) == word(Power::on)) {  // ends: a visit does
        if (!Scheduler::move(worker, Power::on, Power::leaving)) continue;
        Port::fence();  // [I1] that it leaves, before the look at the visitors; pairs with visits()
        visited = worker.visits.load(acquire) != 0;  // [T2] what became of the claim
        Scheduler::move(worker, Power::leaving, visited ? Power::on : Power::off);
        if (visited) Port::relax();
    }
}

Status Elasticity::admit(uint32_t core) {
    Scheduler& pool = static_cast<Scheduler&>(*this);
    pool.check_constructed();
    if (Scheduler::OnTop::is_no_task_context()) return Status::wrong_context;
    if (core >= pool.cores_) return Status::unknown_core;
    // As long as it is retired nobody pins a task to it as a guest. Once it is not, somebody might do so to what is
    // about to be forgotten here. relaxed (both): no data; a change by nothing sees the newest word
    if ((retired_.fetch_or(0, relaxed) >> core & 1) != 0) forgets_guest(pool, core);
    retired_.fetch_and(~(1u << core), relaxed);
    WEFT_TRACE_EVENT(admit, reinterpret_cast<uintptr_t>(&pool), core);
    offer_cores(pool);
    return Status::ok;
}

Status Elasticity::limit_cores(uint32_t most_) {
    Scheduler& pool = static_cast<Scheduler&>(*this);
    pool.check_constructed();
    if (Scheduler::OnTop::is_no_task_context()) return Status::wrong_context;
    if (most_ == 0) return Status::out_of_range;
    if (most_ > count_mask) most_ = count_mask;
    const uint32_t before = detail::change(crew_, count_mask << most_shift, most_ << most_shift);
    WEFT_TRACE_EVENT(limit, reinterpret_cast<uintptr_t>(&pool), most_);
    if (most_ > most(before)) {
        offer_cores(pool);
    } else {
        wake_all(pool);
    }
    return Status::ok;
}

#if WEFT_TIMERS
Status Elasticity::keep_alive(uint32_t ticks) {
    if (Scheduler::OnTop::is_no_task_context()) return Status::wrong_context;
    if (ticks >= for_ever) return Status::out_of_range;
    keep_alive_.store(ticks, relaxed);  // relaxed: no data
    return Status::ok;
}
#endif

// Those that sleep look whether they are to leave.
void Elasticity::wake_all(Scheduler& pool) {
    Port::fence();  // [I1] as in retire()
    pool.unpark_each(pool.idle_.look().parked());
}

// Cores may be started that could not be before.
void Elasticity::offer_cores(Scheduler& pool) {
    offer_place(pool);
    wake_all(pool);  // one may wait for a successor, or be one
}

void Elasticity::offer_place(Scheduler& pool) {
    const detail::IdleBits seen = pool.idle_.allow_start();
    Port::fence();  // [I1] the mark, and the place of who leaves, before the look
    // By that step: a timer was started before it, or finds the mark.
    if (pool.work_visible() || pool.wants_a_watcher(seen)) {
        static_cast<void>(pool.wake(detail::Chances::from_outside));
    }
    reach_the_pinned(pool);
    pool.tell_of_blocking(pool, detail::Chances::from_outside);
    pool.needs_another(pool);
}

// Pinned to it while it polled, before it was retired: nobody else takes that.
void Elasticity::reach_the_pinned(Scheduler& pool) {
    if (pool.idle_.look().is_closing()) return;
    for (uint32_t core = 0; core != pool.cores_; ++core) {
        Worker& worker = pool.workers_[core];
        if (core == Port::core_id() || pool.is_retired(core) || !worker.pinned.looks_nonempty()) continue;
        static_cast<void>(pool.reach(worker));
    }
}

// ---- Who comes

bool Elasticity::is_out(Worker& worker) const {
    if (!is_retired(worker.core)) return false;
    // One that stays, or comes, runs what is pinned to it first. Who is claimed may do neither (ELASTIC 4.4).
    const uint32_t power = unclaimed(worker);
    return power < word(Power::leaving) || power == word(Power::on);
}

uint32_t Elasticity::newest(Worker& worker) {
    for (;;) {  // ends: who leaves waits for nobody
        const uint32_t power = detail::change(worker.power, 0, 0);
        if (!detail::is_leaving(power)) return power;
        Port::relax();
    }
}

// Who admits a guest makes it `leaving`, for a few steps, and then `off` (forgets_guest). It must not come over that:
// it may leave by itself meanwhile, and its own `leaving` would be taken for that one.
uint32_t Elasticity::enters_from(Worker& worker, uint32_t to) {
    for (;;) {  // ends: each round, another core has claimed this one, or forgotten it
        uint32_t power = newest(worker);
        // [T1] as an exchange: elastic.hpp. relaxed on failure: nothing is done then.
        if (worker.power.compare_exchange(power, to, acq_rel, relaxed)) return power;
    }
}

uint32_t Elasticity::unclaimed(Worker& worker) {
    uint32_t power;
    while ((power = newest(worker)) == word(Power::claimed)) Port::relax();  // ends: a claim does
    return power;
}

bool Elasticity::hires(uint32_t core) {
    if (is_retired(core)) return false;
    uint32_t seen = crew_.load(relaxed);  // relaxed (all): it protects no data
    do {
        if (hired(seen) >= most(seen)) return false;
    } while (!crew_.compare_exchange(seen, seen + one_hired, relaxed, relaxed));
    return true;
}

bool Elasticity::may_hire(Scheduler& pool, uint32_t core) const {
    for (bool comes = false;;) {                    // ends: each round, another core's claim has ended
        const uint32_t crew = crew_.load(relaxed);  // relaxed: after a step of each power state [T1]
        if (is_retired(core)) return false;
        if (hired(crew) < most(crew)) return true;
        // Who is on its way may stand before it is counted as here. The owner of that request tells others at its end.
        if (comes || hired(crew) == here(crew) || pool.forbids_starts()) return false;
        for (uint32_t other = 0; other != pool.cores_; ++other) {
            const uint32_t power = unclaimed(pool.workers_[other]);
            comes = comes || power == word(Power::starting);
        }
        Port::relax();
    }
}

void Elasticity::counts(Scheduler& pool, uint32_t one) {
    const uint32_t crew = crew_.fetch_add(one, relaxed) + one;  // relaxed: ordered by the fence
    // [I1] the step before the look at who is asked, or sleeps; pairs with retire(), rest_until()
    Port::fence();
    // One that is asked to leave, or whose sleep has no end, was the last one here, or was to be its successor, and may
    // go now. relaxed (both): after that fence; no data
    bool may_go = retired_.load(relaxed) != 0;
#if WEFT_TIMERS
    may_go = may_go || (here(crew) == 2 && keep_alive_.load(relaxed) != for_ever);
#endif
    if (may_go || hired(crew) > most(crew)) wake_all(pool);
}

// ---- Who leaves

// l0. False: it is the last one here, or is not above the limit any more.
bool Elasticity::sign_off(const Worker& worker, bool must) {
    uint32_t seen = crew_.load(relaxed);  // relaxed (all): it protects no data
    do {
        if (here(seen) < 2) return false;
        if (must && !is_retired(worker.core) && hired(seen) <= most(seen)) return false;
    } while (!crew_.compare_exchange(seen, seen - (one_here + one_hired), relaxed, relaxed));
    return true;
}

// A worker between two tasks, or that has slept. True: its loop ends.
bool Elasticity::departs(Scheduler& pool, Worker& worker) {
    const bool has_napped = worker.nap.get() == Worker::over;
    worker.nap.set(0);
    for (;;) {  // ends: it has to go in the second round, and visits are short
        const bool must = has_to_go(worker);
        if (!must && lacks_a_successor(worker)) {
            pool.retry_starts();
            if (pool.idle_.look().may_start()) {
                pool.start_one();
                return false;  // it leaves when that one has come, which wakes it
            }
        }
        // Before l0: whoever waits for a place does not see it come and go meanwhile. relaxed: l2 looks again
        while (must && worker.visits.load(relaxed) != 0) Port::relax();  // ends: a visit does
        if ((!must && !has_napped) || pool.idle_.look().is_closing() || worker.pinned.looks_nonempty() ||
            !sign_off(worker, must)) {
            return false;
        }
        // What is left is for others. So is its place, if it has to go: another one may have been refused at the limit.
        // Not after l1: it may start a core.
        const bool some = pool.leaves_something(worker);
        if (some) static_cast<void>(pool.wake(detail::Chances::from_task));
        pool.tell_before_a_task(worker);
        if (must) {
            offer_place(pool);
        } else {
            Port::fence();  // [I1] its place, before the look at what is pinned; pairs with offer_place()
            reach_the_pinned(pool);
        }
        if (must || !some) {
            Scheduler::move(worker, Power::stays, Power::leaving);
            const detail::IdleBits seen = pool.idle_.allow_start();
            Port::fence();  // [I1] the mark, and that it leaves, before the look at the queues
            // [T2] with the last visit comes its task
            const bool pinned = worker.visits.load(acquire) != 0 || worker.pinned.looks_nonempty();
            // It may have been admitted since l0, or the limit raised: who did so has met a core that stays.
            const bool goes = must && !may_stay(worker);
            const bool some_now = pool.work_visible() || pool.wants_a_watcher(seen) || pool.may_begin();
            if (!pinned && (goes || !(some_now || all_block(pool, 0)))) {
                lets_succeed(pool, worker);
                return true;
            }
            Scheduler::move(worker, Power::leaving, Power::stays);
            Port::relax();  // for a visitor, if it comes here again at once
        }
        counts(pool, one_here + one_hired);
        // Another core may have taken its place. What was pinned to it meanwhile it runs all the same.
        if (!has_to_go(worker)) return false;
    }
}

// After l0, when it is not counted any more.
bool Elasticity::may_stay(const Worker& worker) const {
    const uint32_t crew = crew_.load(relaxed);  // relaxed: after a fence
    return !is_retired(worker.core) && hired(crew) < most(crew);
}

// After l1 and its fence. The last one here may be retired, and have looked for a successor between l0 and l1: it
// found that this core stays, took the mark away, and sleeps. It looks again, and waits for l3.
void Elasticity::lets_succeed(const Scheduler& pool, const Worker& worker) {
    // relaxed (both): after that fence; whoever makes another one the last one later looks here, too
    const bool asked = (retired_.load(relaxed) & ~(1u << worker.core)) != 0;
    if (asked && count_here() == 1) pool.unpark_each(pool.idle_.look().parked());
}

// All who are here run blocking tasks, but for `others` of them: one stays for what a handler submits.
bool Elasticity::all_block(const Scheduler& pool, uint32_t others) const {
    return pool.blocks_all_of(count_here() - others);  // after a fence, or a hint
}

// l3. Whoever retires it after l1 waits until it is off, and whoever did before has left the follower here, or none.
// It is taken before the core is off: after that it may be started again, and the follower be its next leaving's.
// False: it does not leave, as the pool has ended.
bool Elasticity::steps_out(Worker& worker, Power to, bool vacated) {
    const bool has_gone = detail::is_leaving(worker.power.load(relaxed));  // relaxed: its own
    Waitable* const follower = take_follower(worker, has_gone ? Worker::none : Worker::ended);
    if (has_gone) static_cast<void>(Scheduler::move(worker, Power::leaving, to));
    after_leaving(worker, follower, vacated);
    return has_gone;
}

Waitable* Elasticity::take_follower(Worker& worker, uintptr_t then) {
    const uintptr_t before = worker.follower.exchange(then, acquire);  // [T3] the follower
    return before <= Worker::ended ? nullptr : reinterpret_cast<Waitable*>(before);
}

// A start is withdrawn. Who has come by itself, and stays, takes the follower when it leaves. So does who is started
// again, or withdraws that start. Who polls or calls is not here: it may be gone for good. It is `leaving` meanwhile:
// so it does not come, and is retired, between the look and the exchange. `claims`: the caller has claimed it.
Waitable* Elasticity::take_follower_of_who_is_out(Worker& worker, bool claims) {
    for (;;) {  // ends: each round, the core has changed
        const uint32_t power = claims ? newest(worker) : unclaimed(worker);
        if (power == word(Power::stays) || power == word(Power::starting)) return nullptr;
        if (!detail::step(worker.power, power, word(Power::leaving))) continue;
        Waitable* const taken = take_follower(worker, Worker::none);
        detail::step(worker.power, word(Power::leaving), power);
        return taken;
    }
}

// A core whose start is withdrawn for that; before it is counted out.
void Elasticity::note_own_coming(Worker& worker) {
    lays_off();
    after_leaving(worker, take_follower_of_who_is_out(worker, false));
}

// Before what follows on its leaving is submitted to this pool. A start of it that was claimed before it vacated is
// refused, and who tried that has taken the mark away: so that is waited for, and the mark is there again.
void Elasticity::offer_once_unclaimed(Scheduler& pool, uint32_t core) {
    if (core < pool.cores_) static_cast<void>(unclaimed(pool.workers_[core]));
    pool.idle_.allow_start();
}

// l4.
void Elasticity::after_leaving(const Worker& worker, Waitable* taken, bool vacated) {
    if (taken == nullptr) return;
    Waitable& follower = *taken;
    Scheduler& pool = *follower.pool_;
    const uint32_t core = Port::core_id();
    // Before anybody can admit it for that: it must find itself to be off in has_just_left().
    if (core == worker.core && core < pool.cores_) {
        if (vacated) forget_elsewhere(pool.workers_[core]);  // it can be started from now on
        if (pool.is_retired(core)) forgets_guest(pool, core);
    }
    // Whoever has seen the follower run may join that pool: the join waits for this core.
    const bool counted = pool.roster_.count_in();
    offer_once_unclaimed(pool, worker.core);
    // Not from outside: that core is where any pool can start it, as its follower's submit may do.
    static_cast<void>(pool.inject(follower, detail::Chances::from_task));
    if (core == worker.core && vacated) comes_back(pool, core);
    if (counted) pool.roster_.count_out();
}

// The follower's pool may have nobody whom it can start but the core that has just left: it finds its start when the
// entry that it has vacated returns.
void Elasticity::comes_back(Scheduler& pool, uint32_t core) {
    const detail::IdleBits seen = pool.idle_.look();  // after the fence [I1] of notify()
    if (core >= pool.cores_ || seen.parked() != 0 || !worth_waking(seen, detail::Chances::from_task)) return;
    if (!pool.tasks_visible()) return;
    // Who has withdrawn a start begins another one, as in start_one(); but this core may be none that can come.
    const Scheduler::Found found = pool.withdraw_overdue_starts();
    const bool withdrawn = (found & Scheduler::withdrawn) != 0;
    if (!withdrawn && (found & Scheduler::coming) != 0) return;
    if (!pool.start(core, Power::off) && withdrawn) pool.start_one();
}

#if WEFT_REST
// After its last turn: the others may all sleep, and have seen it awake. One of them looks again (rest.cpp, claim 9).
void Elasticity::lets_rest(Scheduler& pool) {
    if (!pool.rest_.has_function()) return;
    const uint32_t parked = pool.idle_.ends_rest().parked();
    pool.unpark_each(parked & (0 - parked));
}
#endif

bool Elasticity::has_just_left(const Scheduler& pool) {
    const uint32_t core = Port::core_id();
    // Who works for another pool can be started here when that has ended, not now.
    if (core >= pool.cores_ || detail::ForkDeque::works_for_a_pool()) return false;
    // Claimed: by who may have to give it back, as one that is off. By a step: a load may show a claim that is over.
    const uint32_t power = newest(pool.workers_[core]);
    return power == word(Power::off) || power == word(Power::claimed);
}

#if WEFT_TIMERS
// Without this core one that is asked to leave would be the last one: it would start this one again, and so on. Between
// being counted and saying that it stays another core does neither for long, and is waited for (ELASTIC 1.2).
bool Elasticity::succeeds(const Scheduler& pool, const Worker& worker) const {
    if ((retired_.load(relaxed) & ~(1u << worker.core)) == 0) return false;  // relaxed: a hint
    for (;;) {  // ends: who comes or leaves waits for nobody
        uint32_t staying = 0;
        bool asked = false;
        for (uint32_t core = 0; core != pool.cores_; ++core) {
            if (core == worker.core || newest(pool.workers_[core]) != word(Power::stays)) continue;
            ++staying;
            asked = asked || is_retired(core);
        }
        const uint32_t others = count_here() - 1;  // relaxed: after a step of each power state [T1]
        if (others > 1 || pool.idle_.look().is_closing()) return false;
        if (staying == others) return asked;
        Port::relax();
    }
}
#endif

// Before each park() of a worker that sleeps because there is nothing to do.
bool Elasticity::ends_sleep(const Scheduler& pool, Worker& worker) {
    if (has_to_go(worker)) return true;
    // Nobody is on the way for it. Who is refused leaves no mark: so it does not try without end.
    const bool alone = lacks_a_successor(worker) && hired(crew_.load(relaxed)) == 1;  // relaxed: a hint
    if (alone && pool.idle_.look().may_start()) return true;
#if WEFT_TIMERS
    // Each time that it is woken: it may have been the last one here.
    if (worker.nap.get() != Worker::limited) {
        const uint32_t ticks = keep_alive_.load(relaxed);  // relaxed (both): no data
        const bool limits = ticks != for_ever && worker.by_itself.get() == 0 && count_here() > 1;
        worker.nap.set(limits ? Worker::limited : Worker::unlimited);
        worker.nap_end.set(Port::now() + ticks);
    }
    if (worker.nap.get() != Worker::limited || pool.timers_.is_watched_by(worker.core)) return false;
    // If nobody watches for the timers, it does: else it would come back from the door, and so on.
    const bool over = detail::has_come(worker.nap_end.get(), Port::now());
    if (over && (succeeds(pool, worker) || all_block(pool, 1))) {
        after_sleep(worker);
        worker.nap.set(Worker::unlimited);
        return false;
    }
    if (over && !pool.wants_a_watcher(pool.idle_.look())) {
        worker.nap.set(Worker::over);
        return true;
    }
    Port::set_alarm(worker.nap_end.get());
#else
    static_cast<void>(pool);
#endif
    return false;
}

// Who has slept on for who ran a blocking task looks again: from then on its sleep has an end.
void Elasticity::after_blocking(Scheduler& pool) {
#if WEFT_TIMERS
    if (keep_alive_.load(relaxed) != for_ever) wake_all(pool);  // relaxed: no data
#else
    static_cast<void>(pool);
#endif
}

void Elasticity::after_sleep(Worker& worker) {
#if WEFT_TIMERS
    if (worker.nap.get() == Worker::limited) Port::clear_alarm();
#endif
    if (worker.nap.get() != Worker::over) worker.nap.set(0);
}

}  // namespace WEFT_ABI
}  // namespace weft

#endif  // WEFT_ELASTIC
