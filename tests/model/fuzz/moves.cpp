// SPDX-License-Identifier: MIT OR Apache-2.0
// Generated programs: the law of moves. Each pool has a core that stays with it, and sleeps in run() at the beginning.
// So all that is accepted runs. Or one pool has nobody, until a core comes by a clean move: on that core's leaving
// follows a work of this very pool, which lets it in. Before that nobody waits for what is submitted there.
// A core outside, the client, does all else: it says where the others belong.
//
// A move is clean if the core was seen to leave the one pool, by what follows on that, before the other one gets it.
// Then it counts as a core of that pool: as many tasks may wait for each other there, and a pin to it is not refused.
#include "moves.hpp"

#include <utility>

#include "make.hpp"

namespace fuzz {

namespace {

class MovesLaw {
public:
    MovesLaw(const Program& program, const Layout& layout) : program_(program), layout_(layout) {}

    std::string judge(Demands& demands) {
        look_at_cores();
        if (!why_.empty()) return why_;
        for (unsigned pool : {0u, 1u}) admitted_[pool] = all_of(pool);
        used_ = !program_.handlers.empty();
        for (const Statement& one : program_.cores[client_].body) {
            if (why_.empty()) client(one);
        }
        for (const Handler& handler : program_.handlers) {
            for (const Statement& one : handler.body) {
                require(one.op == Op::submit || one.op == Op::offer, "a handler that does little");
                if (one.op == Op::submit) look_at_lonely(one), body(one.blocks[0], false);
            }
        }
        for (unsigned i = 0; i != program_.timers.size(); ++i) {
            require(layout_.timers[i].sure && !layout_.timers[i].periodic, "a timer that may not run");
            body(program_.timers[i].blocks[0], false);
        }
        if (!why_.empty()) return why_;
        require(lonely_ < 0 || served_, "a pool that has nobody");
        for (const Pending& pending : pending_) require(!pending.is, "nobody waits for who follows");
        if (pins_to_mover_) require(clean_, "a pin to a core that may be with two pools");
        look_at_meetings();
        demands.pins_may_fail = true;
        demands.sure_pins = clean_ ? sure_pins_ : 0;
        for (unsigned pool : {0u, 1u}) {
            demands.all_run[pool] = true;
            demands.endless[pool] = !ends_[pool];
        }
        return why_;
    }

private:
    struct Pending {
        bool is = false;
        unsigned pool = 0;
        uint32_t core = 0;
    };

    void require(bool good, const char* why) {
        if (!good && why_.empty()) why_ = why;
    }
    unsigned cores_of(unsigned pool) const { return program_.pools[pool].cores; }
    uint32_t all_of(unsigned pool) const { return (1u << cores_of(pool)) - 1; }
    static uint32_t bit(uint32_t core) { return core < 32 ? 1u << core : 0; }

    void look_at_cores() {
        require(program_.settings.elastic != 0 && program_.pools.size() == 2, "two pools of elastic cores");
        require(program_.gates.empty() && program_.asleep.empty() && program_.machine.per_call == 0,
                "nothing else beside a move");
        for (const PoolKind& pool : program_.pools) require(!pool.last, "the client shuts down");
        client_ = static_cast<unsigned>(program_.cores.size()) - 1;
        for (unsigned id = 0; id <= client_ && why_.empty(); ++id) {
            const Core& core = program_.cores[id];
            if (id == client_) {
                require(core.boots && core.late.empty() && id >= cores_of(0) && id >= cores_of(1),
                        "a core outside says who moves");
            } else if (core.boots) {
                require(core.rested && core.late.empty() && core.body.size() == 1 &&
                            core.body[0].op == Op::run && id < cores_of(core.body[0].pool),
                        "a core that stays with its pool");
                if (why_.empty()) stays_[core.body[0].pool] |= bit(id);
            } else if (!core.late.empty()) {
                for (const Start start : core.late) require(start == Start::normal, "a core that comes");
                movers_ |= bit(id);
            }
        }
        known_ = stays_[0] | stays_[1] | movers_;
        require((stays_[0] | stays_[1]) != 0, "a core that stays with its pool");
        for (int pool : {0, 1}) {
            if (stays_[pool] == 0) lonely_ = pool;
        }
        for (const Statement& work : program_.works)
            require(work.blocks[0].size() <= 1, "what follows does little");
    }

    // ---- The client: one after the other

    // What is used of a pool, from here on. Who is with both may be in a task of the other one when it is needed.
    void uses() {
        const uint32_t both = admitted_[0] & admitted_[1];
        require((both & (stays_[0] | stays_[1])) == 0, "who stays with one pool belongs to one");
        require((stays_[0] & ~admitted_[0]) == 0 && (stays_[1] & ~admitted_[1]) == 0, "who stays is retired");
        if ((both & movers_) != 0) clean_ = false;
        used_ = true;
    }
    // A pool without a core of its own gets one once, and keeps it. Before that nobody waits for what is in there.
    void look_at_lonely(const Statement& one) {
        if (served_ || static_cast<int>(one.pool) != lonely_) return;
        const bool waits = one.waits || one.op == Op::pin || one.op == Op::call || one.op == Op::begin;
        require(!waits, "a pool that has nobody");
    }
    void client(const Statement& one) {
        look_at_lonely(one);
        const bool serial = one.waits && one.op != Op::lot && one.op != Op::among &&
                            layout_.items[one.id].copies == 1 && (one.op != Op::batch || one.number[0] == 1);
        if (one.op != Op::await && one.op != Op::shutdown && one.op != Op::join)
            require(!over_[0] && !over_[1], "comes after the last task");
        switch (one.op) {
            case Op::retire:
            case Op::admit:
            case Op::tell:
            case Op::keep: return crew(one);
            case Op::limit:
                // Who is here to stay is counted, and let in always; a mover may be turned away.
                require(one.number[0] != 0 && static_cast<int>(one.pool) != lonely_, "a limit");
                require(!meets_, "moves beside tasks that wait");
                clean_ = false;
                return;
            case Op::after:
            case Op::at: require(!meets_, "beside tasks that wait for each other"); return uses();
            case Op::still: uses(); return still(one);
            case Op::pin: note_pin(one, true); [[fallthrough]];
            case Op::submit:
            case Op::batch:
                uses();
                if (is_meeting(one)) return meeting(one);
                if (meets_) require(is_quick(one), "beside tasks that wait for each other");
                return body(one.blocks[0], serial);
            case Op::call:
                uses();
                require(!meets_, "beside tasks that wait for each other");
                return body(one.blocks[0], false);
            case Op::begin:
                uses();
                require(!meets_, "beside tasks that wait for each other");
                return;
            case Op::revoke: return;
            case Op::finish: return finish(one);
            case Op::await:
                require(layout_.expected[one.pool] != 0, "nothing to wait for");
                for (const Pending& pending : pending_) require(!pending.is, "waits for who leaves");
                over_[one.pool] = true;
                return;
            case Op::shutdown:
                for (unsigned pool : {0u, 1u})
                    require(over_[pool] || layout_.expected[pool] == 0, "who shuts down has waited");
                require(!pending_left(), "waits for who leaves");
                over_[one.pool] = ends_[one.pool] = true;
                return;
            case Op::join: return require(ends_[one.pool], "who joins waits for a shutdown");
            default: return require(false, "nothing else beside a move");
        }
    }
    // Who works for the other pool was started: else it runs the image's own code, and may start others. That pool
    // would start a core for what it is given meanwhile, too. And who stands may be waited for.
    void still(const Statement& one) {
        require(lonely_ >= 0 && static_cast<int>(one.pool) != lonely_, "a core that does not stand");
        require(one.number[0] <= 2 * deadline_of(program_), "waits for too long");
        for (const Statement& inner : one.blocks[0])
            require(inner.pool == one.pool && (inner.op == Op::submit || inner.op == Op::batch),
                    "another pool's core may be started");
        body(one.blocks[0], false);
    }
    bool pending_left() const {
        bool some = false;
        for (const Pending& pending : pending_) some = some || pending.is;
        return some;
    }
    void crew(const Statement& one) {
        const unsigned pool = one.pool;
        const uint32_t core = one.number[one.op == Op::tell ? 1 : 0];
        const uint32_t its = bit(core) & all_of(pool);
        const bool to_nobody = static_cast<int>(pool) == lonely_;
        if (lonely_ >= 0 && used_ && one.op != Op::tell)
            require(one.op == Op::admit && to_nobody && !served_, "a move to a pool that has nobody");
        if (one.op == Op::keep) return require(!used_, "before all else");
        require(!meets_ || (one.op == Op::admit && (left_[1 - pool] & its) != 0),
                "moves beside tasks that wait");
        require((its & stays_[pool]) == 0 || one.op == Op::admit, "who stays is retired");
        if (one.op == Op::admit) {
            require((its & stays_[1 - pool]) == 0, "who stays with one pool belongs to one");
            for (const Pending& pending : pending_)
                require(!pending.is || pending.pool != pool || pending.core != core, "comes back, perhaps");
            // It may be in a task of the other pool when it is started.
            if ((left_[1 - pool] & its) == 0 && core < cores_of(1 - pool) && !to_nobody) clean_ = false;
            admitted_[pool] |= its;
            left_[pool] &= ~its;
            return;
        }
        admitted_[pool] &= ~its;
        if (!used_) left_[pool] |= its;
        if (one.op != Op::tell) return;
        require(its != 0, "who follows on nobody");
        for (const Pending& pending : pending_)
            require(!pending.is || pending.pool != pool || pending.core != core, "two that follow");
        uses();
        if (lonely_ >= 0) {
            const bool comes = static_cast<int>(program_.works[one.number[0]].pool) == lonely_ &&
                               !to_nobody && (its & movers_ & admitted_[lonely_]) != 0;
            require(comes && !served_ && !layout_.works[one.number[0]].revoked && movers_ == its,
                    "a move to a pool that has nobody");
        }
        pending_[one.number[0]] = {true, pool, core};
    }
    void finish(const Statement& one) {
        uses();
        Pending& pending = pending_[one.number[0]];
        require(!meets_, "beside tasks that wait for each other");
        if (!pending.is) return;
        pending.is = false;
        if (lonely_ >= 0) served_ = true;
        const Layout::Work& work = layout_.works[one.number[0]];
        const uint32_t its = bit(pending.core);
        if (work.revoked) {
            clean_ = false;
        } else {
            left_[pending.pool] |= its;
        }
        for (const Statement& then : program_.works[one.number[0]].blocks[0]) {
            require(then.op == Op::admit && then.pool != pending.pool && then.number[0] == pending.core &&
                        !work.revoked,
                    "what follows lets the core in");
            admitted_[then.pool] |= its & all_of(then.pool);
            left_[then.pool] &= ~its;
        }
    }

    // ---- Tasks. `serial`: the client waits for it meanwhile, and there is one of it.

    void body(const Block& block, bool serial) {
        unsigned begun = 0, waited = 0;
        for (const Statement& one : block) {
            look_at_lonely(one);
            switch (one.op) {
                case Op::submit:
                case Op::batch: body(one.blocks[0], false); break;
                case Op::pin:
                    note_pin(one, false);
                    body(one.blocks[0], false);
                    break;
                case Op::after:
                case Op::at: break;
                case Op::poll: require(serial, "who polls is waited for"); break;
                case Op::fork:
                    for (const Block& inner : one.blocks) require(inner.empty(), "a fork with nothing in it");
                    break;
                case Op::call:
                    calls_unwatched_ |= !serial;
                    body(one.blocks[0], false);
                    break;
                case Op::begin: ++begun, calls_unwatched_ |= !serial; break;
                case Op::finish:
                    ++waited;
                    require(!layout_.works[one.number[0]].told, "a task waits for a core, perhaps its own");
                    require((known_ & ~all_of(one.pool)) == 0,
                            "a task waits on a core that its pool does not know");
                    break;
                case Op::retire:
                case Op::admit:
                case Op::tell:
                    require(serial, "a move that nobody waits for");
                    crew(one);
                    break;
                default: require(false, "nothing else beside a move");
            }
        }
        require(begun == waited, "a task waits for what it has submitted");
        if (serial) uses();
    }
    // Who is refused does nothing: others would wait for what it hands in.
    void note_pin(const Statement& one, bool by_client) {
        const uint32_t its = bit(one.number[0]);
        const bool stays = (stays_[one.pool] & its) != 0;
        const bool moves = (movers_ & all_of(one.pool) & its) != 0;
        if (moves) pins_to_mover_ = true;
        const bool there = (admitted_[one.pool] & its) != 0 && (admitted_[1 - one.pool] & its) == 0 &&
                           ((left_[1 - one.pool] & its) != 0 || one.number[0] >= cores_of(1 - one.pool));
        const bool sure = stays || (moves && by_client && there);
        if (sure && one.id < 64) sure_pins_ |= uint64_t{1} << one.id;
        require(sure || one.blocks[0].empty(), "something in a task that may be refused");
    }

    // ---- Tasks that wait for each other

    static bool is_meeting(const Statement& one) {
        return one.op != Op::pin && one.blocks[0].size() == 1 && one.blocks[0][0].op == Op::meet;
    }
    static bool is_quick(const Statement& one) {
        bool quick = !one.waits;
        for_each(one.blocks[0], [&quick](const Statement& inner) { quick = quick && hands_in(inner.op); });
        return quick;
    }
    void meeting(const Statement& one) {
        require(!one.waits, "a task waits for others");
        meets_ = true;
        meets_in_[one.pool] += one.op == Op::batch ? one.number[0] : 1;
        const unsigned number = one.blocks[0][0].number[0];
        require(number == one.pool, "each pool has its own meeting");
    }
    void look_at_meetings() {
        if (!meets_) return;
        require(clean_ && !calls_unwatched_, "a meeting beside who may be elsewhere");
        for (unsigned pool : {0u, 1u}) {
            const uint32_t there = stays_[pool] | (movers_ & admitted_[pool] & left_[1 - pool]) |
                                   (movers_ & admitted_[pool] & ~all_of(1 - pool));
            require(meets_in_[pool] <= static_cast<unsigned>(__builtin_popcount(there)),
                    "more tasks that need a core than cores");
        }
    }

    const Program& program_;
    const Layout& layout_;
    std::string why_;
    unsigned client_ = 0;
    uint32_t known_ = 0;                        // bits: cores that work for some pool
    uint32_t stays_[2] = {}, movers_ = 0;       // bits
    uint32_t admitted_[2] = {}, left_[2] = {};  // bits: where it may come to; where it is not, for sure
    Pending pending_[most_works];
    bool used_ = false, clean_ = true;
    bool over_[2] = {}, ends_[2] = {};
    int lonely_ = -1;      // the pool that has nobody at the beginning, or -1
    bool served_ = false;  // a core has come to it
    bool meets_ = false, calls_unwatched_ = false, pins_to_mover_ = false;
    unsigned meets_in_[2] = {};
    uint64_t sure_pins_ = 0;
};

// ---- The generator

class Mover {
public:
    Mover(Program& program, Random& random) : program_(program), random_(random) {}

    void make() {
        program_.machine.per_call = 0;
        const unsigned order = random_.below(6);
        const unsigned roles[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
        stays_[0] = roles[order][0], stays_[1] = roles[order][1], mover_ = roles[order][2];
        for (unsigned pool : {0u, 1u}) {
            const unsigned least = 1 + (stays_[pool] > mover_ ? stays_[pool] : mover_);
            fuzz::add_pool(program_, random_, random_.chance(75) ? 3 : least);
        }
        program_.cores.resize(4);
        home_ = random_.below(2);
        const unsigned stays_pool = home_;
        has_nobody_ = random_.chance(20);
        for (unsigned pool : {0u, 1u}) {
            if (has_nobody_ && pool != home_) continue;
            Core& core = program_.cores[stays_[pool]];
            core.boots = core.rested = true;
            core.body.push_back(plain(Op::run, pool));
        }
        program_.cores[mover_].late = {Start::normal};
        program_.cores[3].boots = true;
        const unsigned first = random_.below(2);
        for (unsigned i : {first, 1 - first}) {
            if (has_nobody_ && i != home_) continue;
            if (stays_[i] < program_.pools[1 - i].cores) add(plain(Op::retire, 1 - i, stays_[i]));
        }
        add(plain(Op::retire, 1 - home_, mover_));
        if (program_.settings.timers != 0 && random_.chance(35))
            add(plain(Op::keep, random_.below(2), random_.one_of<uint32_t>({0, 0, 0, 1, 20})));
        for (unsigned left = random_.weighed({12, 63, 25}); left != 0; --left) before();
        if (has_nobody_) {
            move_to_nobody();
        } else {
            move();
        }
        const bool again = !has_nobody_ && random_.chance(20);
        if (again) {
            for (unsigned left = random_.weighed({40, 60}); left != 0; --left) before();
            move();
        }
        after();
        if (program_.settings.timers != 0 && random_.chance(25)) add_timers_to(program_, random_);
        if (random_.chance(15)) add_handlers_to(program_, random_);
        if (has_nobody_ && program_.settings.quiesce != 0 && random_.chance(50))
            add_stills_to(program_, random_, stays_pool);
        for (unsigned left = random_.weighed({80, 15, 5}); left != 0; --left) {
            const auto at = random_.below(static_cast<uint32_t>(body().size()) + 1);
            body().insert(body().begin() + at, plain(Op::limit, random_.below(2), 1 + random_.below(3)));
        }
        end();
    }

private:
    Block& body() { return program_.cores[3].body; }
    void add(const Statement& one) { body().push_back(one); }
    static Statement with(Statement one, const Block& block, bool waits = false) {
        one.blocks.push_back(block);
        one.waits = waits;
        return one;
    }
    static Statement task(unsigned pool, const Block& block, bool waits = false) {
        return with(plain(Op::submit, pool), block, waits);
    }
    unsigned new_work(unsigned pool, const Block& block = {}) {
        const unsigned kind = block.empty() && random_.chance(60) ? 1 : 0;
        program_.works.push_back(with(plain(Op::work, pool, kind), block));
        return static_cast<unsigned>(program_.works.size()) - 1;
    }
    bool has_works(unsigned more) const { return program_.works.size() + more <= most_works; }

    // Before a move: what the core has to do with its next pool, in a task of the one where it is.
    void before() {
        Block inside;
        for (unsigned left = random_.weighed({10, 60, 30}); left != 0; --left) beside(inside);
        const bool waits = random_.chance(70);
        Statement one = random_.chance(65)
                            ? plain(Op::pin, home_, mover_)
                            : plain(Op::submit, random_.chance(70) || has_nobody_ ? home_ : 1 - home_);
        add(with(one, inside, waits));
    }
    void beside(Block& inside) {
        const bool to_nobody = has_nobody_ && random_.chance(50);
        const unsigned other = to_nobody || (random_.chance(85) && !has_nobody_) ? 1 - home_ : home_;
        switch (to_nobody ? random_.below(2) : random_.weighed({25, 10, 22, 14, 22, 12, 5})) {
            case 0: inside.push_back(task(other, {})); break;
            case 1: inside.push_back(with(plain(Op::batch, other, 1 + random_.below(3)), {})); break;
            case 2: {
                const uint32_t core =
                    random_.chance(80) ? mover_ : random_.below(program_.pools[other].cores);
                inside.push_back(with(plain(Op::pin, other, core), {}));
                break;
            }
            case 3: inside.push_back(plain(Op::poll, other, 1)); break;
            case 4:
                if (has_works(2)) {
                    const unsigned work = new_work(other);
                    inside.push_back(plain(Op::begin, other, work, random_.below(2)));
                    inside.push_back(plain(Op::finish, other, work));
                }
                break;
            case 5: inside.push_back(with(plain(Op::call, other), {})); break;
            default:
                inside.push_back(plain(Op::fork));
                inside.back().blocks.resize(2);
                break;
        }
    }
    // The other pool, which has no other one, gets the core.
    void move_to_nobody() {
        const unsigned from = home_, to = 1 - home_;
        const unsigned work =
            new_work(to, random_.chance(20) ? Block{plain(Op::admit, to, mover_)} : Block{});
        add(plain(Op::admit, to, mover_));
        add(plain(Op::tell, from, work, mover_));
        while (random_.chance(40)) {
            const bool there = random_.chance(50);
            add(there ? task(to, {}) : small(from));
        }
        add(plain(Op::finish, to, work));
        home_ = to;
    }
    // The other pool gets the core.
    void move() {
        const unsigned from = home_, to = 1 - home_;
        home_ = to;
        if (!has_works(1) || random_.chance(10)) {
            do_by_somebody(plain(Op::retire, from, mover_), from);
            if (random_.chance(40)) add(small(from));
            return do_by_somebody(plain(Op::admit, to, mover_), to);
        }
        const bool by_itself = random_.chance(25);
        const unsigned work =
            new_work(random_.below(2), by_itself ? Block{plain(Op::admit, to, mover_)} : Block{});
        do_by_somebody(plain(Op::tell, from, work, mover_), from);
        while (random_.chance(30)) add(small(random_.below(2)));
        if (random_.chance(3)) add(plain(Op::revoke, program_.works[work].pool, work));
        add(plain(Op::finish, program_.works[work].pool, work));
        if (random_.chance(20)) add(small(random_.below(2)));
        if (!by_itself) do_by_somebody(plain(Op::admit, to, mover_), random_.below(2));
    }
    // By the client, or by a task for which it waits.
    void do_by_somebody(const Statement& one, unsigned pool) {
        if (random_.chance(70)) return add(one);
        add(with(random_.chance(40) ? plain(Op::pin, pool, mover_) : plain(Op::submit, pool), {one}, true));
        // Where the pin is refused nobody does it.
        if (body().back().op == Op::pin && one.op != Op::tell) body().back() = task(pool, {one}, true);
    }
    Statement small(unsigned pool) {
        switch (random_.weighed({45, 15, 40})) {
            case 0: return task(pool, {}, random_.chance(25));
            case 1: return with(plain(Op::batch, pool, 1 + random_.below(3)), {});
            default: return with(plain(Op::pin, pool, mover_), {});
        }
    }
    void after() {
        if (random_.chance(65) && !has_nobody_) {
            const auto meets = [this] { return task(home_, {plain(Op::meet, 0, home_)}); };
            if (random_.chance(25)) {
                Statement both = meets();
                both.op = Op::batch, both.number[0] = 2;
                add(both);
            } else {
                for (unsigned i = 0; i != 2; ++i) add(meets());
            }
            // The last admit may come behind some of them.
            for (size_t i = body().size(); random_.chance(35) && i-- != 0;) {
                if (body()[i].op != Op::admit || i + 1 == body().size()) continue;
                std::swap(body()[i], body()[i + 1]);
                break;
            }
        }
        for (unsigned left = random_.weighed({45, 40, 15}); left != 0; --left) {
            Statement one = small(random_.chance(75) ? home_ : 1 - home_);
            one.waits = false;
            add(one);
        }
    }
    void end() {
        const Layout layout = lay_out(program_);
        const unsigned first = random_.below(2);
        for (unsigned pool : {first, 1 - first}) {
            if (layout.expected[pool] != 0) add(plain(Op::await, pool));
        }
        if (random_.chance(50)) return;
        for (unsigned pool : {first, 1 - first}) {
            add(plain(Op::shutdown, pool));
            if (random_.chance(70)) add(plain(Op::join, pool));
        }
    }

    Program& program_;
    Random& random_;
    unsigned stays_[2] = {}, mover_ = 0, home_ = 0;
    bool has_nobody_ = false;  // the pool that the core is to move to
};

}  // namespace

bool has_moves(const Program& program) {
    if (program.pools.size() != 2) return false;
    bool found = false;
    for_all(program, [&found](const Statement& one) {
        found = found || one.op == Op::tell || (is_of_crew(one.op) && one.pool == 1);
    });
    return found;
}

std::string why_no_moves(const Program& program, const Layout& layout, Demands& demands) {
    return MovesLaw(program, layout).judge(demands);
}

void make_moves(Program& program, Random& random) { Mover(program, random).make(); }

}  // namespace fuzz
