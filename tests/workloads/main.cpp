// SPDX-License-Identifier: MIT OR Apache-2.0
// The workloads as tests. Options on the command line: see sort.cpp.
#include "workloads.hpp"

namespace workloads {
namespace {

// One for each core but 0: they are done when all of them run at the same time.
class Arrival : public weft::Task {
public:
    constexpr Arrival() : Task(&Arrival::run) {}
    static void begin(uint32_t expected) {
        expected_ = expected;
        arrived_.store(0, weft::relaxed);  // the submits publish it
        left_.store(0, weft::relaxed);
    }
    static bool over() { return left_.load(weft::acquire) == expected_; }

private:
    static void run(weft::Task&) {
        arrived_.fetch_add(1, weft::acq_rel);
        tap::wait_for([] { return arrived_.load(weft::acquire) == expected_; }, "all cores of a pool");
        left_.fetch_add(1, weft::release);
    }

    static inline uint32_t expected_ = 0;
    static inline weft::Atomic<uint32_t> arrived_{};
    static inline weft::Atomic<uint32_t> left_{};
};
Arrival arrivals[BOARD_CORES];

}  // namespace

void start(Scheduler& pool) {
    const uint32_t others = pool.cores() - 1;
    Arrival::begin(others);
    for (uint32_t i = 0; i < others; ++i) CHECK_EQ(pool.submit(arrivals[i]), weft::Status::ok);
    tap::wait_for([] { return Arrival::over(); }, "the cores of a new pool");
}

void end(Scheduler& pool) {
    pool.shutdown();
    CHECK_EQ(pool.join(), weft::Status::ok);
    if (tap::option("show", 0) != 0) tap::note(pool.cores(), " workers: ", pool.total().stolen, " stolen");
}

extern const tap::Tests sort_tests, matrix_tests, fourier_tests, search_tests;
}  // namespace workloads

extern "C" int board_main() {
    using namespace workloads;
    return tap::run({sort_tests, matrix_tests, fourier_tests, search_tests});
}
