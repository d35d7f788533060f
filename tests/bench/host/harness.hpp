// SPDX-License-Identifier: MIT OR Apache-2.0
// bench/host: what every program of the comparison shares: its arguments, samples, the proof that all tasks ran, and
// the counter of allocations. One program per scheduler; measure.py runs them in turn, one process per figure.
//
//     <program> <workload> <workers> <size> <budget in ms>      prints lines `name value`
#pragma once

#include <semaphore.h>
#include <stddef.h>
#include <stdint.h>

#include <initializer_list>

namespace bench {

struct Arguments {
    const char* workload;
    uint32_t workers;
    uint64_t size;
    int64_t budget;  // ns
};

struct Workload {
    const char* name;
    void (*run)(const Arguments&);
};

// Finds the workload that the command line names and runs it. The value for main(). A program that does not have the
// workload says so and succeeds.
int dispatch(int argc, char** argv, std::initializer_list<Workload> workloads);

int64_t now();  // ns
[[noreturn]] void fail(const char* what);
inline void expect(bool good, const char* what) {
    if (!good) fail(what);
}
void print(const char* name, double value);

void pin(uint32_t cpu);  // the calling thread

// Gives each worker a processor of its own, if there is more than one: where Linux puts a thread that wakes is not to
// be measured. Workers: all threads but the calling one, and that one too if there would be too few.
void pin_workers(const Arguments& arguments);

void pause();  // a breath in a spin loop
void sleep(int64_t ns);
int64_t others_cpu_time();  // ns that all threads but this one have used

// ---- Allocations. Each thread counts its own, so that counting disturbs nobody.

void count_allocation();
uint64_t allocations();  // malloc, calloc, realloc, aligned_alloc..., operator new; of all threads

// ---- The proof that all tasks ran, and when: each thread counts those it ran in a line of its own.

struct alignas(64) Tally {
    uint64_t count = 0;
};
extern __thread Tally* tally;  // thread_local would be read through a function
Tally* claim_tally();

// One task ran.
inline void tick() {
    Tally* mine = tally;
    if (__builtin_expect(mine == nullptr, 0)) mine = claim_tally();
    __atomic_store_n(&mine->count, mine->count + 1, __ATOMIC_RELEASE);
}
uint64_t ticks();  // of all threads

// Waits, mostly asleep, until all threads together have counted `until`. It sleeps through most of what it took the
// last time, and looks every few microseconds only near the end: the lines it reads are those that the workers write.
class Watch {
public:
    void wait(uint64_t until);

private:
    int64_t usual_ = 0;
};

// Set by one thread, awaited by another.
class Signal {
public:
    Signal() { sem_init(&semaphore_, 0, 0); }
    ~Signal() { sem_destroy(&semaphore_); }
    Signal(const Signal&) = delete;
    Signal& operator=(const Signal&) = delete;
    void set() { sem_post(&semaphore_); }
    void wait() {
        while (sem_wait(&semaphore_) != 0) {
        }  // a signal came
    }

private:
    sem_t semaphore_;
};

// ---- Samples

class Samples {
public:
    Samples();
    ~Samples();
    Samples(const Samples&) = delete;
    Samples& operator=(const Samples&) = delete;
    void add(double value);
    uint32_t size() const { return size_; }
    double quantile(double of_one);  // sorts

private:
    double* values_;
    uint32_t size_ = 0;
};

// Runs `sample` once to warm up, then until the budget is spent, at least three times, and prints ns per operation
// (median and least) and the allocations per operation. Of a long sample once is enough.
template <class Sample>
void measure(const Arguments& arguments, double operations, Sample sample) {
    const int64_t begin = now();
    sample();
    const int64_t once = now() - begin;
    pin_workers(arguments);
    const int64_t end = now() + arguments.budget;
    Samples samples;
    const uint64_t before = allocations();
    do {
        const int64_t from = now();
        sample();
        samples.add(static_cast<double>(now() - from) / operations);
    } while (now() < end || (samples.size() < 3 && once < arguments.budget));
    print("allocations", static_cast<double>(allocations() - before) / samples.size() / operations);
    print("ns", samples.quantile(0.5));
    print("least", samples.quantile(0));
    print("samples", samples.size());
}

// ---- Wakes. `submit` hands one task to the pool, whose only worker is another thread; the task calls woken().

struct Wake {
    int64_t at;        // now() at the first instruction of the task
    uint32_t ran = 0;  // tasks so far
};
extern Wake wake;

inline void woken() {
    wake.at = now();
    __atomic_store_n(&wake.ran, wake.ran + 1, __ATOMIC_RELEASE);
}
inline void pinned_and_woken() {
    pin(1);
    woken();
}
inline void wait_for_wake(uint32_t ran) {
    while (__atomic_load_n(&wake.ran, __ATOMIC_ACQUIRE) != ran) pause();
}

constexpr int64_t until_asleep = 1000000;  // ns: longer than anybody here searches

// `first` submits a task that calls pinned_and_woken(), `submit` one that calls woken(). The pause between two: `rest`
// ns; 0: the next submit follows at once, while the worker is still awake if it searches at all.
template <class First, class Submit>
void measure_wakes(const Arguments& arguments, int64_t rest, First first, Submit submit) {
    pin(0);
    first();
    wait_for_wake(1);
    Samples delays;
    Samples trips;  // until the submitter knows
    const uint64_t before = allocations();
    for (uint32_t i = 0; i != arguments.size; ++i) {
        if (rest != 0) sleep(rest);
        const int64_t from = now();
        submit();
        wait_for_wake(i + 2);
        trips.add(static_cast<double>(now() - from));
        delays.add(static_cast<double>(wake.at - from));
    }
    print("allocations", static_cast<double>(allocations() - before) / static_cast<double>(arguments.size));
    print("ns", delays.quantile(0.5));
    print("high", delays.quantile(0.99));
    print("least", delays.quantile(0));
    print("round_trip", trips.quantile(0.5));
    print("samples", delays.size());
}

// What the workers use while they have nothing to do: `ns` per second.
void measure_idle(const Arguments& arguments);

}  // namespace bench
