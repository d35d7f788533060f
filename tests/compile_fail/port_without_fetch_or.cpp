// SPDX-License-Identifier: MIT OR Apache-2.0
// Every operation of a word is asked for.
// expect: weft port: Atomic<T> is missing or one of its operations has another signature
// more: the compiler goes on, and weft uses the operation
// flags: -Itests/compile_fail/port -DPORT_WITHOUT_FETCH_OR
#include <weft/weft.hpp>
