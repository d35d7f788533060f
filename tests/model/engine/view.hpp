// SPDX-License-Identifier: MIT OR Apache-2.0
// Model checker: sizes, and View, what a core knows: how far it has seen each word's history, and which points of the
// other cores' programs happen before it.
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <string.h>

namespace weft {
namespace model {

inline constexpr unsigned max_cores = 8;
#ifndef WEFT_MODEL_WORDS
#define WEFT_MODEL_WORDS 120
#endif
inline constexpr unsigned max_words = WEFT_MODEL_WORDS;  // atomic and published words in one execution
inline constexpr unsigned max_plain = 512;               // plain words in one execution
inline constexpr unsigned max_messages = 8192;           // stores in one execution

using CoreSet = uint8_t;  // one bit per core
constexpr CoreSet bit(unsigned core) { return static_cast<CoreSet>(1u << core); }

// A point in a word's modification order, or in a core's program. 0: nothing.
using Stamp = int16_t;

// Eight lanes at a time: one SSE register. Signed, because SSE2 has a maximum for signed 16-bit lanes only.
using Block = Stamp __attribute__((vector_size(16)));
inline constexpr unsigned block_lanes = 8;

inline void join_block(Stamp* into, const Stamp* from) {
    Block a;
    Block b;
    memcpy(&a, into, sizeof a);
    memcpy(&b, from, sizeof b);
    a = a > b ? a : b;
    memcpy(into, &a, sizeof a);
}

// Lanes 0..7: happens-before clocks of the cores. Lanes 8..: one per word, the newest message the core must respect.
struct alignas(16) View {
    Stamp lane[max_cores + max_words];

    Stamp clock(unsigned core) const { return lane[core]; }
    Stamp& clock(unsigned core) { return lane[core]; }
    Stamp word(unsigned index) const { return lane[max_cores + index]; }
    Stamp& word(unsigned index) { return lane[max_cores + index]; }
};
static_assert(max_cores == block_lanes, "the clocks fill one block");
static_assert((max_cores + max_words) % block_lanes == 0, "a view is made of whole blocks");

// Operations on views touch only the blocks that the words of this execution occupy.
class ViewSpan {
public:
    void reset() { blocks_ = 1; }
    // True if the word opens a block that was not in use.
    bool admit(unsigned word) {
        const unsigned needed = (max_cores + word) / block_lanes + 1;
        if (needed <= blocks_) return false;
        blocks_ = needed;
        return true;
    }

    unsigned blocks() const { return blocks_; }
    size_t bytes() const { return blocks_ * sizeof(Block); }

    void clear(View& view) const { memset(view.lane, 0, blocks_ * sizeof(Block)); }
    void clear_last_block(View& view) const {
        memset(view.lane + (blocks_ - 1) * block_lanes, 0, sizeof(Block));
    }
    void copy(View& to, const View& from) const { memcpy(to.lane, from.lane, blocks_ * sizeof(Block)); }
    void join(View& into, const View& from) const { join_from(0, into, from); }
    // The words only: what a barrier makes visible without ordering the program points around it.
    void join_words(View& into, const View& from) const { join_from(1, into, from); }

private:
    void join_from(unsigned first, View& into, const View& from) const {
        for (unsigned block = first; block != blocks_; ++block) {
            join_block(into.lane + block * block_lanes, from.lane + block * block_lanes);
        }
    }

    unsigned blocks_ = 1;
};

}  // namespace model
}  // namespace weft
