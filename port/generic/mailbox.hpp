// SPDX-License-Identifier: MIT OR Apache-2.0
// weft: the hand-over of an entry function to a core that is off, on its way, or waiting in its port's pen.
// One static Mailbox per core. It decides the race between a late core and the deadline: take() or
// revoke(), never both.
//
//            post (start_core)                    take (the core)
//    empty ------------------> filling -> posted ----------------> running
//      ^                                    |                         |
//      +------------------------------------+                         |
//      |             revoke (cancel_start)                            |
//      +--------------------------------------------------------------+
//                               done (the core, entry returned)
#pragma once

#include <stdint.h>

#include <weft/order.hpp>

namespace weft {
namespace generic {

// One step of a word that is a state. False: it was in another state. Out of line: the ports take several, none of
// them often.
template <class Word>
[[gnu::noinline]] bool step(Word& state, uint32_t from, uint32_t to) {
    uint32_t seen = from;
    // [M1] take() after post(): entry_ and arg_. [M2] post() after done() or revoke(): they have been read.
    // relaxed on failure: nothing was done.
    while (!state.compare_exchange(seen, to, acq_rel,
                                   relaxed)) {  // ends: weak, fails without cause only now and then
        if (seen != from) return false;
    }
    return true;
}

template <class Words>
class Mailbox {
public:
    using Entry = void (*)(void*);

    // Any core. False: somebody else's entry is there or runs; nothing was changed.
    bool post(Entry entry, void* arg) {
        if (!step(state_, empty, filling)) return false;
        entry_ = entry;
        arg_ = arg;
        state_.store(posted, release);  // [M1] entry_ and arg_ before the take
        return true;
    }

    // Any core. True: the entry posted last will not be called.
    bool revoke() { return step(state_, posted, empty); }

    // The core itself. True: the caller must call entry(arg), then done().
    bool take(Entry& entry, void*& arg) {
        // relaxed: spares a waiting core the exchange; some cores' events come from exclusive accesses, and it would
        // never sleep.
        if (state_.load(relaxed) != posted || !step(state_, posted, running)) return false;
        entry = entry_;
        arg = arg_;
        return true;
    }

    // The core itself, after entry returned.
    void done() { state_.store(empty, release); }  // [M2] entry_ and arg_ may be written again

private:
    enum : uint32_t { empty, filling, posted, running };

    typename Words::template Atomic<uint32_t> state_{};
    Entry entry_ = nullptr;
    void* arg_ = nullptr;
};

}  // namespace generic
}  // namespace weft
