// SPDX-License-Identifier: MIT OR Apache-2.0
// Model: cores that core 0 calls in when it has started over (docs/RESTART.md). Edges M3, M4, M5.
#include <generic/landing.hpp>

#include "tasks.hpp"

namespace {

constexpr uint32_t chip = 2;  // cores
constexpr uint32_t no_deadline = 1u << 30;

struct Chip {
    weft::generic::Landing<weft::Port> landing;
    weft::Plain<uint32_t>
        memory{};  // what start-up code of core 0 initialises, and core 1 uses when it is inside

    // Core 0. Core 1 polls for its interrupt.
    void start_over(uint32_t number) {
        const uint32_t left = landing.recall(chip, no_deadline, [](uint32_t) {});
        model::check(left == 0, "it has come");
        memory.set(number);
        landing.release(chip);
    }
    // Core 1.
    void go_in() {
        landing.land(1, [] { weft::Port::relax(); });
        model::check(memory.get() != 0, "memory is initialised");
        memory.set(memory.get() + 10);
    }
};

// Result: Never. Core 0 starts over when core 1 lands, goes in, or is inside. Nobody initialises memory beneath it.
struct StartsOver : Chip {
    void cores(model::Program& on) {
        on.core(0, [this] { start_over(1), start_over(2); });
        on.core(1, [this] {
            go_in();
            while (!landing.is_recalled(1)) {
                if (memory.get() == 12) return;  // it went in behind the second start
                weft::Port::relax();
            }
            go_in();
        });
    }
    void finish() { model::check(memory.get() == 12, "the core works in the memory of the last start"); }
};
MODEL_SCENARIO(landing_starts_over, StartsOver).preemptions(model::unbounded).stale_reads(4);

// Result: Never (sleeps for ever). Core 1 sleeps until it may go in.
struct LandsAsleep : Chip {
    void cores(model::Program& on) {
        on.core(0, [this] { start_over(1); });
        on.core(1, [this] {
            landing.land(1, [] { weft::Port::park(); });
            model::check(memory.get() == 1, "memory is initialised");
        });
    }
};
MODEL_SCENARIO(landing_asleep, LandsAsleep).each_wake();

// Result: Never. At the deadline core 1 is still inside: core 0 goes on without it. It comes when it looks, and again.
struct ComesLate : Chip {
    weft::Port::Atomic<uint32_t> is_inside{};
    weft::Plain<uint32_t> other{};  // memory that it uses when it has come again
    void cores(model::Program& on) {
        on.core(0, [this] {
            start_over(1);
            while (is_inside.load(weft::relaxed) == 0) weft::Port::relax();
            static_cast<void>(landing.recall(chip, 0, [](uint32_t) {}));
            other.set(1);
            landing.release(chip);
        });
        on.core(1, [this] {
            go_in();
            is_inside.store(1, weft::relaxed);
            while (!landing.is_recalled(1)) weft::Port::relax();
            landing.land(1, [] { weft::Port::relax(); });
            model::check(other.get() == 1, "memory is initialised");
            model::check(!landing.is_recalled(1), "it is to stay");
        });
    }
};
MODEL_SCENARIO(landing_comes_late, ComesLate).preemptions(model::unbounded).stale_reads(4);

}  // namespace
