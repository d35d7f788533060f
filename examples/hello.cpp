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
weft::Job hello([] { print("hello from core", weft::this_core()); });  // a task: a callable, kept in it

struct Sample : weft::TaskOf<Sample> {  // or your object is the task: nothing is copied or allocated
    void run() {                        // on any core of the pool
        print("filtered to", raw * 3 / 2);
        pool.shutdown();  // run() below returns when all that was submitted has run
    }
    uint32_t raw = 28;
} sample;

int main() {
    if (pool.submit(hello) != weft::Status::ok || pool.submit(sample) != weft::Status::ok) return 1;
    if (pool.run() != weft::Status::ok) return 1;    // this core works for the pool until its shutdown
    return pool.join() == weft::Status::ok ? 0 : 1;  // all cores have left; a pool is used once
}
// [readme end]
