// SPDX-License-Identifier: MIT OR Apache-2.0
// weft: Rest, who wants to hear when a pool is at rest: cores in Scheduler::wait_idle(), and the image's function. How
// a core finds out that it is, and why none of them waits in vain: src/rest.cpp.
//
// Each call of wait_idle() draws a ticket. Who finds the pool at rest serves all tickets that were drawn before it
// began to look: so what is served is true for ever, however late that step comes. (Tickets may wrap: no two that are
// open are half a turn apart.)
#pragma once

#include <weft/port.hpp>

namespace weft {
inline namespace WEFT_ABI {
namespace detail {

class Rest {
public:
    constexpr Rest() = default;

    // A ticket. What the caller did before is done for whoever serves it.
    uint32_t draw() {
        return asked_.fetch_add(1, release) + 1;  // [L1] what was submitted before
    }
    bool is_served(uint32_t ticket) const {
        return static_cast<int32_t>(served_.load(acquire) - ticket) >= 0;  // [L2] what the tasks have written
    }

    // Before the look that finds the pool at rest. False: nobody wants to know.
    bool is_wanted(uint32_t& last) const {
        last = asked_.load(acquire);  // [L1]
        // relaxed: at worst it is found out again that the pool is at rest
        return last != served_.load(relaxed);
    }
    // After that look.
    void serve(uint32_t last) {
        uint32_t seen = served_.load(relaxed);  // relaxed: a guess; the exchange decides
        // [L2]. acquire: by who has served a part before, too. relaxed on failure: only compared again.
        while (static_cast<int32_t>(last - seen) > 0 &&
               !served_.compare_exchange(seen, last, acq_rel, relaxed)) {
        }  // ends: another core has served some, or (rarely) nothing
    }

    // The cores of the pool that are in wait_idle(): whom to unpark. relaxed (all): ordered by L1; no data
    void add(uint32_t core) { sleepers_.fetch_or(1u << core, relaxed); }
    void remove(uint32_t core) { sleepers_.fetch_and(~(1u << core), relaxed); }
    uint32_t sleepers() const { return sleepers_.load(relaxed); }

    // The image's function, which is set before the pool is used.
    void set_function(void (*function)(void*), void* argument) {
        function_.set(function);
        argument_.set(argument);
    }
    bool has_function() const { return function_.get() != nullptr; }
    void call_function() const { function_.get()(argument_.get()); }

private:
    Atomic<uint32_t> asked_{};
    Atomic<uint32_t> served_{};
    Atomic<uint32_t> sleepers_{};
    Plain<void (*)(void*)> function_{};
    Plain<void*> argument_{};
};

}  // namespace detail
}  // namespace WEFT_ABI
}  // namespace weft
