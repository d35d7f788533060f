// SPDX-License-Identifier: MIT OR Apache-2.0
// Lifetimes, to the letter of the headers: what may end at some moment is overwritten at that moment. A pool that reads
// it afterwards finds no task there, and panics in checked builds; one that writes to it is seen in the end.
#include "harness.hpp"

namespace firmware {
namespace {

constexpr uint8_t dust = 0xa5;  // of a link: bits that no queued task has

// Where objects live and end: one after the other in the same memory, which is small on some boards.
alignas(2 * sizeof(void*)) uint8_t memory[160 * sizeof(void*)];

void bury(void* object, size_t bytes) {
    for (size_t i = 0; i != bytes; ++i) static_cast<volatile uint8_t*>(object)[i] = dust;
}
bool is_untouched(const void* object, size_t bytes) {
    const volatile uint8_t* const seen = static_cast<const volatile uint8_t*>(object);
    size_t i = 0;
    while (i != bytes && seen[i] == dust) ++i;
    return i == bytes;
}

template <class T>
struct Graves {
    static constexpr uint32_t most =
        sizeof memory / sizeof(T) < 2 * ring ? sizeof memory / sizeof(T) : 2 * ring;
    static_assert(most >= 4 && alignof(T) <= 2 * sizeof(void*));

    static void* at(uint32_t i) { return memory + i * sizeof(T); }
    static void check(uint32_t i) { CHECK(is_untouched(at(i), sizeof(T))); }
    static void check() {
        for (uint32_t i = 0; i != most; ++i) check(i);
    }
};

Atomic<uint32_t> ended;  // released after each end
void one_more_ended() { ended.fetch_add(1, acq_rel); }
void await_ended(Scheduler& pool, uint32_t count) {
    work_until(
        pool, [count] { return ended.load(acquire) == count; }, "tasks that end when they start");
}

// ---- E4: a task

struct Mortal : Task {
    Mortal() : Task(&Mortal::run) {}
    static void run(Task& self) {
        bury(&self, sizeof(Mortal));
        one_more_ended();
    }
};

using Mortals = Graves<Mortal>;
Mortal& mortal(uint32_t i) { return *new (Place{Mortals::at(i)}) Mortal(); }

// One of them for each way into a pool, in turns. A batch is handed in when it is full.
struct Ways {
    Scheduler& pool;
    weft::Strand& strand;
    weft::Event& event;
    Batch batch{};

    Status submit(Task& task, uint32_t way) {
        switch (way % 8) {
            case 0: return pool.submit_from_isr(task);
            case 1: return strand.submit(task);
            case 2: return strand.submit_from_isr(task);
            case 3: CHECK_EQ(event.wait(task), Status::ok); return event.signal();
            case 4:
            case 5: {
                const Status status = batch.push(task);
                return way % 8 == 4 || status != Status::ok ? status : pool.submit(batch);
            }
#if WEFT_URGENCY_LEVELS > 1
            case 6: return pool.submit(task, weft::Urgency::urgent);
#endif
            default: return pool.submit(task);
        }
    }
};

void E4_a_task_may_end_when_it_starts() {
    for (uint32_t round = 0; round != rounds(40); ++round) {
        Pool& pool = new_pool();
        weft::Strand strand{pool};
        weft::Event event{pool};
        Ways ways{pool, strand, event};
        ended.store(0, relaxed);
        // The first half from outside, the others from a task: into its ring.
        for (uint32_t i = 0; i != Mortals::most / 2; ++i) CHECK_EQ(ways.submit(mortal(i), i), Status::ok);
        Job inside([&] {
            for (uint32_t i = Mortals::most / 2; i != Mortals::most; ++i) {
                CHECK_EQ(ways.submit(mortal(i), i), Status::ok);
            }
        });
        CHECK_EQ(pool.submit(inside), Status::ok);
        await_ended(pool, Mortals::most);
        end(pool);
        Mortals::check();
    }
}

// ---- N2: a gate and its follower, by the follower itself

struct Passage {
    explicit Passage(Scheduler& pool) : follower(*this), gate(pool, follower, 3) {}
    struct Follower : Task {
        explicit Follower(Passage& passage) : Task(&Follower::run), whole(passage) {}
        static void run(Task& self) {
            bury(&static_cast<Follower&>(self).whole, sizeof(Passage));
            one_more_ended();
        }
        Passage& whole;
    } follower;
    weft::Gate gate;
};
using Passages = Graves<Passage>;

struct Arriver : Task {
    constexpr Arriver() : Task(&Arriver::run) {}
    static void run(Task& self) { CHECK_EQ(static_cast<Arriver&>(self).gate->arrive(), Status::ok); }
    weft::Gate* gate = nullptr;
};
Arriver arrivers[Passages::most * 3];

void N2_a_gate_may_end_with_its_follower() {
    for (uint32_t round = 0; round != rounds(40); ++round) {
        Pool& pool = new_pool();
        ended.store(0, relaxed);
        for (uint32_t i = 0; i != Passages::most; ++i) {
            Passage& passage = *new (Place{Passages::at(i)}) Passage(pool);
            for (uint32_t k = 0; k != 3; ++k) {
                arrivers[3 * i + k].gate = &passage.gate;
                CHECK_EQ(pool.submit(arrivers[3 * i + k]), Status::ok);
            }
        }
        await_ended(pool, Passages::most);
        end(pool);
        Passages::check();
    }
}

// ---- N5: what has been waited for, or was seen to be done

Atomic<uint32_t> works_done;
struct Deed {
    void operator()() const { works_done.fetch_add(1, relaxed); }
};
struct Effort : weft::Work<Deed> {
    explicit Effort(Scheduler& pool) : Work(pool, Deed()) {}
};

void N5_work_may_end_when_it_is_done() {
    using Efforts = Graves<Effort>;
    Pool& pool = new_pool();
    works_done.store(0, relaxed);
    constexpr uint32_t turns = rounds(2000);
    uint32_t cancelled = 0;
    for (uint32_t turn = 0; turn != turns; ++turn) {
        const uint32_t grave = turn % Efforts::most;
        if (turn >= Efforts::most) Efforts::check(grave);
        Effort& effort = *new (Place{Efforts::at(grave)}) Effort(pool);
        CHECK_EQ(pool.submit(effort), Status::ok);
        if (turn % 4 == 3 && effort.cancel() == weft::CancelResult::cancelled) ++cancelled;
        if (turn % 2 == 0) {
            CHECK_EQ(effort.wait(), Status::ok);
        } else {
            work_until(
                pool, [&] { return effort.is_done(); }, "the end of a work");
        }
        bury(&effort, sizeof effort);
    }
    end(pool);
    CHECK_EQ(works_done.load(relaxed) + cancelled, turns);
    Efforts::check();
}

#if WEFT_TIMERS

// ---- V12: a timer with its follower, when a cancel has said that they may

struct Clockwork {
    explicit Clockwork(Scheduler& pool) : follower(), timer(pool, follower) {}
    struct Follower : Task {
        Follower() : Task(&Follower::run) {}
        static void run(Task& self) {
            Follower& follower = static_cast<Follower&>(self);
            CHECK_EQ(follower.runs.fetch_add(1, relaxed), 0);
        }
        Atomic<uint32_t> runs{};
    } follower;
    weft::Timer timer;
};

void V12_a_timer_may_end_when_a_cancel_says_so() {
    using Clocks = Graves<Clockwork>;
    Pool& pool = new_pool();
    constexpr uint32_t turns = rounds(4000);
    for (uint32_t turn = 0; turn != turns; ++turn) {
        const uint32_t grave = turn % Clocks::most;
        if (turn >= Clocks::most) Clocks::check(grave);
        Clockwork& clock = *new (Place{Clocks::at(grave)}) Clockwork(pool);
        const uint32_t delay = turn * 7 % 64;
        CHECK_EQ(turn % 2 == 0 ? clock.timer.start_after(delay, turn % 3)
                               : clock.timer.start_after_from_isr(delay),
                 Status::ok);
        for (uint32_t i = 0; i != turn * 5 % 90; ++i) Port::relax();
        work_until(
            pool, [&] { return clock.timer.cancel() != weft::CancelResult::too_late; }, "the end of a timer");
        CHECK_EQ(clock.timer.cancel(), weft::CancelResult::not_armed);
        bury(&clock, sizeof clock);
    }
    end(pool);
    Clocks::check();
}

#endif

constexpr tap::Test tests[] = {
    TEST(E4_a_task_may_end_when_it_starts),
    TEST(N2_a_gate_may_end_with_its_follower),
    TEST(N5_work_may_end_when_it_is_done),
#if WEFT_TIMERS
    TEST(V12_a_timer_may_end_when_a_cancel_says_so),
#endif
};

}  // namespace

extern const tap::Tests lifetime_tests{tests};

}  // namespace firmware
