/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* An error of the program's own at run time: weft has nowhere to print it. */
// missing: GOMP_error GOMP_warning
void f(int wrong);
void f(int wrong) {
    if (wrong) {
#pragma omp error at(execution) severity(fatal) message("wrong")
    } else {
#pragma omp error at(execution) severity(warning) message("not quite right")
    }
}
