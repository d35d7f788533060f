// SPDX-License-Identifier: MIT OR Apache-2.0
// Generated programs: the law of parts.
#include "parts.hpp"

#include <algorithm>

namespace fuzz {

namespace {

bool forks(Op op) {
    return op == Op::fork || op == Op::loop || op == Op::reduce || op == Op::group || op == Op::call ||
           op == Op::crew;
}
bool has_meeting(const Block& block) {
    bool found = false;
    for_each(block, [&found](const Statement& one) { found = found || one.op == Op::meet; });
    return found;
}
bool meets_in_callable(const Block& block, bool in_callable) {
    for (const Statement& statement : block) {
        if (statement.op == Op::meet && in_callable) return true;
        for (const Block& inner : statement.blocks) {
            if (meets_in_callable(inner, !hands_in(statement.op))) return true;
        }
    }
    return false;
}

// One child, and nothing in it.
bool is_short(const Statement& statement) {
    if (statement.op != Op::fork && (statement.op != Op::group || statement.number[0] != 1)) return false;
    return statement.blocks[0].empty() && statement.blocks[1].empty();
}

// What stands at the root: a tree of forks, whose leaves are the parts.
class Tree {
public:
    explicit Tree(const Settings& settings) : settings_(settings) {}

    // Empty: good. How many leaves, which of them meet, how many frames one core may hold at once.
    unsigned leaves = 0;
    unsigned meeting = 0;
    unsigned short_forks = 0;

    std::string look(const Block& block) {
        const unsigned frames = walk(block, true);
        if (!why_.empty()) return why_;
        if (meeting < 2) return "a meeting of one";
        // A core that waits in a join helps, on top of what it holds. Where all meet nobody is in a join before.
        const unsigned most = leaves == meeting ? frames : leaves - 1;
        if (most > settings_.depth) return "a child without room";
        // Who has taken a short child may come back too late for what is forked then. One child lies ready always.
        if (short_forks > 1 || (short_forks != 0 && leaves > 2)) return "a core that may be busy";
        return "";
    }

private:
    // Returns how many frames the core holds that runs it.
    unsigned walk(const Block& block, bool is_root) {
        unsigned most = 0;
        for (size_t i = 0; i != block.size(); ++i) {
            const Statement& statement = block[i];
            if (i + 1 != block.size()) {
                if (!is_root || !is_short(statement)) why_ = "something beside the parts";
                ++short_forks;
                most = std::max(most, 1u);
            } else if (statement.op == Op::meet) {
                if (statement.number[0] != 0) why_ = "one meeting";
                ++leaves, ++meeting;
            } else {
                most = std::max(most, walk_fork(statement));
            }
        }
        if (block.empty()) ++leaves;
        return most;
    }
    unsigned walk_fork(const Statement& statement) {
        const std::vector<Block>& blocks = statement.blocks;
        const bool loops = statement.op == Op::loop || statement.op == Op::reduce;
        if (!forks(statement.op)) why_ = "something beside the parts";
        if (!why_.empty() || blocks.empty()) return 0;
        if (loops) {
            const Block& body = blocks[0];
            const bool meets = body.size() == 1 && body[0].op == Op::meet && body[0].number[0] == 0;
            if (!meets || statement.number[1] != 1) why_ = "a loop of parts";
            leaves += statement.number[0], meeting += statement.number[0];
            // The lower half stays with the core, as it meets.
            unsigned frames = 0;
            for (unsigned left = statement.number[0]; left > 1; left /= 2) ++frames;
            return frames;
        }
        if (statement.op == Op::call) return walk(blocks[0], false);
        if (statement.op == Op::crew && !blocks.back().empty()) why_ = "what waits before its crew works";
        const unsigned children = static_cast<unsigned>(blocks.size()) - 1;
        unsigned most = children;
        for (size_t i = 0; i != blocks.size(); ++i) {
            const bool own = statement.op == Op::fork ? i == 0 : i == children;
            if (statement.op == Op::crew && own) continue;
            const bool newest = statement.op == Op::crew && i + 1 == children;
            const unsigned beside = own ? children : newest ? children - 1 : 0;
            most = std::max(most, beside + walk(blocks[i], false));
        }
        return most;
    }

    const Settings& settings_;
    std::string why_;
};

// Forks, so finds that no core can be started: from then on those that are idle are counted.
bool seeks_starts(const Statement& statement) {
    return statement.op == Op::call && statement.blocks[0].size() == 1 && is_short(statement.blocks[0][0]);
}

}  // namespace

bool has_parts(const Program& program) {
    for (const Core& core : program.cores) {
        if (meets_in_callable(core.body, false)) return true;
    }
    for (const Statement& gate : program.gates) {
        if (meets_in_callable(gate.blocks[0], false)) return true;
    }
    for (const Statement& timer : program.timers) {
        if (meets_in_callable(timer.blocks[0], false)) return true;
    }
    return false;
}

std::string why_no_parts(const Program& program, Demands& demands) {
    // A core that searches is idle, but asks only when its rounds end: the owner may fork no more by then.
    const bool adapts = (program.settings.policies & 2) != 0;
    if (program.settings.rounds != 0 || adapts) return "parts, while idle cores may be searching";
    bool sources = false;
    for_all(program, [&sources](const Statement& one) {
        sources = sources || is_of_source(one.op) || is_of_timer(one.op);
    });
    if (sources) return "something beside the parts";
    const unsigned cores = program.pools[0].cores;
    if (program.pools.size() != 1 || program.pools[0].last) return "parts have one pool";
    if (program.machine.per_call != 0) return "a start may be withdrawn";
    for (const Handler& handler : program.handlers) {
        for (const Statement& statement : handler.body) {
            if (statement.op != Op::offer) return "a handler that only offers";
        }
    }
    const Statement* root = nullptr;
    unsigned its_core = 0;
    for (unsigned id = 0; id != program.cores.size(); ++id) {
        const Block& body = program.cores[id].body;
        if (!has_meeting(body)) continue;
        if (root != nullptr || program.cores[id].rested) return "one root, of a core that is awake";
        root = &body[0], its_core = id;
    }
    const bool is_task = hands_in(root->op);
    if (!is_task && root->op != Op::call && root->op != Op::crew) return "a root in the pool";
    if (root->op == Op::batch && root->number[0] != 1) return "one root";
    unsigned idle = 0;  // cores of the pool, without the root's
    bool starts = false, seeks = false;
    bool ends = false;
    for (unsigned id = 0; id != program.cores.size(); ++id) {
        const Core& core = program.cores[id];
        if (!core.boots) {
            const bool comes = core.late.size() == 1 && core.late[0] == Start::normal;
            if (!comes && !core.late.empty()) return "a core that may not come";
            if (comes && id < cores) ++idle, starts = true;
            continue;
        }
        if (!core.late.empty()) return "a core that runs, and is off";
        bool waited = false;
        for (size_t i = 0; i != core.body.size(); ++i) {
            const Statement& statement = core.body[i];
            const bool last = i + 1 == core.body.size();
            if (&statement == root) {
                waited = statement.waits || !is_task;
            } else if (statement.op == Op::await) {
                waited = waited || is_task;
            } else if (statement.op == Op::shutdown) {
                if (!waited) return "who shuts down has waited";
                ends = true;
            } else if (statement.op == Op::join) {
                if (!ends || !waited) return "who joins has shut down";
            } else if (statement.op == Op::run) {
                const bool alone = (i == 0 || seeks_starts(core.body[0])) && i <= 1 && last && core.rested;
                const bool behind = its_core == id && last && !waited;
                if (id >= cores || (!alone && !behind)) return "workers sleep before the root begins";
                if (alone) ++idle;
            } else if (seeks_starts(statement) && i == 0 && core.rested && id < cores) {
                seeks = true;
            } else {
                return "something beside the parts";
            }
        }
    }
    if (starts && seeks) return "a core that was started may not have gone to sleep";
    Tree tree(program.settings);
    const std::string why = tree.look(root->op == Op::crew ? Block{*root} : root->blocks[0]);
    if (!why.empty()) return why;
    // The root runs on one of those that are idle, unless it is sure to run on the core that hands it in.
    bool here = !is_task && its_core < cores;
    if (root->op == Op::pin) {
        const unsigned target = root->number[0];
        if (target >= cores || target >= program.cores.size()) return "pinned to nobody";
        const Core& core = program.cores[target];
        const bool works =
            core.boots ? !core.body.empty() && core.body.back().op == Op::run : !core.late.empty();
        if (!works) return "pinned to a core that does not come";
        here = target == its_core;
    }
    if (tree.leaves > idle + (here ? 1 : 0)) return "more parts than cores that are idle";
    demands.endless[0] = !ends;
    demands.all_run[0] = demands.patient[0] = true;
    return "";
}

}  // namespace fuzz
