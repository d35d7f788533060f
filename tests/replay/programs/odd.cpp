// SPDX-License-Identifier: MIT OR Apache-2.0
// What tools/check_replay needs beside the examples: a program with a mistake in it, and others whose runs cannot be
// replayed. ODD in the environment chooses: early, stall, random, stay, leave, abort.
#include <weft/weft.hpp>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

namespace {

weft::Pool<3> pool;
weft::Atomic<uint32_t> value;
weft::Atomic<uint32_t> ready;
weft::Atomic<uint32_t> seen;
const char* odd = "";

bool is(const char* what) { return strcmp(odd, what) == 0; }

// The planted mistake: ready before the value is there.
struct Publish : weft::TaskOf<Publish> {
    void run() {
        ready.store(1, weft::release);
        value.store(42, weft::release);
    }
};

// Looks for a while. Only between the two stores it finds the mistake.
struct Look : weft::TaskOf<Look> {
    void run() {
        bool is_ready = false;
        for (uint32_t looks = 0; looks < 500 && !is_ready; ++looks) is_ready = ready.load(weft::acquire) != 0;
        const bool early = value.load(weft::acquire) != 42;
        if (is_ready && early) seen.store(1, weft::release);
        if (is("random")) ask_as_often_as_chance_says();
        if (is("stay") && getenv("STAY") != nullptr) pause();
    }
    static void ask_as_often_as_chance_says() {
        uint32_t count = 0;
        FILE* const file = fopen("/dev/urandom", "rb");
        if (file == nullptr || fread(&count, sizeof count, 1, file) != 1) abort();
        fclose(file);
        for (count %= 50000; count != 0; --count) static_cast<void>(ready.load(weft::acquire));
    }
};

Publish publish;
Look look;

// Another planted mistake: only a core that stands still between two looks, for as long as the other one needs for
// thousands of steps, meets it.
weft::Atomic<uint32_t> steps;
struct Step : weft::TaskOf<Step> {
    void run() {
        for (uint32_t i = 0; i != 4000; ++i) steps.store(i, weft::release);
    }
};
struct Stall : weft::TaskOf<Stall> {
    void run() {
        for (uint32_t i = 0; i != 100; ++i) {
            const uint32_t before = steps.load(weft::acquire);
            if (steps.load(weft::acquire) - before > 3000) seen.store(1, weft::release);
        }
    }
};
Step step;
Stall stall;

// It goes on while main() returns.
struct Endless : weft::TaskOf<Endless> {
    void run() {
        for (uint32_t i = 0;; ++i) steps.store(i, weft::release);
    }
};
Endless endless;

}  // namespace

int main() {
    if (const char* const wanted = getenv("ODD")) odd = wanted;
    bool good = true;
    if (is("leave")) {
        good = pool.submit(endless) == weft::Status::ok;
        while (good && steps.load(weft::acquire) < 1000) continue;
        if (getenv("STAY") != nullptr) usleep(50'000);  // no event of its own
        return good ? 0 : 1;
    }
    if (is("stall")) {
        good = pool.submit(stall) == weft::Status::ok && pool.submit(step) == weft::Status::ok;
    } else {
        good = pool.submit(look) == weft::Status::ok && pool.submit(publish) == weft::Status::ok;
    }
    pool.shutdown(weft::Shutdown::drain);
    good = pool.join() == weft::Status::ok && good;
    if (is("abort")) abort();
    if (seen.load(weft::acquire) != 0) puts(is("stall") ? "a long stall" : "too early: ready, and no value");
    return good && seen.load(weft::acquire) == 0 ? 0 : 1;
}
