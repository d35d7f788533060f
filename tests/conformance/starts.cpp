// SPDX-License-Identifier: MIT OR Apache-2.0
// Conformance of a port: the start of cores.
#include "crew.hpp"

namespace conformance {
namespace {

// ---- An entry that stays until it is let go.

Atomic<uint32_t> inside;   // the core is in the entry
Atomic<uint32_t> let_go;   // it may leave
Atomic<uint32_t> entered;  // how often it was called

void stay(void*) {
    entered.fetch_add(1, relaxed);
    inside.store(1, release);
    tap::wait_for([] { return let_go.load(acquire) != 0; }, "leave to go");
    inside.store(0, release);
}

void start_and_enter(uint32_t core) {
    inside.store(0, relaxed);
    let_go.store(0, relaxed);
    entered.store(0, relaxed);
    start_entry(core, stay, &inside);
    tap::wait_for([] { return inside.load(acquire) != 0; }, "the entry of a started core");
}

void leave() {
    let_go.store(1, release);
    tap::wait_for([] { return inside.load(acquire) == 0; }, "the end of an entry");
}

void never_called(void*) {
    constexpr bool entry_was_called_though_start_core_refused = true;
    CHECK(!entry_was_called_though_start_core_refused);
}

// ---- core_restarts

Plain<uint32_t> order;    // written by core 0, read by the entry
Plain<uint32_t> receipt;  // the other way round
Atomic<uint32_t> restarts;
uint32_t cookie;

void take_order(void* arg) {
    CHECK_EQ(arg, &cookie);
    receipt.set(order.get() + 1);
    restarts.fetch_add(1, release);
}

// ---- core_cancel_or_call

struct Ticket {
    // Written by core 0 when it has won; a later start hands it to an entry that is called wrongly.
    Plain<bool> cancelled;
    Atomic<uint32_t> calls;
};
Ticket used_tickets[2];
Atomic<uint32_t> wrong_calls;

void use_ticket(void* arg) {
    Ticket& ticket = *static_cast<Ticket*>(arg);
    if (ticket.cancelled.get()) wrong_calls.fetch_add(1, relaxed);
    ticket.calls.fetch_add(1, release);
}

// One start that may be cancelled. True: it was.
bool start_and_cancel(uint32_t core, Ticket& ticket, tap::Random& random) {
    const uint32_t before = ticket.calls.load(relaxed);
    ticket.cancelled.set(false);
    start_entry(core, use_ticket, &ticket);
    dawdle(random, 1u << random.below(14));
    if (Port::cancel_start(core, &ticket)) {
        ticket.cancelled.set(true);
        CHECK_EQ(ticket.calls.load(acquire), before);
        return true;
    }
    tap::wait_for([&] { return ticket.calls.load(acquire) == before + 1; },
                  "an entry that cannot be cancelled any more");
    CHECK(!Port::cancel_start(core, &ticket));
    return false;
}

void core_unknown_is_absent() {
    CHECK_EQ(Port::start_core(Port::max_cores, never_called, &entered), Port::Start::absent);
    CHECK_EQ(Port::start_core(Port::max_cores + 1, never_called, &entered), Port::Start::absent);
    CHECK_EQ(Port::start_core(UINT32_MAX, never_called, &entered), Port::Start::absent);
}

void core_busy_is_refused() {
    CHECK_EQ(Port::start_core(0, never_called, &entered), Port::Start::refused);
    if (crew() < 2) return tap::skip("not on this board: a second core");
    on_all("starting the core that runs", [](uint32_t core) {
        CHECK_EQ(Port::start_core(core, never_called, &entered), Port::Start::refused);
        CHECK_EQ(Port::start_core(0, never_called, &entered), Port::Start::refused);
    });
    for (uint32_t i = 1; i < crew(); ++i) {
        start_and_enter(member(i));
        for (uint32_t n = 0; n < 10; ++n) {
            CHECK_EQ(Port::start_core(member(i), never_called, &entered), Port::Start::refused);
        }
        leave();
        CHECK_EQ(entered.load(relaxed), 1);
    }
}

void core_running_is_not_cancelled() {
    if (crew() < 2) return tap::skip("not on this board: a second core");
    for (uint32_t i = 1; i < crew(); ++i) {
        start_and_enter(member(i));
        CHECK(!Port::cancel_start(member(i), &inside));
        leave();
        CHECK(!Port::cancel_start(member(i), &inside));
        CHECK_EQ(entered.load(relaxed), 1);
    }
}

// Two users share a core: one cannot withdraw what the other has posted.
void core_cancel_is_by_argument() {
    if (crew() < 2) return tap::skip("not on this board: a second core");
    Rounds rounds(1000);
    while (rounds.next()) {
        for (uint32_t i = 1; i < crew(); ++i) {
            entered.store(0, relaxed);
            start_entry(
                member(i), [](void* arg) { static_cast<Atomic<uint32_t>*>(arg)->store(1, release); },
                &entered);
            CHECK(!Port::cancel_start(member(i), &inside));
            tap::wait_for([] { return entered.load(acquire) == 1; }, "an entry that nobody cancelled");
        }
    }
}

// An entry that has vacated its core: the next one is accepted at once, and called when this one has returned.
void core_vacates() {
    if (crew() < 2) return tap::skip("not on this board: a second core");
    for (uint32_t i = 1; i < crew(); ++i) {
        inside.store(0, relaxed);
        let_go.store(0, relaxed);
        entered.store(0, relaxed);
        const auto vacate = [](void* arg) {
            Port::vacate();
            stay(arg);
        };
        start_entry(member(i), vacate, &inside);
        tap::wait_for([] { return inside.load(acquire) != 0; }, "the entry of a started core");
        const auto next = [](void*) { entered.store(inside.load(relaxed) == 0 ? 2 : 3, release); };
        CHECK_EQ(Port::start_core(member(i), next, &entered), Port::Start::started);
        CHECK_EQ(Port::start_core(member(i), never_called, &order), Port::Start::refused);
        CHECK_EQ(entered.load(relaxed), 1);
        CHECK(Port::cancel_start(member(i), &entered));
        CHECK_EQ(Port::start_core(member(i), next, &entered), Port::Start::started);
        leave();
        tap::wait_for([] { return entered.load(acquire) == 2; }, "the next entry");
    }
}

// Cores that wait in the pen after that, which comes to the end of the entry for the second time, must sleep there: the
// plugin leg sees whether they do.
void core_waits_after_vacate() {
    if (crew() < 2) return tap::skip("not on this board: a second core");
    inside.store(0, relaxed);
    for (uint32_t i = 1; i < crew(); ++i) {
        start_entry(
            member(i),
            [](void*) {
                Port::vacate();
                inside.fetch_add(1, release);
            },
            &inside);
    }
    tap::wait_for([] { return inside.load(acquire) == crew() - 1; }, "entries that vacate their cores");
    work_for_a_while();  // time for them to get to the pen
}

void core_restarts() {
    if (crew() < 2) return tap::skip("not on this board: a second core");
    for (uint32_t i = 1; i < crew(); ++i) {
        restarts.store(0, relaxed);
        Rounds rounds(1000);
        while (rounds.next()) {
            const uint32_t round = rounds.done();
            order.set(round * 3);
            start_entry(member(i), take_order, &cookie);
            tap::wait_for([=] { return restarts.load(acquire) == round; },
                          "the entry of a core that starts again");
            CHECK_EQ(receipt.get(), round * 3 + 1);
        }
        tap::note("core ", member(i), ": started ", rounds.done(), " times");
    }
}

void core_cancel_or_call() {
    if (crew() < 2) return tap::skip("not on this board: a second core");
    tap::Random random(tap::option("seed", 1));
    for (uint32_t i = 1; i < crew(); ++i) {
        wrong_calls.store(0, relaxed);
        uint32_t cancelled = 0;
        Rounds rounds(500);
        while (rounds.next()) {
            Ticket& ticket = used_tickets[rounds.done() % 2];
            cancelled += start_and_cancel(member(i), ticket, random) ? 1 : 0;
        }
        // The last start of all, not cancelled: a late call would have come before it.
        Ticket& last = used_tickets[(rounds.done() + 1) % 2];
        last.cancelled.set(false);
        const uint32_t before = last.calls.load(relaxed);
        start_entry(member(i), use_ticket, &last);
        tap::wait_for([&] { return last.calls.load(acquire) == before + 1; }, "an entry that nobody cancels");
        CHECK_EQ(wrong_calls.load(relaxed), 0);
        tap::note("core ", member(i), ": ", cancelled, " of ", rounds.done(),
                  " starts were cancelled in time");
    }
}

constexpr tap::Test tests[] = {
    TEST(core_unknown_is_absent),
    TEST(core_busy_is_refused),
    TEST(core_running_is_not_cancelled),
    TEST(core_cancel_is_by_argument),
    TEST(core_vacates),
    TEST(core_waits_after_vacate),
    TEST(core_restarts),
    TEST(core_cancel_or_call),
};

}  // namespace

extern const tap::Tests starts_tests{tests};

}  // namespace conformance
