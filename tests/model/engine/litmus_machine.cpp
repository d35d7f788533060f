// SPDX-License-Identifier: MIT OR Apache-2.0
// Model checker, self-test: litmus tests of the simulated machine: events, starting of cores, interrupts, spinning,
// time, lifetimes, and everything that must be reported.
#include "litmus.hpp"

#include "sites.hpp"

using litmus::allows;
using litmus::digits;
using litmus::finds;
using litmus::mutated;
using litmus::passes;
using litmus::Words;
using weft::acquire;
using weft::Port;
using weft::relaxed;
using weft::release;

namespace model = weft::model;

namespace {

#define BODY(...) []([[maybe_unused]] Words& w) { __VA_ARGS__ }

std::string here(unsigned line, const char* call) {
    return "litmus_machine.cpp:" + std::to_string(line) + ":" + call;
}

// ---- Events

void events() {
    passes("event_before_park_is_kept", {
        BODY(w.x.store(1, relaxed); Port::unpark(1);), BODY(while (w.x.load(relaxed) == 0) Port::park();)
    }).each_wake();
    passes("event_ends_a_park_without_check", { BODY(Port::unpark(1);), BODY(Port::park();) }).each_wake();
    finds("event_missing", "core 1 is parked",
          { BODY(w.x.store(1, relaxed);), BODY(while (w.x.load(relaxed) == 0) Port::park();) });
    finds("event_is_not_counted", "lost wake-up",
          { BODY(Port::unpark(1); Port::unpark(1);), BODY(Port::park(); Port::park();) });
    finds("event_swallowed_by_a_second_park", "lost wake-up", {
        BODY(w.x.store(1, relaxed); Port::unpark(1);), BODY(while (w.x.load(relaxed) == 0) {
            Port::park();
            Port::park();
        })
    });
    finds("event_before_the_store", "lost wake-up", {
        BODY(Port::unpark(1); w.x.store(1, relaxed);), BODY(while (w.x.load(relaxed) == 0) Port::park();)
    });
    allows("event_carries_the_stores_before_it",
           { BODY(w.x.store(1, relaxed); Port::unpark(1);), BODY(Port::park(); w.r[0] = w.x.load(relaxed);) },
           digits<0>, {"1"});
    static constexpr unsigned unpark_line = __LINE__ + 2;
    allows("event_without_barrier",
           { BODY(w.x.store(1, relaxed); Port::unpark(1);), BODY(Port::park(); w.r[0] = w.x.load(relaxed);) },
           digits<0>, {"0", "1"});
    mutated(here(unpark_line, "unpark=none"));
    static constexpr unsigned park_line = __LINE__ + 2;
    allows("event_without_barrier_at_the_receiver",
           { BODY(w.x.store(1, relaxed); Port::unpark(1);), BODY(Port::park(); w.r[0] = w.x.load(relaxed);) },
           digits<0>, {"0", "1"});
    mutated(here(park_line, "park=none"));
    finds("event_orders_no_plain_memory", "data race",
          { BODY(w.data.set(1); Port::unpark(1);), BODY(Port::park(); w.r[0] = w.data.get();) });
    allows("event_reaches_all",
           { BODY(Port::unpark(1);), BODY(Port::park();), BODY(Port::park(); w.r[0] = 1;) }, digits<0>,
           {"1"});
    allows("event_targeted", { BODY(Port::unpark(1);), BODY(Port::park();), BODY(Port::park(); w.r[0] = 1;) },
           digits<0>, {"0"})
        .wake(model::Wake::targeted)
        .parked_at_end();
    allows("event_spurious", { BODY(Port::park(); w.r[0] = 1;) }, digits<0>, {"0", "1"})
        .spurious_parks(1)
        .parked_at_end();
}

// ---- Starting cores

// Core 1 is off; `outcomes`: of its starts. Core 0 starts it `starts` times and may withdraw the last one.
template <model::Arrival first, model::Arrival second, unsigned starts, bool cancels>
struct Start {
    weft::Atomic<uint32_t> ran{0};
    weft::Plain<uint32_t> data{0};
    uint32_t answers[2] = {9, 9};
    uint32_t cancelled = 0;

    static void entry(void* argument) {
        Start& self = *static_cast<Start*>(argument);
        model::check(self.data.get() == 1 && Port::core_id() == 1,
                     "the entry sees what was stored before the start");
        self.ran.fetch_add(1, release);
    }
    void cores(model::Program& on) {
        on.late_core(1, {first, second});
        on.core(0, [this] {
            data.set(1);
            for (unsigned i = 0; i != starts; ++i)
                answers[i] = static_cast<uint32_t>(Port::start_core(1, entry, this));
            if (cancels) cancelled = Port::cancel_start(1, this);
        });
    }
    void finish() {
        std::string text = "answers ";
        for (unsigned i = 0; i != starts; ++i) text += std::to_string(answers[i]);
        model::outcome(text + (cancelled ? " cancelled" : "") + " ran " + std::to_string(ran.load(relaxed)));
    }
};

// Core 1 starts late; meanwhile core 2 has stored something and sent an event that nobody heard.
template <bool checks_first>
struct LateCore {
    weft::Atomic<uint32_t> work{0};

    static void entry(void* argument) {
        LateCore& self = *static_cast<LateCore*>(argument);
        if (!checks_first) Port::park();
        while (self.work.load(relaxed) == 0) Port::park();
    }
    void cores(model::Program& on) {
        on.late_core(1);
        on.core(0, [this] { static_cast<void>(Port::start_core(1, entry, this)); });
        on.core(2, [this] {
            work.store(1, relaxed);
            Port::unpark(1);
        });
    }
};

// Core 1 runs a program of its own when core 0 starts it.
struct StartOfBusyCore {
    weft::Atomic<uint32_t> entered{0};
    uint32_t seen = 9;

    static void entry(void* argument) {
        StartOfBusyCore& self = *static_cast<StartOfBusyCore*>(argument);
        model::check(self.seen != 9, "the program has ended");
        self.entered.store(1, release);
    }
    void cores(model::Program& on) {
        on.late_core(1);
        on.core(0, [this] {
            const bool started = Port::start_core(1, entry, this) == Port::Start::started;
            model::check(started, "the entry waits");
            while (entered.load(acquire) == 0) Port::relax();
        });
        on.core(1, [this] { seen = entered.load(acquire); });
    }
    void finish() { model::outcome("seen " + std::to_string(seen)); }
};

// Cores 0 and 2 start core 1; core 0 withdraws what it takes for its own entry.
template <bool by_argument>
struct TwoStarters {
    weft::Atomic<uint32_t> ran[2];
    bool posted = false;
    bool cancelled = false;

    static void entry(void* argument) { static_cast<weft::Atomic<uint32_t>*>(argument)->store(1, relaxed); }
    void cores(model::Program& on) {
        on.late_core(1);
        on.core(0, [this] {
            if (Port::start_core(1, entry, &ran[0]) != Port::Start::started) return;
            cancelled = Port::cancel_start(1, by_argument ? &ran[0] : nullptr);
        });
        on.core(2, [this] { posted = Port::start_core(1, entry, &ran[1]) == Port::Start::started; });
    }
    void finish() {
        model::check(!(cancelled && ran[0].load(relaxed) != 0), "what was withdrawn does not run");
        model::check((ran[1].load(relaxed) != 0) == posted, "what was not withdrawn runs");
    }
};

// Core 0 has gone to its rest before core 1 begins.
struct AtRest {
    weft::Atomic<uint32_t> stored{0};
    uint32_t seen = 9;

    void cores(model::Program& on) {
        on.core_at_rest(0, [this] {
            stored.fetch_add(1, relaxed);
            stored.fetch_add(1, relaxed);
            Port::park();
            stored.fetch_add(1, relaxed);
        });
        on.core(1, [this] {
            seen = stored.fetch_add(1, relaxed);
            Port::unpark(0);
        });
    }
    void finish() { model::outcome("seen " + std::to_string(seen)); }
};

void starts() {
    using model::Arrival;
    litmus::scenario<Start<Arrival::normal, Arrival::normal, 1, false>>("start_runs_the_entry")
        .allows({"answers 0 ran 1"});
    litmus::scenario<Start<Arrival::normal, Arrival::normal, 2, false>>("start_of_a_busy_core_is_refused")
        .allows({"answers 00 ran 2", "answers 01 ran 1"});
    litmus::scenario<Start<Arrival::refused, Arrival::absent, 2, false>>("start_refused_absent")
        .allows({"answers 12 ran 0"});
    litmus::scenario<Start<Arrival::refused, Arrival::normal, 2, false>>("start_refused_then_started")
        .allows({"answers 10 ran 1"});
    litmus::scenario<Start<Arrival::never, Arrival::normal, 1, true>>("start_never_arrives")
        .allows({"answers 0 cancelled ran 0"});
    litmus::scenario<Start<Arrival::normal, Arrival::normal, 1, true>>("start_either_runs_or_is_cancelled")
        .allows({"answers 0 cancelled ran 0", "answers 0 ran 1"});
    litmus::scenario<AtRest>("core_at_rest_has_gone_first").allows({"seen 2"});
    litmus::scenario<StartOfBusyCore>("start_of_a_core_with_a_program").allows({"seen 0"});
    litmus::scenario<TwoStarters<true>>("start_withdraws_its_own_entry_only");
    litmus::scenario<TwoStarters<false>>("start_withdraws_whichever_is_there").finds("what was withdrawn");
    litmus::scenario<LateCore<true>>("start_late_core_checks_first").each_wake();
    litmus::scenario<LateCore<false>>("start_late_core_parks_first").finds("core 1 is parked");
}

// ---- Interrupts

struct InterruptAnywhere {
    weft::Published<uint32_t> progress{0};
    uint32_t seen = 9;

    void cores(model::Program& on) {
        on.core(0, [this] {
            for (uint32_t i = 1; i != 4; ++i) progress.store(i, relaxed);
        });
        on.interrupt(
            0,
            [this] {
                model::check(Port::in_isr() && Port::core_id() == 0, "runs in interrupt context on its core");
                seen = progress.load(relaxed);
            },
            1, model::Occurs::may);
    }
    void finish() { model::outcome(std::to_string(seen)); }
};

// A handler that has its core's word by own() sees each of the values, too. It looks only once the core has stored one.
struct InterruptOwns {
    weft::Published<uint32_t> progress{0};
    weft::Atomic<uint32_t> begun{0};
    uint32_t seen = 9;

    void cores(model::Program& on) {
        on.core(0, [this] {
            progress.store(1, relaxed);
            begun.store(1, relaxed);
            progress.store(2, relaxed);
            progress.store(3, relaxed);
        });
        on.interrupt(0, [this] {
            if (begun.load(relaxed) != 0) seen = progress.own();
        });
    }
    void finish() { model::outcome(std::to_string(seen)); }
};

// An interrupt while the core is parked: the handler has run; park() goes on sleeping or returns.
template <bool sends_event>
struct InterruptInPark {
    weft::Plain<uint32_t> data{0};
    uint32_t returned = 0;

    void cores(model::Program& on) {
        on.core(0, [this] {
            Port::park();
            returned = 1 + data.get();  // no race: the handler ran on this core
        });
        on.interrupt(0, [this] {
            data.set(1);
            if (sends_event) Port::unpark(0);
        });
    }
    void finish() { model::outcome(std::to_string(returned)); }
};

struct InterruptRaces {
    weft::Plain<uint32_t> data{0};

    void cores(model::Program& on) {
        on.core(0, [] { Port::relax(); });
        on.core(1, [this] { data.set(1); });
        on.interrupt(0, [this] { data.set(2); });
    }
};

void interrupts() {
    litmus::scenario<InterruptAnywhere>("interrupt_at_every_point").allows({"0", "1", "2", "3", "9"});
    litmus::scenario<InterruptOwns>("interrupt_sees_its_own_word").allows({"1", "2", "3", "9"});
    litmus::scenario<InterruptInPark<true>>("interrupt_wakes_with_event").allows({"2"}).each_wake();
    litmus::scenario<InterruptInPark<false>>("interrupt_may_end_park").allows({"0", "2"}).parked_at_end();
    litmus::scenario<InterruptInPark<false>>("interrupt_need_not_end_park").finds("core 0 is parked");
    litmus::scenario<InterruptRaces>("interrupt_races_with_another_core").finds("data race");
}

// ---- Spinning and time

void spinning() {
    passes("spin_sees_the_store",
           { BODY(w.x.store(1, relaxed);), BODY(while (w.x.load(relaxed) == 0) Port::relax();) });
    finds("spin_for_ever", "core 1 spins",
          { BODY(w.y.store(1, relaxed);), BODY(while (w.x.load(relaxed) == 0) Port::relax();) });
    finds("spin_without_relax", "livelock", {
        BODY(while (w.x.load(relaxed) == 0){}), BODY(while (w.y.load(relaxed) == 0){})
    }).steps(300);
    allows("spin_gives_up",
           {
               BODY(w.x.store(1, relaxed);), BODY(for (int i = 0; i != 2 && w.x.load(relaxed) == 0; ++i) {
                   w.r[0]++;
                   Port::relax();
               })
           },
           digits<0>, {"0", "1", "2"});
    allows("spin_alternates_words",  // a change of the word looked at before the last relax() counts, too
           {
               BODY(w.x.store(1, relaxed);), BODY(for (;;) {
                   if (w.x.load(relaxed) != 0) break;
                   Port::relax();
                   if (w.y.load(relaxed) != 0) break;
                   Port::relax();
               })
           },
           digits<0>, {"0"});
    finds("deadlock_of_two_locks", "lost wake-up or deadlock",
          {
              BODY(while (w.x.exchange(1, acquire) != 0) Port::relax();
                   while (w.y.exchange(1, acquire) != 0) Port::relax(); w.y.store(0, release);
                   w.x.store(0, release);),
                  BODY(while (w.y.load(acquire) != 0 || w.y.exchange(1, acquire) != 0) Port::relax();
                       while (w.x.load(acquire) != 0) Port::relax(); w.y.store(0, release);)
          })
        .preemptions(2)
        .steps(200);
    allows(
        "time_jumps", { BODY(w.r[0] = Port::now(); w.r[1] = Port::now();) },
        [](Words& w) { return digits<0>(w) + "," + digits<1>(w); }, {"0,0", "0,50", "50,50"})
        .time_jumps(1, 50);
    allows("time_advances",
           { BODY(model::advance_clock(5);), BODY(w.r[0] = Port::now(); w.r[1] = Port::now();) },
           digits<0, 1>, {"00", "05", "55"});
    allows("time_passes_while_all_wait",
           {
               BODY(const uint32_t begin = Port::now();
                    while (w.x.load(relaxed) == 0 && Port::now() - begin < 3) Port::relax();
                    w.r[0] = Port::now() >= 3;)
           },
           digits<0>, {"1"});
}

// ---- Lifetimes and the rest of what is reported

struct Latch {
    weft::Atomic<uint32_t> done{0};
    weft::Plain<uint32_t> result{0};
};

// Core 0 waits on a latch on its stack; core 1 sets it and must not touch it afterwards.
template <weft::Order publish, bool touches_after>
struct StackLatch {
    weft::Atomic<Latch*> slot{nullptr};

    void cores(model::Program& on) {
        on.core(0, [this] {
            Latch latch;
            slot.store(&latch, publish);
            while (latch.done.load(acquire) == 0) Port::relax();
            model::check(latch.result.get() == 42, "the result has arrived");
        });
        on.core(1, [this] {
            Latch* latch = nullptr;
            while ((latch = slot.load(acquire)) == nullptr) Port::relax();
            latch->result.set(42);
            latch->done.store(1, release);
            if (touches_after) static_cast<void>(latch->done.load(relaxed));
        });
    }
};

struct BadPointer {
    uint32_t* nowhere = nullptr;
    void cores(model::Program& on) {
        on.core(0, [this] { *nowhere = 1; });
    }
};

void reports() {
    litmus::scenario<StackLatch<release, false>>("lifetime_latch_on_a_stack");
    litmus::scenario<StackLatch<release, true>>("lifetime_latch_touched_after_set").finds("lifetime");
    litmus::scenario<StackLatch<relaxed, false>>("lifetime_construction_not_published").finds("constructor");
    finds("lifetime_use_after_end", "lifetime", {
        BODY(model::end_of_life(w.x); w.y.store(1, release);),
            BODY(if (w.y.load(acquire) == 1) w.x.store(1, relaxed);)
    });
    finds("lifetime_end_not_ordered", "lifetime", {
        BODY(w.x.store(1, relaxed); w.y.store(1, relaxed);),
            BODY(if (w.y.load(acquire) == 1) model::end_of_life(w.x);)
    });
    passes("lifetime_end_ordered", {
        BODY(w.x.store(1, relaxed); w.y.store(1, release);),
            BODY(if (w.y.load(acquire) == 1) model::end_of_life(w.x);)
    });
    finds("report_check", "check failed: too bad",
          { BODY(model::check(w.x.load(relaxed) == 0, "too bad");), BODY(w.x.store(1, relaxed);) });
    finds("report_panic", "panic", {
        BODY(if (w.x.load(relaxed) == 1) Port::panic("so what", 0, nullptr);), BODY(w.x.store(1, relaxed);)
    });
    finds("report_park_in_an_interrupt", "misuse", {});
    model::scenarios().back()->cores = [](void*, model::Program& on) {
        on.core(0, [] { Port::relax(); });
        on.interrupt(0, [] { Port::park(); });
    };
    litmus::scenario<BadPointer>("report_bad_pointer").finds("crash");
}

}  // namespace

void add_machine_tests();
void add_machine_tests() {
    events();
    starts();
    interrupts();
    spinning();
    reports();
}
