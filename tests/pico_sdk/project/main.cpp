// SPDX-License-Identifier: MIT OR Apache-2.0
// A program of the Pico SDK that shares its work between both cores.
#include <weft/weft.hpp>
#include <weft_pico.h>

#include "pico/stdlib.h"

namespace {

constexpr uint32_t pieces = 2000;
constexpr uint32_t periods = 5;

WEFT_CONSTINIT weft::Pool<2> pool{};
weft::Atomic<uint32_t> done{};
weft::Atomic<uint32_t> both{};
uint32_t core1_began;

// Handed in before main(), by a constructor.
weft::Job early([] { done.fetch_add(1, weft::acq_rel); });
struct Early {
    Early() : status(pool.submit(early)) {}
    weft::Status status;
} submitted;

// One on each core: each waits until the other one runs.
void meet() {
    both.fetch_add(1, weft::acq_rel);
    while (both.load(weft::acquire) < 2) {
        // The other core is coming.
    }
}
weft::Job on0(meet);
weft::Job on1(meet);

struct Tick : weft::TaskOf<Tick> {
    void run();
    uint32_t count = 0;
    uint64_t last = 0;
    bool early = false;
} tick;
weft::Timer timer{pool, tick};

void Tick::run() {
    const uint64_t now = time_us_64();
    if (count != 0 && now < last) early = true;
    last = now;
    if (++count != periods) return;
    (void)timer.cancel();
    pool.shutdown();
}

weft::Job work([] {
    weft::parallel_for(0u, pieces, 1u, [](uint32_t) { done.fetch_add(1, weft::acq_rel); });
    if (timer.start_every(weft::milliseconds(2)) != weft::Status::ok) pool.shutdown();
});

bool say(bool good, const char* what) {
    if (!good) puts_raw(what);
    return good;
}

}  // namespace

void weft_pico_core1_init(void) { core1_began = get_core_num(); }

int main() {
    stdio_init_all();
    const uint64_t begin = time_us_64();
    bool good = say(submitted.status == weft::Status::ok, "the submit before main()");
    good &= say(pool.submit_on(0, on0) == weft::Status::ok, "submit_on 0");
    good &= say(pool.submit_on(1, on1) == weft::Status::ok, "submit_on 1");
    good &= say(pool.submit(work) == weft::Status::ok, "submit");
    good &= say(pool.run() == weft::Status::ok && pool.join() == weft::Status::ok, "run and join");
    good &= say(both.load(weft::acquire) == 2, "both cores met");
    good &= say(core1_began == 1, "core 1 called the program first");
    good &= say(done.load(weft::acquire) == pieces + 1, "no piece was lost");
    good &= say(pool.stats(1).executed != 0, "core 1 ran tasks");
    good &= say(tick.count == periods && !tick.early && tick.last - begin >= periods * 2000, "the timer");
    puts_raw(good ? "weft_pico: all is well" : "weft_pico: something is wrong");
    return good ? 0 : 1;
}
