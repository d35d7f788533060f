// SPDX-License-Identifier: MIT OR Apache-2.0
// Generated programs: where cores are made to stand still, where they are asked to leave, and how many may block.
#include "add_crew.hpp"

#include <stddef.h>

#include "make.hpp"

namespace fuzz {

namespace {

class Adder {
public:
    Adder(Program& program, Random& random) : program_(program), random_(random) {}

    // ---- Standing still

    void add_stills(bool racing) {
        for (unsigned left = 1 + random_.weighed({55, 35, 10}); left != 0; --left) {
            Statement one =
                plain(Op::still, 0, patience(), random_.chance(30) ? 1 + random_.below(most_vain) : 0);
            one.blocks.resize(1);
            for (unsigned more = random_.weighed({35, 50, 15}); more != 0; --more)
                one.blocks[0].push_back(meanwhile(racing));
            put(one, random_.chance(40));
        }
        if (random_.chance(8)) put(plain(Op::resume), random_.chance(50));
    }

    // ---- Coming and going

    void add_crew() {
        const bool naps = program_.settings.timers != 0 && random_.chance(60);
        const bool limits = random_.chance(30);
        if (random_.chance(naps || limits ? 45 : 95)) {
            for (unsigned left = 1 + random_.weighed({50, 35, 15}); left != 0; --left) ask();
        }
        if (limits) put_first(plain(Op::limit, 0, 1 + random_.below(cores())));
        if (naps) put_first(plain(Op::keep, 0, nap()));
        if (limits && random_.chance(50))
            put(plain(Op::limit, 0, random_.below(cores() + 1)), random_.chance(30));
        if (naps && random_.chance(15)) put(plain(Op::keep, 0, nap()), random_.chance(30));
        if (random_.chance(45)) beside_its_start();
    }

    void add_limits() {
        for (unsigned left = random_.weighed({30, 45, 25}); left != 0; --left)
            put(plain(Op::most, 0, random_.below(cores() + 2)), random_.chance(40));
        if (random_.chance(30)) put_first(plain(Op::most, 0, 1 + random_.below(cores())));
    }

private:
    uint32_t cores() const { return program_.pools[0].cores; }
    uint32_t patience() {
        const uint32_t limit = static_cast<uint32_t>(deadline_of(program_));
        return random_.one_of<uint32_t>(
            {0, 1, limit, 2 * limit, 2 * limit, 0x7fffffffu, 0x7fffffffu, 0x80000000u});
    }
    uint32_t nap() {
        return random_.one_of<uint32_t>(
            {0, 0, 0, 1, 20, static_cast<uint32_t>(deadline_of(program_)), 0x80000000u});
    }
    Statement task() {
        Statement one = plain(Op::submit);
        one.blocks.resize(1);
        return one;
    }
    Statement meanwhile(bool racing) {
        switch (random_.weighed({50, 12, 12, 8, 6, racing ? 25u : 0u})) {
            case 0: return task();
            case 1: {
                Statement batch = plain(Op::batch, 0, 1 + random_.below(4));
                batch.blocks.resize(1);
                return batch;
            }
            case 2: {
                Statement fork = plain(random_.chance(50) ? Op::fork : Op::call);
                fork.blocks.resize(fork.op == Op::fork ? 2 : 1);
                return fork;
            }
            case 3: {
                Statement strand = plain(Op::strand);
                strand.blocks.resize(1);
                return strand;
            }
            case 4: {
                Statement inner = plain(Op::still, 0, 0);
                inner.blocks.resize(1);
                return inner;
            }
            default: return plain(random_.chance(60) ? Op::shutdown : Op::abandon);
        }
    }
    // A core that is started for a pinned task, and is retired, comes by itself just then.
    void beside_its_start() {
        const uint32_t id = random_.below(cores());
        const Spot spot = any(false);
        if (id >= program_.cores.size() || spot.block == nullptr || program_.cores[id].boots) return;
        Core& core = program_.cores[id];
        core.boots = true;
        const Statement calls[] = {plain(Op::poll, 0, 1), plain(Op::run), plain(Op::call)};
        core.body.push_back(calls[random_.weighed({50, 35, 15})]);
        core.body.back().blocks.resize(core.body.back().op == Op::call ? 1 : 0);
        size_t at = spot.first + random_.below(static_cast<uint32_t>(spot.last - spot.first) + 1);
        Statement pin = plain(Op::pin, 0, id);
        pin.blocks.resize(1);
        insert(*spot.block, at, pin);
        at += 1 + random_.below(static_cast<uint32_t>(spot.last - at) + 1);
        insert(*spot.block, at, random_.chance(70) ? followed(id) : plain(Op::retire, 0, id));
    }
    // retire(), and what follows on that core's leaving.
    Statement followed(uint32_t core) {
        if (program_.works.size() == most_works) return plain(Op::retire, 0, core);
        program_.works.push_back(plain(Op::work, 0, random_.below(2)));
        program_.works.back().blocks.resize(1);
        return plain(Op::tell, 0, static_cast<uint32_t>(program_.works.size()) - 1, core);
    }
    // A core is retired, and perhaps admitted again.
    void ask() {
        const uint32_t core = random_.below(cores() + (random_.chance(4) ? 1 : 0));
        Spot spot = any(random_.chance(40));
        if (spot.block == nullptr) return;
        size_t at = spot.first + random_.below(static_cast<uint32_t>(spot.last - spot.first) + 1);
        insert(*spot.block, at, random_.chance(40) ? followed(core) : plain(Op::retire, 0, core));
        if (!random_.chance(55)) return;
        if (random_.chance(40)) {
            put(plain(Op::admit, 0, core), random_.chance(30));
        } else {
            at += 1 + random_.below(static_cast<uint32_t>(spot.last - at) + 1);
            insert(*spot.block, at, plain(Op::admit, 0, core));
        }
        if (!random_.chance(30) || core >= program_.cores.size()) return;
        Block& body = program_.cores[core].body;  // it comes back
        if (!body.empty() && body.back().op == Op::run) body.push_back(plain(Op::run));
    }

    struct Spot {
        Block* block = nullptr;
        size_t first = 0, last = 0;
    };
    static bool stays(Op op) {
        return op == Op::run || op == Op::cycle || op == Op::meet || op == Op::forever || op == Op::join ||
               op == Op::shutdown || op == Op::abandon || op == Op::serve || op == Op::await;
    }
    static Spot spot_in(Block& block) {
        Spot spot{&block, 0, 0};
        while (spot.last != block.size() && !stays(block[spot.last].op)) ++spot.last;
        return spot;
    }
    Spot any(bool in_task) {
        std::vector<Spot> spots;
        for (Core& core : program_.cores) {
            if (core.boots && !in_task) spots.push_back(spot_in(core.body));
            if (!in_task) continue;
            for_each(core.body, [&spots](Statement& one) {
                for (Block& block : one.blocks) spots.push_back(spot_in(block));
            });
        }
        if (spots.empty()) return in_task ? any(false) : Spot{};
        return spots[random_.below(static_cast<uint32_t>(spots.size()))];
    }
    static void insert(Block& block, size_t at, const Statement& one) {
        block.insert(block.begin() + static_cast<std::ptrdiff_t>(at), one);
    }
    void put(const Statement& one, bool in_task) {
        const Spot spot = any(in_task);
        if (spot.block == nullptr) return;
        insert(*spot.block, spot.first + random_.below(static_cast<uint32_t>(spot.last - spot.first) + 1),
               one);
    }
    // Before all else, if this core is the first one to go on.
    void put_first(const Statement& one) {
        for (size_t id = program_.cores.size(); id-- != 0;) {
            if (!program_.cores[id].boots) continue;
            insert(program_.cores[id].body, 0, one);
            return;
        }
    }

    Program& program_;
    Random& random_;
};

}  // namespace

void add_stills(Program& program, Random& random, bool racing) { Adder(program, random).add_stills(racing); }

void add_crew(Program& program, Random& random) { Adder(program, random).add_crew(); }

void add_limits(Program& program, Random& random) { Adder(program, random).add_limits(); }

}  // namespace fuzz
