// SPDX-License-Identifier: MIT OR Apache-2.0
// Fork-join, in a build that has none.
// expect: weft: fork-join needs WEFT_FORK_DEPTH of at least 1
// more: the compiler goes on after an #error
// flags: -DWEFT_FORK_DEPTH=0
#include <weft/fork_join.hpp>
