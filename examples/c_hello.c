// SPDX-License-Identifier: MIT OR Apache-2.0
// Hello in C: two tasks, and the pool ends. The library is compiled as C++, this file as C11. On Linux:
//
//     gcc -std=c11 -Wall -Wextra -Wpedantic -Iinclude -c examples/c_hello.c -o c_hello.o &&
//         g++ -std=c++17 -pthread -Iinclude -Iport -Iport/host c_hello.o src/*.cpp src/c/*.cpp port/host/*.cpp
//         -o c_hello && ./c_hello
//
// On an emulated board: make run APP=c_hello BOARD=mps2-an521
// [readme]
#include <weft/weft.h>

#include "machine.h"  // print_number()

static WEFT_POOL_MEMORY(memory, 4, 64);  // for up to 4 cores, each with a ring of 64 tasks
static weft_pool* pool;

typedef struct {
    weft_task task;  // first: the run function gets its address
    uint32_t raw, filtered;
} sample;

static void filter(weft_task* self) {  // on any core of the pool
    sample* const own = (sample*)self;
    own->filtered = own->raw * 3 / 2;
    print_number("filtered to", own->filtered);
    weft_shutdown(pool, WEFT_DRAIN);
}
static void greet(weft_task* self) {
    (void)self;
    print_number("hello from core", weft_this_core());
}

static sample one = {WEFT_TASK(filter), 28, 0};
static weft_task hello = WEFT_TASK(greet);

int main(void) {
    if (weft_pool_init(&pool, memory, sizeof memory, 4, 64) != WEFT_OK) return 1;
    if (weft_submit(pool, &hello) != WEFT_OK || weft_submit(pool, &one.task) != WEFT_OK) return 1;
    if (weft_run(pool) != WEFT_OK) return 1;
    return weft_join(pool, NULL) == WEFT_OK && one.filtered == 42 ? 0 : 1;
}
// [readme end]
