// SPDX-License-Identifier: MIT OR Apache-2.0
// Coroutines are C++20.
// expect: weft: coroutine.hpp needs -std=c++20
#include <weft/coroutine.hpp>
