// SPDX-License-Identifier: MIT OR Apache-2.0
// weft: the hand-over of an entry function to a core that is off, on its way, or waits in the pen; and the pen. There
// is one static Mailbox per core; a port that keeps more for each core derives its own from it. It decides the race
// between a late core and the deadline: take() or revoke(), never both. The state of a posted mailbox is the entry's
// argument, so that of two users of a core neither can withdraw what the other has posted meanwhile.
//
//            post (start_core)                 take (the core)
//    empty ------------------> filling -> arg ----------------> running
//      ^                                   |                       |
//      +-----------------------------------+                       |
//      |             revoke (cancel_start)                         |
//      +-----------------------------------------------------------+
//              done (the core; vacate, or the entry returned)
#pragma once

#include <stdint.h>

#include <weft/detail/step.hpp>

namespace weft {
namespace generic {

// As wide as an address; uint32_t where that is, so that there is one step() with the core's.
#if UINTPTR_MAX == UINT32_MAX
using State = uint32_t;
#else
using State = uintptr_t;
#endif

template <class Words>
class Mailbox {
public:
    using Entry = void (*)(void*);

    // Any core. False: somebody else's entry is there or runs; nothing was changed. `arg`: the address of an object,
    // which nobody else posts here at the same time. A port that powers the core on after this needs a barrier of
    // its own between the two: the power controller is no part of the memory order.
    bool post(Entry entry, void* arg) {
        if (!step(state_, empty, filling)) return false;
#if WEFT_QUIESCE
        // relaxed: who fills it is alone. [U1] whoever sees this number sees that the mailbox is filled, or was
        posts_.store(posts_.load(relaxed) + 2, release);
#endif
        entry_.set(entry);
        state_.store(word_of(arg), release);  // [M1] entry_ before the take
        return true;
    }

    // Any core. True: the entry that was posted with `arg` will not be called.
    bool revoke(void* arg) { return step(state_, word_of(arg), empty); }

    // The core itself. True: the caller must call entry(arg), then done().
    bool take(Entry& entry, void*& arg) {
        // relaxed: spares a waiting core the exchange; some cores' events come from exclusive accesses, and it would
        // never sleep.
        const State posted = state_.load(relaxed);
        if (!is_entry(posted) || !step(state_, posted, running)) return false;
        entry = entry_.get();
        arg = reinterpret_cast<void*>(static_cast<uintptr_t>(posted));
        return true;
    }

    // The core itself, while the entry runs or after it has returned; a second time it does nothing.
    void done() {
        // relaxed: only this core goes to `running` and leaves it, so what it sees is so, and a store does.
        if (state_.load(relaxed) != running) return;
        state_.store(empty, release);  // [M2] entry_ has been read before the next post()
    }

    // Who has posted: is it still there?
    bool holds(void* arg) const { return state_.load(relaxed) == word_of(arg); }  // relaxed: guards no memory

    // Is there something to take? relaxed: take() looks again.
    [[gnu::always_inline]] bool is_posted() const { return is_entry(state_.load(relaxed)); }

#if WEFT_QUIESCE
    // Any core. 0: something is posted, or an entry runs that has not called done(). Else a number that each post()
    // changes: as it was before that look, so that the same number twice says that nothing was posted in between.
    // Whoever has seen that who posted is back in its pen [U1] sees the post.
    uint32_t turn() const {
        const uint32_t posts = posts_.load(acquire);           // [U1]
        return state_.load(acquire) == empty ? posts | 1 : 0;  // [M2] what an entry did
    }

    // The core itself, in its pen: stands until something is posted. A part of code in WEFT_RAM_SECTION. Between the
    // two stores it executes nothing else, as interrupts are held off.
    [[gnu::always_inline]] void stand() {
        const uint32_t held = Words::hold_interrupts();
        do {
            stands_.store(1, release);          // [U1] all that it did
            while (!is_posted()) Words::nap();  // ends: with an entry
            stands_.store(0, relaxed);          // relaxed: the fence
            Words::fence();                     // [U4] before a look whether that was revoked meanwhile
        } while (!is_posted());                 // ends: likewise
        Words::release_interrupts(held);
    }
    // Any core. 0: it is not in there, or something is posted. Else turn().
    uint32_t pen_turn() const {
        const uint32_t its = turn();
        Words::fence();  // [U4] what was revoked, before the look whether the core has left its pen for that
        return stands_.load(acquire) != 0 ? its : 0;  // [U1]
    }
#endif

private:
    [[gnu::always_inline]] static bool is_entry(State state) { return state > running; }
    static State word_of(void* arg) { return static_cast<State>(reinterpret_cast<uintptr_t>(arg)); }

    static constexpr State empty = 0;
    static constexpr State filling = 1;
    static constexpr State running = 2;

    typename Words::template Atomic<State> state_{};
    typename Words::template Plain<Entry> entry_{};
#if WEFT_QUIESCE
    typename Words::template Published<uint32_t> stands_{};  // the core writes it
    typename Words::template Atomic<uint32_t>
        posts_{};  // twice their number: whoever holds `filling` writes it
#endif
};

// The pen: where a core waits between entries, with interrupts as the entries shall find them. An event that ends the
// park() may have been meant for something else, and the one meant for this may have ended a park() of the entry
// before: neither matters, as the mailbox is looked at before each park(), and whoever posts sends an event afterwards.
template <class Port, class Mailbox, class Wait>
[[noreturn, gnu::always_inline]] inline void wait_in_pen(Mailbox& mailbox, Wait wait) {
    for (;;) {
        void (*entry)(void*) = nullptr;
        void* arg = nullptr;
        while (!mailbox.take(entry, arg)) wait(mailbox);
        entry(arg);
        Port::vacate();  // if the entry has not done so
    }
}

template <class Port, class Mailbox>
[[noreturn, gnu::always_inline]] inline void wait_in_pen(Mailbox& mailbox) {
    wait_in_pen<Port>(mailbox, [](Mailbox&) { Port::park(); });
}

}  // namespace generic
}  // namespace weft
