// SPDX-License-Identifier: MIT OR Apache-2.0
// weft: attach and detach for C.
#include <weft/openmp.h>
#include <weft/openmp.hpp>

#include "../c/internal.hpp"

using namespace weft::c;

extern "C" {

weft_status weft_openmp_attach(weft_pool* pool, void* memory, size_t bytes, uint32_t threads,
                               size_t task_bytes) {
    using weft::detail::openmp::data_alignment;
    using weft::detail::openmp::invitation_bytes;
    using weft::detail::openmp::Record;
    if (!is_made(pool) || !are_given(static_cast<const unsigned char*>(memory))) return WEFT_NOT_MADE;
    if (threads < 1 || threads > weft::Scheduler::most_cores) return WEFT_OUT_OF_RANGE;
    if (reinterpret_cast<uintptr_t>(memory) % data_alignment != 0) return WEFT_WRONG_MEMORY;
    constexpr size_t mask = data_alignment - 1;
    const size_t head = (threads * invitation_bytes + mask) & ~mask;
    if (task_bytes > bytes || bytes < head) return WEFT_WRONG_MEMORY;
    const size_t stride = (sizeof(Record) + task_bytes + mask) & ~mask;
    const size_t count = (bytes - head) / stride;
    if (count == 0) return WEFT_WRONG_MEMORY;
    unsigned char* const place = static_cast<unsigned char*>(memory);
    const uint32_t records = count < ~0u ? static_cast<uint32_t>(count) : ~0u;
    return of(weft::openmp::attach(pool_of(pool), {place, threads, place + head, records, stride}));
}
weft_status weft_openmp_detach(void) { return of(weft::openmp::detach()); }
weft_openmp_counts weft_openmp_figures(void) {
    const weft::openmp::Figures now = weft::openmp::figures();
    return {now.teams, now.alone, now.deferred, now.without_room, now.largest_data};
}

}  // extern "C"
