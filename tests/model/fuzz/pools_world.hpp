// SPDX-License-Identifier: MIT OR Apache-2.0
// Generated programs: the pools of a run, in one object or in two.
#pragma once

#include <weft/weft.hpp>

#include <new>

#include "tree.hpp"

namespace fuzz {

template <uint32_t cores, uint32_t ring>
struct Split {
    weft::PoolMemory<cores, ring> memory;
    weft::PoolIn<cores, ring> pool{memory};
};
template <uint32_t cores, uint32_t ring>
weft::Scheduler& build(bool split, void* memory) {
    if (split) return (new (memory) Split<cores, ring>())->pool;
    return *new (memory) weft::Pool<cores, ring>();
}
template <uint32_t ring>
weft::Scheduler& build(const PoolKind& kind, void* memory) {
    if (kind.cores == 1) return build<1, ring>(kind.split, memory);
    return kind.cores == 2 ? build<2, ring>(kind.split, memory) : build<3, ring>(kind.split, memory);
}
inline weft::Scheduler& build_pool(const PoolKind& kind, void* memory) {
    if (kind.ring == 2) return build<2>(kind, memory);
    return kind.ring == 4 ? build<4>(kind, memory) : build<8>(kind, memory);
}

union LargestPool {
    weft::Pool<3, 8> pool;
    Split<3, 8> split;
};

}  // namespace fuzz
