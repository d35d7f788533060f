// SPDX-License-Identifier: MIT OR Apache-2.0
// Generated programs: what timers do, and where they are started and cancelled.
#include "add_timers.hpp"

#include <algorithm>

#include "make.hpp"
#include "places.hpp"

namespace fuzz {

namespace {

enum class Kind : uint8_t {
    once,      // started once, for one run
    periodic,  // likewise, for some
    again,     // its follower starts it again
    many,      // started and cancelled by anybody
};

class Adder {
public:
    Adder(Program& program, Random& random, bool racing, bool endless)
        : program_(program), random_(random), places_(program, random), racing_(racing), endless_(endless) {}

    void add() {
        slow_down();
        const bool waiting = !racing_ && program_.pools[0].cores != 1 && random_.chance(35);
        if (waiting) add_waiting();
        const unsigned timers = waiting ? random_.weighed({60, 40}) : 1 + random_.weighed({50, 40, 10});
        for (unsigned left = timers; left != 0; --left) {
            const unsigned number = static_cast<unsigned>(program_.timers.size());
            add_timer(number, static_cast<Kind>(random_.weighed({34, 20, 16, 30})));
        }
        if (!random_.chance(35)) return;
        for (unsigned left = 1 + random_.below(2); left != 0; --left) put_tick();
    }

private:
    // Half a turn of the clock must not pass.
    void slow_down() {
        Machinery& machine = program_.machine;
        if (machine.rate > 10) machine.rate = random_.chance(70) ? 1 : 10;
        machine.per_call = std::min(machine.per_call, random_.below(4));
        for_all(program_, [this](Statement& one) {
            if (one.op == Op::tick) one.number[0] = ticks();
        });
    }
    uint32_t ticks() { return random_.one_of<uint32_t>({1, 5, 10, 20, 50, 100}); }
    void put_tick() {
        Block* const top = places_.any_top();
        if (top != nullptr)
            top->insert(top->begin() + random_.below(below_the_last(*top)), plain(Op::tick, 0, ticks()));
    }
    static uint32_t below_the_last(const Block& block) { return static_cast<uint32_t>(block.size()) + 1; }

    void add_timer(unsigned number, Kind kind) {
        Statement timer = plain(Op::timer, 0, kind == Kind::once ? 1 : 1 + random_.below(3));
        timer.blocks.resize(1);
        Block& body = timer.blocks[0];
        const bool free = racing_ || endless_ || kind != Kind::many;
        if (random_.chance(free ? 50 : 20)) body.push_back(work(free));
        if (kind == Kind::again)
            body.insert(body.begin() + random_.below(below_the_last(body)), start(number, true));
        if (kind == Kind::many && random_.chance(25)) body.push_back(start(number, true));
        if (kind == Kind::many && random_.chance(10)) body.push_back(plain(Op::cancel, 0, number));
        program_.timers.push_back(timer);
        if (number != 0 && random_.chance(15)) {
            // By the one before. Else the one before runs too often to be sure.
            program_.timers[number - 1].blocks[0].push_back(start_of(kind, number));
        } else {
            put(start_of(kind, number));
        }
        if (kind != Kind::many) return;
        if (random_.chance(30)) return put_together(number);
        for (unsigned left = random_.below(3); left != 0; --left) put(start_of(kind, number));
        const unsigned cancels = random_.weighed({35, 45, 20});
        for (unsigned left = cancels; left != 0; --left) put(plain(Op::cancel, 0, number));
        if (cancels == 0 && random_.chance(50)) put_together(number);
    }
    // A task waits for a run, or for ever, while another core sleeps. The first timer, if it has one.
    void add_waiting() {
        for (unsigned id = 0; id != program_.pools[0].cores; ++id) {
            Core& core = program_.cores[id];
            const bool works = !core.body.empty() && core.body.back().op == Op::run;
            if (works || !random_.chance(85)) continue;
            core = Core{};
            core.boots = true;
            core.rested = random_.chance(75);
            core.body.push_back(plain(Op::run));
        }
        Statement task = plain(Op::submit);
        task.blocks = {{plain(Op::forever)}};
        if (!endless_ || random_.chance(50)) {
            task.blocks[0][0] = plain(Op::meet, 0, 1);
            Statement timer = plain(Op::timer, 0, 1);
            timer.blocks = {{plain(Op::meet, 0, 1)}};
            program_.timers.push_back(timer);
            put(start(0, false));
        }
        put(task);
    }
    // Started, once or twice, and perhaps cancelled by one core alone.
    void put_together(unsigned number) {
        Block* const top = places_.any_top();
        if (top == nullptr) return;
        const size_t at = random_.below(below_the_last(*top));
        std::vector<Statement> all{start_of(Kind::many, number)};
        if (random_.chance(50)) all.push_back(start_of(Kind::many, number));
        if (random_.chance(40)) all.push_back(plain(Op::tick, 0, ticks()));
        if (random_.chance(50)) all.push_back(plain(random_.chance(70) ? Op::drop : Op::cancel, 0, number));
        for (Core& core : program_.cores) take_away(core.body, number);
        for (Handler& handler : program_.handlers) take_away(handler.body, number);
        const auto where = static_cast<std::ptrdiff_t>(std::min(at, top->size()));
        top->insert(top->begin() + where, all.begin(), all.end());
    }
    static void take_away(Block& block, unsigned number) {
        for (Statement& one : block) {
            for (Block& inner : one.blocks) take_away(inner, number);
        }
        const auto is_start = [number](const Statement& one) {
            return arms(one.op) && one.number[0] == number;
        };
        block.erase(std::remove_if(block.begin(), block.end(), is_start), block.end());
    }
    void put(const Statement& statement) { places_.put(statement, true); }

    Statement start_of(Kind kind, unsigned number) {
        if (kind == Kind::periodic || (kind == Kind::many && random_.chance(30))) return periodic(number);
        return start(number, false);
    }
    Statement periodic(unsigned number) {
        const uint32_t period = random_.one_of<uint32_t>({10, 10, 20, 50});
        Statement statement = plain(Op::every, 0, number, period);
        if (random_.chance(25)) statement.number[2] = random_.below(period);
        if (random_.chance(2)) statement.number[random_.below(2) + 1] = random_.chance(50) ? 0 : period;
        return statement;
    }
    Statement start(unsigned number, bool soon) {
        const uint32_t delay = random_.one_of<uint32_t>({0, 1, 10, 10, 20, 50});
        const bool at = !soon && random_.chance(40);
        Statement statement =
            plain(at ? Op::at : Op::after, 0, number, at && random_.chance(30) ? 100 : delay);
        if (random_.chance(25)) statement.number[2] = random_.one_of<uint32_t>({1, 7, 10, 60});
        if (random_.chance(2)) statement.number[at ? 2 : 1 + random_.below(2)] = 0x80000000u;
        return statement;
    }

    // What a follower does; `free`: others may wait for it.
    Statement work(bool free) {
        const unsigned what = random_.weighed({28, 20, 20, 12, 10, 10});
        if (what == 5) return plain(Op::tick, 0, ticks());
        Statement statement = plain(Op::submit);
        if (what == 1) statement = plain(Op::strand);
        if (what == 2 && program_.gates.empty()) return plain(random_.chance(60) ? Op::signal : Op::set);
        if (what == 2)
            return plain(Op::arrive, 0, random_.below(static_cast<uint32_t>(program_.gates.size())), 1);
        if (what == 3 && racing_) return plain(random_.chance(60) ? Op::shutdown : Op::abandon);
        if (what >= 3 || !free) {
            statement = plain(Op::fork);
            statement.blocks.resize(2);
            return statement;
        }
        statement.blocks.resize(1);
        return statement;
    }

    Program& program_;
    Random& random_;
    Places places_;
    const bool racing_;
    const bool endless_;
};

}  // namespace

void add_timers(Program& program, Random& random, bool racing, bool endless) {
    Adder(program, random, racing, endless).add();
}

void add_late_cancels(Program& program, Random& random) {
    for (Core& core : program.cores) {
        if (core.body.empty() || core.body.back().op != Op::join || program.timers.empty()) continue;
        if (!random.chance(40)) continue;
        const uint32_t number = random.below(static_cast<uint32_t>(program.timers.size()));
        core.body.push_back(plain(random.chance(60) ? Op::drop : Op::cancel, 0, number));
        if (random.chance(10)) core.body.push_back(plain(Op::after, 0, number, 10));
    }
}

}  // namespace fuzz
