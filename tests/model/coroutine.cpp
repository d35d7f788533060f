// SPDX-License-Identifier: MIT OR Apache-2.0
// Model: the two parts of coroutines that several cores share, without coroutines, which are C++20: the blocks of an
// arena, and the count of those that one waits for. Edges Y1, Y2.
#include <weft/detail/coroutine_group.hpp>
#include <weft/frame_arena.hpp>

#include "tasks.hpp"

namespace {

using weft::detail::CoroutineGroup;
using weft::detail::FrameAccess;

// Cores that take blocks, write what only a block's owner may write, and give them back.
template <unsigned blocks, unsigned users>
struct Frames {
    static constexpr size_t bytes = 64;
    weft::FrameArena<bytes, blocks> arena;
    weft::Plain<uint32_t> owned[blocks];  // in place of the frames: words that the model sees
    uint32_t taken = 0;

    void write(void* frame) {
        const size_t block = static_cast<size_t>(static_cast<unsigned char*>(frame) -
                                                 reinterpret_cast<unsigned char*>(&arena)) /
                             bytes % blocks;
        owned[block].set(owned[block].get() + 1);  // a race, if two own it or do not see each other
    }
    void* take() {
        void* const frame = FrameAccess::take(arena, 8);
        if (frame == nullptr) return nullptr;
        ++taken;
        write(frame);
        return frame;
    }
    void give_back(void* frame) {
        write(frame);
        FrameAccess::give_back(frame);
    }
    void finish() {
        model::check(arena.used() == 0, "all blocks are back");
        model::check(arena.most_used() >= 1 && arena.most_used() <= blocks, "never more than there are");
        uint32_t writes = 0;
        for (const auto& one : owned) writes += one.get();
        model::check(writes == 2 * taken, "each owner wrote to its block");
        void* all[blocks];
        for (void*& each : all) model::check((each = FrameAccess::take(arena, 8)) != nullptr, "it is free");
        model::check(FrameAccess::take(arena, 8) == nullptr, "there are no more");
    }
};

// Result: Never (a race, a block that is lost). One block: who gets it sees what its last owner did. Who finds it taken
// is refused.
struct OneBlock : Frames<1, 3> {
    void cores(model::Program& on) {
        for (unsigned core = 0; core != 3; ++core) {
            on.core(core, [this] {
                if (void* const frame = take()) give_back(frame);
            });
        }
    }
};
MODEL_SCENARIO(frames_one_block, OneBlock);

// Result: Never (refused). As many blocks as there are cores that hold one: each gets one, again and again.
struct Enough : Frames<2, 2> {
    void cores(model::Program& on) {
        for (unsigned core = 0; core != 2; ++core) {
            on.core(core, [this] {
                for (unsigned round = 0; round != 2; ++round) {
                    void* const frame = take();
                    model::check(frame != nullptr, "there are enough");
                    give_back(frame);
                }
            });
        }
    }
};
MODEL_SCENARIO(frames_enough_blocks, Enough);

// Result: Never. A frame is taken on one core and ends on another one, while a third one takes the other block.
struct ElsewhereEnds : Frames<2, 2> {
    weft::Atomic<void*> handed{nullptr};
    void cores(model::Program& on) {
        on.core(0, [this] {
            void* const frame = take();
            model::check(frame != nullptr, "there are enough");
            handed.store(frame, weft::release);
        });
        on.core(1, [this] {
            void* frame = nullptr;
            while ((frame = handed.load(weft::acquire)) == nullptr) weft::Port::relax();
            give_back(frame);
        });
        on.core(2, [this] {
            for (unsigned round = 0; round != 2; ++round) {
                if (void* const frame = take()) give_back(frame);
            }
        });
    }
};
MODEL_SCENARIO(frames_end_on_another_core, ElsewhereEnds);

// One that waits for `children` others, of which some are refused: they have begun nowhere. Who is last goes on, sees
// what all wrote, and ends the frame that the count is in.
template <unsigned children, unsigned refused>
struct Waits {
    static constexpr unsigned begun = children - refused;
    CoroutineGroup group;
    weft::Atomic<uint32_t> submitted{0};  // in place of the pool
    weft::Plain<uint32_t> result[begun];
    weft::Plain<uint32_t> status{0};
    uint32_t gone_on = 0;

    void goes_on() {
        ++gone_on;
        for (const auto& each : result) model::check(each.get() == 7, "all have ended");
        model::check(status.get() == refused, "the parent has submitted all");
        model::end_of_life(group);
    }
    void cores(model::Program& on) {
        on.core(0, [this] {
            group.begin(children + 1);
            for (unsigned child = 0; child != begun; ++child) submitted.store(child + 1, weft::release);
            status.set(refused);
            if (group.end(1 + refused)) goes_on();
        });
        for (unsigned child = 0; child != begun; ++child) {
            on.core(1 + child, [this, child] {
                while (submitted.load(weft::acquire) <= child) weft::Port::relax();
                result[child].set(7);
                if (group.end()) goes_on();
            });
        }
    }
    void finish() { model::check(gone_on == 1, "one goes on, and only one"); }
};

// Result: Never.
struct TwoChildren : Waits<2, 0> {};
MODEL_SCENARIO(group_of_two, TwoChildren);

// Result: Never. One has nowhere begun: the one that waits counts it with its own part.
struct OneIsRefused : Waits<3, 1> {};
MODEL_SCENARIO(group_with_a_refused_one, OneIsRefused);

// Result: Never. A single one, which may end before the one that waits has done with the count.
struct OneChild : Waits<1, 0> {};
MODEL_SCENARIO(group_of_one, OneChild);

}  // namespace
