// SPDX-License-Identifier: MIT OR Apache-2.0
// Generated programs: exploring and shrinking.
#include "search.hpp"

#include <algorithm>
#include <ctime>
#include <functional>
#include <set>
#include <stdexcept>

#include "engine/machine.hpp"
#include "legal.hpp"
#include "world.hpp"

namespace fuzz {

namespace model = weft::model;

namespace {

// What explore() and replay() need; refers to the program.
struct Ready {
    Layout layout;
    Demands demands;
    model::Scenario scenario;

    explicit Ready(Program& program) : layout(lay_out(program)) {
        const std::string why = why_illegal(program, layout, demands);
        if (!why.empty()) throw std::invalid_argument("not legal: " + why);
        scenario = scenario_of(program, layout, demands);
        scenario.config.steps = 12000;  // calls in nested loops take half of that
    }
};

// One way of looking: by chance with many stale reads, with none, or everything within small bounds.
struct Way {
    model::Mode mode;
    unsigned share;  // of the samples, in percent
    unsigned depth;
    unsigned stale_reads;
    bool yields = true;  // see model::Config::spinners_yield
};
constexpr Way ways[] = {
    {model::Mode::pct, 20, 3, 0},    {model::Mode::pct, 15, 3, 0, false},
    {model::Mode::pct, 20, 4, 2},    {model::Mode::pct, 10, 3, model::unbounded},
    {model::Mode::random, 20, 0, 2}, {model::Mode::random, 15, 0, model::unbounded},
};

bool look(const Ready& ready, const model::Config& config, Found& found) {
    model::Result result = explore(ready.scenario, config);
    found.executions += result.executions;
    found.steps += result.steps;
    if (result.failure == model::Failure::none) return false;
    // What the model is too small for says nothing.
    if (result.failure == model::Failure::model_limit) return false;
    // Nor does it if two loops feed each other while nobody else has a turn.
    if (result.failure == model::Failure::livelock && !config.spinners_yield) return false;
    found.result = result;
    found.config = config;
    return true;
}

}  // namespace

Found explore(Program& program, const Effort& effort) {
    const Ready ready(program);
    Found found;
    uint64_t seed = effort.seed;
    for (const Way& way : ways) {
        model::Config config = ready.scenario.config;
        config.mode = way.mode;
        config.depth = way.depth;
        config.spinners_yield = way.yields;
        config.sampled_stale_reads = way.stale_reads;
        config.executions = effort.samples * way.share / 100 + 1;
        config.seed = ++seed;
        if (look(ready, config, found)) return found;
    }
    for (unsigned bound = 0; bound != 3 && effort.exhaustive != 0; ++bound) {
        model::Config config = ready.scenario.config;
        config.preemptions = bound;
        config.stale_reads = bound == 0 ? 0 : 1;
        config.spin_returns = 1;
        config.give_up_after = effort.exhaustive / 3 + 1;
        if (look(ready, config, found)) return found;
    }
    return found;
}

model::Result replay(Program& program, const std::string& schedule, bool traced) {
    const Ready ready(program);
    return model::replay(ready.scenario, ready.scenario.config, model::parse_decisions(schedule), traced);
}

std::string minimised(Program& program, const Found& found) {
    const Ready ready(program);
    return model::to_string(model::minimise(ready.scenario, ready.scenario.config, found.result));
}

// ---- Shrinking

namespace {

using Candidate = std::function<bool(Program&)>;  // false: does not apply

// Of the processor. One whose cores spin until a far deadline takes minutes for each step.
constexpr std::clock_t most_shrinking = 120 * CLOCKS_PER_SEC;

// The block that a path leads to, and so on: statements are named by their number in the order of for_all().
Block* find_owner(Block& block, unsigned& left, size_t& index) {
    for (size_t i = 0; i != block.size(); ++i) {
        if (left-- == 0) {
            index = i;
            return &block;
        }
        for (Block& inner : block[i].blocks) {
            if (Block* const found = find_owner(inner, left, index)) return found;
        }
    }
    return nullptr;
}
Block* find_owner(Program& program, unsigned number, size_t& index) {
    for (Core& core : program.cores) {
        if (Block* const found = find_owner(core.body, number, index)) return found;
    }
    for (Handler& handler : program.handlers) {
        if (Block* const found = find_owner(handler.body, number, index)) return found;
    }
    for (Block* const list : {&program.works, &program.asleep, &program.timers}) {
        if (Block* const found = find_owner(*list, number, index)) return found;
    }
    return find_owner(program.gates, number, index);
}

bool drop_statement(Program& program, unsigned number) {
    size_t index = 0;
    Block* const owner = find_owner(program, number, index);
    if (owner != nullptr) owner->erase(owner->begin() + static_cast<std::ptrdiff_t>(index));
    return owner != nullptr;
}
// The statement makes way for what is in it.
bool open_statement(Program& program, unsigned number) {
    size_t index = 0;
    Block* const owner = find_owner(program, number, index);
    if (owner == nullptr || (*owner)[index].blocks.empty()) return false;
    Block inside;
    for (Block& block : (*owner)[index].blocks) inside.insert(inside.end(), block.begin(), block.end());
    if (inside.empty()) return false;
    owner->erase(owner->begin() + static_cast<std::ptrdiff_t>(index));
    owner->insert(owner->begin() + static_cast<std::ptrdiff_t>(index), inside.begin(), inside.end());
    return true;
}
// The gate needs one arrival less.
bool drop_arrival(Program& program, unsigned number) {
    size_t index = 0;
    Block* const owner = find_owner(program, number, index);
    if (owner == nullptr || (*owner)[index].op != Op::arrive) return false;
    const Statement arrival = (*owner)[index];
    if (arrival.number[0] >= program.gates.size()) return false;
    uint32_t& all = program.gates[arrival.number[0]].number[0];
    if (all <= arrival.number[1]) return false;
    all -= arrival.number[1];
    owner->erase(owner->begin() + static_cast<std::ptrdiff_t>(index));
    return true;
}
bool arrives(Op op) { return op == Op::arrive; }
bool calls_timer(Op op) { return is_of_timer(op) && op != Op::timer; }
// The calls of a gate or timer that goes; those of the ones behind it get their new numbers.
void drop_calls(Block& block, unsigned number, bool (*calls)(Op)) {
    for (size_t i = 0; i != block.size();) {
        Statement& one = block[i];
        for (Block& inner : one.blocks) drop_calls(inner, number, calls);
        const bool its = calls(one.op) && one.number[0] == number;
        if (calls(one.op) && one.number[0] > number) --one.number[0];
        if (its) {
            block.erase(block.begin() + static_cast<std::ptrdiff_t>(i));
        } else {
            ++i;
        }
    }
}
bool drop_one_of(Program& program, Block Program::*list, unsigned number, bool (*calls)(Op)) {
    Block& all = program.*list;
    if (number >= all.size()) return false;
    all.erase(all.begin() + static_cast<std::ptrdiff_t>(number));
    for (Core& core : program.cores) drop_calls(core.body, number, calls);
    for (Handler& handler : program.handlers) drop_calls(handler.body, number, calls);
    drop_calls(program.gates, number, calls);
    drop_calls(program.timers, number, calls);
    drop_calls(program.works, number, calls);
    return true;
}
bool change_statement(Program& program, unsigned number, unsigned how) {
    size_t index = 0;
    Block* const owner = find_owner(program, number, index);
    if (owner == nullptr) return false;
    Statement& one = (*owner)[index];
    const bool names = is_of_work(one.op) || (is_of_source(one.op) && one.op != Op::gate) ||
                       (is_of_timer(one.op) && one.op != Op::timer);
    const bool counts = kind_of(one.op).numbers != 0 && one.op != Op::pin && one.op != Op::retire &&
                        one.op != Op::admit && one.op != Op::among && one.op != Op::meet && !names;
    const bool children = kind_of(one.op).blocks < 0;
    switch (how) {
        case 0:
            if (!one.waits) return false;
            one.waits = false;
            return true;
        case 1:
            if (one.op == Op::cycle) return one.op = Op::run, true;
            if (!hands_in(one.op) || one.op == Op::submit) return false;
            one.op = Op::submit;
            one.number[0] = 0;
            return true;
        case 2:
        case 3:
            if (!counts || one.number[0] <= 1 || children) return false;
            if (how == 3 && one.op == Op::tick) return false;
            one.number[0] = how == 2 ? one.number[0] / 2 : one.number[0] - 1;
            return true;
        case 4:
            if (!children || one.number[0] == 0) return false;
            --one.number[0];
            one.blocks.pop_back();
            return true;
        case 5:
            if (!is_of_source(one.op) || !names || one.number[0] == 0) return false;
            one.number[0] = 0;
            return true;
        case 6:
            if (one.op == Op::still && one.number[1] != 0) return one.number[1] = 0, true;
            if (!arms(one.op) || one.number[2] == 0) return false;
            one.number[2] = 0;
            return true;
        case 7:
            if (!arms(one.op) || one.number[1] < 2) return false;
            one.number[1] /= 2;
            return true;
        default:
            if (one.op != Op::arrive || one.number[1] < 2) return false;
            --one.number[1];
            return true;
    }
}
bool change_core(Program& program, unsigned id, unsigned how) {
    if (id >= program.cores.size()) return false;
    Core& core = program.cores[id];
    switch (how) {
        case 0:
            if (!core.boots && core.late.empty()) return false;
            core = Core{};
            return true;
        case 1:
            if (core.late.empty()) return false;
            core.late.pop_back();
            return true;
        case 2:
            if (core.late.size() != 1 || core.late[0] == Start::normal) return false;
            core.late[0] = Start::normal;
            return true;
        case 3:
            if (core.rested || !core.boots) return false;
            core.rested = true;
            return true;
        default:  // only the last core: the others' numbers stay
            if (id + 1 != program.cores.size() || core.boots || !core.late.empty()) return false;
            program.cores.pop_back();
            return true;
    }
}
bool change_pool(Program& program, unsigned pool, unsigned how) {
    if (pool >= program.pools.size()) return false;
    PoolKind& kind = program.pools[pool];
    if (how == 0) {
        if (pool == 0) return false;
        program.pools.pop_back();
        return true;
    }
    if (how == 3) {
        if (!kind.split) return false;
        kind.split = false;
        return true;
    }
    unsigned& value = how == 1 ? kind.cores : kind.ring;
    if (value == (how == 1 ? 1 : 2)) return false;
    value = how == 1 ? value - 1 : value / 2;
    return true;
}
bool change_machine(Machinery& machine, unsigned how) {
    uint32_t* const numbers[] = {&machine.clock, &machine.per_call, &machine.spurious_parks,
                                 &machine.spurious_exchanges};
    if (how < 4) {
        if (*numbers[how] == 0) return false;
        *numbers[how] = 0;
        return true;
    }
    bool* const flags[] = {&machine.targeted, &machine.nested};
    if (how < 6) {
        if (!*flags[how - 4]) return false;
        *flags[how - 4] = false;
        return true;
    }
    if (machine.rate == 1) return false;
    machine.rate = 1;
    return true;
}

// All steps towards something smaller, large ones first.
std::vector<Candidate> candidates(const Program& program) {
    unsigned statements = 0;
    for_all(program, [&statements](const Statement&) { ++statements; });
    std::vector<Candidate> all;
    all.emplace_back([](Program& one) { return change_pool(one, 1, 0); });
    for (unsigned id = most_program_cores; id-- != 0;) {
        for (unsigned how : {0u, 4u, 1u, 2u})
            all.emplace_back([=](Program& one) { return change_core(one, id, how); });
    }
    for (unsigned i = 0; i != program.handlers.size(); ++i) {
        all.emplace_back([i](Program& one) { return one.handlers.erase(one.handlers.begin() + i), true; });
        all.emplace_back([i](Program& one) { return one.handlers[i].times-- > 1; });
    }
    for (unsigned gate = 0; gate != program.gates.size(); ++gate)
        all.emplace_back([=](Program& one) { return drop_one_of(one, &Program::gates, gate, arrives); });
    for (unsigned timer = 0; timer != program.timers.size(); ++timer)
        all.emplace_back(
            [=](Program& one) { return drop_one_of(one, &Program::timers, timer, calls_timer); });
    for (unsigned work = 0; work != program.works.size(); ++work)
        all.emplace_back([=](Program& one) { return drop_one_of(one, &Program::works, work, is_of_work); });
    for (unsigned number = 0; number != statements; ++number) {
        all.emplace_back([=](Program& one) { return drop_arrival(one, number); });
        all.emplace_back([=](Program& one) { return drop_statement(one, number); });
    }
    for (unsigned number = 0; number != statements; ++number) {
        all.emplace_back([=](Program& one) { return open_statement(one, number); });
        for (unsigned how = 0; how != 9; ++how)
            all.emplace_back([=](Program& one) { return change_statement(one, number, how); });
    }
    for (unsigned pool : {1u, 0u}) {
        for (unsigned how : {1u, 2u, 3u})
            all.emplace_back([=](Program& one) { return change_pool(one, pool, how); });
    }
    for (unsigned how = 0; how != 7; ++how)
        all.emplace_back([=](Program& one) { return change_machine(one.machine, how); });
    for (unsigned id = 0; id != most_program_cores; ++id)
        all.emplace_back([=](Program& one) { return change_core(one, id, 3); });
    return all;
}

bool same_failure(const model::Result& a, const model::Result& b) {
    if (a.failure != b.failure) return false;
    return a.failure != model::Failure::check || a.message == b.message;
}

// Several times the effort that the program before it has cost: what is smaller fails as often, or oftener.
bool still_fails(Program& program, const Found& best, Found& found) {
    try {
        Effort effort;
        effort.samples =
            static_cast<unsigned>(std::min<uint64_t>(std::max<uint64_t>(12 * best.executions, 150), 4000));
        effort.exhaustive = effort.samples / 2;
        found = explore(program, effort);
    } catch (const std::invalid_argument&) {
        return false;
    }
    return same_failure(best.result, found.result);
}

}  // namespace

Program shrink(const Program& program, const Found& found, Found& smallest) {
    Program best = program;
    smallest = found;
    std::set<std::string> tried;
    const std::clock_t begun = std::clock();
    for (bool smaller = true; smaller;) {
        smaller = false;
        // A round goes on from where the last success was: what did not help before seldom does now.
        for (size_t i = 0; i < candidates(best).size(); ++i) {
            if (std::clock() - begun > most_shrinking) return best;
            Program attempt = best;
            if (!candidates(best)[i](attempt) || !tried.insert(to_text(attempt)).second) continue;
            Found again;
            if (!still_fails(attempt, smallest, again)) continue;
            best = attempt;
            smallest = again;
            smaller = true;
            --i;
        }
    }
    return best;
}

}  // namespace fuzz
