// SPDX-License-Identifier: MIT OR Apache-2.0
// Generated programs: where a statement may be added to one that has its cores.
#pragma once

#include "random.hpp"
#include "tree.hpp"

namespace fuzz {

class Places {
public:
    Places(Program& program, Random& random) : program_(program), random_(random) {}

    // Where a core begins, or in a handler; `deep`: in tasks, too.
    void put(const Statement& statement, bool deep);
    // nullptr: no core runs from the beginning.
    Block* any_top();

private:
    struct Spot {
        Block* block;
        size_t first, last;  // where something may be put in
    };
    void collect(Block& block, bool all, std::vector<Spot>& spots);
    static void collect_top(Block& block, std::vector<Spot>& spots);
    bool put_into_handler(const Statement& statement);

    Program& program_;
    Random& random_;
};

}  // namespace fuzz
