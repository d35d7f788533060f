// SPDX-License-Identifier: MIT OR Apache-2.0
// Model: the mailbox of a core that is off between two entries (of ports; the other scenarios' machine has a pen).
// Edges M1, M2, M6, M7.
#include <generic/power.hpp>

#include "tasks.hpp"

namespace {

enum class Start { started, refused, absent };

// Core 0, and the firmware beneath it, which switches it off and on. Two users start it.
template <bool may_be_off>
struct Chip {
    weft::generic::PoweredMailbox<weft::Port> mailbox;
    weft::Atomic<uint32_t> is_on{0};  // what the firmware knows
    weft::Atomic<uint32_t> left{0};   // users
    struct Call {
        weft::Plain<uint32_t> input{};
        Chip* its = nullptr;
        unsigned runs = 0;  // for finish() only, as all below
        bool started = false;
        bool revoked = false;
    } calls[2];

    static void entry(void* argument) {
        Call& call = *static_cast<Call*>(argument);
        model::check(call.input.get() == 41, "the entry sees what was stored before the start");
        ++call.runs;
    }

    // The firmware's. An order of its own: each step sees the last one.
    Start switch_on() {
        model::check(is_on.exchange(1, weft::acq_rel) == 0, "who is switched on was off");
        return Start::started;
    }
    void start(Call& call) {
        call.input.set(41);
        call.started = mailbox.template start<Start>(
                           0, entry, &call, [this] { return switch_on(); },
                           [this] { return is_on.fetch_or(0, weft::acq_rel) == 0; }) == Start::started;
    }

    // The core, from when it is switched on until it is off.
    void live() {
        mailbox.arrives();
        for (;;) {
            weft::generic::Mailbox<weft::Port>::Entry taken = nullptr;
            void* argument = nullptr;
            while (mailbox.take(taken, argument)) taken(argument), mailbox.done();
            if (!mailbox.leaves()) continue;
            if (may_be_off) return is_on.store(0, weft::release);
            mailbox.arrives();  // it has been denied
            if (left.load(weft::acquire) == 0 && !mailbox.is_posted()) return;
            weft::Port::park();
        }
    }
    void user(Call& call, bool revokes) {
        start(call);
        if (revokes && call.started) call.revoked = mailbox.revoke(&call);
        left.fetch_sub(1, weft::release);
        weft::Port::unpark(0);
    }
    template <class... Users>
    void run(model::Program& on, Users... users) {
        left.store(sizeof...(users), weft::relaxed);
        on.core(0, [this] {
            for (;;) {
                const bool last = left.load(weft::acquire) == 0;
                if (is_on.load(weft::acquire) != 0) live();
                if (last) break;
                weft::Port::relax();
            }
        });
        unsigned core = 1;
        (on.core(core++, users), ...);
    }
    void finish() {
        for (const Call& call : calls) {
            const bool runs = call.started && !call.revoked;
            model::check(call.runs == (runs ? 1u : 0u), "what was started and not withdrawn runs once");
        }
    }
};

// Result: Never (sleeps or is off with an entry). The core leaves its pen while it is started again.
struct StartedTwice : Chip<true> {
    void cores(model::Program& on) {
        run(on, [this] {
            start(calls[0]);
            while (mailbox.is_posted()) weft::Port::relax();
            user(calls[1], false);
        });
    }
};
MODEL_SCENARIO(power_started_while_it_leaves, StartedTwice).stale_reads(1);

// Result: Never. Two users, one of them withdraws its start.
struct PowerOfTwo : Chip<true> {
    void cores(model::Program& on) {
        run(
            on, [this] { user(calls[0], true); }, [this] { user(calls[1], false); });
    }
};
MODEL_SCENARIO(power_of_two_users, PowerOfTwo).preemptions(2).stale_reads(1);

// Result: Never. The firmware denies to switch it off: it waits in its pen, and who starts it does not wait for ever.
struct Denied : Chip<false> {
    void cores(model::Program& on) {
        run(on, [this] {
            start(calls[0]);
            while (mailbox.is_posted()) weft::Port::relax();
            user(calls[1], false);
        });
    }
};
MODEL_SCENARIO(power_off_is_denied, Denied);

// Result: Never. It is not switched on, as the firmware is busy: the next start is a new one.
struct BusyFirmware : Chip<true> {
    unsigned tries = 0;
    void cores(model::Program& on) {
        run(on, [this] {
            calls[0].input.set(41);
            const Start answer = mailbox.start<Start>(
                0, entry, &calls[0], [] { return Start::refused; }, [] { return true; });
            model::check(answer == Start::refused, "the firmware's answer");
            user(calls[0], false);
            model::check(calls[0].started, "the second time");
        });
    }
};
MODEL_SCENARIO(power_refused_once, BusyFirmware);

}  // namespace
