// SPDX-License-Identifier: MIT OR Apache-2.0
// weft: Roster, who must be gone before join() may return: the cores that work for the pool or are on their way, the
// cores that sleep in a call, and the core that waits in join(). And how many wait until the pool is at rest.
//
//     31                            22   21       17   16     9        8    7        0
//     [ the joiner: its core's id + 1 | observers    | callers | sealed | live cores ]
//
//     field     grows, or is set                       falls, or is cleared            may be wrong
//     live      before a core is started, and when     when it has left, its last      too high for a moment, never
//               one comes by itself; never once        touch of the pool; when it is   too low
//               sealed                                 clear that it will not come
//     sealed    the joiner, once the pool is closing   nobody, ever                    -
//     callers   a core that is about to sleep in       whoever takes its errand out    too high for a moment: a caller
//               call()                                 of a queue; the caller, if it   that sees `closing` goes again
//                                                      sees that the pool is closing
//     observers a core of the pool in wait_idle()      that core, in the end           too high for a moment
//     joiner    a core in join()                       that core, in the end           -
//
// Whoever counts itself out learns from the same step whom to tell: the pool may be gone afterwards. If there are
// observers it unparks every core of the pool: who is one is said elsewhere.
#pragma once

#include <weft/detail/idle_word.hpp>

namespace weft {
inline namespace WEFT_ABI {
namespace detail {

class Roster {
public:
#if WEFT_REST
    constexpr explicit Roster(uint32_t cores) : cores_(cores) {}
#else
    constexpr explicit Roster(uint32_t) {}
#endif

    // Looks. relaxed (all): statistics, a hint, or after a fence of the caller, which says which.
    uint32_t live() const { return word_.load(relaxed) & live_mask; }
    // [K4] a change by nothing: who is counted in after it takes nothing that the caller has looked at before
    uint32_t count_live() { return word_.fetch_or(0, release) & live_mask; }
    bool is_sealed() const { return (word_.load(relaxed) & sealed) != 0; }  // relaxed: see above
    // Unparks the joiner, if there is one. relaxed: after a fence of the caller.
    void wake_joiner() const { unpark_joiner(word_.load(relaxed)); }

    // Counts the caller in, or the core that it is about to start. False: sealed, nobody may enter.
    bool count_in();
    // Counts out, and wakes the joiner if nobody is left. The joiner may destroy the pool as soon as the count is down.
    void count_out();
    // The same, and wakes the joiner in any case: to look at what has changed.
    void count_out_and_wake();

    // A core that is about to sleep until a worker has done its errand.
    // [C1] if a worker has looked for callers already, for the last time, it is seen that the pool is closing
    void add_caller() { word_.fetch_add(one_caller, acquire); }
    void remove_caller() { word_.fetch_sub(one_caller, relaxed); }  // relaxed: no data
    // [C1] a change by nothing: whoever is counted after it sees that the pool is closing
    bool has_callers() { return (word_.fetch_or(0, release) & callers_mask) != 0; }

#if WEFT_REST
    // A core that waits for rest, before its first look. Whoever counts itself out after this step unparks it.
    // [J1] and of who did so before, it sees that it has gone
    void add_observer() { word_.fetch_add(one_observer, acquire); }
    // relaxed: no data
    void remove_observer() { word_.fetch_sub(one_observer, relaxed); }
#endif

    // The calling core becomes the joiner.
    enum class Joining { begun, joined_before, by_another_core };
    [[gnu::always_inline]] inline Joining begin_join();
    void end_join() { change(word_, joiner_mask, 0); }
    // relaxed: nobody but this core writes its own number there, and takes it away
    bool is_joined_by(uint32_t core) const { return word_.load(relaxed) >> joiner_shift == core + 1; }
    // A core that is none of the pool's runs what is left, in the name of the first one.
    bool is_finished_by_another(uint32_t cores) const {
        const uint32_t seen = word_.load(relaxed);  // relaxed: after [U1] of that one
        return (seen & sealed) != 0 && (seen & live_mask) == 0 && seen >> joiner_shift > cores;
    }
    void seal() { change(word_, 0, sealed); }
    // For the joiner.
    bool is_empty() const {
        return (word_.load(acquire) & live_mask) == 0;  // [J1] all that every worker did
    }

private:
    static constexpr uint32_t live_mask = 0xffu;
    static constexpr uint32_t sealed = 1u << 8;
    static constexpr uint32_t one_caller = 1u << 9;
    static constexpr uint32_t callers_mask = 0xffu * one_caller;
    static constexpr uint32_t one_observer = 1u << 17;
    static constexpr uint32_t observers_mask = 0x1fu * one_observer;
    static constexpr uint32_t joiner_shift = 22;
    static constexpr uint32_t joiner_mask = 0x3ffu << joiner_shift;

    // They touch nothing of the pool.
    [[gnu::cold]] static void unpark_joiner(uint32_t roster);
#if WEFT_REST
    uint32_t cores() const { return cores_; }
    static void unpark_observers(uint32_t roster, uint32_t cores) {
        if ((roster & observers_mask) != 0) unpark_all(cores);
    }
    [[gnu::cold]] static void unpark_all(uint32_t cores);
#else
    static uint32_t cores() { return 0; }
    static void unpark_observers(uint32_t, uint32_t) {}
#endif

    Atomic<uint32_t> word_{};
#if WEFT_REST
    const uint32_t cores_;
#endif
};

// Of the cores that wait for tasks in a pool that is closing; bit k: core k. See Scheduler::is_stuck().
struct InVain {
    constexpr InVain() {}  // not = default: the model's words are no literals

    Atomic<uint32_t> stuck{};    // it finds nothing
    Atomic<uint32_t> told{};     // what it waits for has come; it takes that away when it looks itself
    Atomic<uint32_t> went_on{};  // a count: how many bits were taken away from `stuck`
};

}  // namespace detail
}  // namespace WEFT_ABI
}  // namespace weft
