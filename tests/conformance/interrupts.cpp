// SPDX-License-Identifier: MIT OR Apache-2.0
// Conformance of a port: in_isr, and unpark from an interrupt. The timer of the board plays the interrupt.
#include "crew.hpp"

namespace conformance {
namespace {

constexpr uint32_t hz = 10000;

// ---- isr_is_known

struct Seen {
    Atomic<uint32_t> interrupts;
    Atomic<uint32_t> said_isr;    // in_isr() was true there
    Atomic<uint32_t> wrong_core;  // core_id() was not that of the core
};
Seen seen[max_crew];
Atomic<uint32_t> interrupted_core[max_crew];  // a core's own number, for its interrupt to compare

void look_around() {
    const uint32_t core = Port::core_id();
    if (core >= max_crew) return;  // then `interrupts` stays 0, and the test says so
    if (Port::in_isr()) seen[core].said_isr.fetch_add(1, relaxed);
    if (interrupted_core[core].load(relaxed) != core + 1) seen[core].wrong_core.fetch_add(1, relaxed);
    seen[core].interrupts.fetch_add(1, relaxed);
}

void count_interrupts(uint32_t core) {
    Seen& mine = seen[core];
    interrupted_core[core].store(core + 1, relaxed);
    CHECK(!Port::in_isr());
    board::start_timer(hz, look_around);
    const bool came = tap::eventually([&] {
        CHECK(!Port::in_isr());
        return mine.interrupts.load(relaxed) >= 5;
    });
    board::stop_timer();
    CHECK(came);
    const uint32_t before = mine.interrupts.load(relaxed);
    tap::Stopwatch stopwatch;
    while (stopwatch.elapsed_ms() < 2) Port::relax();  // many periods
    CHECK_EQ(mine.interrupts.load(relaxed), before);
    CHECK(!Port::in_isr());
}

// For up to a little more than the time between two interrupts, so that some find the core before, at and
// after its park.
void wait_about_a_period(tap::Random& random) {
    const uint32_t period = Port::ticks_per_ms() * 1000 / hz;
    const uint32_t wait = random.below(period + period / 8 + 1);
    const uint32_t start = Port::now();
    while (Port::now() - start < wait) Port::relax();
}

// ---- isr_stops_its_timer: of the board, and not of the port; but many tests build on it.

void stop_own_timer() {
    board::stop_timer();
    const uint32_t core = Port::core_id();
    if (core < max_crew) seen[core].interrupts.fetch_add(1, relaxed);
}

void start_again_and_again(uint32_t core) {
    Seen& mine = seen[core];
    mine.interrupts.store(0, relaxed);
    for (uint32_t times = 1; times <= 3; ++times) {
        board::start_timer(hz, stop_own_timer);
        CHECK(tap::eventually([&] { return mine.interrupts.load(relaxed) >= times; }));
        tap::Stopwatch stopwatch;
        while (stopwatch.elapsed_ms() < 2) Port::relax();  // many periods
        CHECK_EQ(mine.interrupts.load(relaxed), times);
    }
    board::stop_timer();  // once more does no harm
}

// ---- isr_unparks_own_core: the interrupt comes once, around the moment of the park. After that there is
// nothing that could end the park but the event.

Atomic<uint32_t> round_wanted;
Atomic<uint32_t> round_given;

void give_and_unpark_self() {
    board::stop_timer();
    round_given.store(round_wanted.load(relaxed), relaxed);
    Port::unpark(Port::core_id());
}

void park_until_own_interrupt(uint32_t core) {
    tap::Random random(tap::option("seed", 1) + core);
    Rounds rounds(200);
    while (rounds.next()) {
        round_wanted.store(rounds.done(), relaxed);
        board::start_timer(hz, give_and_unpark_self);
        wait_about_a_period(random);
        while (round_given.load(relaxed) != rounds.done()) Port::park();
        Watch::feed();
    }
    tap::note("core ", core, ": ", rounds.done(), " rounds");
}

// ---- isr_unparks_other_core: core `ringer` sleeps and has the interrupt, which wakes core `sleeper`.

uint32_t ringer;
uint32_t sleeper;
Atomic<uint32_t> finished;
Atomic<uint32_t> wanted;  // the alarm that the sleeper waits for
Atomic<uint32_t> given;
tap::Stopwatch since_progress;
uint32_t last_wanted;

void ring() {
    const uint32_t alarm = wanted.load(relaxed);
    if (alarm != last_wanted) {
        last_wanted = alarm;
        since_progress.restart();
    }
    if (since_progress.elapsed_ms() >= tap::patience_ms && finished.load(relaxed) == 0) {
        tap::bail_out("a parked core that an interrupt of another core has to wake (a lost event)");
    }
    if (given.load(relaxed) == alarm) return;
    given.store(alarm, relaxed);
    Port::unpark(sleeper);  // once for each alarm
}

void sleep_between_interrupts(uint32_t) {
    since_progress.restart();
    last_wanted = 0;
    board::start_timer(hz, ring);
    while (finished.load(relaxed) == 0) Port::park();
    board::stop_timer();
}

void wait_for_alarms(uint32_t core) {
    tap::Random random(tap::option("seed", 1) + core);
    Rounds rounds(200);
    while (rounds.next()) {
        wanted.store(rounds.done(), relaxed);
        wait_about_a_period(random);
        while (given.load(relaxed) != rounds.done()) Port::park();
    }
    finished.store(1, relaxed);
    Port::unpark(ringer);
    tap::note("interrupts of core ", ringer, " woke core ", core, " ", rounds.done(), " times");
}

void wake_by_interrupts_of(uint32_t rings, uint32_t sleeps) {
    ringer = rings;
    sleeper = sleeps;
    finished.store(0, relaxed);
    wanted.store(0, relaxed);
    given.store(0, relaxed);
    on_two(rings, sleep_between_interrupts, sleeps, wait_for_alarms, "interrupts that wake another core");
}

void isr_is_known() {
    on_all("interrupts on all cores", count_interrupts);
    uint32_t interrupts = 0;
    uint32_t said_isr = 0;
    for (uint32_t i = 0; i < crew(); ++i) {
        const Seen& one = seen[member(i)];
        CHECK_EQ(one.wrong_core.load(relaxed), 0);
        interrupts += one.interrupts.load(relaxed);
        said_isr += one.said_isr.load(relaxed);
    }
    if (said_isr == 0) return tap::note("this port cannot tell: in_isr() is always false");
    CHECK_EQ(said_isr, interrupts);
}

void isr_stops_its_timer() { on_all("interrupts that stop their timer", start_again_and_again); }

void isr_unparks_own_core() {
    for (uint32_t i = 0; i < crew(); ++i) {
        constexpr const char* what = "a park that an interrupt of the same core has to end (a lost event)";
        round_given.store(0, relaxed);
        if (i == 0) {
            const Watch watch(what, 0, 0, Watch::By::core);
            park_until_own_interrupt(0);
        } else {
            start(member(i), park_until_own_interrupt);
            join(what);
        }
    }
}

void isr_unparks_other_core() {
    if (crew() < 2) return tap::skip("not on this board: a second core");
    for (uint32_t i = 1; i < crew(); ++i) {
        wake_by_interrupts_of(0, member(i));
        wake_by_interrupts_of(member(i), 0);
    }
}

#if WEFT_PREEMPTION
// ---- interrupt_of_the_own_core, interrupt_of_another_core, interrupt_is_interrupted: Port::interrupt()

struct OnTop {
    Atomic<uint32_t> calls;
    Atomic<uint32_t> said_isr;    // in_isr() was true there
    Atomic<uint32_t> wrong_core;  // core_id() was not that of the core
    Atomic<uint32_t> nested;      // it has interrupted itself
    Atomic<uint32_t> too_early;   // it has interrupted the handler that made it pending
    Atomic<uint32_t> alone;       // it stayed, and no other interrupt came meanwhile
    Atomic<uint32_t> stays;       // 1: it ends when two interrupts of the timer have come on top of it
    bool runs = false;
};
OnTop on_top[max_crew];

void stay_until_interrupted(uint32_t core) {
    const uint32_t before = seen[core].interrupts.load(relaxed);
    const bool came = tap::eventually([&] { return seen[core].interrupts.load(relaxed) - before >= 2; });
    OnTop& mine = on_top[core];
    if (!came) mine.alone.fetch_add(1, relaxed);
    if (Port::in_isr()) mine.said_isr.fetch_add(1, relaxed);  // the timer's handlers have ended
}

// Makes itself pending now and then: then it comes once more when it has ended.
uint32_t calls_of_one_interrupt(uint32_t calls_before) { return calls_before % 3 == 1 ? 2 : 1; }

void be_on_top() {
    const uint32_t core = Port::core_id();
    if (core >= max_crew) return;
    OnTop& mine = on_top[core];
    if (mine.runs) mine.nested.fetch_add(1, relaxed);
    mine.runs = true;
    if (Port::in_isr()) mine.said_isr.fetch_add(1, relaxed);
    if (interrupted_core[core].load(relaxed) != core + 1) mine.wrong_core.fetch_add(1, relaxed);
    const uint32_t calls = mine.calls.load(relaxed);
    if (calls_of_one_interrupt(calls) == 2) Port::interrupt(core, be_on_top);
    if (mine.stays.load(relaxed) != 0) stay_until_interrupted(core);
    mine.runs = false;
    mine.calls.store(calls + 1, release);
}

void interrupt_in_isr() {
    OnTop& mine = on_top[Port::core_id()];
    const uint32_t calls = mine.calls.load(relaxed);
    Port::interrupt(Port::core_id(), be_on_top);
    if (mine.calls.load(relaxed) != calls) mine.too_early.fetch_add(1, relaxed);
}

void prepare_for_interrupts(uint32_t core) {
    OnTop& mine = on_top[core];
    mine.calls.store(0, relaxed);
    mine.said_isr.store(0, relaxed);
    mine.wrong_core.store(0, relaxed);
    mine.nested.store(0, relaxed);
    mine.too_early.store(0, relaxed);
    mine.alone.store(0, relaxed);
    mine.stays.store(0, relaxed);
    interrupted_core[core].store(core + 1, relaxed);
}

void check_interrupts(const OnTop& one) {
    CHECK_EQ(one.said_isr.load(relaxed), 0);
    CHECK_EQ(one.wrong_core.load(relaxed), 0);
    CHECK_EQ(one.nested.load(relaxed), 0);
    CHECK_EQ(one.too_early.load(relaxed), 0);
    CHECK_EQ(one.alone.load(relaxed), 0);
}

void wait_until_it_came(const OnTop& one, uint32_t calls_before) {
    const bool came = tap::eventually(
        [&] { return one.calls.load(acquire) - calls_before >= calls_of_one_interrupt(calls_before); });
    if (!came) tap::bail_out("an interrupt that a core asked for does not come, or not as often");
}

// In task context, where it comes at once; then from a handler, where it comes behind that.
void interrupt_itself(uint32_t core) {
    OnTop& mine = on_top[core];
    prepare_for_interrupts(core);
    Rounds rounds(200);
    while (rounds.next()) {
        const uint32_t calls = mine.calls.load(relaxed);
        Port::interrupt(core, be_on_top);
        wait_until_it_came(mine, calls);
        Watch::feed();
    }
    const uint32_t calls = mine.calls.load(relaxed);
    board::start_timer(hz, interrupt_in_isr);
    CHECK(tap::eventually([&] { return mine.calls.load(relaxed) - calls >= 20; }));
    board::stop_timer();
    check_interrupts(mine);
}

void interrupt_of_the_own_core() {
    on_all("interrupts that a core makes pending for itself", interrupt_itself);
}

Atomic<uint32_t> interrupts_over;

void be_interrupted_at_work(uint32_t core) {
    prepare_for_interrupts(core);
    finished.store(1, release);
    while (interrupts_over.load(relaxed) == 0) Port::relax();
}

// What it is interrupted for must be seen behind its park, too: the handler's event is not relied on.
void be_interrupted_asleep(uint32_t core) {
    prepare_for_interrupts(core);
    finished.store(1, release);
    while (interrupts_over.load(acquire) == 0) Port::park();
}

void interrupt_another(uint32_t) {
    const OnTop& other = on_top[sleeper];
    CHECK(tap::eventually([] { return finished.load(acquire) != 0; }));
    tap::Random random(tap::option("seed", 1));
    Rounds rounds(200);
    while (rounds.next()) {
        const uint32_t calls = other.calls.load(acquire);
        Port::interrupt(sleeper, be_on_top);
        wait_until_it_came(other, calls);
        wait_about_a_period(random);
    }
    interrupts_over.store(1, release);
    Port::unpark(sleeper);
}

void interrupt_by(uint32_t who, uint32_t target, Body body) {
    sleeper = target;
    finished.store(0, relaxed);
    interrupts_over.store(0, relaxed);
    on_two(target, body, who, interrupt_another, "a core that another one interrupts");
    check_interrupts(on_top[target]);
}

void interrupt_of_another_core() {
    if (crew() < 2) return tap::skip("not on this board: a second core");
    for (uint32_t i = 1; i < crew(); ++i) {
        interrupt_by(0, member(i), be_interrupted_at_work);
        interrupt_by(0, member(i), be_interrupted_asleep);
        interrupt_by(member(i), 0, be_interrupted_at_work);
        interrupt_by(member(i), 0, be_interrupted_asleep);
    }
}

// All other interrupts come on top of it, and the core goes on where it was.
void be_interrupted_on_top(uint32_t core) {
    OnTop& mine = on_top[core];
    prepare_for_interrupts(core);
    const uint32_t interrupts = seen[core].interrupts.load(relaxed);
    const uint32_t said_isr = seen[core].said_isr.load(relaxed);
    mine.stays.store(1, relaxed);
    board::start_timer(hz, look_around);
    Rounds rounds(100);
    while (mine.alone.load(relaxed) == 0 && rounds.next()) {
        const uint32_t calls = mine.calls.load(relaxed);
        Port::interrupt(core, be_on_top);
        wait_until_it_came(mine, calls);
        CHECK(!Port::in_isr());
        Watch::feed();
    }
    board::stop_timer();
    check_interrupts(mine);
    const uint32_t came = seen[core].interrupts.load(relaxed) - interrupts;
    const uint32_t said = seen[core].said_isr.load(relaxed) - said_isr;
    CHECK(said == 0 || said == came);
    CHECK(came >= 2);
}

void interrupt_is_interrupted() {
    on_all("interrupts on top of what a core has interrupted itself for", be_interrupted_on_top);
}

// ---- interrupt_leaves_all_as_it_was: it comes anywhere in a computation, and others come on top of it. Registers and
// flags are those of the computation afterwards.

// After a comparison of two bytes its flags decide twice. The empty statements keep the compiler from doing it without.
[[gnu::noinline]] uint32_t compare_many(uint32_t state) {
    uint32_t found = 0;
    for (uint32_t i = 0; i != 500; ++i) {
        // Knuth, The Art of Computer Programming, 3.3.4, table 1, line 16
        state = state * 1664525u + 1013904223u;
        const uint32_t one = state >> 28;
        const uint32_t other = (state >> 24) & 0xf;
        if (one < other) {
            asm volatile("" ::: "memory");
            found += i;
        } else if (one == other) {
            asm volatile("" ::: "memory");
            found ^= state;
        } else {
            asm volatile("" ::: "memory");
            found = found * 3 + 1;
        }
    }
    return found;
}

void interrupt_unless_it_runs() {
    look_around();
    const uint32_t core = Port::core_id();
    if (core < max_crew && !on_top[core].runs) Port::interrupt(core, be_on_top);
}

void compute_meanwhile(uint32_t core) {
    OnTop& mine = on_top[core];
    prepare_for_interrupts(core);
    const uint32_t expected = compare_many(core);
    mine.stays.store(1, relaxed);
    board::start_timer(hz, interrupt_unless_it_runs);
    uint32_t wrong = 0;
    Rounds rounds(400);
    while (rounds.next()) {
        const uint32_t calls = mine.calls.load(relaxed);
        const bool came = tap::eventually([&] {
            if (compare_many(core) != expected) ++wrong;
            return mine.calls.load(relaxed) != calls;
        });
        if (!came) tap::bail_out("an interrupt that a handler asked for does not come");
        Watch::feed();
    }
    // A tick that is pending when the timer stops is the last one: what it asks for must not wait for another.
    mine.stays.store(0, relaxed);
    board::stop_timer();
    CHECK_EQ(wrong, 0);
    check_interrupts(mine);
}

void interrupt_leaves_all_as_it_was() {
    // A signal's handler holds off the same signal, and what it has asked for comes before it returns.
    if (__STDC_HOSTED__ != 0)
        return tap::skip("not on this board: a timer's interrupt on top of its own request");
    on_all("interrupts in a computation, and others on top of them", compute_meanwhile);
}
#endif

constexpr tap::Test tests[] = {
    TEST(isr_is_known),
    TEST(isr_stops_its_timer),
    TEST(isr_unparks_own_core),
    TEST(isr_unparks_other_core),
#if WEFT_PREEMPTION
    TEST(interrupt_of_the_own_core),
    TEST(interrupt_of_another_core),
    TEST(interrupt_is_interrupted),
    TEST(interrupt_leaves_all_as_it_was),
#endif
};

}  // namespace

extern const tap::Tests interrupts_tests{tests};

}  // namespace conformance
