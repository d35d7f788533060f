// SPDX-License-Identifier: MIT OR Apache-2.0
// A port that cannot hold interrupts off.
// expect: weft: WEFT_QUIESCE=1 needs a port with hold_interrupts(), release_interrupts(uint32_t)
// flags: -Itests/compile_fail/port -DWEFT_QUIESCE=1
// more: the calls themselves
#include <weft/weft.hpp>
