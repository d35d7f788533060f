// SPDX-License-Identifier: MIT OR Apache-2.0
// Model checker, self-test: a litmus test is a few bodies over three words and some registers, and the outcomes that
// they may have. Each is explored exhaustively, with and without reduction, and at random.
#pragma once

#include <initializer_list>
#include <set>
#include <string>
#include <vector>

#include "explore.hpp"

namespace litmus {

namespace model = weft::model;

// The state of every litmus test.
struct Words {
    weft::Atomic<uint32_t> x{0};
    weft::Atomic<uint32_t> y{0};
    weft::Atomic<uint32_t> z{0};
    weft::Published<uint32_t> p{0};
    weft::Plain<uint32_t> data{0};
    uint32_t r[8] = {};

    void cores(model::Program&) {}  // the bodies are put in by the runner
};

using Body = void (*)(Words& w);
using Key = std::string (*)(Words& w);

// Adds a test. Its outcome is what `key` says at the end; the set of outcomes must be `outcomes`. Bounds are off.
model::Scenario& allows(const char* name, std::initializer_list<Body> bodies, Key key,
                        const std::set<std::string>& outcomes);
// Adds a test that must run into a failure whose text contains `text`.
model::Scenario& finds(const char* name, const char* text, std::initializer_list<Body> bodies);
// Adds a test that must not fail.
model::Scenario& passes(const char* name, std::initializer_list<Body> bodies);
// The same for a type with cores() and finish(), see scenario.hpp.
template <class T>
model::Scenario& scenario(const char* name) {
    model::Scenario& added = model::add_scenario<T>(name);
    added.preemptions(model::unbounded).stale_reads(model::unbounded).spin_returns(1).seconds(20);
    return added;
}

// The last test is run with this mutation, see sites.hpp: "file:line:call=order".
void mutated(const std::string& mutation);
// The last test's outcome that random and pct exploration must find, too.
void weak(const std::string& outcome);

// Runs all, and `programs` random ones from `seed` on; TAP; the exit status.
int run(uint32_t seed, unsigned programs);

// A key: the digits of some registers.
template <unsigned... index>
std::string digits(Words& w) {
    std::string text;
    (text.append(std::to_string(w.r[index])), ...);
    return text;
}

}  // namespace litmus
