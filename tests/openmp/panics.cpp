// SPDX-License-Identifier: MIT OR Apache-2.0
// OpenMP: what ends in a panic, on the host alone. They come first, see panics.hpp.
#include "program.hpp"

#if __has_include("weft_host_faults.hpp")

#include <weft_image.hpp>

#include "panics.hpp"

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

void N8_misuse_is_reported() {
#if WEFT_CHECKS
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
