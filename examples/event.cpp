// SPDX-License-Identifier: MIT OR Apache-2.0
// A task that waits for an interrupt, again and again, while no core waits: the handler puts what it has into a ring
// and signals an Event; that submits the task. (isr_to_task.cpp submits a task for each sample instead.)
#include <weft/weft.hpp>

#include "machine.hpp"

constexpr uint32_t samples = 32;
constexpr uint32_t room = 8;

WEFT_CONSTINIT weft::Pool<4> pool{};
WEFT_CONSTINIT weft::Event received{pool};
uint32_t ring[room];
weft::Atomic<uint32_t> filled{};  // by the handler
weft::Atomic<uint32_t> parsed{};  // by the task

void on_tick() {
    const uint32_t next = filled.load(weft::relaxed);
    if (next == samples || next - parsed.load(weft::acquire) == room)
        return;  // full: the next tick brings it
    ring[next % room] = next * next;
    filled.store(next + 1, weft::release);
    // A signal is kept if nobody waits, but only one. Not ok: the pool has ended, and nobody waits any more.
    static_cast<void>(received.signal_from_isr());
}

struct Parser : weft::TaskOf<Parser> {
    void run() {
        uint32_t next = parsed.load(weft::relaxed);
        while (next != filled.load(weft::acquire)) {  // all that there is: signals do not add up
            sum += ring[next % room];
            parsed.store(++next, weft::release);
        }
        if (next == samples) {
            pool.shutdown();
        } else if (received.wait(*this) != weft::Status::ok) {
            print("the pool has ended before the last sample");
        }
    }
    uint32_t sum = 0;
};

int main() {
    Parser parser;
    if (received.wait(parser) != weft::Status::ok) return 1;
    start_tick(500, on_tick);
    if (pool.run() != weft::Status::ok) return 1;
    stop_tick();
    if (pool.join() != weft::Status::ok) return 1;
    print("samples parsed:", parsed.load(weft::relaxed));
    print("their sum:", parser.sum);
    return parser.sum == 10416 ? 0 : 1;  // of n * n for 0..31
}
