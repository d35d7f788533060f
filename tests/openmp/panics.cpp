// SPDX-License-Identifier: MIT OR Apache-2.0
// OpenMP: what ends in a panic, on the host alone. They come first, see panics.hpp.
#include "program.hpp"

#if __has_include("weft_host_faults.hpp")

#include <pthread.h>

#include <weft_image.hpp>

#include "panics.hpp"

// As GCC's code calls it.
extern "C" void GOMP_task(void (*function)(void*), void* data, void (*copy)(void*, void*), long bytes,
                          long alignment, bool may_be_deferred, unsigned flags, void** dependences,
                          int priority, void* detached);

namespace program {
namespace {

void a_region() {
#pragma omp parallel
    static_cast<void>(omp_get_thread_num());
}
[[maybe_unused]] void a_region_in_a_handler() {
    Pool pool;
    static_cast<void>(weft::openmp::attach(pool, memory));
    const weft::host::Interrupt interrupt;
    a_region();
}
[[maybe_unused]] void attach_in_a_handler() {
    Pool pool;
    const weft::host::Interrupt interrupt;
    if (weft::openmp::attach(pool, memory) == Status::wrong_context) weft::Port::panic("refused", 0, nullptr);
}

[[maybe_unused]] void a_detached_task() {
    constexpr unsigned can_be_detached = 1u << 13;
    GOMP_task([](void*) {}, nullptr, nullptr, 0, 1, true, can_be_detached, nullptr, 0, nullptr);
}
[[maybe_unused]] void a_region_of_a_foreign_thread() {
    Pool pool;
    static_cast<void>(weft::openmp::attach(pool, memory));
    pthread_t thread;
    pthread_create(
        &thread, nullptr,
        [](void*) -> void* {
            a_region();
            return nullptr;
        },
        nullptr);
    pthread_join(thread, nullptr);
}

void N8_misuse_is_reported() {
#if WEFT_CHECKS
    CHECK(tap::panics(&a_detached_task, "OpenMP tasks with `detach` are not supported"));
    CHECK(tap::panics(&a_region_of_a_foreign_thread, "OpenMP on a core that the port does not count"));
    CHECK(tap::panics(&a_region, "no pool to run it; call weft::openmp::attach"));
    CHECK(tap::panics(&a_region_in_a_handler, "OpenMP in an interrupt handler"));
    CHECK(tap::panics(&attach_in_a_handler, "refused"));
#else
    a_region();
    CHECK_EQ(weft::openmp::figures().alone, 1u);
#endif
}

constexpr tap::Test tests[] = {TEST(N8_misuse_is_reported)};

}  // namespace

extern const tap::Tests panics_tests{tests};

}  // namespace program

#endif
