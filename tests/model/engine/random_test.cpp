// SPDX-License-Identifier: MIT OR Apache-2.0
// Model checker, self-test: random programs.
#include "random_test.hpp"

#include "axiomatic.hpp"
#include "explore.hpp"
#include "random_program.hpp"

namespace litmus {

namespace {

using model::Config;
using model::Reduction;
using model::Result;
using model::Scenario;

constexpr uint64_t most_unreduced =
    3000;  // larger programs are left out: they take too long without reduction
constexpr uint64_t estimating_executions = 2000;

std::string missing_from(const std::set<std::string>& part, const std::set<std::string>& whole) {
    std::string text;
    for (const std::string& outcome : whole) {
        if (part.count(outcome) == 0) text += " " + outcome;
    }
    return text;
}

std::string bounds_of(const Config& config) {
    return "preemptions " + std::to_string(config.preemptions) + ", stale reads " +
           std::to_string(config.stale_reads) + ", spin returns " + std::to_string(config.spin_returns) +
           ", spurious parks " + std::to_string(config.spurious_parks) +
           (config.wake == model::Wake::event ? ", event" : ", targeted");
}

void compare(const Scenario& scenario, Config config, Comparison& comparison) {
    config.give_up_after = most_unreduced;
    config.reduction = Reduction::none;
    const Result full = explore(scenario, config);
    if (!full.exhausted && full.failure == model::Failure::none) return;
    config.reduction = Reduction::partial_order;
    config.snapshots = 0;
    const Result reduced = explore(scenario, config);
    config.snapshots = 1 + static_cast<unsigned>(comparison.compared % 7);
    const Result others = explore(scenario, config);
    if (!same_executions(reduced, others)) {
        comparison.difference = scenario.name + "\n# " + bounds_of(config) + "\n# with a snapshot every " +
                                std::to_string(config.snapshots) +
                                " steps: " + std::to_string(others.executions) +
                                " executions, without: " + std::to_string(reduced.executions);
        return;
    }
    comparison.executions += full.executions + reduced.executions;
    if (full.releases + reduced.releases != 0)
        return;  // not covered by the reduction, see docs/VERIFICATION.md
    ++comparison.compared;
    if (reduced.failure == full.failure && reduced.outcomes == full.outcomes) return;
    comparison.difference = scenario.name + "\n# " + bounds_of(config) +
                            "\n# missing:" + missing_from(reduced.outcomes, full.outcomes) +
                            "\n# extra:" + missing_from(full.outcomes, reduced.outcomes);
}

}  // namespace

Comparison compare_with_axioms(uint32_t first_seed, unsigned programs) {
    Comparison comparison;
    for (uint32_t seed = first_seed; seed != first_seed + programs && comparison.difference.empty(); ++seed) {
        const RandomProgram program = make_program(seed, Flavour::words_only);
        Scenario scenario = scenario_of(program);
        scenario.preemptions(model::unbounded).stale_reads(model::unbounded);
        const Result result = explore(scenario, scenario.config);
        const Verdict verdict = judge(program);
        ++comparison.programs;
        ++comparison.compared;
        comparison.executions += result.executions;
        if (result.exhausted && result.outcomes == verdict.machine) continue;
        comparison.difference = scenario.name +
                                "\n# missing:" + missing_from(result.outcomes, verdict.machine) +
                                "\n# extra:" + missing_from(verdict.machine, result.outcomes);
    }
    return comparison;
}

Comparison compare_reductions(uint32_t first_seed, unsigned programs) {
    Comparison comparison;
    for (uint32_t seed = first_seed; seed != first_seed + programs; ++seed) {
        const RandomProgram program = make_program(seed, Flavour::machine);
        const Scenario scenario = scenario_of(program);
        ++comparison.programs;
        for (const unsigned preemptions : {0u, 1u, 2u, model::unbounded}) {
            for (const unsigned stale_reads : {0u, 1u}) {
                for (unsigned variant = 0; variant != 4; ++variant) {
                    Config config = scenario.config;
                    config.preemptions = preemptions;
                    config.stale_reads = stale_reads;
                    config.spin_returns = 20;
                    config.spurious_parks = variant / 2;
                    config.wake = variant % 2 == 0 ? model::Wake::event : model::Wake::targeted;
                    compare(scenario, config, comparison);
                    if (!comparison.difference.empty()) return comparison;
                }
            }
        }
    }
    return comparison;
}

Comparison compare_estimates(uint32_t first_seed, unsigned programs) {
    Comparison comparison;
    double exact = 0;
    double estimated = 0;
    for (uint32_t seed = first_seed; seed != first_seed + programs; ++seed) {
        const RandomProgram program = make_program(seed, Flavour::machine);
        const Scenario scenario = scenario_of(program);
        ++comparison.programs;
        for (const unsigned preemptions : {1u, 2u, model::unbounded}) {
            Config config = scenario.config;
            config.preemptions = preemptions;
            config.reduction = Reduction::none;
            config.give_up_after = most_unreduced;
            const Result full = explore(scenario, config);
            if (!full.exhausted) continue;
            config.mode = model::Mode::estimate;
            config.executions = estimating_executions;
            config.give_up_after = 0;
            ++comparison.compared;
            comparison.executions += full.executions + estimating_executions;
            exact += static_cast<double>(full.executions);
            estimated += explore(scenario, config).estimate;
        }
    }
    if (estimated < 0.95 * exact || estimated > 1.05 * exact) {
        comparison.difference = std::to_string(exact) + " executions, estimated " + std::to_string(estimated);
    }
    return comparison;
}

}  // namespace litmus
