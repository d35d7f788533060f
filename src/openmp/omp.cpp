// SPDX-License-Identifier: MIT OR Apache-2.0
// weft: the functions of OpenMP's omp.h, but for the time, which is in clock.cpp.
#include <weft/openmp/omp.h>

#include "layer.hpp"

using namespace weft::detail::openmp;

namespace {

// What lives in a lock of omp.h, which is zero when it is free.
struct NestLock {
    Lock lock;
    uint32_t depth;
    const void* owner;  // the task
};
static_assert(sizeof(weft::Plain<void*>) != sizeof(void*) ||
                  (sizeof(Lock) <= sizeof(omp_lock_t) && sizeof(NestLock) <= sizeof(omp_nest_lock_t)),
              "weft: the locks of omp.h are too small");

Lock& of(omp_lock_t* lock) { return *reinterpret_cast<Lock*>(lock); }
NestLock& of(omp_nest_lock_t* lock) { return *reinterpret_cast<NestLock*>(lock); }

// Who owns a nested lock: the task that runs on this core.
const void* owner() { return &this_member().task(); }

// Is it this task's already? relaxed (both): only this task makes it this task, and another one's is no matter.
bool is_mine(NestLock& lock) { return __atomic_load_n(&lock.owner, __ATOMIC_RELAXED) == owner(); }
void set_owner(NestLock& lock, const void* owner) { __atomic_store_n(&lock.owner, owner, __ATOMIC_RELAXED); }

int as_int(uint32_t number) { return static_cast<int>(number); }

}  // namespace

extern "C" {

int omp_get_thread_num(void) noexcept {
    const Member* const member = member_or_none();
    return member == nullptr ? 0 : as_int(member->number);
}
int omp_get_num_threads(void) noexcept {
    const Member* const member = member_or_none();
    return member == nullptr ? 1 : as_int(member->size());
}
int omp_get_max_threads(void) noexcept {
    const uint32_t wanted = layer.settings.threads.load(weft::relaxed);  // relaxed: a setting
    return as_int(wanted == 0 || wanted > layer.crew.limit() ? layer.crew.limit() : wanted);
}
int omp_get_thread_limit(void) noexcept { return as_int(layer.crew.limit()); }
int omp_get_num_procs(void) noexcept { return as_int(layer.crew.limit()); }
int omp_in_parallel(void) noexcept { return omp_get_active_level() != 0; }
int omp_in_final(void) noexcept {
    Member* const member = member_or_none();
    return member != nullptr && member->task().final;
}
int omp_get_level(void) noexcept {
    const Member* const member = member_or_none();
    return member == nullptr ? 0 : as_int(member->level);
}
int omp_get_active_level(void) noexcept {
    const Member* const member = member_or_none();
    return member == nullptr ? 0 : as_int(member->active);
}

// relaxed (all): a setting
void omp_set_num_threads(int threads) noexcept {
    layer.settings.threads.store(threads < 1 ? 1 : static_cast<uint32_t>(threads), weft::relaxed);
}
void omp_set_schedule(omp_sched_t kind, int chunk) noexcept {
    const uint32_t plain = static_cast<uint32_t>(kind) & ~(1u << 31);
    if (plain < omp_sched_static || plain > omp_sched_auto) return;
    layer.settings.kind.store(plain == omp_sched_auto ? static_cast<uint32_t>(omp_sched_static) : plain,
                              weft::relaxed);
    layer.settings.chunk.store(chunk < 1 || plain == omp_sched_auto ? 0 : static_cast<uint32_t>(chunk),
                               weft::relaxed);
}
void omp_get_schedule(omp_sched_t* kind, int* chunk) noexcept {
    const uint32_t plain = layer.settings.kind.load(weft::relaxed);
    *kind = plain == 0 ? omp_sched_dynamic : static_cast<omp_sched_t>(plain);
    *chunk = as_int(layer.settings.chunk.load(weft::relaxed));
    if (*chunk == 0 && *kind != omp_sched_static) *chunk = 1;
}

void omp_set_dynamic(int) noexcept {}
int omp_get_dynamic(void) noexcept { return 1; }
void omp_set_nested(int) noexcept {}
int omp_get_nested(void) noexcept { return 0; }
void omp_set_max_active_levels(int) noexcept {}
int omp_get_max_active_levels(void) noexcept { return 1; }

void omp_init_lock(omp_lock_t* lock) noexcept { of(lock).unlock(); }
void omp_destroy_lock(omp_lock_t*) noexcept {}
void omp_set_lock(omp_lock_t* lock) noexcept { of(lock).lock(); }
void omp_unset_lock(omp_lock_t* lock) noexcept { of(lock).unlock(); }
int omp_test_lock(omp_lock_t* lock) noexcept { return of(lock).try_lock(); }

void omp_init_nest_lock(omp_nest_lock_t* lock) noexcept {
    of(lock).lock.unlock();
    of(lock).depth = 0;
    set_owner(of(lock), nullptr);
}
void omp_destroy_nest_lock(omp_nest_lock_t*) noexcept {}
void omp_set_nest_lock(omp_nest_lock_t* lock) noexcept {
    NestLock& nested = of(lock);
    if (!is_mine(nested)) {
        nested.lock.lock();
        set_owner(nested, owner());
    }
    ++nested.depth;
}
void omp_unset_nest_lock(omp_nest_lock_t* lock) noexcept {
    NestLock& nested = of(lock);
    if (--nested.depth != 0) return;
    set_owner(nested, nullptr);
    nested.lock.unlock();
}
int omp_test_nest_lock(omp_nest_lock_t* lock) noexcept {
    NestLock& nested = of(lock);
    if (!is_mine(nested)) {
        if (!nested.lock.try_lock()) return 0;
        set_owner(nested, owner());
    }
    return as_int(++nested.depth);
}

}  // extern "C"
