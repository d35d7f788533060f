// SPDX-License-Identifier: MIT OR Apache-2.0
// Objects of two ports must not link, so a port has a name.
// expect: weft: weft_port.hpp must define WEFT_PORT_NAME
// flags: -Itests/compile_fail/port -DPORT_WITHOUT_NAME
#include <weft/weft.hpp>
