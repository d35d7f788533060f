// SPDX-License-Identifier: MIT OR Apache-2.0
// weft: the count of the coroutines that one waits for. Apart from coroutine.hpp, which needs C++20.
#pragma once

#include <weft/config.hpp>

namespace weft {
inline namespace WEFT_ABI {
namespace detail {

// How many of the coroutines that one waits for have not ended; one more while it still submits them. Who brings
// it to 0 goes on with who waits.
class CoroutineGroup {
public:
    void begin(uint32_t count) { left_.store(count, relaxed); }  // relaxed: the submits publish it
    // One that ends, or `ended` that were refused. When it says true, it is the caller that goes on.
    bool end(uint32_t ended = 1) {
        // [Y2] what those that have ended wrote, for who goes on
        return left_.fetch_sub(ended, acq_rel) == ended;
    }

private:
    Atomic<uint32_t> left_{};
};

}  // namespace detail
}  // namespace WEFT_ABI
}  // namespace weft
