// SPDX-License-Identifier: MIT OR Apache-2.0
// For the conformance test: the one who is awake while others sleep.
#include "crew.hpp"

namespace conformance {
namespace {

// One watch at a time. The start of the watcher hands it these.
const char* watched = nullptr;
tap::Stopwatch since_last_meal;
uint32_t last_meal = 0;
Atomic<uint32_t> meals;
Atomic<uint32_t> over;

constexpr uint32_t nobody = UINT32_MAX;

uint32_t find_watcher(uint32_t first, uint32_t second, Watch::By by) {
    if (by == Watch::By::timer) return nobody;
    for (uint32_t i = 0; i < crew(); ++i) {
        const uint32_t core = member(i);
        if (core != 0 && core != first && core != second) return core;
    }
    return nobody;
}

}  // namespace

Watch::Watch(const char* what, uint32_t first, uint32_t second, By by)
    : watcher_(find_watcher(first, second, by)) {
    watched = what;
    last_meal = meals.load(relaxed);  // only a change matters
    since_last_meal.restart();
    over.store(0, relaxed);  // start_core() makes it visible
    if (watcher_ != nobody) {
        start(watcher_, watch);
    } else if (by != By::core) {
        board::start_timer(1, look);
        timer_runs_ = true;
    }
}

Watch::~Watch() {
    over.store(1, relaxed);  // carries nothing
    if (timer_runs_) board::stop_timer();
    if (watcher_ == nobody) return;
    const uint32_t watcher = watcher_;
    tap::wait_for([=] { return !busy(watcher); }, "the core that watched");
}

void Watch::feed() { meals.fetch_add(1, relaxed); }  // only a change matters

void Watch::watch(uint32_t) {
    while (over.load(relaxed) == 0) {
        look();
        Port::relax();
    }
}

// In an interrupt or on the watching core.
void Watch::look() {
    const uint32_t meal = meals.load(relaxed);
    if (meal != last_meal) {
        last_meal = meal;
        since_last_meal.restart();
    }
    if (since_last_meal.elapsed_ms() >= tap::patience_ms) tap::bail_out(watched);
}

}  // namespace conformance
