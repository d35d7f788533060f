// SPDX-License-Identifier: MIT OR Apache-2.0
// Model checker: explore().
#include "explore.hpp"

#include <signal.h>
#include <stdio.h>
#include <time.h>

#include <algorithm>
#include <cmath>

#include "machine.hpp"
#include "sites.hpp"
#include "trace.hpp"

namespace weft {
namespace model {

namespace {

constexpr size_t most_state = 256 * 1024;
constexpr unsigned executions_per_clock_read = 256;
constexpr uint64_t executions_before_doubt = 40000;  // whether a mutated call is ever executed here
constexpr unsigned most_minimising_runs = 2000;
constexpr unsigned most_steps = 30000;  // stamps have 15 bits

alignas(64) unsigned char state[most_state];
std::set<std::string>* collected = nullptr;

double cpu_seconds() {
    timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

void on_signal(int signal, siginfo_t* info, void*) {
    if (!machine.executing()) {
        ::signal(signal, SIG_DFL);
        raise(signal);
        return;
    }
    machine.crash(signal, info->si_addr);
}

// A bad pointer in the code under test is a counterexample, not the end of the checker. The handler runs on a stack of
// its own, as the fiber's may be the problem, and leaves by longjmp: SA_NODEFER keeps the signal unblocked.
void catch_signals() {
    static bool done = false;
    if (done) return;
    done = true;
    static unsigned char stack[64 * 1024];
    stack_t alternative = {};
    alternative.ss_sp = stack;
    alternative.ss_size = sizeof stack;
    sigaltstack(&alternative, nullptr);
    struct sigaction action = {};
    action.sa_sigaction = on_signal;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
    for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) sigaction(signal, &action, nullptr);
}

Machine::Ending run_once(const Scenario& scenario) {
    scenario.construct(state);
    machine.program.clear();
    scenario.cores(state, machine.program);
    machine.set_state(state, scenario.size);
    const Scenario* const judged = &scenario;
    const Machine::Ending ending = machine.execute(Callable([judged] { judged->finish(state); }));
    // A failed or abandoned execution leaves the state as it happens to be; its members are plain memory again.
    scenario.destroy(state);
    return ending;
}

// The same, from its beginning or from a snapshot. (The bytes of the state are put back then, so it owns no heap.)
Machine::Ending run_next(const Scenario& scenario) {
    if (!machine.can_resume()) return run_once(scenario);
    const Scenario* const judged = &scenario;
    const Machine::Ending ending = machine.resume(Callable([judged] { judged->finish(state); }));
    scenario.destroy(state);
    return ending;
}

void begin(const Scenario& scenario, const Config& config, Result& result) {
    if (scenario.size > most_state) {
        fail(Failure::misuse, "scenario %s: the state is larger than %zu bytes", scenario.name.c_str(),
             most_state);
    }
    if (config.steps > most_steps) fail(Failure::misuse, "the step limit can be %u at most", most_steps);
    catch_signals();
    machine.begin_exploration(config);
    collected = &result.outcomes;
}

void take_failure(Result& result) {
    result.failure = machine.failure();
    result.message = machine.message();
    result.decisions = machine.explorer.decisions();
}

}  // namespace

std::vector<Scenario*>& scenarios() {
    static std::vector<Scenario*> all;
    return all;
}

namespace detail {

Scenario make_scenario(const char* name, const State& state) {
    Scenario scenario;
    scenario.name = name;
    scenario.size = state.size;
    scenario.construct = state.construct;
    scenario.destroy = state.destroy;
    scenario.cores = state.cores;
    scenario.finish = state.finish;
    return scenario;
}

Scenario& add_scenario(const char* name, const State& state) {
    scenarios().push_back(new Scenario(make_scenario(name, state)));
    return *scenarios().back();
}

}  // namespace detail

Scenario& Scenario::finds(const char* part) {
    expected = part;
    return set(expects_failure, true);
}

Scenario& Scenario::allows(std::initializer_list<const char*> all) {
    return allows(std::set<std::string>(all.begin(), all.end()));
}

Scenario& Scenario::allows(const std::set<std::string>& all) {
    outcomes = all;
    return set(expects_outcomes, true);
}

void outcome(const std::string& text) {
    if (collected != nullptr) collected->insert(text);
}

void end_of_life(const void* object, size_t size) {
    if (!running) return;
    const uintptr_t address = reinterpret_cast<uintptr_t>(object);
    machine.plain.end_range(machine.self(), machine.memory.view(machine.self()), address, size);
    machine.memory.end_range(machine.self(), address, size);
}

uint32_t steps() { return running ? machine.explorer.step() : 0; }

uint32_t relaxes() { return machine.relaxes(); }

void advance_clock(uint32_t ticks) {
    if (running) machine.advance_clock(ticks);
}

Result explore(const Scenario& scenario, const Config& config) {
    Result result;
    begin(scenario, config, result);
    // To leave out the points of words that are private is a reduction, too.
    const bool estimates = config.mode == Mode::estimate;
    if (config.reduction == Reduction::none || estimates) machine.sharing.share_everything();
    double sum = 0;
    double squares = 0;
    const double begun = cpu_seconds();
    const uint64_t mutant_executed = sites.mutant_executed();
    bool more = true;
    while (more) {
        const Machine::Ending ending = run_next(scenario);
        ++result.executions;
        result.steps += machine.explorer.step();
        if (ending == Machine::Ending::duplicate) ++result.duplicates;
        if (ending == Machine::Ending::failed) {
            take_failure(result);
            break;
        }
        if (estimates && result.executions != 1) {  // the first one only counts the choices
            const double weight = machine.explorer.weight();
            sum += weight;
            squares += weight * weight;
        }
        if (machine.sharing.learned() && config.mode == Mode::exhaustive) {
            machine.explorer.restart();
            ++result.restarts;
            continue;
        }
        more = machine.explorer.next();
        // Not `==`: restarts count, too.
        if (!more || (config.give_up_after != 0 && result.executions >= config.give_up_after)) break;
        const bool look = result.executions % executions_per_clock_read == 0;
        if (look && cpu_seconds() - begun > config.seconds) break;
        const bool doubt = sites.mutated() && result.executions == executions_before_doubt;
        if (doubt && sites.mutant_executed() == mutant_executed) break;
    }
    result.exhausted = !more && config.mode == Mode::exhaustive;
    result.releases = machine.releases();
    result.seconds = cpu_seconds() - begun;
    if (estimates && result.executions > 1) {
        const double count = static_cast<double>(result.executions - 1);
        result.estimate = sum / count;
        result.estimate_error =
            std::sqrt(std::max(0.0, squares / count - result.estimate * result.estimate) / count);
    }
    collected = nullptr;
    return result;
}

bool same_executions(const Result& one, const Result& other) {
    return one.failure == other.failure && one.message == other.message &&
           to_string(one.decisions) == to_string(other.decisions) && one.exhausted == other.exhausted &&
           one.executions == other.executions && one.duplicates == other.duplicates &&
           one.restarts == other.restarts && one.releases == other.releases && one.steps == other.steps &&
           one.outcomes == other.outcomes;
}

std::string verdict(const Scenario& scenario, const Config& config, const Result& result) {
    if (scenario.expects_failure) {
        if (result.failure == Failure::none) return "no counterexample found";
        const std::string text = std::string(name_of(result.failure)) + ": " + result.message;
        const bool found = text.find(scenario.expected) != std::string::npos;
        return found ? "" : "another failure than `" + scenario.expected + "`";
    }
    if (result.failure != Failure::none) return "counterexample";
    const bool exhaustive = config.mode == Mode::exhaustive;
    if (!config.replay.empty()) return "";
    if (exhaustive && !result.exhausted && config.must_exhaust) return "not exhausted in time";
    if (!scenario.expects_outcomes) return "";
    for (const std::string& outcome : result.outcomes) {
        if (scenario.outcomes.count(outcome) == 0) return "outcome not allowed: " + outcome;
    }
    if (!exhaustive) return "";
    for (const std::string& outcome : scenario.outcomes) {
        if (result.outcomes.count(outcome) == 0) return "outcome not found: " + outcome;
    }
    return "";
}

Result replay(const Scenario& scenario, const Config& config, const std::vector<Decision>& decisions,
              bool traced) {
    Result result;
    begin(scenario, config, result);
    machine.sharing.share_everything();
    machine.explorer.begin_replay(decisions);
    if (traced) trace.start(state, scenario.size);
    run_once(scenario);
    trace.stop();
    result.executions = 1;
    result.steps = machine.explorer.step();
    take_failure(result);
    collected = nullptr;
    return result;
}

std::vector<Decision> minimise(const Scenario& scenario, const Config& config, const Result& failing) {
    std::vector<Decision> best = failing.decisions;
    unsigned runs = 0;
    for (bool shorter = true; shorter && runs < most_minimising_runs;) {
        shorter = false;
        for (size_t leave_out = best.size(); leave_out-- != 0 && runs < most_minimising_runs; ++runs) {
            std::vector<Decision> attempt = best;
            attempt.erase(attempt.begin() + static_cast<std::ptrdiff_t>(leave_out));
            const Result result = replay(scenario, config, attempt, false);
            if (result.failure != failing.failure || result.decisions.size() >= best.size()) continue;
            best = result.decisions;
            shorter = true;
            break;
        }
    }
    return best;
}

}  // namespace model
}  // namespace weft
