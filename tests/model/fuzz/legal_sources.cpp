// SPDX-License-Identifier: MIT OR Apache-2.0
// Generated programs: the law of strands, gates and events.
#include "legal_sources.hpp"

#include "sources.hpp"

namespace fuzz {

namespace {

bool is_harmless(const Block& block) {
    bool harmless = true;
    for_each(block, [&harmless](const Statement& one) {
        harmless = harmless && !is_of_source(one.op) && !hands_in(one.op) && !calls_in(one.op) &&
                   one.op != Op::meet && one.op != Op::forever && !ends_pool(one.op);
    });
    return harmless;
}

class SourceLaw {
public:
    SourceLaw(const Program& program, const Layout& layout, unsigned pool)
        : program_(program), layout_(layout), pool_(pool) {}

    std::string judge(unsigned workers, bool blockers) {
        for (const Core& core : program_.cores) check_arrivals(core.body, true);
        for (const Handler& handler : program_.handlers) check_arrivals(handler.body, false);
        check_arrivals(program_.gates, false);
        for_all(program_, [&](const Statement& one) {
            if (!kind_of(one.op).pool || one.pool != pool_) return;
            if (one.op == Op::strand && blocks_task(one))
                require(layout_.in_strand[pool_][one.number[0]] == 1, "who comes behind it waits, too");
            if (one.op == Op::wait && !events_.surely_come(one))
                require(is_harmless(one.blocks[0]), "what a task does that may wait for ever");
            if (may_be_early(program_, layout_, one))
                require(workers > layout_.forever[pool_], "a gate opens again when its follower has started");
            if (one.op == Op::pin && blockers)
                require(is_harmless(one.blocks[0]), "a pinned task that others wait for");
        });
        return why_;
    }

private:
    void require(bool good, const char* why) {
        if (!good && why_.empty()) why_ = why;
    }
    // Where a gate opens more than once an arrival is tried again: by a core that nobody needs meanwhile, and one
    // arrival at a time, so that it is too early or right, but not too much.
    void check_arrivals(const Block& block, bool top) {
        for (const Statement& statement : block) {
            if (statement.pool == pool_ && may_be_early(program_, layout_, statement))
                require(top && statement.number[1] == 1, "an arrival that is tried again");
            for (const Block& inner : statement.blocks) check_arrivals(inner, false);
        }
    }

    const Program& program_;
    const Layout& layout_;
    const unsigned pool_;
    const Events events_ = look_at_events(program_);
    std::string why_;
};

}  // namespace

std::string why_no_sources(const Program& program, const Layout& layout, unsigned pool, unsigned workers,
                           bool blockers) {
    return SourceLaw(program, layout, pool).judge(workers, blockers);
}

}  // namespace fuzz
