// SPDX-License-Identifier: MIT OR Apache-2.0
// Model checker, self-test: small random programs over two words. They compare the checker with itself (with and
// without partial-order reduction, in every combination of bounds) and with an independent judge (axiomatic.hpp).
#pragma once

#include <stdint.h>

#include <string>
#include <vector>

#include <weft/port.hpp>

#include "scenario.hpp"

namespace litmus {

namespace model = weft::model;

enum class Step : uint8_t { load, store, add, exchange_if_zero, fence, poll, park, unpark, start };

struct Instruction {
    Step step;
    uint8_t word;   // park, fence: unused; unpark, start: the core
    uint8_t value;  // of stores and additions; poll: how many rounds at most
    weft::Order order;
};

using Body = std::vector<Instruction>;

struct RandomProgram {
    static constexpr unsigned words = 2;
    static constexpr unsigned most_cores = 4;
    static constexpr unsigned most_instructions = 8;

    std::vector<Body> bodies;  // one per core
    Body handler;              // of an interrupt on core 0; empty: none
    bool handler_must_run = false;
    bool last_core_is_late = false;

    std::string text() const;
};

// Which instructions may occur.
enum class Flavour : uint8_t {
    words_only,  // no loops, no events: axiomatic.hpp can judge it
    machine,     // everything
};
RandomProgram make_program(uint32_t seed, Flavour flavour);

// The outcome of an execution: what each load, poll or modification has read ('-' if it was not executed), then the
// words' last values.
model::Scenario scenario_of(const RandomProgram& program);

}  // namespace litmus
