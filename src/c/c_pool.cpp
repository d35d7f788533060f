// SPDX-License-Identifier: MIT OR Apache-2.0
// weft for C: pools, batches and what is submitted to them.
#include <weft/trace.hpp>

#include "internal.hpp"

namespace weft {
namespace c {
namespace {

static_assert(static_cast<uint32_t>(Status::left_over) == WEFT_LEFT_OVER &&
                  static_cast<uint32_t>(Status::already_queued) == WEFT_ALREADY_QUEUED &&
                  static_cast<uint32_t>(Status::wrong_context) == WEFT_WRONG_CONTEXT &&
                  static_cast<uint32_t>(Status::retired) == WEFT_RETIRED,
              "weft: weft_status has the values of Status");
static_assert(static_cast<uint32_t>(Shutdown::abandon) == WEFT_ABANDON,
              "weft: weft_shutdown_mode has the values of Shutdown");
static_assert(sizeof(weft_stats) == sizeof(CoreStats),
              "weft: weft_stats (weft.h) has the words of CoreStats, in their order");
static_assert(Port::cache_line <= WEFT_C_CACHE_LINE,
              "weft: the port's cache line is larger than WEFT_C_CACHE_LINE: set it, for all sources");

using Worker = detail::Worker;
using Slot = detail::Ring::Slot;

// A pool whose size is known when it is made: the scheduler, and behind it the workers, the forked children and the
// slots of the rings.
struct Made : Scheduler {
    constexpr Made(detail::Worker* workers, detail::ForkDeque* forks, uint32_t cores)
        : Scheduler(workers, forks, cores) {}

    static constexpr size_t forks_each = WEFT_FORK_DEPTH != 0 ? sizeof(detail::ForkDeque) : 0;
    static constexpr size_t per_core = sizeof(detail::Worker) + forks_each;
    static constexpr bool is_possible(uint32_t cores, uint32_t ring) {
        return cores >= 1 && cores <= most_cores && cores <= Port::max_cores && ring >= 2 && ring <= 65536 &&
               (ring & (ring - 1)) == 0;
    }
};
constexpr size_t bytes_of(uint32_t cores, uint32_t ring) {
    return sizeof(Made) + cores * (Made::per_core + ring * sizeof(Slot));
}
static_assert(alignof(Worker) <= Port::cache_line && alignof(Made) <= Port::cache_line);
static_assert(bytes_of(1, 2) <= WEFT_POOL_BYTES(1, 2) && bytes_of(2, 64) <= WEFT_POOL_BYTES(2, 64) &&
                  bytes_of(24, 2) <= WEFT_POOL_BYTES(24, 2),
              "weft: WEFT_POOL_BYTES is enough for a pool: else raise WEFT_POOL_PER_CORE_ in weft.h");

// The words have the same order in both: tools/check_house.
weft_stats of_stats(const CoreStats& from) {
    weft_stats to;
    __builtin_memcpy(&to, &from, sizeof to);
    return to;
}

bool can_submit(const weft_pool* pool, const void* tasks) {
    return are_given(static_cast<const char*>(tasks), reinterpret_cast<const char*>(pool));
}
// With one level such a submit does not compile in C++. C gets its answer when it runs.
template <class Tasks>
Status submit_at(Scheduler& pool, Tasks& tasks, uint8_t level) {
#if WEFT_URGENCY_LEVELS > 1
    return pool.submit(tasks, static_cast<Urgency>(level));
#else
    return level == 0 ? pool.submit(tasks) : Status::out_of_range;
#endif
}

Status submit_from_isr_at(Scheduler& pool, Task& task, uint8_t level) {
#if WEFT_URGENCY_LEVELS > 1
    return pool.submit_from_isr(task, static_cast<Urgency>(level));
#else
    return level == 0 ? pool.submit_from_isr(task) : Status::out_of_range;
#endif
}

}  // namespace
}  // namespace c
}  // namespace weft

using namespace weft::c;
using weft::Batch;
using weft::CoreSet;
using weft::Task;

extern "C" {

const char* weft_describe(weft_status status) {
    if (status == WEFT_NOT_MADE) return "a null pointer, or an object that its weft_..._init() has not made";
    if (status == WEFT_WRONG_MEMORY) {
        return "the memory for a pool is smaller than weft_pool_bytes(), or not aligned: use "
               "WEFT_POOL_MEMORY";
    }
    return weft::describe(static_cast<weft::Status>(status));
}

size_t weft_pool_bytes(uint32_t cores, uint32_t ring) {
    return Made::is_possible(cores, ring) ? bytes_of(cores, ring) : 0;
}

weft_status weft_pool_init(weft_pool** pool, void* memory, size_t bytes, uint32_t cores, uint32_t ring) {
    if (pool == nullptr) return WEFT_NOT_MADE;
    *pool = nullptr;
    if (memory == nullptr) return WEFT_NOT_MADE;
    if (!Made::is_possible(cores, ring)) return WEFT_OUT_OF_RANGE;
    if (bytes < bytes_of(cores, ring) || reinterpret_cast<uintptr_t>(memory) % weft::Port::cache_line != 0) {
        return WEFT_WRONG_MEMORY;
    }
    unsigned char* next = static_cast<unsigned char*>(memory) + sizeof(Made);
    Worker* const workers = reinterpret_cast<Worker*>(next);
    next += cores * sizeof(Worker);
    weft::detail::ForkDeque* const forks = reinterpret_cast<weft::detail::ForkDeque*>(next);
    next += cores * Made::forks_each;
    Slot* const slots = reinterpret_cast<Slot*>(next);
    // Forked children and slots are all zero at first, as in a PoolMemory. Word by word, and volatile: from other loops
    // compilers make calls that an image need not have (__aeabi_memclr8).
    volatile uintptr_t* const words = static_cast<uintptr_t*>(memory);
    for (size_t word = 0; word != bytes_of(cores, ring) / sizeof *words; ++word) words[word] = 0;
    for (uint32_t core = 0; core != cores; ++core) {
        new (In{&workers[core]}) Worker(core, &slots[core * ring], ring);
    }
    weft::Scheduler* const scheduler = new (In{memory}) Made(workers, forks, cores);
    *pool = reinterpret_cast<weft_pool*>(scheduler);
    return WEFT_OK;
}

uint32_t weft_this_core(void) { return weft::this_core(); }
uint32_t weft_now(void) { return weft::Port::now(); }
uint32_t weft_ticks_per_ms(void) { return weft::Port::ticks_per_ms(); }
void weft_put_trace(void (*put)(char)) { weft::put_trace(put); }
void weft_unpark_this_core(void) { weft::Port::unpark(weft::Port::core_id()); }
weft_status weft_paint_stack(void) { return of(weft::paint_stack()); }
weft_stack_use weft_stack_use_of(uint32_t core) {
    const weft::StackUse use = weft::stack_use(core);
    return {use.bytes, use.unused};
}

weft_status weft_submit(weft_pool* pool, weft_task* task) {
    return can_submit(pool, task) ? of(pool_of(pool).submit(as<Task>(task))) : WEFT_NOT_MADE;
}
weft_status weft_submit_batch(weft_pool* pool, weft_batch* batch) {
    return can_submit(pool, batch) ? of(pool_of(pool).submit(as<Batch>(batch))) : WEFT_NOT_MADE;
}
weft_status weft_submit_urgent(weft_pool* pool, weft_task* task, uint8_t level) {
    return can_submit(pool, task) ? of(submit_at(pool_of(pool), as<Task>(task), level)) : WEFT_NOT_MADE;
}
weft_status weft_submit_batch_urgent(weft_pool* pool, weft_batch* batch, uint8_t level) {
    return can_submit(pool, batch) ? of(submit_at(pool_of(pool), as<Batch>(batch), level)) : WEFT_NOT_MADE;
}
weft_status weft_submit_from_isr(weft_pool* pool, weft_task* task) {
    return can_submit(pool, task) ? of(pool_of(pool).submit_from_isr(as<Task>(task))) : WEFT_NOT_MADE;
}
weft_status weft_submit_urgent_from_isr(weft_pool* pool, weft_task* task, uint8_t level) {
    if (!can_submit(pool, task)) return WEFT_NOT_MADE;
    return of(submit_from_isr_at(pool_of(pool), as<Task>(task), level));
}
weft_status weft_submit_on(weft_pool* pool, uint32_t core, weft_task* task) {
    return can_submit(pool, task) ? of(pool_of(pool).submit_on(core, as<Task>(task))) : WEFT_NOT_MADE;
}
#if WEFT_CORE_SETS
weft_status weft_submit_on_set(weft_pool* pool, uint32_t mask, weft_task* task) {
    return can_submit(pool, task) ? of(pool_of(pool).submit_on(CoreSet::from_mask(mask), as<Task>(task)))
                                  : WEFT_NOT_MADE;
}
weft_status weft_submit_batch_on_set(weft_pool* pool, uint32_t mask, weft_batch* batch) {
    return can_submit(pool, batch) ? of(pool_of(pool).submit_on(CoreSet::from_mask(mask), as<Batch>(batch)))
                                   : WEFT_NOT_MADE;
}
weft_status weft_submit_on_set_from_isr(weft_pool* pool, uint32_t mask, weft_task* task) {
    if (!can_submit(pool, task)) return WEFT_NOT_MADE;
    return of(pool_of(pool).submit_on_from_isr(CoreSet::from_mask(mask), as<Task>(task)));
}
#endif

weft_status weft_run(weft_pool* pool) {
    return can_submit(pool, pool) ? of(pool_of(pool).run()) : WEFT_NOT_MADE;
}
weft_status weft_poll(weft_pool* pool, uint32_t max_tasks, uint32_t* tasks) {
    weft::Polled polled = {weft::Status::ok, 0};
    const bool given = can_submit(pool, pool);
    if (given) polled = pool_of(pool).poll(max_tasks);
    if (tasks != nullptr) *tasks = polled.tasks;
    return given ? of(polled.status) : WEFT_NOT_MADE;
}
void weft_shutdown(weft_pool* pool, weft_shutdown_mode mode) {
    must_be(can_submit(pool, pool));
    pool_of(pool).shutdown(static_cast<weft::Shutdown>(mode));
}
weft_status weft_join(weft_pool* pool, weft_batch* left_over) {
    if (!can_submit(pool, pool)) return WEFT_NOT_MADE;
    return of(left_over != nullptr ? pool_of(pool).join(as<Batch>(left_over)) : pool_of(pool).join());
}
#if WEFT_QUIESCE
weft_status weft_quiesce(weft_pool* pool, uint32_t ticks) {
    return can_submit(pool, pool) ? of(pool_of(pool).quiesce(ticks)) : WEFT_NOT_MADE;
}
weft_status weft_resume(weft_pool* pool) {
    return can_submit(pool, pool) ? of(pool_of(pool).resume()) : WEFT_NOT_MADE;
}
#endif
#if WEFT_ELASTIC
weft_status weft_retire(weft_pool* pool, uint32_t core) {
    return can_submit(pool, pool) ? of(pool_of(pool).retire(core)) : WEFT_NOT_MADE;
}
weft_status weft_admit(weft_pool* pool, uint32_t core) {
    return can_submit(pool, pool) ? of(pool_of(pool).admit(core)) : WEFT_NOT_MADE;
}
weft_status weft_limit_cores(weft_pool* pool, uint32_t most) {
    return can_submit(pool, pool) ? of(pool_of(pool).limit_cores(most)) : WEFT_NOT_MADE;
}
#if WEFT_TIMERS
weft_status weft_keep_alive(weft_pool* pool, uint32_t ticks) {
    return can_submit(pool, pool) ? of(pool_of(pool).keep_alive(ticks)) : WEFT_NOT_MADE;
}
void weft_keep_alive_for_ever(weft_pool* pool) {
    if (can_submit(pool, pool)) pool_of(pool).keep_alive_for_ever();
}
#endif
#endif
#if WEFT_BLOCKING
weft_status weft_submit_blocking(weft_pool* pool, weft_task* task) {
    return can_submit(pool, task) ? of(pool_of(pool).submit_blocking(as<Task>(task))) : WEFT_NOT_MADE;
}
weft_status weft_submit_blocking_from_isr(weft_pool* pool, weft_task* task) {
    if (!can_submit(pool, task)) return WEFT_NOT_MADE;
    return of(pool_of(pool).submit_blocking_from_isr(as<Task>(task)));
}
weft_status weft_limit_blocking(weft_pool* pool, uint32_t most) {
    return can_submit(pool, pool) ? of(pool_of(pool).limit_blocking(most)) : WEFT_NOT_MADE;
}
uint32_t weft_blocking_cores(const weft_pool* pool) {
    must_be(can_submit(pool, pool));
    return pool_of(pool).blocking_cores();
}
#endif
#if WEFT_MANDATORY
weft_status weft_submit_mandatory(weft_pool* pool, weft_task* task) {
    return can_submit(pool, task) ? of(pool_of(pool).submit_mandatory(as<Task>(task))) : WEFT_NOT_MADE;
}
weft_status weft_submit_mandatory_from_isr(weft_pool* pool, weft_task* task) {
    if (!can_submit(pool, task)) return WEFT_NOT_MADE;
    return of(pool_of(pool).submit_mandatory_from_isr(as<Task>(task)));
}
#endif
#if WEFT_METRICS
static_assert(static_cast<uint32_t>(weft::Queue::mandatory) == WEFT_MANDATORY_TASKS,
              "weft: weft_queue has the values of Queue");
weft_queue_depth weft_depth(const weft_pool* pool, weft_queue queue, uint32_t index) {
    must_be(can_submit(pool, pool));
    const weft::QueueDepth seen = pool_of(pool).depth(static_cast<weft::Queue>(queue), index);
    return {seen.now, seen.most};
}
uint32_t weft_queued(const weft_pool* pool) {
    must_be(can_submit(pool, pool));
    return pool_of(pool).queued();
}
#endif
#if WEFT_FEW_SEARCHERS
uint32_t weft_searching_cores(const weft_pool* pool) {
    must_be(can_submit(pool, pool));
    return pool_of(pool).searching_cores();
}
#endif
void weft_offer_from_isr(weft_pool* pool) {
    must_be(is_made(pool));
    pool_of(pool).offer_from_isr();
}
bool weft_is_closing(const weft_pool* pool) {
    must_be(can_submit(pool, pool));
    return pool_of(pool).is_closing();
}
#if WEFT_WATCH
weft_heartbeat weft_heartbeat_of(const weft_pool* pool, uint32_t core) {
    must_be(can_submit(pool, pool));
    const weft::Heartbeat seen = pool_of(pool).heartbeat(core);
    return {seen.task, seen.function, seen.core, seen.ticks, seen.beats, seen.asleep, seen.has_pinned};
}
weft_status weft_beat(void) { return of(weft::Scheduler::beat()); }
uint32_t weft_unmoved_looks(weft_unmoved* unmoved, const weft_heartbeat* seen) {
    must_be(are_given(unmoved, seen));
    return as<weft::Unmoved>(unmoved).looks(
        {seen->core, seen->task, seen->function, seen->ticks, seen->beats, seen->asleep, seen->has_pinned});
}
#endif
#if WEFT_REST
weft_status weft_wait_idle(weft_pool* pool) {
    return can_submit(pool, pool) ? of(pool_of(pool).wait_idle()) : WEFT_NOT_MADE;
}
weft_status weft_on_all_asleep(weft_pool* pool, void (*function)(void*), void* argument) {
    if (!can_submit(pool, pool) || (WEFT_CHECKS && function == nullptr)) return WEFT_NOT_MADE;
    return of(pool_of(pool).on_all_asleep(function, argument));
}
#endif
#if WEFT_SLEEP_HOOKS
weft_status weft_on_sleep(weft_pool* pool, void (*before)(uint32_t, uint32_t, void*),
                          void (*after)(uint32_t, uint32_t, void*), void* argument) {
    return can_submit(pool, pool) ? of(pool_of(pool).on_sleep(before, after, argument)) : WEFT_NOT_MADE;
}
#endif

uint32_t weft_cores(const weft_pool* pool) {
    must_be(can_submit(pool, pool));
    return pool_of(pool).cores();
}
uint32_t weft_live_cores(const weft_pool* pool) {
    must_be(can_submit(pool, pool));
    return pool_of(pool).live_cores();
}
uint32_t weft_sleeping_cores(const weft_pool* pool) {
    must_be(can_submit(pool, pool));
    return pool_of(pool).sleeping_cores();
}
uint32_t weft_start_failures(const weft_pool* pool) {
    must_be(can_submit(pool, pool));
    return pool_of(pool).start_failures();
}
weft_stats weft_core_stats(const weft_pool* pool, uint32_t core) {
    must_be(can_submit(pool, pool));
    return of_stats(pool_of(pool).stats(core));
}
weft_stats weft_total_stats(const weft_pool* pool) {
    must_be(can_submit(pool, pool));
    return of_stats(pool_of(pool).total());
}

weft_status weft_batch_push(weft_batch* batch, weft_task* task) {
    return are_given(batch, task) ? of(as<Batch>(batch).push(as<Task>(task))) : WEFT_NOT_MADE;
}
weft_task* weft_batch_pop(weft_batch* batch) {
    must_be(are_given(batch));
    return reinterpret_cast<weft_task*>(as<Batch>(batch).pop());
}
uint32_t weft_batch_size(const weft_batch* batch) {
    must_be(are_given(batch));
    return as<Batch>(batch).size();
}

}  // extern "C"
