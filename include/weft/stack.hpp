// SPDX-License-Identifier: MIT OR Apache-2.0
/// @file
/// How deep the stack of each core ever was. No part of a pool: an image that calls none of it has nothing of it.
#pragma once

#include <weft/config.hpp>
#include <weft/status.hpp>

namespace weft {
inline namespace WEFT_ABI {

/// The reason of the panic when a stack has ended: found by weft in checked builds, or by an image whose hardware
/// reports an access below the end.
inline constexpr const char stack_overflow[] = "weft: the stack overflowed; give this core a larger stack";

/// How much of a core's stack was ever used: stack_use(). All numbers are bytes.
struct StackUse {
    uint32_t bytes =
        0;  ///< what was painted: from the end of the stack up to paint_stack(). 0: it is not known
    uint32_t unused =
        0;  ///< of these, at the end: what was never written. 0: the stack has probably overflowed
    /// The rest: as deep as it ever was.
    /// @context Any context.
    /// @return bytes.
    uint32_t used() const { return bytes - unused; }
};

/// Fills the unused part of the calling core's stack with a value, so that stack_use() can tell what is used from then
/// on. In start-up code, before the first task: what was deeper before is not seen. Once: a stack that is painted
/// already stays as it is. A store for each word, once. The first sixteenth (256 bytes to 2 KiB) counts as used.
/// @context Task context of any core, on the stack that Port::stack_limit() is about.
/// @return ok. unknown_core: the core has no number below Port::max_cores, or its stack's end is not known (host: the
/// main thread's, as that stack grows).
Status paint_stack();

/// How deep the stack of `core` was until now, since paint_stack() on it. A load for each word that was never used.
/// @context Any context of any core.
/// @lifetime The stack is there as long as somebody may ask for it (host: its thread).
/// @return What is known; bytes is 0 if the core has not painted its stack, or there is no such core.
StackUse stack_use(uint32_t core);

namespace detail {

// Where a core's painted stack is. Written by that core, read by any, in any context.
class StackMark {
public:
    static constexpr uint32_t paint = 0x9e3779b9;
    using Word = Published<uint32_t>;

    constexpr StackMark() = default;
    StackMark(const StackMark&) = delete;
    StackMark& operator=(const StackMark&) = delete;

    bool is_of(const Word* lowest) const { return end_.own() != 0 && lowest_.own() == address(lowest); }
    void paints(Word* lowest, Word* last, Word* end);  // from `lowest` on, in front of `last`
    StackUse look() const;

private:
    static uintptr_t address(const Word* word) { return reinterpret_cast<uintptr_t>(word); }

    Published<uintptr_t> lowest_{};
    Published<uintptr_t> end_{};  // 0: not known
};

}  // namespace detail

}  // namespace WEFT_ABI
}  // namespace weft
