// SPDX-License-Identifier: MIT OR Apache-2.0
// weft: the mailbox of a core that is off between two entries, and who switches it on again. A port whose platform can
// do both, and tells when a core is off, has one of these for each core in place of a Mailbox.
//
//     unknown --c0: switched on--> coming --p1--> on --p2: nothing is posted--> off --c1--> coming
//                                                  ^                            |  ^          |
//                                                  +---p3: something is posted--+  +--c2------+ not switched on
//
//     the core, in its pen: p2, fence, a look at its mailbox; p3, or it switches itself off
//     who starts it: post(), fence, a look at the word; c1, and switches it on; or the core finds what was posted
//
// Store buffering: the core sees what was posted, or the other one sees `off`. If both do, the core stays. Who took
// c1 waits until it is off, and sees that it is `on` again, or that the entry was taken.
//
// Nobody else posts before that entry is taken or revoked. So who switches a core on looks whether its entry is still
// there, when the platform has said that the core is off; and one at a time does. A core that comes for an entry that
// was revoked meanwhile finds the next one, or goes off again.
#pragma once

#include "generic/mailbox.hpp"

namespace weft {
namespace generic {

template <class Port>
class PoweredMailbox : public Mailbox<Port> {
public:
    using typename Mailbox<Port>::Entry;

    enum Power : State {
        unknown,  // never switched on by start(); the image may have sent it to its pen
        coming,   // switched on; or it is about to be, when it is off
        on,       // it has come
        off,      // it has switched itself off; or it is about to, with interrupts held off
    };

    // start_core(). is_off(): does the platform say that it is off? Its stack is not used anew before that. Waits for
    // that, at most `most_ticks`. switch_on() asks the platform for it: a Start.
    template <class Start, class IsOff, class SwitchOn>
    Start start(uint32_t core, Entry entry, void* arg, uint32_t most_ticks, IsOff is_off,
                SwitchOn switch_on) {
        if (!this->post(entry, arg)) return Start::refused;
        Port::fence();  // [M6]
        const Power before = power();
        Start answer = Start::started;
        if (before == unknown) {
            answer = switch_on();
            if (answer == Start::started)
                step<Word, State>(power_, unknown, coming);  // c0. If it is not here already
        } else if (before == off && step<Word, State>(power_, off, coming)) {  // c1
            const uint32_t begin = Port::now();
            // Ends: it is off, it could not be switched off, or the time is over.
            while (!is_off() && power() != on && Port::now() - begin < most_ticks) Port::relax();
            if (power() == on || !this->holds(arg)) {
                Port::unpark(core);
            } else {
                answer = is_off() ? switch_on() : Start::refused;
                if (answer != Start::started) step<Word, State>(power_, coming, off);  // c2
            }
        } else {
            Port::unpark(core);  // it comes, or waits in its pen
        }
        if (answer == Start::started) return answer;
        // Nobody will come: unless the image has sent the core to the pen by itself and it has taken the entry.
        return this->revoke(arg) ? answer : Start::started;
    }

    // p1. The core itself, before its first look; and when it could not be switched off. relaxed: what is posted it
    // sees by its look after p2 at the latest.
    void arrives() { power_.store(on, relaxed); }

    // The core itself, in its pen, with interrupts held off, when it has found nothing. True: it switches itself off.
    bool leaves() {
        power_.store(off, relaxed);  // p2. relaxed: the fence
        Port::fence();               // [M6]
        if (!this->is_posted()) return true;
        arrives();  // p3
        return false;
    }

    Power power() const { return static_cast<Power>(power_.load(relaxed)); }  // relaxed: guards no memory

private:
    using Word = typename Port::template Atomic<State>;

    Word power_{};
};

}  // namespace generic
}  // namespace weft
