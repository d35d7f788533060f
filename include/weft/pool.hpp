// SPDX-License-Identifier: MIT OR Apache-2.0
/// @file
/// Pool: a scheduler with its memory.
#pragma once

#include <weft/scheduler.hpp>

namespace weft {
inline namespace WEFT_ABI {
namespace detail {

template <uint32_t... Cores>
struct CoreList {};
template <uint32_t Count, uint32_t... Cores>
struct MakeCoreList : MakeCoreList<Count - 1, Count - 1, Cores...> {};
template <uint32_t... Cores>
struct MakeCoreList<0, Cores...> {
    using Type = CoreList<Cores...>;
};

// The memory of a pool. A base of Pool, so that it is there before the Scheduler that points to it.
template <uint32_t Cores, uint32_t RingSize>
struct PoolMemory {
    static_assert(Cores >= 1, "weft: a pool needs at least one core");
    static_assert(Cores <= Scheduler::most_cores,
                  "weft: a pool has at most 24 cores (bits of the idle word)");
    static_assert(Cores <= Port::max_cores, "weft: the port does not know so many cores");
    static_assert(RingSize >= 2 && (RingSize & (RingSize - 1)) == 0 && RingSize <= 65536,
                  "weft: the ring size must be a power of two from 2 to 65536");

    constexpr PoolMemory() : PoolMemory(typename MakeCoreList<Cores>::Type()) {}

    Ring::Slot slots[Cores][RingSize] = {};
    Worker workers[Cores];
    ForkDeque forks[Cores];

private:
    template <uint32_t... Ids>
    constexpr explicit PoolMemory(CoreList<Ids...>) : workers{Worker(Ids, slots[Ids], RingSize)...} {}
};

}  // namespace detail

/// A pool for up to `Cores` cores (1..24, ids 0..Cores-1). Each has a ring of `RingSize` tasks (a power of two,
/// 2..65536). More tasks overflow into intrusive lists, so there is no limit and nothing is allocated. No core is
/// started before the first submit needs one. A pool is used once: after join() it takes no tasks any more. Scheduler
/// has the interface.
///
///     WEFT_CONSTINIT weft::Pool<4> pool{};
///
/// The {} matters for arrays (see WEFT_CONSTINIT). A pool whose constructor has never run takes no tasks. Checked
/// builds panic where it is used, others return closed.
/// @lifetime It must outlive every call into it and every core that works for it: until join() has returned.
template <uint32_t Cores, uint32_t RingSize = 64>
class Pool : private detail::PoolMemory<Cores, RingSize>, public Scheduler {
    using Memory = detail::PoolMemory<Cores, RingSize>;

public:
    /// Constant-initialised: a pool at namespace scope may be used before main().
    /// @context Any context; no core may use the pool before its constructor has ended.
    constexpr Pool() : Scheduler(Memory::workers, Memory::forks, Cores) {}
};

}  // namespace WEFT_ABI
}  // namespace weft
