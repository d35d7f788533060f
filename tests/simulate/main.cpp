// SPDX-License-Identifier: MIT OR Apache-2.0
// simulate: one run, and its figures in one line.
//
//     build/simulate/simulate APP CORES                   a line of NAME=VALUE
//     build/simulate/simulate APP CORES DIVISOR [FILE]    a part of the program; with WEFT_TRACE=1 its trace into FILE
//     build/simulate/simulate                             the programs
//
// All cores have started and sleep again before the clock of the figures begins. A pool has at most 24 cores; of more,
// there are several images with a pool each, and nothing passes from one to the other.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <utility>

#include <weft/trace.hpp>

#include "apps.hpp"

namespace simulate {

namespace {

constexpr unsigned most_of_a_pool = 24;
constexpr unsigned most_images = 3;
constexpr Time from = 20000000000;  // 20 ms
constexpr Time warm_up = 100000000;

const App* app;
Share shares[most_images];

template <unsigned cores>
weft::Scheduler* make_pool() {
    return new weft::Pool<cores>;
}
template <unsigned... numbers>
weft::Scheduler* pool_of(unsigned cores, std::integer_sequence<unsigned, numbers...>) {
    constexpr weft::Scheduler* (*made[])() = {make_pool<numbers + 1>...};
    return made[cores - 1]();
}

// Figures cost nothing.
weft::CoreStats statistics(const Share& share) {
    weft::model::running = false;
    const weft::CoreStats all = share.pool->total();
    weft::model::running = true;
    return all;
}

#if WEFT_TRACE
// The trace begins where the figures do: with who sleeps, and the task that begins.
void tell(unsigned core, weft::TraceEvent event, uintptr_t object) {
    using weft::detail::TraceRing;
    TraceRing& ring = weft_trace.at[core];
    auto* const place = ring.place(ring.begun.fetch_add(1, weft::relaxed));
    place[TraceRing::what].store(static_cast<uint32_t>(event) << 24, weft::relaxed);
    place[TraceRing::object].store(static_cast<uint32_t>(object), weft::relaxed);
    place[TraceRing::tick].store(static_cast<uint32_t>(now() / 1000), weft::relaxed);
}
void begin_trace(const Share& share, uintptr_t function) {
    weft::model::running = false;
    for (unsigned core = 0; core != share.cores; ++core) {
        weft_trace.at[core].begun.store(0, weft::relaxed);
        tell(core, weft::TraceEvent::enter, reinterpret_cast<uintptr_t>(share.pool));
        tell(core, asleep(core) ? weft::TraceEvent::park : weft::TraceEvent::begin,
             asleep(core) ? 0 : function);
    }
    weft::model::running = true;
}
bool write_trace(const char* name) {
    FILE* const file = fopen(name, "wb");
    if (file == nullptr) return false;
    const size_t rings = weft::detail::trace_rings * sizeof *weft_trace.at;
    const bool written =
        fwrite(&weft_trace, sizeof weft_trace, 1, file) == 1 && fwrite(weft_trace.at, rings, 1, file) == 1;
    return (fclose(file) == 0) && written;
}
#else
void begin_trace(const Share&, uintptr_t) {}
bool write_trace(const char*) { return false; }
#endif

struct Begin : weft::TaskOf<Begin> {
    void run() {
        work_until(from);
        for (unsigned core = 0; core != share->cores; ++core)
            share->rested += asleep(share->first + core) ? 1u : 0u;
        if (share->first == 0)
            begin_trace(*share, reinterpret_cast<uintptr_t>(weft::detail::TaskAccess::run(*this)));
        share->before = statistics(*share);
        share->begin = now();
        app->begin(*share);
    }
    Share* share = nullptr;
};
Begin begins[most_images];

void body(unsigned image) {
    Share& share = shares[image];
    begins[image].share = &share;
    submit_items(share, 4 * share.cores, warm_up);
    if (share.pool->run() != weft::Status::ok || share.pool->join() != weft::Status::ok) exit(4);
    share.end = now();
    share.after = statistics(share);
}

// nullptr: there is none of that name.
const App* app_of(const char* name) {
    for (unsigned i = 0; i != app_count; ++i) {
        if (strcmp(apps[i].name, name) == 0) return &apps[i];
    }
    return nullptr;
}

void print_programs() {
    for (unsigned i = 0; i != app_count; ++i) printf("%s\t%s\n", apps[i].name, apps[i].says);
}

void print_figures(unsigned cores, unsigned images) {
    Time begin = shares[0].begin;
    Time end = 0;
    uint64_t executed = 0;
    uint64_t stolen = 0;
    uint64_t looks = 0;
    uint64_t rested = 0;
    for (unsigned image = 0; image != images; ++image) {
        const Share& share = shares[image];
        begin = share.begin < begin ? share.begin : begin;
        end = share.end > end ? share.end : end;
        executed += share.after.executed - share.before.executed;
        stolen += share.after.stolen - share.before.stolen;
        looks += share.after.steal_attempts - share.before.steal_attempts;
        rested += share.rested;
    }
    const Counts& all = counts();
    printf(
        "app=%s cores=%u pools=%u rested=%llu time=%llu executed=%llu steals=%llu looks=%llu wakes=%llu "
        "starts=%llu moves=%llu awake=%llu\n",
        app->name, cores, images, static_cast<unsigned long long>(rested),
        static_cast<unsigned long long>(end - begin), static_cast<unsigned long long>(executed),
        static_cast<unsigned long long>(stolen), static_cast<unsigned long long>(looks),
        static_cast<unsigned long long>(all.wakes), static_cast<unsigned long long>(all.starts),
        static_cast<unsigned long long>(all.moves), static_cast<unsigned long long>(all.awake));
}

}  // namespace

void Share::done() {
    if (left.fetch_sub(1, weft::acq_rel) != 1) return;
    if (begin != 0) return pool->shutdown();
    if (pool->submit(begins[this - shares]) != weft::Status::ok) exit(4);
}

static int simulate_one(unsigned cores) {
    Image images[most_images];
    const unsigned count = (cores + most_of_a_pool - 1) / most_of_a_pool;
    unsigned first = 0;
    for (unsigned image = 0; image != count; ++image) {
        const unsigned of_image = (cores - first + (count - image) - 1) / (count - image);
        images[image] = Image{first, of_image, body};
        Share& share = shares[image];
        share.pool = pool_of(of_image, std::make_integer_sequence<unsigned, most_of_a_pool>());
        share.first = first;
        share.cores = share.part = of_image;
        share.whole = cores;
        first += of_image;
    }
    count_from(from);
    run(images, count);
    print_figures(cores, count);
    return 0;
}

}  // namespace simulate

int main(int count, char** words) {
    if (count == 1) return simulate::print_programs(), 0;
    simulate::app = simulate::app_of(words[1]);
    const long cores = count >= 3 ? strtol(words[2], nullptr, 10) : 0;
    const long divisor = count >= 4 ? strtol(words[3], nullptr, 10) : 1;
    if (simulate::app == nullptr || cores < 1 || cores > static_cast<long>(simulate::most_cores) ||
        divisor < 1 || divisor > 1024 || count > 5) {
        fprintf(stderr, "weft: simulate APP CORES: one of its programs, and 1 to %u cores\n",
                simulate::most_cores);
        return 2;
    }
    simulate::divisor = static_cast<uint32_t>(divisor);
    const int status = simulate::simulate_one(static_cast<unsigned>(cores));
    if (status != 0 || count < 5 || simulate::write_trace(words[4])) return status;
    fprintf(stderr, "weft: no trace: %s cannot be written, or WEFT_TRACE is 0\n", words[4]);
    return 2;
}
