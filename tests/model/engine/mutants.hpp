// SPDX-License-Identifier: MIT OR Apache-2.0
// Model checker: every order and barrier of the code under test made weaker, one at a time, and who notices.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "explore.hpp"

namespace weft {
namespace model {

struct Mutant {
    std::string mutation;  // see Sites::mutate()
    std::string killer;    // the scenario that noticed; empty: the mutant survived
    std::string failure;
    uint64_t executions = 0;  // of all scenarios together
    double seconds = 0;
};

// Explores the scenarios unchanged to learn which calls they execute; then, for each way to weaken one of these calls,
// those scenarios that execute it, until one fails. Calls in files whose names do not contain `file` are left alone.
// `configure` gives each exploration's Config. `report` is called for each mutant.
void hunt_mutants(const std::vector<const Scenario*>& scenarios, const std::string& file,
                  const std::function<Config(const Scenario&)>& configure,
                  const std::function<void(const Mutant&)>& report);

}  // namespace model
}  // namespace weft
