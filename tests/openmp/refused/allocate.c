/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Memory of an allocator: there is none. */
#include <stdint.h>
// missing: GOMP_alloc GOMP_free
typedef enum omp_allocator_handle_t {
    omp_large_cap_mem_alloc = 2,
    omp_allocators = UINTPTR_MAX
} omp_allocator_handle_t;
void use(int* values);
void f(void);
void f(void) {
    int values[16] = {0};
#pragma omp parallel firstprivate(values) allocate(omp_large_cap_mem_alloc : values)
    use(values);
}
