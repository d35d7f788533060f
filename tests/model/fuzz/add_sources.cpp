// SPDX-License-Identifier: MIT OR Apache-2.0
// Generated programs: where strands, gates and events are put.
#include "add_sources.hpp"

#include <algorithm>

#include "make.hpp"
#include "places.hpp"

namespace fuzz {

namespace {

class Adder {
public:
    Adder(Program& program, Random& random, bool racing)
        : program_(program), random_(random), places_(program, random), racing_(racing) {}

    void add() {
        const unsigned main = random_.below(3);
        const bool strands = main == 0 || random_.chance(25);
        const bool events = main == 1 || random_.chance(25);
        const bool gates = main == 2 || random_.chance(25);
        second_ = random_.chance(30);
        if (strands) add_strands(main == 0);
        if (events) add_events(main == 1);
        if (gates) add_gates();
    }

private:
    static Statement plain(Op op, uint32_t first = 0, uint32_t second = 0) {
        Statement statement = fuzz::plain(op, 0, first, second);
        if (kind_of(op).blocks == 1) statement.blocks.resize(1);
        return statement;
    }
    uint32_t which() { return second_ && random_.chance(40) ? 1 : 0; }

    void put(const Statement& statement, bool deep) { places_.put(statement, deep); }
    // A task, with a little in it.
    Statement task(Op op) {
        Statement statement = plain(op, which());
        if (op == Op::submit) statement.number[0] = 0;
        const unsigned what = random_.weighed({70, 10, 10, 10, racing_ ? 12u : 0u});
        if (what == 1) statement.blocks[0].push_back(plain(Op::submit));
        if (what == 2) statement.blocks[0].push_back(plain(Op::strand, which()));
        if (what == 4) statement.blocks[0].push_back(plain(random_.chance(40) ? Op::shutdown : Op::abandon));
        if (what == 3) {
            Statement fork = plain(Op::fork);
            fork.blocks.resize(2);
            statement.blocks[0].push_back(fork);
        }
        return statement;
    }

    // ---- Strands

    void add_strands(bool mainly) {
        for_all(program_, [&](Statement& one) {
            if (one.op != Op::submit || !random_.chance(mainly ? 65 : 30)) return;
            one.op = Op::strand;
            one.number[0] = which();
        });
        for (unsigned left = mainly ? 1 + random_.below(3) : random_.below(2); left != 0; --left)
            put(random_.chance(20) ? chain() : task(Op::strand), true);
    }
    // Each submits the next one, so that there is one at a time: more than a burst.
    Statement chain() {
        Statement last = plain(Op::strand, which());
        const uint32_t strand = last.number[0];
        for (unsigned left = 2 + random_.below(2); left != 0; --left) {
            Statement before = plain(Op::strand, random_.chance(90) ? strand : which());
            before.blocks[0].push_back(last);
            last = before;
        }
        return last;
    }

    // ---- Events

    void add_events(bool mainly) {
        // Who gives: each that waits, one for all, anybody; or one core that takes it back.
        const unsigned answer = random_.weighed({42, 33, 17, 8});
        if (answer == 3) return put_cleared();
        for (Core& core : program_.cores) hold(core.body, mainly ? 50 : 25, answer == 0);
        for (unsigned left = 1 + random_.below(2); left != 0; --left) put_pair(answer == 0);
        const unsigned givers = answer == 0 ? random_.below(2) : 1 + random_.below(2);
        for (unsigned left = givers; left != 0; --left)
            put(plain(random_.chance(answer == 1 ? 70 : 25) ? Op::set : Op::signal, which()), answer != 1);
        if (random_.chance(12)) put(plain(Op::clear, which()), true);
    }
    // Tasks of these blocks wait from now on, some of them with a signal behind.
    void hold(Block& block, unsigned percent, bool answered) {
        for (size_t i = 0; i != block.size(); ++i) {
            for (Block& inner : block[i].blocks) hold(inner, percent, answered);
            if (block[i].op != Op::submit || !random_.chance(percent)) continue;
            const unsigned pool = block[i].pool;
            block[i].op = Op::wait;
            block[i].waits = false;
            block[i].number[0] = which();
            if (!answered && !random_.chance(10)) continue;
            Statement giver = plain(random_.chance(80) ? Op::signal : Op::set, block[i].number[0]);
            giver.pool = pool;
            block.insert(block.begin() + static_cast<std::ptrdiff_t>(i) + 1, giver);
            ++i;
        }
    }
    void put_cleared() {
        const uint32_t event = which();
        Block* const top = places_.any_top();
        if (top == nullptr) return;
        std::vector<Statement> all{plain(Op::clear, event), plain(Op::wait, event)};
        for (unsigned left = 1 + random_.below(2); left != 0; --left)
            all.insert(all.begin(), plain(random_.chance(60) ? Op::signal : Op::set, event));
        top->insert(top->begin(), all.begin(), all.end());
        if (random_.chance(50)) put(plain(Op::wait, event), true);
    }
    void put_pair(bool answered) {
        const Statement wait = task(Op::wait);
        if (!answered) return put(wait, true);
        // In a task that both stand in, or one after the other where a core begins.
        Statement both = plain(Op::submit);
        both.blocks[0] = {wait, plain(Op::signal, wait.number[0])};
        if (random_.chance(40)) return put(both, true);
        Block* const top = places_.any_top();
        if (top != nullptr) top->insert(top->begin(), both.blocks[0].begin(), both.blocks[0].end());
    }

    // ---- Gates

    void add_gates() {
        const unsigned gates = 1 + random_.weighed({80, 20});
        for (unsigned number = 0; number != gates; ++number) {
            Statement gate = plain(Op::gate, 1000);
            if (random_.chance(50))
                gate.blocks[0].push_back(task(random_.chance(60) ? Op::submit : Op::strand));
            if (number != 0 && random_.chance(50))
                program_.gates[0].blocks[0].push_back(plain(Op::arrive, number, 1));
            program_.gates.push_back(gate);
            const bool again = random_.chance(25);
            for (unsigned left = 1 + random_.weighed({20, 40, 25, 15}); left != 0; --left) {
                const uint32_t by = again || random_.chance(85) ? 1 : random_.weighed({10, 0, 80, 10});
                put(plain(Op::arrive, number, by), !again);
            }
            const unsigned sum = lay_out(program_).arrivals[number];
            program_.gates[number].number[0] = std::max(1u, arrivals_for(std::max(1u, sum), again));
        }
    }
    unsigned arrivals_for(unsigned sum, bool again) {
        if (again) return std::max(1u, sum / 2);
        const unsigned what = random_.weighed({75, 8, 8, 9});
        return what == 0 ? sum : what == 1 ? sum / 2 : what == 2 ? sum - 1 : sum + 1;
    }

    Program& program_;
    Random& random_;
    Places places_;
    const bool racing_;
    bool second_ = false;  // strands and events, two of each
};

}  // namespace

void add_sources(Program& program, Random& random, bool racing) { Adder(program, random, racing).add(); }

}  // namespace fuzz
