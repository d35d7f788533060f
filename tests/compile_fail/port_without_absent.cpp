// SPDX-License-Identifier: MIT OR Apache-2.0
// The answers of start_core() are part of the contract.
// expect: weft port: needs max_cores > 0, cache_line
// flags: -Itests/compile_fail/port -DPORT_WITHOUT_ABSENT
#include <weft/weft.hpp>
