// SPDX-License-Identifier: MIT OR Apache-2.0
// Generated programs: how a tree is run. The answers that are allowed are those of the public headers (judge.hpp).
#include "world.hpp"

#include <weft/weft.hpp>

#include <algorithm>

#include "../where.hpp"
#include "judge.hpp"
#include "judge_crew.hpp"
#include "judge_sources.hpp"
#include "pools_world.hpp"
#include "sources_world.hpp"
#include "timers_world.hpp"
#include "works_world.hpp"

namespace fuzz {

namespace {

namespace model = weft::model;
using weft::acq_rel;
using weft::acquire;
using weft::Atomic;
using weft::Batch;
using weft::Plain;
using weft::Port;
using weft::relaxed;
using weft::release;
using weft::Scheduler;
using weft::Shutdown;
using weft::Status;
using weft::Task;

const Program* program = nullptr;
const Layout* layout = nullptr;
const Demands* demands = nullptr;

struct World;

constexpr uint32_t given = 41;  // what is written before, and must be seen

// One run of a callable.
struct Cell {
    Plain<uint32_t> input{};
    Plain<uint32_t> output{};
};

struct Unit : Task {
    Unit() : Task(&Unit::run) {}
    static void run(Task& self);

    Plain<uint32_t> input{};
    Plain<uint32_t> output{};
    Atomic<uint32_t> ended{0};
    World* world = nullptr;
    unsigned number = 0;
    // For the account; each is written by who has the task.
    bool accepted = false;
    bool by_function = false;  // submitted by the function of a sleeping pool
    bool handed_back = false;
    bool preempts = false;
    unsigned runs = 0;
};

struct Follower : Task {
    Follower() : Task(&Follower::run) {}
    static void run(Task& self);

    World* world = nullptr;
    unsigned gate = 0;
};

struct Fires : Task {
    Fires() : Task(&Fires::run) {}
    static void run(Task& self);

    World* world = nullptr;
    unsigned timer = 0;
};

// Where a block is executed.
struct Place {
    unsigned instance;
    int pool;  // of the task, or -1
    bool handler;
};

struct World {
    alignas(64) unsigned char memory[most_pools][sizeof(LargestPool)];
    Scheduler* pools[most_pools];
    alignas(64) unsigned char unit_memory[most_tasks][sizeof(Unit)];
    Cell cells[most_cells];
    Atomic<uint32_t> done[most_pools];
    Atomic<uint32_t> met[most_meetings];
    uint32_t going_on[most_pools] = {};
    uint32_t errands[most_pools] = {};
    Judge judge;
    Sources sources;
    SourceJudge source_judge;
    Follower followers[most_sources];
    Plain<uint32_t> told[most_pools][most_sources];  // written before a signal or set, where that is one
    unsigned by_joiners[most_pools] = {};            // tasks of strands, runs of timers
    Timers timers;
    TimerJudge timer_judge;
    Works<World> works;
    WorkJudge work_judge;
    AsleepJudge asleep_judge;
    Whereabouts where;
    StillJudge still_judge;
    CrewJudge crew_judge;
    BlockJudge block_judge;
    Fires fires[most_timers];

    World() {
        for (size_t i = 0; i != program->pools.size(); ++i)
            pools[i] = &build_pool(program->pools[i], memory[i]);
        for (unsigned i = 0; i != layout->tasks.size(); ++i) {
            Unit* const one = new (unit_memory[i]) Unit();
            one->world = this;
            one->number = i;
        }
        for (unsigned i = 0; i != most_sources; ++i) followers[i].world = this, followers[i].gate = i;
        sources.build(*program, pools, followers);
        for (unsigned i = 0; i != most_timers; ++i) fires[i].world = this, fires[i].timer = i;
        timers.build(*program, pools, fires);
        timer_judge.begin(*program, *layout, *demands);
        works.build(*program, pools, *this);
        work_judge.begin(*program, *layout);
        set_functions();
        judge.begin(*program, *demands, still_judge, crew_judge);
        where.begin(*program);
        still_judge.begin(*program);
        crew_judge.begin(*program);
        block_judge.begin(*program);
        source_judge.begin(*program, *layout);
    }
    Unit& unit(unsigned number) { return *reinterpret_cast<Unit*>(unit_memory[number]); }
    const Layout::Item& item(const Statement& statement) { return layout->items[statement.id]; }

    // ---- Cores

    void cores(model::Program& on) {
        for (unsigned id = 0; id != program->cores.size(); ++id) add_core(on, id);
        for (const Handler& handler : program->handlers) {
            const Handler* const its = &handler;
            on.interrupt(
                handler.core, [this, its] { interrupt(*its); }, handler.times);
            if (program->machine.nested) on.nested_interrupts(handler.core);
        }
        for (unsigned& turn : turns) turn = 0;
    }
    void add_core(model::Program& on, unsigned id) {
        const Core& core = program->cores[id];
        const auto start = [&core](size_t i) { return static_cast<model::Arrival>(core.late[i]); };
        if (core.late.size() == 1) on.late_core(id, {start(0)});
        if (core.late.size() == 2) on.late_core(id, {start(0), start(1)});
        if (core.late.size() >= 3) on.late_core(id, {start(0), start(1), start(2)});
        if (!core.boots) return;
        const Core* const its = &core;
        const auto body = [this, its] {
            weft::detail::ForkDeque::leave(
                nullptr);  // what an execution that was given up has left is forgotten
            execute(its->body, Place{0, -1, false});
        };
        if (core.rested) {
            on.core_at_rest(id, body);
        } else {
            on.core(id, body);
        }
    }
    unsigned turns[8] = {};
    void interrupt(const Handler& handler) {
        const size_t index = static_cast<size_t>(&handler - program->handlers.data());
        execute(handler.body, Place{turns[index]++, -1, true});
    }

    // ---- Statements

    void execute(const Block& block, Place place) {
        for (const Statement& statement : block) execute(statement, place);
    }
    void execute(const Statement& statement, Place place) {
        Scheduler& pool = *pools[statement.pool];
        if (kind_of(statement.op).pool && !is_of_crew(statement.op))
            crew_judge.is_used(statement.pool, place.pool >= 0);
        if (kind_of(statement.op).pool && !place.handler)
            where.call_begins(statement.pool, sleeps_as_worker(statement.op));
        switch (statement.op) {
            case Op::submit: return submit(statement, place);
            case Op::batch: return submit_batch(statement, place);
            case Op::pin: return pin(statement, place);
            case Op::among:
            case Op::lot: return submit_for(statement, place);
            case Op::fork: return fork(statement, place);
            case Op::loop: return loop(statement, place);
            case Op::reduce: return reduce(statement, place);
            case Op::group: return group(statement, place);
            case Op::call: return call(statement, place);
            case Op::crew: return crew(statement, place);
            case Op::poll: return poll(statement, place);
            case Op::run: return run(statement, place);
            case Op::serve: return serve(statement);
            case Op::await: return await(statement);
            case Op::shutdown: return close(statement, Shutdown::drain);
            case Op::abandon: return close(statement, Shutdown::abandon);
            case Op::join: return join(statement, place);
            case Op::meet: return meet(statement);
            case Op::forever: return forever(place);
            case Op::tick: return model::advance_clock(statement.number[0]), timer_judge.ticked();
            case Op::offer: return pool.offer_from_isr();
            case Op::cycle: return cycle(statement);
            case Op::idle: return wait_idle(statement);
            case Op::asleep:
            case Op::work: return;
            case Op::begin: return begin_work(statement, place);
            case Op::finish: return finish_work(statement);
            case Op::tell: return tell(statement);
            case Op::revoke: return static_cast<void>(work_judge.revoked(works, statement.number[0]));
            case Op::still: return stand_still(statement, place);
            case Op::resume: return resume(statement);
            case Op::retire:
            case Op::admit:
            case Op::limit:
            case Op::keep: return change_crew(statement);
            case Op::most: return limit_blocking(statement);
            case Op::strand: return submit_to_strand(statement, place);
            case Op::gate: return;
            case Op::arrive: return arrive(statement, place);
            case Op::wait: return wait_for_event(statement, place);
            case Op::set:
            case Op::signal:
            case Op::clear: return call_event(statement, place);
            case Op::timer: return;
            case Op::after:
            case Op::at:
            case Op::every: return start_timer(statement, place);
            case Op::cancel: return static_cast<void>(cancel_timer(statement.number[0], place.handler));
            case Op::drop: return drop_timer(statement.number[0]);
        }
    }

    static bool sleeps_as_worker(Op op) { return op == Op::run || op == Op::finish || op == Op::idle; }

    // ---- Tasks

    Unit& prepare(const Statement& statement, unsigned instance) {
        Unit& one = unit(item(statement).task + instance);
        one.input.set(given);
        return one;
    }
    // The answer of a submit is the only thing that says to whom the task belongs; it may have run already.
    void took(Unit& one, Status status, Place place) {
        one.accepted = status == Status::ok;
        one.by_function = in_function[Port::core_id()];
        // By a core itself: it may wait until they have run.
        if (one.accepted && place.pool < 0 && !place.handler) own_tasks[Port::core_id()] |= 1u << one.number;
    }
    uint32_t own_tasks[model::max_cores] = {};
    bool in_function[model::max_cores] = {};  // of a sleeping pool
    static_assert(most_tasks <= 32, "bits");

    // A third of the tasks is urgent, and of the batches; of the others some preempt.
    static weft::Urgency urgency_of([[maybe_unused]] const Statement& statement, unsigned number) {
#if WEFT_PREEMPTION
        if (may_preempt(statement, number)) return weft::Urgency{WEFT_URGENCY_LEVELS - 1};
#endif
        return WEFT_URGENCY_LEVELS > 1 && number % 3 == 1 ? weft::Urgency::urgent : weft::Urgency::normal;
    }
    static bool is_top(weft::Urgency level) {
        return WEFT_PREEMPTION && level == weft::Urgency{WEFT_URGENCY_LEVELS - 1};
    }
    void submit(const Statement& statement, Place place) {
        Scheduler& pool = *pools[statement.pool];
        Unit& one = prepare(statement, place.instance);
        const weft::Urgency level = urgency_of(statement, one.number);
        one.preempts = is_top(level);
        const auto call = [&] {
#if WEFT_BLOCKING
            if (is_blocking(statement, one.number))
                return place.handler ? pool.submit_blocking_from_isr(one) : pool.submit_blocking(one);
#endif
#if WEFT_MANDATORY
            if (is_mandatory(one))
                return place.handler ? pool.submit_mandatory_from_isr(one) : pool.submit_mandatory(one);
#endif
            return place.handler ? pool.submit_from_isr(one, level) : pool.submit(one, level);
        };
        took(one, judge.submitted(statement.pool, call), place);
        if (statement.waits) wait(one);
    }
    static bool is_blocking(const Statement& statement, unsigned number) {
        return demands->blocks[statement.pool] && may_be_blocking(statement, number);
    }
    static bool is_mandatory(const Unit& one) {
        return WEFT_MANDATORY && may_be_mandatory(*layout->tasks[one.number].statement, one.number);
    }
    void limit_blocking([[maybe_unused]] const Statement& statement) {
#if WEFT_BLOCKING
        const uint32_t most = statement.number[0];
        block_judge.limited(statement.pool, most,
                            [&] { return pools[statement.pool]->limit_blocking(most); });
#endif
    }
    void submit_batch(const Statement& statement, Place place) {
        Batch batch;
        const unsigned size = statement.number[0];
        const unsigned first = place.instance * size;
        const weft::Urgency level = urgency_of(statement, unit(item(statement).task + first).number);
        for (unsigned i = 0; i != size; ++i) {
            Unit& one = prepare(statement, first + i);
            one.preempts = is_top(level);
            model::check(batch.push(one) == Status::ok, "a task that is free is taken");
        }
        const Status status =
            judge.submitted(statement.pool, [&] { return pools[statement.pool]->submit(batch, level); });
        const uint32_t left = status == Status::ok ? 0 : size;
        model::check(batch.size() == left, "all of a batch is taken, or nothing");
        while (batch.pop() != nullptr) {
        }
        for (unsigned i = 0; i != size; ++i) took(unit(item(statement).task + first + i), status, place);
        for (unsigned i = 0; statement.waits && i != size; ++i) wait(unit(item(statement).task + first + i));
    }
    void pin(const Statement& statement, Place place) {
        Scheduler& pool = *pools[statement.pool];
        const uint32_t core = statement.number[0];
        Unit& one = prepare(statement, place.instance);
        Status status = Status::core_unavailable;
        for (;;) {  // ends: the core is about to call run()
            status = judge.pinned(statement.pool, core, [&] { return pool.submit_on(core, one); });
            if (status != Status::core_unavailable || !demands->patient[statement.pool]) break;
            Port::relax();
        }
        if (statement.id < 64 && (demands->sure_pins >> statement.id & 1) != 0) {
            const bool overdue = model::machine.elapsed() >= deadline_of(*program);
            model::check(status == Status::ok || overdue, "pinned to a core that has come from another pool");
        }
        took(one, status, place);
        if (demands->pins_may_fail && status != Status::ok) return ended(statement.pool);
        if (statement.waits) wait(one);
    }
    // Of these as many as the statement says, or one. In a handler it is not tried again: the core may be its own.
    void submit_for([[maybe_unused]] const Statement& statement, [[maybe_unused]] Place place) {
#if WEFT_CORE_SETS
        Scheduler& pool = *pools[statement.pool];
        const weft::CoreSet cores = weft::CoreSet::from_mask(cores_of(statement));
        const unsigned size = copies_of(statement);
        Batch batch;
        for (unsigned i = 0; i != size; ++i) {
            Unit& one = prepare(statement, place.instance * size + i);
            if (statement.op == Op::lot) static_cast<void>(batch.push(one));
        }
        Unit& first = unit(item(statement).task + place.instance * size);
        const auto call = [&] {
            if (statement.op == Op::lot) return pool.submit_on(cores, batch);
            return place.handler ? pool.submit_on_from_isr(cores, first) : pool.submit_on(cores, first);
        };
        Status status = Status::core_unavailable;
        for (;;) {  // ends: a core of the set is about to call run()
            status = judge.submitted_for(statement.pool, cores.mask(), call);
            const bool again = status == Status::core_unavailable && demands->patient[statement.pool];
            if (!again || place.handler) break;
            Port::relax();
        }
        const bool is_whole = status == Status::ok || statement.op == Op::among;
        model::check(batch.size() == (is_whole ? 0 : size), "all of a batch is taken, or nothing");
        while (batch.pop() != nullptr) {
        }
        for (unsigned i = 0; i != size; ++i)
            took(unit(item(statement).task + place.instance * size + i), status, place);
        for (unsigned i = 0; statement.waits && i != size; ++i)
            wait(unit(item(statement).task + place.instance * size + i));
#endif
    }
    static void wait(Unit& one) {
        while (one.ended.load(acquire) == 0) Port::park();
        model::check(one.output.get() == given + 1, "who waits for a task sees what it wrote");
    }

    void run_task(Unit& one) {
        const TaskPlace& place = layout->tasks[one.number];
        const Statement& statement = *place.statement;
        model::end_of_life(static_cast<Task*>(&one), sizeof(Task));
        model::check(one.input.get() == given, "a task sees what its submitter wrote");
        model::check(++one.runs == 1, "a task runs once");
        begins_here(statement.pool);
        judge.runs_here(statement.pool, is_bound(*program, statement) ? cores_of(statement) : Judge::any_core,
                        is_mandatory(one));
        if (statement.op == Op::strand) {
            source_judge.strand_runs(one.number);
            judge.runs_in_strand(statement.pool);
            by_joiners[statement.pool] += judge.joins_here(statement.pool) ? 1 : 0;
        }
        if (statement.op == Op::wait) let_go(one);
        const bool blocks = is_blocking(statement, one.number);
        if (blocks) block_judge.begins(statement.pool, where, judge.joins_here(statement.pool));
        execute(statement.blocks[0], Place{place.instance, static_cast<int>(statement.pool), false});
        if (blocks) block_judge.ended(statement.pool);
        if (statement.op == Op::strand) source_judge.strand_ran(one.number);
        one.output.set(given + 1);
        one.ended.store(1, release);
        if (statement.waits) wake_everybody();
        ends_here(statement.pool);
        // On top of a sleep it ends none.
        if (!one.preempts) asleep_judge.task_ended();
        if (!place.loose) ended(statement.pool);
    }
    // One more of those that all must run.
    void ended(unsigned pool) {
        const unsigned all = layout->expected[pool] - layout->forever[pool];
        if (done[pool].fetch_add(1, acq_rel) + 1 != all) return;
        wake_everybody();
        if (program->pools[pool].last) judge.closes(pool, Shutdown::drain, [&] { pools[pool]->shutdown(); });
    }
    static void wake_everybody() {
        for (unsigned core = 0; core != program->cores.size(); ++core) {
            if (program->cores[core].boots) Port::unpark(core);
        }
    }

    // ---- Strands, gates, events

    void submit_to_strand(const Statement& statement, Place place) {
        weft::Strand& strand = sources.strand(statement.pool, statement.number[0]);
        Unit& one = prepare(statement, place.instance);
        source_judge.comes(one.number);
        const auto call = [&] { return place.handler ? strand.submit_from_isr(one) : strand.submit(one); };
        took(one, judge.submitted(statement.pool, call), place);
        if (one.accepted) source_judge.was_accepted(one.number);
        if (statement.waits) wait(one);
    }

    // What was written before an arrival, if each of the gate's belongs to the first round.
    Cell& written(const Statement& statement, unsigned instance) {
        return cells[item(statement).cell + instance];
    }
    bool has_one_round(unsigned gate) { return layout->arrivals[gate] == program->gates[gate].number[0]; }
    void arrive(const Statement& statement, Place place) {
        const uint32_t number = statement.number[0];
        const uint32_t by = statement.number[1];
        weft::Gate& gate = sources.gate(number);
        written(statement, place.instance).input.set(given);
        const auto call = [&] { return place.handler ? gate.arrive_from_isr(by) : gate.arrive(by); };
        const bool comes_again = !demands->racing[statement.pool] && by == 1 &&
                                 layout->arrivals[number] > program->gates[number].number[0];
        source_judge.arrives(statement);
        for (;;) {  // ends: the follower is about to start
            const Status status = source_judge.arrived(statement, judge.closing(statement.pool),
                                                       judge.knows_end(statement.pool), call);
            if (status != Status::not_expected || !comes_again) return;
            Port::relax();
        }
    }
    void run_follower(unsigned number) {
        const Statement& gate = program->gates[number];
        judge.runs_here(gate.pool, Judge::any_core);
        begins_here(gate.pool);
        const unsigned instance = source_judge.follower_runs(number);
        if (has_one_round(number)) {
            model::end_of_life(static_cast<Task*>(&followers[number]), sizeof(Task));
            for_all(*program, [&](const Statement& one) {
                const bool counts = one.op == Op::arrive && one.number[0] == number && one.number[1] != 0 &&
                                    one.number[1] <= gate.number[0];
                for (unsigned i = 0; counts && i != item(one).copies; ++i)
                    model::check(written(one, i).input.get() == given, "a follower sees what was written");
            });
        }
        execute(gate.blocks[0], Place{instance, static_cast<int>(gate.pool), false});
        ends_here(gate.pool);
        ended(gate.pool);
    }

    void wait_for_event(const Statement& statement, Place place) {
        weft::Event& event = sources.event(statement.pool, statement.number[0]);
        Unit& one = prepare(statement, place.instance);
        source_judge.comes(one.number);
        source_judge.waits(one.number);
        const auto call = [&] { return place.handler ? event.wait_from_isr(one) : event.wait(one); };
        const auto judged = [&] {
            return source_judge.event_call(statement, judge.closing(statement.pool),
                                           judge.has_joined_here(statement.pool), call);
        };
        took(one, judge.submitted(statement.pool, judged), place);
        if (one.accepted) source_judge.was_accepted(one.number);
    }
    void call_event(const Statement& statement, Place place) {
        weft::Event& event = sources.event(statement.pool, statement.number[0]);
        if (gives(statement.op) && has_one_giver(statement))
            told[statement.pool][statement.number[0]].set(given);
        const auto call = [&] {
            switch (statement.op) {
                case Op::set: return place.handler ? event.set_from_isr() : event.set();
                case Op::signal: return place.handler ? event.signal_from_isr() : event.signal();
                default: return event.clear(), Status::ok;
            }
        };
        static_cast<void>(source_judge.event_call(statement, judge.closing(statement.pool),
                                                  judge.has_joined_here(statement.pool), call));
    }
    bool has_one_giver(const Statement& of) { return layout->givers[of.pool][of.number[0]] == 1; }
    // The task of an event runs.
    void let_go(Unit& one) {
        source_judge.was_let_go(one.number);
        const Statement& statement = *layout->tasks[one.number].statement;
        if (!has_one_giver(statement)) return;
        const uint32_t data = told[statement.pool][statement.number[0]].get();
        model::check(data == given, "a task sees what was written before its signal");
    }

    // What has not run is in the strands and events of a pool that was joined.
    void take_back(unsigned pool) {
        for (unsigned i = 0; i != most_sources; ++i) {
            Batch from_strand;
            sources.strand(pool, i).take_back(from_strand);
            while (Task* const task = from_strand.pop())
                source_judge.leaves_strand(handed_back(*static_cast<Unit*>(task), Op::strand, pool, i));
            Batch from_event;
            sources.event(pool, i).take_back(from_event);
            while (Task* const task = from_event.pop())
                source_judge.was_left_waiting(handed_back(*static_cast<Unit*>(task), Op::wait, pool, i));
        }
    }
    unsigned handed_back(Unit& one, Op op, unsigned pool, unsigned number) {
        const Statement& statement = *layout->tasks[one.number].statement;
        model::check(statement.op == op && statement.pool == pool && statement.number[0] == number,
                     "a task comes back from where it was");
        hand_back(one);
        return one.number;
    }

    // ---- Timers

    void start_timer(const Statement& statement, Place place) {
        const uint32_t number = statement.number[0];
        const unsigned index = timer_judge.prepare(number);
        const auto call = [&] {
            timer_judge.starts(statement, index);
            return timers.start(*program, statement, place.handler);
        };
        if (is_in_range(statement)) {
            timer_judge.started(number, index, judge.submitted(statement.pool, call));
            return;
        }
        const Status status = call();
        timer_judge.started(number, index, status);
        model::check(
            status == Status::out_of_range || (status == Status::closed && judge.closing(statement.pool)),
            "a start with such numbers: out_of_range");
    }
    Answer cancel_timer(unsigned number, bool handler) {
        const Answer answer = timer_judge.cancelled(number, [&] { return timers.cancel(number, handler); });
        timer_judge.look_at_armed(number, timers.is_armed(number));
        return answer;
    }
    // Nobody starts or cancels it any more but its own last run.
    void drop_timer(unsigned number) {
        if (timer_judge.was_over(number)) return;
        if (cancel_timer(number, false) != Answer::too_late) end_timer(number);
    }
    void end_timer(unsigned number) {
        timers.end(number);
        timer_judge.is_over(number);
    }
    void run_timer(unsigned number) {
        const Statement& timer = program->timers[number];
        const Layout::Timer& its = layout->timers[number];
        judge.runs_here(timer.pool, Judge::any_core);
        begins_here(timer.pool);
        by_joiners[timer.pool] += judge.joins_here(timer.pool) ? 1 : 0;
        const uint32_t missed = timers.missed(number);
        const unsigned run = timer_judge.begins(number, missed, judge.was_joined(timer.pool));
        if (run < timer.number[0]) execute(timer.blocks[0], Place{run, static_cast<int>(timer.pool), false});
        if (its.periodic && run + 1 >= timer.number[0]) {
            const Answer answer = cancel_timer(number, false);
            model::check(!its.sure || answer == Answer::too_late, "cancelled in its own run: too late");
        }
        timer_judge.ended(number, run);
        ends_here(timer.pool);
        if (its.sure) ended(timer.pool);
    }

    // ---- Works, and the function for when all sleep

    void begin_work(const Statement& statement, Place place) {
        const unsigned number = statement.number[0];
        if (!work_judge.may_begin(works, number)) return;
        const weft::Urgency level = WEFT_URGENCY_LEVELS > 1 && statement.number[1] % 2 == 1
                                        ? weft::Urgency::urgent
                                        : weft::Urgency::normal;
        Scheduler& pool = *pools[statement.pool];
        Task& task = works.work(number);
        work_judge.is_for(number, is_pinned(statement) ? bit_of(pinned_to(statement)) : Judge::any_core);
        const Status status =
            is_pinned(statement)
                ? judge.pinned(statement.pool, pinned_to(statement),
                               [&] { return pool.submit_on(pinned_to(statement), task); })
                : judge.submitted(statement.pool, [&] {
                      return place.handler ? pool.submit_from_isr(task, level) : pool.submit(task, level);
                  });
        work_judge.was_begun(number, status, place.pool < 0 && !place.handler);
    }
    void tell([[maybe_unused]] const Statement& statement) {
#if WEFT_ELASTIC
        const unsigned number = statement.number[0];
        const uint32_t core = statement.number[1];
        if (!work_judge.may_begin(works, number)) return;
        const bool& closing = judge.closing(program->works[number].pool);
        const Status status = crew_judge.retired(statement.pool, core, &closing, [&] {
            return pools[statement.pool]->retire(core, works.work(number));
        });
        work_judge.was_begun(number, status, false);
#endif
    }
    void look_at_followers(unsigned pool) {
        for_all(*program, [&](const Statement& one) {
            if (one.op != Op::tell || one.pool != pool || !work_judge.was_accepted(one.number[0])) return;
            if (crew_judge.is_here(pool, one.number[1], where)) return;
            model::check(works.work(one.number[0]).is_done(),
                         "a core has left, and who follows was not told");
        });
    }
    void finish_work(const Statement& statement) {
        judge.waits_here(statement.pool, true);
        const unsigned before = model::steps();
        const bool given_up = work_judge.finish(works, statement, judge.closing(statement.pool));
        // From afar it may end while nobody is at work. Then somebody may come between its last look and its return.
        const bool is_foreign = Port::core_id() >= program->pools[statement.pool].cores;
        if (given_up && !judge.abandoned(statement.pool))
            work_judge.is_given_up(statement.number[0], is_foreign ? before : model::steps());
        judge.waits_here(statement.pool, false);
    }
    // By the callable of a Work.
    void run_work(unsigned number) {
        const Statement& work = program->works[number];
        const bool joins = judge.joins_here(work.pool);
        judge.runs_here(work.pool, joins ? Judge::any_core : work_judge.cores_of(number));
        begins_here(work.pool);
        by_joiners[work.pool] += joins ? 1 : 0;
        const bool may_ask = !joins && !judge.abandoned(work.pool);
        const unsigned round = work_judge.runs(number, may_ask ? where.works_since(work.pool) : 0);
        execute(work.blocks[0], Place{round, static_cast<int>(work.pool), false});
        work_judge.ran(number);
        ends_here(work.pool);
        if (layout->works[number].sure) ended(work.pool);
    }
    void set_functions() {
#if WEFT_REST
        for (const Statement& asleep : program->asleep) {
            const auto function = [](void* world) { static_cast<World*>(world)->all_asleep(); };
            model::check(pools[asleep.pool]->on_all_asleep(function, this) == Status::ok,
                         "on_all_asleep before the pool is used: ok");
        }
#endif
    }
    void all_asleep() {
        const Statement& asleep = program->asleep[0];
        const unsigned call = asleep_judge.begins(program->pools[asleep.pool].cores);
        still_judge.reads(asleep.pool);
        in_function[Port::core_id()] = true;
        if (call < asleep.number[0])
            execute(asleep.blocks[0], Place{call, static_cast<int>(asleep.pool), false});
        in_function[Port::core_id()] = false;
        asleep_judge.ends();
    }

    // ---- Callables

    Cell& cell(const Statement& statement, unsigned block, unsigned instance) {
        const Layout::Item& its = item(statement);
        return cells[its.cell + block * its.copies * copies_of(statement) + instance];
    }
    void give(const Statement& statement, unsigned block, unsigned instance) {
        cell(statement, block, instance).input.set(given);
    }
    void run_callable(const Statement& statement, unsigned block, unsigned instance, int pool) {
        Cell& its = cell(statement, block, instance);
        model::check(its.input.get() == given, "a callable sees what was written before the fork");
        look_if_it_may(pool);
        execute(statement.blocks[block], Place{instance, pool, false});
        look_if_it_may(pool);
        its.output.set(its.output.get() + 1);
    }
    void joined(const Statement& statement, unsigned block, unsigned instance) {
        model::check(cell(statement, block, instance).output.get() == 1,
                     "a callable has run once when it is joined");
    }

    void fork(const Statement& statement, Place place) {
        for (unsigned block : {0u, 1u}) give(statement, block, place.instance);
        const auto callable = [&](unsigned block) {
            run_callable(statement, block, place.instance, place.pool);
        };
        weft::fork_join([&] { callable(0); }, [&] { callable(1); });
        for (unsigned block : {0u, 1u}) joined(statement, block, place.instance);
    }
    void loop(const Statement& statement, Place place) {
        const uint32_t size = statement.number[0];
        const uint32_t first = place.instance * size;
        for (uint32_t i = 0; i != size; ++i) give(statement, 0, first + i);
        weft::parallel_for(0u, size, statement.number[1],
                           [&](uint32_t i) { run_callable(statement, 0, first + i, place.pool); });
        for (uint32_t i = 0; i != size; ++i) joined(statement, 0, first + i);
    }
    void reduce(const Statement& statement, Place place) {
        const uint32_t size = statement.number[0];
        const uint32_t first = place.instance * size;
        for (uint32_t i = 0; i != size; ++i) give(statement, 0, first + i);
        const auto map = [&](uint32_t i) {
            run_callable(statement, 0, first + i, place.pool);
            return i + 1;
        };
        const uint32_t sum = weft::parallel_reduce(0u, size, statement.number[1], uint32_t(0), map,
                                                   [](uint32_t a, uint32_t b) { return a + b; });
        model::check(sum == size * (size + 1) / 2, "the sum is that of the serial program");
        for (uint32_t i = 0; i != size; ++i) joined(statement, 0, first + i);
    }

    struct Child {
        World* world;
        const Statement* statement;
        unsigned block;
        Place place;
        void operator()() const { world->run_callable(*statement, block, place.instance, place.pool); }
    };
    void group(const Statement& statement, Place place) {
        for (unsigned block = 0; block != statement.blocks.size(); ++block)
            give(statement, block, place.instance);
        weft::GroupTask<Child>* children[8];
        collect(statement, place, children, 0);
        for (unsigned block = 0; block != statement.blocks.size(); ++block)
            joined(statement, block, place.instance);
    }
    // The children live on the stack, below the group.
    void collect(const Statement& statement, Place place, weft::GroupTask<Child>** children, unsigned count) {
        const Child own{this, &statement, count, place};
        if (count != statement.number[0]) {
            weft::GroupTask<Child> child(own);
            children[count] = &child;
            return collect(statement, place, children, count + 1);
        }
        weft::TaskGroup all;
        for (unsigned i = 0; i != count; ++i) all.run(*children[i]);
        own();
        all.wait();
    }

    // Likewise with a pool: its tasks begin with wait(), so the own block runs before them, where it stands.
    void crew(const Statement& statement, Place place) {
        for (unsigned block = 0; block != statement.blocks.size(); ++block)
            give(statement, block, place.instance);
        weft::GroupTask<Child>* children[8];
        ++errands[statement.pool];
        collect_crew(statement, place, children, 0);
        for (unsigned block = 0; block != statement.blocks.size(); ++block)
            joined(statement, block, place.instance);
    }
    void collect_crew(const Statement& statement, Place place, weft::GroupTask<Child>** children,
                      unsigned count) {
        if (count != statement.number[0]) {
            const Place inside{place.instance, static_cast<int>(statement.pool), false};
            weft::GroupTask<Child> child(Child{this, &statement, count, inside});
            children[count] = &child;
            return collect_crew(statement, place, children, count + 1);
        }
        weft::TaskGroup all(*pools[statement.pool]);
        for (unsigned i = 0; i != count; ++i) all.run(*children[i]);
        run_callable(statement, count, place.instance, place.pool);
        all.wait();
    }

    void call(const Statement& statement, Place place) {
        give(statement, 0, place.instance);
        const int pool = static_cast<int>(statement.pool);
        ++errands[statement.pool];
        weft::fork_join(*pools[statement.pool], [&] { run_callable(statement, 0, place.instance, pool); });
        joined(statement, 0, place.instance);
    }

    // ---- Cores that stand still, or leave

    // A task of the pool begins or ends on this core.
    void begins_here(unsigned pool) {
        where.task_begins(pool);
        still_judge.reads(pool);
        crew_judge.runs_here(pool, where);
    }
    void ends_here(unsigned pool) {
        still_judge.reads(pool);
        where.task_ends(pool);
    }
    void look_if_it_may(int pool) {
        if (pool >= 0 && where.works(static_cast<unsigned>(pool)))
            still_judge.reads(static_cast<unsigned>(pool));
    }
    void run(const Statement& statement, Place place) {
        if (place.pool < 0) where.run_begins(statement.pool);
        judge.ran(statement.pool, place.pool, [&] { return pools[statement.pool]->run(); });
        if (place.pool < 0) where.run_ends(statement.pool);
    }
    void stand_still([[maybe_unused]] const Statement& statement, [[maybe_unused]] Place place) {
#if WEFT_QUIESCE
        Scheduler& pool = *pools[statement.pool];
        const uint32_t ticks = statement.number[0];
        const bool enough = ticks > 2 * model::machine.ticks_per_jump();
        const bool all_stand =
            still_judge.quiesced(statement.pool, ticks, enough && demands->stands[statement.pool],
                                 [&] { return pool.quiesce(ticks); });
        if (all_stand) call_in_vain(statement);
        execute(statement.blocks[0], place);
        if (all_stand) resume(statement);
#endif
    }
    void call_in_vain([[maybe_unused]] const Statement& statement) {
#if WEFT_QUIESCE
        Scheduler& pool = *pools[statement.pool];
        Status status = Status::wrong_context;
        switch (statement.number[1]) {
            case 1: status = pool.run(); break;
            case 2: status = pool.poll(1).status; break;
            case 3: status = pool.join(); break;
#if WEFT_REST
            case 4: status = pool.wait_idle(); break;
#endif
            case 5: status = pool.quiesce(1); break;
            default: break;
        }
        const bool foreign = Port::core_id() >= program->pools[statement.pool].cores;
        const bool is_turn = statement.number[1] == 1 || statement.number[1] == 2;
        model::check(status == (foreign && is_turn ? Status::unknown_core : Status::wrong_context),
                     "what would wait, by the owner: wrong_context");
#endif
    }
    void resume([[maybe_unused]] const Statement& statement) {
#if WEFT_QUIESCE
        still_judge.resumed(statement.pool, [&] { return pools[statement.pool]->resume(); });
#endif
    }
    void change_crew([[maybe_unused]] const Statement& statement) {
#if WEFT_ELASTIC
        Scheduler& pool = *pools[statement.pool];
        const uint32_t number = statement.number[0];
        switch (statement.op) {
            case Op::retire:
                return static_cast<void>(
                    crew_judge.retired(statement.pool, number, nullptr, [&] { return pool.retire(number); }));
            case Op::admit:
                return crew_judge.admitted(statement.pool, number, [&] { return pool.admit(number); });
            case Op::limit:
                return crew_judge.limited(statement.pool, number, [&] { return pool.limit_cores(number); });
#if WEFT_TIMERS
            case Op::keep:
                return crew_judge.kept(statement.pool, number, [&] { return pool.keep_alive(number); });
#endif
            default: return;
        }
#endif
    }

    // ---- Pools

    void poll(const Statement& statement, Place place) {
        const uint32_t most = statement.number[0];
        // Also a task of another pool, on top of one of this pool.
        const bool on_top = where.tasks_here(statement.pool) != 0;
        judge.polled(statement.pool, on_top ? static_cast<int>(statement.pool) : place.pool, most,
                     [&] { return pools[statement.pool]->poll(most); });
    }
    unsigned all_of(unsigned pool) { return layout->expected[pool] - layout->forever[pool]; }
    void serve(const Statement& statement) {
        while (done[statement.pool].load(acquire) != all_of(statement.pool)) {
            const uint32_t ran = poll_once(statement.pool).tasks;
            if (ran == 0) Port::relax();
        }
        look_at_results(statement.pool, false);
    }
    weft::Polled poll_once(unsigned pool) {
        where.call_begins(pool, false);
        return judge.polled(pool, -1, 1, [&] { return pools[pool]->poll(1); });
    }
    void cycle(const Statement& statement) {
        for (;;) {  // ends: the pool does
            const weft::Polled polled = poll_once(statement.pool);
            if (polled.status == Status::closed) return;
            if (polled.tasks == 0) Port::relax();
        }
    }
    // All that this core has submitted has run. (Not what waits for a signal; what a strand has accepted, another core
    // may just be handing in.)
    void wait_idle([[maybe_unused]] const Statement& statement) {
#if WEFT_REST
        if (!judge.was_idle(statement.pool, [&] { return pools[statement.pool]->wait_idle(); })) return;
        for (unsigned i = 0; i != layout->tasks.size(); ++i) {
            const Statement& its = *layout->tasks[i].statement;
            const bool submitted = (own_tasks[Port::core_id()] & 1u << i) != 0;
            if (!submitted || its.pool != statement.pool) continue;
            if (its.op == Op::wait || its.op == Op::strand) continue;
            Unit& one = unit(i);
            model::check(one.runs == 1, "the pool is idle: it has run");
            model::check(one.output.get() == given + 1, "and what it wrote is seen");
        }
        for (unsigned i = 0; i != program->works.size(); ++i) {
            if (program->works[i].pool == statement.pool) work_judge.is_idle(works, i);
        }
#endif
    }
    void await(const Statement& statement) {
        while (done[statement.pool].load(acquire) != all_of(statement.pool)) Port::park();
        look_at_results(statement.pool, false);
    }
    static bool ends(const Statement& statement) {
        const Block& body = statement.blocks[0];
        return body.empty() || body.back().op != Op::forever;
    }
    // `joined`: and of those that may wait for ever.
    void look_at_results(unsigned pool, bool joined) {
        for (unsigned i = 0; i != layout->tasks.size(); ++i) {
            Unit& one = unit(i);
            const bool its = layout->tasks[i].statement->pool == pool && (joined || !layout->tasks[i].loose);
            if (its && one.runs == 1 && ends(*layout->tasks[i].statement)) {
                model::check(one.output.get() == given + 1, "the results of all tasks are there");
            }
        }
    }
    void close(const Statement& statement, Shutdown mode) {
        judge.closes(statement.pool, mode, [&] { pools[statement.pool]->shutdown(mode); });
        timer_judge.closed(statement.pool);
    }
    void join(const Statement& statement, Place place) {
        Batch left;
        Scheduler& pool = *pools[statement.pool];
        if (!judge.joined(statement.pool, place.pool, [&] { return pool.join(left); })) return;
        while (Task* const task = left.pop()) take_left_over(task, statement.pool);
        judge.took_left_over(statement.pool);
        for (unsigned i = 0; i != layout->tasks.size(); ++i) {
            const Unit& one = unit(i);
            if (layout->tasks[i].statement->pool != statement.pool || !is_mandatory(one)) continue;
            model::check(!one.accepted || one.runs == 1, "what is mandatory has run when join() returns");
        }
        look_at_results(statement.pool, true);
        look_at_counters(statement.pool);
        if (!demands->gone[statement.pool]) return;
        take_back(statement.pool);
        for (unsigned i = 0; i != program->timers.size(); ++i) drop_timer(i);
        sources.end(statement.pool);
        model::end_of_life(memory[statement.pool], sizeof(LargestPool));
    }
    void take_left_over(Task* task, unsigned pool) {
        const bool is_strand = sources.is_strand(task, pool);
        const int gate = sources.number_of_gate(task);
        const int timer = timers.number_of(task);
        const int work = works.number_of(task);
        if (is_strand || gate >= 0 || timer >= 0 || work >= 0) {
            const bool is_bound =
                work >= 0 && work_judge.cores_of(static_cast<unsigned>(work)) != Judge::any_core;
            model::check(judge.abandoned(pool) || is_bound, "a drained pool runs what it has");
            if (gate >= 0) source_judge.gate_came_back(static_cast<unsigned>(gate));
            if (work >= 0) work_judge.came_back(works, static_cast<unsigned>(work));
            if (timer >= 0) timer_judge.came_back(static_cast<unsigned>(timer));
            return;
        }
        Unit& one = *static_cast<Unit*>(task);
        if (layout->tasks[one.number].statement->op == Op::wait) source_judge.let_go(one.number);
        hand_back(one);
    }
    void hand_back(Unit& one) {
        model::check(one.input.get() == given && !one.handed_back, "a task is handed back once, as it was");
        model::check(!is_mandatory(one), "what is mandatory does not come back");
        one.handed_back = true;
    }
    void look_at_counters(unsigned number) {
        const Scheduler& pool = *pools[number];
        model::check(pool.live_cores() == 0, "nobody works for a pool that was joined");
        model::check(pool.sleeping_cores() == 0, "nor does anybody sleep in it");
        uint32_t runs = 0;
        for (unsigned i = 0; i != layout->tasks.size(); ++i) {
            if (layout->tasks[i].statement->pool == number) runs += unit(i).runs;
        }
        for (unsigned i = 0; i != program->gates.size(); ++i) {
            if (program->gates[i].pool == number) runs += source_judge.runs_of_follower(i);
        }
        for (unsigned i = 0; i != program->timers.size(); ++i) {
            if (program->timers[i].pool == number) runs += timer_judge.runs_of(i);
        }
        unsigned empty_turns = 0;  // of works that were cancelled, and of completions
        for (unsigned i = 0; i != program->works.size(); ++i) {
            if (program->works[i].pool != number) continue;
            runs += work_judge.all_runs(i);
            empty_turns += work_judge.turns_without(i);
        }
        weft::CoreStats sum = pool.total();
#if WEFT_PREEMPTION
        sum.executed += sum.preempting;
#endif
        // A burst that the joiner runs is counted as one task; one that it leaves as it is, too. And a timer that runs
        // once more at once, as nobody takes it any more.
        const unsigned bursts = by_joiners[number];
        model::check(sum.executed + bursts >= runs, "every task that ran was counted");
        const unsigned strands = judge.abandoned(number) ? most_sources : 0;
        model::check(sum.executed <= runs + empty_turns + errands[number] + sum.stolen + strands,
                     "nothing else was counted");
    }

    void meet(const Statement& statement) {
        Atomic<uint32_t>& here = met[statement.number[0]];
        const unsigned all = layout->meeting[statement.number[0]];
        if (here.fetch_add(1, acq_rel) + 1 == all) {
            for (unsigned core = 0; core != program->cores.size(); ++core) Port::unpark(core);
        }
        while (here.load(acquire) != all) Port::park();
    }
    void forever(Place place) {
        for (++going_on[place.pool];;) Port::park();
    }

    // ---- The end

    void finish() {
        for (unsigned pool = 0; pool != program->pools.size(); ++pool) {
            if (judge.was_joined(pool) && !demands->gone[pool]) take_back(pool);
        }
        for (unsigned i = 0; i != layout->tasks.size(); ++i) {
            const unsigned pool = layout->tasks[i].statement->pool;
            Unit& one = unit(i);
            const unsigned ends = one.runs + (one.handed_back ? 1 : 0);
            if (!one.accepted) {
                model::check(ends == 0, "a task that was not taken does not run");
            } else if (layout->tasks[i].loose && layout->tasks[i].statement->op == Op::wait &&
                       demands->all_run[pool]) {
                const bool stays = ends == 0 && !judge.was_joined(pool);
                if (stays && demands->endless[pool]) source_judge.stayed(i);
                model::check(ends == 1 || stays, "a task that waits runs once, or goes on waiting");
            } else if (one.by_function && !demands->one_stays[pool]) {
                model::check(ends <= 1, "what was submitted by a core that leaves runs once at most");
            } else if (demands->all_run[pool]) {
                model::check(one.runs == 1, "every task runs exactly once");
            } else {
                model::check(ends == 1 || (demands->endless[pool] && ends == 0),
                             "every accepted task runs once or is handed back");
            }
        }
        for (unsigned pool = 0; pool != program->pools.size(); ++pool) {
            model::check(going_on[pool] == layout->forever[pool], "each task that does not end has a core");
        }
        for (unsigned i = 0; i != program->gates.size(); ++i) {
            const unsigned pool = program->gates[i].pool;
            source_judge.look_at_gate(i, demands->all_run[pool], demands->endless[pool]);
        }
        for (unsigned i = 0; i != program->timers.size(); ++i) {
            const bool over = timer_judge.was_over(i);
            timer_judge.look_at(i, !over && timers.is_armed(i), over ? 0 : timers.missed(i),
                                judge.was_joined(program->timers[i].pool));
        }
        for (unsigned i = 0; i != program->works.size(); ++i) {
            const unsigned pool = program->works[i].pool;
            // One that counts for nobody may be submitted while the pool ends: then the joiner runs it.
            const bool all_run = demands->all_run[pool] && (layout->works[i].sure || demands->endless[pool]);
            // What follows on who leaves has its turn then, if its own pool goes on.
            const bool over = !layout->works[i].told && (all_run || judge.was_joined(pool));
            work_judge.look_at(works, i, over);
        }
        for (const Statement& asleep : program->asleep) {
            // Who comes back from run() is awake itself: then nobody need be told (REST, claim 9).
            const unsigned pool = asleep.pool;
            if (demands->sleeps[pool] && !where.has_run(pool) && crew_judge.is_any_here(pool, where))
                asleep_judge.look_at(program->pools[pool].cores);
        }
        for (unsigned pool = 0; pool != program->pools.size(); ++pool) {
            if (demands->succeeds[pool]) crew_judge.look_at_last(pool, where);
            if (demands->rests[pool]) crew_judge.look_at(pool, where), look_at_followers(pool);
        }
        judge.look_at_starts(*this);
    }
};

void Follower::run(Task& self) {
    Follower& one = static_cast<Follower&>(self);
    one.world->run_follower(one.gate);
}

void Fires::run(Task& self) {
    Fires& one = static_cast<Fires&>(self);
    one.world->run_timer(one.timer);
}

void Unit::run(Task& self) {
    Unit& one = static_cast<Unit&>(self);
    one.world->run_task(one);
}

}  // namespace

Settings built_settings() {
    return Settings{
        WEFT_CHECKS,   WEFT_FORK_DEPTH, WEFT_FAIR_INTERVAL, WEFT_SEARCH_ROUNDS, WEFT_START_DEADLINE_MS,
        WEFT_TIMERS,   WEFT_REST,       WEFT_CORE_SETS,     WEFT_QUIESCE,       WEFT_ELASTIC,
        WEFT_BLOCKING, WEFT_MANDATORY,  WEFT_MODEL_POLICIES};
}

model::Scenario scenario_of(const Program& its_program, const Layout& its_layout,
                            const Demands& its_demands) {
    program = &its_program;
    layout = &its_layout;
    demands = &its_demands;
    model::Scenario scenario = model::make_scenario<World>("program");
    model::Config& config = scenario.config;
    const Machinery& machine = its_program.machine;
    config.wake = machine.targeted ? model::Wake::targeted : model::Wake::event;
    config.clock_start = machine.clock;
    config.ticks_per_ms = machine.rate;
    config.ticks_per_call = machine.per_call;
    // When all wait, time passes so that a deadline comes within a few steps.
    config.ticks_per_jump = static_cast<uint32_t>(deadline_of(its_program) / 4 + 1);
    bool naps = false;
    for_all(its_program, [&](const Statement& one) {
        naps = naps || one.op == Op::keep;
        config.pens = config.pens || one.op == Op::still;
    });
    if (!its_program.timers.empty() || naps) {
        config.alarms = true;
        config.ticks_per_jump = std::max(config.ticks_per_jump, 50u);  // who polls waits a few jumps only
    }
#if WEFT_PREEMPTION
    config.reduction = model::Reduction::none;  // as Scenario::interrupts()
    config.preemptions_allowed = true;
#endif
    config.spurious_parks = machine.spurious_parks;
    config.spurious_exchanges = machine.spurious_exchanges;
    config.snapshots = 0;  // the world owns heap memory
    config.spinners_yield = true;
    config.parked_at_end = its_demands.endless[0] || its_demands.endless[1];
    return scenario;
}

}  // namespace fuzz
