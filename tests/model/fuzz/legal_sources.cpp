// SPDX-License-Identifier: MIT OR Apache-2.0
// Generated programs: the law of strands, gates and events.
#include "legal_sources.hpp"

#include "across.hpp"
#include "moves.hpp"

#include "sources.hpp"

namespace fuzz {

namespace {

class SourceLaw {
public:
    SourceLaw(const Program& program, const Layout& layout, unsigned pool)
        : program_(program), layout_(layout), pool_(pool) {}

    std::string judge(unsigned workers, bool blockers) {
        for (const Core& core : program_.cores) check_arrivals(core.body, true);
        for (const Handler& handler : program_.handlers) check_arrivals(handler.body, false);
        check_arrivals(program_.timers, false);
        check_arrivals(program_.gates, false);
        for_all(program_, [&](const Statement& one) {
            if (!kind_of(one.op).pool || one.pool != pool_) return;
            if (one.op == Op::strand && blocks_task(one))
                require(layout_.in_strand[pool_][one.number[0]] == 1, "who comes behind it waits, too");
            if (one.op == Op::wait && !events_.surely_come(one))
                require(is_harmless(one.blocks[0], false), "what a task does that may wait for ever");
            if (may_be_early(program_, layout_, one))
                require(workers > layout_.forever[pool_], "a gate opens again when its follower has started");
            if (is_for_cores(one.op) && blockers)
                require(is_harmless(one.blocks[0], false), "a pinned task that others wait for");
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

// Somebody calls cancel(), and ends the timer: one core's own program, behind all other calls of it.
bool is_last_of(const Program& program, const Statement& drop) {
    const uint32_t timer = drop.number[0];
    unsigned all = 0;
    for_all(program, [&](const Statement& one) {
        all += is_of_timer(one.op) && one.op != Op::timer && one.number[0] == timer ? 1 : 0;
    });
    for (const Core& core : program.cores) {
        unsigned before = 0;
        for (const Statement& one : core.body) {
            if (!is_of_timer(one.op) || one.number[0] != timer) continue;
            ++before;
            if (&one == &drop) return before == all;
        }
    }
    return false;
}

}  // namespace

bool is_harmless(const Block& block, bool timers) {
    bool harmless = true;
    for_each(block, [&](const Statement& one) {
        harmless = harmless && !is_of_source(one.op) && !hands_in(one.op) && !calls_in(one.op) &&
                   one.op != Op::begin && one.op != Op::finish && (timers || !is_of_timer(one.op)) &&
                   one.op != Op::meet && one.op != Op::forever && !ends_pool(one.op);
    });
    return harmless;
}

std::string why_no_timers(const Program& program, const Layout& layout) {
    if (program.timers.empty()) return "";
    if (program.settings.timers == 0) return "a build without timers";
    if (program.pools.size() != 1 && !has_moves(program) && !has_waits_across(program))
        return "timers beside a second pool";
    // So that little time passes in all, compared with half a turn of the clock.
    constexpr uint32_t most_ticks = 100000;
    if (deadline_of(program) > most_ticks || program.machine.per_call > most_ticks) return "too fast a clock";
    std::string why;
    for (size_t i = 0; i != program.timers.size(); ++i) {
        const Statement& timer = program.timers[i];
        if (timer.op != Op::timer || timer.waits) return "a timer stands by itself";
        if (layout.timers[i].periodic && timer.number[0] == 0) return "a timer that runs for ever";
    }
    for_all(program, [&](const Statement& one) {
        if (one.op == Op::tick && one.number[0] > most_ticks) why = "too many ticks";
        const bool counts = arms(one.op) && (is_in_range(one) || one.op == Op::at);
        if (counts && (one.number[1] > most_ticks || (is_in_range(one) && one.number[2] > most_ticks)))
            why = "too many ticks";
        // Else whoever looks finds it due each time, and never sleeps. A core that may leave reads the clock more
        // often.
        const uint32_t reads = program.settings.elastic != 0 ? 24 : 8;
        if (one.op == Op::every && is_in_range(one) && one.number[1] <= reads * program.machine.per_call)
            why = "a period that is shorter than a look";
        if (one.op != Op::drop) return;
        // Its follower may cancel it.
        const Layout::Timer& its = layout.timers[one.number[0]];
        if ((its.periodic && its.once) || !is_last_of(program, one))
            why = "a timer that ends while it is used";
    });
    return why;
}

std::string why_no_sources(const Program& program, const Layout& layout, unsigned pool, unsigned workers,
                           bool blockers) {
    return SourceLaw(program, layout, pool).judge(workers, blockers);
}

}  // namespace fuzz
