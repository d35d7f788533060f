// SPDX-License-Identifier: MIT OR Apache-2.0
// bench/host: the work without any scheduler, as one would write it for one core.
#include "workloads.hpp"

namespace bench {
namespace {

// The same calls and additions as the parallel one. The attributes keep the compiler from unrolling the recursion, the
// barrier from calling it once and for all.
[[gnu::noinline, gnu::noclone]] uint64_t fib_calls(uint32_t n) {
    if (n < 2) return n;
    asm volatile("");
    return fib_calls(n - 1) + fib_calls(n - 2);
}

void fib(const Arguments& arguments) {
    const uint32_t n = static_cast<uint32_t>(arguments.size);
    measure(arguments, fib_forks(n), [n] { expect(fib_calls(n) == fib_serial(n), "fib is wrong"); });
}

template <class Node>
void uts(const Arguments& arguments) {
    const uint64_t seed = arguments.size;
    measure(arguments, static_cast<double>(Node::nodes(seed)), [seed] {
        expect(count_serial(Node::root(seed)) == Node::nodes(seed), "the tree has another size");
    });
}

void queens(const Arguments& arguments) {
    const uint32_t n = static_cast<uint32_t>(arguments.size);
    measure(arguments, static_cast<double>(queens_solutions(n)),
            [n] { expect(queens_serial(Board(), n, 0) == queens_solutions(n), "queens are wrong"); });
}

void loop_for(const Arguments& arguments) {
    measure_for(arguments, [](const auto& change) {
        for (uint32_t i = 0; i != Array::size; ++i) change(i);
        asm volatile("" : : : "memory");
    });
}

void loop_reduce(const Arguments& arguments) {
    measure_reduce(arguments, [](const auto& map) {
        uint64_t sum = 0;
        for (uint32_t i = 0; i != Array::size; ++i) sum += map(i);
        asm volatile("" : "+r"(sum) : : "memory");
        return sum;
    });
}

void producer(const Arguments& arguments) {
    measure(arguments, static_cast<double>(arguments.size), [&] {
        for (uint64_t i = 0; i != arguments.size; ++i) run_load(i);
    });
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
                     {"producer", producer}});
}
