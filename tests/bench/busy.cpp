// SPDX-License-Identifier: MIT OR Apache-2.0
// bench: paths of one core while all others are busy: nobody is idle, nobody is woken.
#include "bench.hpp"

#include "crew.hpp"
#include "figures.hpp"
#include "machine.hpp"

namespace bench {
namespace {

constexpr int32_t batch_size = 64;

// The ring has room for all that is queued at a time.
WEFT_CONSTINIT weft::Pool<BOARD_CORES, 4096> pool{};

Samples samples;
Samples more_samples;

// ---- The next task from the own ring. Markers note when they run. Between two of them: the end of the first, the
// way to the second and its begin; with an empty task between them, also the way to that task, and its return.
// (Where the counter has ticks: one interval begins where the last one ended, so no tick is lost in the mean.)

uint32_t seen_at[2 * rounds + 1];
uint32_t seen = 0;

struct Marker : weft::Task {
    constexpr Marker() : Task(&Marker::run) {}
    static void run(weft::Task&) { seen_at[seen++] = counter("to_marker_and_empty"); }
};

struct NextMarker : weft::Task {
    constexpr NextMarker() : Task(&NextMarker::run) {}
    static void run(weft::Task&) { seen_at[seen++] = counter("to_marker"); }
};

Marker markers[rounds];
NextMarker next_markers[rounds + 1];
Empty empties[rounds];

void report_dispatch() {
    samples.clear();
    more_samples.clear();
    for (uint32_t i = 0; i != rounds; ++i) samples.add(seen_at[i + 1] - seen_at[i]);
    for (uint32_t i = rounds; i != 2 * rounds; ++i) more_samples.add(seen_at[i + 1] - seen_at[i]);
    const Tenths between = more_samples.typical() + instructions(1);
    print("dispatch", samples.typical() - between);
    if (exact) print("dispatch_high", samples.high() - between);
}

// ---- Batches. The last task of one asks for the next.

void submit_batch();
WEFT_CONSTINIT weft::Job next_batch(&submit_batch);

uint32_t batches = 0;
int32_t ran = 0;  // of the batch

struct Counted : weft::Task {
    constexpr Counted() : Task(&Counted::run) {}
    static void run(weft::Task&) {
        if (++ran != batch_size) return;
        ran = 0;
        must(pool.submit(next_batch));
    }
};

Counted counted[batch_size];

void submit_batch() {
    if (batches++ == rounds) {
        const Tenths linked = samples.typical() - reading;
        const Tenths submitted = more_samples.typical() - reading;
        print("batch_submit", submitted);
        print("batch_per_task", (linked + submitted + batch_size / 2) / batch_size);
        release_others();
        pool.shutdown();
        return;
    }
    weft::Batch batch;
    start_anywhere();
    const uint32_t begin = counter();
    for (Counted& task : counted) must(batch.push(task));
    const uint32_t linked = counter("batch_linked");
    const weft::Status status = pool.submit(batch);
    const uint32_t end = counter("batch_submit");
    must(status);
    samples.add(linked - begin);
    more_samples.add(end - linked);
}

// A call for each sample.
template <class Call>
[[gnu::always_inline]] inline void measure(const char* name, Call call) {
    samples.clear();
    for (uint32_t i = 0; i != rounds; ++i) {
        start_anywhere();
        const uint32_t begin = counter();
        const weft::Status status = call(i);
        const uint32_t end = counter(name);
        must(status);
        samples.add(end - begin);
    }
    print(name, samples.typical() - reading);
}

// ---- Strands, gates and events

struct OwnStrand : weft::Strand {
    constexpr OwnStrand() : Strand(pool) {}
};
WEFT_CONSTINIT OwnStrand strands[rounds];
Empty first_of_strand[rounds];
Empty behind_others[rounds];
Empty waiting[rounds];
WEFT_CONSTINIT weft::Event event(pool);
Empty follower;
WEFT_CONSTINIT weft::Gate gate(pool, follower, rounds + 1);

// ---- Timers and urgent tasks: in an image that has them

#if WEFT_TIMERS && WEFT_URGENCY_LEVELS > 1
Empty timed;
Empty rushed[rounds];

struct OwnTimer : weft::Timer {
    constexpr OwnTimer() : Timer(pool, timed) {}
};
WEFT_CONSTINIT OwnTimer timers[64]{};
WEFT_CONSTINIT OwnTimer timer{};

// A start and a cancel with others armed, which are due long after the run, in no order.
[[gnu::always_inline]] inline void start_and_cancel(const char* start, const char* cancel) {
    constexpr uint32_t far = 1u << 30;
    samples.clear();
    more_samples.clear();
    for (uint32_t i = 0; i != rounds; ++i) {
        start_anywhere();
        const uint32_t begin = counter();
        const weft::Status status = timer.start_after(far + i * 40503 % 65536 * 1024);
        const uint32_t started = counter(start);
        const weft::CancelResult result = timer.cancel();
        const uint32_t end = counter(cancel);
        must(status);
        if (result != weft::CancelResult::cancelled) fail("a timer that is far away was not cancelled");
        samples.add(started - begin);
        more_samples.add(end - started);
    }
    print(start, samples.typical() - reading);
    print(cancel, more_samples.typical() - reading);
}

void use_settings() {
    start_and_cancel("timer_start", "timer_cancel");
    for (uint32_t i = 0; i != 64; ++i) must(timers[i].start_after((1u << 30) + i * 25717 % 64 * (1u << 20)));
    start_and_cancel("timer_start_64", "timer_cancel_64");
    for (OwnTimer& one : timers) static_cast<void>(one.cancel());
    measure("urgent_submit", [](uint32_t i) { return pool.submit(rushed[i], weft::Urgency::urgent); });
}
#else
void use_settings() {}
#endif

// ---- Waiting

struct OwnCompletion : weft::Completion {
    constexpr OwnCompletion() : Completion(pool) {}
};
WEFT_CONSTINIT OwnCompletion completions[rounds + 1]{};
WEFT_CONSTINIT OwnCompletion never_submitted[rounds]{};

void use_work() {
    // What was queued before is done with this: from here on there is one task at a time.
    must(pool.submit(completions[rounds]));
    must(completions[rounds].wait());
    samples.clear();
    for (uint32_t i = 0; i != rounds; ++i) {
        start_anywhere();
        must(pool.submit(completions[i]));
        const uint32_t begin = counter();
        const weft::Status status = completions[i].wait();
        const uint32_t end = counter("work_wait");
        must(status);
        samples.add(end - begin);
    }
    print("work_wait", samples.typical() - reading);
    measure("work_cancel", [](uint32_t i) {
        const bool cancelled = never_submitted[i].cancel() == weft::CancelResult::cancelled;
        return cancelled ? weft::Status::ok : weft::Status::not_expected;
    });
}

void use_sources() {
    measure("strand_submit", [](uint32_t i) { return strands[i].submit(first_of_strand[i]); });
    measure("strand_behind", [](uint32_t i) { return strands[0].submit(behind_others[i]); });
    measure("gate_arrive", [](uint32_t) { return gate.arrive(); });
    measure("event_wait", [](uint32_t i) { return event.wait(waiting[i]); });
    measure("event_signal", [](uint32_t) { return event.signal(); });
    use_settings();
    use_work();
    samples.clear();
    more_samples.clear();
    must(pool.submit(next_batch));
}
WEFT_CONSTINIT weft::Job next_sources(&use_sources);

// ---- Submits

void submit_from_isr() {
    report_dispatch();
    measure("isr_submit", [](uint32_t i) { return pool.submit_from_isr(empties[i]); });
    must(pool.submit(next_sources));
}
WEFT_CONSTINIT weft::Job next_isr(&submit_from_isr);

void submit() {
    hold_others(pool);
    for (uint32_t i = 0; i != rounds; ++i) {
        start_anywhere();
        const uint32_t begin = counter();
        const weft::Status status = pool.submit(markers[i]);
        const uint32_t end = counter("submit");
        must(status);
        samples.add(end - begin);
        must(pool.submit(empties[i]));
    }
    print("submit", samples.typical() - reading);
    for (NextMarker& marker : next_markers) must(pool.submit(marker));
    must(pool.submit(next_isr));
}
WEFT_CONSTINIT weft::Job first(&submit);

}  // namespace

void measure_busy() { run_in(pool, first); }

}  // namespace bench
