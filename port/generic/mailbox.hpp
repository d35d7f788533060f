// SPDX-License-Identifier: MIT OR Apache-2.0
// weft: the hand-over of an entry function to a core that is off, on its way, or waiting in its port's pen.
// One static Mailbox per core. It decides the race between a late core and the deadline: take() or revoke(), never both.
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

template <class Words>
class Mailbox {
public:
    using Entry = void (*)(void*);

    // Any core. False: somebody else's entry is there or runs; nothing was changed.
    bool post(Entry entry, void* arg) {
        uint32_t seen = state_.load(relaxed);  // a guess; the exchange below decides
        do {
            if (seen != empty) return false;
        } while (!state_.compare_exchange(seen, filling, acquire, relaxed));  // [M2] after done()/revoke()
        entry_ = entry;
        arg_ = arg;
        state_.store(posted, release);  // [M1] entry_ and arg_ before the take
        return true;
    }

    // Any core. True: the entry posted last will not be called.
    bool revoke() {
        uint32_t seen = state_.load(relaxed);  // a guess; the exchange below decides
        do {
            if (seen != posted) return false;
        } while (!state_.compare_exchange(seen, empty, release, relaxed));  // [M2]
        return true;
    }

    // The core itself. True: the caller must call entry(arg), then done().
    bool take(Entry& entry, void*& arg) {
        uint32_t seen = state_.load(relaxed);  // a guess; the exchange below decides
        do {
            if (seen != posted) return false;
        } while (!state_.compare_exchange(seen, running, acquire, relaxed));  // [M1]
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
