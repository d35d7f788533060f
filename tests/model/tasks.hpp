// SPDX-License-Identifier: MIT OR Apache-2.0
// Model: tasks that notice being lost, run twice, run with stale data or run too early.
#pragma once

#include <weft/weft.hpp>

#include "engine/scenario.hpp"
#include "where.hpp"

namespace model = weft::model;

// What the submitter wrote must be there when the task runs; what the task writes must be there for the joiner.
class Mark : public weft::Task {
public:
    Mark() : Task(&Mark::run) {}
    explicit Mark(Run function) : Task(function) {}

    void prepare() {
        input_.set(41);
        given = true;
    }
    // As a task's end user: to be called by whoever takes the task out of a queue.
    static void run(weft::Task& self) {
        Mark& mark = static_cast<Mark&>(self);
        model::check(mark.input_.get() == 41, "the task sees what its submitter wrote");
        mark.output_.set(mark.output_.get() + 1);
        ++mark.runs;
    }
    // In finish(), or after a join: everything the task wrote is visible.
    int seen_runs() { return static_cast<int>(output_.get()); }

    // For finish() only: no core decides by them.
    int runs = 0;
    bool given = false;
    bool as_promised() const { return runs == (given ? 1 : 0); }

private:
    weft::Plain<uint32_t> input_{};
    weft::Plain<uint32_t> output_{};
};

// n tasks that wait for each other: they come to an end only if n cores, from `first` on, work on them at the same
// time. They wait asleep: no step of a scenario is spent on looking again. `of`: if they may be on others of that many.
template <unsigned count, unsigned first = 0, unsigned of = count>
class Meeting {
public:
    void arrive() {
        if (here_.fetch_add(1, weft::release) == count - 1) {
            for (unsigned core = first; core != first + of; ++core) weft::Port::unpark(core);
        }
        while (here_.load(weft::acquire) != count) weft::Port::park();
    }

private:
    weft::Atomic<uint32_t> here_{0};
};

// The callable of a Work: notes, for finish(), which core has run it.
struct NotesCore {
    int& core;
    void operator()() const { core = static_cast<int>(weft::Port::core_id()); }
};

inline void must(weft::Status status) { model::check(status == weft::Status::ok, weft::describe(status)); }
