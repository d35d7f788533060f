// SPDX-License-Identifier: MIT OR Apache-2.0
// weft: the three kinds of word for 32-bit cores that have no compare-and-swap and no LL/SC. Words that many cores
// write change under a lock, plain stores too: a store between another core's read and write would be lost. Loads and
// the words of one writer take no lock. A port derives its Port from LockedWords.
//
// `Access` supplies, as static functions:
//   load(word, order), store(word, value, order)          of one aligned word, with the order, without the lock
//   exchange(address, value), fetch_add(...), fetch_or(...), fetch_and(...), compare_exchange(address, expected, value)
//                                                         of the 32 bits at an address, under the lock, as acq_rel
#pragma once

#include <stdint.h>

#include <weft/order.hpp>

#include "generic/atomic_builtins.hpp"

namespace weft {
namespace generic {

template <class Access>
struct LockedWords {
    // Written by many cores. Whatever order a change asks for, it gets acq_rel: the lock's barriers are there anyway.
    template <class T>
    class Atomic {
    public:
        constexpr Atomic() = default;
        constexpr explicit Atomic(T value) : value_(value) {}
        Atomic(const Atomic&) = delete;
        Atomic& operator=(const Atomic&) = delete;

        [[gnu::always_inline]] T load(Order order) const { return Access::load(value_, order); }
        [[gnu::always_inline]] void store(T value, Order) { Access::exchange(&value_, bits(value)); }
        [[gnu::always_inline]] T exchange(T value, Order) {
            return whole(Access::exchange(&value_, bits(value)));
        }
        [[gnu::always_inline]] bool compare_exchange(T& expected, T desired, Order, Order) {
            const uint32_t wanted = bits(expected);
            const uint32_t seen = Access::compare_exchange(&value_, wanted, bits(desired));
            expected = whole(seen);
            return seen == wanted;
        }
        [[gnu::always_inline]] T fetch_add(T value, Order) {
            return whole(Access::fetch_add(&value_, bits(value)));
        }
        [[gnu::always_inline]] T fetch_sub(T value, Order) {
            return whole(Access::fetch_add(&value_, 0 - bits(value)));
        }
        [[gnu::always_inline]] T fetch_or(T value, Order) {
            return whole(Access::fetch_or(&value_, bits(value)));
        }
        [[gnu::always_inline]] T fetch_and(T value, Order) {
            return whole(Access::fetch_and(&value_, bits(value)));
        }

    private:
        // A pointer or a number, as it lies in memory.
        [[gnu::always_inline]] static uint32_t bits(T value) {
            uint32_t as_number;
            __builtin_memcpy(&as_number, &value, sizeof(T));
            return as_number;
        }
        [[gnu::always_inline]] static T whole(uint32_t as_number) {
            T value;
            __builtin_memcpy(&value, &as_number, sizeof(T));
            return value;
        }

        T value_{};
        static_assert(sizeof(T) == 4, "weft port: a word is 32 bits or a pointer");
    };

    template <class T>
    using Published = typename Words<Access>::template Published<T>;
    template <class T>
    using Plain = typename Words<Access>::template Plain<T>;
};

}  // namespace generic
}  // namespace weft
