// SPDX-License-Identifier: MIT OR Apache-2.0
// weft: OpenMP's time. The port's clock has 32 bits; here its turns are counted, when somebody looks.
#include <weft/openmp/omp.h>

#include "layer.hpp"

namespace weft {
inline namespace WEFT_ABI {
namespace detail {
namespace openmp {

namespace {

Lock lock;
uint32_t last;
uint32_t turns;

}  // namespace

void look_at_the_clock() { static_cast<void>(weft_openmp_ticks()); }

}  // namespace openmp
}  // namespace detail
}  // namespace WEFT_ABI
}  // namespace weft

using namespace weft::detail::openmp;

extern "C" {

unsigned long long weft_openmp_ticks(void) noexcept {
    const Locked locked(lock);
    const uint32_t now = weft::Port::now();
    if (now < last) ++turns;
    last = now;
    return static_cast<unsigned long long>(turns) << 32 | now;
}
unsigned long long weft_openmp_ticks_per_second(void) noexcept {
    return static_cast<unsigned long long>(weft::Port::ticks_per_ms()) * 1000u;
}

}  // extern "C"
