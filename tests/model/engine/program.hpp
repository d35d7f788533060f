// SPDX-License-Identifier: MIT OR Apache-2.0
// Model checker: Program, what the cores of one execution run. A scenario's cast() fills it in.
#pragma once

#include <initializer_list>
#include <new>

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "failure.hpp"
#include "view.hpp"

namespace weft {
namespace model {

// A small callable that is stored in place: a lambda with a few captured pointers.
class Callable {
public:
    Callable() = default;
    template <class Function>
    Callable(Function function) : call_([](void* stored) { (*static_cast<Function*>(stored))(); }) {
        static_assert(sizeof(Function) <= sizeof storage_,
                      "model: capture less (a pointer to the scenario will do)");
        static_assert(__is_trivially_copyable(Function), "model: capture only plain values and references");
        new (storage_) Function(function);
    }
    void operator()() { call_(storage_); }
    explicit operator bool() const { return call_ != nullptr; }

private:
    alignas(void*) unsigned char storage_[4 * sizeof(void*)];
    void (*call_)(void*) = nullptr;
};

// What becomes of one call of Port::start_core.
enum class Arrival : uint8_t {
    normal,   // started; the core comes at some time
    refused,  // answered refused
    absent,   // answered absent
    never,    // answered started, but the core does not come
};

// An interrupt that `must` happen comes at the latest when nothing else can go on; one that `may` happen can stay away.
enum class Occurs : uint8_t { may, must };

// Static memory of the code under test that changes while it runs. It is zero at the beginning of each execution,
// whatever one that was cut short has left.
struct StaticPart {
    void* begin;
    size_t size;
};
inline constexpr unsigned most_static_parts = 40;
inline StaticPart static_parts[most_static_parts] = {};
inline void add_static_part(void* begin, size_t size) {
    for (StaticPart& part : static_parts) {
        if (part.begin == begin) return;
        if (part.begin != nullptr) continue;
        part = StaticPart{begin, size};
        return;
    }
    fail(Failure::misuse, "more than %u parts of static memory", most_static_parts);
}

class Program {
public:
    // Core `id` runs `body` from the beginning.
    void core(unsigned id, const Callable& body);

    // The same, but the body has gone on by itself, without choices, until it waits (in park() or relax()) or ends,
    // before the first operation of the others: what may happen up to there is another scenario's business.
    void core_at_rest(unsigned id, const Callable& body);

    // Core `id` can be started: it is off until Port::start_core or, if it has a body, comes when that has ended. The
    // n-th call on it (that is not refused because an entry runs or waits) has the n-th outcome; the last one repeats.
    void late_core(unsigned id, std::initializer_list<Arrival> outcomes = {Arrival::normal});

    // `handler` may run `times` times on core `id`, between any two operations of it, to completion.
    void interrupt(unsigned id, const Callable& handler, unsigned times = 1, Occurs occurs = Occurs::must);

    // Core `id` takes interrupts in its handlers, too.
    void nested_interrupts(unsigned id) { at(id).nests = true; }

    // How a word is called in traces.
    void name(const void* word, const char* name);

    static constexpr unsigned most_outcomes = 8;
    static constexpr unsigned most_interrupts = 3;  // different handlers per core

    struct Interrupt {
        Callable handler;
        uint8_t left;
        Occurs occurs;
    };
    struct CorePlan {
        bool boots;
        bool nests;  // handlers are interrupted by handlers
        bool settles;
        Callable body;
        uint8_t outcome_count;
        Arrival outcomes[most_outcomes];
        uint8_t interrupt_count;
        Interrupt interrupts[most_interrupts];
    };

    void clear() {
        for (unsigned id = 0; id != count_; ++id) {
            plans_[id].boots = false;
            plans_[id].nests = false;
            plans_[id].settles = false;
            plans_[id].outcome_count = 0;
            plans_[id].interrupt_count = 0;
        }
        count_ = 0;
    }
    unsigned cores() const { return count_; }
    CorePlan& plan(unsigned id) { return plans_[id]; }
    const CorePlan& plan(unsigned id) const { return plans_[id]; }

private:
    CorePlan& at(unsigned id);

    CorePlan plans_[max_cores] = {};
    unsigned count_ = 0;
};

}  // namespace model
}  // namespace weft
