// SPDX-License-Identifier: MIT OR Apache-2.0
// For the tests beside this folder: the smallest port that passes the checks of weft/port.hpp, unless one of
// the macros below takes something away; port_complete.cpp shows that it does pass. It is only compiled,
// never linked.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include <weft/order.hpp>

#if !defined(PORT_WITHOUT_NAME)
#define WEFT_PORT_NAME smallest
#endif

namespace weft {

struct Port {
    template <class T>
    class Atomic {
    public:
        constexpr Atomic() = default;
        constexpr explicit Atomic(T value) : value_(value) {}
        T load(Order) const { return value_; }
        void store(T value, Order) { value_ = value; }
        T exchange(T value, Order);
        bool compare_exchange(T& expected, T value, Order success, Order failure);
        T fetch_add(T value, Order);
        T fetch_sub(T value, Order);
#if !defined(PORT_WITHOUT_FETCH_OR)
        T fetch_or(T value, Order);
#endif
        T fetch_and(T value, Order);

    private:
        T value_{};
    };

    template <class T>
    class Published {
    public:
        constexpr Published() = default;
        constexpr explicit Published(T value) : value_(value) {}
        T load(Order) const { return value_; }
        void store(T value, Order) { value_ = value; }
        T own() const { return value_; }

    private:
        T value_{};
    };

    template <class T>
    class Plain {
    public:
        constexpr Plain() = default;
        constexpr explicit Plain(T value) : value_(value) {}
        T get() const { return value_; }
        void set(T value) { value_ = value; }

    private:
        T value_{};
    };

#if defined(PORT_WITHOUT_ABSENT)
    enum class Start { started, refused };
#else
    enum class Start { started, refused, absent };
#endif
#if defined(PORT_OF_FOUR_CORES)
    static constexpr uint32_t max_cores = 4;
#else
    static constexpr uint32_t max_cores = 32;
#endif
    static constexpr uint32_t cache_line = 8;

    static uint32_t core_id();
    static void fence();
    static void relax();
#if !defined(PORT_WITHOUT_PARK)
    static void park();
#endif
    static void unpark(uint32_t core);
    static Start start_core(uint32_t core, void (*entry)(void*), void* arg);
    static bool cancel_start(uint32_t core, void* arg);
    static void vacate();
#if defined(PORT_WITH_WRONG_NOW)
    static uint64_t now();
#else
    static uint32_t now();
#endif
    static uint32_t ticks_per_ms();
    static bool in_isr();
    static uint32_t* stack_limit();
    [[noreturn]] static void panic(const char* reason, uint32_t core, const void* task);
};

}  // namespace weft
