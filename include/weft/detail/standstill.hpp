// SPDX-License-Identifier: MIT OR Apache-2.0
// weft: the handshake by which one core has others stand still (docs/QUIESCE.md, chapter 1).
//
//     request:    0 --ask()--> g --end()--> 0        g: a new number each time
//     stands[c]:  any --stand()--> g                 the core stands until request is not g
//                 0 --come()--> here --leave()--> 0  here, or an old number: it works for the pool
#pragma once

#include <stdint.h>
#include <weft/config.hpp>
#include <weft/order.hpp>
#include <weft/port.hpp>

namespace weft {
inline namespace WEFT_ABI {
namespace detail {

// A core that stands. It alone writes.
class Stand {
public:
    static constexpr uint32_t here = 1;  // no number of a request

    // By the core, before anything shows others that it works here. Then it fences, and looks at the request [U3].
    void come() { number_.store(here, relaxed); }  // relaxed: ordered by that fence, or by what shows it
    // By the core, in the end.
    void leave() { number_.store(0, release); }  // [U1] as in stand()
    // By the core, with the number that it found. Returns when that request has ended. A part of code in
    // WEFT_RAM_SECTION: all that it touches is here, and on the stack. (A template, as not every port can do this.)
    template <class P = Port>
    [[gnu::always_inline]] void stand(const Atomic<uint32_t>& request, uint32_t number) {
        const uint32_t held = P::hold_interrupts();
        number_.store(number, release);                         // [U1] all that it did, for the owner
        while (request.load(acquire) == number) Port::relax();  // [U2] ends: with the request
        P::release_interrupts(held);
    }
    // By the owner. 0: the core does not work here. One that came too late for an earlier request has another number.
    uint32_t number() const { return number_.load(acquire); }  // [U1]

private:
    Published<uint32_t> number_{};
};

// The request. One owner at a time.
class Standstill {
public:
    Atomic<uint32_t>& request() { return request_; }
    // 0: none. A core stands for what this says.
    uint32_t asked() const { return request_.load(relaxed); }  // relaxed: stand() loads it again

    // For who comes: if there is none any more, it sees what the owner wrote.
    uint32_t asked_at_the_door() const { return request_.load(acquire); }  // [U2]

    // The number of the request; 0: another core's is under way.
    uint32_t ask() {
        uint32_t number = last_.fetch_add(2, relaxed) + 2;          // relaxed: a number, no data
        if (number == 0) number = last_.fetch_add(2, relaxed) + 2;  // relaxed: likewise
        uint32_t seen = 0;
        // [U2] what an owner did before. relaxed on failure: nothing is read then
        while (!request_.compare_exchange(seen, number, acquire, relaxed)) {
            if (seen != 0) return 0;
        }  // ends: weak, fails by itself only now and then
        return number;
    }
    // By the owner: in the end, or at its deadline.
    void end() { request_.store(0, release); }  // [U2] all that it wrote, for who stood

private:
    Atomic<uint32_t> request_{};
    Atomic<uint32_t> last_{};
};

}  // namespace detail
}  // namespace WEFT_ABI
}  // namespace weft
