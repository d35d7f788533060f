// SPDX-License-Identifier: MIT OR Apache-2.0
// missing: GOMP_teams_reg
void work(int i);
void f(int n) {
#pragma omp teams
    work(n);
}
