// SPDX-License-Identifier: MIT OR Apache-2.0
// Model checker, self-test: random programs.
#include "random_program.hpp"

#include "sites.hpp"

namespace litmus {

namespace {

using weft::Order;
using weft::Port;

class Random {
public:
    explicit Random(uint32_t seed) : state_(seed * 0x9e3779b97f4a7c15u + 1) {}
    unsigned below(unsigned bound) {
        state_ ^= state_ << 13;
        state_ ^= state_ >> 7;
        state_ ^= state_ << 17;
        return static_cast<unsigned>(state_ >> 33) % bound;
    }

private:
    uint64_t state_;
};

Instruction make_instruction(Random& random, Flavour flavour, unsigned cores) {
    static const Step word_steps[] = {Step::load,  Step::load,  Step::load, Step::store,
                                      Step::store, Step::store, Step::add,  Step::exchange_if_zero,
                                      Step::fence};
    static const Step machine_steps[] = {
        Step::load,  Step::load, Step::store, Step::store, Step::add, Step::exchange_if_zero,
        Step::fence, Step::poll, Step::park,  Step::unpark};
    static const Order of_load[] = {Order::relaxed, Order::acquire};
    static const Order of_store[] = {Order::relaxed, Order::release};
    Instruction made = {};
    made.step =
        flavour == Flavour::words_only ? word_steps[random.below(9)] : machine_steps[random.below(10)];
    made.word = static_cast<uint8_t>(random.below(RandomProgram::words));
    made.value = static_cast<uint8_t>(1 + random.below(3));
    switch (made.step) {
        case Step::load: made.order = of_load[random.below(2)]; break;
        case Step::store: made.order = of_store[random.below(2)]; break;
        case Step::poll:
            made.order = of_load[random.below(2)];
            made.value = 2;
            break;
        case Step::unpark: made.word = static_cast<uint8_t>(random.below(cores)); break;
        default: made.order = static_cast<Order>(random.below(4)); break;
    }
    return made;
}

// What one execution of a program works on.
struct State {
    weft::Atomic<uint32_t> word[RandomProgram::words];
    char seen[RandomProgram::most_cores + 1][RandomProgram::most_instructions];

    State() {
        for (auto& row : seen) {
            for (char& digit : row) digit = '-';
        }
    }
};

uint32_t poll(weft::Atomic<uint32_t>& word, const Instruction& instruction) {
    for (unsigned round = 0; round + 1 < instruction.value; ++round) {
        const uint32_t value = word.load(instruction.order);
        if (value != 0) return value;
        Port::relax();
    }
    return word.load(instruction.order);
}

void run(State& state, const Body& body, char* seen);

struct Late {
    State* state;
    const Body* body;
    char* seen;
};

void run_late(void* argument) {
    const Late& late = *static_cast<Late*>(argument);
    run(*late.state, *late.body, late.seen);
}

uint32_t execute(State& state, const Instruction& instruction) {
    weft::Atomic<uint32_t>& word = state.word[instruction.word % RandomProgram::words];
    uint32_t expected = 0;
    switch (instruction.step) {
        case Step::load: return word.load(instruction.order);
        case Step::store: word.store(instruction.value, instruction.order); return 0;
        case Step::add: return word.fetch_add(instruction.value, instruction.order);
        case Step::exchange_if_zero:
            word.compare_exchange(expected, instruction.value, instruction.order,
                                  instruction.order == Order::acq_rel ? Order::acquire : Order::relaxed);
            return expected;
        case Step::fence: Port::fence(); return 0;
        case Step::poll: return poll(word, instruction);
        case Step::park: Port::park(); return 1;
        case Step::unpark: Port::unpark(instruction.word); return 0;
        case Step::start: return 0;  // see run()
    }
    return 0;
}

// No heap in a body: it would not be copied with the machine.
void run_one(State& state, const Instruction& instruction, char& seen) {
    const uint32_t value = execute(state, instruction);
    const bool silent = instruction.step == Step::store || instruction.step == Step::fence ||
                        instruction.step == Step::unpark;
    if (!silent) seen = static_cast<char>('0' + value);
}

void run(State& state, const Body& body, char* seen) {
    for (size_t i = 0; i != body.size(); ++i) run_one(state, body[i], seen[i]);
}

std::string outcome_of(State& state) {
    std::string text;
    for (const auto& row : state.seen) text.append(row, RandomProgram::most_instructions);
    for (auto& word : state.word) text += static_cast<char>('0' + word.load(weft::relaxed));
    return text;
}

}  // namespace

std::string RandomProgram::text() const {
    static const char* const names[] = {"load", "store", "add",    "cas",  "fence",
                                        "poll", "park",  "unpark", "start"};
    std::string all;
    const auto add = [&all](const Body& body) {
        for (const Instruction& instruction : body) {
            all += std::string(names[static_cast<unsigned>(instruction.step)]) + " " +
                   std::to_string(instruction.word) + " " + std::to_string(instruction.value) + " " +
                   model::name_of(instruction.order) + "; ";
        }
    };
    for (const Body& body : bodies) {
        add(body);
        all += "|| ";
    }
    if (last_core_is_late) all += "(late) ";
    if (!handler.empty()) {
        all += handler_must_run ? "interrupt that must come: " : "interrupt: ";
        add(handler);
    }
    return all;
}

RandomProgram make_program(uint32_t seed, Flavour flavour) {
    Random random(seed);
    RandomProgram program;
    const unsigned cores = 2 + random.below(2) + (random.below(8) == 0 ? 1 : 0);
    const unsigned longest = cores == 2 ? 4 : cores == 3 ? 3 : 2;
    const bool fenced = random.below(3) == 0;  // a fence alone seldom shows anything
    for (unsigned core = 0; core != cores; ++core) {
        Body body;
        const unsigned length = 1 + random.below(longest);
        for (unsigned i = 0; i != length; ++i) {
            body.push_back(make_instruction(random, flavour, cores));
            const bool between = i + 1 != length;
            if (fenced && between && random.below(4) != 0)
                body.push_back({Step::fence, 0, 0, Order::acq_rel});
        }
        program.bodies.push_back(body);
    }
    if (flavour == Flavour::words_only) return program;
    if (random.below(4) == 0) {
        program.last_core_is_late = true;
        Body& first = program.bodies[0];
        const Instruction start = {Step::start, static_cast<uint8_t>(cores - 1), 0, Order::relaxed};
        first.insert(first.begin() + random.below(static_cast<unsigned>(first.size()) + 1), start);
    }
    if (random.below(4) == 0) {
        program.handler_must_run = random.below(2) == 0;
        for (unsigned i = 1 + random.below(2); i != 0; --i) {
            Instruction instruction = make_instruction(random, flavour, cores);
            if (instruction.step == Step::park) instruction.step = Step::load;
            program.handler.push_back(instruction);
        }
    }
    return program;
}

model::Scenario scenario_of(const RandomProgram& program) {
    model::Scenario scenario;
    scenario.name = program.text();
    scenario.size = sizeof(State);
    scenario.construct = [](void* state) { new (state) State; };
    scenario.destroy = [](void* state) { static_cast<State*>(state)->~State(); };
    scenario.finish = [](void* state) { model::outcome(outcome_of(*static_cast<State*>(state))); };
    scenario.parked_at_end();
    scenario.cores = [&program](void* memory, model::Program& on) {
        static Late late;
        State* const state = static_cast<State*>(memory);
        const unsigned cores = static_cast<unsigned>(program.bodies.size());
        for (unsigned core = 0; core != cores; ++core) {
            const Body* const body = &program.bodies[core];
            char* const seen = state->seen[core];
            if (program.last_core_is_late && core == cores - 1) {
                late = Late{state, body, seen};
                on.late_core(core);
                continue;
            }
            on.core(core, [state, body, seen] {
                for (size_t i = 0; i != body->size(); ++i) {
                    const Instruction& instruction = (*body)[i];
                    if (instruction.step == Step::start) {
                        static_cast<void>(Port::start_core(instruction.word, run_late, &late));
                        continue;
                    }
                    run_one(*state, instruction, seen[i]);
                }
            });
        }
        if (program.handler.empty()) return;
        const Body* const handler = &program.handler;
        char* const seen = state->seen[RandomProgram::most_cores];
        on.interrupt(
            0, [state, handler, seen] { run(*state, *handler, seen); }, 1,
            program.handler_must_run ? model::Occurs::must : model::Occurs::may);
    };
    return scenario;
}

}  // namespace litmus
