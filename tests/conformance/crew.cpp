// SPDX-License-Identifier: MIT OR Apache-2.0
// For the conformance test: starts cores and waits for them.
#include "crew.hpp"

namespace conformance {
namespace {

struct Job {
    Plain<Body> body;
    Atomic<uint32_t> busy;
};
Job jobs[max_crew];

uint32_t members[max_crew];
uint32_t member_count = 0;  // 0: not mustered yet

// The barrier of gather().
Atomic<uint32_t> gathered;
Atomic<uint32_t> gatherings;

void run_job(void* arg) {
    Job& job = *static_cast<Job*>(arg);
    job.body.get()(Port::core_id());
    job.busy.store(0, release);  // [C1] all that the body did
}

void set_job(uint32_t core, Body body) {
    jobs[core].body.set(body);
    jobs[core].busy.store(1, relaxed);  // start_core() makes the earlier writes visible to the entry
}

void do_nothing(uint32_t) {}

// False: there is no use in waiting for this core.
bool call(uint32_t core) {
    set_job(core, do_nothing);
    Port::Start start = Port::Start::refused;
    tap::eventually([&] {
        start = Port::start_core(core, run_job, &jobs[core]);
        return start != Port::Start::refused;
    });
    if (start == Port::Start::started) return true;
    tap::note("core ", core, start == Port::Start::absent ? ": start_core says absent" : ": always refused");
    jobs[core].busy.store(0, relaxed);  // nobody else has it
    return false;
}

bool everyone_came(const bool (&coming)[max_crew]) {
    for (uint32_t core = 1; core < max_crew; ++core) {
        if (coming[core] && busy(core)) return false;
    }
    return true;
}

void muster() {
    members[member_count++] = 0;
    bool coming[max_crew] = {};
    for (uint32_t core = 1; core < max_crew; ++core) coming[core] = call(core);
    tap::eventually([&] { return everyone_came(coming); });
    for (uint32_t core = 1; core < max_crew; ++core) {
        if (!coming[core]) continue;
        if (!busy(core)) {
            members[member_count++] = core;
            continue;
        }
        const bool cancelled = Port::cancel_start(core, &jobs[core]);
        tap::note("core ", core, ": start_core says started, but it did not come");
        if (!cancelled) tap::bail_out("a core does not come, and cancel_start says that it did");
        jobs[core].busy.store(0, relaxed);  // nobody else has it
    }
    if (member_count < max_crew) tap::note(member_count, " of ", max_crew, " configured cores are there");
}

}  // namespace

uint32_t crew() {
    if (member_count == 0) muster();
    return member_count;
}

uint32_t member(uint32_t index) { return index < crew() ? members[index] : 0; }

bool start_entry(uint32_t core, void (*entry)(void*), void* arg) {
    Port::Start start = Port::Start::refused;
    tap::wait_for(
        [&] {
            start = Port::start_core(core, entry, arg);
            return start != Port::Start::refused;
        },
        "a core that accepts a start again after its last entry returned");
    return start == Port::Start::started;
}

void start(uint32_t core, Body body) {
    if (core >= max_crew) tap::bail_out("no such core");
    set_job(core, body);
    if (!start_entry(core, run_job, &jobs[core])) tap::bail_out("a core that was there is absent now");
}

bool busy(uint32_t core) { return jobs[core].busy.load(acquire) != 0; }  // [C1]

void join(const char* what) {
    for (uint32_t i = 1; i < crew(); ++i) {
        const uint32_t core = member(i);
        if (!tap::eventually([=] { return !busy(core); }))
            tap::note("core ", core, " does not come to an end");
    }
    for (uint32_t i = 1; i < crew(); ++i) {
        if (busy(member(i))) tap::bail_out(what);
    }
}

void on_all(const char* what, Body body) {
    for (uint32_t i = 1; i < crew(); ++i) start(member(i), body);
    body(0);
    join(what);
}

void work_for_a_while() {
    tap::Stopwatch stopwatch;
    while (stopwatch.elapsed_ms() < 5) {
    }
}

void gather() {
    const uint32_t before = gatherings.load(acquire);    // [C2]
    if (gathered.fetch_add(1, acq_rel) + 1 == crew()) {  // [C2] the last one takes over what all others did
        gathered.store(0, relaxed);                      // published by the next store
        gatherings.store(before + 1, release);           // [C2]
        return;
    }
    tap::wait_for([=] { return gatherings.load(acquire) != before; }, "all cores at a meeting point");
}

void on_one(uint32_t core, const char* what, Body body) {
    if (core == 0) {
        const Watch watch(what, 0, 0);
        body(0);
        return;
    }
    start(core, body);
    join(what);
}

void on_two(uint32_t first, Body first_body, uint32_t second, Body second_body, const char* what) {
    const uint32_t other = first == 0 ? second : first;
    start(other, first == 0 ? second_body : first_body);
    (first == 0 ? first_body : second_body)(0);
    join(what);
}

}  // namespace conformance
