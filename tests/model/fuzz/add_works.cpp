// SPDX-License-Identifier: MIT OR Apache-2.0
// Generated programs: where works are begun, waited for, and taken back.
#include "add_works.hpp"

#include <algorithm>

#include "make.hpp"
#include "places.hpp"
#include "sources.hpp"

namespace fuzz {

namespace {

class Adder {
public:
    Adder(Program& program, Random& random, bool racing)
        : program_(program), random_(random), racing_(racing) {}

    void add() {
        const bool crosses = racing_ && random_.chance(40);
        if (crosses) add_crossed();
        const unsigned count = crosses ? 2 + random_.below(2) : 1 + random_.weighed({60, 30, 10});
        for (unsigned number = crosses ? 2 : 0; number != count; ++number) add_one(number);
    }

private:
    Statement statement(Op op, unsigned number) { return plain(op, 0, number); }

    // Work 0 and 1. A core waits for the one; the other one is for this core only, and another core waits for that.
    void add_crossed() {
        for (unsigned i = 0; i != 2; ++i) {
            Statement work = plain(Op::work, 0, 0);
            work.blocks.resize(1);
            if (random_.chance(30)) work.blocks[0].push_back(plain_task());
            program_.works.push_back(work);
        }
        std::vector<unsigned> own;
        for (unsigned id = 0; id != program_.pools[0].cores && id < program_.cores.size(); ++id) {
            if (program_.cores[id].boots) own.push_back(id);
        }
        Places places(program_, random_);
        places.put(begin(0), false);
        if (own.empty()) return;
        const unsigned id = own[random_.below(static_cast<uint32_t>(own.size()))];
        Block& waits = program_.cores[id].body;
        insert(waits, place_in(waits), statement(Op::finish, 0));
        Block& others = any_block();
        size_t at = place_in(others);
        Statement pinned = statement(Op::begin, 1);
        pinned.number[1] = 2 + (random_.chance(80) ? id : random_.below(program_.pools[0].cores));
        insert(others, at++, pinned);
        insert(others, at, statement(Op::finish, 1));
    }
    void add_one(unsigned number) {
        const unsigned revokes = random_.weighed({50, 35, 15});
        Statement work = plain(Op::work, 0, random_.chance(15) ? 1 : 0);
        work.blocks.resize(1);
        if (work.number[0] == 0 && random_.chance(50)) work.blocks[0].push_back(body(revokes != 0));
        if (work.number[0] == 0 && random_.chance(5)) work.blocks[0].push_back(statement(Op::revoke, number));
        // By the one before, perhaps.
        const bool inner = number != 0 && program_.works.back().number[0] == 0 && random_.chance(35);
        program_.works.push_back(work);
        Places places(program_, random_);
        switch (inner ? 0 : random_.weighed({50, 25, 25})) {
            case 0:
                put_together(inner ? program_.works[number - 1].blocks[0] : any_block(), number, revokes);
                break;
            case 1: {  // several rounds
                Block& block = any_block();
                const size_t at = place_in(block);
                for (unsigned left = 2 + random_.below(2); left != 0; --left) {
                    Statement finish = statement(Op::finish, number);
                    insert(block, at, finish);
                    insert(block, at, begin(number));
                }
                break;
            }
            default: {  // by two
                places.put(begin(number), false);
                if (Block* const top = places.any_top())
                    insert(*top, place_in(*top), statement(Op::finish, number));
                if (Block* const top = places.any_top(); top != nullptr && random_.chance(25))
                    insert(*top, place_in(*top), statement(Op::finish, number));
            }
        }
        for (unsigned left = revokes; left != 0; --left) places.put(statement(Op::revoke, number), true);
    }
    void put_together(Block& block, unsigned number, unsigned revokes) {
        size_t at = place_in(block);
        insert(block, at++, begin(number));
        if (random_.chance(15)) return;  // nobody waits
        if (random_.chance(25)) insert(block, at++, plain_task());
        if (revokes != 0 && random_.chance(40)) insert(block, at++, statement(Op::revoke, number));
        Statement finish = statement(Op::finish, number);
        finish.number[1] = random_.chance(60) ? 1 : 0;
        insert(block, std::min(block.size(), at), finish);
    }
    Statement begin(unsigned number) {
        Statement one = statement(Op::begin, number);
        one.number[1] = random_.chance(25) ? 1 : 0;
        if (racing_ && random_.chance(30)) one.number[1] = 2 + random_.below(program_.pools[0].cores);
        return one;
    }
    Statement plain_task() {
        Statement task = plain(random_.chance(20) ? Op::strand : Op::submit);
        task.blocks.resize(1);
        return task;
    }
    Statement body(bool harmless) {
        const unsigned what = harmless ? 2 : random_.weighed({35, 20, 25, racing_ ? 20u : 0u});
        if (what == 0) return plain_task();
        if (what == 1) return plain(Op::signal);
        if (what == 3) return plain(random_.chance(60) ? Op::shutdown : Op::abandon);
        Statement fork = plain(Op::fork);
        fork.blocks.resize(2);
        return fork;
    }
    static void insert(Block& block, size_t at, const Statement& one) {
        block.insert(block.begin() + static_cast<std::ptrdiff_t>(at), one);
    }
    // Before what does not come back.
    size_t place_in(const Block& block) {
        size_t end = 0;
        while (end != block.size() && block[end].op != Op::run && block[end].op != Op::cycle &&
               block[end].op != Op::meet && block[end].op != Op::forever)
            ++end;
        return random_.below(static_cast<uint32_t>(end) + 1);
    }
    // Of a core, or of a task.
    Block& any_block() {
        std::vector<Block*> tops, tasks;
        for (Core& core : program_.cores) {
            if (core.boots) tops.push_back(&core.body);
            for_each(core.body, [&tasks](Statement& one) {
                if (hands_in(one.op) && one.op != Op::batch && one.op != Op::lot)
                    tasks.push_back(&one.blocks[0]);
            });
        }
        std::vector<Block*>& all = tasks.empty() || (!tops.empty() && random_.chance(35)) ? tops : tasks;
        if (all.empty()) return nowhere_;
        return *all[random_.below(static_cast<uint32_t>(all.size()))];
    }

    Program& program_;
    Random& random_;
    const bool racing_;
    Block nowhere_;
};

}  // namespace

void add_works(Program& program, Random& random, bool racing) { Adder(program, random, racing).add(); }

}  // namespace fuzz
