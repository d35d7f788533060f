// SPDX-License-Identifier: MIT OR Apache-2.0
// What tests of OpenMP share: a pool that carries it, for one test.
#pragma once

#include <omp.h>

#include <weft/openmp.hpp>
#include <weft/weft.hpp>

#include "tap.hpp"
#include "wait.hpp"

// Of weft's own omp.h; a reader of this file may find another one.
extern "C" {
unsigned long long weft_openmp_ticks(void) noexcept;
unsigned long long weft_openmp_ticks_per_second(void) noexcept;
}

namespace program {

using weft::acq_rel;
using weft::acquire;
using weft::Atomic;
using weft::relaxed;
using weft::release;
using weft::Status;

constexpr uint32_t cores = BOARD_CORES;
using Pool = weft::Pool<cores>;
using Memory = weft::openmp::Memory<cores, 32, 48>;
inline Memory memory;

constexpr omp_sched_t schedules[] = {omp_sched_static, omp_sched_dynamic, omp_sched_guided, omp_sched_auto};

// Lets the calling core use floating point, where it must be asked.
inline void allow_floating_point() {
#if defined(__aarch64__) && !__STDC_HOSTED__
    asm volatile("msr cpacr_el1, %0\n\tisb" ::"r"(uint64_t(3) << 20));
#endif
}

class Program {
public:
    template <class AnyMemory = Memory>
    explicit Program(AnyMemory& with = memory) {
        CHECK(weft::openmp::attach(pool, with) == Status::ok);
    }
    ~Program() {
        pool.shutdown();
        weft::Batch left;  // invitations of cores that have not come
        CHECK(pool.join(left) == Status::ok);
        while (left.pop() != nullptr) {
        }
        CHECK(weft::openmp::detach() == Status::ok);
    }
    Program(const Program&) = delete;
    Program& operator=(const Program&) = delete;

    Pool pool{};
};

// In a region: how many threads it has. A core may be late for one, and then it has fewer than others.
inline void note_threads(uint32_t& threads) {
#pragma omp master
    threads = static_cast<uint32_t>(omp_get_num_threads());
}

// So many cores have come until now; repeats empty regions until all have. Returns how many threads the last one had.
// From files without floating point: in those with it, a region could use its registers before they are allowed.
inline uint32_t bring_all() {
    uint32_t threads = 0;
    tap::wait_for(
        [&] {
#pragma omp parallel
            {
                allow_floating_point();
                note_threads(threads);
            }
            return threads == cores;
        },
        "all cores in a team");
    return threads;
}

}  // namespace program
