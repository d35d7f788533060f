// SPDX-License-Identifier: MIT OR Apache-2.0
// Model checker: the main program of every binary with scenarios. TAP on standard output.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <algorithm>
#include <stdexcept>

#include "explore.hpp"
#include "mutants.hpp"
#include "sites.hpp"
#include "trace.hpp"

namespace {

using namespace weft::model;

const char usage[] =
    "usage: %s [words...] [options]     runs the scenarios whose names contain one of the words, or all\n"
    "  --list              names only\n"
    "  --mode exhaustive|random|pct|estimate     (no samples of what is promised within bounds only)\n"
    "  --preemptions N  --stale N  --spins N  --spurious-parks N  --spurious-exchanges N   (or `unbounded`)\n"
    "  --deep N            at least this many preemptions and stale reads\n"
    "  --wake event|targeted\n"
    "  --executions N  --seed N  --depth N       for random and pct\n"
    "  --seconds S         CPU time per scenario\n"
    "  --brief             of a long search (4,000 executions) only the beginning, and with one preemption\n"
    "                      less, until one comes to its end; a fifth of the samples; no estimates\n"
    "  --snapshots N       steps between two copies of the machine, from which executions go on\n"
    "  --no-snapshots      each execution runs from its beginning: the same executions\n"
    "  --no-reduction      every interleaving, for comparison\n"
    "  --replay SCHEDULE   one execution, with its trace (or REPLAY= in the environment)\n"
    "  --sites             afterwards, the calls with memory orders that were executed\n"
    "  --mutate MUTATION   one site weaker, for example ring.hpp:41:load=relaxed\n"
    "  --mutants FILE      every site in files with this in their names (`all`: in all), each in every "
    "weaker way\n";

struct Options {
    std::vector<std::string> words;
    std::vector<void (*)(Config&, const std::string&)> setters;
    std::vector<std::string> values;
    bool list = false;
    bool sites = false;
    bool mutated = false;
    bool brief = false;
    bool hunt = false;
    std::string hunted_file;
};

unsigned number(const std::string& text) {
    return text == "unbounded" ? unbounded : static_cast<unsigned>(std::stoul(text));
}

struct Setter {
    const char* name;
    void (*set)(Config&, const std::string&);
};

constexpr unsigned plain_samples = 4000;
constexpr uint64_t long_search = 4000;  // executions: `--brief` ends it
constexpr uint64_t brief_part = 5;      // of the samples: `--brief` takes one of so many

const char* const mode_names[] = {"exhaustive", "random", "pct", "estimate"};

const Setter setters[] = {
    {"--mode",
     [](Config& config, const std::string& value) {
         for (unsigned mode = 0;; ++mode) {
             if (mode == std::size(mode_names)) throw std::invalid_argument(value);
             if (value != mode_names[mode]) continue;
             const Mode wanted = static_cast<Mode>(mode);
             const bool samples = wanted == Mode::random || wanted == Mode::pct;
             if (!samples || !config.within_bounds) config.mode = wanted;
             return;
         }
     }},
    {"--preemptions", [](Config& config, const std::string& value) { config.preemptions = number(value); }},
    {"--stale", [](Config& config, const std::string& value) { config.stale_reads = number(value); }},
    {"--deep",
     [](Config& config, const std::string& value) {
         config.preemptions = std::max({config.preemptions, config.deep_preemptions, number(value)});
         config.stale_reads = std::max({config.stale_reads, config.deep_stale_reads, number(value)});
     }},
    {"--spins", [](Config& config, const std::string& value) { config.spin_returns = number(value); }},
    {"--spurious-parks",
     [](Config& config, const std::string& value) { config.spurious_parks = number(value); }},
    {"--spurious-exchanges",
     [](Config& config, const std::string& value) { config.spurious_exchanges = number(value); }},
    {"--wake",
     [](Config& config, const std::string& value) {
         if (value != "event" && value != "targeted") throw std::invalid_argument(value);
         config.wake = value == "event" ? Wake::event : Wake::targeted;
     }},
    {"--executions",
     [](Config& config, const std::string& value) { config.executions = std::stoull(value); }},
    {"--snapshots", [](Config& config, const std::string& value) { config.snapshots = number(value); }},
    {"--seed", [](Config& config, const std::string& value) { config.seed = std::stoull(value); }},
    {"--depth", [](Config& config, const std::string& value) { config.depth = number(value); }},
    {"--seconds", [](Config& config, const std::string& value) { config.seconds = std::stod(value); }},
    {"--replay", [](Config& config, const std::string& value) { config.replay = value; }},
};

// Throws std::invalid_argument for what it does not understand.
Options parse(int count, char** arguments) {
    Options options;
    for (int i = 1; i < count; ++i) {
        const std::string argument = arguments[i];
        if (argument == "--list") {
            options.list = true;
        } else if (argument == "--sites") {
            options.sites = true;
        } else if (argument == "--brief") {
            options.brief = true;
        } else if (argument == "--no-reduction") {
            options.setters.push_back(
                [](Config& config, const std::string&) { config.reduction = Reduction::none; });
            options.values.push_back("");
        } else if (argument == "--no-snapshots") {
            options.setters.push_back([](Config& config, const std::string&) { config.snapshots = 0; });
            options.values.push_back("");
        } else if (argument.compare(0, 2, "--") != 0) {
            options.words.push_back(argument);
        } else {
            if (i + 1 == count) throw std::invalid_argument(argument + " needs a value");
            const std::string value = arguments[++i];
            if (argument == "--mutate") {
                weft::model::sites.mutate(value);
                options.mutated = true;
                continue;
            }
            if (argument == "--mutants") {
                options.hunt = true;
                options.hunted_file = value == "all" ? "" : value;
                continue;
            }
            const Setter* setter = nullptr;
            for (const Setter& known : setters) {
                if (argument == known.name) setter = &known;
            }
            if (setter == nullptr) throw std::invalid_argument(argument);
            options.setters.push_back(setter->set);
            options.values.push_back(value);
        }
    }
    return options;
}

bool selected(const Options& options, const std::string& name) {
    if (options.words.empty()) return true;
    for (const std::string& word : options.words) {
        if (name.find(word) != std::string::npos) return true;
    }
    return false;
}

std::string join(const std::set<std::string>& texts) {
    std::string all;
    for (const std::string& text : texts) all += (all.empty() ? "" : " ") + text;
    return all;
}

void print_failure(const Scenario& scenario, const Config& config, const Result& result) {
    const std::vector<Decision> decisions =
        config.replay.empty() ? minimise(scenario, config, result) : result.decisions;
    const Result again = replay(scenario, config, decisions, true);
    printf("# %s: %s\n", name_of(again.failure), again.message.c_str());
    for (const std::string& line : trace.lines()) printf("# %s\n", line.c_str());
    printf("# replay: %s --replay %s\n", scenario.name.c_str(), to_string(decisions).c_str());
}

// "2/2": preemptions and stale reads.
std::string bounds(const Config& config) {
    const auto text = [](unsigned bound) {
        return bound == weft::model::unbounded ? "any" : std::to_string(bound);
    };
    return text(config.preemptions) + "/" + text(config.stale_reads);
}

// What the same would cost without reduction.
double plain_executions(const Scenario& scenario, Config config) {
    config.mode = Mode::estimate;
    config.executions = plain_samples;
    return explore(scenario, config).estimate;
}

// Can a part of its search be enough for every day?
bool can_be_brief(const Scenario& scenario, const Config& config) {
    return config.mode == Mode::exhaustive && config.preemptions != unbounded && config.must_exhaust &&
           config.replay.empty() && !scenario.expects_failure && !scenario.expects_outcomes;
}

// Can some of its samples be enough for every day?
bool is_sampled(const Scenario& scenario, const Config& config) {
    return (config.mode == Mode::random || config.mode == Mode::pct) && config.replay.empty() &&
           !scenario.expects_failure && !scenario.expects_outcomes;
}

// Returns whether it is as it should be; `ended`: is the search over?
bool run(const Scenario& scenario, const Config& config, const std::string& name, unsigned test, bool& ended,
         bool estimates) {
    const Result result = config.replay.empty()
                              ? explore(scenario, config)
                              : replay(scenario, config, parse_decisions(config.replay), false);
    const std::string wrong = verdict(scenario, config, result);
    const bool exhaustive = config.mode == Mode::exhaustive;
    ended = result.exhausted || config.give_up_after == 0 || !wrong.empty();
    printf("%s %u - %s # %s%s, %llu executions", wrong.empty() ? "ok" : "not ok", test, name.c_str(),
           mode_names[static_cast<unsigned>(config.mode)], exhaustive ? (" " + bounds(config)).c_str() : "",
           static_cast<unsigned long long>(result.executions));
    if (result.duplicates != 0)
        printf(" (%llu cut short)", static_cast<unsigned long long>(result.duplicates));
    if (result.executions >= long_search && can_be_brief(scenario, config)) printf(" (long)");
    printf(", %llu steps, %.2f s", static_cast<unsigned long long>(result.steps), result.seconds);
    if (estimates && result.exhausted && config.reduction != Reduction::none && !weft::model::sites.mutated())
        printf("; plain search: about %.2g executions", plain_executions(scenario, config));
    if (config.mode == Mode::estimate)
        printf("; plain search: %.3g executions, standard error %.2g", result.estimate,
               result.estimate_error);
    printf("%s\n", !exhaustive || result.exhausted || result.failure != Failure::none ? ""
                   : !ended                                                           ? ", the beginning only"
                                                                                      : ", stopped early");
    if (scenario.expects_outcomes && !wrong.empty())
        printf("# outcomes: %s\n", join(result.outcomes).c_str());
    if (!wrong.empty()) printf("# %s\n", wrong.c_str());
    if (result.failure != Failure::none && (!wrong.empty() || !config.replay.empty())) {
        print_failure(scenario, config, result);
    }
    fflush(stdout);
    return wrong.empty();
}

void print_sites() {
    for (const CallSite& site : weft::model::sites.seen()) {
        const bool exchange = site.call == Call::compare_exchange;
        printf("# site %s %s%s%s, executed %llu times\n", site.name().c_str(), name_of(site.order),
               exchange ? "/" : "", exchange ? name_of(site.failure) : "",
               static_cast<unsigned long long>(site.executed));
        for (const std::string& mutation : Sites::weaker(site)) printf("#   %s\n", mutation.c_str());
    }
}

Config configured(const Options& options, const Scenario& scenario) {
    Config config = scenario.config;
    if (const char* const replayed = getenv("REPLAY")) config.replay = replayed;
    for (size_t i = 0; i != options.setters.size(); ++i) options.setters[i](config, options.values[i]);
    return config;
}

int hunt(const Options& options) {
    std::vector<const Scenario*> chosen;
    for (const Scenario* scenario : scenarios()) {
        if (selected(options, scenario->name)) chosen.push_back(scenario);
    }
    unsigned mutants = 0;
    unsigned survivors = 0;
    const auto configure = [&options](const Scenario& scenario) { return configured(options, scenario); };
    hunt_mutants(chosen, options.hunted_file, configure, [&mutants, &survivors](const Mutant& mutant) {
        const bool killed = !mutant.killer.empty();
        survivors += killed ? 0 : 1;
        printf("%s %u - %s # %s, %llu executions, %.2f s\n", killed ? "ok" : "not ok", ++mutants,
               mutant.mutation.c_str(),
               killed ? (mutant.failure + " in " + mutant.killer).c_str() : "survives",
               static_cast<unsigned long long>(mutant.executions), mutant.seconds);
        fflush(stdout);
    });
    printf("1..%u\n# %u survive\n", mutants, survivors);
    return survivors == 0 ? 0 : 1;
}

int run_all(const Options& options) {
    unsigned tests = 0;
    unsigned failed = 0;
    if (options.sites) weft::model::sites.record(true);
    for (const Scenario* scenario : scenarios()) {
        if (!selected(options, scenario->name)) continue;
        if (options.list) {
            printf("%s\n", scenario->name.c_str());
            continue;
        }
        Config config = configured(options, *scenario);
        const auto run_one = [&](Config bounds, std::string name) {
            if (options.brief && is_sampled(*scenario, bounds)) bounds.executions /= brief_part;
            for (;; --bounds.preemptions, name += "/one_less") {
                // Without preemptions it goes to its end, unless that is how the scenario is.
                const bool last = bounds.preemptions == 0 && config.preemptions != 0;
                Config once = bounds;
                if (options.brief && !last && can_be_brief(*scenario, bounds))
                    once.give_up_after = long_search, once.must_exhaust = false;
                bool ended = true;
                failed += run(*scenario, once, name, ++tests, ended, !options.brief) ? 0 : 1;
                if (ended || bounds.preemptions == 0) return;
            }
        };
        run_one(config, scenario->name);
        if (!scenario->both_wakes) continue;
        config.wake = config.wake == Wake::event ? Wake::targeted : Wake::event;
        run_one(config, scenario->name + "/other_wake");
    }
    if (options.list) return 0;
    printf("1..%u\n", tests);
    if (options.sites) print_sites();
    if (options.mutated && weft::model::sites.mutant_executed() == 0) {
        fprintf(stderr, "the mutated call was never executed\n");
        return 2;
    }
    return failed != 0 || tests == 0 ? 1 : 0;
}

}  // namespace

int main(int count, char** arguments) {
    try {
        const Options options = parse(count, arguments);
        return options.hunt ? hunt(options) : run_all(options);
    } catch (const std::exception& problem) {
        fprintf(stderr, "%s: %s\n", arguments[0], problem.what());
        fprintf(stderr, usage, arguments[0]);
        return 2;
    }
}
