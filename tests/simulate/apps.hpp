// SPDX-License-Identifier: MIT OR Apache-2.0
// simulate: what a program is. It has the same work whatever the number of cores; an image gets the part of its cores.
#pragma once

#include <weft/weft.hpp>

#include "machine.hpp"

namespace simulate {

// A part of each program is enough for a picture.
inline uint32_t divisor = 1;

// What one image does.
struct Share {
    weft::Scheduler* pool = nullptr;
    unsigned first = 0;  // core
    unsigned cores = 0;
    uint32_t part = 0;   // of `whole`: cores of this image
    uint32_t whole = 0;  // cores of all
    Time begin = 0;
    Time end = 0;
    weft::CoreStats before, after;
    unsigned rested = 0;  // cores that slept when it began
    alignas(WEFT_MODEL_LINE) weft::Atomic<uint32_t> left{0};

    // So many of `all` are this image's.
    uint32_t of(uint32_t all) const { return static_cast<uint32_t>(uint64_t{all / divisor} * part / whole); }
    void done();  // of a group: the last one ends the pool, or begins the program
};

struct App {
    const char* name;
    const char* says;
    void (*begin)(Share&);  // in a task
};

// The programs that can be chosen: those of apps.cpp, or those of the one file that `make simulate APP=` names.
extern const App apps[];
extern const unsigned app_count;

// Ends the program if it is not ok.
void must(weft::Status status);

// Items that are counted together.
struct alignas(WEFT_MODEL_LINE) Group {
    void done() {
        if (left.fetch_sub(1, weft::acq_rel) == 1) share->done();
    }
    weft::Atomic<uint32_t> left{0};
    Share* share = nullptr;
};

// A task that computes.
struct Item : weft::TaskOf<Item> {
    void run() {
        work(length);
        group->done();
    }
    Group* group = nullptr;
    Time length = 0;
};
// Nothing is handed in yet.
void prepare_items(Share& share, Item* items, uint32_t count, Time length);
// In one batch.
void submit_items(Share& share, uint32_t count, Time length);

}  // namespace simulate
