// SPDX-License-Identifier: MIT OR Apache-2.0
/// @file
/// Watching: what each core runs, and for how long, for a watchdog's handler. A part of Scheduler.
#pragma once

#include <weft/config.hpp>
#include <weft/status.hpp>

namespace weft {
inline namespace WEFT_ABI {

/// What a core was seen to run: Watching::heartbeat().
struct Heartbeat {
    uint32_t core = 0;  ///< which one
    /// Its task; nullptr: it runs none, or was just beginning or ending one. To be compared, or printed: the object may
    /// be gone by now.
    const void* task = nullptr;
    uintptr_t function = 0;  ///< the address of the task's code: its name, by the image's symbols
    /// Ticks of Port::now() since its last sign of life; they wrap as that does. Where the port has no clock these are
    /// calls of Port::now(): use Unmoved instead.
    uint32_t ticks = 0;
    uint32_t beats =
        0;  ///< another number for each sign of life: a task begins or ends there, or calls beat()
    bool asleep = false;      ///< in this pool it sleeps: with a task, in a wait or a join of that
    bool has_pinned = false;  ///< tasks of this pool are queued that only this core may run
};

/// How often in a row a core was seen in the same task, without a sign of life, and not asleep: for ports without a
/// clock, and for tasks that last longer than half a turn of it. One for each core, kept by who looks.
/// @lifetime That of the object; constant-initialised.
class Unmoved {
public:
    /// Nothing was seen yet.
    /// @context Any context.
    constexpr Unmoved() = default;
    /// Counts this look. 0: the core runs nothing, sleeps, or has given a sign of life since the last look. Stays at
    /// 2^32 - 1.
    /// @context Any context; one core at a time.
    /// @return the number of looks before this one that saw the same.
    uint32_t looks(const Heartbeat& seen) {
        const bool same = seen.task != nullptr && !seen.asleep && is_known_ && seen.beats == beats_;
        looks_ = !same ? 0 : looks_ == UINT32_MAX ? UINT32_MAX : looks_ + 1;
        is_known_ = seen.task != nullptr;
        beats_ = seen.beats;
        return looks_;
    }

private:
    uint32_t beats_ = 0;
    uint32_t looks_ = 0;
    bool is_known_ = false;
};

#if WEFT_WATCH

namespace detail {

// What a core runs. Written by that core only, and read by any, in any context.
class Heart {
public:
    // What a core ran before: a task that waits, and runs another one meanwhile.
    struct Former {
        uintptr_t task;
        uintptr_t function;
    };

    constexpr Heart() = default;
    Heart(const Heart&) = delete;
    Heart& operator=(const Heart&) = delete;

    Former begins(uintptr_t task, uintptr_t function) {
        const Former former{task_.own(), function_.own()};
        writes(task, function);
        return former;
    }
    void goes_back_to(const Former& former) { writes(former.task, former.function); }
    bool runs() const { return task_.own() != 0; }
    void gives_a_sign() { writes(task_.own(), function_.own()); }
    bool is_read(Heartbeat& seen, uint32_t& since) const;

private:
    void writes(uintptr_t task, uintptr_t function);

    Published<uint32_t> beats_{};  // odd: the others are being written
    Published<uint32_t> since_{};  // a tick
    Published<uintptr_t> task_{};  // 0: none
    Published<uintptr_t> function_{};
};

// Of each core of the port, whatever pool it works for; and of what preempts that.
struct Hearts {
    static constexpr uint32_t levels = 1 + WEFT_PREEMPTION;
    static inline Heart at[levels][Port::max_cores]{};
};

}  // namespace detail

/// What each core runs, and since when: for the handler of a watchdog, on any core. With WEFT_WATCH=1.
///
///     void on_watchdog_tick() {                                     // every 10 ms, say
///         for (uint32_t core = 0; core != pool.cores(); ++core) {
///             const weft::Heartbeat seen = pool.heartbeat(core);
///             if (seen.task != nullptr && !seen.asleep && seen.ticks > limit) report(seen);
///         }
///     }
///
/// A task that never returns keeps its core. What is queued behind it is stolen by cores that have nothing else: by
/// none, if no other one's ring ever runs dry. (With WEFT_ELASTIC=1 or WEFT_BLOCKING=1 also by cores that are busy, in
/// turns.) What is pinned to that core waits, and so do a strand's tasks behind it.
/// @lifetime A part of the pool. What it shows is kept for each core of the port, not for each pool.
class Watching {
public:
    /// What `core` runs: the innermost task, if one waits and the core runs others meanwhile; also of another pool. A
    /// forked child counts as a task where another core has taken it. Loads only, in a bounded number.
    /// @context Any context of any core, handlers of any priority too.
    /// @return What was seen; without a task if the core is unknown, foreign, or between two tasks.
    Heartbeat heartbeat(uint32_t core) const;

    /// A long task says that it goes on: its ticks begin anew.
    /// @context In a task, on the core that runs it.
    /// @return ok. wrong_context: no task runs here, or in checked builds this is an interrupt handler.
    static Status beat();

private:
    friend class Scheduler;
    constexpr Watching() = default;
};

#else

/// Not in this build: the messages say what to do.
class Watching {
public:
    /// Not in this build: the message says what to do.
    /// @context Does not compile.
    /// @return Nothing: it does not compile.
    template <bool setting = false>
    Heartbeat heartbeat(uint32_t) const {
        refuse<setting>();
        return Heartbeat();
    }
    /// Not in this build: the message says what to do.
    /// @context Does not compile.
    /// @return Nothing: it does not compile.
    template <bool setting = false>
    static Status beat() {
        refuse<setting>();
        return Status::ok;
    }

private:
    friend class Scheduler;
    constexpr Watching() = default;
    template <bool setting>
    static void refuse() {
        static_assert(setting,
                      "weft: heartbeat() and beat() are a setting: build the library and its users with "
                      "-DWEFT_WATCH=1");
    }
};

#endif

}  // namespace WEFT_ABI
}  // namespace weft
