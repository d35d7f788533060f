// SPDX-License-Identifier: MIT OR Apache-2.0
// weft: start_core() and its kin for Arm cores that the image switches on, by weft_image_power_on(). That is called for
// a core once; from then on the core waits in the pen whenever no entry runs on it. A port includes this after
// weft/port.hpp, which brings its weft_image.hpp.
#pragma once

#include <stdint.h>

#include "generic/mailbox.hpp"

namespace weft {
namespace generic {

#if WEFT_QUIESCE
[[maybe_unused]] WEFT_RAM_CODE static void stand_in_pen(Mailbox<weft::Port>& mailbox) { mailbox.stand(); }
#endif

template <class Port>
class SwitchedCores {
public:
    using Start = typename Port::Start;
    using Entry = void (*)(void*);

    [[gnu::always_inline]] Start start(uint32_t core, Entry entry, void* arg) {
        if (core >= Port::max_cores) return Start::absent;
        const uint32_t self = Port::core_id();
        // This core is on, and if not by us, then by the image.
        if (self < Port::max_cores) step<Word, State>(cores_[self].power, off, elsewhere);

        Switched& its = cores_[core];
        if (!its.post(entry, arg)) return Start::refused;
        // It is posted: nobody else is in here for this core, and the core, whenever it comes, finds its entry.
        // relaxed: the state guards no memory, and the revoke() that follows shows it to the next one who posts. What a
        // started core reads comes to it through its mailbox.
        State power = its.power.load(relaxed);
        if (power == off) {
            // DSB: the mailbox is complete before the write to some device that lets the core run.
            asm volatile("dsb" ::: "memory");
            power = weft_image_power_on(core) == 0 ? on : missing;
            its.power.store(power, relaxed);  // relaxed: see above
        }
        // A core that ran the image's code may have entered the pen just now and taken the entry: then it is started.
        if (power != on && its.revoke(arg)) return answer(power);
        Port::unpark(core);  // it may be waiting in the pen
        return Start::started;
    }

    bool cancel(uint32_t core, void* arg) { return cores_[core].revoke(arg); }

    // The core itself.
    void vacate() { cores_[Port::core_id()].done(); }

    // The core itself: its pen.
    [[noreturn]] void wait(uint32_t core) {
        Switched& its = cores_[core];
        its.power.store(on, relaxed);  // relaxed: guards no memory
#if WEFT_QUIESCE
        wait_in_pen<Port>(its, stand_in_pen);
#else
        wait_in_pen<Port>(its);
#endif
    }

#if WEFT_QUIESCE
    // Of one that was switched on: does it stand in its pen?
    uint32_t pen_turn(uint32_t core) const {
        if (core >= Port::max_cores) return 1;
        const Switched& its = cores_[core];
        const uint32_t turn = its.turn();  // first: what it did when it was switched on shows that it is
        return its.power.load(relaxed) != on ? turn : its.pen_turn();  // relaxed: [M2] in turn()
    }
#endif

private:
    // From `on` on, each state is the answer of start().
    enum Power : State {
        off,        // never switched on by start()
        on,         // started: in the pen, on its way there, or in an entry
        elsewhere,  // refused: runs the image's own code, as the boot core does, unless it enters the pen itself
        missing,  // absent: the image says that there is no such core
    };

    static constexpr Start answer(State power) { return static_cast<Start>(power - on); }
    static_assert(static_cast<int>(Start::started) == 0 &&
                      static_cast<int>(Start::refused) == elsewhere - on &&
                      static_cast<int>(Start::absent) == missing - on,
                  "weft port: Power and Port::Start go together");

    using Word = typename Port::template Atomic<State>;
    struct alignas(16) Switched : Mailbox<Port> {  // the size makes its address a shift
        Word power;
    };

    Switched cores_[Port::max_cores];
};

}  // namespace generic
}  // namespace weft
