// SPDX-License-Identifier: MIT OR Apache-2.0
// Generated programs: the strands, gates and events of a run.
#pragma once

#include <weft/weft.hpp>

#include <new>

#include "engine/scenario.hpp"
#include "tree.hpp"

namespace fuzz {

class Sources {
public:
    // `followers`: one for each gate.
    template <class Pools, class Followers>
    void build(const Program& program, Pools& pools, Followers& followers) {
        for (unsigned pool = 0; pool != program.pools.size(); ++pool) {
            for (unsigned i = 0; i != most_sources; ++i) {
                new (&strand(pool, i)) weft::Strand(*pools[pool]);
                new (&event(pool, i)) weft::Event(*pools[pool]);
            }
        }
        for (unsigned i = 0; i != program.gates.size(); ++i) {
            const Statement& its = program.gates[i];
            new (&gate(i)) weft::Gate(*pools[its.pool], followers[i], its.number[0]);
        }
    }
    weft::Strand& strand(unsigned pool, unsigned number) {
        return *reinterpret_cast<weft::Strand*>(strands_[pool][number]);
    }
    weft::Event& event(unsigned pool, unsigned number) {
        return *reinterpret_cast<weft::Event*>(events_[pool][number]);
    }
    weft::Gate& gate(unsigned number) { return *reinterpret_cast<weft::Gate*>(gates_[number]); }

    // A strand and a gate are tasks, too, and come back as such from a pool that was abandoned. What kind they are is
    // told by where they are.
    bool is_strand(const weft::Task* task, unsigned pool) const { return lies_in(task, strands_[pool]); }
    // Its number, or -1.
    int number_of_gate(const weft::Task* task) const {
        for (unsigned i = 0; i != most_sources; ++i) {
            if (lies_in(task, gates_[i])) return static_cast<int>(i);
        }
        return -1;
    }
    // Nobody touches the strands and events of a pool any more that was joined.
    void end(unsigned pool) {
        weft::model::end_of_life(strands_[pool], sizeof strands_[pool]);
        weft::model::end_of_life(events_[pool], sizeof events_[pool]);
    }

private:
    template <class Room>
    static bool lies_in(const weft::Task* task, const Room& room) {
        const uintptr_t at = reinterpret_cast<uintptr_t>(task);
        const uintptr_t begin = reinterpret_cast<uintptr_t>(&room);
        return at >= begin && at < begin + sizeof(Room);
    }

    alignas(64) unsigned char strands_[most_pools][most_sources][sizeof(weft::Strand)];
    alignas(64) unsigned char events_[most_pools][most_sources][sizeof(weft::Event)];
    alignas(64) unsigned char gates_[most_sources][sizeof(weft::Gate)];
};

}  // namespace fuzz
