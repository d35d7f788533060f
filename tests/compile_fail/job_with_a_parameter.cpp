// SPDX-License-Identifier: MIT OR Apache-2.0
// Nobody has an argument for it.
// expect: weft: a Job's callable is called without arguments: capture what it needs
#include <weft/weft.hpp>

weft::Job job([](int) {});
