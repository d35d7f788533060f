// SPDX-License-Identifier: MIT OR Apache-2.0
// bench/host: counts every allocation of the process. These definitions take the place of the C library's in all
// shared objects; operator new ends here too.
#include <errno.h>

#include "harness.hpp"

extern "C" {
void* __libc_malloc(size_t size);
void* __libc_calloc(size_t count, size_t size);
void* __libc_realloc(void* memory, size_t size);
void* __libc_memalign(size_t alignment, size_t size);
}

namespace bench {
namespace {

constexpr uint32_t most_threads = 64;

struct alignas(64) Count {
    uint64_t value = 0;
};
Count counts[most_threads];
uint32_t counts_used = 0;
thread_local Count* count = nullptr;

}  // namespace

void count_allocation() {
    if (count == nullptr) {
        const uint32_t index = __atomic_fetch_add(&counts_used, 1, __ATOMIC_RELAXED);
        count = &counts[index < most_threads ? index : most_threads - 1];
    }
    __atomic_store_n(&count->value, count->value + 1, __ATOMIC_RELAXED);
}

uint64_t allocations() {
    uint64_t sum = 0;
    for (const Count& one : counts) sum += __atomic_load_n(&one.value, __ATOMIC_RELAXED);
    return sum;
}

}  // namespace bench

extern "C" {

void* malloc(size_t size) {
    bench::count_allocation();
    return __libc_malloc(size);
}

void* calloc(size_t count, size_t size) {
    bench::count_allocation();
    return __libc_calloc(count, size);
}

void* realloc(void* memory, size_t size) {
    bench::count_allocation();
    return __libc_realloc(memory, size);
}

void* memalign(size_t alignment, size_t size) {
    bench::count_allocation();
    return __libc_memalign(alignment, size);
}

void* aligned_alloc(size_t alignment, size_t size) {
    bench::count_allocation();
    return __libc_memalign(alignment, size);
}

int posix_memalign(void** memory, size_t alignment, size_t size) {
    bench::count_allocation();
    *memory = __libc_memalign(alignment, size);
    return *memory != nullptr ? 0 : ENOMEM;
}

}  // extern "C"
