// SPDX-License-Identifier: MIT OR Apache-2.0
// Generated programs: the law of works. "Who waits only for what it has submitted itself is safe" (work.hpp): so does
// each task. A core's own program may wait for what another one submits, as nothing waits for a core.
#include "legal_works.hpp"

#include "legal_sources.hpp"
#include "moves.hpp"
#include "sources.hpp"

namespace fuzz {

namespace {

class WorkLaw {
public:
    WorkLaw(const Program& program, const Layout& layout, unsigned number)
        : program_(program), layout_(layout), number_(number), its_(layout.works[number]) {}

    std::string judge() {
        const Statement& work = program_.works[number_];
        if (work.op != Op::work || work.waits || work.number[0] > 1) return "a work stands by itself";
        if (work.number[0] == 1 && !work.blocks[0].empty()) return "a completion does nothing";
        if (its_.begins == 0) return "a work that nobody submits";
        if (!its_.sure && !is_harmless(work.blocks[0], false))
            return "what a work does that may be cancelled";
        for (const Core& core : program_.cores) walk(core.body, true, true);
        for (const Handler& handler : program_.handlers) walk(handler.body, false, handler.times == 1);
        for (const Block* const list : {&program_.works, &program_.asleep, &program_.timers, &program_.gates})
            walk(*list, false, false);
        if (why_.empty() && its_.told && !has_moves(program_) && (is_waited_for_ || its_.begins != 1))
            return "a wait for who may not leave";
        if (why_.empty() && others_wait_ && !(certain_ && its_.begins == 1))
            return "a wait for what may not come";
        if (why_.empty() && ends_ && last_ != all_) return "a work that ends while it is used";
        return why_;
    }

private:
    void require(bool good, const char* why) {
        if (!good && why_.empty()) why_ = why;
    }
    bool is_its(const Statement& one) const { return is_of_work(one.op) && one.number[0] == number_; }

    // `top`: a core's own program. `sure`: it is executed whatever the others do.
    void walk(const Block& block, bool top, bool sure) {
        unsigned here = 0;   // statements about it
        unsigned begun = 0;  // in this block
        bool waited = true;  // for the last one
        for (const Statement& one : block) {
            if (is_its(one)) {
                ++here, ++all_;
                if (begins(one.op)) {
                    require(its_.begins == 1 || waited, "a round that is begun before the last one is done");
                    require(its_.begins == 1 || home_ == nullptr || home_ == &block, "rounds by several");
                    home_ = &block;
                    ++begun, waited = false;
                    certain_ = certain_ || sure;
                }
                if (one.op == Op::finish) {
                    is_waited_for_ = true;
                    require(begun != 0 || top, "a task waits for what it has not submitted");
                    require(its_.begins == 1 || begun != 0, "a wait for a round that may be over");
                    if (begun == 0) others_wait_ = true;
                    waited = true;
                    require(one.number[1] <= 1 && !ends_, "a work that ends while it is used");
                    if (one.number[1] == 1) ends_ = true, last_ = here;
                }
            }
            if (may_hold_up(one)) sure = false;
            for (const Block& inner : one.blocks) walk(inner, false, false);
        }
        if (home_ == &block) require(its_.begins == 1 || begun == its_.begins, "rounds by several");
    }

    const Program& program_;
    const Layout& layout_;
    const unsigned number_;
    const Layout::Work& its_;
    const Block* home_ = nullptr;  // of those that begin it
    unsigned all_ = 0, last_ = 0;  // statements about it: all; up to its end, in that block
    bool certain_ = false, others_wait_ = false, ends_ = false, is_waited_for_ = false;
    std::string why_;
};

std::string why_no_function(const Program& program) {
    if (program.asleep.empty()) return "";
    if (program.settings.rest == 0) return "not in this build";
    if (program.pools.size() != 1) return "a function beside a second pool";
    const Statement& asleep = program.asleep[0];
    if (asleep.op != Op::asleep || asleep.number[0] > 2) return "a function stands by itself";
    for (const Statement& one : asleep.blocks[0]) {
        if (one.op == Op::offer) continue;
        if (one.op != Op::submit || one.waits || !is_harmless(one.blocks[0], false))
            return "a function submits, and little else";
        bool plain = true;
        for_each(one.blocks[0],
                 [&plain](const Statement& inner) { plain = plain && inner.op != Op::revoke; });
        if (!plain) return "a function submits, and little else";
    }
    return "";
}

}  // namespace

std::string why_no_works(const Program& program, const Layout& layout) {
    for (unsigned i = 0; i != program.works.size(); ++i) {
        const std::string why = WorkLaw(program, layout, i).judge();
        if (!why.empty()) return why;
    }
    return why_no_function(program);
}

}  // namespace fuzz
