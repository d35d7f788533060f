// SPDX-License-Identifier: MIT OR Apache-2.0
// The workloads: small programs that people use parallelism for, each compared with its serial counterpart, on 1, 2, 4
// and 8 workers as far as the board has cores. (On the host these may be more than there are processors.)
#pragma once

#include <stddef.h>
#include <stdint.h>

#include <weft/weft.hpp>

#include "board.hpp"
#include "random.hpp"
#include "tap.hpp"
#include "wait.hpp"

namespace workloads {

using weft::fork_join;
using weft::Here;
using weft::parallel_for;
using weft::parallel_reduce;
using weft::Scheduler;

// Emulated boards get smaller problems.
#if __has_include("weft_host_faults.hpp")
inline constexpr bool on_host = true;
#else
inline constexpr bool on_host = false;
#endif
constexpr uint32_t size(uint32_t host, uint32_t board) { return on_host ? host : board; }

// Starts all cores of a pool, which is new, and ends it.
void start(Scheduler& pool);
void end(Scheduler& pool);

// Memory for one pool after another.
template <uint32_t workers>
class Crew {
public:
    template <class Body>
    static void run(Body& body) {
        weft::Pool<workers>& pool = *new (memory_) Room;
        start(pool);
        body(pool);
        end(pool);
    }

private:
    struct Room : weft::Pool<workers> {
        static void* operator new(size_t, void* memory) noexcept { return memory; }
    };
    alignas(Room) static inline unsigned char memory_[sizeof(Room)] = {};
};

template <uint32_t workers, class Body>
void on_crew(Body& body) {
    if constexpr (workers <= BOARD_CORES) Crew<workers>::run(body);
}

// body(pool) for a pool of each size. The calling core, 0, is none of its workers but when it forks.
template <class Body>
void on_each_crew(Body body) {
    on_crew<1>(body);
    on_crew<2>(body);
    on_crew<4>(body);
    on_crew<8>(body);
}

// Computes in the pool: function(here).
template <class Function>
void in(Scheduler& pool, Function function) {
    auto with_here = [&] { function(Here()); };
    fork_join(pool, with_here, [] {});
}
inline Here serially() { return Here::nobody(); }

}  // namespace workloads
