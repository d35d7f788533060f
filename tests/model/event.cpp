// SPDX-License-Identifier: MIT OR Apache-2.0
// Model: gates and events. A follower runs once per round and sees what was written before the arrivals; a task that
// waits is let go by the signal that is its, whoever comes first. Edges G1, G2, W1, W2.
#include "sleepers.hpp"

namespace {

// ---- Gates

// Sees what each of two cores wrote before it arrived.
template <unsigned cores>
struct Round {
    weft::Pool<cores, 2> pool;
    weft::Plain<uint32_t> written[2];
    struct Follower : weft::TaskOf<Follower> {
        void run() {
            for (weft::Plain<uint32_t>& one : round->written) {
                model::check(one.get() == round->rounds + 1, "what came before the arrivals");
            }
            if (++round->rounds == round->all) round->pool.shutdown();
            round->begun.store(round->rounds, weft::release);
            for (unsigned core = 0; core != 3; ++core) weft::Port::unpark(core);
        }
        Round* round = nullptr;
    } follower;
    weft::Gate gate{pool, follower, 2};
    weft::Atomic<uint32_t> begun{};
    uint32_t rounds = 0;
    uint32_t all = 1;

    Round() { follower.round = this; }
    void arrive(unsigned which, uint32_t round) {
        written[which].set(round);
        must(gate.arrive());
    }
    void wait_for(uint32_t round) {
        while (begun.load(weft::acquire) < round) weft::Port::park();
    }
    void finish() { model::check(rounds == all, "the follower ran once per round"); }
};

// Result: Never. Two cores arrive, the follower sees both. The worker is awake: no unpark orders what it reads.
struct TwoArrive : Round<1> {
    void cores(model::Program& on) {
        on.core(0, [this] { must(pool.run()); });
        on.core(1, [this] { arrive(0, 1); });
        on.core(2, [this] { arrive(1, 1); });
    }
};
MODEL_SCENARIO(gate_two_arrive, TwoArrive).stale_reads(3);

// Result: Never. Two rounds: each core arrives again when the follower has begun.
struct TwoRounds : Round<1> {
    void cores(model::Program& on) {
        all = 2;
        on.core_at_rest(0, [this] { must(pool.run()); });
        on.core(1, [this] { arrive(0, 1), wait_for(1), arrive(0, 2); });
        on.core(2, [this] { arrive(1, 1), wait_for(1), arrive(1, 2); });
    }
};
MODEL_SCENARIO(gate_two_rounds, TwoRounds).stale_reads(1);

// Result: Never. A round is complete before the follower of the one before has begun: the last arrival is refused, and
// may come again. So the gate is not queued twice.
struct TooEarly {
    weft::Pool<1, 2> pool;
    Mark follower;
    weft::Gate gate{pool, follower, 1};
    int opened = 0;
    void cores(model::Program& on) {
        follower.prepare();
        on.core(0, [this] { must(pool.run()); });
        on.core(1, [this] {
            for (unsigned i = 0; i != 2; ++i) {
                const weft::Status status = gate.arrive();
                model::check(status == weft::Status::ok || (i == 1 && status == weft::Status::not_expected),
                             "refused only while the follower has not begun");
                opened += status == weft::Status::ok;
            }
            pool.shutdown();
        });
    }
    void finish() { model::check(follower.runs == opened, "once for each time it opened"); }
};
MODEL_SCENARIO(gate_too_early, TooEarly).preemptions(3).stale_reads(3);

// Result: Never. The last arrival is that of a handler.
struct GateFromIsr : Round<1> {
    void cores(model::Program& on) {
        on.core(0, [this] { arrive(0, 1), must(pool.run()); });
        on.interrupt(0, [this] {
            written[1].set(1);
            must(gate.arrive_from_isr());
        });
    }
};
MODEL_SCENARIO(gate_from_isr, GateFromIsr).each_wake();

// ---- Events

template <unsigned cores, unsigned tasks>
struct Waiting : Sleepers<cores, tasks> {
    weft::Event event{this->pool};
    void wait(unsigned which) {
        this->task[which].prepare();
        must(event.wait(this->task[which]));
    }
};

// Result: Never (waits for ever). The wait meets the signal.
struct WaitMeetsSignal : Waiting<1, 1> {
    void cores(model::Program& on) {
        on.core_at_rest(0, [this] { work(); });
        on.core(1, [this] { wait(0); });
        on.core(2, [this] { must(event.signal()); });
    }
};
MODEL_SCENARIO(event_wait_meets_signal, WaitMeetsSignal).stale_reads(3);

// Result: Never. Two wait, and each signal lets one go; both signals may come before both waits, but not at once.
struct SignalForEach : Waiting<1, 2> {
    void cores(model::Program& on) {
        on.core_at_rest(0, [this] { work(); });
        on.core(1, [this] { wait(0), must(event.signal()); });
        on.core(2, [this] { wait(1), must(event.signal()); });
    }
};
MODEL_SCENARIO(event_signal_for_each, SignalForEach);

// Result: Never (waits for ever). A signal is seen to by one core, while another one waits and signals, twice. Its
// calls return at once; each signal lets go who has waited before it.
struct SignalBehindEachWait : Waiting<1, 2> {
    void cores(model::Program& on) {
        on.core_at_rest(0, [this] { work(); });
        on.core(1, [this] {
            wait(0), must(event.signal());
            wait(1), must(event.signal());
        });
        on.core(2, [this] { must(event.signal()); });
    }
};
MODEL_SCENARIO(event_signal_behind_each_wait, SignalBehindEachWait);

// Result: Never (waits for ever). Two come while another core's signal is seen to, so they are taken together, and one
// of them stays: whoever comes next stands behind that one.
struct TwoComeAtOnce : Waiting<1, 3> {
    void cores(model::Program& on) {
        on.core_at_rest(0, [this] { work(); });
        on.core(1, [this] { wait(0), wait(1), wait(2), must(event.set()); });
        on.core(2, [this] { must(event.signal()); });
    }
};
MODEL_SCENARIO(event_two_come_at_once, TwoComeAtOnce).stale_reads(1);

// Result: Never. The event is set: all go, whenever they come.
struct AllGo : Waiting<1, 2> {
    void cores(model::Program& on) {
        on.core_at_rest(0, [this] { work(); });
        on.core(1, [this] { wait(0), wait(1); });
        on.core(2, [this] { must(event.set()); });
    }
};
MODEL_SCENARIO(event_all_go, AllGo).stale_reads(1);

// Result: Never. What was written before the signal is seen by the task that goes, whoever hands it in. The worker is
// awake: no unpark orders what it reads.
template <weft::Status (weft::Event::*give)()>
struct SeesTheSignal : Waiting<1, 1> {
    weft::Plain<uint32_t> data{};
    void cores(model::Program& on) {
        task[0].body =
            model::Callable([this] { model::check(data.get() == 7, "written before the signal"); });
        on.core(0, [this] { work(); });
        on.core(1, [this] { wait(0); });
        on.core(2, [this] {
            data.set(7);
            must((event.*give)());
        });
    }
};
MODEL_SCENARIO(event_sees_the_signal, SeesTheSignal<&weft::Event::signal>);
MODEL_SCENARIO(event_sees_the_set, SeesTheSignal<&weft::Event::set>);

// Result: Never. No core is there yet. A signal meets that of a handler, which starts none: one of the calls does.
struct MeetsAHandlers : Waiting<1, 2> {
    void cores(model::Program& on) {
        on.late_core(0);
        on.core(1, [this] { wait(0), wait(1), ready.store(1, weft::release), weft::Port::unpark(2); });
        on.interrupt(1, [this] { must(event.signal_from_isr()); });
        on.core(2, [this] {
            while (ready.load(weft::acquire) == 0) weft::Port::park();
            must(event.signal());
        });
    }
    weft::Atomic<uint32_t> ready{};
};
MODEL_SCENARIO(event_meets_a_handlers, MeetsAHandlers).stale_reads(1);

// Result: Never (waits for ever). A signal is kept, as nobody waits. Two wait then, and another signal comes while the
// first of them is seen to.
struct KeptAndSecond : Waiting<1, 2> {
    void cores(model::Program& on) {
        on.core(0, [this] { work(); });
        on.core(1, [this] { must(event.signal()); });
        on.core(2, [this] { wait(0), wait(1), must(event.signal()); });
    }
};
MODEL_SCENARIO(event_kept_and_second, KeptAndSecond).stale_reads(0);

// Result: Never. A task is let go because the event is set, not by a signal: none is left when it is cleared.
struct SetLeavesNoSignal {
    weft::Pool<1, 2> pool;
    weft::Event event{pool};
    Mark task[2];
    weft::Atomic<uint32_t> step{};
    void cores(model::Program& on) {
        on.core(1, [this] {
            while (step.load(weft::acquire) == 0) weft::Port::park();
            task[0].prepare();
            must(event.wait(task[0]));
            while (step.load(weft::acquire) != 2) weft::Port::park();
            must(event.wait(task[1]));
            pool.shutdown();
            must(pool.join());
            weft::Batch left;
            event.take_back(left);
            model::check(task[1].runs == 0, "nobody has let it go");
            while (left.pop() != nullptr) {
            }
        });
        on.core(2, [this] {
            must(event.set());
            step.store(1, weft::release), weft::Port::unpark(1);
            event.clear();
            step.store(2, weft::release), weft::Port::unpark(1);
        });
    }
};
MODEL_SCENARIO(event_set_leaves_no_signal, SetLeavesNoSignal);

// Result: Never. A handler signals while its own core is about to wait, at any point of it.
struct EventFromIsr : Waiting<1, 1> {
    void cores(model::Program& on) {
        on.core(0, [this] { wait(0), work(); });
        on.interrupt(0, [this] { must(event.signal_from_isr()); });
    }
};
MODEL_SCENARIO(event_from_isr, EventFromIsr).each_wake();

// Result: Never. The pool ends: a task runs, or is still in the event, once.
struct EventAtTheEnd {
    weft::Pool<1, 2> pool;
    weft::Event event{pool};
    Mark tasks[2];
    weft::Atomic<uint32_t> callers{2};
    void over() { callers.fetch_sub(1, weft::release), weft::Port::unpark(0); }
    void wait(unsigned which) {
        tasks[which].prepare();
        tasks[which].given = event.wait(tasks[which]) == weft::Status::ok;
    }
    void cores(model::Program& on) {
        on.core(0, [this] {
            static_cast<void>(pool.run());
            must(pool.join());
            while (callers.load(weft::acquire) != 0) weft::Port::park();
            weft::Batch left;
            event.take_back(left);
            while (weft::Task* const one = left.pop()) static_cast<Mark*>(one)->given = false;
        });
        on.core(1, [this] { wait(0), pool.shutdown(), over(); });
        on.core(2, [this] { wait(1), static_cast<void>(event.set()), over(); });
    }
    void finish() {
        for (Mark& task : tasks) model::check(task.as_promised(), "each runs once, or comes back");
    }
};
MODEL_SCENARIO(event_at_the_end, EventAtTheEnd).stale_reads(1);

}  // namespace
