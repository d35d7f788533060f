// SPDX-License-Identifier: MIT OR Apache-2.0
// Generated programs: pools that call each other, and parts.
#include "make.hpp"

namespace fuzz {

void add_pool(Program& program, Random& random, unsigned cores) {
    PoolKind pool;
    pool.cores = cores;
    pool.ring = random.weighed({60, 28, 12}) == 0 ? 2u : random.chance(70) ? 4u : 8u;
    pool.split = random.chance(10);
    program.pools.push_back(pool);
}

namespace {

class Between {
public:
    Between(Program& program, Random& random) : program_(program), random_(random) {}

    void make() {
        const unsigned small = random_.below(2);
        for (unsigned pool : {0u, 1u}) add_pool(pool == small ? 1 : 2);
        program_.cores.resize(3);
        for (unsigned id : {0u, 1u}) {
            const unsigned pool = id == 0 && random_.chance(80) ? small : 1 - small;
            Core& core = program_.cores[id];
            core.boots = true;
            core.rested = random_.chance(60);
            if (id == 0) core.body.push_back(between_task(random_.chance(60) ? Op::pin : Op::submit, pool));
            core.body.push_back(plain(Op::run, pool));
        }
        Core& outside = program_.cores[2];
        outside.boots = true;
        const unsigned pool = random_.below(2);
        if (random_.chance(50)) outside.body.push_back(between_task(Op::submit, pool));
        if (random_.chance(30)) outside.body.push_back(call_between(pool, 1));
        if (random_.chance(50)) return;
        for (unsigned each : {pool, 1 - pool}) {
            if (lay_out(program_).expected[each] != 0) outside.body.push_back(plain(Op::await, each));
        }
        for (unsigned each : {pool, 1 - pool}) {
            if (lay_out(program_).expected[each] == 0) continue;
            outside.body.push_back(plain(Op::shutdown, each));
            outside.body.push_back(plain(Op::join, each));
        }
    }

private:
    void add_pool(unsigned cores) { fuzz::add_pool(program_, random_, cores); }
    Statement between_task(Op op, unsigned pool) {
        Statement statement = plain(op, pool);
        statement.blocks.push_back({call_between(pool, 0)});
        return statement;
    }
    Statement call_between(unsigned pool, unsigned depth) {
        Statement statement = plain(Op::call, 1 - pool);
        unsigned inside = 1 - pool;
        const unsigned what = random_.weighed({40, 15, 45});
        if (what == 1) statement = plain(Op::crew, 1 - pool, 1);
        if (what == 2) statement = plain(Op::fork), inside = pool;
        for (unsigned left = what == 0 ? 1 : 2; left != 0; --left) {
            const bool more = depth < 4 && random_.chance(what == 2 ? 65 : 85);
            statement.blocks.push_back(more ? Block{call_between(inside, depth + 1)} : Block{});
        }
        return statement;
    }

    Program& program_;
    Random& random_;
};

class Parts {
public:
    Parts(Program& program, Random& random) : program_(program), random_(random) {}

    void make() {
        program_.machine.per_call = 0;
        add_pool(2 + random_.weighed({40, 60}));
        const unsigned cores = main_pool().cores;
        const unsigned root = random_.chance(45) ? random_.below(cores) : cores;  // inside or outside
        program_.cores.resize(cores + 1);
        const bool all_rest = random_.chance(50);
        for (unsigned id = 0; id != cores; ++id) {
            Core& core = program_.cores[id];
            if (id == root) continue;
            core.boots = core.rested = all_rest || random_.chance(60);
            if (core.boots) core.body.push_back(plain(Op::run));
            if (!core.boots) core.late = {Start::normal};
        }
        if (root < cores) program_.cores.pop_back();
        if (random_.chance(50)) {  // legal where no core can be started
            Core& first = program_.cores[root == 0 ? 1 : 0];
            Statement call = plain(Op::call);
            call.blocks.push_back({short_fork()});
            first.body.insert(first.body.begin(), call);
        }
        Core& its = program_.cores[root];
        its.boots = true;
        const unsigned leaves = 2 + random_.below(cores - 1);
        Statement first = plain(random_.one_of<Op>({Op::submit, Op::pin, Op::call, Op::call, Op::crew}));
        if (first.op == Op::pin) first.number[0] = random_.below(cores);
        if (first.op == Op::crew) {
            first.number[0] = leaves;
            for (unsigned i = 0; i != leaves; ++i) first.blocks.push_back(part());
            first.blocks.push_back({});
        } else {
            Block body = tree_of_parts(leaves);
            if (leaves == 2 && random_.chance(30)) body.insert(body.begin(), short_fork());
            first.blocks.push_back(body);
        }
        its.body.push_back(first);
        const bool calls = first.op == Op::call || first.op == Op::crew;
        if (root < cores && !calls) {
            its.body.push_back(plain(Op::run));
        } else if (random_.chance(60)) {
            if (!calls) its.body.push_back(plain(Op::await));
            its.body.push_back(plain(Op::shutdown));
            if (random_.chance(60)) its.body.push_back(plain(Op::join));
        }
        for (unsigned id = 0; id != size() && random_.chance(30); ++id) {
            if (!program_.cores[id].boots) continue;
            Handler handler;
            handler.core = id;
            handler.body.push_back(plain(Op::offer));
            program_.handlers.push_back(handler);
        }
    }

private:
    void add_pool(unsigned cores) { fuzz::add_pool(program_, random_, cores); }
    PoolKind& main_pool() { return program_.pools[0]; }
    unsigned size() { return static_cast<unsigned>(program_.cores.size()); }
    Statement short_fork() {
        Statement statement = plain(random_.chance(50) ? Op::fork : Op::group, 0, 1);
        if (statement.op == Op::fork) statement.number[0] = 0;
        statement.blocks.resize(2);
        return statement;
    }
    Block part() { return random_.chance(90) ? Block{plain(Op::meet)} : Block{}; }
    Block tree_of_parts(unsigned leaves) {
        if (leaves == 1) return part();
        Statement statement = plain(Op::fork);
        switch (random_.weighed({35, 30, 12, 8, 15})) {
            case 0: break;
            case 1: {
                statement = plain(Op::group, 0, leaves - 1);
                for (unsigned i = 0; i != leaves; ++i) statement.blocks.push_back(part());
                return {statement};
            }
            case 2:
            case 3:
                statement = plain(random_.chance(60) ? Op::loop : Op::reduce, 0, leaves, 1);
                statement.blocks.push_back({plain(Op::meet)});
                return {statement};
            default:
                statement = plain(Op::call);
                statement.blocks.push_back(tree_of_parts(leaves));
                return {statement};
        }
        const unsigned first = 1 + random_.below(leaves - 1);
        statement.blocks.push_back(tree_of_parts(first));
        statement.blocks.push_back(tree_of_parts(leaves - first));
        return {statement};
    }

    Program& program_;
    Random& random_;
};

// Most cores are off, and whoever finds nothing leaves at once: each submit meets a core on its way out, or one that
// has just left, beside tasks that keep a core to themselves.
class Leaving {
public:
    Leaving(Program& program, Random& random) : program_(program), random_(random) {}

    void make() {
        program_.machine.per_call = 0;
        add_pool(program_, random_, 2 + random_.weighed({75, 25}));
        const unsigned cores = program_.pools[0].cores;
        program_.cores.resize(cores + 1);
        for (unsigned id = 0; id != cores; ++id) {
            Core& core = program_.cores[id];
            core.boots = random_.chance(id == 0 ? 60 : 15);
            core.rested = core.boots && random_.chance(75);
            if (core.boots) core.body.push_back(plain(Op::run));
            if (!core.boots) core.late = {Start::normal};
        }
        Core& outside = program_.cores[cores];
        outside.boots = true;
        Block& body = outside.body;
        body.push_back(plain(Op::keep, 0, random_.one_of<uint32_t>({0, 0, 0, 0, 1})));
        const bool retires = random_.chance(25);
        const bool forever = !retires && random_.chance(55);
        if (forever) body.push_back(task({plain(Op::forever)}));
        for (unsigned left = 1 + random_.below(3); left != 0; --left) body.push_back(some(cores));
        // Who is retired may be the last one just then; all sleep in the end.
        if (retires) body.push_back(plain(Op::retire, 0, random_.chance(70) ? 0 : random_.below(cores)));
        const bool timer = !forever && !retires && random_.chance(30);
        if (timer) wait_for_a_timer(body);
        const unsigned meeting = forever || retires || timer ? 0 : random_.weighed({30, 0, 70});
        for (unsigned i = 0; i != meeting; ++i) {
            const auto at = 1 + random_.below(static_cast<uint32_t>(body.size()));
            body.insert(body.begin() + at, task({plain(Op::meet)}));
        }
        if (retires) return;
        body.push_back(plain(Op::await));
        if (!forever) body.push_back(plain(Op::shutdown));
        if (!forever && random_.chance(60)) body.push_back(plain(Op::join));
        if (!random_.chance(20)) return;
        Handler handler;
        handler.core = random_.below(cores + 1);
        if (!program_.cores[handler.core].boots) return;
        handler.body.push_back(task({}));
        program_.handlers.push_back(handler);
    }

private:
    // A task that needs a core until the timer has fired: on another one.
    void wait_for_a_timer(Block& body) {
        Statement timer = plain(Op::timer, 0, 1);
        timer.blocks = {{plain(Op::meet)}};
        program_.timers.push_back(timer);
        Statement start = plain(Op::after, 0, 0, random_.one_of<uint32_t>({0, 1, 10, 50}));
        if (random_.chance(40)) start = task({start});
        for (const Statement& one : {start, task({plain(Op::meet)})}) {
            const auto at = 1 + random_.below(static_cast<uint32_t>(body.size()));
            body.insert(body.begin() + at, one);
        }
    }
    static Statement task(const Block& body) {
        Statement one = plain(Op::submit);
        one.blocks.push_back(body);
        return one;
    }
    Statement some(unsigned cores) {
        Statement one = task({});
        switch (random_.weighed({50, 20, 15, 15})) {
            case 1: one.blocks[0].push_back(task({})); break;
            case 2: one.op = Op::pin, one.number[0] = random_.below(cores); break;
            case 3: one.op = Op::batch, one.number[0] = 2; break;
            default: break;
        }
        one.waits = random_.chance(60);
        return one;
    }

    Program& program_;
    Random& random_;
};

}  // namespace

void make_between(Program& program, Random& random) { Between(program, random).make(); }

void make_parts(Program& program, Random& random) { Parts(program, random).make(); }

void make_leaving(Program& program, Random& random) { Leaving(program, random).make(); }

void add_timers_to(Program& program, Random& random) {
    program.machine.rate = random.chance(70) ? 1 : 10;
    Block& client = program.cores.back().body;
    for (unsigned left = 1 + random.below(2); left != 0; --left) {
        const unsigned number = static_cast<unsigned>(program.timers.size());
        const unsigned pool = random.below(2);
        Statement timer = plain(Op::timer, pool, 1);
        timer.blocks.resize(1);
        if (random.chance(40)) {
            Statement one = plain(random.chance(70) ? Op::submit : Op::fork, random.below(2));
            one.blocks.resize(one.op == Op::fork ? 2 : 1);
            timer.blocks[0].push_back(one);
        }
        program.timers.push_back(timer);
        std::vector<Block*> places{&client};
        for (Statement& one : client) {
            if (one.op == Op::submit) places.push_back(&one.blocks[0]);
        }
        Block& block = *places[random.below(static_cast<uint32_t>(places.size()))];
        const auto at = random.below(static_cast<uint32_t>(block.size()) + 1);
        const uint32_t delay = random.one_of<uint32_t>({0, 1, 10, 20, 50});
        block.insert(block.begin() + at, plain(Op::after, pool, number, delay));
    }
}

void add_handlers_to(Program& program, Random& random) {
    for (unsigned left = 1 + random.below(2); left != 0; --left) {
        Handler handler;
        handler.core = random.below(static_cast<uint32_t>(program.cores.size()));
        if (!program.cores[handler.core].boots) continue;
        handler.times = random.chance(80) ? 1 : 2;
        handler.body.push_back(plain(random.chance(80) ? Op::submit : Op::offer, random.below(2)));
        if (handler.body[0].op == Op::submit) handler.body[0].blocks.resize(1);
        program.handlers.push_back(handler);
    }
}

void add_stills_to(Program& program, Random& random, unsigned pool) {
    const uint32_t limit = static_cast<uint32_t>(deadline_of(program));
    Block& client = program.cores.back().body;
    for (unsigned left = 1 + random.weighed({70, 30}); left != 0; --left) {
        Statement one = plain(Op::still, pool, random.one_of<uint32_t>({0, 1, limit, 2 * limit, 2 * limit}));
        one.blocks.resize(1);
        for (unsigned more = random.weighed({55, 35, 10}); more != 0; --more) {
            one.blocks[0].push_back(plain(Op::submit, pool));
            one.blocks[0].back().blocks.resize(1);
        }
        const auto at = random.below(static_cast<uint32_t>(client.size()) + 1);
        client.insert(client.begin() + at, one);
    }
}

}  // namespace fuzz
