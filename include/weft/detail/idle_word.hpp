// SPDX-License-Identifier: MIT OR Apache-2.0
// weft: IdleWord, what a submitter must know about the pool: which cores are parked, whether one is on the way to
// what was submitted, whether more can be started, and whether the pool is closing. One word, so that one step both
// chooses a parked core and makes it the waking one.
//
//     31           8      7         6          5           4          3        2         1           0
//     [ parked: bit 8 + k | calling | at_rest | unwatched | abandoning | closing | waking | can_retry | can_start ]
//
// The marks stand in the low bits: as constants of instructions they are short there. What is legal, bit by bit:
//
//     bit          set by                              cleared by                      may be wrong
//     parked k     core k, before its last look        the core that chooses core k;   set although core k is still
//                                                      core k, when it goes back to    looking. Never clear while
//                                                      work by itself                  core k sleeps unchosen.
//     waking       the core that chooses a parked one; its holder, before it runs a    set although the holder will
//                  a core that goes back to work or    task or announces itself        find nothing; clear although a
//                  checks in, if it is clear           parked                          core searches without it. Never
//                                                                                      set without a holder; never two.
//     can_start    a core that has started another,    a core that is about to try     set although every core is here.
//                  or comes to stay; if starts         all that are off, and then      Clear while a core is off or
//                  failed: a submit from outside;      looks at the starts under way   under way only until that,
//                  a worker, now and then                                              or with can_retry set.
//     can_retry    a failed start; a visit's end; who  the same                        set although a retry fails.
//                  is off itself, or finds others                                      Clear while a core that failed
//                                                                                      could be tried only until that.
//     unwatched    who arms the first timer to fire,   a core that is about to sleep   set although no timer is armed
//                  or any while none watches; a        and watch from then on          any more. Never clear while one
//                  watcher that goes to work                                           is armed and nobody watches, or
//                                                                                      is about to (src/timer.cpp)
//     at_rest      a core that finds all asleep, and   a core that is about to park,   set although a core is awake
//                  calls the image's function          or has left (it was awake)      again; clear while all sleep
//                                                                                      until the last one has looked.
//                                                                                      Never set twice for one sleep.
//     calling      the same core                       that core, after the call       set while cores work again, and
//                                                                                      at_rest is clear. Never by two.
//     closing,     shutdown()                          nobody, ever                    a submit that races the shutdown
//     abandoning                                                                       may miss them. abandoning never
//                                                                                      without closing.
//
// The proof that no wake is lost stands in src/idle.cpp.
#pragma once

#include <weft/detail/step.hpp>
#include <weft/detail/traits.hpp>
#include <weft/port.hpp>

namespace weft {
inline namespace WEFT_ABI {
namespace detail {

using generic::step;

// One atomic step of a word of state: clears bits, then sets bits. Returns the word before.
WEFT_SHARED uint32_t change(Atomic<uint32_t>& word, uint32_t clear, uint32_t set);

// The bits of the idle word, as a look or a step has found them. A value.
class IdleBits {
public:
    // The marks.
    static constexpr uint32_t can_start = 1u << 0;
    static constexpr uint32_t can_retry = 1u << 1;
    static constexpr uint32_t waking = 1u << 2;
    static constexpr uint32_t closing = 1u << 3;
    static constexpr uint32_t abandoning = 1u << 4;
    static constexpr uint32_t unwatched = 1u << 5;
    static constexpr uint32_t at_rest = 1u << 6;
    static constexpr uint32_t calling = 1u << 7;
    static constexpr uint32_t first_core = 8;
    static constexpr uint32_t parked_cores = ~0u << first_core;
    static constexpr uint32_t most_cores = 32 - first_core;
    static constexpr uint32_t bit(uint32_t core) { return 1u << first_core << core; }

    constexpr explicit IdleBits(uint32_t word) : word_(word) {}
    constexpr uint32_t word() const { return word_; }

    constexpr bool is_parked(uint32_t core) const { return (word_ & bit(core)) != 0; }
    constexpr bool is_closing() const { return (word_ & closing) != 0; }
    constexpr bool is_abandoned() const { return (word_ & abandoning) != 0; }
    constexpr bool is_waking() const { return (word_ & waking) != 0; }
    constexpr bool may_start() const { return (word_ & can_start) != 0; }
    constexpr bool may_retry() const { return (word_ & can_retry) != 0; }
    constexpr bool is_unwatched() const { return (word_ & unwatched) != 0; }
    // Parked, and neither chosen nor to leave: the core may sleep.
    constexpr bool may_sleep(uint32_t core) const { return (word_ & (bit(core) | closing)) == bit(core); }
    // The bits of all parked cores.
    constexpr uint32_t parked() const { return word_ & parked_cores; }
    constexpr IdleBits without(uint32_t core) const { return IdleBits(word_ & ~bit(core)); }
    // For who has found that all sleep: may it call the image's function for this sleep?
    constexpr bool may_call() const { return (word_ & (waking | closing | at_rest | calling)) == 0; }
    // The lowest core that is parked; there is one. (A count-trailing-zeros builtin is a library call on some targets.)
    constexpr uint32_t lowest_parked() const {
        uint32_t core = 0;
        for (uint32_t cores = word_ >> first_core; (cores & 1) == 0; cores >>= 1) ++core;
        return core;
    }
    // The waking role as Worker::role has it, if a step that met this word and set `waking` has taken it; else 0.
    constexpr uint16_t free_role() const { return static_cast<uint16_t>(waking & ~word_); }

private:
    uint32_t word_;
};

// What a notify may do, as the bits that make it worth while: choose a parked core; start one (not from an ISR); try
// again to start one that failed (from outside).
enum class Chances : uint32_t {
    from_isr = IdleBits::parked_cores,
    from_task = from_isr | IdleBits::can_start,
    from_outside = from_task | IdleBits::can_retry,
};

constexpr bool may_retry(Chances chances) {
    return (static_cast<uint32_t>(chances) & IdleBits::can_retry) != 0;
}

// Is there a core that such a notify might wake or start?
constexpr bool has_chance(IdleBits seen, Chances chances) {
    return (seen.word() & static_cast<uint32_t>(chances)) != 0;
}

// A core is on the way to what was submitted; or nobody sleeps any more.
constexpr bool is_looked_after(IdleBits seen) {
    return (seen.word() & (IdleBits::waking | IdleBits::closing)) != 0;
}

constexpr bool worth_waking(IdleBits seen, Chances chances) {
    return has_chance(seen, chances) && !is_looked_after(seen);
}

// Or it is to see to it that a core is tried again: claim 25 in src/idle.cpp. (Also, for the sake of its size, while
// the pool is closing: wake() looks itself.)
constexpr bool worth_telling(IdleBits seen, Chances chances) {
    const uint32_t some = seen.word() & static_cast<uint32_t>(chances);
    return some != 0 && (!seen.is_waking() || (some & IdleBits::can_retry) != 0);
}

class IdleWord {
public:
    constexpr IdleWord() = default;

    // relaxed: a hint or a guess; or the caller has a fence before it, and says which.
    IdleBits look() const { return IdleBits(word_.load(relaxed)); }

    // For who leaves when it finds nothing after this look.
    bool look_for_the_end() const {
        return IdleBits(word_.load(acquire)).is_closing();  // [D1] what was submitted before the shutdown
    }

    // ---- The steps, named for what they do. Each returns the bits before it, unless it says otherwise.

    // A core that is about to park, with the role that it gives up, if it holds it. Returns the bits after the step, as
    // far as the core's own bit and `closing` go.
    IdleBits announce_parked(uint32_t core, uint16_t role) {
        return IdleBits(change(word_, WEFT_REST ? role | IdleBits::at_rest : role, IdleBits::bit(core)) |
                        IdleBits::bit(core));
    }
    // A parked core that goes back to work by itself: with the role, if that is free (IdleBits::free_role()).
    IdleBits take_back(uint32_t core) {
        return IdleBits(change(word_, IdleBits::bit(core), IdleBits::waking));
    }
    // Makes one parked core (its bit) the waking one. False: the word is not `seen` any more, or (rarely) nothing.
    bool choose(IdleBits seen, uint32_t chosen) {
        const uint32_t next = (seen.word() & ~chosen) | IdleBits::waking;
        if (for_size) return step(word_, seen.word(), next);
        uint32_t word = seen.word();
        // [D1] [J1] carried on, as by change(). relaxed on failure: the caller looks again
        return word_.compare_exchange(word, next, acq_rel, relaxed);
    }
    // A core that comes to stay: with the role, if that is free. If it finds more than it can run, it looks itself
    // whether another core can be started.
    IdleBits come_to_stay(uint16_t role) { return IdleBits(change(word_, 0, role | IdleBits::can_start)); }
    // [D1] [J1] carried on, as by change()
    IdleBits give_up_waking() { return IdleBits(word_.fetch_and(~IdleBits::waking, acq_rel)); }

#if WEFT_TIMERS
    // [A1] the deadline, from who has published it to who will set an alarm
    IdleBits lose_watch() { return IdleBits(change(word_, 0, IdleBits::unwatched)); }
    IdleBits take_watch() { return IdleBits(change(word_, IdleBits::unwatched, 0)); }
#endif

#if WEFT_REST
    // The core that calls the image's function. False: the word is not `seen` any more.
    bool begin_call(IdleBits seen) {
        return step(word_, seen.word(), seen.word() | IdleBits::at_rest | IdleBits::calling);
    }
    void end_call() { change(word_, IdleBits::calling, 0); }
    // A core has left: if all others sleep, that is another time that all do.
    IdleBits ends_rest() { return IdleBits(change(word_, IdleBits::at_rest, 0)); }
#endif

    IdleBits allow_start() { return IdleBits(change(word_, 0, IdleBits::can_start)); }
    IdleBits forbid_start() { return IdleBits(change(word_, IdleBits::can_start | IdleBits::can_retry, 0)); }
    IdleBits allow_retry() { return IdleBits(change(word_, 0, IdleBits::can_retry)); }

    IdleBits close(bool abandon) {
        return IdleBits(
            change(word_, 0, abandon ? IdleBits::closing | IdleBits::abandoning : IdleBits::closing));
    }

private:
    Atomic<uint32_t> word_{IdleBits::can_start};
};

}  // namespace detail
}  // namespace WEFT_ABI
}  // namespace weft
