// SPDX-License-Identifier: MIT OR Apache-2.0
/// @file
/// The umbrella header: all of weft's public interface.
/// @mainpage weft: reference
/// A work-stealing scheduler for bare-metal multicore chips. Begin with weft::Pool, weft::Task and weft::Scheduler;
/// then weft/fork_join.hpp; weft::Timer, weft::Strand, weft::Gate, weft::Event and weft::Work; weft::Coroutine.
/// Settings are in weft/config.hpp, what a port must supply is weft::Port (weft/port.hpp).
///
/// *Context* says from where a name may be used:
/// - *task context*: code that is not an interrupt handler, inside a task or not, before main() too;
/// - *any context*: task context and interrupt handlers of any priority, nested too;
/// - *any core*: cores of the pool and foreign ones. *Core of the pool*: its this_core() is 0..Cores-1.
///
/// *Checked builds* are those with WEFT_CHECKS=1. What a call *returns* and what *panics* for misuse only in checked
/// builds says so; elsewhere such misuse is undefined.
#pragma once

#include <weft/batch.hpp>
#include <weft/core_set.hpp>
#include <weft/event.hpp>
#include <weft/gate.hpp>
#include <weft/pool.hpp>
#include <weft/scheduler.hpp>
#include <weft/stack.hpp>
#include <weft/status.hpp>
#include <weft/strand.hpp>
#include <weft/task.hpp>
#include <weft/work.hpp>
#include <weft/timer.hpp>
#if WEFT_FORK_DEPTH
#include <weft/fork_join.hpp>
#include <weft/parallel.hpp>
#include <weft/task_group.hpp>
#endif
