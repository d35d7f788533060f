// SPDX-License-Identifier: MIT OR Apache-2.0
// Model: what cores run, seen by handlers and by other cores (WEFT_WATCH=1). Claim 16; edge W3.
#include <weft/weft.hpp>

#include "engine/scenario.hpp"

// The other scenarios have these, too, of another library: of WEFT_WATCH=0 (Makefile).
namespace watch {
#include "sleepers.hpp"
}  // namespace watch
using namespace watch;

namespace {

using weft::Heartbeat;
using weft::Status;
using weft::detail::Heart;

[[maybe_unused]] const bool hearts_are_known =
    (model::add_static_part(weft::detail::Hearts::at, sizeof weft::detail::Hearts::at), true);

// ---- The words by themselves. Task n has code n + 100, and begins behind begun[n].
struct Words {
    static constexpr unsigned tasks = 3;
    Heart heart;
    uint32_t begun[tasks + 2] = {};
    unsigned last_seen = 0;

    void write() {
        for (unsigned n = 1; n <= tasks; ++n) {
            begun[n] = weft::Port::now();
            const Heart::Former former = heart.begins(n, n + 100);
            model::check(former.task == 0, "nothing ran before");
            heart.goes_back_to(former);
        }
    }
    void look() {
        Heartbeat seen;
        uint32_t since = 0;
        if (!heart.is_read(seen, since)) return model::check(seen.task == nullptr, "nothing is said");
        const unsigned n = static_cast<unsigned>(reinterpret_cast<uintptr_t>(seen.task));
        model::check(n >= 1 && n <= tasks && n >= last_seen, "a task, and none that is over");
        model::check(seen.function == n + 100, "its own code");
        model::check(since > begun[n], "it began behind that");
        model::check(begun[n + 1] == 0 || since < begun[n + 1], "and before the next one");
        model::check(seen.beats == 2 * n - 1, "two signs of life for each task");
        last_seen = n;
    }
};

// Result: Never (words of two tasks as of one). Another core looks, at any time, at any age of the words.
struct WordsFromAfar : Words {
    void cores(model::Program& on) {
        on.core(0, [this] { write(); });
        on.core(1, [this] { look(), look(); });
    }
};
MODEL_SCENARIO(watch_words_from_afar, WordsFromAfar)
    .preemptions(2)
    .stale_reads(3)
    .clock_start(1)
    .ticks_per_call(1);

// Result: Never. A handler on top of who writes: it sees what was, what is, or nothing; and waits for nobody.
struct WordsInAHandler : Words {
    void cores(model::Program& on) {
        on.core(0, [this] { write(); });
        on.interrupt(
            0, [this] { look(); }, 2);
    }
};
MODEL_SCENARIO(watch_words_in_a_handler, WordsInAHandler).clock_start(1).ticks_per_call(1);

// ---- Pools

// Result: Never. A task that does not end: another core sees it, its time, and what is pinned behind it. Then it is let
// go. Without the report it would run for ever.
struct Reported : Workers<1> {
    Mark behind;
    weft::Atomic<uint32_t> let_go{0};
    struct Long : Doing {
        Long() : Doing(&Long::run) {}
        static void run(weft::Task& self) { Doing::run(self); }
    } task;

    void cores(model::Program& on) {
        on.core(0, [this] {
            task.body = model::Callable([this] {
                while (let_go.load(weft::acquire) == 0) weft::Port::park();
            });
            task.prepare(), behind.prepare();
            must(pool.submit_on(0, behind)), must(pool.submit_on(0, task));  // the last one runs first
            must(pool.run());
            const Heartbeat seen = pool.heartbeat(0);
            model::check(seen.task == nullptr && !seen.has_pinned && !seen.asleep, "nothing is left");
        });
        on.core(1, [this] {
            weft::Unmoved unmoved;
            Heartbeat seen;
            do {
                seen = pool.heartbeat(0);
                if (seen.task == static_cast<weft::Task*>(&task)) {
                    model::check(seen.function == reinterpret_cast<uintptr_t>(&Long::run), "its own code");
                    model::check(!seen.asleep, "it runs");
                }
                if (seen.task == nullptr) weft::Port::relax();
            } while (unmoved.looks(seen) < 1);
            const bool is_first = seen.task == static_cast<weft::Task*>(&task);
            model::check(is_first || seen.task == static_cast<weft::Task*>(&behind), "one of the two");
            if (is_first) model::check(seen.has_pinned, "what is behind it is reported");
            pool.shutdown();
            let_go.store(1, weft::release);
            weft::Port::unpark(0);
        });
    }
    void finish() { model::check(task.as_promised() && behind.as_promised(), "both run"); }
};
MODEL_SCENARIO(watch_reports_a_long_task, Reported).preemptions(1).stale_reads(1);

// Result: Never. The tasks that a long one has submitted before are run by the other core, and it is named meanwhile.
struct Behind : Workers<2> {
    weft::Atomic<uint32_t> has_run{0};
    struct After : Doing {
        After() : Doing(&After::run) {}
        static void run(weft::Task& self) { Doing::run(self); }
    } task, other;

    void cores(model::Program& on) {
        on.core(0, [this] {
            task.body = model::Callable([this] {
                other.prepare();
                must(pool.submit(other));
                while (has_run.load(weft::acquire) == 0) weft::Port::park();
                pool.shutdown();
            });
            other.body = model::Callable([this] {
                const Heartbeat seen = pool.heartbeat(0);
                model::check(seen.task == static_cast<weft::Task*>(&task) && !seen.asleep, "the long one");
                must(pool.beat());
                const Heartbeat own = pool.heartbeat(weft::Port::core_id());
                model::check(own.task == static_cast<weft::Task*>(&other), "and this one");
                has_run.store(1, weft::release);
                weft::Port::unpark(0);
            });
            task.prepare();
            must(pool.submit_on(0, task));
            must(pool.run());
        });
        on.core_at_rest(1, [this] { work(); });
    }
    void finish() { model::check(task.as_promised() && other.as_promised(), "both run"); }
};
MODEL_SCENARIO(watch_beside_what_is_stolen, Behind).preemptions(1).stale_reads(1).each_wake();

// Result: Never. A task waits for another one, and its core runs that meanwhile: the innermost is named, and then again
// the one that waited.
struct Innermost : Workers<1> {
    weft::Work<model::Callable> inner{
        pool, model::Callable([this] {
            model::check(pool.heartbeat(0).task == static_cast<weft::Task*>(&inner), "the innermost");
        })};
    Doing outer;
    uint32_t before = 0;

    void cores(model::Program& on) {
        on.core(0, [this] {
            outer.body = model::Callable([this] {
                before = pool.heartbeat(0).beats;
                must(pool.submit(inner));
                must(inner.wait());
                const Heartbeat seen = pool.heartbeat(0);
                model::check(seen.task == static_cast<weft::Task*>(&outer), "the outer one again");
                model::check(seen.beats == before + 2, "with two signs of life since then");
                must(pool.beat());
                model::check(pool.heartbeat(0).beats == before + 3, "and one more");
                pool.shutdown();
            });
            outer.prepare();
            must(pool.submit_on(0, outer));
            model::check(pool.beat() == Status::wrong_context, "no task runs here");
            must(pool.run());
            model::check(pool.beat() == Status::wrong_context, "nor now");
        });
    }
    void finish() { model::check(outer.as_promised(), "it runs"); }
};
MODEL_SCENARIO(watch_names_the_innermost, Innermost);

}  // namespace
