// SPDX-License-Identifier: MIT OR Apache-2.0
// Compiled, never linked: tools/size reads the sizes of these arrays from the object's symbol table; with PROBE_POOL or
// PROBE_POOL_IN, those of the sections that a pool lies in.
#include <weft/weft.hpp>

#ifdef PROBE_POOL
WEFT_CONSTINIT weft::Pool<PROBE_POOL> probe_pool{};
#elif defined(PROBE_POOL_IN)
[[gnu::section(".bss.near")]] WEFT_CONSTINIT weft::PoolMemory<PROBE_POOL_IN> probe_memory{};
[[gnu::section(".data.near")]] WEFT_CONSTINIT weft::PoolIn probe_pool{probe_memory};
#else
extern "C" {
char probe_task[sizeof(weft::Task)];
char probe_pool_1[sizeof(weft::Pool<1, 64>)];
char probe_pool_2[sizeof(weft::Pool<2, 64>)];
char probe_slots[64 * sizeof(void*)];
}
#endif
