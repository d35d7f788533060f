// SPDX-License-Identifier: MIT OR Apache-2.0
// bench/host: pthreadpool, which has loops and nothing else. The calling thread takes part.
#include <pthreadpool.h>

#include "workloads.hpp"

namespace bench {
namespace {

class Threads {
public:
    explicit Threads(const Arguments& arguments) : pool_(pthreadpool_create(arguments.workers)) {
        expect(pool_ != nullptr, "no pool");
    }
    ~Threads() { pthreadpool_destroy(pool_); }
    Threads(const Threads&) = delete;
    Threads& operator=(const Threads&) = delete;

    // body(first, count)
    template <class Body>
    void loop(size_t grain, const Body& body) {
        pthreadpool_parallelize_1d_tile_1d(pool_, body, Array::size, grain);
    }

private:
    pthreadpool_t pool_;
};

void loop_for(const Arguments& arguments) {
    Threads threads(arguments);
    measure_for(arguments, [&](const auto& change) {
        threads.loop(arguments.size, [&](size_t first, size_t count) {
            for (size_t i = first; i != first + count; ++i) change(static_cast<uint32_t>(i));
        });
    });
}

// There is no reduction: a sum per tile, added up afterwards.
void loop_reduce(const Arguments& arguments) {
    static uint64_t sums[Array::size];
    Threads threads(arguments);
    measure_reduce(arguments, [&](const auto& map) {
        threads.loop(arguments.size, [&](size_t first, size_t count) {
            uint64_t sum = 0;
            for (size_t i = first; i != first + count; ++i) sum += map(static_cast<uint32_t>(i));
            sums[first / arguments.size] = sum;
        });
        uint64_t sum = 0;
        for (size_t i = 0; i * arguments.size < Array::size; ++i) sum += sums[i];
        return sum;
    });
}

void idle(const Arguments& arguments) {
    Threads threads(arguments);
    threads.loop(Array::grain, [](size_t, size_t) {});
    measure_idle(arguments);
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
    using namespace bench;
    return dispatch(argc, argv, {{"for", loop_for}, {"reduce", loop_reduce}, {"idle", idle}});
}
