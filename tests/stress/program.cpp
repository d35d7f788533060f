// SPDX-License-Identifier: MIT OR Apache-2.0
// Stress tests: the programs.
#include "program.hpp"

#include <thread>

#include "account.hpp"
#include "board.hpp"
#include "rounds.hpp"
#include "weft_host_faults.hpp"

namespace stress {
namespace {

namespace faults = weft::host;

// ---- Pools of many shapes, in the same memory again and again.

constexpr decltype(Shape::build) builders[] = {build<1, 2>,  build<1, 16>, build<2, 2>, build<2, 8>,
                                               build<3, 2>,  build<3, 64>, build<4, 2>, build<4, 4>,
                                               build<4, 16>, build<8, 8>};
constexpr uint32_t builder_count = sizeof builders / sizeof builders[0];
using Largest = weft::Pool<8, 64>;
alignas(Largest) unsigned char memory[2][sizeof(Largest)];

constexpr Shutdown modes[] = {Shutdown::drain, Shutdown::abandon};

// ---- Faults

void inject_faults(tap::Random& random) {
    for (uint32_t core = 1; core < 8; ++core) {
        switch (random.below(8)) {
            case 0: faults::refuse_starts(core, 1 + random.below(5)); break;
            case 1: faults::refuse_starts(core, UINT32_MAX); break;
            case 2: faults::hide_core(core); break;
            case 3: faults::hold_starts(core); break;
            case 4: faults::delay_starts(core, 1 + random.below(3)); break;
            default: break;
        }
    }
    faults::spurious_parks(random.below(4) == 0 ? 1 + random.below(3) : 0);
    faults::wake_everyone(random.below(4) == 0);
}

void change_faults(tap::Random& random) {
    const uint32_t core = 1 + random.below(7);
    if (random.below(2) == 0) {
        faults::release_starts(core);
    } else {
        faults::refuse_starts(core, random.below(2));
    }
}

// ---- The parts of a program

void begin_round(const Profile& profile, uint32_t seed, tap::Random& random) {
    round_.seed = seed;
    round_.actor_count = 1 + random.below(random.below(2) == 0 ? 20 : most_actors);
    round_.resubmits = random.below(3) == 0 ? random.below(900) : 0;
    round_.children = random.below(700);
    round_.longest = random.below(4) == 0 ? random.below(3000) : random.below(50);
    round_.closer = random.below(4) == 0 ? random.below(round_.actor_count) : nowhere;
    round_.closer_mode = modes[random.below(2)];
    round_.pool_count = profile.second_pool && random.below(3) == 0 ? 2 : 1;
    for (uint32_t i = 0; i < round_.pool_count; ++i) {
        round_.pools[i] = &builders[random.below(builder_count)](memory[i]);
    }
    for (uint32_t i = 0; i < most_actors; ++i) {
        Actor& actor = actors[i];
        actor.number = i;
        actor.accepted.store(0, relaxed);
        actor.runs.store(0, relaxed);
        actor.returned.store(0, relaxed);
    }
}

// A thread that is no core.
void submit_from_thread(uint32_t seed, uint32_t calls) {
    tap::Random random(seed);
    while (calls-- != 0 && submit_any(random)) dawdle(random, 30);
}

void call_from_core_0(const Profile& profile, tap::Random& random) {
    for (uint32_t calls = random.below(60); calls != 0; --calls) {
        Watch::progress();
        const uint32_t kind = random.below(10);
        if (kind < 6) {
            static_cast<void>(submit_any(random));
        } else if (kind < 8) {
            const uint32_t limit = random.below(50);
            CHECK(round_.pools[random.below(round_.pool_count)]->poll(limit).tasks <= limit);
        } else if (kind == 8) {
            dawdle(random, 2000);
        } else if (profile.faults) {
            change_faults(random);
        }
    }
    // Starts that do not come in time are withdrawn only by submits after the deadline.
    if (profile.faults && random.below(40) == 0) {
        tap::Stopwatch stopwatch;
        while (stopwatch.elapsed_ms() <= WEFT_START_DEADLINE_MS) dawdle(random, 1000);
        for (uint32_t i = 0; i < 5; ++i) static_cast<void>(submit_any(random));
    }
}

// Shuts the first pool down in one of several ways, if no task has done so.
void close_first(tap::Random& random) {
    Scheduler& pool = *round_.pools[0];
    const Shutdown mode = modes[random.below(2)];
    switch (random.below(3)) {
        case 0: {  // another thread does it while core 0 is a worker
            const uint32_t turns = random.below(2000);
            std::thread closer([&pool, mode, turns] {
                for (uint32_t i = 0; i < turns; ++i) Port::relax();
                pool.shutdown(mode);
            });
            const Status status = pool.run();
            CHECK(status == Status::ok || status == Status::closed);
            closer.join();
            break;
        }
        case 1:
            pool.shutdown(Shutdown::drain);
            dawdle(random, 200);
            [[fallthrough]];
        default: pool.shutdown(mode);
    }
    if (random.below(3) == 0) static_cast<void>(pool.poll(random.below(10)));
}

void join_pool(Scheduler& pool, tap::Random& random, Batch& left) {
    CHECK_EQ(pool.join(left), Status::ok);
    CHECK_EQ(pool.live_cores(), 0);
    Actor* const late = &actors[random.below(round_.actor_count)];
    if (late->get()) {
        CHECK_EQ(pool.submit(*late), Status::closed);
        late->put_back();
    }
}

void end_round(tap::Random& random) {
    Batch left;
    close_first(random);
    join_pool(*round_.pools[0], random, left);
    if (round_.pool_count == 2) {
        Scheduler& second = *round_.pools[1];
        // What the first pool handed back may run in the second one.
        if (random.below(2) == 0) {
            pass_on(left, second);
        } else {
            take_back(left);
        }
        dawdle(random, 500);
        second.shutdown(modes[random.below(2)]);
        join_pool(second, random, left);
    }
    take_back(left);
}

void run_program(const Profile& profile, uint32_t seed, Watch& watch) {
    tap::Random random(seed);
    begin_round(profile, seed, random);
    watch.watched(round_.pools[0], round_.pool_count == 2 ? round_.pools[1] : nullptr);
    if (profile.faults) inject_faults(random);
    std::vector<std::thread> threads;
    for (uint32_t left = profile.foreign_threads ? random.below(3) : 0; left != 0; --left) {
        threads.emplace_back(submit_from_thread, random.next(), random.below(200));
    }
    const bool interrupts = profile.interrupts && random.below(2) == 0;
    if (interrupts) board::start_timer(2000 + random.below(30000), submit_in_interrupt);
    call_from_core_0(profile, random);
    end_round(random);
    if (interrupts) board::stop_timer();
    for (std::thread& thread : threads) thread.join();
    if (profile.faults) faults::clear_faults();
    watch.watched(nullptr, nullptr);
    check_account();
    uint32_t executed = 0;
    for (uint32_t i = 0; i < round_.pool_count; ++i) executed += round_.pools[i]->total().executed;
    CHECK_EQ(executed, all_runs());
}

}  // namespace

void run_programs(const Profile& profile, uint32_t seed, uint32_t milliseconds) {
    const uint32_t rounds =
        run_rounds(profile.name, seed, milliseconds,
                   [&](uint32_t seed_of_round, Watch& watch) { run_program(profile, seed_of_round, watch); });
    tap::note(rounds, " rounds");
}

}  // namespace stress
