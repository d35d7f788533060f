// SPDX-License-Identifier: MIT OR Apache-2.0
// weft: the three kinds of word over the compiler's __atomic builtins (GCC, Clang), for machines that have
// compare-and-swap or LL/SC on pointer-sized words. A port takes them by deriving its Port from BuiltinWords.
#pragma once

#include <weft/order.hpp>

#if defined(__SANITIZE_THREAD__)
#define WEFT_GENERIC_TSAN 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define WEFT_GENERIC_TSAN 1
#endif
#endif

namespace weft {
namespace generic {

constexpr int builtin_order(Order order) {
    return order == Order::relaxed   ? __ATOMIC_RELAXED
           : order == Order::acquire ? __ATOMIC_ACQUIRE
           : order == Order::release ? __ATOMIC_RELEASE
                                     : __ATOMIC_ACQ_REL;
}

// The order of a compare-exchange that succeeds, with what the other outcome needs: for ARMv7-M GCC 12 forgets an
// acquire that only the failure order asks for.
constexpr Order with_failure(Order success, Order failure) {
    return failure != Order::acquire   ? success
           : success == Order::relaxed ? Order::acquire
           : success == Order::release ? Order::acq_rel
                                       : success;
}

// How a word is read, written and exchanged.
struct Builtins {
    // Relaxed loads and stores are volatile accesses: on every machine served here an aligned word is read and written
    // whole, and the compilers give them all addressing modes (for __atomic_load_n GCC 12 computes the address first:
    // four bytes more for each on Thumb-2). ThreadSanitizer must see atomics, so there they stay builtins.
    template <class T>
    [[gnu::always_inline]] static T load(const T& word, Order order) {
#if !defined(WEFT_GENERIC_TSAN)
        if (order == Order::relaxed) return *const_cast<const volatile T*>(&word);
#endif
        return __atomic_load_n(&word, builtin_order(order));
    }
    template <class T>
    [[gnu::always_inline]] static void store(T& word, T value, Order order) {
#if !defined(WEFT_GENERIC_TSAN)
        if (order == Order::relaxed) {
            *const_cast<volatile T*>(&word) = value;
            return;
        }
#endif
        __atomic_store_n(&word, value, builtin_order(order));
    }
    template <class T>
    [[gnu::always_inline]] static bool compare_exchange(T& word, T& expected, T desired, Order success,
                                                        Order failure) {
        return __atomic_compare_exchange_n(&word, &expected, desired, true,
                                           builtin_order(with_failure(success, failure)),
                                           builtin_order(failure));
    }
};

// The three kinds of word. `Access`: as Builtins; a port of its own where the compilers get one of these wrong.
template <class Access>
struct Words {
    // Written by many cores.
    template <class T>
    class Atomic {
    public:
        constexpr Atomic() = default;
        constexpr explicit Atomic(T value) : value_(value) {}
        Atomic(const Atomic&) = delete;
        Atomic& operator=(const Atomic&) = delete;

        [[gnu::always_inline]] T load(Order order) const { return Access::load(value_, order); }
        [[gnu::always_inline]] void store(T value, Order order) { Access::store(value_, value, order); }
        [[gnu::always_inline]] T exchange(T value, Order order) {
            return __atomic_exchange_n(&value_, value, builtin_order(order));
        }
        // Weak: may fail without cause; callers loop.
        [[gnu::always_inline]] bool compare_exchange(T& expected, T desired, Order success, Order failure) {
            return Access::compare_exchange(value_, expected, desired, success, failure);
        }
        [[gnu::always_inline]] T fetch_add(T value, Order order) {
            return __atomic_fetch_add(&value_, value, builtin_order(order));
        }
        [[gnu::always_inline]] T fetch_sub(T value, Order order) {
            return __atomic_fetch_sub(&value_, value, builtin_order(order));
        }
        [[gnu::always_inline]] T fetch_or(T value, Order order) {
            return __atomic_fetch_or(&value_, value, builtin_order(order));
        }
        [[gnu::always_inline]] T fetch_and(T value, Order order) {
            return __atomic_fetch_and(&value_, value, builtin_order(order));
        }

    private:
        T value_{};
        static_assert(sizeof(T) == 4 || sizeof(T) == sizeof(void*),
                      "weft port: a word is 32 bits or a pointer");
    };

    // Written by one core, read by others: plain loads and stores on every machine.
    template <class T>
    class Published {
    public:
        constexpr Published() = default;
        constexpr explicit Published(T value) : value_(value) {}
        Published(const Published&) = delete;
        Published& operator=(const Published&) = delete;

        [[gnu::always_inline]] T load(Order order) const { return Access::load(value_, order); }
        // relaxed: the writer's own read
        [[gnu::always_inline]] T own() const { return Access::load(value_, Order::relaxed); }
        [[gnu::always_inline]] void store(T value, Order order) { Access::store(value_, value, order); }

    private:
        T value_{};
        static_assert(sizeof(T) <= sizeof(void*), "weft port: no word is wider than a pointer");
    };

    // Not synchronised by itself: an edge of another word protects it.
    template <class T>
    class Plain {
    public:
        constexpr Plain() = default;
        constexpr explicit Plain(T value) : value_(value) {}

        [[gnu::always_inline]] T get() const { return value_; }
        [[gnu::always_inline]] void set(T value) { value_ = value; }

    private:
        T value_{};
    };
};

using BuiltinWords = Words<Builtins>;

}  // namespace generic
}  // namespace weft
