// SPDX-License-Identifier: MIT OR Apache-2.0
// weft: calls that start no core: others wait for their end, or go by whether there are any.
#pragma once

#include "internal.hpp"

namespace weft {
inline namespace WEFT_ABI {

class detail::Source::GoesOn {
    Scheduler::OnTop::GoesOn goes_on_;
};

class detail::Source::UnderWay {
public:
    // relaxed: the step that leaves something to others releases it [Q3]
    UnderWay(Atomic<uint32_t>& calls, From from) : calls_(starts_none(from) ? &calls : nullptr) {
        if (calls_ != nullptr) calls_->fetch_add(1, relaxed);  // relaxed: see above
    }
    ~UnderWay() {
        if (calls_ != nullptr) calls_->fetch_sub(1, release);  // [Q3] what it has handed in
    }
    UnderWay(const UnderWay&) = delete;
    UnderWay& operator=(const UnderWay&) = delete;

private:
    GoesOn goes_on_;  // ends behind the count
    Atomic<uint32_t>* const calls_;
};

}  // namespace WEFT_ABI
}  // namespace weft
