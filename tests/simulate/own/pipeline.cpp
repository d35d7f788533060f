// SPDX-License-Identifier: MIT OR Apache-2.0
// simulate: a program of one's own, as an example:  make simulate CORES=8 APP=tests/simulate/own/pipeline.cpp
//
// Frames pass three stages. The middle one must see them in order, so it is a strand: at most one core is at it. The
// simulator counts what src/ does; what your own code takes is said by work(), in picoseconds.
#include "tests/simulate/apps.hpp"

namespace {

using namespace simulate;

constexpr Time us = 1000000;
constexpr uint32_t frames = 1024;

struct Frame : weft::TaskOf<Frame> {
    void run() {
        if (stage == 1) {
            work(2 * us);  // in order
            stage = 2;
            return must(share->pool->submit(*this));
        }
        work(stage == 0 ? 6 * us : 8 * us);
        if (stage == 2) return group->done();
        stage = 1;
        must(strand->submit(*this));
    }
    Share* share = nullptr;
    weft::Strand* strand = nullptr;
    Group* group = nullptr;
    uint32_t stage = 0;
};

void pipeline(Share& share) {
    const uint32_t count = share.of(frames);
    Frame* const all = new Frame[count];
    weft::Strand* const strand = new weft::Strand(*share.pool);
    Group* const group = new Group;
    group->share = &share;
    group->left.store(count, weft::relaxed);
    share.left.store(1, weft::relaxed);  // groups: the last one ends the pool
    weft::Batch batch;
    for (uint32_t i = 0; i != count; ++i) {
        all[i].share = &share, all[i].strand = strand, all[i].group = group;
        must(batch.push(all[i]));
    }
    must(share.pool->submit(batch));
}

}  // namespace

const App simulate::apps[] = {{"pipeline", "1024 frames through 6 us, 2 us in order, and 8 us", pipeline}};
const unsigned simulate::app_count = 1;
