// SPDX-License-Identifier: MIT OR Apache-2.0
// Model checker: an example of scenarios, and the shape of a file of them. Link with the engine and its runner.
#include "scenario.hpp"

namespace {

namespace model = weft::model;

// A payload is handed over; the receiver sleeps until it is there.
template <weft::Order publish>
struct Handoff {
    weft::Atomic<uint32_t> flag{0};
    weft::Plain<uint32_t> payload{0};

    void cores(model::Program& on) {
        on.name(&flag, "flag");
        on.name(&payload, "payload");
        on.core(0, [this] {
            payload.set(42);
            flag.store(1, publish);
            weft::Port::unpark(1);
        });
        on.core(1, [this] {
            while (flag.load(weft::acquire) == 0) weft::Port::park();
            model::check(payload.get() == 42, "the payload has arrived");
        });
    }
};
MODEL_SCENARIO(example_handoff, Handoff<weft::release>).spurious_parks(1).each_wake();
MODEL_SCENARIO(example_handoff_relaxed, Handoff<weft::relaxed>).finds("data race");

// An interrupt handler hands a number to its own core, which may be asleep by then.
struct FromInterrupt {
    weft::Atomic<uint32_t> mail{0};
    uint32_t received = 0;

    void cores(model::Program& on) {
        on.core(0, [this] {
            while ((received = mail.exchange(0, weft::acquire)) == 0) weft::Port::park();
        });
        on.interrupt(0, [this] {
            mail.store(7, weft::release);
            weft::Port::unpark(0);
        });
    }
    void finish() { model::check(received == 7, "the number has arrived"); }
};
MODEL_SCENARIO(example_from_interrupt, FromInterrupt).each_wake();

}  // namespace
