// SPDX-License-Identifier: MIT OR Apache-2.0
// What the parallel mode needs besides OpenMP, and finds in the C++ and C libraries where there are some: memory, its
// settings, a hint to a spinning loop, and the end of the run where it would throw. (memcpy and its like are the
// boards'.)
#include "kernels.hpp"

#if HAS_PARALLEL_MODE && defined NO_CXX_LIBRARY
#include <bits/functexcept.h>
#include <parallel/settings.h>

#include <new>

#include "tap.hpp"

namespace {

// What is in use of it only grows, on any core, until a kernel is over.
constexpr size_t arena_bytes = 1024 * 1024;
alignas(16) unsigned char arena[arena_bytes];
weft::Atomic<size_t> used{};

// relaxed: a block is its caller's alone, and was nobody's before in this run of a kernel
void* allocate(size_t bytes) {
    const size_t whole = (bytes + 15) / 16 * 16;
    const size_t from = used.fetch_add(whole, weft::relaxed);
    if (whole < bytes || from > arena_bytes || whole > arena_bytes - from)
        tap::bail_out("the arena is too small");
    return arena + from;
}
__gnu_parallel::_Settings& settings() {
    static __gnu_parallel::_Settings all;  // made by the first call, which comes before the first region
    return all;
}

}  // namespace

const std::nothrow_t std::nothrow{};
void* operator new(size_t bytes) { return allocate(bytes); }
void* operator new[](size_t bytes) { return allocate(bytes); }
void* operator new(size_t bytes, const std::nothrow_t&) noexcept { return allocate(bytes); }
void operator delete(void*) noexcept {}
void operator delete[](void*) noexcept {}
void operator delete(void*, size_t) noexcept {}
void operator delete[](void*, size_t) noexcept {}

const __gnu_parallel::_Settings& __gnu_parallel::_Settings::get() throw() { return settings(); }
void __gnu_parallel::_Settings::set(_Settings& all) throw() { settings() = all; }

void std::__throw_length_error(const char* what) { tap::bail_out(what); }

extern "C" int sched_yield() {
    weft::Port::relax();
    return 0;
}

namespace existing {

void free_memory() { used.store(0, weft::relaxed); }  // relaxed: behind all regions

}  // namespace existing

#else

namespace existing {

void free_memory() {}

}  // namespace existing
#endif
