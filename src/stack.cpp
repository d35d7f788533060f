// SPDX-License-Identifier: MIT OR Apache-2.0
// weft: how deep the stack of each core ever was, by paint. docs/STACKS.md, 1.
//
//     the core:    p1  end: 0    p2  lowest    p3  paint    p4  end
//     who looks:   k1  end       k2  lowest    k3  end      k4  words, until one is not paint
#include <weft/stack.hpp>

#include "internal.hpp"

namespace weft {
inline namespace WEFT_ABI {

using detail::StackMark;

namespace {

StackMark marks[Port::max_cores];

// The first part of a stack is not painted: what runs while the rest is has its frames there.
constexpr uintptr_t part = 16;
constexpr uintptr_t least_frames = 256;
constexpr uintptr_t most_frames = 2048;

}  // namespace

void StackMark::paints(Word* lowest, Word* last, Word* end) {
    end_.store(0, relaxed);                   // relaxed: what follows releases it
    lowest_.store(address(lowest), release);  // [W4] that the end is not known, before the other stack
    for (Word* word = lowest; word != last; ++word) {
        word->store(paint, relaxed);  // relaxed: what follows releases it
    }
    end_.store(address(end), release);  // [W4] the paint, before it is looked for
}

StackUse StackMark::look() const {
    StackUse seen;
    const uintptr_t end = end_.load(acquire);        // [W4] the paint
    const uintptr_t lowest = lowest_.load(acquire);  // [W4] that the end of the one before does not count
    if (end == 0 || end_.load(relaxed) != end) return seen;  // relaxed: after the other
    const Word* word = reinterpret_cast<const Word*>(lowest);
    // relaxed: no other word hangs on it
    while (address(word) != end && word->load(relaxed) == paint) ++word;
    seen.bytes = static_cast<uint32_t>(end - lowest);
    seen.unused = static_cast<uint32_t>(address(word) - lowest);
    return seen;
}

// The lowest word is the canary's.
Status paint_stack() {
    static_assert(sizeof(StackMark::Word) == sizeof(uint32_t), "words of a stack");
    const uint32_t core = Port::core_id();
    uint32_t* const limit = Port::stack_limit();
    if (core >= Port::max_cores || limit == nullptr) return Status::unknown_core;
    const uintptr_t lowest = reinterpret_cast<uintptr_t>(limit + 1);
    const uintptr_t end =
        reinterpret_cast<uintptr_t>(__builtin_frame_address(0)) / sizeof *limit * sizeof *limit;
    const uintptr_t share = (end - lowest) / part;
    const uintptr_t frames = share < least_frames ? least_frames : share > most_frames ? most_frames : share;
    if (end - lowest < frames) return Status::unknown_core;
    StackMark::Word* const words = reinterpret_cast<StackMark::Word*>(lowest);
    if (!marks[core].is_of(words)) {
        marks[core].paints(words, words + (end - frames - lowest) / sizeof *words,
                           words + (end - lowest) / sizeof *words);
    }
    return Status::ok;
}

StackUse stack_use(uint32_t core) { return core < Port::max_cores ? marks[core].look() : StackUse(); }

}  // namespace WEFT_ABI
}  // namespace weft
