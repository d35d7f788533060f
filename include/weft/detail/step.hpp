// SPDX-License-Identifier: MIT OR Apache-2.0
// weft: one step of a word that is a state, for the core and for the ports.
#pragma once

#include <weft/order.hpp>

namespace weft {
namespace generic {  // not detail: for the core that is another namespace, see WEFT_ABI

template <class Value>
struct Same {
    using Type = Value;
};

// One atomic step of a word from one known value to another. False: it had another value. Out of line: it is taken in
// many places, in none of them often.
template <class Word, class Value>
[[gnu::noinline]] inline bool step(Word& word, typename Same<Value>::Type from, Value to) {
    Value seen = from;
    // [T1] started_at goes with the power state `starting`. [T3] the follower of a core's leaving. [M1] take() after
    // post(): entry_. [M2] post() after done() or revoke(): it has been read. relaxed on failure: nothing is done then.
    while (!word.compare_exchange(seen, to, acq_rel, relaxed)) {
        // ends: weak, fails by itself only now and then
        if (seen != from) return false;
    }
    return true;
}

}  // namespace generic
}  // namespace weft
