// SPDX-License-Identifier: MIT OR Apache-2.0
// Hello: two tasks, and the pool ends. On Linux, from the top of the tree:
//
//     g++ -std=c++17 -pthread -Iinclude -Iport -Iport/host examples/hello.cpp src/*.cpp port/host/*.cpp
//         -o hello && ./hello
//
// On an emulated board: make run APP=hello BOARD=mps2-an521
// [readme]
#include <weft/weft.hpp>

#include "machine.hpp"  // print()

WEFT_CONSTINIT weft::Pool<4> pool{};  // for up to 4 cores; all its memory is in here; usable before main()

struct Sample : weft::TaskOf<Sample> {  // the task IS your object: you own it, nothing is copied or allocated
    void run() {                        // on any core of the pool
        filtered = raw * 3 / 2;
        print("filtered to", filtered);
        pool.shutdown();  // no more tasks; run() below returns when those that were submitted have run
    }
    uint32_t raw = 28;
    uint32_t filtered = 0;
};
Sample sample;
weft::Job hello([] { print("hello from core", weft::this_core()); });  // or a callable, kept in the task

int main() {
    // From any core; wakes another one, or starts one if none sleeps. In an interrupt handler: submit_from_isr().
    if (pool.submit(hello) != weft::Status::ok) return 1;
    if (pool.submit(sample) != weft::Status::ok) return 1;
    // This core works for the pool until its shutdown. The two lines come in any order.
    if (pool.run() != weft::Status::ok) return 1;
    // All cores have left. A pool is used once.
    return pool.join() == weft::Status::ok ? 0 : 1;
}
// [readme end]
