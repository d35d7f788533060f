// SPDX-License-Identifier: MIT OR Apache-2.0
// A port without an interrupt for it.
// expect: weft: WEFT_PREEMPTION=1 needs a port with void interrupt(uint32_t core, void (*handler)())
// flags: -Itests/compile_fail/port -DWEFT_PREEMPTION=1 -DWEFT_URGENCY_LEVELS=2
// more: the call itself
#include <weft/weft.hpp>
