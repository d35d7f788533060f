// SPDX-License-Identifier: MIT OR Apache-2.0
// weft: what the host port needs from the program: nothing, unless it has signal handlers that play
// interrupts. Those open an Interrupt first, so that Port::in_isr() tells the truth in what they call:
//
//     void on_alarm(int) {
//         weft::host::Interrupt interrupt;
//         pool.submit_from_isr(task);
//     }
//
// With WEFT_PREEMPTION=1 the port takes the signal SIGURG for itself.
#pragma once

#include <errno.h>

#include "weft_port.hpp"

namespace weft {
namespace host {

class Interrupt {
public:
    Interrupt() : interrupted_errno_(errno) { isr_depth = isr_depth + 1; }
    ~Interrupt() {
        isr_depth = isr_depth - 1;
        if (isr_depth == 0 && preemption_waits) {
            preemption_waits = false;
            interrupt_self();
        }
        errno = interrupted_errno_;  // a wake is a system call; the interrupted code must not see its errno
    }
    Interrupt(const Interrupt&) = delete;
    Interrupt& operator=(const Interrupt&) = delete;

private:
    int interrupted_errno_;
};

}  // namespace host
}  // namespace weft
