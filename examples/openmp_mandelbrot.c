// SPDX-License-Identifier: MIT OR Apache-2.0
// OpenMP without an operating system: plain code with directives, run by the cores of a pool. GCC only. On Linux:
//
//     gcc -std=c11 -Wall -Wextra -fopenmp -Iinclude -c examples/openmp_mandelbrot.c -o openmp_mandelbrot.o &&
//         g++ -std=c++17 -pthread -Iinclude -Iport -Iport/host openmp_mandelbrot.o src/*.cpp src/c/*.cpp
//         src/openmp/*.cpp port/host/*.cpp -o openmp_mandelbrot && ./openmp_mandelbrot
//
// On an emulated board: make run APP=openmp_mandelbrot BOARD=mps2-an521
#include <omp.h>
#include <weft/openmp.h>

#include "machine.h"  // print_number()

#define ROWS 48

// Fixed point with 12 bits: not every core has floating point.
static int iterations_at(int row, int column) {
    const int cx = column * 3 * 4096 / ROWS - 2 * 4096, cy = row * 2 * 4096 / ROWS - 4096;
    int x = 0, y = 0, n = 0;
    while (n < 50 && x * x / 4096 + y * y / 4096 < 4 * 4096) {
        const int next = (x * x - y * y) / 4096 + cx;
        y = 2 * x * y / 4096 + cy;
        x = next;
        n++;
    }
    return n;
}

// What an OpenMP program looks like: nothing of weft is in here.
static unsigned picture(int* threads) {
    unsigned sum = 0;
#pragma omp parallel
    {
#pragma omp single
        *threads = omp_get_num_threads();
#pragma omp for schedule(dynamic) reduction(+ : sum)
        for (int row = 0; row < ROWS; row++)
            for (int column = 0; column < ROWS; column++) sum += (unsigned)iterations_at(row, column);
    }
    return sum;
}

static WEFT_POOL_MEMORY(memory, 4, 64);  // a pool of up to 4 cores
static WEFT_OPENMP_MEMORY(team, 4, 16,
                          64);  // and teams of up to 4 threads: no stack is made for them, they are cores
static weft_pool* pool;

int main(void) {
    if (weft_pool_init(&pool, memory, sizeof memory, 4, 64) != WEFT_OK) return 1;
    if (weft_openmp_attach(pool, team, sizeof team, 4, 64) != WEFT_OK) return 1;
    int threads = 0;
    const unsigned sum = picture(&threads);
    print_number("iterations:", sum);
    print_number("threads:", (unsigned)threads);
    weft_shutdown(pool, WEFT_DRAIN);
    return weft_join(pool, NULL) == WEFT_OK && sum == picture(&threads) && threads == 1 ? 0 : 1;
}
