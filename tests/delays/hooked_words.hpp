// SPDX-License-Identifier: MIT OR Apache-2.0
// Words of the host port with a hook at every access: an object of `Hook` lives while the access is made.
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

template <class Hook>
struct HookedWords {
    template <class T>
    class Atomic {
    public:
        constexpr Atomic() = default;
        constexpr explicit Atomic(T value) : word_(value) {}

        [[gnu::always_inline]] T load(Order order, WEFT_HOST_SITE) const {
            const Hook hook(site);
            return word_.load(order);
        }
        [[gnu::always_inline]] void store(T value, Order order, WEFT_HOST_SITE) {
            const Hook hook(site);
            word_.store(value, order);
        }
        [[gnu::always_inline]] T exchange(T value, Order order, WEFT_HOST_SITE) {
            const Hook hook(site);
            return word_.exchange(value, order);
        }
        [[gnu::always_inline]] bool compare_exchange(T& expected, T desired, Order success, Order failure,
                                                     WEFT_HOST_SITE) {
            const Hook hook(site);
            return word_.compare_exchange(expected, desired, success, failure);
        }
        [[gnu::always_inline]] T fetch_add(T value, Order order, WEFT_HOST_SITE) {
            const Hook hook(site);
            return word_.fetch_add(value, order);
        }
        [[gnu::always_inline]] T fetch_sub(T value, Order order, WEFT_HOST_SITE) {
            const Hook hook(site);
            return word_.fetch_sub(value, order);
        }
        [[gnu::always_inline]] T fetch_or(T value, Order order, WEFT_HOST_SITE) {
            const Hook hook(site);
            return word_.fetch_or(value, order);
        }
        [[gnu::always_inline]] T fetch_and(T value, Order order, WEFT_HOST_SITE) {
            const Hook hook(site);
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
            const Hook hook(site);
            return word_.load(order);
        }
        [[gnu::always_inline]] T own() const { return word_.own(); }
        [[gnu::always_inline]] void store(T value, Order order, WEFT_HOST_SITE) {
            const Hook hook(site);
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
