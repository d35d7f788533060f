// SPDX-License-Identifier: MIT OR Apache-2.0
// There is no heap that its frame could be in.
// flags: -std=c++20
// expect: weft: the first parameter of a coroutine is a weft::FrameSource&: where its frame is
// more: that there is no heap
#include <weft/coroutine.hpp>

weft::Coroutine<void> nowhere(int);
weft::Coroutine<void> nowhere(int) { co_return; }
