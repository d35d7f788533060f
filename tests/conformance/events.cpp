// SPDX-License-Identifier: MIT OR Apache-2.0
// Conformance of a port: park and unpark. Messages are relaxed words on purpose: only the events order them.
// Every message comes with exactly one unpark, so a lost event (or one that came without the stores before
// it) leaves the parker asleep, and the side that is awake, or the watch, ends the run with a message.
#include "crew.hpp"

namespace conformance {
namespace {

constexpr uint32_t stop = UINT32_MAX;

Lone about_to_park;  // the round for which the parker parks next
Lone message;
Lone payload[4];  // stored before the message
uint32_t parker;  // the core that parks; set before the bodies start
uint32_t rounds_done;
Published<uint32_t> parks;  // of the parker, in all

bool complete(uint32_t round) {
    if (message.word.load(relaxed) != round) return false;
    for (Lone& lone : payload) {
        if (lone.word.load(relaxed) != round) return false;
    }
    return true;
}

void send(uint32_t round) {
    for (Lone& lone : payload) lone.word.store(round, relaxed);
    message.word.store(round, relaxed);
    Port::unpark(parker);
}

void park_for_messages(uint32_t) {
    work_for_a_while();
    for (uint32_t round = 1;; ++round) {
        about_to_park.word.store(round, release);
        while (!complete(round)) {
            if (message.word.load(relaxed) == stop) return;
            Port::park();
            parks.store(parks.own() + 1, relaxed);  // a statistic, read after the join
        }
    }
}

// What may stand before a park(): a compare-exchange that fails. With LL/SC it has loaded exclusively and not stored.
void fail_an_exchange() {
    uint32_t never = 0;  // rounds begin with 1
    CHECK(!about_to_park.word.compare_exchange(never, stop, relaxed, relaxed));
}

void park_after_failed_exchange(uint32_t) {
    for (uint32_t round = 1;; ++round) {
        about_to_park.word.store(round, release);
        while (!complete(round)) {
            if (message.word.load(relaxed) == stop) return;
            fail_an_exchange();
            Port::park();
            parks.store(parks.own() + 1, relaxed);  // a statistic, read after the join
        }
    }
}

void wait_for_parker(uint32_t round) {
    tap::wait_for(
        [=] { return about_to_park.word.load(acquire) == round; },
        "a parked core that an unpark has to wake (a lost event, or one without the stores before it)");
}

// One message each round, at any moment before or after the other parks. `extra` events stand before it.
void send_messages(uint32_t wanted, uint32_t extra) {
    tap::Random random(tap::option("seed", 1) + parker);
    work_for_a_while();
    Rounds rounds(wanted);
    while (rounds.next()) {
        wait_for_parker(rounds.done());
        for (uint32_t left = extra; left != 0; --left) Port::unpark(parker);
        if (rounds.done() % 2 == 0) dawdle(random, 300);
        hesitate(random.below(300));
        send(rounds.done());
    }
    wait_for_parker(rounds.done() + 1);
    send(stop);
    rounds_done = rounds.done();
}

void reset(uint32_t parks_on) {
    parker = parks_on;
    about_to_park.word.store(0, relaxed);
    message.word.store(0, relaxed);
    for (Lone& lone : payload) lone.word.store(0, relaxed);
    parks.store(0, relaxed);
}

// Once with every other core as the parker, once with core 0.
void both_ways(Body parks_body, Body wakes_body, const char* what) {
    for (uint32_t i = 1; i < crew(); ++i) {
        const uint32_t other = member(i);
        reset(other);
        on_two(other, parks_body, 0, wakes_body, what);
        tap::note("core 0 woke core ", other, " ", rounds_done, " times; it parked ", parks.load(relaxed),
                  " times");
        reset(0);
        on_two(0, parks_body, other, wakes_body, what);
        tap::note("core ", other, " woke core 0 ", rounds_done, " times; it parked ", parks.load(relaxed),
                  " times");
    }
}

// ---- event_before_park: the parker waits awake until the other has set the event, and parks then.

Lone event_is_set;

void park_after_the_event(uint32_t) {
    for (uint32_t round = 1;; ++round) {
        about_to_park.word.store(round, release);
        uint32_t seen = 0;
        tap::wait_for([&] { return (seen = event_is_set.word.load(acquire)) >= round; },
                      "an event before the park");
        if (seen == stop) return;
        Port::park();
    }
}

void set_event_first(uint32_t) {
    Rounds rounds(1000);
    while (rounds.next()) {
        const uint32_t round = rounds.done();
        tap::wait_for([=] { return about_to_park.word.load(acquire) == round; },
                      "a park that has to return at once because its event was set before");
        Port::unpark(parker);
        event_is_set.word.store(round, release);
    }
    tap::wait_for([&] { return about_to_park.word.load(acquire) == rounds.done() + 1; },
                  "a park that has to return at once because its event was set before");
    event_is_set.word.store(stop, release);
    rounds_done = rounds.done();
}

void park_after_event(uint32_t parks_on, uint32_t wakes_from) {
    reset(parks_on);
    event_is_set.word.store(0, relaxed);
    on_two(parks_on, park_after_the_event, wakes_from, set_event_first, "an event set before the park");
}

// ---- event_noise_is_harmless

Atomic<uint32_t> quiet;

void make_noise(uint32_t core) {
    tap::Random random(core);
    while (quiet.load(relaxed) == 0) {
        Port::unpark(parker);
        dawdle(random, 50);
    }
}

// ---- event_ping_pong: both sides park.

Lone ping;
Lone pong;

void answer_pings(uint32_t) {
    for (uint32_t round = 1;; ++round) {
        for (uint32_t seen = 0; seen != round;) {
            seen = ping.word.load(relaxed);
            if (seen == stop) return;
            if (seen != round) Port::park();
        }
        pong.word.store(round, relaxed);
        Port::unpark(0);
    }
}

uint32_t play(uint32_t other, uint32_t wanted) {
    Rounds rounds(wanted);
    while (rounds.next()) {
        ping.word.store(rounds.done(), relaxed);
        Port::unpark(other);
        while (pong.word.load(relaxed) != rounds.done()) Port::park();
        Watch::feed();
    }
    ping.word.store(stop, relaxed);
    Port::unpark(other);
    return rounds.done();
}

// ---- event_relay: a token goes round all cores, all of them park.

Lone token;  // counts the hand-overs; core `token % crew()` of the crew has it

void pass_on(uint32_t core) {
    uint32_t place = 0;
    while (member(place) != core) ++place;
    const uint32_t next = member((place + 1) % crew());
    Rounds laps(2000);
    for (uint32_t lap = 0;; ++lap) {
        uint32_t seen = token.word.load(relaxed);
        while (seen != stop && seen != lap * crew() + place) {
            Port::park();
            seen = token.word.load(relaxed);
        }
        Watch::feed();
        if (seen == stop || (core == 0 && !laps.next())) break;
        token.word.store(seen + 1, relaxed);
        Port::unpark(next);
    }
    if (core != 0) return;
    token.word.store(stop, relaxed);
    for (uint32_t i = 1; i < crew(); ++i) Port::unpark(member(i));
    tap::note(laps.done(), " laps");
}

void event_unpark_self() {
    for (uint32_t i = 0; i < crew(); ++i) {
        on_one(member(i), "a core that sets its own event and parks", [](uint32_t core) {
            for (Rounds rounds(1000); rounds.next();) {
                Port::unpark(core);
                Port::park();
            }
        });
    }
}

void event_before_park() {
    if (crew() < 2) return tap::skip("not on this board: a second core");
    for (uint32_t i = 1; i < crew(); ++i) {
        park_after_event(member(i), 0);
        park_after_event(0, member(i));
    }
}

void event_wakes_and_carries_stores() {
    if (crew() < 2) return tap::skip("not on this board: a second core");
    both_ways(
        park_for_messages, [](uint32_t) { send_messages(10000, 0); }, "unpark of a parked core");
}

// It must not keep the core awake (an exclusive monitor that is armed): the plugin leg sees whether it does.
void event_after_failed_exchange() {
    if (crew() < 2) return tap::skip("not on this board: a second core");
    both_ways(
        park_after_failed_exchange, [](uint32_t) { send_messages(500, 0); },
        "unpark of a core that parked after a compare-exchange that failed");
}

void event_unparks_coalesce() {
    if (crew() < 2) return tap::skip("not on this board: a second core");
    both_ways(
        park_for_messages, [](uint32_t) { send_messages(500, 20); }, "many unparks of a parked core");
}

void event_noise_is_harmless() {
    if (crew() < 3) return tap::skip("not on this board: a third core");
    for (uint32_t i = 1; i < crew(); ++i) {
        reset(member(i));
        quiet.store(0, relaxed);
        for (uint32_t j = 1; j < crew(); ++j) {
            if (j != i) start(member(j), make_noise);
        }
        start(parker, park_for_messages);
        send_messages(500, 0);
        quiet.store(1, relaxed);
        join("unparks without cause");
        tap::note("core ", member(i), " parked ", parks.load(relaxed), " times for ", rounds_done,
                  " messages");
    }
}

void event_ping_pong() {
    if (crew() < 2) return tap::skip("not on this board: a second core");
    for (uint32_t i = 1; i < crew(); ++i) {
        const uint32_t other = member(i);
        ping.word.store(0, relaxed);
        pong.word.store(0, relaxed);
        start(other, answer_pings);
        const uint32_t before = Port::now();
        uint32_t rounds = 0;
        {
            const Watch watch("ping-pong of two cores that park: both sleep", 0, other);
            rounds = play(other, 10000);
        }
        const uint32_t ticks = Port::now() - before;
        join("ping-pong of two cores that park");
        tap::note("core 0 and core ", other, ": ", rounds, " rounds, ", ticks / rounds, " ticks each");
    }
}

void event_relay() {
    if (crew() < 2) return tap::skip("not on this board: a second core");
    token.word.store(0, relaxed);
    for (uint32_t i = 1; i < crew(); ++i) start(member(i), pass_on);
    {
        const Watch watch("a token that goes round cores that park: all sleep", 0, 0, Watch::By::timer);
        pass_on(0);
    }
    join("a token that goes round cores that park");
}

constexpr tap::Test tests[] = {
    TEST(event_unpark_self),
    TEST(event_before_park),
    TEST(event_wakes_and_carries_stores),
    TEST(event_after_failed_exchange),
    TEST(event_unparks_coalesce),
    TEST(event_noise_is_harmless),
    TEST(event_ping_pong),
    TEST(event_relay),
};

}  // namespace

extern const tap::Tests events_tests{tests};

}  // namespace conformance
