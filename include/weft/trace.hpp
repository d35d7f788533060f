// SPDX-License-Identifier: MIT OR Apache-2.0
/// @file
/// What the scheduler tells of itself with WEFT_TRACE=1: an event where a task is submitted, begins, ends or moves, and
/// where a core comes, goes, sleeps or is woken. Each stands as one line at its place in src/. With WEFT_TRACE=0,
/// the default, the lines are empty: not one instruction, not one byte.
///
/// A recorder takes the events, into a ring per core in RAM (WEFT_TRACE_EVENTS, WEFT_TRACE_CORES). `make trace` and
/// `tools/trace` make pictures of it; on a board of your own, of what put_trace() writes. Or a header of yours takes
/// them: WEFT_TRACE_HOOKS is its name, as in `-DWEFT_TRACE_HOOKS='"my_hooks.hpp"'`. It defines
///
///     inline void weft_trace_hook(weft::TraceEvent event, uintptr_t object, uint32_t value);
///
/// which is called on the core where it happens, in task context or in an interrupt handler, also in one that has
/// interrupted another call of it. Calls are inlined, with a constant `event`: what it does not look at costs nothing.
/// It must not call weft. Not one call stands between a core's last look for work and its sleep.
#pragma once

#include <weft/config.hpp>

namespace weft {
inline namespace WEFT_ABI {

/// What happened. *Function*: `object` is the run function of the task. *Tag*: `value` are 24 bits of the task's
/// address, from the fourth on. A submit is told before others can see the task, so before it begins; if the pool is
/// shut down at the same moment, it may still be refused.
enum class TraceEvent : uint32_t {
    submit = 1,  ///< by a task, into the own ring: function, tag
    inject = 2,  ///< from outside, or to a list that all cores share: function, tag
    hand_in =
        3,  ///< several at once, or an urgent one: function of the first; the level in bits 20 to 23, below how many
    submit_on = 4,      ///< for one core: function, that core
    submit_for = 5,     ///< for some cores: function of the first, the mask of the set
    spill = 6,          ///< the own ring is full, the task goes to the overflow: function, tag
    begin = 7,          ///< a task begins: function, tag
    end = 8,            ///< it has returned (it may be gone): function, tag
    steal = 9,          ///< taken from another core: function, that core
    offer = 10,         ///< forked children can be taken by other cores from now on
    take = 11,          ///< a forked child is taken from another core: 0, that core
    child = 12,         ///< it begins, within the task that has taken it: its function, that core
    child_done = 13,    ///< it is done, its owner is woken: 0, that core
    join_begin = 14,    ///< the wait for a child that another core has taken: 0, its place
    join_end = 15,      ///< that wait is over
    slept = 16,         ///< in such a wait: the core has just come back from park()
    park = 17,          ///< a worker is about to sleep, and takes a last look
    unpark = 18,        ///< it is back: woken, or the last look has found something
    wake = 19,          ///< this core wakes another one: 0, that core
    start = 20,         ///< this core has started another one: the pool, that core
    start_failed = 21,  ///< that one was refused, or did not come in time: the pool, that core
    enter = 22,         ///< the core becomes a worker: the pool, how (detail::Power)
    leave = 23,         ///< it is none any more: the pool
    timer = 24,         ///< a timer has fired: function of its follower, tag of the timer
    all_asleep = 25,    ///< the function of on_all_asleep() is called: the pool
    shutdown = 26,      ///< the pool, 1 if it is abandoned
    joined = 27,        ///< nobody works for the pool any more: the pool
    off =
        28,  ///< a core that was started goes back to where it came from, and can be started again: the pool
    quiesce = 29,    ///< this core asks all others to stand still: the pool, the number of the request
    stand = 30,      ///< this core is about to stand still in RAM: 0, the number of the request
    stand_end = 31,  ///< it may go on
    resume = 32,     ///< this core lets them go: the pool, 1 if not all stood at the deadline
    retire = 33,     ///< that core is to leave: the pool, that core
    admit = 34,      ///< that core may come again: the pool, that core
    limit = 35,      ///< how many cores may be here has changed: the pool, how many
    interrupt =
        36,     ///< this core interrupts another one, or itself, for tasks that preempt: the pool, that core
    beat = 37,  ///< a task says that it goes on (beat())
    inject_from_isr = 38,   ///< as `inject`, by a handler: function, tag
    hand_in_from_isr = 39,  ///< as `hand_in`, by a handler
    tell_watcher =
        40,     ///< a core that sleeps is to look at the timers again, and most often sleeps on: 0, that core
    call = 41,  ///< the core does a call from outside, as a worker (call(), a loop): the pool
    call_end = 42,  ///< that call is done: the pool
    wait_begin =
        43,  ///< the core waits for a Work, a Completion or a call: the run function of that task; for rest: 0
    wait_end = 44,   ///< that wait is over
    wait_done = 45,  ///< what another core waits for so is done, and it is told: 0, that core
    inner =
        46,  ///< what the task goes on with: the function of a coroutine, or of an OpenMP region, as compilers
             ///< make them; the run function of what follows on a timer or a gate
};

namespace detail {

// 24 bits that tell one task from the others, for as long as it is queued: of its address, without what its alignment
// makes zero. Tasks that are 128 MiB apart, or a multiple of that, look alike.
inline uint32_t trace_tag(const void* task) {
    return static_cast<uint32_t>(reinterpret_cast<uintptr_t>(task) >> 3) & 0xffffffu;
}

// The value of TraceEvent::hand_in. At most 2^20 - 1 tasks can be told.
constexpr uint32_t trace_batch(uint32_t level, uint32_t count) {
    return level << 20 | (count < 0xfffffu ? count : 0xfffffu);
}

}  // namespace detail
}  // namespace WEFT_ABI
}  // namespace weft

#if WEFT_TRACE
#ifdef WEFT_TRACE_HOOKS
#include WEFT_TRACE_HOOKS
#else
#include <weft/detail/trace.hpp>
#endif
/// For weft's own code: tells an event.
#define WEFT_TRACE_EVENT(event, object, value) ::weft_trace_hook(::weft::TraceEvent::event, object, value)
/// For weft's own code: tells the event if the condition holds, else the other one.
#define WEFT_TRACE_EITHER(condition, event, other, object, value) \
    ((condition) ? WEFT_TRACE_EVENT(event, object, value) : WEFT_TRACE_EVENT(other, object, value))
#else
/// For weft's own code: nothing.
#define WEFT_TRACE_EVENT(event, object, value) static_cast<void>(0)
/// For weft's own code: nothing.
#define WEFT_TRACE_EITHER(condition, event, other, object, value) static_cast<void>(0)
#endif

namespace weft {
inline namespace WEFT_ABI {

/// Writes what the recorder holds as numbered lines of text, by put(char): about 30 characters an event. `tools/trace`
/// reads them out of all that a console has said. Without a recorder (WEFT_TRACE=0, or hooks of yours) it writes
/// nothing.
/// @context Any, a panic handler, too. What cores that are at work record meanwhile may be torn.
template <class Put>
void put_trace([[maybe_unused]] Put put) {
#if WEFT_TRACE && !defined(WEFT_TRACE_HOOKS)
    uint32_t column = 0;
    uint32_t line = 0;
    const auto put_hex = [&](uint32_t value, uint32_t digits) {
        while (digits-- != 0) put("0123456789abcdef"[value >> 4 * digits & 15]);
    };
    const auto put_bytes = [&](const void* from, size_t bytes) {
        const auto* next = static_cast<const unsigned char*>(from);
        for (; bytes != 0; --bytes, ++next) {
            if (column == 0) {
                for (const char* word = "\nweft-trace "; *word != '\0'; ++word) put(*word);
                put_hex(line++, 4);
                put(' ');
            }
            put_hex(*next, 2);
            column = (column + 1) % 32;
        }
    };
    put_bytes(&weft_trace, sizeof weft_trace);
    put_bytes(weft_trace.at, detail::trace_rings * sizeof *weft_trace.at);
    put('\n');
#endif
}

namespace detail {

// Of a coroutine that is about to go on: GCC and Clang keep the address of its function in the first word of the frame.
template <class Handle>
Handle tell_of_coroutine(Handle coroutine) {
#if WEFT_TRACE
    uintptr_t function = 0;
    __builtin_memcpy(&function, coroutine.address(), sizeof function);
    WEFT_TRACE_EVENT(inner, function, 0);
#endif
    return coroutine;
}

}  // namespace detail
}  // namespace WEFT_ABI
}  // namespace weft
