// SPDX-License-Identifier: MIT OR Apache-2.0
// weft: Depth, how many tasks a queue holds, and the most that it ever did. docs/METRICS.md. Nothing is left of it with
// WEFT_METRICS=0.
#pragma once

#include <weft/config.hpp>

namespace weft {
inline namespace WEFT_ABI {
namespace detail {

#if WEFT_METRICS

// Of a queue that any core fills. All is relaxed: the edges S1 and S2 of the queue order these steps (METRICS 1.4).
class Depth {
public:
    uint32_t now() const { return now_.load(relaxed); }    // relaxed: one word, no data
    uint32_t most() const { return most_.load(relaxed); }  // relaxed: one word, no data

protected:
    constexpr Depth() = default;

    // Before they are published.
    WEFT_SHARED void adds(uint32_t tasks) {
        const uint32_t now = now_.fetch_add(tasks, relaxed) + tasks;  // relaxed: see above
        uint32_t most = most_.load(relaxed);                          // relaxed (both): no data
        while (most < now && !most_.compare_exchange(most, now, relaxed, relaxed)) {
            // ends: another core has raised it, or (rarely) nothing
        }
    }
    // After the step that has taken them, or has refused them.
    WEFT_SHARED void subtracts(uint32_t tasks) { now_.fetch_sub(tasks, relaxed); }  // relaxed: see above

private:
    Atomic<uint32_t> now_{};
    Atomic<uint32_t> most_{};
};

// Of a queue that one core fills: the most alone.
class OwnDepth {
public:
    uint32_t most() const { return most_.load(relaxed); }  // relaxed: one word, no data

protected:
    constexpr OwnDepth() = default;

    // Owner.
    void reaches(uint32_t depth) {
        if (depth > most_.own()) most_.store(depth, relaxed);  // relaxed: no data
    }

private:
    Published<uint32_t> most_{};
};

#else

class Depth {
protected:
    constexpr Depth() = default;
};

class OwnDepth {
protected:
    constexpr OwnDepth() = default;
};

#endif

}  // namespace detail
}  // namespace WEFT_ABI
}  // namespace weft
