// SPDX-License-Identifier: MIT OR Apache-2.0
// Model checker: explore(), all executions of a scenario within its bounds, and what came of them.
#pragma once

#include "explorer.hpp"
#include "scenario.hpp"

namespace weft {
namespace model {

struct Result {
    Failure failure = Failure::none;
    std::string message;
    std::vector<Decision> decisions;  // of the failing execution
    bool exhausted = false;           // exhaustive mode: everything within the bounds was explored
    uint64_t executions = 0;          // duplicates included
    uint64_t duplicates = 0;          // cut short: the partial-order reduction had seen their like
    uint64_t restarts = 0;            // explorations started again, see sharing.hpp
    uint64_t releases = 0;  // relax() returned only because nobody could go on: see docs/VERIFICATION.md
    uint64_t steps = 0;
    double seconds = 0;         // CPU time
    double estimate = 0;        // estimate mode: executions of a plain exhaustive search
    double estimate_error = 0;  // its standard error
    std::set<std::string> outcomes;
};

Result explore(const Scenario& scenario, const Config& config);

// Does an exploration with snapshots do the very same as one that runs each execution from its beginning?
bool same_executions(const Result& one, const Result& other);

// What is wrong with the result, given what the scenario expects. Empty: nothing.
std::string verdict(const Scenario& scenario, const Config& config, const Result& result);

// One execution. `traced`: its steps are in `trace` afterwards.
Result replay(const Scenario& scenario, const Config& config, const std::vector<Decision>& decisions,
              bool traced);

// Leaves out decisions that the failure does not need.
std::vector<Decision> minimise(const Scenario& scenario, const Config& config, const Result& failing);

}  // namespace model
}  // namespace weft
