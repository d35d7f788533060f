// SPDX-License-Identifier: MIT OR Apache-2.0
// Model checker: what an author of scenarios needs. A scenario is a type: its members are the state, constructed anew
// for each execution, always at the same address; cores() says what each core runs; finish() judges the end.
//
//     struct Handoff {
//         weft::Atomic<uint32_t> flag{0};
//         weft::Plain<uint32_t> payload{0};
//
//         void cores(model::Program& on) {
//             on.core(0, [this] { payload.set(42); flag.store(1, weft::release); });
//             on.core(1, [this] {
//                 while (flag.load(weft::acquire) == 0) weft::Port::relax();
//                 model::check(payload.get() == 42, "the payload has arrived");
//             });
//         }
//         void finish() {}                                     // optional; all cores' effects are visible
//     };
//     MODEL_SCENARIO(handoff, Handoff).preemptions(3).stale_reads(2);
//     MODEL_SCENARIO(handoff_broken, BrokenHandoff).finds("data race");
//
// Everything that several cores touch must be a weft word, or be such that the order of accesses does not matter to the
// verdict (counters that finish() compares). Bodies must not own heap memory: an abandoned execution does not unwind.
#pragma once

#include <functional>
#include <initializer_list>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <weft/port.hpp>

#include "config.hpp"
#include "failure.hpp"
#include "program.hpp"

namespace weft {
namespace model {

// ---- In bodies, handlers and finish()

// Ends the execution as a counterexample unless `condition` holds.
inline void check(bool condition, const char* what) {
    if (!condition) fail(Failure::check, "%s", what);
}

// In finish(): this execution's outcome; the exploration collects the set of them.
void outcome(const std::string& text);

// The object at `object` ends here: each access to its words must be ordered before, none may follow. (Words that are
// destroyed while the cores run, on a core's stack, end by themselves.)
void end_of_life(const void* object, size_t size);
template <class T>
void end_of_life(const T& object) {
    end_of_life(&object, sizeof object);
}

// How often the calling core has called relax() in this execution.
uint32_t relaxes();

// How many operations all cores have done in this execution.
uint32_t steps();

// Time passes. Any core.
void advance_clock(uint32_t ticks);

// ---- Definition

class Scenario {
public:
    std::string name;
    Config config;
    bool both_wakes = false;
    bool expects_failure = false;
    std::string expected;  // part of the failure's text
    bool expects_outcomes = false;
    std::set<std::string> outcomes;  // exactly these, in exhaustive mode; no others, in any mode

    size_t size = 0;
    std::function<void(void* state)> construct;
    std::function<void(void* state)> destroy;
    std::function<void(void* state, Program& program)> cores;
    std::function<void(void* state)> finish;

    Scenario& preemptions(unsigned most) { return set(config.preemptions, most); }
    Scenario& stale_reads(unsigned most) { return set(config.stale_reads, most); }
    // Larger bounds than `--deep 3` has anyway: what is too long for every day.
    Scenario& deep(unsigned preemptions, unsigned stale_reads) {
        config.deep_preemptions = preemptions;
        return set(config.deep_stale_reads, stale_reads);
    }
    Scenario& spin_returns(unsigned most) { return set(config.spin_returns, most); }
    Scenario& spurious_parks(unsigned most) { return set(config.spurious_parks, most); }
    Scenario& spurious_exchanges(unsigned most) { return set(config.spurious_exchanges, most); }
    Scenario& time_jumps(unsigned most, uint32_t ticks) {
        config.ticks_per_jump = ticks;
        return set(config.time_jumps, most);
    }
    Scenario& ticks_per_ms(uint32_t ticks) { return set(config.ticks_per_ms, ticks); }
    Scenario& ticks_per_call(uint32_t ticks) { return set(config.ticks_per_call, ticks); }
    // Port::pen_turn() is more than 1: a core that start_core() has brought says when it is back in its pen.
    Scenario& pens() { return set(config.pens, true); }
    Scenario& alarms() { return set(config.alarms, true); }
    // Port::interrupt() may be called. Then there is no reduction: what another core makes pending may come before any
    // step of the interrupted one, so all of them would conflict.
    Scenario& interrupts() {
        config.reduction = Reduction::none;
        return set(config.preemptions_allowed, true);
    }
    Scenario& clock_start(uint32_t tick) { return set(config.clock_start, tick); }
    Scenario& steps(unsigned most) { return set(config.steps, most); }
    Scenario& seconds(double most) { return set(config.seconds, most); }
    Scenario& executions(uint64_t most) { return set(config.executions, most); }
    Scenario& depth(unsigned points) { return set(config.depth, points); }
    Scenario& mode(Mode mode) { return set(config.mode, mode); }
    // An execution may end with cores in park(); finish() judges whether that is right.
    // What it asks for is promised only within these bounds: samples, which have none, would refute it.
    Scenario& within_bounds() { return set(config.within_bounds, true); }
    Scenario& parked_at_end() { return set(config.parked_at_end, true); }
    Scenario& wake(Wake style) { return set(config.wake, style); }
    Scenario& each_wake() { return set(both_wakes, true); }
    // The exploration may be given up when its time is over.
    Scenario& may_stop_early() { return set(config.must_exhaust, false); }

    // A counterexample must be found, and its text contain `part`.
    Scenario& finds(const char* part);
    Scenario& allows(std::initializer_list<const char*> outcomes);
    Scenario& allows(const std::set<std::string>& outcomes);

private:
    template <class T, class U>
    Scenario& set(T& field, U value) {
        field = static_cast<T>(value);
        return *this;
    }
};

// Every scenario of the program, in the order of their definitions.
std::vector<Scenario*>& scenarios();

namespace detail {

template <class T, class = void>
struct Finish {
    static void call(void*) {}
};
template <class T>
struct Finish<T, decltype(std::declval<T&>().finish(), void())> {
    static void call(void* state) { static_cast<T*>(state)->finish(); }
};

// What is left of a type: there are hundreds, and all that follows is compiled once.
struct State {
    size_t size;
    void (*construct)(void* state);
    void (*destroy)(void* state);
    void (*cores)(void* state, Program& program);
    void (*finish)(void* state);
};
template <class T>
constexpr State state_of() {
    static_assert(alignof(T) <= 64, "model: a scenario's state is aligned to 64 bytes");
    return {sizeof(T), [](void* state) { new (state) T(); },
            [](void* state) { static_cast<T*>(state)->~T(); },
            [](void* state, Program& program) { static_cast<T*>(state)->cores(program); }, Finish<T>::call};
}
Scenario make_scenario(const char* name, const State& state);
Scenario& add_scenario(const char* name, const State& state);

}  // namespace detail

template <class T>
Scenario make_scenario(const char* name) {
    return detail::make_scenario(name, detail::state_of<T>());
}

template <class T>
Scenario& add_scenario(const char* name) {
    return detail::add_scenario(name, detail::state_of<T>());
}

}  // namespace model
}  // namespace weft

#define MODEL_SCENARIO(name, ...)                                            \
    [[maybe_unused]] static ::weft::model::Scenario& model_scenario_##name = \
        ::weft::model::add_scenario<__VA_ARGS__>(#name)
