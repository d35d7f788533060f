// SPDX-License-Identifier: MIT OR Apache-2.0
// Model: the paint of a stack, which others look at (src/stack.cpp). Edge W4.
#include <weft/weft.hpp>

#include "engine/scenario.hpp"

namespace {

namespace model = weft::model;
using weft::relaxed;
using weft::StackUse;
using weft::detail::StackMark;

// A stack of three words, and one of two with one that is not painted; no word beside them has paint.
struct Painted {
    static constexpr uint32_t bytes_of_word = sizeof(StackMark::Word);
    StackMark mark;
    StackMark::Word words[7];

    void starts() {
        mark.paints(&words[0], &words[3], &words[3]);
        words[2].store(1, relaxed);  // relaxed (all): as the core's stack
        words[1].store(2, relaxed);
        words[1].store(3, relaxed);
    }
    void has_another_stack() { mark.paints(&words[4], &words[5], &words[6]); }
    void looks() {
        const StackUse seen = mark.look();
        if (seen.bytes == 0) return model::check(seen.unused == 0, "nothing is said");
        model::check(seen.bytes == 3 * bytes_of_word || seen.bytes == 2 * bytes_of_word, "one of the stacks");
        model::check(seen.unused >= bytes_of_word, "the lowest word was never used");
        model::check(seen.unused <= seen.bytes, "no more than there is");
    }
};

// Result: Never (paint that is not there yet counts as used). Another core looks, at any time.
struct PaintFromAfar : Painted {
    void cores(model::Program& on) {
        on.core(0, [this] { starts(); });
        on.core(1, [this] { looks(), looks(); });
    }
};
MODEL_SCENARIO(paint_from_afar, PaintFromAfar).preemptions(2).stale_reads(3);

// Result: Never (the end of one stack, and the lowest word of the other).
struct PaintOfAnotherStack : Painted {
    void cores(model::Program& on) {
        on.core(0, [this] { starts(), has_another_stack(); });
        on.core(1, [this] { looks(); });
    }
};
MODEL_SCENARIO(paint_of_another_stack, PaintOfAnotherStack).preemptions(2).stale_reads(3);

// Result: Never. A handler on top of who paints.
struct PaintInAHandler : Painted {
    void cores(model::Program& on) {
        on.core(0, [this] { starts(), has_another_stack(); });
        on.interrupt(
            0, [this] { looks(); }, 2);
    }
};
MODEL_SCENARIO(paint_in_a_handler, PaintInAHandler);

}  // namespace
