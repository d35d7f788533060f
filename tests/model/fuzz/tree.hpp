// SPDX-License-Identifier: MIT OR Apache-2.0
// Generated programs: a program is data, a small tree. It is printed as text and read back from that text, so it can be
// replayed, made smaller, and kept. Nothing here knows weft; world.cpp runs such a tree, legal.cpp says what is legal.
#pragma once

#include <stdint.h>

#include <string>
#include <vector>

namespace fuzz {

enum class Op : uint8_t {
    submit,    // submit P [wait] {body}: a task (in a handler: submit_from_isr)
    batch,     // batch P n [wait] {body}: n tasks in one submit
    pin,       // pin P core [wait] {body}: submit_on
    among,     // among P mask [wait] {body}: submit_on(CoreSet, ...) (in a handler: submit_on_from_isr)
    lot,       // lot P n mask [wait] {body}: n tasks in one submit_on(CoreSet, ...)
    fork,      // fork {a} {b}: fork_join
    loop,      // for n grain {body}: parallel_for
    reduce,    // reduce n grain {body}: parallel_reduce, whose sum must be right
    group,     // group n {child}... {own}: TaskGroup
    call,      // call P {body}: fork_join(pool, ...)
    crew,      // crew P n {child}... {own}: TaskGroup(pool)
    poll,      // poll P n
    run,       // run P
    serve,     // serve P: polls until every task of P has run
    await,     // await P: sleeps until every task of P has run
    shutdown,  // shutdown P
    abandon,   // abandon P: Shutdown::abandon
    join,      // join P
    meet,      // meet n: comes to an end when all that carry the same number are there (see parts.hpp)
    forever,   // does not end
    tick,      // tick n: the clock goes on
    offer,     // offer P: offer_from_isr
    cycle,     // cycle P: polls until it is told that the pool has ended
    idle,      // idle P: wait_idle()
    asleep,    // asleep P n {body}: on_all_asleep(); the body in its first n calls. Not in a block
    work,      // work P kind {body}: 0: a Work; 1: a Completion. Not in a block: the first one is work 0
    begin,  // begin P w level: submits it; behind a round that is done: reset() first. Level 2 and more: submit_on(),
            // core 0 and more
    finish,  // finish P w ends: wait(); 1: and its memory is somebody else's then
    revoke,  // revoke P w: cancel()
    tell,  // tell P w core: retire(core, work w): that is submitted, to its own pool, when the core has left P
    still,  // still P ticks vain {body}: quiesce(ticks), the body in any case, and resume() if all stand. `vain`:
            // what else is called then, in vain (1: run, 2: poll, 3: join, 4: wait_idle, 5: quiesce)
    resume,  // resume P: in vain
    retire,  // retire P core
    admit,   // admit P core
    limit,   // limit P n: limit_cores()
    keep,    // keep P ticks: keep_alive()
    most,    // most P n: limit_blocking()
    strand,  // strand P s [wait] {body}: a task into strand s of the pool
    gate,  // gate P n {body}: a gate of n arrivals, and its follower. Not in a block: the first one is gate 0
    arrive,  // arrive P g by: at gate g
    wait,    // wait P e {body}: a task that waits for event e of the pool
    set,     // set P e
    signal,  // signal P e
    clear,   // clear P e
    timer,  // timer P n {body}: a timer, and its follower; not in a block, as a gate. In its n-th run the follower
            // cancels its timer, if that is started periodically. Later runs do nothing else
    after,   // after P t delay slack: start_after(), timer t
    at,      // at P t tick slack: start_at(), this many ticks behind the beginning
    every,   // every P t period slack: start_every()
    cancel,  // cancel P t
    drop,    // drop P t: cancel, and the timer's end if that is its last run's
};
inline constexpr unsigned op_count = 50;
inline constexpr unsigned most_vain = 5;

struct OpKind {
    const char* name;
    bool pool;
    unsigned numbers;
    bool tasks;  // a `wait` may follow
    int blocks;  // -1: as many as the number says, and one
};
const OpKind& kind_of(Op op);

// A task for some of the cores.
inline bool is_for_cores(Op op) { return op == Op::pin || op == Op::among || op == Op::lot; }
// Is there a task in it? But for the follower of a gate, it is handed in once for each execution of the statement.
inline bool hands_in(Op op) {
    return op == Op::submit || op == Op::batch || is_for_cores(op) || op == Op::strand || op == Op::wait;
}
// A signal or a set of an event.
inline bool gives(Op op) { return op == Op::set || op == Op::signal; }
inline bool is_of_source(Op op) { return op >= Op::strand && op <= Op::clear; }
inline bool is_of_crew(Op op) { return op >= Op::retire && op <= Op::keep; }
inline bool is_of_work(Op op) { return op >= Op::begin && op <= Op::tell; }
// It submits a work, now or later.
inline bool begins(Op op) { return op == Op::begin || op == Op::tell; }
inline bool is_of_timer(Op op) { return op >= Op::timer; }
inline bool arms(Op op) { return op == Op::after || op == Op::at || op == Op::every; }
inline bool cancels(Op op) { return op == Op::cancel || op == Op::drop; }

struct Statement;
using Block = std::vector<Statement>;

struct Statement {
    Op op = Op::submit;
    unsigned pool = 0;
    uint32_t number[3] = {0, 0, 0};
    bool waits = false;
    std::vector<Block> blocks;
    unsigned id = 0;  // set by lay_out()
};

// As in model::Arrival.
enum class Start : uint8_t { normal, refused, absent, never };

struct Core {
    bool boots = false;
    bool rested = false;      // has gone to sleep before the others begin
    std::vector<Start> late;  // not empty: it can be started
    Block body;

    // It does nothing of its own, and each start of it succeeds.
    bool always_comes() const {
        bool comes = !boots && !late.empty();
        for (const Start start : late) comes = comes && start == Start::normal;
        return comes;
    }
};

struct Handler {
    unsigned core = 0;
    unsigned times = 1;
    Block body;
};

struct PoolKind {
    unsigned cores = 1;
    unsigned ring = 2;
    bool last = false;   // the last task shuts it down
    bool split = false;  // a PoolIn with a PoolMemory
};

// What the program and src/ are compiled with.
struct Settings {
    unsigned checks, depth, fair, rounds, deadline, timers, rest, sets, quiesce, elastic, blocking, mandatory;
    unsigned policies;  // bits: weft_config.h
};
Settings built_settings();

struct Machinery {
    bool targeted = false;  // unpark() reaches one core only
    bool nested = false;    // handlers interrupt handlers
    uint32_t clock = 0;     // at the beginning
    uint32_t rate = 1;      // ticks per millisecond
    uint32_t per_call = 0;  // ticks that pass with each now()
    unsigned spurious_parks = 0;
    unsigned spurious_exchanges = 0;
};

struct Program {
    Settings settings{};
    Machinery machine;
    std::vector<PoolKind> pools;
    std::vector<Core> cores;
    std::vector<Handler> handlers;
    Block gates;
    Block timers;
    Block works;
    Block asleep;
};

// Ticks after which a start may be withdrawn, as config.hpp says.
inline uint64_t deadline_of(const Program& program) {
    const uint64_t most = uint64_t{1} << 31;
    const uint64_t ticks = uint64_t{program.settings.deadline} * program.machine.rate;
    return ticks < most ? ticks : most;
}

std::string to_text(const Program& program);
std::string to_text(const Settings& settings);
// Throws std::invalid_argument.
Program parse(const std::string& text);

// ---- What there is of everything: each task and each callable that is run has a number of its own.

inline constexpr unsigned most_pools = 2;
inline constexpr unsigned most_program_cores = 5;
inline constexpr unsigned most_tasks = 32;
inline constexpr unsigned most_cells = 64;
inline constexpr unsigned most_meetings = 3;
inline constexpr unsigned most_sources = 2;  // strands of a pool, events of a pool, gates
inline constexpr unsigned most_rounds = 4;   // of a gate
inline constexpr unsigned most_timers = 3;
inline constexpr unsigned most_works = 4;
inline constexpr unsigned most_begins = 4;   // of a work
inline constexpr unsigned most_starts = 12;  // of a timer

struct TaskPlace {
    const Statement* statement = nullptr;
    unsigned instance = 0;  // of the body
    bool from_handler = false;
    bool loose = false;  // nobody waits for it: its event may never come (sources.hpp), or what submits it
};
struct Layout {
    // By the statement's id: the first task's number, the first callable's; and how often the statement is executed.
    struct Item {
        unsigned task = 0, cell = 0, copies = 0;
    };
    std::vector<Item> items;
    std::vector<TaskPlace> tasks;
    unsigned cells = 0;
    unsigned expected[most_pools] = {};    // tasks, but those that may wait for ever
    unsigned forever[most_pools] = {};     // those that do not end
    unsigned meeting[most_meetings] = {};  // arrivals
    unsigned meeting_pool[most_meetings] = {};
    unsigned in_strand[most_pools][most_sources] = {};  // tasks
    unsigned givers[most_pools][most_sources] = {};     // sets and signals
    unsigned arrivals[most_sources] = {};               // at each gate: the sum of those that can be counted
    unsigned arriving[most_sources] = {};               // their number
    // How often the follower is sure to run, if nothing refuses its arrivals. It runs no oftener.
    unsigned rounds[most_sources] = {};

    struct Timer {
        unsigned starts = 0;                  // how often it is started; in its own follower too
        unsigned own = 0;                     // by its follower, in each run
        bool periodic = false, once = false;  // started so somewhere
        bool cancelled = false;               // by other statements than its own last run
        bool uncertain = false;               // started where nobody knows how often that is executed
        bool refused = false;                 // started with numbers that are out of range
        bool sure = false;                    // how often it runs is known, if nothing refuses its starts:
        unsigned runs = 0;                    // so often
    };
    Timer timers[most_timers];

    struct Work {
        unsigned begins = 0;
        bool revoked = false;  // by somebody else than itself
        bool told = false;     // it follows on a core that leaves: nobody knows when, but a law of its own
        bool sure = false;     // a Work whose callable runs as often as it is begun, if nothing refuses it
    };
    Work works[most_works];
};
// Numbers the statements. Throws std::invalid_argument if there are too many.
Layout lay_out(Program& program);

// How often a block of a statement is executed for each execution of the statement.
unsigned copies_of(const Statement& statement);

// The cores that a task for some of them may run on, as bits.
uint32_t cores_of(const Statement& statement);
// A work that is submitted to one core only, and to which.
inline bool is_pinned(const Statement& begin) { return begin.op == Op::begin && begin.number[1] >= 2; }
inline uint32_t pinned_to(const Statement& begin) { return begin.number[1] - 2; }
inline uint32_t bit_of(uint32_t core) { return core < 32 ? 1u << core : 0; }
// It is submitted as a blocking one where that is possible (Demands::blocks): every fourth task, if nobody waits for
// it, and it waits for nobody.
bool may_be_blocking(const Statement& statement, unsigned task);
// And every fourth other one as a mandatory one. (It may be run by a joiner alone.)
bool may_be_mandatory(const Statement& statement, unsigned task);
// Is it of the level that preempts, where there is one? It does not wait, nor call what is refused there.
bool may_preempt(const Statement& statement, unsigned task);
// That is not the set of all cores: where any core will do nothing special happens.
inline bool is_bound(const Program& program, const Statement& statement) {
    const uint32_t all = (1u << program.pools[statement.pool].cores) - 1;
    return is_for_cores(statement.op) && (statement.op == Op::pin || cores_of(statement) != all);
}

// A start that is not answered out_of_range, if little time has passed.
bool is_in_range(const Statement& start);

// How often each kind of statement stands in the program.
void count_statements(const Program& program, uint64_t (&counts)[op_count]);

template <class Visit>
void for_each(Block& block, Visit visit) {
    for (Statement& statement : block) {
        visit(statement);
        for (Block& inner : statement.blocks) for_each(inner, visit);
    }
}
template <class Visit>
void for_each(const Block& block, Visit visit) {
    for (const Statement& statement : block) {
        visit(statement);
        for (const Block& inner : statement.blocks) for_each(inner, visit);
    }
}
template <class Some, class Visit>
void for_all(Some& program, Visit visit) {
    for (auto& core : program.cores) for_each(core.body, visit);
    for (auto& handler : program.handlers) for_each(handler.body, visit);
    for_each(program.works, visit);
    for_each(program.asleep, visit);
    for_each(program.timers, visit);
    for_each(program.gates, visit);
}

}  // namespace fuzz
