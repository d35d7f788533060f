// SPDX-License-Identifier: MIT OR Apache-2.0
// Compiled, never linked: tools/size reads the sizes of these arrays from the object's symbol table; with PROBE_POOL or
// PROBE_POOL_IN, those of the sections that a pool lies in; with PROBE_COROUTINES, the code of that many coroutines.
#include <weft/weft.hpp>

#ifdef PROBE_COROUTINES
#include <weft/coroutine.hpp>
#endif

#ifdef PROBE_POOL
WEFT_CONSTINIT weft::Pool<PROBE_POOL> probe_pool{};
#elif defined(PROBE_POOL_IN)
[[gnu::section(".bss.near")]] WEFT_CONSTINIT weft::PoolMemory<PROBE_POOL_IN> probe_memory{};
[[gnu::section(".data.near")]] WEFT_CONSTINIT weft::PoolIn probe_pool{probe_memory};
#elif defined(PROBE_COROUTINES)
// Each waits for an event, then goes on in a task of the pool, and ends.
extern weft::Scheduler& probe_pool;
extern weft::Event probe_event;
extern weft::FrameSource& probe_frames;
template <int number>
weft::Coroutine<void> probe_coroutine(weft::FrameSource&, weft::Status* seen) {
    const weft::Status waited = co_await probe_event;
    seen[0] = waited;
    const weft::Status hopped = co_await probe_pool;
    seen[number] = hopped;
}
weft::Status probe_spawn(weft::Status* seen) {
    weft::Status status = weft::Status::ok;
#if PROBE_COROUTINES >= 1
    status = probe_coroutine<1>(probe_frames, seen).spawn(probe_pool);
#endif
#if PROBE_COROUTINES >= 2
    if (status == weft::Status::ok) status = probe_coroutine<2>(probe_frames, seen).spawn(probe_pool);
#endif
    static_cast<void>(seen);
    return status;
}
#else
extern "C" {
char probe_task[sizeof(weft::Task)];
char probe_pool_1[sizeof(weft::Pool<1, 64>)];
char probe_pool_2[sizeof(weft::Pool<2, 64>)];
char probe_slots[64 * sizeof(void*)];
}
#endif
