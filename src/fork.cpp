// SPDX-License-Identifier: MIT OR Apache-2.0
// weft: fork-join off the common path: offering a frame, taking one, waiting for one (see detail/fork.hpp for the
// deque).
//
// A join whose child was stolen helps meanwhile, but only with frames that are deeper than the child. So a stack never
// holds two pieces of the same depth: it is bounded by the sum, over the depths, of the largest piece at each (not by
// the serial program's deepest path: the pieces may belong to different branches), however often cores steal from each
// other. What counts as a level: docs/FORK_JOIN.md, "Waiting". No wait is in vain: the deepest frames are run by cores
// that wait for nobody.
#include "internal.hpp"

#if WEFT_FORK_DEPTH

namespace weft {
inline namespace WEFT_ABI {

// After a fence [I1] after an offer: nobody sleeps, or somebody is on the way who will look for more.
inline bool Scheduler::nobody_is_to_be_told() const {
    const IdleBits seen = idle_.look();
    // Most often a core is waking: that comes first.
    const bool none = is_looked_after(seen) || !has_chance(seen, Chances::from_task);
    return none && waiters_.load(relaxed) == 0;  // relaxed: ordered by that fence; no data
}

namespace detail {

// ---- The owner

ForkDeque* ForkDeque::enter(Scheduler& pool) {
    begin(pool);
    pool_.set(&pool);
    core_.set(Port::core_id());
    return enter_again();
}

ForkDeque* ForkDeque::enter_again() {
    ForkDeque*& at = here[Port::core_id()];
    ForkDeque* const before = at;
    at = this;
    return before;
}

void ForkDeque::leave(ForkDeque* before) { here[Port::core_id()] = before; }

// Adds a frame, the oldest private one. `seen`: the offer, and afterwards the new one. False: it is too deep.
inline bool ForkDeque::offer_one(Offer::Word& seen, Slot* slot, Frame* held) {
    const bool deeper = !has(held, beside);
    bottom_.store(slot + 1, relaxed);  // relaxed: as top_
    for (;;) {                         // ends: thieves only take
        const Offer before(seen);
        Offer next(0);
        if (before.empty()) {
            const uint32_t level = depth(slot);
            if (level >= Offer::deepest) break;
            next = Offer(number(slot), level);
        } else {
            if (before.is_too_deep()) break;
            next = before.with_another(deeper);
        }
        // [F1] slot, frame and all that its owner did, before the thief runs it. relaxed on failure: only compared
        // again.
        if (offer_.compare_exchange(seen, next.word(), release, relaxed)) {
            seen = next.word();
            return true;
        }
    }
    bottom_.store(slot, relaxed);  // relaxed: as top_
    return false;
}

// Offers what is owed, oldest first. If nothing is, it counts again who would take something. But a single frame, while
// none is on offer, is offered in any case.
inline bool ForkDeque::offer_oldest() {
    Slot* bottom = bottom_.own();
    Slot* const top = top_.own();
    if (bottom >= top) return false;
    const uint32_t frames = static_cast<uint32_t>(top - bottom);
    Offer::Word seen = offer_.load(relaxed);  // relaxed: a guess; the exchange decides
    uint32_t owed = owed_.own();
    if (owed == 0) owed = seen == 0 && frames == 1 ? 1 : lacking(pool()->idle_cores());
    if (owed == 0) return false;
    // They will be served, it seems. Before the offers: who takes one and asks again shall not be overwritten. relaxed:
    // and so before the fence of announce_offer(), which comes before its look for who sleeps. A request that
    // this overwrites was made by somebody who is seen there, or who sees the offer.
    if (frames >= owed) limit_.store(slots_ + WEFT_FORK_DEPTH, relaxed);
    Slot* const before = bottom;
    while (bottom != top && owed != 0 && Offer(seen).count() != Offer::most &&
           offer_one(seen, bottom, bottom->load(relaxed))) {  // relaxed: the mark is the owner's own
        ++bottom;
        --owed;
    }
    owed_.store(owed, relaxed);   // relaxed: as bottom_
    if (bottom == before) ask();  // too deep: for a less deep one
    return bottom != before;
}

bool ForkDeque::offer() {
    // Handlers that interrupt this one return before it goes on: between look and store nothing can come.
    if (!hungry() || busy_.own() != 0) return false;
    busy_.store(1, relaxed);  // relaxed (both): for this core's handlers, see order()
    order();
    const bool offered = offer_oldest();
    order();
    busy_.store(0, relaxed);
    return offered;
}

// A long callable may begin after this: what thieves have taken must not count. A load may see it for a while yet; a
// change of the word, by nothing, is made to the newest one. 0 is never old: only this core makes it anything else.
uint32_t ForkDeque::lacking(uint32_t cores) {
    // One is there before somebody wants it.
    const uint32_t wanted = cores == 0 ? 1 : cores > Offer::most ? Offer::most : cores;
    // relaxed (all): a number; no frame is touched because of it
    uint32_t offered = Offer(offer_.load(relaxed)).count();
    if (offered >= wanted) offered = Offer(offer_.fetch_or(0, relaxed)).count();
    return offered < wanted ? wanted - offered : 0;
}

bool ForkDeque::is_lacking() { return lacking(pool()->idle_cores()) != 0; }

void ForkDeque::owe(uint32_t cores) {
    if (cores == 0) return;
    const uint32_t frames = lacking(cores);
    if (frames == 0) return;
    owed_.store(frames, relaxed);  // relaxed: as bottom_
    ask();
}

ForkDeque::Slot* ForkDeque::push_slowly(Frame* frame) {
    Slot* const top = top_.own();
    Offer::Word seen = offer_.load(relaxed);  // relaxed: a guess; the exchange decides
    uint32_t owed = owed_.own();
    if (owed == 0 && seen == 0) owed = 1;  // as in offer_oldest()
    // Is the frame owed, and are all those before it on offer or taken? Then it goes there at once. So most children go
    // that are forked one by one while cores sleep.
    if (owed == 0 || bottom_.own() != top || top == slots_ + WEFT_FORK_DEPTH ||
        Offer(seen).count() == Offer::most) {
        return push_and_offer(frame);
    }
    if (owed == 1) limit_.store(slots_ + WEFT_FORK_DEPTH, relaxed);  // relaxed: as in offer_oldest()
    top->store(frame, relaxed);                                      // relaxed: for thieves [F1] orders it
    if (!offer_one(seen, top, frame)) {
        ask();  // too deep: for a less deep one
        return push_and_offer(frame);
    }
    order();                       // for handlers the frame is never a private one
    top_.store(top + 1, relaxed);  // relaxed (both): as in place()
    owed_.store(owed - 1, relaxed);
    Port::fence();  // [I1] the offer before the look for who sleeps
    return owed != 1 && pool()->nobody_is_to_be_told() ? top : tell(top);
}

ForkDeque::Slot* ForkDeque::tell(Slot* slot) {
    pool()->announce_offer(*this, Chances::from_task);
    return slot;
}

// The same, whatever is owed. nullptr: no frame, but what is private goes on offer.
ForkDeque::Slot* ForkDeque::push_and_offer(Frame* frame) {
    const bool full = top_.own() == slots_ + WEFT_FORK_DEPTH;
    const bool room = frame != nullptr && (!full || (hungry() && renew(*frame_of(frame))));
    Slot* const top = top_.own();
    if (room) place(top, frame);
    if (offer()) {
        pool()->announce_offer(*this, Chances::from_task);
    } else if (hungry()) {
        pool()->wake_another();
    }
    if (room) return top;
    if (frame != nullptr && !has(frame, beside)) skipped_.set(skipped_.get() + 1);
    return nullptr;
}

// The deque is full: if thieves have begun all its frames, they need the slots no more, and it is renewed. What the
// slots held is kept by the frames, each of which remembers the one before. `frame` will be the first one, and on offer
// at once: so its join takes the slow way, and puts everything back. False: nothing was changed.
bool ForkDeque::renew(Frame& frame) {
    Slot* const end = slots_ + WEFT_FORK_DEPTH;
    for (Slot* slot = end; slot != slots_;) {
        // [F3] the thief has looked at the slot, and nothing is on offer: this frame can be at once
        if (!has((--slot)->load(acquire), begun)) return false;
    }
    const uint32_t base = depth(end - 1) + 1 + skipped_.get();
    if (base >= Offer::deepest) return false;  // it could not be offered
    Frame* held = slots_->load(relaxed);       // relaxed (all): nobody else touches these slots now
    for (Slot* slot = slots_ + 1; slot != end; ++slot) {
        Frame* const next = slot->load(relaxed);
        frame_of(next)->older.set(held);
        held = next;
    }
    frame.older.set(held);
    frame.skipped.set(skipped_.get());
    skipped_.set(0);
    renewals_.set(renewals_.get() + 1);
    base_.store(base, relaxed);  // relaxed (all): as top_. For handlers there is no private frame meanwhile.
    top_.store(slots_, relaxed);
    order();
    bottom_.store(slots_, relaxed);
    return true;
}

// `frame`, the first one since the deque was renewed, has been joined: the frames that were there before come next.
void ForkDeque::restore(Frame& frame) {
    Slot* const end = slots_ + WEFT_FORK_DEPTH;
    Frame* held = frame.older.get();
    Slot* slot = end - 1;
    slot->store(held, relaxed);  // relaxed (all): as in renew()
    while (slot != slots_) {
        held = frame_of(held)->older.get();
        (--slot)->store(held, relaxed);
    }
    renewals_.set(renewals_.get() - 1);
    skipped_.set(frame.skipped.get());
    base_.store(base_.own() - levels_below(end) - frame.skipped.get(), relaxed);
    bottom_.store(end, relaxed);
    order();
    top_.store(end, relaxed);
}

// How many levels of the fork tree stand in the slots before this one: siblings are one.
uint32_t ForkDeque::levels_below(const Slot* slot) const {
    uint32_t levels = 0;
    for (const Slot* one = slots_; one != slot; ++one) {
        // relaxed: the mark is the owner's own; a thief that stores to the slot leaves it as it is.
        if (!has(one->load(relaxed), beside)) ++levels;
    }
    return levels;
}

bool ForkDeque::join(Slot* slot) {
    return join(slot, *frame_of(slot->load(relaxed)));  // relaxed: a thief changes the mark only
}

bool ForkDeque::join_slowly(Slot* slot, Frame& frame) {
    // Thieves take the oldest first: as long as anything is on offer, this frame, the newest, is. relaxed: 0 is never
    // old, and what the frame stands for is the caller's own.
    const bool taken = offer_.load(relaxed) == 0 || !take_back();
    if (taken) {
        // Where parts are equal, thieves end at about the same time. relaxed: read again below
        if (frame.function.load(relaxed) != nullptr) Port::relax();
        // [F2] all that the thief did, if it is done already
        if (frame.function.load(acquire) != nullptr) wait(slot, frame);
    }
    if (renewals_.get() != 0 && slot == slots_) restore(frame);
    return !taken;
}

// The newest frame on offer. False: there is none.
bool ForkDeque::take_back() {
    Offer::Word seen = offer_.load(relaxed);  // relaxed: a guess; the exchange decides
    Offer left(0);
    do {
        if (seen == 0) return false;
        left = Offer(seen).without_newest();
        // relaxed: what the frame stands for is the caller's own. Ends: thieves only take.
    } while (!offer_.compare_exchange(seen, left.word(), relaxed, relaxed));
    // The offer that was to serve one of them is gone.
    if (!hungry() && left.count() < pool()->idle_cores()) ask();
    return true;
}

// A thief has the frame.
void ForkDeque::wait(Slot* slot, Frame& frame) {
    const uint32_t deeper = depth(slot) + 1;
    // What is forked meanwhile goes behind the slot: the thief may have yet to look at it.
    // The order keeps handlers from taking the frame for a private one.
    bottom_.store(slot + 1, relaxed);  // relaxed (all): as in place()
    order();
    top_.store(slot + 1, relaxed);
    Worker& worker = pool()->workers_[core_.get()];
    WEFT_TRACE_BY(&worker, join_begin, 0, number(slot));
    Counters& counters = worker.counters;
    bool slept = false;
    uint32_t rounds = 0;
    // [F2] all that the thief did. Ends: the thief finishes the frame, as it never waits for anything less deep.
    while (frame.function.load(acquire) != nullptr) {
        pool()->stands_if_asked(worker);
        Task* const task = pool()->help(*this, deeper);
        if (slept) count(task != nullptr ? counters.wakes : counters.spurious_wakes, 1);
        slept = false;
        set_idle(task == nullptr);
        if (task != nullptr) {
            execute(task, &worker);
            rounds = 0;
        } else if (rounds != WEFT_SEARCH_ROUNDS) {
            if (rounds++ == 0) pool()->ask_all();
            // relaxed: read again above
            for (uint32_t i = WEFT_STEAL_PATIENCE; i != 0 && frame.function.load(relaxed) != nullptr; --i)
                Port::relax();
        } else {
            // Nothing is on offer, and whoever offers something next wakes this core. The thief's unpark comes after
            // its store to the latch: if this look misses the store, the park does not miss the event.
            // relaxed: read again above
            if (pool()->wait_for_offer(deeper) && frame.function.load(relaxed) != nullptr) {
                pool()->sleep(worker);
                // Not before: nothing may come between the look and park().
                WEFT_TRACE_BY(&worker, slept, 0, 0);
                slept = true;
            }
            // Awake: no offer has to wake it, and it does not count as asleep. (Who has just taken the bit away wakes
            // it once for nothing.) relaxed: a core asks for itself alone
            pool()->waiters_.fetch_and(~Scheduler::IdleBits::bit(core_.get()), relaxed);
        }
    }
    if (slept) count(counters.wakes, 1);
    WEFT_TRACE_BY(&worker, join_end, 0, 0);
    set_idle(false);
    top_.store(slot, relaxed);
    order();
    bottom_.store(slot, relaxed);
}

#if WEFT_CHECKS
void ForkDeque::check_context() {
    if (!Port::in_isr()) return;
    Port::panic("weft: fork-join in an interrupt handler; submit_from_isr() a task that forks",
                Port::core_id(), nullptr);
}

void ForkDeque::check_owner() const {
    check_context();
    if (current() != this) {
        Port::panic("weft: a Here or TaskGroup of another core or task; make it where it is used",
                    Port::core_id(), nullptr);
    }
}

void ForkDeque::check_newest(const Slot* slot) const {
    if (current() == this && top_.own() == slot + 1) return;
    Port::panic("weft: what was forked last must be joined first; let TaskGroups end in reverse order",
                Port::core_id(), nullptr);
}
#endif

// ---- Thieves

Task* ForkDeque::take(ForkDeque& thief, uint32_t depth) {
    Offer::Word seen = offer_.load(relaxed);  // relaxed: a guess; the exchange decides
    Offer left(0);
    do {
        if (seen == 0 || Offer(seen).depth() < depth) return nullptr;
        left = Offer(seen).without_oldest();
        // [F1] slot and frame. relaxed on failure: only compared again.
    } while (!offer_.compare_exchange(seen, left.word(), acquire, relaxed));
    WEFT_TRACE_EVENT(take, 0, core_.get());
    if (left.empty()) {
        ask();  // the next one shall be there before somebody wants it
    } else if (left.depth() != Offer(seen).depth()) {
        // A core that sleeps in a join may take this one, and could not take the one before.
        Port::fence();  // [I1] the new offer before the look at who sleeps
        pool()->wake_waiters();
    }
    thief.victim_.set(this);
    thief.offered_.set(seen);
    static_cast<void>(link(&thief.taken_).claim());  // as execute() gives it up
    return &thief.taken_;
}

void ForkDeque::run_taken(Task&) {
    ForkDeque& thief = *current();
    ForkDeque& victim = *thief.victim_.get();
    const Offer offered(thief.offered_.get());
    Slot& slot = victim.slots_[offered.oldest()];
    const uint32_t owner = victim.core_.get();
    // Children of the frame are one level below it.
    const uint32_t base = thief.base_.own();
    // relaxed: as top_. All forks of this core that found no room have ended: it waits in a join of one that did.
    thief.base_.store(offered.depth() + 1 - thief.levels_below(thief.top_.own()), relaxed);
    Frame* const held =
        slot.load(relaxed);  // relaxed: after the offer [F1]; only this core changes the slot now
    // [F3] our look at the slot, and that nothing is on offer, before the owner uses slot and offer again
    slot.store(reinterpret_cast<Frame*>(reinterpret_cast<uintptr_t>(held) | begun), release);
    Frame& frame = *frame_of(held);
    // relaxed (both): after the offer, as the slot
    WEFT_TRACE_EVENT(child, reinterpret_cast<uintptr_t>(frame.function.load(relaxed)), owner);
    {
        const Frame::Function function = frame.function.load(relaxed);
        [[maybe_unused]] const Beating beating(&frame, reinterpret_cast<uintptr_t>(function));
        function(frame, &thief);
    }
    thief.base_.store(base, relaxed);  // relaxed: as top_
    // [F2] all that this core did for the frame, before the join returns: then the frame is gone
    frame.function.store(nullptr, release);
    WEFT_TRACE_EVENT(child_done, 0, owner);
    Port::unpark(owner);
}

}  // namespace detail

using detail::ForkDeque;

// After frames were put on offer, by their owner. As long as more cores sleep or are off than frames are on offer, the
// request stands.
void Scheduler::announce_offer(ForkDeque& deque, Chances chances) {
    WEFT_TRACE_EVENT(offer, 0, 0);
    static_cast<void>(notify(chances));  // with the fence [I1], before the look for who sleeps
    if (!deque.hungry()) deque.owe(idle_cores());
    // A handler starts nobody: so the owner's next look at the deque shall, which may be what it interrupted.
    if (chances == Chances::from_isr && idle_.look().may_start()) deque.ask();  // a hint
    wake_waiters();
}

// After a fence [I1] that comes after the offer: pairs with wait_for_offer().
void Scheduler::wake_waiters() {
    // relaxed (both): ordered by that fence; no data
    if (waiters_.load(relaxed) != 0) unpark_each(waiters_.exchange(0, relaxed));
}

// A request cannot be served, perhaps as there is an offer for a core that is on its way and does not come.
void Scheduler::wake_another() {
    const IdleBits seen = idle_.look();  // a hint
    if (seen.may_start() && worth_waking(seen, Chances::from_task))
        static_cast<void>(wake(Chances::from_task));
}

void Scheduler::offer_from_isr() {
    // Not current(): from within a task of this pool the core may be in another pool.
    const uint32_t core = Port::core_id();
    if (core < cores_ && forks_[core].offer()) announce_offer(forks_[core], Chances::from_isr);
}

// A frame at least so deep, to run while waiting.
Task* Scheduler::help(ForkDeque& thief, uint32_t depth) {
    const uint32_t self = Port::core_id();
    for (uint32_t victim = self;;) {  // ends: after one round
        if (++victim >= cores_) victim = 0;
        if (victim == self) return nullptr;
        if (!forks_[victim].offers(depth)) continue;
        if (Task* const task = forks_[victim].take(thief, depth)) {
            detail::count(workers_[self].counters.stolen, 1);
            detail::count(workers_[self].counters.executed, 1);
#if WEFT_ELASTIC || WEFT_BLOCKING
            detail::count(workers_[self].helped, 1);
#endif
            detail::count_from(workers_[self].counters, detail::Origin::forks, 1);
            return task;
        }
    }
}

// True: nothing so deep is on offer, and the next who offers something unparks this core.
bool Scheduler::wait_for_offer(uint32_t depth) {
    waiters_.fetch_or(IdleBits::bit(Port::core_id()), relaxed);  // relaxed: ordered by the fence
    Port::fence();  // [I1] the bit before the requests and the look; pairs with announce_offer()
    bool none = true;
    ask_all();
    for (uint32_t i = 0; i != cores_; ++i) {
        if (forks_[i].offers(depth)) none = false;
    }
    return none;
}

}  // namespace WEFT_ABI
}  // namespace weft

#else

namespace weft {
inline namespace WEFT_ABI {

void Scheduler::offer_from_isr() {}

}  // namespace WEFT_ABI
}  // namespace weft

#endif  // WEFT_FORK_DEPTH
