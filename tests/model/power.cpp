// SPDX-License-Identifier: MIT OR Apache-2.0
// Model: the mailbox of a core that is off between two entries (of ports; the other scenarios' machine has a pen).
// Edges M1, M2, M6.
#include <generic/power.hpp>

#include "tasks.hpp"

namespace {

enum class Start { started, refused, absent };

constexpr unsigned always = 1000;

// Core 0, and the firmware beneath it, which switches it off and on. Users start it.
struct Chip {
    weft::generic::PoweredMailbox<weft::Port> mailbox;
    weft::Atomic<uint32_t> is_on{0};   // what the firmware knows
    weft::Atomic<uint32_t> left{0};    // users
    unsigned denials = 0;              // so often it will not be switched off
    uint32_t most_ticks = 0x7fffffff;  // of who starts it
    struct Call {
        weft::Plain<uint32_t> input{};
        weft::Atomic<uint32_t>* ends_with = nullptr;  // it runs as long as this is not 0
        unsigned runs = 0;                            // for finish() only, as all below
        bool started = false;
        bool revoked = false;
    } calls[2];

    static void entry(void* argument) {
        Call& call = *static_cast<Call*>(argument);
        model::check(call.input.get() == 41, "the entry sees what was stored before the start");
        ++call.runs;
        if (call.ends_with == nullptr) return;
        while (call.ends_with->load(weft::acquire) != 0) weft::Port::relax();
    }

    // The firmware's. An order of its own: each step sees the last one.
    Start switch_on() {
        model::check(is_on.exchange(1, weft::acq_rel) == 0, "who is switched on was off");
        return Start::started;
    }
    bool is_off() { return is_on.fetch_or(0, weft::acq_rel) == 0; }
    template <class IsOff, class SwitchOn>
    void start(Call& call, IsOff is_off_now, SwitchOn switch_on_now) {
        call.input.set(41);
        call.revoked = false;
        call.started =
            mailbox.start<Start>(0, entry, &call, most_ticks, is_off_now, switch_on_now) == Start::started;
    }
    void start(Call& call) {
        start(
            call, [this] { return is_off(); }, [this] { return switch_on(); });
    }
    void await_taken() {
        while (mailbox.is_posted()) weft::Port::relax();
    }

    // The core, from when it is switched on until it is off.
    void live() {
        mailbox.arrives();
        for (;;) {
            weft::generic::Mailbox<weft::Port>::Entry taken = nullptr;
            void* argument = nullptr;
            while (mailbox.take(taken, argument)) taken(argument), mailbox.done();
            if (!mailbox.leaves()) continue;
            if (denials == 0) return is_on.store(0, weft::release);
            if (denials != always) --denials;
            mailbox.arrives();
            if (left.load(weft::acquire) == 0 && !mailbox.is_posted()) return;
            weft::Port::park();
        }
    }
    void user(Call& call, bool revokes) {
        start(call);
        if (revokes && call.started) call.revoked = mailbox.revoke(&call);
        leave();
    }
    void leave() {
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

// Result: Never (sleeps or is off with an entry). The core leaves its pen while it is started again, for a long entry:
// who starts it does not wait for its end. `denied`: so often the firmware does not switch it off.
template <unsigned denied>
struct StartedTwice : Chip {
    void cores(model::Program& on) {
        denials = denied;
        run(on, [this] {
            start(calls[0]);
            await_taken();
            calls[1].ends_with = &left;
            user(calls[1], false);
        });
    }
};
MODEL_SCENARIO(power_started_while_it_leaves, StartedTwice<0>).stale_reads(1);
MODEL_SCENARIO(power_off_is_denied, StartedTwice<always>);
MODEL_SCENARIO(power_off_is_denied_once, StartedTwice<1>).stale_reads(1);

// Result: Never. Two users, one of them withdraws its start.
struct PowerOfTwo : Chip {
    void cores(model::Program& on) {
        run(
            on, [this] { user(calls[0], true); }, [this] { user(calls[1], false); });
    }
};
MODEL_SCENARIO(power_of_two_users, PowerOfTwo).preemptions(3).stale_reads(0);

// Result: Never. It is not switched on, as the firmware is busy; or it is not off in time, as the firmware is slow. The
// next start is a new one. First it was on, or not.
template <bool was_on, bool slow>
struct RefusedOnce : Chip {
    void cores(model::Program& on) {
        run(on, [this] {
            if (was_on) {
                start(calls[1]);
                await_taken();
                while (!is_off()) weft::Port::relax();
            }
            most_ticks = 5;
            start(
                calls[0], [] { return !slow; }, [] { return Start::refused; });
            model::check(!calls[0].started, "the firmware's answer");
            user(calls[0], false);
            model::check(calls[0].started, "the second time");
        });
    }
};
MODEL_SCENARIO(power_refused_once, RefusedOnce<false, false>);
MODEL_SCENARIO(power_refused_once_it_was_on, RefusedOnce<true, false>).stale_reads(1);
MODEL_SCENARIO(power_off_takes_too_long, RefusedOnce<true, true>).stale_reads(0).ticks_per_call(1);

// Result: Never. The image sends the core to its pen by itself, and the firmware refuses to switch it on: it has taken
// what was posted, or the start is refused.
struct ComesByItself : Chip {
    void cores(model::Program& on) {
        is_on.store(1, weft::relaxed);
        run(on, [this] {
            start(
                calls[0], [this] { return is_off(); }, [] { return Start::refused; });
            leave();
        });
    }
};
MODEL_SCENARIO(power_comes_by_itself, ComesByItself);

}  // namespace
