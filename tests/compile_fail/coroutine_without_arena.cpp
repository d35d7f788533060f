// SPDX-License-Identifier: MIT OR Apache-2.0
// There is no heap for its frame.
// expect: deleted
// flags: -std=c++20
// more: what follows from it
#include <weft/coroutine.hpp>

weft::Coroutine<void> nowhere() {
    co_return;
}
