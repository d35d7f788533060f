// SPDX-License-Identifier: MIT OR Apache-2.0
// Unit tests of Offer, the row of frames on offer, against a plain list of slots and depths.
#include <deque>

#include "harness.hpp"
#include "weft/detail/fork.hpp"

namespace unit {
namespace {

using weft::detail::Offer;

struct OnOffer {
    uint32_t slot;
    uint32_t depth;
};
using Row = std::deque<OnOffer>;

// What can be seen of an offer: of its oldest frame, and of the next ones when thieves have taken those before.
void check_row(Offer offer, const Row& row) {
    CHECK_EQ(offer.count(), row.size());
    for (const OnOffer& frame : row) {
        CHECK(!offer.empty());
        CHECK_EQ(offer.oldest(), frame.slot);
        CHECK_EQ(offer.depth(), frame.depth);
        offer = offer.without_oldest();
    }
    CHECK(offer.empty());
    CHECK_EQ(offer.word(), 0);
}

// Rows of every length, with every pattern of steps that fits the shortest ones, from every kind of slot and depth.
void B2_offer_is_a_row_of_frames() {
    constexpr uint32_t last_slot = (1u << Offer::slot_bits) - 1 - Offer::most;
    for (const uint32_t slot : {0u, 1u, last_slot}) {
        for (const uint32_t depth : {0u, 1u, 7u, Offer::deepest - 1}) {
            for (uint32_t steps = 0; steps != 1u << 8; ++steps) {
                Offer offer(slot, depth);
                Row row{{slot, depth}};
                for (uint32_t i = 0; row.size() != Offer::most; ++i) {
                    check_row(offer, row);
                    const bool deeper = (steps >> i % 8 & 1) != 0;
                    row.push_back({row.back().slot + 1, row.back().depth + deeper});
                    offer = offer.with_another(deeper);
                }
                check_row(offer, row);
            }
        }
    }
}

// Owner and thief in any order: what was taken back leaves nothing behind in what is offered in its place.
void B2_offer_forgets_what_was_taken() {
    tap::Random random(tap::option("seed", 1));
    Offer offer(0);
    Row row;
    for (uint32_t turn = 0; turn < 200000; ++turn) {
        const uint32_t draw = random.below(4);
        if (row.empty()) {
            const OnOffer frame{random.below(200), random.below(Offer::deepest)};
            row.push_back(frame);
            offer = Offer(frame.slot, frame.depth);
        } else if (draw == 0) {
            row.pop_front();
            offer = offer.without_oldest();
        } else if (draw == 1) {
            row.pop_back();
            offer = offer.without_newest();
        } else if (row.size() != Offer::most && row.back().depth + 1 < Offer::deepest &&
                   row.back().slot < 250) {
            const bool deeper = random.below(2) != 0;
            row.push_back({row.back().slot + 1, row.back().depth + deeper});
            offer = offer.with_another(deeper);
        }
        check_row(offer, row);
    }
}

constexpr tap::Test tests[] = {
    TEST(B2_offer_is_a_row_of_frames),
    TEST(B2_offer_forgets_what_was_taken),
};

}  // namespace

extern const tap::Tests offer_tests{tests};

}  // namespace unit
