// SPDX-License-Identifier: MIT OR Apache-2.0
// Model: OpenMP's teams: barriers, explicit tasks, shared loops, and how cores come together. Edges O1 to O9.
#include "../../src/openmp/layer.hpp"
#include "tasks.hpp"

extern "C" {
void GOMP_critical_name_start(void** name);
void GOMP_critical_name_end(void** name);
}

namespace {

namespace omp = weft::detail::openmp;
using omp::Member;
using omp::Team;

// The layer's only static memory.
const bool layer_is_known = (model::add_static_part(&omp::layer, sizeof omp::layer), true);

// Cores that are a team already, with room for some tasks.
template <uint32_t records = 0>
struct Threads {
    static constexpr size_t stride = sizeof(omp::Record) + 16;

    Threads() {
        if (records != 0) team.adopt({nullptr, 0, room, records, stride});
    }
    // Core `number` as a member that does this.
    template <class Body>
    void core(model::Program& on, uint32_t number, uint32_t size, Body body) {
        on.core(number, [this, number, size, body] {
            Member member;
            member.core = number;
            team.enter(member, number, size);
            omp::layer.here[number] = &member;
            body(member);
        });
    }
    void defer(Member& member, void (*function)(void*), void* argument) {
        Team::Order order = {function, &argument, nullptr, sizeof argument, alignof(void*), nullptr, 0};
        model::check(team.defer(member, order), "there is room");
    }

    Team team;
    alignas(16) unsigned char room[(records == 0 ? 1 : records) * stride] = {};
};

// Result: Never. Nobody passes before all have come, everybody sees what all wrote, and nobody sleeps on. Twice: who is
// slow in the first round is not counted in the second.
template <uint32_t size>
struct Barrier : Threads<> {
    weft::Plain<uint32_t> written[size];

    void cores(model::Program& on) {
        for (uint32_t number = 0; number != size; ++number) {
            core(on, number, size, [this, number](Member& member) {
                written[number].set(1);
                team.barrier(member);
                for (weft::Plain<uint32_t>& each : written) model::check(each.get() == 1, "all have come");
                team.barrier(member);
                written[number].set(2);  // a race, if somebody is still reading
            });
        }
    }
};
MODEL_SCENARIO(openmp_barrier, Barrier<2>).preemptions(2).stale_reads(2).each_wake();
MODEL_SCENARIO(openmp_barrier_of_three, Barrier<3>).preemptions(1).stale_reads(1);

// Result: Never. A task that was left to the barrier runs once, by whoever; all see what it wrote behind the barrier.
template <uint32_t size>
struct TaskAtBarrier : Threads<1> {
    weft::Plain<uint32_t> input{};
    weft::Plain<uint32_t> output{};

    static void work(void* argument) {
        TaskAtBarrier& self = **static_cast<TaskAtBarrier**>(argument);
        model::check(self.input.get() == 7, "the task sees what its creator wrote");
        self.output.set(self.output.get() + 1);
    }
    void cores(model::Program& on) {
        for (uint32_t number = 0; number != size; ++number) {
            core(on, number, size, [this, number](Member& member) {
                if (number == 0) input.set(7), defer(member, &work, this);
                team.barrier(member);
                model::check(output.get() == 1, "the task has run once");
            });
        }
    }
};
MODEL_SCENARIO(openmp_task_at_a_barrier, TaskAtBarrier<2>).preemptions(2).stale_reads(1).each_wake();
// One has run it, another one lets all go, and tells the third.
MODEL_SCENARIO(openmp_task_at_a_barrier_of_three, TaskAtBarrier<3>).preemptions(1).stale_reads(1);

// Result: Never (waits for ever). A task wakes who sleeps at the barrier: its creator is busy until it has run.
struct TaskForTheBarrier : Threads<1> {
    weft::Atomic<uint32_t> done{0};

    static void work(void* argument) {
        (*static_cast<TaskForTheBarrier**>(argument))->done.store(1, weft::release);
        weft::Port::unpark(0);
    }
    void cores(model::Program& on) {
        core(on, 0, 2, [this](Member& member) {
            defer(member, &work, this);
            while (done.load(weft::acquire) == 0) weft::Port::park();
            team.barrier(member);
        });
        core(on, 1, 2, [this](Member& member) { team.barrier(member); });
    }
};
MODEL_SCENARIO(openmp_task_for_who_is_at_a_barrier, TaskForTheBarrier)
    .preemptions(2)
    .stale_reads(1)
    .each_wake();

// Result: Never. Children and a wait for them, while another one is at the barrier and may run them.
template <uint32_t count>
struct TaskWait : Threads<count> {
    using Threads<count>::core;
    using Threads<count>::defer;
    using Threads<count>::team;
    weft::Plain<uint32_t> output[count];

    static void work(void* argument) {
        weft::Plain<uint32_t>& output = **static_cast<weft::Plain<uint32_t>**>(argument);
        output.set(output.get() + 1);
    }
    void cores(model::Program& on) {
        core(on, 0, 2, [this](Member& member) {
            for (weft::Plain<uint32_t>& each : output) defer(member, &work, &each);
            team.wait_for(member, member.task(), Team::In::parent);
            for (weft::Plain<uint32_t>& each : output) model::check(each.get() == 1, "it has run once");
            team.barrier(member);
        });
        core(on, 1, 2, [this](Member& member) { team.barrier(member); });
    }
};
MODEL_SCENARIO(openmp_taskwait_for_one, TaskWait<1>).preemptions(2).stale_reads(1).each_wake();
MODEL_SCENARIO(openmp_taskwait, TaskWait<2>).preemptions(2).stale_reads(1).each_wake();

// Result: Never. A group waits for the child of a child, whose parent has ended before; its record comes back when
// both have ended.
struct TaskGroup : Threads<3> {
    weft::Plain<uint32_t> output{};

    static void grandchild(void* argument) {
        TaskGroup& self = **static_cast<TaskGroup**>(argument);
        self.output.set(self.output.get() + 1);
    }
    static void child(void* argument) {
        TaskGroup& self = **static_cast<TaskGroup**>(argument);
        self.defer(omp::this_member(), &grandchild, &self);
    }
    void cores(model::Program& on) {
        core(on, 0, 2, [this](Member& member) {
            team.begin_group(member);
            defer(member, &child, this);
            team.end_group(member);
            model::check(output.get() == 1, "all that descends has run once");
            // All records are there again, each once.
            for (uint32_t found = 0; found != 4; ++found) {
                team.begin_group(member);
                model::check(member.task().without_room == (found < 3 ? 0u : 1u), "three of them");
            }
            for (uint32_t found = 0; found != 4; ++found) team.end_group(member);
            team.barrier(member);
        });
        core(on, 1, 2, [this](Member& member) { team.barrier(member); });
    }
};
MODEL_SCENARIO(openmp_taskgroup, TaskGroup).preemptions(2).stale_reads(1);

// Result: Never. Two loops in one place: who comes first to the second one waits until all have left the first.
struct SharedLoops : Threads<> {
    static constexpr uintptr_t iterations[] = {1, 2};
    weft::Plain<uint32_t> ran[2];

    void cores(model::Program& on) {
        for (uint32_t number = 0; number != 2; ++number) {
            core(on, number, 2, [this](Member& member) {
                for (uint32_t loop = 0; loop != 2; ++loop) {
                    member.met_shares = loop * Team::shares;
                    omp::begin_share(member,
                                     {omp::Kind::dynamic, 0, 0, 1, iterations[loop], 1, iterations[loop]});
                    const uintptr_t chunk = member.share->claimed.fetch_add(1, weft::relaxed);
                    model::check(member.share->chunks.get() == iterations[loop], "the loop is the right one");
                    if (chunk == 0) ran[loop].set(ran[loop].get() + 1);
                    omp::end_share(member);
                }
                team.barrier(member);
                for (weft::Plain<uint32_t>& each : ran) model::check(each.get() == 1, "each iteration once");
            });
        }
    }
};
MODEL_SCENARIO(openmp_shared_loops, SharedLoops).preemptions(2).stale_reads(1);

// Result: Never. `critical(name)`, by the word that GCC defines for the name.
struct Critical {
    void* name = nullptr;
    weft::Plain<uint32_t> count{};

    void cores(model::Program& on) {
        for (unsigned core = 0; core != 2; ++core) {
            on.core(core, [this] {
                GOMP_critical_name_start(&name);
                count.set(count.get() + 1);
                GOMP_critical_name_end(&name);
            });
        }
    }
    void finish() { model::check(count.get() == 2, "both have been there"); }
};
MODEL_SCENARIO(openmp_critical, Critical);

// ---- How cores come together

// Two regions in a row on a pool of two cores, of which one is outside. Each member counts in a word of its own.
template <uint32_t regions>
struct Together {
    weft::Pool<2, 2> pool;
    weft::openmp::Memory<2, 1, 16> memory;
    weft::Plain<uint32_t> counted[2];
    uint32_t threads = 0;

    static void region(void* argument) {
        Together& self = *static_cast<Together*>(argument);
        weft::Plain<uint32_t>& own = self.counted[omp::this_member().number];
        own.set(own.get() + 1);
    }
    void run_regions() {
        must(weft::openmp::attach(pool, memory));
        for (uint32_t i = 1; i <= regions; ++i) {
            omp::region(&region, this, 0, nullptr);
            model::check(counted[0].get() == i, "the master has done its part");
            model::check(counted[1].get() <= i, "a member comes once");
            threads = threads * 10 + counted[1].get();
        }
        must(weft::openmp::detach());
        pool.shutdown();
        must(pool.join());
    }
    void cores(model::Program& on) {
        on.core(0, [this] { run_regions(); });
        on.core_at_rest(1, [this] { must(pool.run()); });
    }
};
// Result: Never. The second core comes, and the master goes on when it has left.
MODEL_SCENARIO(openmp_a_core_comes, Together<1>).preemptions(2).stale_reads(1);
MODEL_SCENARIO(openmp_a_core_comes_again, Together<2>).preemptions(1).stale_reads(0);

// Result: Never. Two masters at once: the crew is one's and then the other's, or the other one is alone. (No core
// comes: both run code of their own.)
struct TwoMasters {
    weft::Pool<2, 2> pool;
    weft::openmp::Memory<2, 1, 16> memory;
    weft::Atomic<uint32_t> attached{};
    weft::Plain<uint32_t> ran[2];

    static void region(void* argument) {
        weft::Plain<uint32_t>& ran = *static_cast<weft::Plain<uint32_t>*>(argument);
        ran.set(ran.get() + 1);
    }
    void cores(model::Program& on) {
        on.core(0, [this] {
            must(weft::openmp::attach(pool, memory));
            attached.store(1, weft::release);
            weft::Port::unpark(1);
            omp::region(&region, &ran[0], 0, nullptr);
            model::check(ran[0].get() == 1, "the region has run once");
        });
        on.core(1, [this] {
            while (attached.load(weft::acquire) == 0) weft::Port::park();
            omp::region(&region, &ran[1], 0, nullptr);
            model::check(ran[1].get() == 1, "the region has run once");
        });
    }
};
MODEL_SCENARIO(openmp_two_masters, TwoMasters).preemptions(1).stale_reads(1);

}  // namespace
