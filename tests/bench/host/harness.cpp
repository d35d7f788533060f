// SPDX-License-Identifier: MIT OR Apache-2.0
// bench/host: arguments, clocks, samples. The allocations are counted in allocations.cpp.
#include "harness.hpp"

#include <dirent.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>

#include <algorithm>

namespace bench {
namespace {

constexpr uint32_t most_threads = 64;
constexpr uint32_t most_samples = 100000;

Tally tallies[most_threads];
uint32_t tallies_used = 0;

// A machine without that processor is measured as it is.
void pin_thread(pid_t thread, uint32_t cpu) {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(cpu, &set);
    sched_setaffinity(thread, sizeof set, &set);
}

int64_t read(clockid_t clock) {
    timespec time = {};
    clock_gettime(clock, &time);
    return static_cast<int64_t>(time.tv_sec) * 1000000000 + time.tv_nsec;
}

}  // namespace

__thread Tally* tally = nullptr;
Wake wake;

int dispatch(int argc, char** argv, std::initializer_list<Workload> workloads) {
    if (argc != 5) fail("arguments: workload workers size milliseconds");
    prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL);
    const Arguments arguments = {argv[1], static_cast<uint32_t>(strtoul(argv[2], nullptr, 0)),
                                 strtoull(argv[3], nullptr, 0), strtoll(argv[4], nullptr, 0) * 1000000};
    for (const Workload& workload : workloads) {
        if (strcmp(workload.name, arguments.workload) != 0) continue;
        workload.run(arguments);
        return 0;
    }
    puts("absent 1");
    return 0;
}

int64_t now() { return read(CLOCK_MONOTONIC); }

int64_t others_cpu_time() { return read(CLOCK_PROCESS_CPUTIME_ID) - read(CLOCK_THREAD_CPUTIME_ID); }

void fail(const char* what) {
    fprintf(stderr, "bench: %s\n", what);
    _Exit(1);
}

void print(const char* name, double value) { printf("%s %.6g\n", name, value); }

void pin(uint32_t cpu) { pin_thread(0, cpu); }

void pin_workers(const Arguments& arguments) {
    if (arguments.workers < 2) return;
    pid_t threads[most_threads];
    uint32_t count = 0;
    DIR* const folder = opendir("/proc/self/task");
    expect(folder != nullptr, "no list of threads");
    while (const dirent* const entry = readdir(folder)) {
        const pid_t thread = static_cast<pid_t>(strtol(entry->d_name, nullptr, 10));
        if (thread > 0 && count < most_threads) threads[count++] = thread;
    }
    closedir(folder);
    std::sort(threads, threads + count);
    const uint32_t outside = count > arguments.workers ? 1 : 0;  // the main thread has the lowest number
    for (uint32_t i = outside; i < count; ++i) pin_thread(threads[i], i - outside);
}

void pause() {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
}

void sleep(int64_t ns) {
    const timespec time = {static_cast<time_t>(ns / 1000000000), static_cast<long>(ns % 1000000000)};
    nanosleep(&time, nullptr);
}

Tally* claim_tally() {
    const uint32_t index = __atomic_fetch_add(&tallies_used, 1, __ATOMIC_RELAXED);
    expect(index < most_threads, "more threads than tallies");
    tally = &tallies[index];
    return tally;
}

uint64_t ticks() {
    uint64_t sum = 0;
    for (const Tally& one : tallies) sum += __atomic_load_n(&one.count, __ATOMIC_ACQUIRE);
    return sum;
}

void Watch::wait(uint64_t until) {
    constexpr int64_t look_again = 5000;
    const int64_t begin = now();
    if (usual_ > 0) sleep(usual_ - usual_ / 16);
    while (ticks() != until) sleep(look_again + usual_ / 256);
    const int64_t took = now() - begin;
    if (usual_ == 0 || took < usual_) usual_ = took;
}

Samples::Samples() : values_(static_cast<double*>(calloc(most_samples, sizeof(double)))) {
    expect(values_ != nullptr, "no memory");
}
Samples::~Samples() { free(values_); }

void Samples::add(double value) {
    if (size_ < most_samples) values_[size_++] = value;
}

double Samples::quantile(double of_one) {
    expect(size_ != 0, "no samples");
    std::sort(values_, values_ + size_);
    return values_[static_cast<uint32_t>(of_one * (size_ - 1) + 0.5)];
}

void measure_idle(const Arguments& arguments) {
    sleep(50000000);  // whoever searches for a while has given up by then
    const int64_t begin = now();
    const int64_t used = others_cpu_time();
    sleep(static_cast<int64_t>(arguments.size) * 1000000);
    const double spent = static_cast<double>(others_cpu_time() - used);  // two clocks: may come out below 0
    const double share = std::max(spent, 0.0) / static_cast<double>(now() - begin);
    print("ns", share * 1e9);
    print("least", share * 1e9);
    print("samples", 1);
}

}  // namespace bench
