// SPDX-License-Identifier: MIT OR Apache-2.0
// Model checker: Trail, the partial order of one execution's steps, for the partial-order reduction. It finds races:
// two steps of different cores that could conflict and that nothing between them orders. For each race the explorer is
// told to try the later core first, too. (This order has nothing to do with happens-before of the memory model.)
#pragma once

#include "explorer.hpp"
#include "undo.hpp"
#include "view.hpp"

namespace weft {
namespace model {

// What a step touches. Two steps conflict if they touch a common place and one of them writes.
enum class Access : uint8_t { none, read, write };

// Words come first; then these.
inline constexpr unsigned place_fence = max_words;      // sequentially consistent fences are totally ordered
inline constexpr unsigned place_clock = max_words + 1;  // now()
inline constexpr unsigned place_core = max_words + 2;   // + core: its event and its mailbox
inline constexpr unsigned place_all_cores = 0xff;       // every core's event and mailbox
inline constexpr unsigned places = place_core + max_cores;
static_assert(places <= place_all_cores, "a place is a byte");

struct Operation {
    Access access = Access::none;
    uint8_t place = 0;
};

class Trail {
public:
    Trail(Explorer& explorer, Undo& undo) : explorer_(explorer), undo_(undo) {}

    void reset(unsigned cores);
    void fresh_word(unsigned word) {
        place_[word] = Place{};
        undo_.fresh(place_[word]);
    }

    template <class Copy>
    void each_part(Copy& copy) {
        copy(pending_);
        copy(seen_, cores_ * sizeof(Clock));
    }

    // The core has come to `operation` and will do it when it is picked.
    void arrive(unsigned core, Operation operation);
    // The core cannot do what it arrived with; or it waits for a change of words. Sleeping cores whose next step could
    // end this must be awake: had they gone first, this core would not have been blocked, and to leave it would have
    // cost a preemption.
    void block(unsigned core);
    void block_on_words();
    // The core was picked and does what it arrived with.
    void execute(unsigned core);

private:
    struct Clock {
        Stamp lane[max_cores] = {};
    };
    struct Mark {
        uint32_t node = 0;
        Stamp count = 0;  // steps of the core, this one included; 0: there is none
    };
    struct Place {
        Clock writes;
        Clock reads;
        Mark last_write;
        uint8_t writer = 0;
        Mark last_read[max_cores];
        uint64_t kept = 0;  // see Undo
    };

    static bool conflict(Operation a, Operation b);
    void find_races(unsigned core, unsigned place, Access access);
    void touch(unsigned core, unsigned place, Access access, Mark mark);

    Explorer& explorer_;
    Undo& undo_;
    unsigned cores_ = 0;
    Operation pending_[max_cores];
    Clock seen_[max_cores];
    Place place_[places];
};

}  // namespace model
}  // namespace weft
