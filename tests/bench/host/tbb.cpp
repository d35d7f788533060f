// SPDX-License-Identifier: MIT OR Apache-2.0
// bench/host: oneTBB. The calling thread takes part (it is one of the workers), except where tasks come from outside.
#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/parallel_invoke.h>
#include <oneapi/tbb/parallel_reduce.h>
#include <oneapi/tbb/task_arena.h>
#include <oneapi/tbb/task_group.h>

#include <functional>

#include "workloads.hpp"

namespace bench {
namespace {

namespace tbb = oneapi::tbb;

// An arena of this many workers. Inside: the calling thread is one of them.
class Arena {
public:
    enum class Caller { inside, outside };

    Arena(const Arguments& arguments, Caller caller)
        : limit_(tbb::global_control::max_allowed_parallelism,
                 arguments.workers + (caller == Caller::outside ? 1 : 0)),
          arena_(static_cast<int>(arguments.workers), caller == Caller::inside ? 1 : 0) {}

    template <class F>
    void enter(const F& f) {
        arena_.execute(f);
    }
    template <class F>
    void submit(F&& f) {
        arena_.enqueue(static_cast<F&&>(f));
    }

private:
    tbb::global_control limit_;
    tbb::task_arena arena_;
};

// The cheapest fork of the library: tasks on the stack, no allocation.
const auto join = [](const auto& f, const auto& g) { tbb::parallel_invoke(f, g); };

template <class Measure>
void in_arena(const Arguments& arguments, const Measure& measure_it) {
    Arena arena(arguments, Arena::Caller::inside);
    measure_it([&arena](const auto& f) { arena.enter(f); });
}

void fib(const Arguments& arguments) {
    in_arena(arguments, [&](const auto& enter) { measure_fib(arguments, enter, join); });
}

template <class Node>
void uts(const Arguments& arguments) {
    in_arena(arguments, [&](const auto& enter) { measure_uts<Node>(arguments, enter, join); });
}

void queens(const Arguments& arguments) {
    in_arena(arguments, [&](const auto& enter) { measure_queens(arguments, enter, join); });
}

using Range = tbb::blocked_range<uint32_t>;

void loop_for(const Arguments& arguments) {
    Arena arena(arguments, Arena::Caller::inside);
    const uint32_t grain = static_cast<uint32_t>(arguments.size);
    measure_for(arguments, [&](const auto& change) {
        arena.enter([&] {
            tbb::parallel_for(Range(0, Array::size, grain), [&](const Range& range) {
                for (uint32_t i = range.begin(); i != range.end(); ++i) change(i);
            });
        });
    });
}

void loop_reduce(const Arguments& arguments) {
    Arena arena(arguments, Arena::Caller::inside);
    const uint32_t grain = static_cast<uint32_t>(arguments.size);
    measure_reduce(arguments, [&](const auto& map) {
        uint64_t sum = 0;
        arena.enter([&] {
            sum = tbb::parallel_reduce(
                Range(0, Array::size, grain), uint64_t{0},
                [&](const Range& range, uint64_t partial) {
                    for (uint32_t i = range.begin(); i != range.end(); ++i) partial += map(i);
                    return partial;
                },
                std::plus<uint64_t>());
        });
        return sum;
    });
}

// ---- Tasks

void outside(const Arguments& arguments) {
    Arena arena(arguments, Arena::Caller::outside);
    Watch watch;
    uint64_t expected = 0;
    measure(arguments, static_cast<double>(arguments.size), [&] {
        for (uint64_t i = 0; i != arguments.size; ++i) arena.submit(tick);
        watch.wait(expected += arguments.size);
    });
}

// One task submits all others.
template <class Submit>
void from_one(const Arguments& arguments, const Submit& submit) {
    Arena arena(arguments, Arena::Caller::inside);
    uint64_t expected = 0;
    measure(arguments, static_cast<double>(arguments.size), [&] {
        arena.enter([&] {
            tbb::task_group group;
            for (uint64_t i = 0; i != arguments.size; ++i) submit(group, i);
            group.wait();
        });
        expect(ticks() == (expected += arguments.size), "not all tasks ran");
    });
}

void inside(const Arguments& arguments) {
    from_one(arguments, [](tbb::task_group& group, uint64_t) { group.run(tick); });
}

void producer(const Arguments& arguments) {
    from_one(arguments, [](tbb::task_group& group, uint64_t i) { group.run([i] { run_load(i); }); });
}

struct Chain {
    tbb::task_group& group;
    uint64_t& left;
    void operator()() const {
        if (--left != 0) group.run(*this);
    }
};

void chain(const Arguments& arguments) {
    Arena arena(arguments, Arena::Caller::inside);
    measure(arguments, static_cast<double>(arguments.size), [&] {
        uint64_t left = arguments.size;
        arena.enter([&] {
            tbb::task_group group;
            group.run(Chain{group, left});
            group.wait();
        });
        expect(left == 0, "the chain broke");
    });
}

void wakes(const Arguments& arguments, int64_t rest) {
    Arena arena(arguments, Arena::Caller::outside);
    measure_wakes(
        arguments, rest, [&] { arena.submit(pinned_and_woken); }, [&] { arena.submit(woken); });
}
void asleep(const Arguments& arguments) { wakes(arguments, until_asleep); }
void awake(const Arguments& arguments) { wakes(arguments, 0); }

void idle(const Arguments& arguments) {
    Arena arena(arguments, Arena::Caller::outside);
    Watch watch;
    for (uint32_t i = 0; i != 1000; ++i) arena.submit(tick);
    watch.wait(1000);
    measure_idle(arguments);
}

}  // namespace
}  // namespace bench

// The library's small objects come from pools of its own, behind malloc's back: they are allocations too. The linker
// sends the calls in the library's headers here (--wrap).
extern "C" {

void* __real__ZN3tbb6detail2r18allocateERPNS0_2d117small_object_poolEm(void* pool, size_t size);
void* __real__ZN3tbb6detail2r18allocateERPNS0_2d117small_object_poolEmRKNS2_14execution_dataE(void* pool,
                                                                                              size_t size,
                                                                                              void* data);

void* __wrap__ZN3tbb6detail2r18allocateERPNS0_2d117small_object_poolEm(void* pool, size_t size) {
    bench::count_allocation();
    return __real__ZN3tbb6detail2r18allocateERPNS0_2d117small_object_poolEm(pool, size);
}

void* __wrap__ZN3tbb6detail2r18allocateERPNS0_2d117small_object_poolEmRKNS2_14execution_dataE(void* pool,
                                                                                              size_t size,
                                                                                              void* data) {
    bench::count_allocation();
    return __real__ZN3tbb6detail2r18allocateERPNS0_2d117small_object_poolEmRKNS2_14execution_dataE(pool, size,
                                                                                                   data);
}

}  // extern "C"

int main(int argc, char** argv) {
    using namespace bench;
    return dispatch(argc, argv,
                    {{"fib", fib},
                     {"uts", uts<BinomialNode>},
                     {"uts_sha1", uts<GeometricNode>},
                     {"queens", queens},
                     {"for", loop_for},
                     {"reduce", loop_reduce},
                     {"outside", outside},
                     {"inside", inside},
                     {"chain", chain},
                     {"producer", producer},
                     {"asleep", asleep},
                     {"awake", awake},
                     {"idle", idle}});
}
