// SPDX-License-Identifier: MIT OR Apache-2.0
// weft: ForkDeque, where a worker keeps the children it has forked and not yet joined.
//
//     slots_   [ taken by thieves, or on offer | private: oldest ... newest ]  free
//               ^ 0                             ^ bottom_                     ^ top_           ^ WEFT_FORK_DEPTH
//
// Forking and joining are strictly nested, so frames come and go at the top only, and they live on the callers'
// stacks. Forks are private: pushing and popping one takes no fence and no read-modify-write. A core that finds
// nothing to do is *hungry*: it puts nullptr into limit_, which the owner compares with its top in every push anyway.
// The owner then puts its oldest private frames on *offer*, as many as there are cores with nothing to do, and wakes
// one, which wakes the next. One compare-exchange of the offer decides whether a thief runs the oldest of these frames,
// or the owner the newest. A slot stays until the join, so a thief reads it after it has won (and a stale offer word
// does no harm: if it is equal, it stands for the same slots). The thief marks the slot when it begins, and the frame's
// latch when it has run the frame: a deque that is full of such marked slots is renewed (renew()), so however many
// children thieves have taken, there is room for more to be offered.
//
// After the private deques of Acar, Chargueraud and Rainey, "Scheduling Parallel Programs by Work Stealing with
// Private Deques" (PPoPP 2013), and the split deque of van Dijk and van de Pol, "Lace" (2014). An interrupt handler
// of the owner's core can serve requests, too, as in heartbeat scheduling (Acar et al., PLDI 2018):
// Scheduler::offer_from_isr().
#pragma once

#include <weft/task.hpp>

namespace weft {
inline namespace WEFT_ABI {

class Scheduler;

namespace detail {

class Errand;

#if WEFT_FORK_DEPTH == 0

// Without fork-join: nothing of it remains.
class ForkDeque {
public:
    static ForkDeque* current() { return nullptr; }
    static bool works_for_a_pool() { return false; }
    static bool runs_beside_a_sleep() { return false; }
    static bool goes_beside_a_sleep(bool) { return false; }
    ForkDeque* enter(Scheduler&) { return nullptr; }
    ForkDeque* enter_again() { return nullptr; }
    static void leave(ForkDeque*) {}
    static ForkDeque* put(uint32_t, ForkDeque*) { return nullptr; }
    static void ask() {}
    static void set_idle(bool) {}
    static bool offers(uint32_t) { return false; }
    static bool hungry() { return true; }
    static Task* take(ForkDeque&, uint32_t) { return nullptr; }
    static bool is_in_use() { return false; }
};

#else

class ForkDeque;

// A word without a start value, in objects that are constant-initialised, too: nothing is written until it is set.
template <class T>
union Unset {
    constexpr Unset() : none() {}
    constexpr T get() const { return value; }
    void set(T to) { value = to; }

private:
    struct None {};
    None none;
    T value;
};

// A forked child. It lives on the stack of the core that forked it, until the join.
struct Frame {
    using Function = void (*)(Frame& self, ForkDeque* deque);

    constexpr explicit Frame(Function call) : function(call) {}  // the common path: nothing else is written

    // Both only where the deque was renewed, see ForkDeque::renew(): what the slot before held; with the first frame,
    // how many forks had found no room.
    Unset<Frame*> older{};
    Unset<uint32_t> skipped{};
    // What to run, with the deque of the core that runs it. It is the join's latch, too: a thief makes it null when it
    // has run it.
    Published<Function> function;
};

// The frames on offer, in one word: a row of slots, the oldest first. A value; all steps make a new one.
//
//     [ depth of the oldest | steps | how many | slot of the oldest : 8 ]        0: nothing is on offer
//
// steps: bit i says that frame i + 1 is one level deeper than frame i (0: it is its sibling); the others are 0.
// Everything a thief must know about depths is in the word: equal words mean equal depths, whatever has come and gone
// in between.
class Offer {
public:
    using Word = uintptr_t;
    static constexpr uint32_t slot_bits = 8;
    static constexpr uint32_t count_bits = sizeof(Word) == 8 ? 5 : 4;
    static constexpr uint32_t most = sizeof(Word) == 8 ? 24 : 8;  // frames at once
    static constexpr uint32_t steps_at = slot_bits + count_bits;
    static constexpr uint32_t depth_at = steps_at + most - 1;
    // After a frame that is as deep none is offered, nor such a frame alone: depths in a row must fit into the word.
    static constexpr uint32_t deepest =
        static_cast<uint32_t>(static_cast<Word>(-1) >> depth_at) + 1 - (sizeof(Word) == 8 ? 32 : 8);

    constexpr explicit Offer(Word word) : word_(word) {}
    constexpr Offer(uint32_t slot, uint32_t depth)
        : word_(static_cast<Word>(depth) << depth_at | one_frame | slot) {}

    constexpr Word word() const { return word_; }
    constexpr bool empty() const { return word_ == 0; }
    constexpr uint32_t count() const {
        return static_cast<uint32_t>(word_ >> slot_bits) & ((1u << count_bits) - 1);
    }
    // Of one that is not empty:
    constexpr uint32_t oldest() const { return static_cast<uint32_t>(word_) & ((1u << slot_bits) - 1); }
    constexpr uint32_t depth() const { return static_cast<uint32_t>(word_ >> depth_at); }
    // What a thief leaves, and what the owner leaves.
    constexpr Offer without_oldest() const {
        if (count() == 1) return Offer(0);
        const Word steps = word_ & all_steps;
        const Word deeper = (steps >> steps_at & 1) << depth_at;
        return Offer(word_ - steps + (steps >> 1 & all_steps) + deeper - one_frame + 1);
    }
    constexpr Offer without_newest() const {
        if (count() == 1) return Offer(0);
        return Offer((word_ & ~(static_cast<Word>(1) << (steps_at - 2 + count()))) - one_frame);
    }
    // With the frame behind the newest; there must be room, and the oldest not too deep.
    constexpr Offer with_another(bool deeper) const {
        return Offer(word_ + one_frame + (static_cast<Word>(deeper) << (steps_at - 1 + count())));
    }
    constexpr bool is_too_deep() const { return word_ >= static_cast<Word>(deepest) << depth_at; }

private:
    static constexpr Word one_frame = static_cast<Word>(1) << slot_bits;
    static constexpr Word all_steps = (static_cast<Word>(1) << depth_at) - (static_cast<Word>(1) << steps_at);
    static_assert(most < 1u << count_bits);
    static_assert(deepest - 1 + most - 1 <= static_cast<Word>(-1) >> depth_at);

    Word word_;
};

class ForkDeque {
public:
    using Slot = Atomic<Frame*>;

    constexpr ForkDeque() = default;

    // The deque of the worker that the calling core is at this moment; nullptr outside of every pool. Task context.
    static ForkDeque* current() {
        const uint32_t core = Port::core_id();
        return core < Port::max_cores ? here[core] : nullptr;
    }
    // The calling core is a worker of some pool: in a task, or in a function beside a sleep, where forks run serially.
#if WEFT_REST || WEFT_SLEEP_HOOKS
    static bool works_for_a_pool() {
        const uint32_t core = Port::core_id();
        return core < Port::max_cores && (here[core] != nullptr || is_beside_a_sleep[core]);
    }
    // In such a function, and not in another pool's task that it polls.
    static bool runs_beside_a_sleep() { return current() == nullptr && works_for_a_pool(); }
    // Returns whether it was there before.
    static bool goes_beside_a_sleep(bool is_there) {
        bool& at = is_beside_a_sleep[Port::core_id()];
        const bool before = at;
        at = is_there;
        return before;
    }
    static inline bool is_beside_a_sleep[Port::max_cores] = {};
#else
    static bool works_for_a_pool() { return current() != nullptr; }
    static bool runs_beside_a_sleep() { return false; }
#endif
    // Owner: it works for `pool` from now on, until leave(), which takes what this returns: the deque of the pool
    // that the core was working for already, if any.
    ForkDeque* enter(Scheduler& pool);
    ForkDeque* enter_again();  // the same, while it works for that pool already
    static void leave(ForkDeque* before);
#if WEFT_PREEMPTION
    // A task of the level that preempts, which has none: the calling core's becomes `next`; returns the former.
    [[gnu::always_inline]] static ForkDeque* put(uint32_t core, ForkDeque* next) {
        ForkDeque* const before = here[core];
        here[core] = next;
        return before;
    }
#endif

    Scheduler* pool() const { return pool_.get(); }
    // Owner: between a fork and its join, its own or, in a stolen child, another core's.
    bool is_in_use() const { return top_.own() != slots_ || base_.own() != 0 || skipped_.get() != 0; }

    // Owner: it looks for something to do (or sleeps), until it has found it. relaxed (both): a hint; who sleeps has a
    // fence [I1] after it, and who looks at it after a fence of its own does not miss that.
    void set_idle(bool idle) { idle_.store(idle ? 1u : 0u, relaxed); }
    // Any core. 0 or 1.
    uint32_t is_idle() const { return idle_.load(relaxed); }

    // What to push for a frame that stands beside the one that was pushed before, not below it: it is as deep as that.
    static Frame* sibling(Frame* frame) {
        return reinterpret_cast<Frame*>(reinterpret_cast<uintptr_t>(frame) | beside);
    }

    // Owner. Keeps `frame` until pop() or join(). nullptr: no room, the caller runs the child itself, and calls
    // end_skip() when what it runs first has returned (not for a sibling, which is no level of its own).
    [[gnu::always_inline]] Slot* push(Frame* frame) {
        check_owner();
        Slot* const top = top_.own();
        if (top >= limit_.load(relaxed)) return push_slowly(frame);  // relaxed: a hint
        place(top, frame);
        return top;
    }
    // Owner, newest first. True: the frame was private, and the caller runs the child. False: join() has the answer.
    [[gnu::always_inline]] bool pop(Slot* slot) {
        check_newest(slot);
        top_.store(slot, relaxed);  // relaxed: as in place()
        order();
        return slot >= bottom_.own();
    }
    // Owner, if pop() said no. True: nobody has taken the frame yet, the caller runs the child. False: it has been
    // run.
    [[gnu::cold]] bool join(Slot* slot);
    // The same for who knows which frame is there.
    [[gnu::always_inline]] bool join(Slot* slot, Frame& frame) {
        // relaxed: as top_. All frames from here on are gone, those below are on offer or with thieves.
        bottom_.store(slot, relaxed);
        // [F2] all that the thief did, if it is done already
        if (frame.function.load(acquire) == nullptr && renewals_.get() == 0) return false;
        return join_slowly(slot, frame);
    }

    // Owner: what ran first in place of a child that found no room, or beside it, has returned.
    void end_skip() { skipped_.set(skipped_.get() - 1); }

    // Owner: somebody is hungry (or the deque is new).
    bool hungry() const { return limit_.load(relaxed) == nullptr; }  // relaxed: a hint
    // Owner: ... and more frames would be taken than are on offer. Loops look at it between their chunks.
    bool wanted() { return hungry() && (owed_.own() != 0 || is_lacking()); }
    // Owner, before a child that may be long: offers an older one, if somebody is hungry.
    void share() {
        if (hungry()) push_and_offer(nullptr);
    }

    // Any core: asks the owner to offer its oldest frames at its next fork.
    void ask() {
        // relaxed (both): a request; who sleeps after it has a fence [I1] before it. The look spares the line a
        // write.
        if (limit_.load(relaxed) != nullptr) limit_.store(nullptr, relaxed);
    }
    // Any core: a frame at least so deep is on offer; a look without a claim. relaxed: as Ring::looks_nonempty().
    bool offers(uint32_t depth) const {
        const Offer seen(offer_.load(relaxed));
        return !seen.empty() && seen.depth() >= depth;
    }
    // Owner, or a handler of its core, after it has offered something: this many cores are idle. If that is more than
    // are on offer, the rest is owed.
    void owe(uint32_t cores);

    // The worker of deque `thief` takes the oldest frame on offer, if it is at least so deep.
    // The task that runs it, to be executed before anything else is taken; or nullptr.
    Task* take(ForkDeque& thief, uint32_t depth);
    // Is it what take() answers?
    static bool is_stolen_child(Task* task) { return TaskAccess::run(*task) == &ForkDeque::run_taken; }

    // Owner, or an interrupt handler of its core: if somebody is hungry, offers the oldest private frames until as many
    // are on offer as are wanted, unless the owner or a handler that this one has interrupted is at it. True: it did,
    // Scheduler::announce_offer() must follow.
    bool offer();

    // May forks be here? Checked builds panic in an interrupt handler.
#if WEFT_CHECKS
    static void check_context();
#else
    static void check_context() {}
#endif

private:
    static_assert(WEFT_FORK_DEPTH < (1u << Offer::slot_bits));

    // Between two accesses that a handler on this core must not see in the other order.
    [[gnu::always_inline]] static void order() { __atomic_signal_fence(__ATOMIC_ACQ_REL); }

    // In a slot, besides the frame.
    static constexpr uintptr_t beside = 1;  // as deep as the frame in the slot before
    static constexpr uintptr_t begun = 2;   // a thief has it, and needs the slot no more
    static_assert(alignof(Frame) > (beside | begun));
    static bool has(Frame* held, uintptr_t mark) { return (reinterpret_cast<uintptr_t>(held) & mark) != 0; }
    static Frame* frame_of(Frame* held) {
        return reinterpret_cast<Frame*>(reinterpret_cast<uintptr_t>(held) & ~(beside | begun));
    }

    uint32_t number(const Slot* slot) const { return static_cast<uint32_t>(slot - slots_); }
    uint32_t levels_below(const Slot* slot) const;
    uint32_t depth(const Slot* slot) const { return base_.own() + levels_below(slot + 1) - 1; }

    [[gnu::always_inline]] void place(Slot* top, Frame* frame) {
        top->store(frame, relaxed);  // relaxed: for thieves [F1] orders it
        order();
        top_.store(top + 1, relaxed);  // relaxed: nobody but this core and its handlers read it
    }

    // Owner, when it enters: the first time the deque becomes usable.
    [[gnu::always_inline]] void begin(const Scheduler& pool) {
#if WEFT_CHECKS
        if (pool_.get() != nullptr && pool_.get() != &pool)
            Port::panic("weft: two pools share one PoolMemory", Port::core_id(), nullptr);
#else
        static_cast<void>(pool);
#endif
        if (top_.own() != nullptr) return;
        TaskAccess::set_run(taken_, &ForkDeque::run_taken);
        bottom_.store(slots_, relaxed);  // relaxed (both): as in place()
        order();                         // a handler finds nothing to offer, in between too
        top_.store(slots_, relaxed);
    }
    [[gnu::noinline]] Slot* push_slowly(Frame* frame);
    [[gnu::cold, gnu::noinline]] Slot* push_and_offer(Frame* frame);
    [[gnu::cold, gnu::noinline]] Slot* tell(Slot* slot);
    [[gnu::cold, gnu::noinline]] bool join_slowly(Slot* slot, Frame& frame);
    bool renew(Frame& frame);
    void restore(Frame& frame);
    [[gnu::always_inline]] inline bool offer_oldest();
    [[gnu::cold]] bool is_lacking();
    uint32_t lacking(uint32_t cores);
    [[gnu::always_inline]] inline bool offer_one(Offer::Word& seen, Slot* slot, Frame* held);
    [[gnu::noinline]] bool take_back();
    [[gnu::noinline]] void wait(Slot* slot, Frame& frame);
#if WEFT_CHECKS
    void check_owner() const;
    void check_newest(const Slot* slot) const;
#else
    static void check_owner() {}
    static void check_newest(const Slot*) {}
#endif
    static void run_taken(Task& self);

    static inline ForkDeque* here[Port::max_cores] = {};

    // What thieves write; the owner reads it.
    alignas(Port::cache_line) Atomic<Slot*> limit_{nullptr};
    Atomic<Offer::Word> offer_{};
    Published<uint32_t> idle_{};  // written by the owner, read by those who count

    // What only the owner's core touches, its interrupt handlers included.
    // Until the core enters for the first time all is zero: so a deque takes no place in the image.
    alignas(Port::cache_line) Published<Slot*> top_{};
    Published<Slot*> bottom_{};
    Published<uint32_t>
        base_{};  // depth of slot 0: more than 0 while a stolen frame runs in a deque that is in use
    Published<uint32_t> owed_{};  // frames yet to be offered to those who were idle when they were counted
    Published<uint32_t> busy_{};  // the owner or a handler is at offer(): (other) handlers keep away
    Plain<uint32_t> skipped_{};   // levels of forks that found no room, since the last renewal
    Plain<uint32_t> renewals_{};  // how often the deque was renewed and has not been restored yet
    Plain<Scheduler*> pool_{};
    Plain<uint32_t> core_{};

    // The owner as a thief: what it has taken and not yet begun.
    Task taken_{nullptr};  // run_taken(), from enter() on
    Plain<ForkDeque*> victim_{};
    Plain<Offer::Word> offered_{};

    Slot slots_[WEFT_FORK_DEPTH] = {};
};

#endif

}  // namespace detail
}  // namespace WEFT_ABI
}  // namespace weft
