// SPDX-License-Identifier: MIT OR Apache-2.0
// Unit tests of the turns (DESIGN 4.6): random sets of tasks that never run dry, on one core, and among them tasks that
// are submitted once. The scenarios of the model cannot show starvation: it has no end.
#include <weft/blocking.hpp>
#include <weft/mandatory.hpp>
#include <weft/strand.hpp>
#include <weft/timer.hpp>
#include <weft/work.hpp>

#include <deque>
#include <string>

#include "harness.hpp"
#include "weft_host_faults.hpp"
#include "weft_image.hpp"

namespace unit {
namespace {

using weft::Strand;
using weft::Urgency;

void join_and_forget(weft::Scheduler& pool) {
    Batch left;
    CHECK_EQ(pool.join(left), Status::ok);
    while (left.pop() != nullptr) {
    }
}

// A set, and how its tasks are submitted, a letter for each way.
class Crowd {
public:
    explicit Crowd(uint32_t seed) : random_(seed) {
        for (uint32_t left = 1 + random_.below(4); left != 0; --left) hosts_.emplace_back(*this);
        for (uint32_t left = random_.below(6); left != 0; --left) once_.emplace_back(*this, way());
    }

    // How many tasks began before all that waits had had its turn; or so many that it is no matter of turns any more.
    uint32_t runs() {
        Job first([&] {
            const bool early = random_.below(2) == 0;
            if (early) submit_once();
            for (Host& host : hosts_) submit(host, host.own);
            if (!early) submit_once();
        });
        CHECK_EQ(pool_.submit(first), Status::ok);
#if WEFT_TIMERS
        // One that is due each time that somebody looks, or now and then.
        Count beat;
        weft::Timer timer{pool_, beat};
#if WEFT_URGENCY_LEVELS > 1
        weft::Timer urgent_timer{pool_, beat, Urgency::urgent};
        const bool is_urgent = has_urgent && random_.below(2) == 0;
        weft::Timer& one = is_urgent ? urgent_timer : timer;
#else
        weft::Timer& one = timer;
#endif
        tick();
        if (random_.below(3) != 0) CHECK_EQ(one.start_every(1 + random_.below(9)), Status::ok);
#endif
        if (WEFT_BLOCKING || random_.below(2) == 0) {
            CHECK_EQ(pool_.run(), Status::ok);
        } else {
            const uint32_t at_once = 1 + random_.below(3);
            while (pool_.poll(at_once).status == Status::ok) {
            }
        }
#if WEFT_TIMERS
        static_cast<void>(one.cancel());
        weft::host::clear_faults();
#endif
        join_and_forget(pool_);
        return last_;
    }
    std::string words() const {
        std::string text;
        for (const Host& host : hosts_)
            text +=
                std::string(host.early ? "<" : ">") + host.own + (host.waits ? "w " : " ") + host.ways + "; ";
        for (const Once& one : once_) text += one.began ? one.way : static_cast<char>(one.way - 'a' + 'A');
        return text;
    }

    // With the settings of this build no set needs more, by far.
    static constexpr uint32_t most = 200 * WEFT_FAIR_INTERVAL * (WEFT_URGENCY_LEVELS + 1);

private:
    static constexpr uint32_t enough = 3;  // turns of a host
    // A level that is urgent, and does not preempt.
    static constexpr bool has_urgent = WEFT_URGENCY_LEVELS - WEFT_PREEMPTION > 1;

    struct Guest : weft::TaskOf<Guest> {
        explicit Guest(Crowd& its) : crowd(&its) {}
        void run() {
            ++crowd->begun_;
            crowd->tick();
            is_queued = false;
        }
        Crowd* crowd;
        bool is_queued = false;
    };
    // Each time that it runs: its guests, as far as they have run, and itself.
    struct Host : weft::TaskOf<Host> {
        explicit Host(Crowd& its) : crowd(&its), own(its.way()) {
            const bool all_alike = its.random_.below(2) == 0;
            const char one = its.way();
            for (uint32_t left = its.random_.below(8); left != 0; --left) {
                guests.emplace_back(its);
                ways += all_alike ? one : its.way();
                // What preempts takes no turns. (A host at that level would let nothing else run.)
                if (WEFT_PREEMPTION && its.random_.below(4) == 0) ways.back() = 'p';
            }
            early = its.random_.below(2) == 0;
            // In a strand it would wait for what stands behind it.
            waits = !early && own != 't' && own != 'v' && its.random_.below(6) == 0;
        }
        void run() {
            if (crowd->is_over()) return;
            if (turns++ < enough) crowd->last_ = crowd->begun_;
            if (early) crowd->submit(*this, own);
            for (size_t i = 0; i != guests.size(); ++i) {
                if (guests[i].is_queued) continue;
                guests[i].is_queued = true;
                crowd->submit(guests[i], ways[i]);
            }
            if (waits) {
                weft::Completion done(crowd->pool_);
                CHECK_EQ(crowd->pool_.submit(done), Status::ok);
                CHECK_EQ(done.wait(), Status::ok);
            }
            if (!early) crowd->submit(*this, own);
        }
        Crowd* crowd;
        std::deque<Guest> guests;
        std::string ways;
        const char own;
        bool early = false;
        bool waits = false;
        uint32_t turns = 0;
    };
    struct Once : weft::TaskOf<Once> {
        Once(Crowd& its, char how) : crowd(&its), way(how) {}
        void run() {
            began = true;
            if (!crowd->is_over()) crowd->last_ = crowd->begun_;
        }
        Crowd* crowd;
        const char way;
        bool began = false;
    };

    void tick() {
#if WEFT_TIMERS
        weft::host::set_clock(begun_);
#endif
    }
    char way() {
        constexpr char all[] = "sboitvumk";
        for (;;) {
            const char one = random_.below(3) == 0 ? 's' : all[random_.below(sizeof all - 1)];
            if (one == 'u' && !has_urgent) continue;
            if (one == 'm' && !WEFT_MANDATORY) continue;
            if (one == 'k' && !WEFT_BLOCKING) continue;
            return one;
        }
    }
    Status submit_by(Task& task, char way) {
        switch (way) {
            case 'b': {
                Batch batch;
                CHECK_EQ(batch.push(task), Status::ok);
                const Status status = pool_.submit(batch);
                if (status != Status::ok) static_cast<void>(batch.pop());
                return status;
            }
            case 'o': return pool_.submit_on(0, task);
            case 'i': {
                const weft::host::Interrupt handler;
                return pool_.submit_from_isr(task);
            }
            case 't': return strands_[0].submit(task);
            case 'v': return strands_[1].submit(task);
#if WEFT_URGENCY_LEVELS > 1
            case 'u': {
                constexpr uint32_t levels = has_urgent ? WEFT_URGENCY_LEVELS - 1 - WEFT_PREEMPTION : 1;
                return pool_.submit(task, Urgency{static_cast<uint8_t>(1 + begun_ % levels)});
            }
#endif
#if WEFT_MANDATORY
            case 'm': return pool_.submit_mandatory(task);
#endif
#if WEFT_BLOCKING
            case 'k': return pool_.submit_blocking(task);
#endif
#if WEFT_PREEMPTION
            case 'p': return pool_.submit(task, Urgency{WEFT_URGENCY_LEVELS - 1});
#endif
            default: return pool_.submit(task);
        }
    }
    void submit(Task& task, char way) {
        const Status status = submit_by(task, way);
        if (!over_) CHECK_EQ(status, Status::ok);
    }
    void submit_once() {
        for (Once& one : once_) submit(one, one.way);
    }
    // By a host: it is one more task that began.
    bool is_over() {
        if (over_) return true;
        tick();
        bool all = ++begun_ > WEFT_FAIR_INTERVAL;
        for (const Host& host : hosts_) all = all && host.turns >= enough;
        for (const Once& one : once_) all = all && one.began;
        if (!all && begun_ < most) return false;
        if (!all) last_ = most;
        over_ = true;
        pool_.shutdown();
        return true;
    }

    tap::Random random_;
    Pool<1, 4> pool_;
    Strand strands_[2] = {Strand{pool_}, Strand{pool_}};
    std::deque<Host> hosts_;
    std::deque<Once> once_;
    uint32_t begun_ = 0;  // tasks of hosts and guests
    uint32_t last_ = 0;   // so many had begun when somebody had a turn that counts, the last time
    bool over_ = false;
};

// (If loops in waits had the same copy of the turns as the loop around them, a blocking task would never begin in seed
// 440 of the fair variant.)
void V3_random_crowds_starve_nobody() {
    for (uint32_t seed = 1; seed <= 600; ++seed) {
        Crowd crowd(seed);
        const bool in_time = crowd.runs() < Crowd::most;
        if (!in_time) tap::note("seed ", seed, ": ", crowd.words().c_str());
        CHECK(in_time);
    }
}

// A task that submits itself again, by submit_again(), until `other` has had its turn; or it is no matter of turns.
template <class Submit>
struct Again : weft::TaskOf<Again<Submit>> {
    explicit Again(Submit how) : submit_again(how) {}
    void run() {
        if (other.runs != 0 || ++turns == Crowd::most) {
            pool.shutdown();
        } else {
            submit_again(*this);
        }
    }
    // Has the other one had its turn?
    bool ends() {
        CHECK_EQ(pool.submit(*this), Status::ok);
        CHECK_EQ(pool.run(), Status::ok);
        join_and_forget(pool);
        return turns != Crowd::most;
    }
    Submit submit_again;
    Pool<1, 4> pool;
    Strand strand{pool};
    Count other;
    uint32_t turns = 0;
};

// Its tasks count, and with a burst that is longer than an interval each turn of the strand's is the next one's cause.
void V3_a_long_burst_leaves_the_ring_its_turn() {
    Again again([](auto& its) {
        if (its.turns == 2) CHECK_EQ(its.pool.submit(its.other), Status::ok);
        CHECK_EQ(its.strand.submit(its), Status::ok);
    });
    CHECK(again.ends());
}

#if WEFT_URGENCY_LEVELS > 1
// As many urgent tasks as make an interval, each time.
void V3_urgent_tasks_leave_the_ring_its_turn() {
    constexpr uint32_t interval = WEFT_FAIR_INTERVAL;
    for (const uint32_t many : {interval - 2, interval - 1, interval}) {
        std::deque<Count> urgent(many);
        Again again([&urgent](auto& its) {
            if (its.turns == 1) CHECK_EQ(its.pool.submit(its.other), Status::ok);
            for (Count& one : urgent) CHECK_EQ(its.pool.submit(one, Urgency::urgent), Status::ok);
            Batch batch;
            CHECK_EQ(batch.push(its), Status::ok);
            CHECK_EQ(its.pool.submit(batch), Status::ok);
        });
        CHECK(again.ends());
    }
}

// Tasks that run within a wait are in no row of urgent ones: what is urgent goes first behind it.
void E8_behind_a_long_wait_the_urgent_goes_first() {
    for (uint32_t many = 1; many != 4 * (WEFT_FAIR_INTERVAL + WEFT_URGENCY_LEVELS); ++many) {
        Pool<1> pool;
        Count urgent;
        Job ordinary([&] { CHECK_EQ(urgent.runs, 1); });
        uint32_t left = many;
        weft::Completion done(pool);
        Again again(
            [&](auto& its) { CHECK_EQ(--left == 0 ? pool.submit(done) : pool.submit(its), Status::ok); });
        Job waits([&] {
            CHECK_EQ(pool.submit(again), Status::ok);
            CHECK_EQ(done.wait(), Status::ok);
            CHECK_EQ(pool.submit(ordinary), Status::ok);
            CHECK_EQ(pool.submit(urgent, Urgency::urgent), Status::ok);
        });
        CHECK_EQ(pool.submit(waits), Status::ok);
        while (pool.poll(99).tasks != 0) {
        }
        CHECK_EQ(left, 0);
    }
}

#if WEFT_BLOCKING
// What runs within its wait makes an end of each row of urgent tasks.
void P8_an_urgent_task_that_waits_leaves_a_turn() {
    Again again([](auto& its) {
        if (its.turns == 1) CHECK_EQ(its.pool.submit_blocking(its.other), Status::ok);
        weft::Completion done(its.pool);
        CHECK_EQ(its.pool.submit(done), Status::ok);
        CHECK_EQ(done.wait(), Status::ok);
        CHECK_EQ(its.pool.submit(its, Urgency::urgent), Status::ok);
    });
    CHECK(again.ends());
}
#endif
#endif

const tap::Test tests[] = {
    TEST(V3_a_long_burst_leaves_the_ring_its_turn),
#if WEFT_URGENCY_LEVELS > 1
    TEST(V3_urgent_tasks_leave_the_ring_its_turn),
    TEST(E8_behind_a_long_wait_the_urgent_goes_first),
#if WEFT_BLOCKING
    TEST(P8_an_urgent_task_that_waits_leaves_a_turn),
#endif
#endif
    TEST(V3_random_crowds_starve_nobody),
};

}  // namespace

extern const tap::Tests fairness_tests{tests};

}  // namespace unit
