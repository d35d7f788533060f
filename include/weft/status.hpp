// SPDX-License-Identifier: MIT OR Apache-2.0
/// @file
/// Status: what a call returns. CancelResult: what a cancel() has done.
#pragma once

namespace weft {

/// What a call returns. Nothing is dropped silently. Any value but `ok` means that nothing was changed: every task of
/// the call still belongs to the caller. Exceptions are named at the call.
enum class [[nodiscard]] Status : unsigned char{
    ok,                ///< it was done
    closed,            ///< the pool was shut down: it takes no task and no worker any more
    misaligned_task,   ///< the task is not aligned as a Task must be (checked builds)
    null_run,          ///< the task has no run function (checked builds)
    already_queued,    ///< the task is queued, or in a batch, and has not started yet (checked builds)
    unknown_core,      ///< no such core in this pool: core ids are 0..Cores-1
    core_unavailable,  ///< the core is off and could or may not be started; retire(): all others are retired
    wrong_context,     ///< not from here: see the call's context
    out_of_range,  ///< a time: half a turn of the clock or more, a period of 0, a slack that is too large; or a
                   ///< level of urgency that there is not; or a CoreSet that is empty, or one too many;
                   ///< or a limit of 0
    not_expected,  ///< a Gate: more arrivals than it waits for; reset() of a Work that runs
    left_over,     ///< join(): tasks could not be run, and there was no batch to take them
    timed_out,     ///< quiesce(): some core did not come in time
    busy,          ///< quiesce(): another core was faster; retire(): another follower waits for that core
    retired,       ///< run(): the core was retired; the pool goes on without it
};

/// What Timer::cancel() or Waitable::cancel() has done. The answer is final.
enum class [[nodiscard]] CancelResult : unsigned char{
    cancelled,  ///< what was to run will not run, and is not running
    too_late,   ///< it has run, or runs. A Timer: its task is queued, or runs; that run is the last one
    not_armed,  ///< a Timer that is not armed, and whose task is neither queued nor running: nothing was changed
};

/// A short English sentence about a status, for logs. It is in the image only if it is called.
/// @context Any context.
/// @lifetime The text lives for ever.
constexpr const char* describe(Status status) {
    switch (status) {
        case Status::ok: return "ok";
        case Status::closed: return "the pool was shut down: it takes no task and no worker any more";
        case Status::misaligned_task:
            return "the task is not aligned: declare it as a Task, do not cast memory to one";
        case Status::null_run:
            return "the task has no run function: derive from weft::TaskOf, or use a weft::Job";
        case Status::already_queued:
            return "the task is queued already, or in a batch: wait until it has started";
        case Status::unknown_core: return "no such core: core ids of a pool are 0..Cores-1";
        case Status::core_unavailable:
            return "the core is off, and could not be started or is not allowed to (submit() lets any "
                   "core run the task); or it is the last one that is not retired";
        case Status::wrong_context:
            return "not from here: interrupt handlers use submit_from_isr(); tasks do not run, poll or join "
                   "their pool";
        case Status::out_of_range:
            return "out of range: a level of urgency is below the setting WEFT_URGENCY_LEVELS; a time is "
                   "less "
                   "than half a turn of the clock (2^31 ticks), and no period of 0; a CoreSet is not empty, "
                   "and there are at most WEFT_CORE_SETS different ones; a limit is not 0";
        case Status::not_expected:
            return "more arrivals than the gate waits for, or its follower has not started yet; or a reset() "
                   "of "
                   "what runs";
        case Status::left_over: return "tasks could not be run, and join() had no batch to take them";
        case Status::timed_out: return "a core did not come before the deadline: one of its tasks is longer";
        case Status::retired:
            return "the core was retired, and the pool goes on: admit() it, and run() again";
        case Status::busy:
            return "another core had the cores stand still, and has let go: try again; or another follower "
                   "waits for the core's leaving";
    }
    return "unknown status";
}

}  // namespace weft
