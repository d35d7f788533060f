// SPDX-License-Identifier: MIT OR Apache-2.0
// Generated programs: where a statement may be added.
#include "places.hpp"

#include "sources.hpp"

namespace fuzz {

void Places::collect(Block& block, bool all, std::vector<Spot>& spots) {
    size_t end = 0;
    while (end != block.size() && (all || !may_hold_up(block[end]))) ++end;
    spots.push_back({&block, 0, end});
    for (Statement& statement : block) {
        for (Block& inner : statement.blocks) collect(inner, true, spots);
    }
}

void Places::put(const Statement& statement, bool deep) {
    const unsigned where = random_.weighed({55, deep ? 30u : 0u, 15});
    std::vector<Spot> spots;
    if (where == 2 && put_into_handler(statement)) return;
    for (Core& core : program_.cores) {
        if (!core.boots) continue;
        if (where != 1) collect_top(core.body, spots);
        if (where == 1) {
            for (Statement& one : core.body) {
                for (Block& inner : one.blocks) collect(inner, true, spots);
            }
        }
    }
    if (spots.empty()) return;
    const Spot& spot = spots[random_.below(static_cast<uint32_t>(spots.size()))];
    const uint32_t at = random_.below(static_cast<uint32_t>(spot.last - spot.first) + 1);
    spot.block->insert(spot.block->begin() + static_cast<std::ptrdiff_t>(spot.first + at), statement);
}

void Places::collect_top(Block& block, std::vector<Spot>& spots) {
    size_t end = 0;
    while (end != block.size() && (block[end].op == Op::arrive || !may_hold_up(block[end]))) ++end;
    spots.push_back({&block, 0, end});
}

bool Places::put_into_handler(const Statement& statement) {
    if (!program_.handlers.empty() && random_.chance(40)) {
        Block& body = program_.handlers[0].body;
        body.insert(body.begin() + random_.below(static_cast<uint32_t>(body.size()) + 1), statement);
        return true;
    }
    if (program_.handlers.size() > 2) return false;
    Handler handler;
    handler.core = random_.below(static_cast<uint32_t>(program_.cores.size()));
    if (!program_.cores[handler.core].boots) return false;
    handler.times = random_.chance(85) ? 1 : 2;
    handler.body.push_back(statement);
    program_.handlers.push_back(handler);
    return true;
}

Block* Places::any_top() {
    std::vector<Block*> tops;
    for (Core& core : program_.cores) {
        if (core.boots) tops.push_back(&core.body);
    }
    return tops.empty() ? nullptr : tops[random_.below(static_cast<uint32_t>(tops.size()))];
}

}  // namespace fuzz
