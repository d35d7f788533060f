// SPDX-License-Identifier: MIT OR Apache-2.0
// Model: the handshake by which one core has others stand still, itself. Edges U1, U2.
#include <weft/detail/standstill.hpp>

#include "tasks.hpp"

namespace {

using weft::detail::Stand;
using weft::detail::Standstill;

// The flash: who reads it while it is written has a race, which the engine reports.
struct Flash {
    Standstill all;
    Stand stands[3];
    weft::Plain<uint32_t> flash{};
    unsigned written = 0;
    unsigned losers = 0;

    void work(unsigned core) {
        static_cast<void>(flash.get());
        const uint32_t number = all.asked();
        if (number == 0) return;
        stands[core].stand(all.request(), number);
        static_cast<void>(flash.get());
    }
    void lost() { ++losers; }
    // Looks so often; then its deadline has passed.
    void write(unsigned first, unsigned last, unsigned looks) {
        const uint32_t number = all.ask();
        if (number == 0) return lost();
        for (; looks != 0; --looks) {
            bool stand = true;
            for (unsigned core = first; core <= last; ++core)
                stand = stands[core].number() == number && stand;
            if (!stand) continue;
            flash.set(flash.get() + 1);
            ++written;
            break;
        }
        all.end();
    }
};

// Result: Never. A core runs from flash while it is written; arrivals meet the deadline, and a second request.
struct Late : Flash {
    void cores(model::Program& on) {
        on.core(0, [this] { work(0), work(0); });
        on.core(1, [this] { write(0, 0, 2), write(0, 0, 2); });
    }
};
MODEL_SCENARIO(standstill_late, Late).preemptions(3).stale_reads(2);

// Result: Never. Three cores: both others stand.
struct Three : Flash {
    void cores(model::Program& on) {
        on.core(0, [this] { work(0); });
        on.core(1, [this] { work(1); });
        on.core(2, [this] { write(0, 1, 2); });
    }
};
MODEL_SCENARIO(standstill_three, Three).preemptions(3).stale_reads(1);

// Result: Never. Two at once: who loses stands for the other, and owners see what each other wrote.
struct Two : Flash {
    void cores(model::Program& on) {
        on.core(0, [this] { write(1, 1, 2), work(0); });
        on.core(1, [this] { write(0, 0, 2), work(1); });
    }
};
MODEL_SCENARIO(standstill_two, Two).preemptions(3).stale_reads(2);

// Result: Never. Owners of whom nobody needs to stand write one after the other.
struct InTurn : Flash {
    void cores(model::Program& on) {
        on.core(0, [this] { write(1, 0, 1); });
        on.core(1, [this] { write(1, 0, 1); });
    }
    void finish() { model::check(written + losers == 2 && written != 0, "each has written, or was told"); }
};
MODEL_SCENARIO(standstill_in_turn, InTurn).preemptions(3).stale_reads(2);

// Result: Sometimes. The flash is written, so the scenarios above are about something: this one must fail.
struct Writes : Flash {
    void cores(model::Program& on) {
        on.core(0, [this] { work(0); });
        on.core(1, [this] { write(0, 0, 2); });
    }
    void finish() { model::check(written == 0, "nothing is written"); }
};
MODEL_SCENARIO(standstill_writes, Writes).preemptions(3).stale_reads(1).finds("nothing is written");

}  // namespace
