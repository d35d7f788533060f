// SPDX-License-Identifier: MIT OR Apache-2.0
// Delays on the host: in a build with DELAYS=1 every access of a word may be held up first: most often not at all, now
// and then for some nanoseconds, a turn of the processor, or a time slice, as by an interrupt or a scheduler. The words
// of the pool are such, and those of the port, so park(), unpark() and starts are held up as well (and a fence, by what
// comes next). port/host/weft_port.hpp includes this in such a build only, and has its words from here.
//
// For a while (an epoch) the long delays stick to some places of the sources, which file, line and seed choose: it is
// the one who is held up again and again between the same two steps that finds a hole in a protocol.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "generic/atomic_builtins.hpp"

namespace weft {
namespace host {

// The place of an access, as the last parameter of the operation.
#define WEFT_HOST_SITE uint32_t site = ::weft::host::site_of(__builtin_FILE(), __builtin_LINE())

// Compilers fold it to a constant.
[[gnu::always_inline]] constexpr uint32_t site_of(const char* file, uint32_t line) {
    const size_t length = __builtin_strlen(file);
    const uint32_t letters =
        length < 6 ? 0
                   : static_cast<uint32_t>(file[length - 5]) * 31 + static_cast<uint32_t>(file[length - 6]);
    return (line * 2654435761u) ^ (letters * 40503u) ^ (static_cast<uint32_t>(length) << 20);
}

struct Delays {
    generic::BuiltinWords::Atomic<uint32_t> epoch;  // a random number, another one every few milliseconds
    generic::BuiltinWords::Atomic<uint32_t>
        share;  // of the sites that are hot in this epoch, of 2^32; 0: no delays
};
inline Delays delays;
[[gnu::tls_model("initial-exec")]] inline thread_local uint32_t accesses_left =
    1;  // until the next random delay

void delay_now(bool hot);

[[gnu::always_inline]] inline void delay(uint32_t site) {
    // relaxed (both): switches
    const bool hot =
        (site ^ delays.epoch.load(Order::relaxed)) * 2246822519u < delays.share.load(Order::relaxed);
    if (__builtin_expect(hot || --accesses_left == 0, 0)) delay_now(hot);
}

// Begins anew, with other delays for each seed. 0: none from now on.
void seed_delays(uint32_t seed);
// What has been done so far, for a comment line: how often each kind.
struct DelayCounts {
    uint32_t spins, yields, sleeps, hot_sleeps, epochs;
};
DelayCounts delay_counts();

struct Words {
    template <class T>
    class Atomic {
    public:
        constexpr Atomic() = default;
        constexpr explicit Atomic(T value) : word_(value) {}

        [[gnu::always_inline]] T load(Order order, WEFT_HOST_SITE) const {
            delay(site);
            return word_.load(order);
        }
        [[gnu::always_inline]] void store(T value, Order order, WEFT_HOST_SITE) {
            delay(site);
            word_.store(value, order);
        }
        [[gnu::always_inline]] T exchange(T value, Order order, WEFT_HOST_SITE) {
            delay(site);
            return word_.exchange(value, order);
        }
        [[gnu::always_inline]] bool compare_exchange(T& expected, T desired, Order success, Order failure,
                                                     WEFT_HOST_SITE) {
            delay(site);
            return word_.compare_exchange(expected, desired, success, failure);
        }
        [[gnu::always_inline]] T fetch_add(T value, Order order, WEFT_HOST_SITE) {
            delay(site);
            return word_.fetch_add(value, order);
        }
        [[gnu::always_inline]] T fetch_sub(T value, Order order, WEFT_HOST_SITE) {
            delay(site);
            return word_.fetch_sub(value, order);
        }
        [[gnu::always_inline]] T fetch_or(T value, Order order, WEFT_HOST_SITE) {
            delay(site);
            return word_.fetch_or(value, order);
        }
        [[gnu::always_inline]] T fetch_and(T value, Order order, WEFT_HOST_SITE) {
            delay(site);
            return word_.fetch_and(value, order);
        }

    private:
        generic::BuiltinWords::Atomic<T> word_{};
    };

    template <class T>
    class Published {
    public:
        constexpr Published() = default;
        constexpr explicit Published(T value) : word_(value) {}

        [[gnu::always_inline]] T load(Order order, WEFT_HOST_SITE) const {
            delay(site);
            return word_.load(order);
        }
        [[gnu::always_inline]] T own() const { return word_.own(); }
        [[gnu::always_inline]] void store(T value, Order order, WEFT_HOST_SITE) {
            delay(site);
            word_.store(value, order);
        }

    private:
        generic::BuiltinWords::Published<T> word_{};
    };

    template <class T>
    using Plain = generic::BuiltinWords::Plain<T>;
};

}  // namespace host
}  // namespace weft

#undef WEFT_HOST_SITE
