// SPDX-License-Identifier: MIT OR Apache-2.0
// weft: TimerQueue, the armed timers of one pool: a heap that one core at a time holds, and requests to it.
//
//     word_:  0 --a request--> held --no request meanwhile--> 0
//                               |  ^
//              more requests    v  |  the holder takes the list, and sees to each
//                  [ list | wanted | held ]
//
// wanted: a core that found something due found the queue held. It may sleep: the holder tells the sleepers when it has
// let go. So what is due and wanted does not count as work.
//
// No request needs the queue free: one that finds it held is left in a list, and the holder sees to it before
// it lets go. So a handler may interrupt a holder on its own core. What a request wants is in the timer itself; the
// holder makes the heap agree with it (`Timer::state_`):
//
//     armed    the timer will fire: set by a start, cleared by cancel(), by the firing, or by the first step of another
//              start, whoever is first
//     listed   the holder will look at it. The step that clears it is the holder's last touch of a timer that was
//              cancelled
//     fired    its task is queued, or runs
//     again    it was started once, and fired again since: it begins anew when the run has ended
//     between  a start has taken a former one out of force, and is yet to set `armed` in its place. (A cancel clears
//              it. Then the timer may stand in the heap until that start has listed it.)
//     the rest counts the starts: a holder notices one that came while it looked
//
// The heap is a leftist tree: the left branch is nowhere shorter than the right one, so every right spine has at most
// log2(n + 1) nodes. All that is done is to merge two trees along their right spines. (Crane 1972; Knuth, The Art of
// Computer Programming, volume 3, section 5.2.3.)
//
// Deadlines have 32 bits and wrap. They are compared by what they are behind base_, which is never behind one of them.
#pragma once

#include <weft/batch.hpp>

namespace weft {
inline namespace WEFT_ABI {

class Timer;

namespace detail {

// Has the clock, at `now`, come to `tick`? For ticks of the last half turn of the clock.
constexpr bool has_come(uint32_t tick, uint32_t now) { return static_cast<int32_t>(now - tick) >= 0; }

class TimerQueue {
public:
    constexpr TimerQueue() = default;

    // What is due, for each level of urgency.
    using Due = Batch[WEFT_URGENCY_LEVELS];

    // For who has listed the timer. True: the first deadline is a new one, and who sleeps must be told.
    bool see_to(Timer& timer);
    // Takes those that are due out of the queue. If another core holds it, that one will tell the sleepers. True: this
    // core is to tell them.
    bool take_due(Due& due);

    // Is a timer armed, and when is the first one due? relaxed (both): a look that finds what is long past comes
    // again; who has taken the watch has seen them with it.
    bool is_armed() const { return armed_.load(relaxed) != 0; }
    uint32_t first() const { return first_.load(relaxed); }
    WEFT_SHARED bool is_due() const { return is_armed() && !is_wanted() && has_come(first(), Port::now()); }
    // Is a timer live: armed, or about to be? One word says so: a look at several would miss what goes from one to the
    // next meanwhile. relaxed: what was armed before comes with a step of the idle word, or with the watch [A6]
    bool has_live() const { return live_.load(relaxed) != 0; }
    // A start, before its first step; and who leaves a timer in none of the states `live`, after that step. relaxed
    // (both): that step releases the count, or has acquired it [A8]
    void count_in() { live_.fetch_add(1, relaxed); }
    void count_out() { live_.fetch_sub(1, relaxed); }
    // relaxed: if that is long past, the holder has told the sleepers since, by a step of the idle word
    bool is_wanted() const { return (word_.load(relaxed) & wanted) != 0; }

    // ---- The watcher: the parked core whose alarm is set to the first deadline.

    // The last one who has begun is the watcher. [A6] each has seen the deadlines that those before it have seen.
    void begin_watch(uint32_t core) { watcher_.exchange(core, acq_rel); }
    // relaxed (both): the calling core asks for itself; or for a hint
    bool is_watched_by(uint32_t core) const { return watcher_.load(relaxed) == core; }
    uint32_t watcher() const { return watcher_.load(relaxed); }
    // Is a core the watcher? It may be on its way to work: then it ends its watch after this, and has seen what was
    // requested before [A6].
    bool has_watcher() { return watcher_.fetch_or(0, acq_rel) != nobody; }
    // True: it was the watcher, and there is something to watch, or may be.
    bool end_watch(uint32_t core) {
        uint32_t seen = core;
        // [A6] what was requested before another one has found it watching. relaxed on failure: only compared
        while (!watcher_.compare_exchange(seen, nobody, acquire, relaxed)) {
            if (seen != core) return false;
        }  // ends: a failure without cause is rare
        return has_live();
    }

private:
    static constexpr uintptr_t held = 1;
    static constexpr uintptr_t wanted = 2;
    static constexpr uint32_t nobody = ~0u;

    static Timer* request(uintptr_t word) { return reinterpret_cast<Timer*>(word & ~(wanted | held)); }
    bool hold(Timer* timer);
    bool let_go(bool tell);
    bool look_at(Timer& timer);
    void fire(Timer& timer, uint32_t now, Due& due);

    // The heap; by the holder.
    bool comes_before(Timer& a, Timer& b) const;
    void insert(Timer& timer, uint32_t due, uint32_t now);
    void remove(Timer& timer);
    void meld(Plain<Timer*>* link, Timer* above, Timer* a, Timer* b);
    static uint32_t rank_of(Timer* timer);
    static bool settle(Timer& timer);

    Atomic<uintptr_t> word_{};  // 0; or `held`, perhaps `wanted`, and the request that came last
    Atomic<uint32_t> first_{};  // written by the holder: the first deadline
    Atomic<uint32_t> armed_{};  // written by the holder: there is one
    Atomic<uint32_t> watcher_{nobody};
    Atomic<uint32_t> live_{};  // timers whose state is live, and starts that are about to make one so
    Plain<Timer*> root_{};     // by the holder, as all below
    Plain<uint32_t> base_{};
};

}  // namespace detail
}  // namespace WEFT_ABI
}  // namespace weft
