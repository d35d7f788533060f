// SPDX-License-Identifier: MIT OR Apache-2.0
// Generated programs: the main program. TAP on standard output.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <fstream>
#include <sstream>
#include <stdexcept>

#include "engine/machine.hpp"
#include "engine/trace.hpp"
#include "generate.hpp"
#include "search.hpp"

namespace {

using namespace fuzz;
namespace model = weft::model;

const char usage[] =
    "usage: %s [options] [FILE ...]      explores the programs in these files, or generated ones\n"
    "  --seed S           the first seed (default 1)\n"
    "  --programs N       how many (default 100)\n"
    "  --seconds S        CPU time after which no other program is begun\n"
    "  --samples N        executions by chance of each program (default 400)\n"
    "  --exhaustive N     executions of a bounded exhaustive search (default 60)\n"
    "  --quick            a failing program is not made smaller; just the verdict\n"
    "  --print            prints the programs, runs nothing\n"
    "  --replay SCHEDULE  one execution of the program in FILE, with its trace\n";

struct Options {
    std::vector<std::string> files;
    Effort effort;
    uint64_t seed = 1;
    uint64_t programs = 100;
    double seconds = 0;
    bool quick = false;
    bool print = false;
    std::string schedule;
};

struct Totals {
    uint64_t programs = 0;
    uint64_t executions = 0;
    uint64_t steps = 0;
    uint64_t failed = 0;
    uint64_t statements[op_count] = {};
};

double cpu_seconds() {
    timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

// Throws std::invalid_argument for what it does not understand.
Options parse_options(int count, char** arguments) {
    Options options;
    for (int i = 1; i < count; ++i) {
        const std::string argument = arguments[i];
        const auto value = [&] {
            if (i + 1 == count) throw std::invalid_argument(argument + " needs a value");
            return std::string(arguments[++i]);
        };
        if (argument == "--seed") {
            options.seed = std::stoull(value());
        } else if (argument == "--programs") {
            options.programs = std::stoull(value());
        } else if (argument == "--seconds") {
            options.seconds = std::stod(value());
        } else if (argument == "--samples") {
            options.effort.samples = static_cast<unsigned>(std::stoul(value()));
        } else if (argument == "--exhaustive") {
            options.effort.exhaustive = static_cast<unsigned>(std::stoul(value()));
        } else if (argument == "--replay") {
            options.schedule = value();
        } else if (argument == "--quick") {
            options.quick = true;
        } else if (argument == "--print") {
            options.print = true;
        } else if (argument.compare(0, 2, "--") == 0) {
            throw std::invalid_argument(argument);
        } else {
            options.files.push_back(argument);
        }
    }
    return options;
}

std::string read_file(const std::string& name) {
    std::ifstream file(name);
    if (!file) throw std::invalid_argument("cannot read " + name);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

bool same_settings(const Settings& a, const Settings& b) { return to_text(a) == to_text(b); }

void print_commented(const std::string& text) {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) printf("# %s\n", line.c_str());
}

void print_failure(const Program& original, const Found& found, bool shrinks) {
    Found smallest = found;
    Program program = shrinks ? shrink(original, found, smallest) : original;
    const std::string schedule = minimised(program, smallest);
    const model::Result again = replay(program, schedule, true);
    print_commented(to_text(program));
    for (const std::string& line : model::trace.lines()) printf("# %s\n", line.c_str());
    printf("# %s: %s\n", name_of(again.failure), again.message.c_str());
    printf("# replay: %s\n", schedule.c_str());
}

bool run(Program& program, const std::string& name, uint64_t seed, const Options& options, Totals& totals,
         bool is_file) {
    model::machine.states->begin_program(seed);
    Effort effort = options.effort;
    effort.seed = seed;  // so a program fails alone as it fails among others
    const Found found = explore(program, effort);
    totals.executions += found.executions;
    totals.steps += found.steps;
    ++totals.programs;
    count_statements(program, totals.statements);
    const bool good = found.result.failure == model::Failure::none;
    if (good && !is_file) return true;
    printf("%s %llu - %s # %llu executions\n", good ? "ok" : "not ok",
           static_cast<unsigned long long>(is_file ? totals.programs : 1), name.c_str(),
           static_cast<unsigned long long>(found.executions));
    if (good) return true;
    printf("# %s: %s\n", name_of(found.result.failure), found.result.message.c_str());
    fflush(stdout);
    ++totals.failed;
    model::machine.states = nullptr;
    if (!options.quick) print_failure(program, found, !is_file);
    return false;
}

void print_totals(const Totals& totals, double states, double seconds) {
    printf("# totals programs=%llu executions=%llu steps=%llu states=%.0f failed=%llu seconds=%.1f\n",
           static_cast<unsigned long long>(totals.programs),
           static_cast<unsigned long long>(totals.executions), static_cast<unsigned long long>(totals.steps),
           states, static_cast<unsigned long long>(totals.failed), seconds);
    printf("# statements");
    for (unsigned i = 0; i != op_count; ++i) {
        printf(" %s=%llu", kind_of(static_cast<Op>(i)).name,
               static_cast<unsigned long long>(totals.statements[i]));
    }
    printf("\n");
}

int run_generated(const Options& options, model::States& states) {
    const double begun = cpu_seconds();
    Totals totals;
    for (uint64_t seed = options.seed; seed != options.seed + options.programs; ++seed) {
        if (options.seconds > 0 && cpu_seconds() - begun > options.seconds) break;
        Program program = generate(seed, built_settings());
        Program again = parse(to_text(program));
        if (to_text(again) != to_text(program))
            throw std::logic_error("a program that its text does not say");
        if (options.print) {
            printf("# seed %llu\n%s\n", static_cast<unsigned long long>(seed), to_text(program).c_str());
            continue;
        }
        if (!run(program, "program_" + std::to_string(seed), seed, options, totals, false)) break;
    }
    if (options.print) return 0;
    print_totals(totals, states.count(), cpu_seconds() - begun);
    return totals.failed == 0 ? 0 : 1;
}

int replay_file(Program& program, const std::string& schedule) {
    const model::Result result = replay(program, schedule, true);
    for (const std::string& line : model::trace.lines()) printf("# %s\n", line.c_str());
    printf("# %s%s%s\n", name_of(result.failure), result.message.empty() ? "" : ": ", result.message.c_str());
    return result.failure == model::Failure::none ? 0 : 1;
}

// Those that were made for another build are left out.
int run_files(const Options& options, model::States& states) {
    Totals totals;
    const double begun = cpu_seconds();
    for (const std::string& name : options.files) {
        Program program = parse(read_file(name));
        if (!same_settings(program.settings, built_settings()))
            throw std::invalid_argument(name + " is for another build: " + to_text(program.settings));
        if (!options.schedule.empty()) return replay_file(program, options.schedule);
        model::machine.states = &states;
        run(program, name, totals.programs + 1, options, totals, true);
    }
    print_totals(totals, states.count(), cpu_seconds() - begun);
    return totals.failed == 0 ? 0 : 1;
}

}  // namespace

int main(int count, char** arguments) {
    try {
        const Options options = parse_options(count, arguments);
        static model::States states;
        model::machine.states = &states;
        return options.files.empty() ? run_generated(options, states) : run_files(options, states);
    } catch (const std::exception& problem) {
        fprintf(stderr, "%s: %s\n", arguments[0], problem.what());
        fprintf(stderr, usage, arguments[0]);
        return 2;
    }
}
