// SPDX-License-Identifier: MIT OR Apache-2.0
// missing: omp_fulfill_event
typedef enum omp_event_handle_t { none, all = __UINTPTR_MAX__ } omp_event_handle_t;
void omp_fulfill_event(omp_event_handle_t event);
void f(void) {
    omp_event_handle_t event;
#pragma omp task detach(event)
    omp_fulfill_event(event);
}
