// SPDX-License-Identifier: MIT OR Apache-2.0
// weft: the mailbox of a core that is off between two entries, and who switches it on again. A port whose platform can
// do both, and tells when a core is off, has one of these for each core in place of a Mailbox.
//
//     unknown --c1--> coming --p1--> on --p2: nothing is posted--> off --c1--> coming
//        ^               |           ^                              |
//        +--c2: refused--+           +---p3: something is posted----+
//
//     the core, in its pen: p2, fence, a look at its mailbox; p3, or it switches itself off
//     who starts it: post(), fence, a look at the word; c1, and switches it on; or the core finds what was posted
//
// Store buffering: the core sees what was posted, or the other one sees `off`. If both do, p3 or c1 is first: the core
// stays; or it goes although something is posted, and is switched on for that.
//
// Who has posted takes c1, and nobody else posts before that entry is taken or revoked. So one core at a time switches
// it on. A core that comes for an entry that was revoked meanwhile finds the next one, or goes off again.
#pragma once

#include "generic/mailbox.hpp"

namespace weft {
namespace generic {

template <class Port>
class PoweredMailbox : public Mailbox<Port> {
public:
    using typename Mailbox<Port>::Entry;

    enum Power : State {
        unknown,  // never switched on by start()
        coming,   // switched on; or it is about to be, when it is off
        on,       // it has come
        off,      // it has switched itself off; or it is about to, with interrupts held off
    };

    // start_core(). switch_on() asks the platform for it: a Start. is_off(): does the platform say that it is off? Its
    // stack is not used anew before that. Waits for a core that is about to be off, for a few instructions of its own.
    template <class Start, class SwitchOn, class IsOff>
    [[gnu::always_inline]] Start start(uint32_t core, Entry entry, void* arg, SwitchOn switch_on,
                                       IsOff is_off) {
        if (!this->post(entry, arg)) return Start::refused;
        Port::fence();  // [M6]
        Power before = power();
        // c1. [M7] Ends: of another one's failure there is none, so it is on its way, or there.
        while ((before == unknown || before == off) && !step<Word, State>(power_, before, coming))
            before = power();
        bool is_here = before == coming || before == on;
        while (before == off && !is_here && !is_off()) {  // ends: it is off, or could not be switched off
            is_here = power() == on;
            Port::relax();
        }
        if (is_here) {
            Port::unpark(core);  // it may wait in its pen
            return Start::started;
        }
        const Start answer = switch_on();
        if (answer == Start::started) return answer;
        step<Word, State>(power_, coming, before);  // c2
        // Nobody will come: unless the image has sent the core to the pen by itself and it has taken the entry.
        return this->revoke(arg) ? answer : Start::started;
    }

    // The core itself, before its first look; and when it could not be switched off. p1. [M7] what was posted before c1
    void arrives() { power_.exchange(on, acquire); }

    // The core itself, in its pen, with interrupts held off, when it has found nothing. True: it switches itself off.
    bool leaves() {
        power_.store(off, relaxed);  // p2. relaxed: the fence
        Port::fence();               // [M6]
        return !this->is_posted() || !step<Word, State>(power_, off, on);
    }

    Power power() const { return static_cast<Power>(power_.load(relaxed)); }  // relaxed: guards no memory

private:
    using Word = typename Port::template Atomic<State>;

    Word power_{};
};

}  // namespace generic
}  // namespace weft
