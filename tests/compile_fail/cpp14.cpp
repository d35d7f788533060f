// SPDX-License-Identifier: MIT OR Apache-2.0
// An older language.
// expect: weft: needs C++17: -std=c++17
// more: the compiler goes on after an #error
// flags: -std=c++14
#include <weft/weft.hpp>
