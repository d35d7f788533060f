// SPDX-License-Identifier: MIT OR Apache-2.0
// Generated programs: the works of a run.
#pragma once

#include <weft/weft.hpp>
#include <weft/work.hpp>

#include <new>

#include "judge_works.hpp"
#include "tree.hpp"

namespace fuzz {

template <class World>
class Works {
public:
    template <class Pools>
    void build(const Program& program, Pools& pools, World& world) {
        all_ = static_cast<unsigned>(program.works.size());
        for (unsigned i = 0; i != all_; ++i) {
            weft::Scheduler& pool = *pools[program.works[i].pool];
            if (program.works[i].number[0] == 0) {
                works_[i] = new (memory_[i]) weft::Work<Job>(pool, Job{&world, i});
            } else {
                works_[i] = new (memory_[i]) weft::Completion(pool);
            }
        }
    }
    weft::Waitable& work(unsigned number) { return *works_[number]; }
    // Its number, or -1.
    int number_of(const weft::Task* task) const {
        for (unsigned i = 0; i != all_; ++i) {
            if (task == works_[i]) return static_cast<int>(i);
        }
        return -1;
    }
    void end(unsigned number) { weft::model::end_of_life(memory_[number], sizeof memory_[number]); }

private:
    struct Job {
        World* world;
        unsigned number;
        void operator()() const { world->run_work(number); }
    };

    alignas(64) unsigned char memory_[most_works][sizeof(weft::Work<Job>)];
    weft::Waitable* works_[most_works] = {};
    unsigned all_ = 0;
};

}  // namespace fuzz
