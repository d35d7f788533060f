// SPDX-License-Identifier: MIT OR Apache-2.0
// weft: cores that core 0 calls in when it alone has started over, where no power controller tells that they have come
// (docs/RESTART.md). They start over themselves and land: they wait until core 0 has initialised memory. Its words lie
// in memory that start-up code leaves as it is; until release() nothing else is used but constants and a core's own
// stack.
#pragma once

#include <stdint.h>

#include <weft/detail/step.hpp>

#include "generic/recall.hpp"

namespace weft {
namespace generic {

template <class Port>
class Landing {
public:
    // Core 0: see generic::recall(). Who is inside is to land.
    template <class Send>
    uint32_t recall(uint32_t cores, uint32_t ticks, Send send) {
        for (uint32_t core = 1; core != cores; ++core)
            places_[core].order.store(leave, relaxed);  // relaxed: fence
        Port::fence();  // [M3] against land(): it finds no leave to go in, or is seen inside
        const auto has_left = [this](uint32_t core) {
            return places_[core].where.load(acquire) != inside;  // [M4] what it did is over
        };
        return generic::recall<Port>(cores, ticks, has_left, send);
    }

    // Core 0, when memory is initialised. Who has not come yet may go in when it has landed.
    void release(uint32_t cores) {
        for (uint32_t core = 1; core != cores; ++core) {
            // relaxed: recall() has looked
            const bool is_late = places_[core].where.load(relaxed) == inside;
            places_[core].order.store(is_late ? come_back : come,
                                      weft::release);  // [M5] memory is initialised
            Port::unpark(core);
        }
    }

    // Another core, out of reset, with interrupts off: returns when it may go in. wait() may sleep until its event.
    template <class Wait>
    void land(uint32_t core, Wait wait) {
        Place& place = places_[core];
        for (;;) {
            place.where.store(landed, weft::release);  // [M4] what it did is over
            while (!may_go_in(place)) wait();          // ends: with core 0's release()
            place.where.store(inside, relaxed);        // relaxed: fence
            Port::fence();                             // [M3] against recall()
            // It is not late any more. Changed by core 0 meanwhile: then that is what counts.
            step<Word, uint32_t>(place.order, come_back, come);
            // [M5] Core 0 may have started over, and be through again, since the look before: this one counts.
            if (place.order.load(acquire) == come) return;
        }
    }

    // In the handler: is this core to leave?  relaxed: it uses nothing after it
    bool is_recalled(uint32_t core) const { return core != 0 && places_[core].order.load(relaxed) != come; }

private:
    using Word = typename Port::template Atomic<uint32_t>;

    // Numbers that memory does not happen to hold when the power comes on.
    static constexpr uint32_t leave = 0x1ea7e000;
    static constexpr uint32_t come = 0xc0e00001;
    static constexpr uint32_t come_back = 0xc0e00002;  // leave what you are in, and come again
    static constexpr uint32_t inside = 0x105de001;
    static constexpr uint32_t landed = 0x1a4ded02;

    struct alignas(Port::cache_line) Place {
        Word order;  // core 0 writes it; `come_back` ends with the core
        typename Port::template Published<uint32_t> where;  // the core writes it
    };

    static bool may_go_in(const Place& place) {
        const uint32_t order = place.order.load(acquire);  // [M5]
        return order == come || order == come_back;
    }

    Place places_[Port::max_cores];
};

}  // namespace generic
}  // namespace weft
