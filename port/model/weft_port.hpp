// SPDX-License-Identifier: MIT OR Apache-2.0
// weft, model port: the production sources, unchanged, on a simulated machine. Words become locations of a weak memory,
// cores become fibers, park() and unpark() event registers. docs/VERIFICATION.md says what is checked and how.
//
// Every operation carries its call site in defaulted arguments, so that traces name file and line and an order can be
// weakened at run time, at one site, without a rebuild (mutation).
#pragma once

#include <stdint.h>
#include <string.h>

#include "hooks.hpp"

#define WEFT_PORT_NAME model

// tests/simulate has more cores, and lines as they are on chips.
#ifndef WEFT_MODEL_CORES
#define WEFT_MODEL_CORES 8
#endif
#ifndef WEFT_MODEL_LINE
#define WEFT_MODEL_LINE 8
#endif

// The call site, as the last two parameters of an operation.
#define WEFT_MODEL_SITE const char *file = __builtin_FILE(), unsigned line = __builtin_LINE()

namespace weft {
namespace model {

template <class T>
uint64_t to_bits(T value) {
    uint64_t bits = 0;
    memcpy(&bits, &value, sizeof(T));
    return bits;
}

template <class T>
T from_bits(uint64_t bits) {
    T value;
    memcpy(&value, &bits, sizeof(T));
    return value;
}

// What Atomic and Published share. The object is as large as its value and holds nothing else: the engine knows a word
// by its address, so a dangling pointer cannot mislead it.
template <class T, WordKind kind>
class SimulatedWord {
public:
    SimulatedWord(const SimulatedWord&) = delete;
    SimulatedWord& operator=(const SimulatedWord&) = delete;

    T load(Order order, WEFT_MODEL_SITE) const {
        return from_bits<T>(hook::load(word(), order, Site{file, line}));
    }
    void store(T value, Order order, WEFT_MODEL_SITE) {
        hook::store(word(), to_bits(value), order, Site{file, line});
    }

protected:
    constexpr explicit SimulatedWord(T value) : value_(value) {
        if (!__builtin_is_constant_evaluated() && running) hook::word_born(word());
    }
    ~SimulatedWord() {
        if (running) hook::died(&value_, sizeof(T));
    }

    Word word() const { return Word{const_cast<T*>(&value_), sizeof(T), kind}; }

private:
    T value_;
    static_assert(sizeof(T) <= sizeof(void*), "weft port: no word is wider than a pointer");
};

}  // namespace model

struct Port {
    enum class Start { started, refused, absent };

    static constexpr uint32_t max_cores = WEFT_MODEL_CORES;
    static constexpr uint32_t cache_line = WEFT_MODEL_LINE;

    // Written by many cores.
    template <class T>
    class Atomic : public model::SimulatedWord<T, model::WordKind::atomic> {
        using Base = model::SimulatedWord<T, model::WordKind::atomic>;

    public:
        constexpr Atomic() : Base(T{}) {}
        constexpr explicit Atomic(T value) : Base(value) {}

        T exchange(T value, Order order, WEFT_MODEL_SITE) {
            return modify(model::Modify::exchange, value, order, model::Site{file, line});
        }
        bool compare_exchange(T& expected, T desired, Order success, Order failure, WEFT_MODEL_SITE) {
            uint64_t seen = model::to_bits(expected);
            const bool stored = model::hook::compare_exchange(this->word(), seen, model::to_bits(desired),
                                                              success, failure, model::Site{file, line});
            expected = model::from_bits<T>(seen);
            return stored;
        }
        T fetch_add(T value, Order order, WEFT_MODEL_SITE) {
            return modify(model::Modify::add, value, order, model::Site{file, line});
        }
        T fetch_sub(T value, Order order, WEFT_MODEL_SITE) {
            return modify(model::Modify::sub, value, order, model::Site{file, line});
        }
        T fetch_or(T value, Order order, WEFT_MODEL_SITE) {
            return modify(model::Modify::bit_or, value, order, model::Site{file, line});
        }
        T fetch_and(T value, Order order, WEFT_MODEL_SITE) {
            return modify(model::Modify::bit_and, value, order, model::Site{file, line});
        }

    private:
        T modify(model::Modify how, T operand, Order order, model::Site site) {
            return model::from_bits<T>(
                model::hook::modify(this->word(), how, model::to_bits(operand), order, site));
        }
    };

    // Written by one core; the engine reports a second writer that is not ordered after the first.
    template <class T>
    class Published : public model::SimulatedWord<T, model::WordKind::published> {
        using Base = model::SimulatedWord<T, model::WordKind::published>;

    public:
        constexpr Published() : Base(T{}) {}
        constexpr explicit Published(T value) : Base(value) {}

        T own(WEFT_MODEL_SITE) const {
            return model::from_bits<T>(model::hook::own(this->word(), model::Site{file, line}));
        }
    };

    // Plain memory with a race detector on it.
    template <class T>
    class Plain {
    public:
        constexpr Plain() : Plain(T{}) {}
        constexpr explicit Plain(T value) : value_(value) {
            if (!__builtin_is_constant_evaluated() && model::running)
                model::hook::plain_born(&value_, sizeof(T));
        }
        Plain(const Plain&) = delete;
        Plain& operator=(const Plain&) = delete;
        ~Plain() {
            if (model::running) model::hook::died(&value_, sizeof(T));
        }

        T get(WEFT_MODEL_SITE) const {
            model::hook::plain_read(&value_, sizeof(T), model::Site{file, line});
            return value_;
        }
        void set(T value, WEFT_MODEL_SITE) {
            model::hook::plain_write(&value_, sizeof(T), model::Site{file, line});
            value_ = value;
        }

    private:
        T value_;
    };

    static uint32_t core_id() { return model::hook::core_id(); }
    static void fence(WEFT_MODEL_SITE) { model::hook::fence(model::Site{file, line}); }
    static void relax(WEFT_MODEL_SITE) { model::hook::relax(model::Site{file, line}); }
    static void park(WEFT_MODEL_SITE) { model::hook::park(model::Site{file, line}); }
    static void unpark(uint32_t core, WEFT_MODEL_SITE) { model::hook::unpark(core, model::Site{file, line}); }
    static void interrupt(uint32_t core, void (*handler)(), WEFT_MODEL_SITE) {
        model::hook::interrupt(core, handler, model::Site{file, line});
    }
    static Start start_core(uint32_t core, void (*entry)(void*), void* arg, WEFT_MODEL_SITE) {
        const model::StartAnswer answer = model::hook::start_core(core, entry, arg, model::Site{file, line});
        if (answer == model::StartAnswer::started) return Start::started;
        return answer == model::StartAnswer::refused ? Start::refused : Start::absent;
    }
    static bool cancel_start(uint32_t core, void* arg, WEFT_MODEL_SITE) {
        return model::hook::cancel_start(core, arg, model::Site{file, line});
    }
    static void vacate(WEFT_MODEL_SITE) { model::hook::vacate(model::Site{file, line}); }
    static uint32_t now(WEFT_MODEL_SITE) { return model::hook::now(model::Site{file, line}); }
    static void set_alarm(uint32_t tick, WEFT_MODEL_SITE) {
        model::hook::set_alarm(tick, model::Site{file, line});
    }
    static void clear_alarm(WEFT_MODEL_SITE) { model::hook::clear_alarm(model::Site{file, line}); }
    static uint32_t ticks_per_ms() { return model::hook::ticks_per_ms(); }
    static uint32_t hold_interrupts() { return model::hook::hold_interrupts(); }
    static void release_interrupts(uint32_t held) { model::hook::release_interrupts(held); }
    static uint32_t pen_turn(uint32_t core, WEFT_MODEL_SITE) {
        return model::hook::pen_turn(core, model::Site{file, line});
    }
    static bool in_isr() { return model::hook::in_isr(); }
    static uint32_t* stack_limit() { return nullptr; }
    [[noreturn]] static void panic(const char* reason, uint32_t core, const void* task) {
        model::hook::panic(reason, core, task);
    }
};

}  // namespace weft

#undef WEFT_MODEL_SITE
