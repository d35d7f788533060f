// SPDX-License-Identifier: MIT OR Apache-2.0
// Stress tests: see watch.hpp.
#include "watch.hpp"

#include "board.hpp"
#include "portrait.hpp"
#include "tap.hpp"

namespace stress {
namespace {

using weft::acquire;
using weft::relaxed;
using weft::release;

weft::Atomic<uint32_t> done;

#if defined(__SANITIZE_THREAD__)
constexpr const char* build = " SANITIZE=tsan";
#elif defined(__SANITIZE_ADDRESS__)
constexpr const char* build = " SANITIZE=asan";
#elif defined(WEFT_HOST_DELAYS)
constexpr const char* build = " DELAYS=1";
#else
[[maybe_unused]] constexpr const char* build = "";
#endif

}  // namespace

void say_how_to_repeat([[maybe_unused]] const char* test, [[maybe_unused]] uint32_t seed,
                       [[maybe_unused]] uint32_t round) {
#if !defined(WEFT_HOST_REPLAY)  // that says itself how to replay the whole run, in its order
    tap::note("to repeat it: make run BOARD=", board::name, " APP=stress", build, " ARGS='", test,
              " seed=", seed, " round=", round, "'");
#endif
}

Watch::Watch(const char* test, uint32_t seed) : test_(test), seed_(seed), thread_([this] { look(); }) {}

Watch::~Watch() {
    over_.store(1, release);
    thread_.join();
}

void Watch::begin_round(uint32_t round) {
    round_.store(round, relaxed);
    progress();
}

void Watch::watched(weft::Scheduler* first, weft::Scheduler* second) {
    pools_[0].store(first, release);
    pools_[1].store(second, release);
}

void Watch::progress() { done.fetch_add(1, relaxed); }

uint32_t Watch::victims_looked_at() const {
    uint32_t sum = 0;
    for (const auto& one : pools_) {
        if (const weft::Scheduler* const pool = one.load(acquire)) sum += pool->total().steal_attempts;
    }
    return sum;
}

void Watch::look() {
    constexpr uint32_t looks_asleep = 1000;
    constexpr uint32_t looks_awake = 50;
    constexpr uint32_t attempts_in_vain = 1000000;
    uint32_t seen = done.load(relaxed);
    uint32_t looks = 0;
    uint32_t attempts = 0;  // when it had been looked looks_awake times
    while (over_.load(acquire) == 0) {
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        const uint32_t now = done.load(relaxed);
        if (now != seen) looks = 0;
        seen = now;
        // The pools are looked at only when there may be something wrong: they may be built at this moment.
        if (++looks == looks_awake) attempts = victims_looked_at();
        const bool in_vain = looks > looks_awake && victims_looked_at() - attempts >= attempts_in_vain;
        if (!in_vain && looks < looks_asleep) continue;
        tap::note("no progress: ", looks, " looks, ",
                  in_vain ? "cores that search and find nothing" : "and nobody is at it");
        for (const auto& one : pools_) {
            if (const weft::Scheduler* const pool = one.load(acquire)) tap::draw(*pool);
        }
        say_how_to_repeat(test_, seed_, round_.load(relaxed));
        tap::bail_out("a program that hangs");
    }
}

}  // namespace stress
