// SPDX-License-Identifier: MIT OR Apache-2.0
// Generated programs: the generator. It knows what is usual, legal.cpp what is legal: what is not is thrown away.
#include "generate.hpp"

#include <algorithm>
#include <stdexcept>

#include "across.hpp"
#include "add_crew.hpp"
#include "add_sources.hpp"
#include "add_timers.hpp"
#include "add_works.hpp"
#include "legal.hpp"
#include "make.hpp"
#include "moves.hpp"
#include "parts.hpp"
#include "random.hpp"

namespace fuzz {

namespace {

enum class Style : uint8_t { await, last, endless, racing, retry, parts, between, across, leaving, moves };

class Maker {
public:
    Maker(uint64_t seed, const Settings& settings) : random_(seed) { program_.settings = settings; }

    Program make() {
        const bool leaves = program_.settings.elastic != 0 && program_.settings.timers != 0;
        const unsigned moves = program_.settings.elastic != 0 ? 35 : 0;
        style_ = static_cast<Style>(random_.weighed({27, 15, 17, 20, 7, 8, 6, 9, leaves ? 40u : 0u, moves}));
        make_machine();
        if (style_ == Style::parts) return make_parts(program_, random_), program_;
        if (style_ == Style::moves) return make_moves(program_, random_), program_;
        if (style_ == Style::leaving) {
            make_leaving(program_, random_);
            if (program_.settings.rest != 0 && random_.chance(40)) add_function();
            return program_;
        }
        if (style_ == Style::between) return make_between(program_, random_), program_;
        if (style_ == Style::across) return make_across(program_, random_), program_;
        const bool timers = program_.settings.timers != 0 && style_ != Style::retry && random_.chance(45);
        const bool sources = random_.chance(timers ? 25 : 50);
        stills_ = program_.settings.quiesce != 0 && style_ != Style::retry && random_.chance(80);
        crew_ = program_.settings.elastic != 0 && style_ != Style::retry && random_.chance(80);
        small_ = (sources || timers) && style_ != Style::retry && random_.chance(timers ? 75 : 60);
        if ((stills_ || crew_) && random_.chance(60)) small_ = true;
        if (small_) tasks_ = 6;
        add_pool(style_ == Style::retry || small_ ? 1 + random_.below(2) : 1 + random_.weighed({15, 45, 40}));
        const unsigned outsiders =
            style_ == Style::racing ? 1 + random_.below(2) : random_.weighed({30, 50, 20});
        program_.cores.resize(main_pool().cores + (style_ == Style::retry ? 1 : outsiders));
        for (unsigned id = 0; id != program_.cores.size(); ++id) make_core(id);
        if (style_ != Style::retry && random_.chance(small_ ? 10 : 25)) add_handlers();
        if (sources) add_sources(program_, random_, style_ == Style::racing);
        if (timers) add_timers(program_, random_, style_ == Style::racing, style_ == Style::endless);
        if (program_.settings.sets != 0 && random_.chance(60)) add_sets();
        const bool works = style_ != Style::retry && random_.chance(sources || timers ? 20 : 40);
        if (works) add_works(program_, random_, style_ == Style::racing);
        if (program_.settings.rest != 0 && random_.chance(30)) add_function();
        if (stills_) add_stills(program_, random_, style_ == Style::racing);
        end_pool();
        if (crew_) add_crew(program_, random_);
        if (program_.settings.blocking != 0 && random_.chance(70)) add_limits(program_, random_);
        if (timers) add_late_cancels(program_, random_);
        if (sources && style_ == Style::racing && random_.chance(20)) add_late_signal();
        if (random_.chance(20)) add_cycle();
        if (style_ != Style::retry && !timers && random_.chance(small_ ? 5 : 15)) add_second_pool();
        if (style_ != Style::racing && style_ != Style::retry && random_.chance(45)) add_blockers();
        return program_;
    }

private:
    PoolKind& main_pool() { return program_.pools[0]; }
    unsigned size() { return static_cast<unsigned>(program_.cores.size()); }
    // ---- The machine

    uint64_t deadline() { return deadline_of(program_); }
    void make_machine() {
        Machinery& machine = program_.machine;
        machine.targeted = random_.chance(50);
        machine.nested = random_.chance(30);
        const uint32_t near = random_.below(200);
        machine.clock = random_.one_of<uint32_t>(
            {0, 0 - near, 0x80000000u - near, static_cast<uint32_t>(random_.next())});
        const uint32_t most = UINT32_MAX / program_.settings.deadline;
        machine.rate = std::min(
            most, random_.one_of<uint32_t>({1, 1, 1, 1000, 54000, 1000000, most / 2, most / 2 + 1, most}));
        if (random_.chance(20))
            machine.per_call = random_.one_of<uint32_t>({1, machine.rate, machine.rate / 2 + 1});
        if (random_.chance(15)) machine.spurious_parks = 1 + random_.below(2);
        if (random_.chance(15)) machine.spurious_exchanges = 1 + random_.below(3);
    }
    // Ticks around what could matter.
    uint32_t ticks() {
        const uint32_t limit = static_cast<uint32_t>(deadline());
        const uint32_t half = 0x80000000u;
        return random_.one_of<uint32_t>({1, limit - 1, limit, limit + 1, limit + 1, 2 * limit + 1, half - 1,
                                         half, half + 1, half + limit,
                                         static_cast<uint32_t>(random_.next())});
    }

    // ---- Pools and cores

    void add_pool(unsigned cores) {
        fuzz::add_pool(program_, random_, cores);
        program_.pools.back().last = style_ == Style::last;
    }
    Start fault() { return static_cast<Start>(random_.weighed({30, 25, 15, 30})); }
    void make_core(unsigned id) {
        Core& core = program_.cores[id];
        if (id >= main_pool().cores) {
            core.boots = true;
            fill_outside(core, id);
            return;
        }
        const unsigned kind = style_ == Style::retry ? 2
                              : crew_                ? random_.weighed({38, 46, 4, 12})
                              : small_               ? random_.weighed({80, 10, 2, 8})
                                                     : random_.weighed({60, 18, 10, 12});
        if (kind == 1) core.late = {Start::normal};
        if (kind == 2) {
            core.late = {fault()};
            while (core.late.size() != 3 && random_.chance(50)) core.late.push_back(fault());
        }
        if (kind == 1 || kind == 2) return;
        core.boots = true;
        if (kind == 3) {
            // A start beside a core's own calls, or while it waits for something else.
            const bool racing = style_ == Style::racing;
            if ((racing || crew_) && random_.chance(racing ? 40 : 30))
                core.late = {random_.chance(60) ? Start::normal : fault()};
            fill_outside(core, id);
            return;
        }
        workers_ += 1;
        core.rested = random_.chance(55);
        const unsigned before = random_.weighed({55, 35, 10});
        for (unsigned i = 0; i != before; ++i) core.body.push_back(first_statement(id));
        core.body.push_back(plain(Op::run));
    }
    // A worker's own first tasks.
    Statement first_statement(unsigned id) {
        const unsigned what = random_.weighed({40, 30, 20, 10});
        if (what == 3) return plain(Op::poll, 0, 1 + random_.below(3));
        if (what == 2) return batch(0, 1, 0);
        Statement statement = plain(what == 0 ? Op::pin : Op::submit, 0, what == 0 ? id : 0);
        statement.blocks.push_back(task_body(0, 1, 0));
        --tasks_;
        return statement;
    }
    void fill_outside(Core& core, unsigned id) {
        const unsigned count = 1 + random_.weighed({40, 35, 25});
        for (unsigned i = 0; i != count && tasks_ > 0; ++i) {
            Statement statement = outside_statement(id);
            statement.waits = kind_of(statement.op).tasks && random_.chance(crew_ ? 45 : 12);
            core.body.push_back(statement);
            if (style_ == Style::retry || random_.chance(10))
                core.body.push_back(plain(Op::tick, 0, ticks()));
        }
        if (style_ == Style::retry) {
            for (unsigned more = random_.below(5); more != 0 && tasks_ > 0; --more) {
                core.body.push_back(outside_statement(id));
                core.body.push_back(plain(Op::tick, 0, ticks()));
            }
            core.body.push_back(outside_statement(id));
        }
    }

    // ---- Statements

    // Around the ring's size, mostly.
    uint32_t task_count(unsigned pool, unsigned copies) {
        const uint32_t ring = program_.pools[pool].ring;
        const uint32_t wanted = random_.one_of<uint32_t>({1, 2, 3, ring - 1, ring, ring + 1, 2 * ring + 1});
        const uint32_t room = static_cast<uint32_t>(std::max(1, tasks_)) / copies;
        return std::max(1u, std::min(wanted, room));
    }
    Statement batch(unsigned pool, unsigned copies, unsigned depth) {
        Statement statement = plain(Op::batch, pool, task_count(pool, copies));
        const unsigned all = copies * statement.number[0];
        tasks_ -= static_cast<int>(all);
        statement.blocks.push_back(task_body(pool, all, depth));
        return statement;
    }
    Statement task(Op op, unsigned pool, unsigned copies, unsigned depth, uint32_t number = 0) {
        Statement statement = plain(op, pool, number);
        tasks_ -= static_cast<int>(copies);
        statement.blocks.push_back(task_body(pool, copies, depth));
        return statement;
    }
    Statement outside_statement(unsigned id) {
        switch (random_.weighed({40, 25, 15, 8, 8, 4, program_.settings.rest != 0 ? 12u : 0u})) {
            case 0: return task(Op::submit, 0, 1, 0);
            case 1: return batch(0, 1, 0);
            case 2: return task(Op::pin, 0, 1, 0, random_.below(main_pool().cores));
            case 3: return call_like(0, 1, 0);
            case 4:
                if (id < main_pool().cores) return plain(Op::poll, 0, 1 + random_.below(3));
                return task(Op::submit, 0, 1, 0);
            case 5: return fork_like(0, 1, 0);
            default: return plain(Op::idle);
        }
    }
    Block task_body(unsigned pool, unsigned copies, unsigned depth) {
        Block body;
        const unsigned count = depth >= 3 ? 0 : random_.weighed({50, 32, 14, 4});
        for (unsigned i = 0; i != count && tasks_ > 0; ++i)
            body.push_back(inner(pool, copies, depth + 1, true));
        return body;
    }
    Block callable_body(unsigned pool, unsigned copies, unsigned depth) {
        Block body;
        const unsigned count = depth >= 3 ? 0 : random_.weighed({55, 35, 10});
        for (unsigned i = 0; i != count && tasks_ > 0; ++i)
            body.push_back(inner(pool, copies, depth + 1, false));
        return body;
    }
    Statement inner(unsigned pool, unsigned copies, unsigned depth, bool in_task) {
        switch (random_.weighed({30, 25, 8, 25, 4, 4, 4})) {
            case 0: return task(Op::submit, pool, copies, depth);
            case 1: return batch(pool, copies, depth);
            case 2: return task(Op::pin, pool, copies, depth, random_.below(program_.pools[pool].cores));
            case 4: return call_like(pool, copies, depth);
            case 5:
                if (!in_task) break;
                return plain(random_.one_of<Op>({Op::poll, Op::run, Op::join}), pool, 1);
            case 6:
                if (style_ != Style::racing || pool != 0) break;
                return plain(random_.chance(70) ? Op::shutdown : Op::abandon, pool);
            default: break;
        }
        return fork_like(pool, copies, depth);
    }
    // A callable or a group with a pool in front.
    Statement call_like(unsigned pool, unsigned copies, unsigned depth) {
        Statement statement = plain(Op::call, pool);
        if (random_.chance(40)) {
            statement = plain(Op::crew, pool, 1 + random_.below(program_.settings.depth + 1));
            for (unsigned i = 0; i != statement.number[0]; ++i)
                statement.blocks.push_back(callable_body(pool, copies, depth));
        }
        statement.blocks.push_back(callable_body(pool, copies, depth));
        return statement;
    }
    Statement fork_like(unsigned pool, unsigned copies, unsigned depth) {
        Statement statement = plain(Op::fork);
        unsigned blocks = 2;
        const unsigned what = random_.weighed({50, 18, 12, 20});
        if (what == 1 || what == 2) {
            statement =
                plain(what == 1 ? Op::loop : Op::reduce, 0, 1 + random_.below(4), 1 + random_.below(2));
            copies *= statement.number[0];
            blocks = 1;
        } else if (what == 3) {
            statement = plain(Op::group, 0, 1 + random_.below(program_.settings.depth + 1));
            blocks = statement.number[0] + 1;
        }
        for (unsigned i = 0; i != blocks; ++i) statement.blocks.push_back(callable_body(pool, copies, depth));
        return statement;
    }

    // ---- The rest

    void add_handlers() {
        for (unsigned left = 1 + random_.below(2); left != 0; --left) {
            Handler handler;
            handler.core = random_.below(size());
            if (!program_.cores[handler.core].boots) continue;
            handler.times = random_.chance(80) ? 1 : 2;
            const unsigned what = random_.weighed({70, 20, 10});
            if (what == 0) handler.body.push_back(task(Op::submit, 0, handler.times, 1));
            if (what == 1) handler.body.push_back(plain(Op::offer));
            if (what == 2) handler.body.push_back(plain(style_ == Style::racing ? Op::shutdown : Op::offer));
            program_.handlers.push_back(handler);
        }
    }
    // Who ends the pool, or sees that it ends.
    void end_pool() {
        std::vector<unsigned> free;
        for (unsigned id = 0; id != size(); ++id) {
            const Core& core = program_.cores[id];
            const bool stays = !core.body.empty() && core.body.back().op == Op::run;
            if (core.boots && !stays) free.push_back(id);
        }
        if (style_ == Style::endless || free.empty()) return;
        const unsigned first = free[random_.below(static_cast<uint32_t>(free.size()))];
        Block& body = program_.cores[first].body;
        if (style_ == Style::racing) {
            const Op op = random_.chance(70) ? Op::shutdown : Op::abandon;
            const uint32_t at = random_.below(static_cast<uint32_t>(body.size()) + 1);
            body.insert(body.begin() + at, plain(op));
            const unsigned second = free[random_.below(static_cast<uint32_t>(free.size()))];
            program_.cores[second].body.push_back(plain(Op::join));
            return;
        }
        const bool serves = first < main_pool().cores && random_.chance(60);
        if (style_ != Style::last) {
            body.push_back(plain(serves ? Op::serve : Op::await));
            body.push_back(plain(Op::shutdown));
        }
        if (random_.chance(80)) body.push_back(plain(Op::join));
    }
    // Some of what was for any core, or for one.
    void add_sets() {
        const uint32_t all = (1u << main_pool().cores) - 1;
        const uint32_t usual = 1 + random_.below(all);
        const bool mostly = random_.chance(50);
        for_all(program_, [&](Statement& one) {
            const bool may_be = one.op == Op::submit || one.op == Op::batch || one.op == Op::pin;
            if (!may_be || one.pool != 0 || !random_.chance(mostly ? 60 : 25)) return;
            uint32_t cores = random_.chance(65) ? usual : 1 + random_.below(all);
            if (random_.chance(3)) cores = random_.chance(50) ? 0 : all + 1 + random_.below(8);
            if (one.op == Op::pin) cores |= one.number[0] < 8 ? 1u << one.number[0] : 0;
            const bool many = one.op == Op::batch;
            one.op = many ? Op::lot : Op::among;
            one.number[many ? 1 : 0] = cores;
        });
    }
    // For when all sleep.
    void add_function() {
        Statement asleep = plain(Op::asleep, 0, 1 + random_.below(2));
        asleep.blocks.resize(1);
        if (random_.chance(35)) {
            Statement task = plain(Op::submit);
            task.blocks.resize(1);
            asleep.blocks[0].push_back(task);
        }
        program_.asleep.push_back(asleep);
    }
    // For tasks that still wait when the pool has ended.
    void add_late_signal() {
        for (Core& core : program_.cores) {
            if (core.body.empty() || core.body.back().op != Op::join) continue;
            core.body.push_back(plain(random_.chance(50) ? Op::set : Op::signal, core.body.back().pool));
        }
    }
    // One polls, where others sleep.
    void add_cycle() {
        Core& core = program_.cores[random_.below(main_pool().cores)];
        for (Statement& one : core.body) {
            if (one.op == Op::run) one.op = Op::cycle;
        }
    }
    // Another pool on the same cores.
    void add_second_pool() {
        add_pool(1 + random_.below(2));
        program_.pools[1].last = false;
        std::vector<Core*> boots;
        for (Core& core : program_.cores) {
            if (core.boots) boots.push_back(&core);
        }
        if (boots.empty()) return;
        Core& core = *boots[random_.below(static_cast<uint32_t>(boots.size()))];
        const bool before = random_.chance(50);
        Block body;
        for (unsigned left = 1 + random_.below(2); left != 0; --left)
            body.push_back(random_.chance(60) ? task(Op::submit, 1, 1, 1) : batch(1, 1, 1));
        if (random_.chance(40)) body.push_back(plain(Op::await, 1));
        body.push_back(plain(random_.chance(80) ? Op::shutdown : Op::abandon, 1));
        body.push_back(plain(Op::join, 1));
        core.body.insert(before ? core.body.begin() : core.body.end(), body.begin(), body.end());
        if (random_.chance(50)) {  // tasks of the one submit to the other
            std::vector<Statement*> tasks = task_statements();
            if (!tasks.empty()) {
                Statement& one = *tasks[random_.below(static_cast<uint32_t>(tasks.size()))];
                one.blocks[0].push_back(task(Op::submit, 1 - one.pool, 1, 2));
            }
        }
        for (unsigned left = random_.weighed({40, 30, 30}); left != 0; --left) add_call_between();
        if (random_.chance(50)) {
            Core& other = *boots[random_.below(static_cast<uint32_t>(boots.size()))];
            other.body.insert(
                other.body.begin() + random_.below(static_cast<uint32_t>(other.body.size()) + 1),
                plain(Op::run, 1));
        }
    }
    // In a task of the one pool, or a callable there: a call into the other.
    void add_call_between() {
        std::vector<Statement*> places;
        for_all(program_, [&places](Statement& statement) {
            if (!statement.blocks.empty()) places.push_back(&statement);
        });
        if (places.empty()) return;
        const Layout layout = lay_out(program_);
        Statement& one = *places[random_.below(static_cast<uint32_t>(places.size()))];
        Block& block = one.blocks[random_.below(static_cast<uint32_t>(one.blocks.size()))];
        // A follower that never runs has none.
        const unsigned copies = std::max(1u, layout.items[one.id].copies * copies_of(one));
        const unsigned pool = kind_of(one.op).pool ? 1 - one.pool : random_.below(2);
        const auto at = random_.below(static_cast<uint32_t>(block.size()) + 1);
        block.insert(block.begin() + at, call_like(pool, copies, 2));
    }
    std::vector<Statement*> task_statements() {
        std::vector<Statement*> all;
        for_all(program_, [&all](Statement& statement) {
            if (statement.op == Op::submit || statement.op == Op::batch) all.push_back(&statement);
        });
        return all;
    }
    // Tasks that need a core each at the same time: as many as cores work, or fewer.
    void add_blockers() {
        Layout layout = lay_out(program_);
        unsigned cores = 0;
        for (unsigned id = 0; id != main_pool().cores; ++id) {
            const Core& core = program_.cores[id];
            const Op last = core.body.empty() ? Op::offer : core.body.back().op;
            const bool stays = core.boots && (last == Op::run || last == Op::cycle);
            cores += stays || (!core.late.empty() && core.late.back() == Start::normal) ? 1 : 0;
        }
        const bool forever = style_ == Style::endless && random_.chance(70);
        std::vector<Statement*> tasks = task_statements();
        for (size_t i = tasks.size(); i > 1; --i)
            std::swap(tasks[i - 1], tasks[random_.below(static_cast<uint32_t>(i))]);
        unsigned sum = 0;
        std::vector<unsigned> chosen;
        for (Statement* const one : tasks) {
            const unsigned copies = layout.items[one->id].copies * copies_of(*one);
            if (sum + copies > cores || one->waits) continue;
            sum += copies;
            chosen.push_back(one->id);
            if (random_.chance(30)) break;
        }
        if (sum < (forever ? 1u : 2u)) return;
        for_all(program_, [&](Statement& one) {
            if (!kind_of(one.op).tasks || std::count(chosen.begin(), chosen.end(), one.id) == 0) return;
            one.blocks[0].push_back(plain(forever ? Op::forever : Op::meet));
        });
    }

    Random random_;
    Program program_;
    Style style_ = Style::await;
    int tasks_ = 14;  // that may still be made
    unsigned workers_ = 0;
    bool small_ = false;  // about strands, gates, events or timers, and little else
    bool stills_ = false, crew_ = false;
};

}  // namespace

Program generate(uint64_t seed, const Settings& settings) {
    for (uint64_t attempt = 0;; ++attempt) {  // ends: a good part of what is made is legal
        try {
            Program program = Maker(seed * 1000003 + attempt, settings).make();
            Demands demands;
            const Layout layout = lay_out(program);
            if (layout.tasks.empty() && program.timers.empty() && !has_parts(program)) continue;
            if (why_illegal(program, layout, demands).empty()) return program;
        } catch (const std::invalid_argument&) {
            continue;  // too large
        }
    }
}

}  // namespace fuzz
