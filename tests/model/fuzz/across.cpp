// SPDX-License-Identifier: MIT OR Apache-2.0
// Generated programs: the law of waits across two pools. Each pool has a core that works for it from the beginning, and
// knows all cores that work for the other one; so all that is accepted runs, wherever its submitter waits. A core
// outside, the client, begins it all. One pool may end while tasks of the other one go on. As many of these as cores
// work for it from the beginning may wait for each other then.
#include "across.hpp"

#include "make.hpp"
#include "moves.hpp"

namespace fuzz {

namespace {

class AcrossLaw {
public:
    AcrossLaw(const Program& program, const Layout& layout) : program_(program), layout_(layout) {}

    std::string judge(Demands& demands) {
        look_at_cores();
        if (!why_.empty()) return why_;
        for (const Statement& work : program_.works) body(work.blocks[0], true);
        for (const Handler& handler : program_.handlers) {
            for (const Statement& one : handler.body) {
                require(one.op == Op::submit || one.op == Op::offer, "a handler that does little");
                if (one.op == Op::submit) body(one.blocks[0], false);
                visited_[one.pool] = true;
            }
        }
        if (!program_.timers.empty()) visited_[0] = visited_[1] = true;
        for (const Statement& one : program_.cores[client_].body) client(one);
        for (unsigned i = 0; i != program_.timers.size(); ++i) {
            require(layout_.timers[i].sure && !layout_.timers[i].periodic, "a timer that may not run");
            body(program_.timers[i].blocks[0], false);
        }
        demands.sure_pins = sure_pins_;
        demands.pins_may_fail = true;
        for (unsigned pool : {0u, 1u}) {
            demands.all_run[pool] = true;
            demands.endless[pool] = !ends_[pool];
        }
        return why_;
    }

private:
    void require(bool good, const char* why) {
        if (!good && why_.empty()) why_ = why;
    }
    void look_at_cores() {
        require(program_.gates.empty() && program_.asleep.empty() && program_.machine.per_call == 0,
                "nothing else beside waits across pools");
        client_ = static_cast<unsigned>(program_.cores.size()) - 1;
        for (const PoolKind& pool : program_.pools) {
            require(!pool.last, "the client shuts down");
            require(pool.cores == client_, "each pool knows all cores but the client");
        }
        require(program_.cores[client_].boots && program_.cores[client_].late.empty(),
                "a core outside begins");
        for (unsigned id = 0; id != client_ && why_.empty(); ++id) {
            const Core& core = program_.cores[id];
            for (const Start start : core.late)
                require(start == Start::normal && !core.boots, "a core that comes");
            if (!core.boots) continue;
            require(core.body.size() == 1 && core.body[0].op == Op::run, "a core that works for one pool");
            if (why_.empty()) works_[core.body[0].pool] |= bit_of(id);
        }
        require(works_[0] != 0 && works_[1] != 0, "a core that works for each pool");
    }

    // ---- The client: one after the other

    void client(const Statement& one) {
        const bool late = over_[0] || over_[1];
        switch (one.op) {
            case Op::submit:
            case Op::batch:
                if (one.blocks[0].size() == 1 && one.blocks[0][0].op == Op::meet) return meeting(one);
                require(!late, "comes after the last task");
                return body(one.blocks[0], copies_of(one) == 1);
            case Op::pin: require(!late, "comes after the last task"); return pin(one);
            case Op::call: require(!late, "comes after the last task"); return body(one.blocks[0], false);
            case Op::begin:
            case Op::after:
            case Op::at:
            case Op::finish: return require(!late, "comes after the last task");
            case Op::keep: return;
            case Op::await:
                require(layout_.expected[one.pool] != 0, "nothing to wait for");
                over_[one.pool] = true;
                return;
            case Op::shutdown:
                for (unsigned pool : {0u, 1u}) {
                    const bool is_over = over_[pool] || layout_.expected[pool] == 0;
                    require(is_over || (pool != one.pool && !visited_[one.pool]),
                            "who shuts down has waited");
                }
                over_[one.pool] = ends_[one.pool] = true;
                return;
            case Op::join:
                joined_[one.pool] = true;
                return require(ends_[one.pool], "who joins waits for a shutdown");
            default: return require(false, "nothing else beside waits across pools");
        }
    }

    // ---- Tasks. `once`: the block is a task's, and is executed once.

    void body(const Block& block, bool once) {
        unsigned begun = 0, waited = 0;
        for (const Statement& one : block) {
            switch (one.op) {
                case Op::submit:
                case Op::batch: body(one.blocks[0], once && copies_of(one) == 1); break;
                case Op::pin:
                    visited_[one.pool] = true;
                    pin(one);
                    break;
                case Op::call: visited_[one.pool] = true; [[fallthrough]];
                case Op::fork:
                case Op::loop:
                case Op::reduce:
                case Op::group:
                    for (const Block& inner : one.blocks) body(inner, false);
                    break;
                case Op::begin:
                    require(once && !is_pinned(one), "a round that is begun before the last one is done");
                    ++begun;
                    break;
                case Op::finish: ++waited; break;
                case Op::after:
                case Op::at:
                case Op::revoke: visited_[0] = visited_[1] = true; break;
                default: require(false, "nothing else beside waits across pools");
            }
        }
        require(begun == waited, "a task waits for what it has submitted");
    }
    // They come back from their visits, which end. A core that was refused is tried again, but not at once: one that
    // can be started does not count.
    void meeting(const Statement& one) {
        unsigned cores = 0;
        for (unsigned id = 0; id != client_; ++id) cores += (works_[one.pool] & bit_of(id)) != 0 ? 1 : 0;
        require(joined_[1 - one.pool] && !over_[one.pool], "a visit may not have ended");
        require(one.op == Op::batch && !meets_ && copies_of(one) <= cores, "fewer cores than come together");
        meets_ = true;
    }
    // The core comes back to its pool from each wait. Before it has entered the pool it is refused.
    void pin(const Statement& one) {
        require((works_[one.pool] & bit_of(one.number[0])) != 0, "a pin to a core that works for its pool");
        require(one.blocks[0].empty(), "something in a task that may be refused");
        const uint32_t core = one.number[0];
        const bool rested = core < client_ && program_.cores[core].rested;
        if (rested && one.id < 64) sure_pins_ |= uint64_t{1} << one.id;
    }

    const Program& program_;
    const Layout& layout_;
    std::string why_;
    unsigned client_ = 0;
    uint32_t works_[2] = {};  // bits: cores that work for it from the beginning
    bool over_[2] = {}, ends_[2] = {}, joined_[2] = {};
    bool meets_ = false;
    bool visited_[2] = {};  // by what nobody waits for: a call, a pin, a timer, a handler
    uint64_t sure_pins_ = 0;
};

// ---- The generator

class Across {
public:
    Across(Program& program, Random& random) : program_(program), random_(random) {}

    void make() {
        program_.machine.per_call = 0;
        const unsigned workers = random_.chance(60) ? 2 : 3;
        for (unsigned pool = 0; pool != 2; ++pool) fuzz::add_pool(program_, random_, workers);
        program_.cores.resize(workers + 1);
        const unsigned first = random_.below(workers);
        for (unsigned i = 0; i != workers; ++i) {
            Core& core = program_.cores[(first + i) % workers];
            if (i == 2 && random_.chance(50)) {
                if (random_.chance(80)) core.late = {Start::normal};
                continue;
            }
            core.boots = true;
            core.rested = random_.chance(60);
            core.body.push_back(plain(Op::run, i < 2 ? i : random_.below(2)));
        }
        program_.cores[workers].boots = true;
        if (random_.chance(40)) ends_first_ = random_.below(2);
        for (unsigned left = 1 + random_.weighed({50, 40, 10}); left != 0; --left) root();
        const bool leaves = program_.settings.elastic != 0 && program_.settings.timers != 0;
        if (leaves && random_.chance(30))
            body().insert(body().begin(),
                          plain(Op::keep, random_.below(2), random_.one_of<uint32_t>({0, 0, 1, 20})));
        const bool together = ends_first_ != none;
        if (!together && program_.settings.timers != 0 && random_.chance(20))
            add_timers_to(program_, random_);
        if (!together && random_.chance(20)) add_handlers_to(program_, random_);
        end();
    }

private:
    Block& body() { return program_.cores.back().body; }
    static Statement with(Statement one, const Block& block) {
        one.blocks.push_back(block);
        return one;
    }
    void root() {
        const unsigned pool = random_.below(2);
        if (random_.chance(15) && program_.works.size() != most_works) {
            wait_in(body(), pool, 0);
            return;
        }
        Block inside;
        task(inside, pool, 0);
        Statement one = with(plain(Op::submit, pool), inside);
        one.waits = random_.chance(15);
        body().push_back(one);
        if (random_.chance(25)) body().push_back(with(plain(Op::batch, pool, 1 + random_.below(3)), {}));
    }
    // What a task of that pool does, which stands within so many waits.
    void task(Block& block, unsigned pool, unsigned depth) {
        if (random_.chance(30)) beside(block, pool, depth);
        if (program_.works.size() != most_works && random_.chance(depth == 0 ? 95 : 75))
            wait_in(block, random_.chance(85) ? 1 - pool : pool, depth);
        if (random_.chance(40)) beside(block, pool, depth);
    }
    void wait_in(Block& block, unsigned pool, unsigned depth) {
        const unsigned number = static_cast<unsigned>(program_.works.size());
        program_.works.push_back(with(plain(Op::work, pool, 0), {}));
        Block inside;
        task(inside, pool, depth + 1);
        program_.works[number].blocks[0] = inside;
        block.push_back(plain(Op::begin, pool, number, random_.chance(25) ? 1 : 0));
        if (random_.chance(35)) beside(block, pool, depth);
        block.push_back(plain(Op::finish, pool, number, random_.chance(40) ? 1 : 0));
    }
    void beside(Block& block, unsigned pool, unsigned depth) {
        const unsigned other = random_.chance(60) ? 1 - pool : pool;
        const bool ends = other == ends_first_;  // nothing goes there that nobody waits for
        switch (random_.weighed({25, 12, 35, ends ? 0u : 18u, ends ? 0u : 10u})) {
            case 0: block.push_back(with(plain(Op::submit, other), {})); break;
            case 1: block.push_back(with(plain(Op::batch, other, 1 + random_.below(3)), {})); break;
            case 2: fork(block, depth); break;
            case 3: {
                Block inside;
                if (random_.chance(60)) fork(inside, depth + 1);
                block.push_back(with(plain(Op::call, other), inside));
                break;
            }
            default:
                block.push_back(with(plain(Op::pin, other, random_.below(program_.pools[0].cores)), {}));
                break;
        }
    }
    void fork(Block& block, unsigned depth) {
        const unsigned what = random_.weighed({55, 20, 25});
        Statement one = plain(Op::fork);
        unsigned blocks = 2;
        if (what == 1) one = plain(Op::loop, 0, 2 + random_.below(2), 1), blocks = 1;
        if (what == 2) {
            one = plain(Op::group, 0, 1 + random_.below(program_.settings.depth + 1));
            blocks = one.number[0] + 1;
        }
        for (unsigned i = 0; i != blocks; ++i) {
            Block inside;
            if (depth < 2 && random_.chance(20)) fork(inside, depth + 2);
            if (random_.chance(15)) inside.push_back(with(plain(Op::submit, random_.below(2)), {}));
            one.blocks.push_back(inside);
        }
        block.push_back(one);
    }
    void end() {
        const Layout layout = lay_out(program_);
        const unsigned first = random_.below(2);
        if (ends_first_ != none) return end_one_first(layout, ends_first_);
        for (unsigned pool : {first, 1 - first}) {
            if (layout.expected[pool] != 0) body().push_back(plain(Op::await, pool));
        }
        if (random_.chance(35)) return;
        for (unsigned pool : {first, 1 - first}) {
            body().push_back(plain(Op::shutdown, pool));
            if (random_.chance(70)) body().push_back(plain(Op::join, pool));
        }
    }

    // What is submitted then is for the other one.
    void end_one_first(const Layout& layout, unsigned first) {
        unsigned cores = 0;
        for (const Core& core : program_.cores) {
            const bool works = core.boots && !core.body.empty() && core.body[0].op == Op::run;
            if (works && core.body[0].pool != first) ++cores;
        }
        if (layout.expected[first] != 0) body().push_back(plain(Op::await, first));
        body().push_back(plain(Op::shutdown, first));
        body().push_back(plain(Op::join, first));
        const bool meets = cores > 1;
        body().push_back(
            with(plain(Op::batch, 1 - first, meets ? cores : 2), meets ? Block{plain(Op::meet)} : Block{}));
        body().push_back(plain(Op::await, 1 - first));
        if (random_.chance(50)) body().push_back(plain(Op::shutdown, 1 - first));
    }

    static constexpr unsigned none = 2;

    Program& program_;
    Random& random_;
    unsigned ends_first_ = none;
};

}  // namespace

bool has_waits_across(const Program& program) {
    return program.pools.size() == 2 && !program.works.empty() && !has_moves(program);
}

std::string why_no_waits_across(const Program& program, const Layout& layout, Demands& demands) {
    return AcrossLaw(program, layout).judge(demands);
}

void make_across(Program& program, Random& random) { Across(program, random).make(); }

}  // namespace fuzz
