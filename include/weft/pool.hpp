// SPDX-License-Identifier: MIT OR Apache-2.0
/// @file
/// Pool: a scheduler with its memory; and the same in two objects, PoolIn and PoolMemory.
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

// A base of the pool, so that they are there before the Scheduler that points to them.
template <uint32_t Cores>
struct Workers {
    template <uint32_t RingSize>
    constexpr explicit Workers(Ring::Slot (&slots)[Cores][RingSize])
        : Workers(slots, typename MakeCoreList<Cores>::Type()) {}

    Worker workers[Cores];

private:
    template <uint32_t RingSize, uint32_t... Ids>
    constexpr Workers(Ring::Slot (&slots)[Cores][RingSize], CoreList<Ids...>)
        : workers{Worker(Ids, slots[Ids], RingSize)...} {}
};

}  // namespace detail

template <uint32_t Cores, uint32_t RingSize>
class PoolIn;

/// What of a pool is zero at the start, by far the most of it: the slots of the rings, and forked children. A compiler
/// puts an object whole into .data or into .bss. Of its own, this is in .bss, and takes nothing of the flash.
/// @lifetime It must outlive the PoolIn that is made in it. It is for one pool, and like a pool it is used once.
/// @panics Checked builds: two pools share it (not with WEFT_FORK_DEPTH=0).
template <uint32_t Cores, uint32_t RingSize = 64>
class PoolMemory {
    static_assert(Cores >= 1, "weft: a pool needs at least one core");
    static_assert(Cores <= Scheduler::most_cores,
                  "weft: a pool has at most 24 cores (bits of the idle word)");
    static_assert(Cores <= Port::max_cores,
                  "weft: more cores than the port knows; for all sources, -DWEFT_MAX_CORES=n says how many");
    static_assert(RingSize >= 2 && (RingSize & (RingSize - 1)) == 0 && RingSize <= 65536,
                  "weft: the ring size must be a power of two from 2 to 65536");

public:
    /// All zero.
    /// @context Any context.
    constexpr PoolMemory() = default;
    PoolMemory(const PoolMemory&) = delete;
    PoolMemory& operator=(const PoolMemory&) = delete;

private:
    friend class PoolIn<Cores, RingSize>;

    detail::Ring::Slot slots_[Cores][RingSize] = {};
    detail::ForkDeque forks_[Cores];
};

/// A Pool in two objects: a fifth to two fifths of it are in .data, the rest is in .bss. In all else it is a Pool.
///
///     WEFT_CONSTINIT weft::PoolMemory<4> memory{};
///     WEFT_CONSTINIT weft::PoolIn pool{memory};
///
/// Each may be put into a section of its own, say in memory that is tightly coupled to the cores. GCC and Clang take a
/// name that begins with .bss. for zeros that take no place in the image. The start-up code must set such a section to
/// zero before it uses the pool, and load the other:
///
///     [[gnu::section(".bss.near")]] WEFT_CONSTINIT weft::PoolMemory<4> memory{};
///     [[gnu::section(".data.near")]] WEFT_CONSTINIT weft::PoolIn pool{memory};
/// @lifetime As a Pool.
template <uint32_t Cores, uint32_t RingSize = 64>
class PoolIn : private detail::Workers<Cores>, public Scheduler {
public:
    /// Constant-initialised: a pool at namespace scope may be used before main(). Not explicit, for elements of arrays.
    /// @context As Pool::Pool().
    constexpr PoolIn(PoolMemory<Cores, RingSize>& pool_memory)
        : detail::Workers<Cores>(pool_memory.slots_),
          Scheduler(detail::Workers<Cores>::workers, pool_memory.forks_, Cores) {}
    /// For a memory of another size, or one without a name: what to do instead.
    /// @context None: it does not compile.
    template <uint32_t OtherCores, uint32_t OtherRingSize>
    explicit PoolIn(const PoolMemory<OtherCores, OtherRingSize>&)
        : PoolIn(detail::any<PoolMemory<Cores, RingSize>&>()) {
        static_assert(
            OtherCores == 0,
            "weft: a PoolIn<Cores, RingSize> is made in a PoolMemory<Cores, RingSize> that has a name");
    }
};

/// A pool for up to `Cores` cores (1..24, ids 0..Cores-1). Each has a ring of `RingSize` tasks (a power of two,
/// 2..65536). More tasks overflow into intrusive lists, so there is no limit and nothing is allocated. No core is
/// started before the first submit needs one. A pool is used once: after join() it takes no tasks any more. Scheduler
/// has the interface.
///
///     WEFT_CONSTINIT weft::Pool<4> pool{};
///
/// The {} matters for arrays (see WEFT_CONSTINIT). A pool whose constructor has never run takes no tasks: a submit
/// returns closed or unknown_core, and all else is undefined, but in checked builds.
/// All of it is in .data, as a part of it is not zero; see PoolIn where that is too much for the flash.
/// @lifetime It must outlive every call into it and every core that works for it: until join() has returned.
/// @panics Checked builds: its constructor has never run, where it is used; and a core's stack has overflowed, between
/// two tasks (stack_overflow).
template <uint32_t Cores, uint32_t RingSize = 64>
class Pool : private PoolMemory<Cores, RingSize>, public PoolIn<Cores, RingSize> {
    using Memory = PoolMemory<Cores, RingSize>;

public:
    /// Constant-initialised: a pool at namespace scope may be used before main().
    /// @context Any context; no core may use the pool before its constructor has ended.
    constexpr Pool() : PoolIn<Cores, RingSize>(static_cast<Memory&>(*this)) {}
};

}  // namespace WEFT_ABI
}  // namespace weft
