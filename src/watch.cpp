// SPDX-License-Identifier: MIT OR Apache-2.0
// weft: what each core runs, and since when, for handlers of any core. docs/WATCH.md.
//
//     the core:    w1  beats: odd        w2  task, function, since        w3  beats: even, the next one
//     who looks:   h1  beats             h2  task, function, since        h3  beats again
//
// Claim 16: a look whose h1 and h3 have seen the same even number shows what was written between two of them.
//   1. h1 has seen a w3, so h2 sees what that core wrote before it, or what is newer [W3].
//   2. If h2 sees what is newer, the w1 before that is seen by h3 [W3]. That is another number.
#include <weft/config.hpp>

#if WEFT_WATCH

#include "internal.hpp"

namespace weft {
inline namespace WEFT_ABI {

using detail::Heart;

void Heart::writes(uintptr_t task, uintptr_t function) {
    const uint32_t tick = Port::now();
    const uint32_t beats = beats_.own();
    beats_.store(beats + 1, relaxed);  // relaxed: what follows releases it
    // [W3] (all) that the words change, before what is new in them
    since_.store(tick, release);
    task_.store(task, release);
    function_.store(function, release);
    beats_.store(beats + 2, release);  // [W3] the words, before the number
}

// False: it was just being written; no second look, as this may be a handler on top of who writes.
bool Heart::is_read(Heartbeat& seen, uint32_t& since) const {
    const uint32_t before = beats_.load(acquire);  // [W3] the words that belong to it
    // [W3] (all) that they change
    since = since_.load(acquire);
    const uintptr_t task = task_.load(acquire);
    const uintptr_t function = function_.load(acquire);
    seen.beats = before / 2;
    if (before % 2 != 0 || beats_.load(relaxed) != before) return false;  // relaxed: after the three
    seen.task = reinterpret_cast<const void*>(task);
    seen.function = task != 0 ? function : 0;
    return task != 0;
}

Heartbeat Watching::heartbeat(uint32_t core) const {
    const Scheduler& pool = static_cast<const Scheduler&>(*this);
    Heartbeat seen;
    seen.core = core;
    if (core >= pool.cores_) return seen;
    uint32_t since = 0;
    uint32_t level = detail::Hearts::levels;
    bool runs = false;
    while (!runs && level != 0) runs = detail::Hearts::at[--level][core].is_read(seen, since);
    if (runs) {
        // This core's clock may be a little behind the other one's.
        const uint32_t ticks = Port::now() - since;
        seen.ticks = ticks + Port::ticks_per_ms() < Port::ticks_per_ms() ? 0 : ticks;
    }
    const uint32_t bit = Scheduler::IdleBits::bit(core);
    // relaxed: no data
    seen.asleep = pool.idle_.look().is_parked(core) || (pool.waiters_.load(relaxed) & bit) != 0;
    seen.has_pinned = pool.workers_[core].pinned.looks_nonempty();
    return seen;
}

Status Watching::beat() {
    if (WEFT_CHECKS && Port::in_isr()) return Status::wrong_context;
    Heart* const own = detail::own_heart();
    if (own == nullptr || !own->runs()) return Status::wrong_context;
    own->gives_a_sign();
    WEFT_TRACE_EVENT(beat, 0, 0);
    return Status::ok;
}

}  // namespace WEFT_ABI
}  // namespace weft

#endif  // WEFT_WATCH
