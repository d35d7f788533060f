// SPDX-License-Identifier: MIT OR Apache-2.0
// A driver that asks, waits and gives up. One answer comes by an interrupt, which ends a wait; one by another task, on
// whatever core; a third piece of work is taken back. The core that waits does other work meanwhile, or sleeps.
#include <weft/weft.hpp>

#include "machine.hpp"

WEFT_CONSTINIT weft::Pool<4> pool{};

uint32_t raw[2] = {0, 0};
uint32_t filtered = 0;
bool slow_filter_has_run = false;

weft::Completion answer{pool};  // submitted by the interrupt
weft::Atomic<uint32_t> asked;

// An interrupt handler: the first sensor's answer is there, once.
void answer_has_come() {
    uint32_t once = 1;
    if (!asked.compare_exchange(once, 2, weft::relaxed, weft::relaxed)) return;
    raw[0] = 21;
    (void)pool.submit_from_isr(answer);
}

struct Driver : weft::TaskOf<Driver> {
    void run() {
        weft::Work second{pool, [] { raw[1] = 21; }};
        weft::Work slow{pool, [] { slow_filter_has_run = true; }};
        (void)pool.submit(second);
        const bool taken_back =
            slow.cancel() == weft::CancelResult::cancelled;  // before it is queued: it never runs
        (void)pool.submit(slow);
        asked.store(1, weft::relaxed);

        (void)answer.wait();  // until then this core runs other tasks, or sleeps
        (void)second.wait();
        (void)slow.wait();  // it was taken back, and the pool has let go of it: it may end here
        filtered = raw[0] + raw[1];
        failed = !taken_back;
        pool.shutdown();
    }
    bool failed = false;
} driver;

int main() {
    start_tick(1000, answer_has_come);
    if (pool.submit(driver) != weft::Status::ok) return 1;
    (void)pool.run();
    stop_tick();
    (void)pool.join();
    print("sum of the answers", filtered);
    print("work that was taken back and ran", slow_filter_has_run ? 1 : 0);
    return filtered == 42 && !slow_filter_has_run && !driver.failed ? 0 : 1;
}
