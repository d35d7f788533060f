// SPDX-License-Identifier: MIT OR Apache-2.0
// Model checker: the hunt for mutants.
#include "mutants.hpp"

#include <map>

#include "sites.hpp"

namespace weft {
namespace model {

namespace {

Mutant try_mutant(const std::string& mutation, const std::vector<const Scenario*>& scenarios,
                  const std::function<Config(const Scenario&)>& configure) {
    Mutant mutant;
    mutant.mutation = mutation;
    sites.mutate(mutation);
    for (const Scenario* scenario : scenarios) {
        const Config config = configure(*scenario);
        const Result result = explore(*scenario, config);
        mutant.executions += result.executions;
        mutant.seconds += result.seconds;
        mutant.failure = verdict(*scenario, config, result);
        if (mutant.failure.empty()) continue;
        if (result.failure != Failure::none) mutant.failure = name_of(result.failure);
        mutant.killer = scenario->name;
        break;
    }
    sites.restore();
    return mutant;
}

}  // namespace

void hunt_mutants(const std::vector<const Scenario*>& scenarios, const std::string& file,
                  const std::function<Config(const Scenario&)>& configure,
                  const std::function<void(const Mutant&)>& report) {
    std::map<std::string, std::vector<const Scenario*>> users;  // of each mutation
    std::vector<std::string> mutations;
    for (const Scenario* scenario : scenarios) {
        if (scenario->expects_failure) continue;
        sites.clear();
        sites.record(true);
        explore(*scenario, configure(*scenario));
        sites.record(false);
        for (const CallSite& site : sites.seen()) {
            if (site.file.find(file) == std::string::npos) continue;
            for (const std::string& mutation : Sites::weaker(site)) {
                if (users[mutation].empty()) mutations.push_back(mutation);
                users[mutation].push_back(scenario);
            }
        }
    }
    for (const std::string& mutation : mutations) report(try_mutant(mutation, users[mutation], configure));
}

}  // namespace model
}  // namespace weft
