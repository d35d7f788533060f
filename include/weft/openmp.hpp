// SPDX-License-Identifier: MIT OR Apache-2.0
/// @file
/// OpenMP code, compiled by GCC with -fopenmp, on the cores of a pool: docs/OPENMP.md. Optional: the library must have
/// been built with src/openmp (`make lib OPENMP=1`).
///
///     WEFT_CONSTINIT weft::Pool<4> pool{};
///     weft::openmp::Memory<4> memory;
///     if (weft::openmp::attach(pool, memory) != weft::Status::ok) ...;
///     kernel();    // #pragma omp parallel for ...
#pragma once

#include <weft/detail/openmp_record.hpp>
#include <weft/scheduler.hpp>

namespace weft {
inline namespace WEFT_ABI {
namespace openmp {

/// What teams need, all of it zero at the start: threads up to `Cores`, each on a core with a number below that; and
/// `Tasks` explicit tasks that wait to be run, each with up to `Bytes` bytes of data. A task that finds no room runs at
/// once. A task's data are its firstprivate variables, and pointers to the shared ones.
/// @lifetime From attach() until the pool's join() has returned.
template <uint32_t Cores, uint32_t Tasks = 64, uint32_t Bytes = 64>
class Memory {
    static_assert(Cores >= 1 && Cores <= Scheduler::most_cores,
                  "weft: a team has 1..24 threads, one on each core");
    static_assert(Tasks >= 1, "weft: the memory of a team has room for at least one task");

public:
    /// All zero.
    /// @context Any context.
    constexpr Memory() = default;
    Memory(const Memory&) = delete;
    Memory& operator=(const Memory&) = delete;

    /// For attach().
    /// @context As attach().
    detail::openmp::Space space() {
        return {invitations_[0], Cores, records_[0].bytes, Tasks, sizeof(Block)};
    }

private:
    struct alignas(detail::openmp::data_alignment) Block {
        unsigned char bytes[sizeof(detail::openmp::Record) + Bytes];
    };
    alignas(2 * sizeof(void*)) unsigned char invitations_[Cores][detail::openmp::invitation_bytes] = {};
    Block records_[Tasks] = {};
};

/// For attach(): see there. (The part that depends on no size.)
/// @context As attach().
/// @return As attach().
Status attach(Scheduler& pool, const detail::openmp::Space& space);

/// From now on this pool's cores run the parallel regions of the program. A region that begins before has one thread,
/// but in checked builds.
/// @context Task context of any core, outside of regions. After detach() for another pool.
/// @return ok; wrong_context: a pool is attached already, or a region runs; in checked builds also an interrupt
/// handler.
/// @lifetime Pool and memory are used until the pool's join() has returned.
/// @panics Checked builds: not here, but where a region begins before; in an interrupt handler, or on a level that
/// preempts; on a core that the port does not count; and at a task with `detach`.
template <uint32_t Cores, uint32_t Tasks, uint32_t Bytes>
Status attach(Scheduler& pool, Memory<Cores, Tasks, Bytes>& memory) {
    return attach(pool, memory.space());
}

/// From now on regions have one thread. Then another pool may be attached, with the same memory if the former pool's
/// join() has returned.
/// @context Task context of any core, outside of regions.
/// @return ok; wrong_context: no pool is attached, or a region runs; in checked builds also an interrupt handler.
Status detach();

/// What happened since attach(), for who chooses sizes.
struct Figures {
    uint32_t teams;         ///< how many regions had more than one thread
    uint32_t alone;         ///< how many had one, whatever the reason
    uint32_t deferred;      ///< tasks that waited in the memory to be run
    uint32_t without_room;  ///< tasks and task groups for which there was no room: they were run at once
    uint32_t largest_data;  ///< the bytes of the largest data of a task that was to be deferred
};
/// What happened since attach(). Statistics: while regions run they may be a little old.
/// @context Any context.
Figures figures();

}  // namespace openmp
}  // namespace WEFT_ABI
}  // namespace weft
