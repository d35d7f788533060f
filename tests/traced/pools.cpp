// SPDX-License-Identifier: MIT OR Apache-2.0
// traced: two pools on the same cores. Core 1 works for one, then for the other; core 0 for one from within the other,
// and from outside. And what needs no setting, but that another core does, or refuses, something at the right moment.
#include <weft/weft.hpp>

#include "weft_host_faults.hpp"

namespace {

constexpr uint32_t stealable = 4;

weft::Atomic<uint32_t> control_runs{0};
weft::Atomic<uint32_t> background_runs{0};
weft::Atomic<uint32_t> wrong{0};

void must(weft::Status status) {
    if (status != weft::Status::ok) wrong.fetch_add(1, weft::relaxed);
}

struct Control : weft::TaskOf<Control> {
    void run() { control_runs.fetch_add(1, weft::release); }
};
Control control_task[2];

}  // namespace

WEFT_CONSTINIT weft::Pool<2> control{};
WEFT_CONSTINIT weft::Pool<2> background{};

namespace {

struct Background : weft::TaskOf<Background> {
    void run() {
        if (weft::this_core() == 0) {
            must(control.submit_on(0, control_task[1]));
            while (control_runs.load(weft::acquire) != 2) static_cast<void>(control.poll(1));
        }
        background_runs.fetch_add(1, weft::release);
    }
};
Background background_task[2];

struct Small : weft::TaskOf<Small> {
    void run() { background_runs.fetch_add(1, weft::release); }
};
Small stolen[stealable];
Small from_a_handler;

// Into the ring of its core, which is busy until all have been stolen.
struct Stealable : weft::TaskOf<Stealable> {
    void run() {
        const uint32_t before = background_runs.load(weft::acquire);
        for (Small& one : stolen) must(background.submit(one));
        while (background_runs.load(weft::acquire) - before < stealable) weft::Port::relax();
    }
};
Stealable stealable_task;

void poll_until(uint32_t runs) {
    while (background_runs.load(weft::acquire) != runs) static_cast<void>(background.poll(1));
}

}  // namespace

int main() {
    weft::host::refuse_starts(1, 1);
    if (control.submit_on(1, control_task[0]) != weft::Status::core_unavailable)
        wrong.fetch_add(1, weft::relaxed);
    must(control.submit_on(1, control_task[0]));
    while (control_runs.load(weft::acquire) != 1) weft::Port::relax();
    must(background.submit_on(0, background_task[0]));
    poll_until(1);
    control.shutdown();
    must(control.join());
    must(background.submit_on(1, background_task[1]));
    while (background_runs.load(weft::acquire) != 2) weft::Port::relax();
    must(background.submit_on(1, stealable_task));
    poll_until(2 + stealable);
    background.call([] {});
    must(background.submit_from_isr(from_a_handler, weft::Urgency::urgent));
    poll_until(2 + stealable + 1);
    background.shutdown();
    must(background.join());
    return wrong.load(weft::relaxed) == 0 ? 0 : 1;
}
