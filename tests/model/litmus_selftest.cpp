// SPDX-License-Identifier: MIT OR Apache-2.0
// Who checks the checker? Litmus tests with known verdicts: each outcome that RC11 (without load buffering) allows must
// be found, no other may; each kind of bug must be reported. Names and shapes are those of the literature (Alglave,
// Maranget, Tautschnig, "Herding Cats", TOPLAS 2014; Lahav et al., "Repairing Sequential Consistency in C/C++11", PLDI
// 2017). Machine behaviour (events, starts, interrupts) is in litmus_machine.cpp.
#include <stdlib.h>

#include "engine/litmus.hpp"

namespace {

using litmus::allows;
using litmus::digits;
using litmus::finds;
using litmus::passes;
using litmus::weak;
using litmus::Words;
using weft::acq_rel;
using weft::acquire;
using weft::Port;
using weft::relaxed;
using weft::release;

#define BODY(...) []([[maybe_unused]] Words& w) { __VA_ARGS__ }

// The registers, then what the words hold in the end.
template <unsigned... index>
std::string digits_and_words(Words& w) {
    return digits<index...>(w) + "/" + std::to_string(w.x.load(relaxed)) + std::to_string(w.y.load(relaxed));
}

void store_buffering() {
    allows("SB_release_acquire",
           {
               BODY(w.x.store(1, release); w.r[0] = w.y.load(acquire);),
                   BODY(w.y.store(1, release); w.r[1] = w.x.load(acquire);)
           },
           digits<0, 1>, {"00", "01", "10", "11"});
    weak("00");
    allows("SB_fences",
           {
               BODY(w.x.store(1, relaxed); Port::fence(); w.r[0] = w.y.load(relaxed);),
                   BODY(w.y.store(1, relaxed); Port::fence(); w.r[1] = w.x.load(relaxed);)
           },
           digits<0, 1>, {"01", "10", "11"});
    allows("SB_one_fence",
           {
               BODY(w.x.store(1, relaxed); Port::fence(); w.r[0] = w.y.load(relaxed);),
                   BODY(w.y.store(1, relaxed); w.r[1] = w.x.load(relaxed);)
           },
           digits<0, 1>, {"00", "01", "10", "11"});
    weak("00");
    allows("SB_exchanges_are_no_fences",
           {
               BODY(w.x.exchange(1, acq_rel); w.r[0] = w.y.load(acquire);),
                   BODY(w.y.exchange(1, acq_rel); w.r[1] = w.x.load(acquire);)
           },
           digits<0, 1>, {"00", "01", "10", "11"});
    weak("00");
    allows("SB_no_op_modification",  // both sides modify y: one of them comes first and is seen by the other
           {
               BODY(w.x.store(1, relaxed); w.r[0] = w.y.fetch_or(0, release);),
                   BODY(w.y.exchange(1, acquire); w.r[1] = w.x.load(relaxed);)
           },
           digits<0, 1>, {"01", "10", "11"});
    allows("SB_three_cores_fences",
           {
               BODY(w.x.store(1, relaxed); Port::fence(); w.r[0] = w.y.load(relaxed);),
                   BODY(w.y.store(1, relaxed); Port::fence(); w.r[1] = w.z.load(relaxed);),
                   BODY(w.z.store(1, relaxed); Port::fence(); w.r[2] = w.x.load(relaxed);)
           },
           digits<0, 1, 2>, {"001", "010", "011", "100", "101", "110", "111"});
}

void message_passing() {
    allows("MP_relaxed",
           {
               BODY(w.x.store(1, relaxed); w.y.store(1, relaxed);),
                   BODY(w.r[0] = w.y.load(relaxed); w.r[1] = w.x.load(relaxed);)
           },
           digits<0, 1>, {"00", "01", "10", "11"});
    weak("10");
    allows("MP_release_acquire",
           {
               BODY(w.x.store(1, relaxed); w.y.store(1, release);),
                   BODY(w.r[0] = w.y.load(acquire); w.r[1] = w.x.load(relaxed);)
           },
           digits<0, 1>, {"00", "01", "11"});
    allows("MP_release_only",
           {
               BODY(w.x.store(1, relaxed); w.y.store(1, release);),
                   BODY(w.r[0] = w.y.load(relaxed); w.r[1] = w.x.load(relaxed);)
           },
           digits<0, 1>, {"00", "01", "10", "11"});
    weak("10");
    allows("MP_acquire_only",
           {
               BODY(w.x.store(1, relaxed); w.y.store(1, relaxed);),
                   BODY(w.r[0] = w.y.load(acquire); w.r[1] = w.x.load(relaxed);)
           },
           digits<0, 1>, {"00", "01", "10", "11"});
    weak("10");
    allows("MP_fences",
           {
               BODY(w.x.store(1, relaxed); Port::fence(); w.y.store(1, relaxed);),
                   BODY(w.r[0] = w.y.load(relaxed); Port::fence(); w.r[1] = w.x.load(relaxed);)
           },
           digits<0, 1>, {"00", "01", "11"});
    allows("MP_fence_and_acquire",
           {
               BODY(w.x.store(1, relaxed); Port::fence(); w.y.store(1, relaxed);),
                   BODY(w.r[0] = w.y.load(acquire); w.r[1] = w.x.load(relaxed);)
           },
           digits<0, 1>, {"00", "01", "11"});
    allows(
        "MP_release_sequence",  // the relaxed modification between carries the release on
        {
            BODY(w.x.store(1, relaxed); w.y.fetch_add(1, release);),
                BODY(w.r[2] = w.y.fetch_add(1, relaxed);),
                BODY(w.r[0] = w.y.load(acquire); w.r[1] = w.x.load(relaxed);)
        },
        [](Words& w) { return w.r[2] == 1 && w.r[0] == 2 ? "chain" + digits<1>(w) : std::string("other"); },
        {"chain1", "other"});
    allows(
        "MP_release_sequence_of_stores",  // a plain store does not, not even of the same core (since C++20)
        {
            BODY(w.x.store(1, relaxed); w.y.store(1, release); w.y.store(2, relaxed);),
                BODY(w.r[0] = w.y.load(acquire); w.r[1] = w.x.load(relaxed);)
        },
        digits<0, 1>, {"00", "01", "11", "20", "21"});
    allows("MP_failed_exchange_acquires",
           {
               BODY(w.x.store(1, relaxed); w.y.store(1, release);),
                   BODY(uint32_t seen = 7; w.y.compare_exchange(seen, 9, relaxed, acquire); w.r[0] = seen;
                        w.r[1] = w.x.load(relaxed);)
           },
           digits<0, 1>, {"00", "01", "11"});
    allows("MP_failed_exchange_relaxed",
           {
               BODY(w.x.store(1, relaxed); w.y.store(1, release);),
                   BODY(uint32_t seen = 7; w.y.compare_exchange(seen, 9, acq_rel, relaxed); w.r[0] = seen;
                        w.r[1] = w.x.load(relaxed);)
           },
           digits<0, 1>, {"00", "01", "10", "11"});
}

void load_buffering() {  // outside of the model: the rule for it is in docs/VERIFICATION.md
    allows("LB_relaxed_unreachable",
           {
               BODY(w.r[0] = w.x.load(relaxed); w.y.store(1, relaxed);),
                   BODY(w.r[1] = w.y.load(relaxed); w.x.store(1, relaxed);)
           },
           digits<0, 1>, {"00", "01", "10"});
    allows("LB_release",
           {
               BODY(w.r[0] = w.x.load(relaxed); w.y.store(1, release);),
                   BODY(w.r[1] = w.y.load(acquire); w.x.store(1, relaxed);)
           },
           digits<0, 1>, {"00", "01", "10"});
}

void coherence() {
    allows("CoRR",
           {
               BODY(w.x.store(1, relaxed); w.x.store(2, relaxed);),
                   BODY(w.r[0] = w.x.load(relaxed); w.r[1] = w.x.load(relaxed);)
           },
           digits<0, 1>, {"00", "01", "02", "11", "12", "22"});
    weak("01");
    allows("CoWR", { BODY(w.x.store(1, relaxed); w.r[0] = w.x.load(relaxed);), BODY(w.x.store(2, relaxed);) },
           digits_and_words<0>, {"1/10", "1/20", "2/20"});
    allows("CoRW", { BODY(w.r[0] = w.x.load(relaxed); w.x.store(1, relaxed);), BODY(w.x.store(2, relaxed);) },
           digits_and_words<0>, {"0/10", "0/20", "2/10"});
    allows("CoWW", { BODY(w.x.store(1, relaxed); w.x.store(2, relaxed);), BODY(w.x.store(3, relaxed);) },
           digits_and_words<>, {"/20", "/30"});
    allows(
        "CoRR_four_cores",  // all agree on the order of the stores
        {
            BODY(w.x.store(1, relaxed);), BODY(w.x.store(2, relaxed);),
                BODY(w.r[0] = w.x.load(relaxed); w.r[1] = w.x.load(relaxed);),
                BODY(w.r[2] = w.x.load(relaxed); w.r[3] = w.x.load(relaxed);)
        },
        [](Words& w) {
            const bool up = (w.r[0] == 1 && w.r[1] == 2) || (w.r[2] == 1 && w.r[3] == 2);
            const bool down = (w.r[0] == 2 && w.r[1] == 1) || (w.r[2] == 2 && w.r[3] == 1);
            return std::string(up && down ? "both" : up ? "up" : down ? "down" : "-");
        },
        {"-", "down", "up"});
}

void two_writers_two_words() {
    allows("2+2W_relaxed",
           {
               BODY(w.x.store(1, relaxed); w.y.store(2, relaxed);),
                   BODY(w.y.store(1, relaxed); w.x.store(2, relaxed);)
           },
           digits_and_words<>, {"/11", "/12", "/21", "/22"});
    weak("/11");
    allows("2+2W_release",
           {
               BODY(w.x.store(1, release); w.y.store(2, release);),
                   BODY(w.y.store(1, release); w.x.store(2, release);)
           },
           digits_and_words<>, {"/11", "/12", "/21", "/22"});
    allows("2+2W_fences",
           {
               BODY(w.x.store(1, relaxed); Port::fence(); w.y.store(2, relaxed);),
                   BODY(w.y.store(1, relaxed); Port::fence(); w.x.store(2, relaxed);)
           },
           digits_and_words<>, {"/12", "/21", "/22"});
    allows("R_release_acquire",
           {
               BODY(w.x.store(1, release); w.y.store(1, release);),
                   BODY(w.y.store(2, release); w.r[0] = w.x.load(acquire);)
           },
           digits_and_words<0>, {"0/11", "0/12", "1/11", "1/12"});
    weak("0/12");
    allows("R_fences",
           {
               BODY(w.x.store(1, relaxed); Port::fence(); w.y.store(1, relaxed);),
                   BODY(w.y.store(2, relaxed); Port::fence(); w.r[0] = w.x.load(relaxed);)
           },
           digits_and_words<0>, {"0/11", "1/11", "1/12"});
    allows("S_relaxed",
           {
               BODY(w.x.store(2, relaxed); w.y.store(1, relaxed);),
                   BODY(w.r[0] = w.y.load(relaxed); w.x.store(1, relaxed);)
           },
           digits_and_words<0>, {"0/11", "0/21", "1/11", "1/21"});
    weak("1/21");
    allows("S_release_acquire",
           {
               BODY(w.x.store(2, relaxed); w.y.store(1, release);),
                   BODY(w.r[0] = w.y.load(acquire); w.x.store(1, relaxed);)
           },
           digits_and_words<0>, {"0/11", "0/21", "1/11"});
}

void three_cores() {
    const litmus::Key weak_or_not = [](Words& w) { return std::string(w.r[7] != 0 ? "weak" : "-"); };
    allows("WRC_release_acquire",
           {
               BODY(w.x.store(1, relaxed);), BODY(w.r[0] = w.x.load(relaxed); w.y.store(1, release);),
                   BODY(w.r[1] = w.y.load(acquire); w.r[2] = w.x.load(relaxed);
                        w.r[7] = w.r[0] & w.r[1] & (w.r[2] ^ 1);)
           },
           weak_or_not, {"-"});
    allows("WRC_relaxed",
           {
               BODY(w.x.store(1, relaxed);), BODY(w.r[0] = w.x.load(relaxed); w.y.store(1, relaxed);),
                   BODY(w.r[1] = w.y.load(acquire); w.r[2] = w.x.load(relaxed);
                        w.r[7] = w.r[0] & w.r[1] & (w.r[2] ^ 1);)
           },
           weak_or_not, {"-", "weak"});
    weak("weak");
    allows("ISA2",
           {
               BODY(w.x.store(1, relaxed); w.y.store(1, release);),
                   BODY(w.r[0] = w.y.load(acquire); w.z.store(1, release);),
                   BODY(w.r[1] = w.z.load(acquire); w.r[2] = w.x.load(relaxed);
                        w.r[7] = w.r[0] & w.r[1] & (w.r[2] ^ 1);)
           },
           weak_or_not, {"-"});
    allows("ISA2_broken_in_the_middle",
           {
               BODY(w.x.store(1, relaxed); w.y.store(1, release);),
                   BODY(w.r[0] = w.y.load(relaxed); w.z.store(1, release);),
                   BODY(w.r[1] = w.z.load(acquire); w.r[2] = w.x.load(relaxed);
                        w.r[7] = w.r[0] & w.r[1] & (w.r[2] ^ 1);)
           },
           weak_or_not, {"-", "weak"});
    weak("weak");
    const litmus::Key readers_disagree = [](Words& w) {
        return std::string(w.r[0] == 1 && w.r[1] == 0 && w.r[2] == 1 && w.r[3] == 0 ? "weak" : "-");
    };
    allows("IRIW_acquire",
           {
               BODY(w.x.store(1, release);), BODY(w.y.store(1, release);),
                   BODY(w.r[0] = w.x.load(acquire); w.r[1] = w.y.load(acquire);),
                   BODY(w.r[2] = w.y.load(acquire); w.r[3] = w.x.load(acquire);)
           },
           readers_disagree, {"-", "weak"});
    weak("weak");
    allows("IRIW_fences",
           {
               BODY(w.x.store(1, relaxed);), BODY(w.y.store(1, relaxed);),
                   BODY(w.r[0] = w.x.load(relaxed); Port::fence(); w.r[1] = w.y.load(relaxed);),
                   BODY(w.r[2] = w.y.load(relaxed); Port::fence(); w.r[3] = w.x.load(relaxed);)
           },
           readers_disagree, {"-"});
    const litmus::Key z6 = [](Words& w) {
        return std::string(w.r[0] == 1 && w.r[1] == 0 && w.y.load(relaxed) == 2 ? "weak" : "-");
    };
    allows("Z6_fences",
           {
               BODY(w.x.store(1, relaxed); Port::fence(); w.y.store(1, relaxed);),
                   BODY(w.y.store(2, relaxed); w.z.store(1, release);),
                   BODY(w.r[0] = w.z.load(acquire); Port::fence(); w.r[1] = w.x.load(relaxed);)
           },
           z6, {"-"});
    allows("Z6_one_fence",
           {
               BODY(w.x.store(1, relaxed); Port::fence(); w.y.store(1, relaxed);),
                   BODY(w.y.store(2, relaxed); w.z.store(1, release);),
                   BODY(w.r[0] = w.z.load(acquire); w.r[1] = w.x.load(relaxed);)
           },
           z6, {"-", "weak"});
    weak("weak");
}

void modifications() {
    allows("RMW_atomicity",
           { BODY(w.r[0] = w.x.fetch_add(1, relaxed);), BODY(w.r[1] = w.x.fetch_add(1, relaxed);) },
           digits<0, 1>, {"01", "10"});
    allows("RMW_chain",
           {
               BODY(w.r[0] = w.x.fetch_add(1, relaxed);), BODY(w.r[1] = w.x.fetch_add(1, relaxed);),
                   BODY(w.r[2] = w.x.fetch_add(1, relaxed);)
           },
           digits<0, 1, 2>, {"012", "021", "102", "120", "201", "210"});
    allows("RMW_one_exchange_wins",
           {
               BODY(uint32_t seen = 0; w.r[0] = w.x.compare_exchange(seen, 1, relaxed, relaxed);),
                   BODY(uint32_t seen = 0; w.r[1] = w.x.compare_exchange(seen, 2, relaxed, relaxed);)
           },
           digits<0, 1>, {"01", "10"});
    allows(
        "RMW_operations",
        {
            BODY(w.r[0] = w.x.fetch_sub(1, relaxed); w.x.fetch_and(0xf0, relaxed); w.x.fetch_or(3, relaxed);
                 w.r[1] = w.x.exchange(5, relaxed);)
        },
        [](Words& w) {
            return digits<0>(w) + "," + std::to_string(w.r[1]) + "," + std::to_string(w.x.load(relaxed));
        },
        {"0,243,5"});
    allows(
        "RMW_behind_an_unseen_store",  // the second store may be seen first, and the modification go below the first
        {
            BODY(w.x.store(1, relaxed); w.y.store(1, relaxed);),
                BODY(w.r[0] = w.y.load(relaxed); w.r[1] = w.x.fetch_add(2, relaxed);)
        },
        digits_and_words<0, 1>, {"00/11", "01/31", "10/11", "11/31"});
    weak("10/11");
    allows("RMW_reads_behind_an_acquired_store",
           {
               BODY(w.x.store(1, relaxed); w.y.store(1, release);),
                   BODY(w.r[0] = w.y.load(acquire); w.r[1] = w.x.fetch_add(2, relaxed);)
           },
           digits_and_words<0, 1>, {"00/11", "01/31", "11/31"});
    litmus::passes("RMW_exchange_fails_for_a_reason", {
        BODY(uint32_t seen = 0;
             weft::model::check(w.x.compare_exchange(seen, 1, relaxed, relaxed), "stored");)
    });
    allows(
        "RMW_exchange_fails_without_cause",
        { BODY(uint32_t seen = 0; w.r[0] = w.x.compare_exchange(seen, 1, relaxed, relaxed); w.r[1] = seen;) },
        digits<0, 1>, {"00", "10"})
        .spurious_exchanges(1);
}

void plain_memory() {
    finds("race_write_write", "data race", { BODY(w.data.set(1);), BODY(w.data.set(2);) });
    finds("race_read_write", "data race", { BODY(w.data.set(1);), BODY(w.r[0] = w.data.get();) });
    finds("race_relaxed_flag", "data race", {
        BODY(w.data.set(1); w.x.store(1, relaxed);), BODY(if (w.x.load(acquire) == 1) w.r[0] = w.data.get();)
    });
    passes("race_none_with_release_acquire", {
        BODY(w.data.set(1); w.x.store(1, release);), BODY(if (w.x.load(acquire) == 1) w.r[0] = w.data.get();)
    });
    passes("race_none_with_fences", {
        BODY(w.data.set(1); Port::fence(); w.x.store(1, relaxed);), BODY(if (w.x.load(relaxed) == 1) {
            Port::fence();
            w.data.set(2);
        })
    });
    finds("race_later_write_is_not_released", "data race", {
        BODY(w.x.store(1, release); w.data.set(1);), BODY(if (w.x.load(acquire) == 1) w.r[0] = w.data.get();)
    });
    finds("published_two_writers", "two writers",
          { BODY(w.p.store(1, relaxed);), BODY(w.p.store(2, relaxed);) });
    passes("published_writers_in_order", {
        BODY(w.p.store(1, relaxed); w.x.store(1, release);),
            BODY(if (w.x.load(acquire) == 1) w.p.store(w.p.own() + 1, relaxed);)
    });
    finds("published_own_is_for_the_writer", "two writers",
          { BODY(w.p.store(1, relaxed);), BODY(w.r[0] = w.p.own();) });
}

}  // namespace

void add_machine_tests();  // litmus_machine.cpp

// litmus_selftest [number of random programs [first seed]]
int main(int count, char** arguments) {
    const unsigned programs = count > 1 ? static_cast<unsigned>(strtoul(arguments[1], nullptr, 0)) : 400;
    const uint32_t seed = count > 2 ? static_cast<uint32_t>(strtoul(arguments[2], nullptr, 0)) : 1;
    store_buffering();
    message_passing();
    load_buffering();
    coherence();
    two_writers_two_words();
    three_cores();
    modifications();
    plain_memory();
    add_machine_tests();
    return litmus::run(seed, programs);
}
