// SPDX-License-Identifier: MIT OR Apache-2.0
// weft: functions of the image's that are called beside a sleep (on_all_asleep(), on_sleep()).
#pragma once

#include "internal.hpp"

namespace weft {
inline namespace WEFT_ABI {
namespace detail {

// While it lives, what this core forks runs serially, as outside of all pools: in a function of the image's that is
// called beside a sleep.
class ForksSerially {
public:
    ForksSerially() { ForkDeque::leave(nullptr); }
    ForksSerially(const ForksSerially&) = delete;
    ForksSerially& operator=(const ForksSerially&) = delete;
    ~ForksSerially() {
        ForkDeque::leave(before_);
        ForkDeque::goes_beside_a_sleep(was_beside_);
    }

private:
    ForkDeque* const before_ = ForkDeque::current();
    const bool was_beside_ = ForkDeque::goes_beside_a_sleep(true);
};

}  // namespace detail
}  // namespace WEFT_ABI
}  // namespace weft
