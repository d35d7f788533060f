// SPDX-License-Identifier: MIT OR Apache-2.0
// weft: FairTurn, after how many tasks a worker looks at the shared queues first. docs/DESIGN.md 4.6.
#pragma once

#include <weft/config.hpp>
#include <weft/port.hpp>

namespace weft {
inline namespace WEFT_ABI {
namespace detail {

#if WEFT_FAIR_MOST

// Written and read by the worker's own core only, in task context.
class FairTurn {
public:
    // After how many tasks the next turn comes: WEFT_FAIR_INTERVAL doubled as often as `doublings()` says.
    uint32_t interval() const { return uint32_t{WEFT_FAIR_INTERVAL} << doublings_.get(); }

    // The turn of the shared queues has come, after one interval.
    void comes() {
        const uint32_t now = Port::now();
        if (whole_.get() != 0) {
            average_.set(averaged(average_.get(), (now - since_.get()) >> doublings_.get()));
            doublings_.set(doublings(average_.get(), Port::ticks_per_ms()));
        }
        since_.set(now);
        whole_.set(1);
    }
    // The core sleeps in its loop, or returns from it: what it does until the next turn is no measure of its tasks.
    void cut() { whole_.set(0); }

    // Four times the moving average of the ticks that WEFT_FAIR_INTERVAL tasks take, with one more of these. 0: there
    // is none yet.
    static constexpr uint32_t averaged(uint32_t average, uint32_t ticks) {
        const uint32_t counted = ticks < longest ? ticks : longest;
        return average == 0 ? counted * 4 : average - average / 4 + counted;
    }
    // How often the interval may be doubled, so that it is no longer than WEFT_FAIR_MOST, nor than WEFT_FAIR_MS.
    static constexpr uint16_t doublings(uint32_t average, uint32_t ticks_per_ms) {
        uint64_t ticks = average / 4;
        uint16_t count = 0;
        for (uint32_t next = 2 * WEFT_FAIR_INTERVAL; next <= WEFT_FAIR_MOST; next *= 2) {
            ticks *= 2;
            if (ticks > uint64_t{ticks_per_ms} * WEFT_FAIR_MS) break;
            ++count;
        }
        return count;
    }
    static constexpr uint32_t longest = uint32_t{1} << 28;  // then the average does not overflow

private:
    Plain<uint32_t> since_{};      // now() at the last turn
    Plain<uint32_t> average_{};    // see averaged()
    Plain<uint16_t> doublings_{};  // of the interval
    Plain<uint16_t> whole_{};      // nothing but tasks has taken its time since then
};

#else

class FairTurn {
public:
    static constexpr uint32_t interval() { return WEFT_FAIR_INTERVAL; }
    static void comes() {}
    static void cut() {}
};

#endif

}  // namespace detail
}  // namespace WEFT_ABI
}  // namespace weft
