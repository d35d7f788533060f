// SPDX-License-Identifier: MIT OR Apache-2.0
// Model checker, self-test: the runner of litmus tests.
#include "litmus.hpp"

#include <stdio.h>

#include <map>

#include "random_test.hpp"
#include "sites.hpp"

namespace litmus {

namespace {

using model::Config;
using model::Failure;
using model::Mode;
using model::Reduction;
using model::Result;
using model::Scenario;

constexpr uint64_t random_executions = 3000;

std::map<std::string, std::string> mutations;
std::map<std::string, std::string> weak_outcomes;
unsigned tests = 0;
unsigned failures = 0;

Scenario& add(const char* name, const std::vector<Body>& bodies, Key key) {
    Scenario& scenario = litmus::scenario<Words>(name);
    scenario.cores = [bodies](void* state, model::Program& program) {
        Words* const words = static_cast<Words*>(state);
        for (unsigned core = 0; core != bodies.size(); ++core) {
            const Body body = bodies[core];
            program.core(core, [body, words] { body(*words); });
        }
    };
    if (key != nullptr)
        scenario.finish = [key](void* state) { model::outcome(key(*static_cast<Words*>(state))); };
    return scenario;
}

void report(bool good, const std::string& name, const std::string& detail) {
    ++tests;
    failures += good ? 0 : 1;
    printf("%s %u - %s\n", good ? "ok" : "not ok", tests, name.c_str());
    if (!good) printf("# %s\n", detail.c_str());
}

std::string text_of(const Result& result) {
    std::string text;
    for (const std::string& outcome : result.outcomes) text += outcome + " ";
    text +=
        result.failure == Failure::none ? "" : std::string(name_of(result.failure)) + ": " + result.message;
    return text + (result.exhausted ? "" : " (not exhausted)");
}

bool found(const Scenario& scenario, const Result& result) {
    const std::string text = std::string(name_of(result.failure)) + ": " + result.message;
    return result.failure != Failure::none && text.find(scenario.expected) != std::string::npos;
}

bool is_subset(const std::set<std::string>& part, const std::set<std::string>& whole) {
    for (const std::string& one : part) {
        if (whole.count(one) == 0) return false;
    }
    return true;
}

bool exhaustive_good(const Scenario& scenario, const Result& result) {
    if (scenario.expects_failure) return found(scenario, result);
    if (result.failure != Failure::none || !result.exhausted) return false;
    return !scenario.expects_outcomes || result.outcomes == scenario.outcomes;
}

void run_exhaustive(const Scenario& scenario) {
    Config config = scenario.config;
    const Result reduced = explore(scenario, config);
    config.reduction = Reduction::none;
    const Result full = explore(scenario, config);
    const std::string counts = " # " + std::to_string(reduced.executions) + " executions, " +
                               std::to_string(full.executions) + " unreduced";
    report(exhaustive_good(scenario, reduced), scenario.name + counts, text_of(reduced));
    config.reduction = Reduction::partial_order;
    for (const unsigned snapshots : {0u, 1u, 5u}) {
        config.snapshots = snapshots;
        const Result again = explore(scenario, config);
        report(same_executions(reduced, again), scenario.name + "/snapshots_" + std::to_string(snapshots),
               text_of(reduced) + " / " + text_of(again));
    }
    report(exhaustive_good(scenario, full) && reduced.outcomes == full.outcomes, scenario.name + "/unreduced",
           text_of(full));
}

void run_random(const Scenario& scenario, Mode mode, const char* label) {
    Config config = scenario.config;
    config.mode = mode;
    config.executions = random_executions;
    const Result result = explore(scenario, config);
    bool good = scenario.expects_failure ? found(scenario, result) : result.failure == Failure::none;
    if (scenario.expects_outcomes) good = good && is_subset(result.outcomes, scenario.outcomes);
    const auto weak = weak_outcomes.find(scenario.name);
    if (weak != weak_outcomes.end()) good = good && result.outcomes.count(weak->second) == 1;
    report(good, scenario.name + label, text_of(result));
}

// A counterexample's decisions must replay to the same failure, and still do when minimised.
void run_replay(const Scenario& scenario) {
    const Result result = explore(scenario, scenario.config);
    const std::vector<model::Decision> shorter = minimise(scenario, scenario.config, result);
    const Result again = replay(scenario, scenario.config, result.decisions, false);
    const Result minimal =
        replay(scenario, scenario.config, model::parse_decisions(model::to_string(shorter)), false);
    const bool good = again.failure == result.failure && again.message == result.message &&
                      minimal.failure == result.failure && shorter.size() <= result.decisions.size();
    report(good, scenario.name + "/replay " + model::to_string(shorter),
           text_of(again) + " / " + text_of(minimal));
}

void report(const Comparison& comparison, const char* name) {
    report(comparison.difference.empty(),
           std::string(name) + " # " + std::to_string(comparison.programs) + " programs, " +
               std::to_string(comparison.compared) + " comparisons, " +
               std::to_string(comparison.executions) + " executions",
           comparison.difference);
}

}  // namespace

model::Scenario& allows(const char* name, std::initializer_list<Body> bodies, Key key,
                        const std::set<std::string>& outcomes) {
    return add(name, bodies, key).allows(outcomes);
}

model::Scenario& finds(const char* name, const char* text, std::initializer_list<Body> bodies) {
    return add(name, bodies, nullptr).finds(text);
}

model::Scenario& passes(const char* name, std::initializer_list<Body> bodies) {
    return add(name, bodies, nullptr);
}

void mutated(const std::string& mutation) { mutations[model::scenarios().back()->name] = mutation; }

void weak(const std::string& outcome) { weak_outcomes[model::scenarios().back()->name] = outcome; }

int run(uint32_t seed, unsigned programs) {
    for (const Scenario* scenario : model::scenarios()) {
        const auto mutation = mutations.find(scenario->name);
        if (mutation != mutations.end()) model::sites.mutate(mutation->second);
        run_exhaustive(*scenario);
        run_random(*scenario, Mode::random, "/random");
        run_random(*scenario, Mode::pct, "/pct");
        if (scenario->expects_failure) run_replay(*scenario);
        model::sites.restore();
    }
    report(compare_with_axioms(seed, programs), "random_programs_have_the_outcomes_of_RC11");
    report(compare_reductions(seed, programs / 4), "random_programs_lose_nothing_by_reduction");
    report(compare_estimates(seed, programs / 4), "plain_searches_are_as_long_as_estimated");
    printf("1..%u\n", tests);
    return failures == 0 ? 0 : 1;
}

}  // namespace litmus
