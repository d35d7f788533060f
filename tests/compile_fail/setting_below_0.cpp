// SPDX-License-Identifier: MIT OR Apache-2.0
// A setting below its range: no dozens of errors that follow from it.
// expect: weft: WEFT_FORK_DEPTH must be 0..254
// most: 4
// flags: -DWEFT_FORK_DEPTH=-1
#include <weft/weft.hpp>
