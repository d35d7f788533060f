// SPDX-License-Identifier: MIT OR Apache-2.0
// Generated programs: the law.
#include "legal.hpp"

#include <algorithm>
#include <functional>

#include "across.hpp"
#include "legal_sources.hpp"
#include "legal_works.hpp"
#include "sources.hpp"
#include "moves.hpp"
#include "parts.hpp"

namespace fuzz {

namespace {

enum class Where : uint8_t {
    top,      // a core's own program
    outside,  // a callable of such a program
    handler,
    task,
    callable,  // of a fork in a task
};

// What may come to a task of the pool in the end.
bool feeds(Op op) { return hands_in(op) || begins(op) || op == Op::arrive || gives(op) || arms(op); }

class Law {
public:
    Law(const Program& program, const Layout& layout) : program_(program), layout_(layout) {}

    std::string judge(Demands& demands) {
        check_shape();
        for (unsigned id = 0; id != cores(); ++id)
            walk(program_.cores[id].body, {Where::top, -1, 0, id, -1, -1});
        for (const Handler& handler : program_.handlers)
            walk(handler.body, {Where::handler, -1, 0, handler.core, -1, -1});
        for (unsigned gate = 0; gate != program_.gates.size(); ++gate) {
            const Statement& its = program_.gates[gate];
            const unsigned pool = its.pool;
            walk(its.blocks[0], {Where::task, static_cast<int>(pool), 0, 0, static_cast<int>(gate), -1});
        }
        for (unsigned timer = 0; timer != program_.timers.size(); ++timer) {
            const Statement& its = program_.timers[timer];
            const int pool = static_cast<int>(its.pool);
            walk(its.blocks[0], {Where::task, pool, 0, 0, -1, static_cast<int>(timer)});
        }
        for (unsigned work = 0; work != program_.works.size(); ++work) {
            const Statement& its = program_.works[work];
            const int pool = static_cast<int>(its.pool);
            walk(its.blocks[0], {Where::task, pool, 0, 0, -1, -1, static_cast<int>(work)});
        }
        if (why_.empty()) why_ = why_no_timers(program_, layout_);
        if (why_.empty()) why_ = why_no_works(program_, layout_);
        if (moves_ || across_ || has_parts(program_)) {
            for_all(program_,
                    [this](const Statement& one) { require(!is_pinned(one), "a wait for what is pinned"); });
        }
        if (moves_) {
            if (why_.empty()) why_ = why_no_moves(program_, layout_, demands);
            return why_;
        }
        if (across_) {
            if (why_.empty()) why_ = why_no_waits_across(program_, layout_, demands);
            return why_;
        }
        if (has_parts(program_)) {
            for_all(program_, [this](const Statement& one) {
                require(one.op != Op::still && !is_of_crew(one.op) && one.op != Op::tell,
                        "parts where cores come and go");
            });
            if (why_.empty()) why_ = why_no_parts(program_, demands);
            return why_;
        }
        for (unsigned pool = 0; pool != program_.pools.size() && why_.empty(); ++pool) classify(pool);
        for (unsigned pool = 0; pool != program_.pools.size() && why_.empty(); ++pool) count_workers(pool);
        for (unsigned pool = 0; pool != program_.pools.size() && why_.empty(); ++pool) {
            // Its wait ends with the pool, whether that core comes or not: so that end must not wait for it.
            for_all(program_, [&](const Statement& one) {
                const bool its = is_pinned(one) && one.pool == pool;
                require(!its || (facts_[pool].racing && ends_for_sure(pool)), "a wait for what is pinned");
            });
            if (facts_[pool].racing) {
                check_racing(pool);
            } else {
                check_quiet(pool);
            }
        }
        for (unsigned id = 0; id != cores() && why_.empty(); ++id) check_order(id);
        for_all(program_, [this](const Statement& one) {
            if (one.op == Op::still) check_patience(one);
        });
        for (unsigned pool = 0; pool != program_.pools.size(); ++pool) fill(demands, pool);
        return why_;
    }

private:
    struct Facts {
        bool racing = false;       // somebody shuts it down while it is used
        bool ends = false;         // somebody shuts it down
        bool from_racing = false;  // tasks of a racing pool submit to it
        bool from_handlers = false;
        bool waited_for = false;
        bool foreign_call = false;
        bool finished = false;  // a core's own program waits for a work
        bool visited = false;   // a core works for it for a while, and leaves
        bool polled = false;
        bool cycles = false;
        bool idles = false;          // a core waits until nothing is queued or runs
        bool foreign_idles = false;  // a foreign one
        bool abandoned = false;
        bool pins = false;
        bool free_pins = false;
        unsigned workers = 0;
        unsigned working = 0;   // bits: cores with a program that becomes a worker's
        unsigned served = 0;    // bits: cores whose pinned tasks run for sure
        unsigned starters = 0;  // late cores among these
        unsigned comers = 0;    // bits: late cores that come
        unsigned blockers = 0;
        bool retries = false;    // starts fail, and are tried again often enough
        unsigned retirable = 0;  // bits: cores that somebody may ask to leave
        unsigned runners =
            0;  // bits: cores whose own program works for it to the end, whenever it comes to that
        uint32_t limit = ~0u;  // the smallest one
        bool elastic = false;
    };

    void illegal(const char* why) {
        if (why_.empty()) why_ = why;
    }
    void require(bool good, const char* why) {
        if (!good) illegal(why);
    }
    unsigned cores() const { return static_cast<unsigned>(program_.cores.size()); }
    const PoolKind& kind(unsigned pool) const { return program_.pools[pool]; }
    unsigned boot_cores() const {
        unsigned count = 0;
        for (const Core& core : program_.cores) count += core.boots ? 1 : 0;
        return count;
    }
    uint64_t deadline() const { return deadline_of(program_); }

    // ---- Shapes

    void check_shape() {
        require(program_.pools.size() >= 1 && program_.pools.size() <= most_pools, "one or two pools");
        require(cores() <= most_program_cores && boot_cores() != 0, "a core must run from the beginning");
        for (const PoolKind& pool : program_.pools) {
            require(pool.cores >= 1 && pool.cores <= 3, "a pool of 1 to 3 cores");
            require(pool.ring == 2 || pool.ring == 4 || pool.ring == 8, "rings of 2, 4, 8");
        }
        unsigned on_core[most_program_cores] = {};
        for (const Handler& handler : program_.handlers) {
            require(handler.times >= 1 && handler.times <= 2, "a handler comes once or twice");
            const bool there = handler.core < cores() && program_.cores[handler.core].boots;
            require(there && ++on_core[handler.core] <= 3,
                    "handlers are on cores that run from the beginning");
        }
        for (const Core& core : program_.cores) require(core.late.size() <= 3, "three outcomes of starts");
        require(uint64_t{program_.settings.deadline} * program_.machine.rate <= UINT32_MAX,
                "a deadline of 32 bits");
        require(program_.machine.rate != 0, "a clock goes on");
        // Each look of one that polls is news to the other, so the model would take turns between the two.
        unsigned polling = 0;
        for_all(program_, [&polling](const Statement& one) {
            polling += one.op == Op::cycle || one.op == Op::serve ? 1 : 0;
        });
        require(polling <= 1, "two cores that poll without an end");
        for (const Statement& gate : program_.gates) {
            require(gate.op == Op::gate && !gate.waits, "a gate stands by itself");
            require(gate.number[0] >= 1 && gate.number[0] <= 0x7fffffff, "1 to 2^31 - 1 arrivals");
        }
    }

    // ---- Each statement where it stands

    struct Place {
        Where where;
        int pool;            // of the task, or -1
        unsigned calls;      // bits: the pools of the calls that it stands in
        unsigned core;       // whose program it is
        int gate;            // whose follower hands it in, or -1
        int timer;           // likewise
        int work = -1;       // likewise
        bool still = false;  // while others stand, perhaps
    };
    void walk(const Block& block, const Place& place) {
        for (size_t i = 0; i != block.size() && why_.empty(); ++i) {
            const Statement& statement = block[i];
            check_place(statement, place, i + 1 == block.size());
            note(statement, place);
            Place inner = place;
            if (place.where == Where::top) inner.where = Where::outside;
            if (place.where == Where::task) inner.where = Where::callable;
            if (calls_in(statement.op)) inner.calls |= 1u << statement.pool;
            if (statement.op == Op::still) inner = place, inner.still = true;
            if (hands_in(statement.op))
                inner = {
                    Where::task, static_cast<int>(statement.pool), 0, place.core, place.gate, place.timer,
                    place.work};
            for (const Block& child : statement.blocks) walk(child, inner);
        }
    }
    void check_place(const Statement& statement, const Place& place, bool is_last) {
        const Where where = place.where;
        const int pool = place.pool;
        const bool own_task = where == Where::task && pool == static_cast<int>(statement.pool);
        switch (statement.op) {
            case Op::submit:
            case Op::strand:
            case Op::set:
            case Op::signal:
            case Op::clear: break;
            case Op::wait: require(!statement.waits, "waits for a task that waits"); break;
            case Op::gate: illegal("a gate stands by itself"); break;
            case Op::timer: illegal("a timer stands by itself"); break;
            case Op::after:
            case Op::at:
            case Op::every:
            case Op::cancel: check_timer(statement, place); break;
            case Op::drop:
                require(where == Where::top, "by a core itself");
                check_timer(statement, place);
                break;
            case Op::arrive: {
                const Statement& gate = program_.gates[statement.number[0]];
                require(gate.pool == statement.pool, "a gate of another pool");
                require(static_cast<int>(statement.number[0]) > place.gate, "a gate that opens itself");
                require(place.timer < 0 || layout_.timers[place.timer].sure, "an arrival that may not come");
                break;
            }
            case Op::among: check_sets(statement); break;
            case Op::lot:
                check_sets(statement);
                require(where != Where::handler && statement.number[0] != 0, "not in a handler");
                break;
            case Op::still:
            case Op::resume:
                require(program_.settings.quiesce != 0, "not in this build");
                require(where != Where::handler && !place.still && statement.number[1] <= most_vain,
                        "not in a handler");
                break;
            case Op::retire:
            case Op::admit:
            case Op::limit:
            case Op::keep:
                require(program_.settings.elastic != 0, "not in this build");
                require(statement.op != Op::keep || program_.settings.timers != 0, "not in this build");
                require(where != Where::handler, "not in a handler");
                break;
            case Op::most:
                require(program_.settings.blocking != 0, "not in this build");
                require(where != Where::handler, "not in a handler");
                break;
            case Op::asleep:
            case Op::work: illegal("a work stands by itself"); break;
            case Op::tell:
                require(program_.settings.elastic != 0, "not in this build");
                require(where != Where::handler, "not in a handler");
                check_work(statement, place, own_task);
                break;
            case Op::begin:
                require(!is_pinned(statement) || where != Where::handler, "not in a handler");
                check_work(statement, place, own_task);
                break;
            case Op::finish:
            case Op::revoke: check_work(statement, place, own_task); break;
            case Op::batch:
            case Op::pin:
            case Op::fork:
            case Op::call:
            case Op::crew:
            case Op::group: require(where != Where::handler, "not in a handler"); break;
            case Op::loop:
            case Op::reduce:
                require(where != Where::handler && statement.number[1] != 0, "not in a handler");
                break;
            case Op::poll:
                require(where == Where::top || own_task || (where == Where::task && moves_),
                        "by a core, or by a task");
                break;
            case Op::run:
            case Op::join: require(where == Where::top || own_task, "by a core, or by a task in vain"); break;
            case Op::cycle:
                require(where == Where::top && place.core < kind(statement.pool).cores,
                        "by a core of the pool");
                break;
            case Op::idle:
                require(program_.settings.rest != 0, "not in this build");
                require(where == Where::top, "by a core itself");
                break;
            case Op::serve:
            case Op::await: require(where == Where::top, "by a core itself"); break;
            case Op::shutdown:
            case Op::abandon: break;
            case Op::meet:
                require(where != Where::top && where != Where::handler && is_last, "at the end");
                require(place.timer < 0 ||
                            (layout_.timers[place.timer].sure && layout_.timers[place.timer].runs == 1),
                        "a timer that others wait for");
                break;
            case Op::forever:
                require(where == Where::task && is_last && place.timer < 0, "at the end of a task");
                break;
            case Op::tick:
                require(where == Where::top || where == Where::handler || place.timer >= 0, "in no task");
                break;
            case Op::offer: require(where == Where::handler, "in a handler"); break;
        }
        require(!statement.waits || where == Where::top, "only a core itself waits");
        if (place.still) check_still(statement);
    }
    // The owner waits for nobody. What it must not call, it calls in vain (World).
    void check_still(const Statement& statement) {
        const Op op = statement.op;
        const bool waits = statement.waits || op == Op::run || op == Op::poll || op == Op::serve ||
                           op == Op::await || op == Op::join || op == Op::cycle || op == Op::idle ||
                           op == Op::finish || op == Op::meet || op == Op::forever || op == Op::arrive ||
                           op == Op::pin || op == Op::among || op == Op::lot;
        require(!waits, "who has others stand waits for nobody");
    }
    void check_sets(const Statement&) { require(program_.settings.sets != 0, "not in this build"); }
    void check_work(const Statement& statement, const Place& place, bool own_task) {
        const int number = static_cast<int>(statement.number[0]);
        require(statement.op == Op::tell || program_.works[statement.number[0]].pool == statement.pool,
                "a work of another pool");
        if (statement.op == Op::revoke) return;
        require(place.gate < 0 && place.timer < 0, "a work of a follower");
        require(place.work < number, "a work of a later one");
        require(begins(statement.op) || place.where == Where::top || own_task ||
                    (place.where == Where::task && (moves_ || across_)),
                "by a core, or by a task");
    }
    void check_timer(const Statement& statement, const Place& place) {
        require(program_.timers[statement.number[0]].pool == statement.pool, "a timer of another pool");
        require(place.gate < 0, "a timer of a follower of a gate");
        require(static_cast<int>(statement.number[0]) >= place.timer, "a timer of a later one");
    }
    void note(const Statement& statement, const Place& place) {
        if (!kind_of(statement.op).pool) return;
        const Where where = place.where;
        const int pool = place.pool;
        Facts& facts = facts_[statement.pool];
        if (is_of_crew(statement.op) || statement.op == Op::tell) facts.elastic = true;
        if (statement.op == Op::tell && statement.number[1] < 32)
            facts.retirable |= 1u << statement.number[1];
        if (statement.op == Op::retire && statement.number[0] < 32)
            facts.retirable |= 1u << statement.number[0];
        if (statement.op == Op::limit && statement.number[0] != 0)
            facts.limit = std::min(facts.limit, statement.number[0]);
        if (statement.op == Op::run && where == Where::top && place.core < kind(statement.pool).cores)
            facts.runners |= 1u << place.core;
        if (feeds(statement.op)) {
            facts.pins = facts.pins || is_bound(program_, statement);
            facts.from_handlers = facts.from_handlers || where == Where::handler;
            facts.waited_for = facts.waited_for || statement.waits;
            used_by_[statement.pool] |= pool < 0 ? 4u : 1u << pool;
        }
        if (ends_pool(statement.op)) {
            facts.ends = true;
            facts.abandoned = facts.abandoned || statement.op == Op::abandon;
            if (where != Where::top) facts.racing = true;
        }
        if (statement.op == Op::serve || statement.op == Op::await) facts.waited_for = true;
        if (statement.op == Op::poll && where == Where::top) facts.polled = true;
        facts.cycles = facts.cycles || statement.op == Op::cycle;
        if (statement.op == Op::finish && where == Where::top) {
            facts.finished = true;
            if (place.core >= kind(statement.pool).cores) facts.foreign_call = true;
        }
        const bool visits = statement.op == Op::serve || statement.op == Op::idle ||
                            statement.op == Op::poll || statement.op == Op::finish ||
                            statement.op == Op::cycle || calls_in(statement.op);
        facts.visited = facts.visited || (visits && (where == Where::top || where == Where::outside));
        if (statement.op == Op::idle) {
            facts.idles = true;
            if (place.core >= kind(statement.pool).cores) facts.foreign_idles = true;
        }
        if (calls_in(statement.op)) {
            // Within a task nobody sleeps for another pool's cores. What a call runs may run where it was made.
            const bool outside = where == Where::top || where == Where::outside;
            if (outside && place.core >= kind(statement.pool).cores) facts.foreign_call = true;
            for (unsigned other = 0; other != program_.pools.size(); ++other) {
                const bool from = pool == static_cast<int>(other) || (place.calls & 1u << other) != 0;
                if (from && other != statement.pool) calls_between_ = true;
            }
        }
        used_ |= 1u << statement.pool;
    }

    // ---- Pools

    // A shutdown of a core's program that comes behind its own wait for all tasks disturbs nobody.
    void classify(unsigned pool) {
        Facts& facts = facts_[pool];
        for (const Core& core : program_.cores) {
            bool over = false;
            for (const Statement& statement : core.body) {
                if (!kind_of(statement.op).pool || statement.pool != pool) continue;
                over = over || statement.op == Op::serve || statement.op == Op::await;
                facts.racing = facts.racing || (ends_pool(statement.op) && !over);
            }
        }
        facts.ends = facts.ends || kind(pool).last;
    }

    bool calls_from_afar(const Statement& statement, unsigned core) const {
        if (calls_in(statement.op) && core >= kind(statement.pool).cores) return true;
        if (hands_in(statement.op)) return false;
        for (const Block& block : statement.blocks) {
            for (const Statement& inner : block) {
                if (calls_from_afar(inner, core)) return true;
            }
        }
        return false;
    }
    bool may_block(const Statement& statement, unsigned core) const {
        const Op op = statement.op;
        return statement.waits || calls_from_afar(statement, core) || op == Op::join || op == Op::serve ||
               op == Op::await || op == Op::cycle || op == Op::idle || op == Op::finish ||
               comes_again(statement) || (op == Op::run && core < kind(statement.pool).cores);
    }
    // An arrival that may be too early, and is tried again where nobody shuts down meanwhile: the gate opens more than
    // once.
    bool comes_again(const Statement& statement) const {
        return !facts_[statement.pool].racing && may_be_early(program_, layout_, statement);
    }
    // Does some core's program come to such a statement whatever the others do?
    bool certain(const std::function<bool(const Statement&)>& wanted) const {
        for (unsigned id = 0; id != cores(); ++id) {
            for (const Statement& statement : program_.cores[id].body) {
                if (wanted(statement)) return true;
                if (may_block(statement, id)) break;
            }
        }
        for (const Handler& handler : program_.handlers) {
            for (const Statement& statement : handler.body) {
                if (wanted(statement)) return true;
            }
        }
        return false;
    }
    // On a core other than `except`, if that is not -1.
    bool joined_elsewhere(unsigned pool, int except) const {
        for (unsigned id = 0; id != cores(); ++id) {
            if (static_cast<int>(id) == except) continue;
            for (const Statement& statement : program_.cores[id].body) {
                if (statement.op == Op::join && statement.pool == pool) return true;
            }
        }
        return false;
    }

    void check_racing(unsigned pool) {
        Facts& facts = facts_[pool];
        require(!kind(pool).last && !facts.waited_for, "nobody waits for tasks that a shutdown may refuse");
        require(layout_.forever[pool] == 0 && meetings(pool) == 0, "nor tasks for each other");
        require(certain([pool](const Statement& one) { return ends_pool(one.op) && one.pool == pool; }),
                "somebody must shut the pool down, whatever happens");
        require(joined_elsewhere(pool, -1), "somebody joins a pool that others may still submit to");
        check_calls(pool);
        for (unsigned other = 0; other != program_.pools.size(); ++other) {
            const bool uses = (used_by_[other] & 1u << pool) != 0;
            if (uses && other != pool) facts_[other].from_racing = true;
        }
        if (pool == 1 && facts_[0].from_racing && !facts_[0].racing) illegal("tasks that may never run");
    }

    void check_quiet(unsigned pool) {
        Facts& facts = facts_[pool];
        require(!facts.from_racing, "tasks that may never run");
        for (unsigned other = 0; other != program_.pools.size(); ++other) {
            const bool used = other != pool && (used_by_[pool] & 1u << other) != 0;
            require(!used || facts_[other].workers != 0, "tasks that may never run");
        }
        facts.blockers = layout_.forever[pool] + meetings(pool);
        const unsigned certain_tasks = layout_.expected[pool] - layout_.forever[pool];
        const bool demanded = facts.waited_for || facts.finished || kind(pool).last || facts.blockers != 0;
        facts.retries = facts.workers == 0 && retries_enough(pool);
        require(!demanded || facts.workers != 0 || facts.retries, "nobody is sure to run the tasks");
        require(!(facts.waited_for || kind(pool).last) || certain_tasks != 0, "nothing to wait for");
        require(!kind(pool).last || layout_.forever[pool] == 0, "the last task ends");
        require(facts.blockers <= facts.workers, "more tasks that need a core than cores");
        require(facts.blockers == 0 || (!facts.polled && program_.pools.size() == 1),
                "who polls may not block");
        if (layout_.forever[pool] != 0) {
            require(!facts.ends && !facts.pins, "a pool with tasks that do not end does not end");
            const bool all_taken = layout_.forever[pool] == facts.workers;
            require(!all_taken || (!facts.waited_for && !facts.foreign_call), "no core is left");
        }
        if (facts.ends && !kind(pool).last) require(facts.waited_for, "who shuts down has waited");
        require(program_.works.empty() || facts.blockers == 0, "a wait holds up a task that others wait for");
        if (facts.idles) {
            const bool all_work = facts.working == (1u << kind(pool).cores) - 1;
            require(program_.pools.size() == 1 && facts.blockers == 0 && !facts.cycles,
                    "never idle, perhaps");
            require(!facts.pins || all_work, "waits for a core that may not come");
            require(!facts.foreign_idles || facts.workers != 0, "nobody is sure to run the tasks");
        }
        require(facts.ends || !facts.cycles, "who polls for the end waits for a shutdown");
        check_timers(pool);
        check_pins(pool);
        const std::string why = why_no_sources(program_, layout_, pool, facts.workers, facts.blockers != 0);
        if (!why.empty()) illegal(why.c_str());
        check_calls(pool);
        if (!facts.ends) require(!joined_elsewhere(pool, -1), "who joins waits for a shutdown");
    }
    // Cores with a program that becomes a worker's, and stays one to the end. (Who serves leaves.)
    unsigned staying(unsigned pool) const {
        unsigned stay = 0;
        for (unsigned id = 0; id != cores(); ++id) {
            for (const Statement& one : program_.cores[id].body) {
                const bool works = (one.op == Op::run || one.op == Op::cycle) && one.pool == pool;
                const bool leaves = one.op == Op::run && (facts_[pool].retirable >> id & 1) != 0;
                if (works && !leaves && (facts_[pool].working >> id & 1) != 0) ++stay;
            }
        }
        return stay;
    }
    // A core that stays in its own loop is never kept from it by others' tasks: it runs the blocking ones. Or nobody
    // waits for them.
    bool may_have_blocking(unsigned pool) const {
        const Facts& facts = facts_[pool];
        if (program_.settings.blocking == 0 || facts.foreign_call || !program_.works.empty()) return false;
        if (facts.racing) return !facts.waited_for && !facts.finished && facts.blockers == 0;
        unsigned takers = 0;
        for (unsigned id = 0; id != cores(); ++id) {
            for (const Statement& one : program_.cores[id].body) {
                const bool works = one.op == Op::run && one.pool == pool;
                const bool stays =
                    works && (facts.retirable >> id & 1) == 0 && (facts.working >> id & 1) != 0;
                takers += stays ? 1 : 0;
            }
        }
        bool waits = false;
        for_all(program_, [&waits](const Statement& one) {
            for (const Block& block : one.blocks)
                for_each(block, [&waits](const Statement& inner) { waits = waits || inner.waits; });
        });
        return takers > facts.blockers && !waits;
    }
    // A start of a timer need not start a core: some core must be in the pool, or come for a task.
    void check_timers(unsigned pool) {
        const Facts& facts = facts_[pool];
        if (program_.timers.empty()) return;
        const unsigned stay = staying(pool);
        const auto brings = [&](const Statement& one) {
            return to_the_pool(one.op) && one.pool == pool && copies_of(one) != 0;
        };
        require(facts.workers == 0 || stay > layout_.forever[pool] ||
                    (layout_.forever[pool] == 0 && certain(brings)),
                "a timer waits for a core");
        require(facts.workers != 0 || !facts.waited_for, "a timer waits for a core");
        bool meets = false;
        for_each(program_.timers, [&meets](const Statement& one) { meets = meets || one.op == Op::meet; });
        // If nobody sleeps who could watch, a core that is off is started for it.
        const unsigned off = static_cast<unsigned>(__builtin_popcount(facts.comers & ~facts.retirable));
        const unsigned watch = stay + (facts.limit == ~0u ? off : 0);
        require(!meets || watch >= facts.blockers, "a timer waits for a core");
        if (!facts.waited_for && !kind(pool).last) return;
        for (unsigned i = 0; i != program_.timers.size(); ++i) {
            const bool harmless = layout_.timers[i].sure || is_harmless(program_.timers[i].blocks[0], true);
            require(harmless, "what a timer does that may not run");
        }
    }
    unsigned meetings(unsigned pool) const {
        unsigned sum = 0;
        for (unsigned i = 0; i != most_meetings; ++i) {
            if (layout_.meeting[i] != 0 && layout_.meeting_pool[i] == pool) sum += layout_.meeting[i];
        }
        return sum;
    }

    // Cores that come to work for the pool whatever the others do, and stay.
    void count_workers(unsigned pool) {
        Facts& facts = facts_[pool];
        for (unsigned id = 0; id != kind(pool).cores && id < cores(); ++id) {
            const Core& core = program_.cores[id];
            if (!core.boots) {
                bool comes =
                    core.always_comes() && !facts.from_handlers && (alone(id, pool) || follows(pool));
                comes = comes && nobody_stays_away(pool) && (!facts.foreign_call || time_stands_still());
                if (!comes) continue;
                ++facts.workers, facts.comers |= 1u << id;
                // Whose start is withdrawn keeps what is pinned to it; another core does the rest.
                if (time_stands_still()) facts.starters |= 1u << id, facts.served |= 1u << id;
                continue;
            }
            if (!core.late.empty()) continue;
            for (const Statement& statement : core.body) {
                const bool works =
                    statement.op == Op::run || statement.op == Op::serve || statement.op == Op::cycle;
                if (works && statement.pool == pool) ++facts.workers, facts.working |= 1u << id;
                // Before it works, others could but try again and again, and keep it from coming.
                const bool rests = core.rested && statement.op != Op::cycle;
                if (works && statement.pool == pool && rests) facts.served |= 1u << id;
                if (may_block(statement, id)) break;
            }
        }
        if (facts.elastic) leave(facts, pool);
    }
    // Who may be asked to leave does not count, unless it is all of the pool's cores: then one stays. Of those that can
    // be started there are no more than the limit says.
    void leave(Facts& facts, unsigned pool) const {
        unsigned by_themselves = 0, started = 0, all = 0;
        for (unsigned id = 0; id != kind(pool).cores; ++id) {
            const unsigned its = 1u << id;
            const bool starts = (facts.comers & its) != 0;
            if (!starts && (facts.working & its) == 0) continue;
            ++all;
            const bool leaves = (facts.retirable & its) != 0 && (starts || (facts.runners & its) != 0);
            if (!leaves) ++(starts ? started : by_themselves);
        }
        const unsigned others = static_cast<unsigned>(__builtin_popcount(facts.runners));
        const bool limited = facts.limit != ~0u;
        if (limited) started = std::min<unsigned>(started, facts.limit > others ? facts.limit - others : 0);
        facts.workers = by_themselves + started;
        const bool one_stays = all == kind(pool).cores && (!limited || others == 0);
        if (facts.workers == 0 && one_stays) facts.workers = 1;
        facts.served &= ~facts.retirable;
        if (limited) facts.served &= ~facts.comers, facts.starters = 0;
        facts.starters &= ~facts.retirable;
    }
    // A start of a core that never comes, or that waits in a program of its own, keeps the others from being started,
    // until its deadline.
    bool nobody_stays_away(unsigned pool) const {
        for (unsigned id = 0; id != kind(pool).cores && id < cores(); ++id) {
            for (const Start start : program_.cores[id].late) {
                if (start == Start::never || program_.cores[id].boots) return false;
            }
        }
        return true;
    }
    bool time_stands_still() const {
        bool moves = program_.machine.per_call != 0;
        for_all(program_,
                [&moves](const Statement& statement) { moves = moves || statement.op == Op::tick; });
        return !moves;
    }
    // No other pool may have the core.
    bool alone(unsigned core, unsigned pool) const {
        for (unsigned other = 0; other != program_.pools.size(); ++other) {
            if (other != pool && (used_ & 1u << other) != 0 && core < kind(other).cores) return false;
        }
        return true;
    }
    // The second pool is used by one core only, and after the first one's end.
    bool follows(unsigned pool) const {
        if (pool != 1 || boot_cores() != 1 || !program_.handlers.empty()) return false;
        if ((used_by_[0] & 2u) != 0 || (used_by_[1] & 1u) != 0 || calls_between_) return false;
        for (const Core& core : program_.cores) {
            bool over = false;
            for (const Statement& statement : core.body) {
                bool uses = false;
                for_each(Block{statement}, [&uses](const Statement& one) {
                    uses = uses || (kind_of(one.op).pool && one.pool == 1);
                });
                if (uses && !over) return false;
                over = over || (statement.op == Op::join && statement.pool == 0);
            }
        }
        return true;
    }

    // Starts fail a bounded number of times, and the only core that runs submits again after as many deadlines. A core
    // that comes may be late each time, and withdrawn: behind the last submit any core may be on its way.
    bool retries_enough(unsigned pool) const {
        if (boot_cores() != 1 || !program_.handlers.empty() || program_.pools.size() != 1) return false;
        if (facts_[pool].pins || facts_[pool].blockers != 0) return false;
        unsigned bad = 0;
        bool good = false;
        for (unsigned id = 0; id != kind(pool).cores && id < cores(); ++id) {
            const Core& core = program_.cores[id];
            if (core.boots) return false;
            if (!core.late.empty() && core.late.back() == Start::never) return false;
            bool comes = !core.late.empty() && core.late.back() == Start::normal;
            for (const Start start : core.late) {
                bad += start != Start::normal ? 1 : 0;
                comes = comes && start != Start::absent;
            }
            good = good || comes;
        }
        uint64_t since = 0;
        uint64_t all = 0;
        unsigned rounds = 0;
        for (const Core& core : program_.cores) {
            for (const Statement& statement : core.body) {
                bool calls = false;
                for_each(Block{statement},
                         [&calls](const Statement& one) { calls = calls || calls_in(one.op); });
                if (statement.waits || calls || statement.op == Op::finish) return false;
                if (statement.op == Op::serve || statement.op == Op::await) break;
                if (statement.op == Op::tick) since += statement.number[0], all += statement.number[0];
                const bool again = to_the_pool(statement.op) && copies_of(statement) != 0;
                if (again && since > deadline()) ++rounds;
                if (again) since = 0;
            }
        }
        const bool in_time = all + 4 * deadline() <= UINT32_MAX && program_.machine.per_call == 0;
        return good && in_time && rounds >= (bad + 1) * kind(pool).cores;
    }

    // In a pool that is not shut down early a pin is tried until the core takes it: it must be sure to.
    // Of a core that becomes a worker after that.
    bool is_own_first(const Statement& pin, const Facts& facts) const {
        for (unsigned id = 0; id != cores(); ++id) {
            for (const Statement& statement : program_.cores[id].body) {
                if (&statement == &pin)
                    return cores_of(pin) == 1u << id && (facts.working >> id & 1) != 0 &&
                           (facts.retirable >> id & 1) == 0;
            }
        }
        return false;
    }
    // Some core ends the pool, whatever becomes of tasks.
    bool ends_for_sure(unsigned pool) const {
        for (const Core& core : program_.cores) {
            for (const Statement& one : core.body) {
                if (ends_pool(one.op) && one.pool == pool) return true;
                if (may_hold_up(one) || calls_in(one.op) || one.op == Op::poll || one.op == Op::finish) break;
            }
        }
        return false;
    }
    // One of its cores runs for sure what is for it, and whichever core is started for it comes. A handler's may be
    // refused, and is not tried again.
    bool is_served(const Statement& statement, const Facts& facts) const {
        const uint32_t target = cores_of(statement);
        if (statement.op == Op::pin) return (target & facts.served) != 0;
        const unsigned all = kind(statement.pool).cores;
        if ((target & facts.served) == 0 || target >> all != 0) return false;
        for (unsigned id = 0; id != all && id < cores(); ++id) {
            const bool comes = (facts.served >> id & 1) != 0 || program_.cores[id].late.empty();
            if ((target >> id & 1) != 0 && !comes) return false;
        }
        bool in_handler = false;
        for (const Handler& handler : program_.handlers) {
            for_each(handler.body,
                     [&](const Statement& one) { in_handler = in_handler || &one == &statement; });
        }
        return !in_handler;
    }
    void check_number_of_sets(unsigned pool) {
        uint32_t sets = 0;
        for_all(program_, [&](const Statement& one) {
            const bool is_set = one.op == Op::among || one.op == Op::lot;
            if (!is_set || one.pool != pool || !is_bound(program_, one)) return;
            const uint32_t cores = cores_of(one);
            if (cores < 8 && (cores & (cores - 1)) != 0) sets |= 1u << cores;
        });
        require(static_cast<unsigned>(__builtin_popcount(sets)) <= program_.settings.sets,
                "more sets than there are places");
    }
    void check_pins(unsigned pool) {
        Facts& facts = facts_[pool];
        // Where nobody waits for anything a pin may be refused.
        facts.free_pins =
            facts.pins && !facts.ends && !facts.waited_for && !facts.finished && facts.blockers == 0;
        if (facts.free_pins) return;
        check_number_of_sets(pool);
        for_all(program_, [&](const Statement& statement) {
            if (!is_for_cores(statement.op) || statement.pool != pool || !is_bound(program_, statement))
                return;
            require(is_served(statement, facts) || is_own_first(statement, facts),
                    "pinned to a core that may not come");
            // What is pinned may have to wait until the core's task that blocks has ended.
            for_each(statement.blocks[0], [&](const Statement& inner) {
                require(inner.op != Op::meet && inner.op != Op::forever,
                        "a pinned task that others wait for");
            });
            require(!statement.waits || facts.blockers == 0, "a pinned task that others wait for");
        });
        for (unsigned id = 0; id != cores(); ++id) {
            for (const Statement& statement : program_.cores[id].body) {
                if (may_block(statement, id)) break;
                for_each(Block{statement}, [&](const Statement& one) {
                    const bool bound = is_for_cores(one.op) && is_bound(program_, one);
                    if (!bound || one.pool != pool || id >= kind(pool).cores) return;
                    const bool soon = (cores_of(one) & (1u << id | facts.starters)) != 0;
                    // Before a core works itself it must not wait for others to do so.
                    require(soon, "two cores that wait for each other");
                });
            }
        }
    }

    void check_calls(unsigned pool) {
        const Facts& facts = facts_[pool];
        if (!facts.foreign_call) return;
        for (unsigned id = 0; id != cores(); ++id) {
            const Core& core = program_.cores[id];
            bool runs = false;
            for (const Statement& statement : core.body) {
                const bool works = statement.op == Op::run || statement.op == Op::cycle;
                runs = runs || (works && statement.pool == pool);
            }
            const bool late_worker = runs && id < kind(pool).cores && (facts.working >> id & 1) == 0;
            if (!facts.racing) require(!late_worker, "a call waits for cores that work at once");
        }
    }

    // ---- The order of a core's own statements

    void check_order(unsigned id) {
        bool blocked = false;        // in run() or join()
        bool over[most_pools] = {};  // all tasks have been waited for
        bool joined[most_pools] = {};
        bool stayed[most_pools] = {};  // in run() of this pool: it has ended
        for (const Statement& statement : program_.cores[id].body) {
            for_each(Block{statement}, [&](const Statement& one) {
                if (!kind_of(one.op).pool) return;
                const Facts& facts = facts_[one.pool];
                const bool may_fail = arms(one.op) && !layout_.timers[one.number[0]].sure;
                const bool works = (feeds(one.op) && !may_fail) || calls_in(one.op) || one.op == Op::poll;
                if (facts.racing || !works) return;
                require(!blocked || (follows(one.pool) && joined[0]), "comes too late to be certain");
                require(!over[one.pool], "comes after the last task");
            });
            if (!kind_of(statement.op).pool) continue;
            const Facts& facts = facts_[statement.pool];
            const bool waits = statement.op == Op::serve || statement.op == Op::await;
            if (waits || statement.waits || statement.op == Op::finish) {
                require(!blocked || (follows(statement.pool) && joined[0]), "waits too late");
                require(!stayed[statement.pool], "waits too late");
                require(!statement.waits || !blocks_task(statement), "waits for a task that waits");
            }
            if (waits) over[statement.pool] = true;
            const bool stays =
                (statement.op == Op::run && id < kind(statement.pool).cores) || statement.op == Op::cycle;
            if (stays && !facts.ends)
                require(&statement == &program_.cores[id].body.back() || comes_back(statement, id),
                        "does not come back");
            stayed[statement.pool] = stayed[statement.pool] || stays;
            blocked = blocked || stays || statement.op == Op::join;
            if (statement.op == Op::join) joined[statement.pool] = true;
        }
    }

    // It is asked to leave, and works again then, or nothing.
    bool comes_back(const Statement& run, unsigned id) const {
        bool good = run.op == Op::run && (facts_[run.pool].retirable >> id & 1) != 0;
        bool behind = false;
        for (const Statement& one : program_.cores[id].body) {
            if (behind) good = good && (one.op == Op::run || is_of_crew(one.op)) && one.pool == run.pool;
            behind = behind || &one == &run;
        }
        return good;
    }
    // Time passes only so far while nobody can go on.
    void check_patience(const Statement& still) {
        const uint32_t ticks = still.number[0];
        require(ticks <= 2 * deadline() || ticks >= 1u << 31 || all_stand(still.pool), "waits for too long");
    }
    // Each core comes to where it stands: nothing that it waits for needs one of those that stand already.
    bool all_stand(unsigned pool) const {
        if (program_.pools.size() != 1 || facts_[pool].blockers != 0 || facts_[pool].pins) return false;
        if (!nobody_stays_away(pool) || !time_stands_still()) return false;
        bool good = true;  // a start of a core that runs a program of its own is waited for, too
        for (const Core& core : program_.cores) good = good && (!core.boots || core.late.empty());
        for_all(program_, [&good](const Statement& one) {
            good = good && one.op != Op::arrive && one.op != Op::cycle;
        });
        return good;
    }
    void fill(Demands& demands, unsigned pool) {
        const Facts& facts = facts_[pool];
        demands.endless[pool] = !facts.ends;
        const bool free_core = facts.workers > layout_.forever[pool] || facts.retries;
        demands.all_run[pool] =
            !facts.racing && !facts.free_pins && free_core && (facts.workers != 0 || facts.retries);
        const unsigned stay = staying(pool);
        demands.one_stays[pool] = stay != 0 || (facts.comers & ~facts.retirable) != 0 || facts.retries;
        demands.timed[pool] = demands.all_run[pool] && demands.endless[pool] && stay > layout_.forever[pool];
        demands.prompt[pool] =
            demands.all_run[pool] && stay > facts.blockers && !facts.foreign_call && !facts.cycles;
        demands.blocks[pool] = may_have_blocking(pool);
        demands.sleeps[pool] = demands.all_run[pool] && demands.endless[pool] && layout_.forever[pool] == 0 &&
                               !facts.visited && facts.blockers == 0 && !program_.asleep.empty();
        demands.stands[pool] = all_stand(pool);
        demands.rests[pool] = demands.all_run[pool] && demands.endless[pool] && program_.pools.size() == 1 &&
                              nobody_stays_away(pool);
        demands.succeeds[pool] =
            !facts.racing && demands.endless[pool] && program_.pools.size() == 1 && nobody_stays_away(pool);
        demands.patient[pool] = !facts.racing && !facts.free_pins;
        demands.racing[pool] = facts.racing;
        demands.withdraws = demands.withdraws || facts.abandoned;
        demands.gone[pool] = program_.pools.size() == 1 && boot_cores() == 1 && program_.handlers.empty() &&
                             is_last_join(pool);
    }
    bool is_last_join(unsigned pool) const {
        unsigned joins = 0;
        bool last = false;
        for (const Core& core : program_.cores) {
            for (const Statement& statement : core.body) {
                if (!kind_of(statement.op).pool && statement.blocks.empty()) continue;
                last = statement.op == Op::join && statement.pool == pool;
                joins += last ? 1 : 0;
            }
        }
        return last && joins == 1;
    }

    const Program& program_;
    const Layout& layout_;
    const bool moves_ = has_moves(program_), across_ = has_waits_across(program_);
    std::string why_;
    Facts facts_[most_pools];
    unsigned used_ = 0;
    bool calls_between_ = false;         // in tasks or calls of the one pool, of the other
    unsigned used_by_[most_pools] = {};  // bits: by tasks of which pool; 4: by a core or a handler
};

}  // namespace

std::string why_illegal(const Program& program, const Layout& layout, Demands& demands) {
    demands = Demands{};
    return Law(program, layout).judge(demands);
}

}  // namespace fuzz
