// SPDX-License-Identifier: MIT OR Apache-2.0
// bench/host: the compiler's OpenMP. One thread of the team does what a caller does, the others run tasks.
#include <omp.h>

#include "workloads.hpp"

namespace bench {
namespace {

const auto join = [](const auto& f, const auto& g) {
#pragma omp task shared(f)
    f();
    g();
#pragma omp taskwait
};

// Calls f in one thread of a team.
class Team {
public:
    explicit Team(const Arguments& arguments) : workers_(static_cast<int>(arguments.workers)) {
        omp_set_num_threads(workers_);
        omp_set_dynamic(0);
    }
    template <class F>
    void operator()(const F& f) const {
#pragma omp parallel num_threads(workers_)
#pragma omp single
        f();
    }

private:
    const int workers_;
};

void fib(const Arguments& arguments) { measure_fib(arguments, Team(arguments), join); }

template <class Node>
void uts(const Arguments& arguments) {
    measure_uts<Node>(arguments, Team(arguments), join);
}

void queens(const Arguments& arguments) { measure_queens(arguments, Team(arguments), join); }

// The default schedule: equal parts, fixed in advance. It is the fastest here, and does not balance a load.
void loop_for(const Arguments& arguments) {
    const Team team(arguments);
    measure_for(arguments, [](const auto& change) {
#pragma omp parallel for schedule(static)
        for (uint32_t i = 0; i < Array::size; ++i) change(i);
    });
}

void loop_reduce(const Arguments& arguments) {
    const Team team(arguments);
    measure_reduce(arguments, [](const auto& map) {
        uint64_t sum = 0;
#pragma omp parallel for schedule(static) reduction(+ : sum)
        for (uint32_t i = 0; i < Array::size; ++i) sum += map(i);
        return sum;
    });
}

// ---- Tasks

void inside(const Arguments& arguments) {
    const Team team(arguments);
    uint64_t expected = 0;
    measure(arguments, static_cast<double>(arguments.size), [&] {
        team([&] {
            for (uint64_t i = 0; i != arguments.size; ++i) {
#pragma omp task
                tick();
            }
        });
        expect(ticks() == (expected += arguments.size), "not all tasks ran");
    });
}

void producer(const Arguments& arguments) {
    const Team team(arguments);
    uint64_t expected = 0;
    measure(arguments, static_cast<double>(arguments.size), [&] {
        team([&] {
            for (uint64_t i = 0; i != arguments.size; ++i) {
#pragma omp task firstprivate(i)
                run_load(i);
            }
        });
        expect(ticks() == (expected += arguments.size), "not all tasks ran");
    });
}

void next_of_chain(uint64_t& left) {
    if (--left == 0) return;
#pragma omp task shared(left)
    next_of_chain(left);
}

void chain(const Arguments& arguments) {
    const Team team(arguments);
    measure(arguments, static_cast<double>(arguments.size), [&] {
        uint64_t left = arguments.size;
        team([&] {
#pragma omp taskgroup
            next_of_chain(left);
        });
        expect(left == 0, "the chain broke");
    });
}

void idle(const Arguments& arguments) {
    const Team team(arguments);
    team([] { tick(); });
    measure_idle(arguments);
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
    using namespace bench;
    return dispatch(argc, argv,
                    {{"fib", fib},
                     {"uts", uts<BinomialNode>},
                     {"uts_sha1", uts<GeometricNode>},
                     {"queens", queens},
                     {"for", loop_for},
                     {"reduce", loop_reduce},
                     {"inside", inside},
                     {"chain", chain},
                     {"producer", producer},
                     {"idle", idle}});
}
