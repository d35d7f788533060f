// SPDX-License-Identifier: MIT OR Apache-2.0
// OpenMP's constructs one by one: sections, single, master, barriers, critical, atomic, locks, reductions, what threads
// are told about themselves.
#include "program.hpp"

namespace program {
namespace {

constexpr int times = 50;

void N8_each_core_is_one_thread() {
    const Program program;
    if (bring_all() != cores) return;
    static Atomic<uint32_t> core_of[cores];
    uint32_t wrong = 0;
    uint32_t threads = 0;
    // A core may be late for a team, and then that is smaller: here, as in bring_all().
    tap::wait_for(
        [&] {
            for (Atomic<uint32_t>& each : core_of) each.store(~0u, relaxed);
            uint32_t bad = 0;
#pragma omp parallel reduction(+ : bad)
            {
                const int all = omp_get_num_threads();
                const uint32_t number = static_cast<uint32_t>(omp_get_thread_num());
                if (core_of[number].exchange(weft::this_core(), acq_rel) != ~0u) ++bad;
                if (omp_in_parallel() != (all > 1) || omp_get_level() != 1) ++bad;
                if (omp_get_active_level() != (all > 1 ? 1 : 0)) ++bad;
                note_threads(threads);
            }
            wrong += bad;
            return threads == cores;
        },
        "all cores in a team");
    CHECK_EQ(wrong, 0u);
    uint32_t seen = 0;
    for (Atomic<uint32_t>& each : core_of) seen |= 1u << each.load(acquire) % 32;
    CHECK_EQ(seen, (1u << cores) - 1);
    CHECK_EQ(core_of[0].load(acquire), weft::this_core());
    CHECK_EQ(omp_get_thread_num(), 0);
    CHECK_EQ(omp_get_num_threads(), 1);
    CHECK_EQ(omp_get_max_threads(), static_cast<int>(cores));
    CHECK_EQ(omp_get_num_procs(), static_cast<int>(cores));
    CHECK_EQ(omp_in_parallel(), 0);
    CHECK_EQ(omp_get_level(), 0);
}

void N8_who_asks_for_fewer_threads_has_fewer() {
    const Program program;
    if (bring_all() != cores) return;
    for (uint32_t wanted = 1; wanted <= cores + 1; ++wanted) {
        uint32_t had = 0;
#pragma omp parallel num_threads(wanted)
#pragma omp single
        had = static_cast<uint32_t>(omp_get_num_threads());
        CHECK(had >= 1 && had <= (wanted < cores ? wanted : cores));
    }
    omp_set_num_threads(1);
    CHECK_EQ(omp_get_max_threads(), 1);
    int threads = 0;
#pragma omp parallel
    threads = omp_get_num_threads();
    CHECK_EQ(threads, 1);
    omp_set_num_threads(static_cast<int>(cores));
    [[maybe_unused]] const volatile bool no = false;
#pragma omp parallel if (no)
    threads = omp_get_num_threads() + 10 * omp_get_level();
    CHECK_EQ(threads, 11);
}

void N8_a_nested_region_has_one_thread() {
    const Program program;
    if (bring_all() != cores) return;
    uint32_t inner = 0;
    uint32_t wrong = 0;
    uint32_t threads = 0;
#pragma omp parallel reduction(+ : inner, wrong)
    {
        const int number = omp_get_thread_num();
        note_threads(threads);
#pragma omp parallel reduction(+ : inner, wrong)
        {
            inner += static_cast<uint32_t>(omp_get_num_threads());
            if (omp_get_thread_num() != 0 || omp_get_level() != 2) ++wrong;
#pragma omp barrier
#pragma omp for schedule(dynamic)
            for (int i = 0; i < 10; ++i) inner += 100;
        }
        if (omp_get_thread_num() != number || omp_get_level() != 1) ++wrong;
    }
    CHECK_EQ(inner, threads * 1001);
    CHECK_EQ(wrong, 0u);
}

void N8_nobody_passes_a_barrier_before_all_have_come() {
    const Program program;
    if (bring_all() != cores) return;
    static uint32_t steps[cores];
    for (uint32_t& each : steps) each = 0;
    uint32_t wrong = 0;
#pragma omp parallel reduction(+ : wrong)
    {
        const int me = omp_get_thread_num();
        const int all = omp_get_num_threads();
        for (uint32_t step = 1; step <= times; ++step) {
            steps[me] = step;
#pragma omp barrier
            for (int other = 0; other < all; ++other) wrong += steps[other] != step;
#pragma omp barrier
        }
    }
    CHECK_EQ(wrong, 0u);
}

// Some come late by so much that the others sleep.
void N8_who_waits_long_at_a_barrier_sleeps_and_is_woken() {
    const Program program;
    if (bring_all() != cores) return;
    uint32_t passed = 0;
    uint32_t threads = 0;
#pragma omp parallel reduction(+ : passed)
    for (int step = 0; step < 3 * static_cast<int>(cores); ++step) {
        note_threads(threads);
        if (omp_get_thread_num() == step % omp_get_num_threads()) {
            for (uint32_t wait = 0; wait != 20 * WEFT_STEAL_PATIENCE; ++wait) weft::Port::relax();
        }
#pragma omp barrier
        ++passed;
    }
    CHECK_EQ(passed, 3 * cores * threads);
}

void N8_one_thread_does_what_is_single() {
    const Program program;
    if (bring_all() != cores) return;
    uint32_t singles = 0;
    uint32_t nowait = 0;
    uint32_t masters = 0;
    uint32_t wrong = 0;
#pragma omp parallel reduction(+ : wrong)
    for (int i = 0; i < times; ++i) {
#pragma omp single
        ++singles;
        wrong += singles != static_cast<uint32_t>(i + 1);
#pragma omp barrier
#pragma omp single nowait
        {
#pragma omp atomic
            ++nowait;
        }
#pragma omp single nowait
        {
#pragma omp atomic
            ++nowait;
        }
#pragma omp master
        {
            ++masters;
            wrong += omp_get_thread_num() != 0;
        }
        int value = 0;
#pragma omp single copyprivate(value)
        value = 1000 + i;
        wrong += value != 1000 + i;
    }
    CHECK_EQ(singles, static_cast<uint32_t>(times));
    CHECK_EQ(nowait, 2u * times);
    CHECK_EQ(masters, static_cast<uint32_t>(times));
    CHECK_EQ(wrong, 0u);
}

void N8_each_section_is_done_once() {
    const Program program;
    if (bring_all() != cores) return;
    int done[8] = {};
    for (int i = 0; i < times; ++i) {
#pragma omp parallel sections
        {
#pragma omp section
            ++done[0];
#pragma omp section
            ++done[1];
#pragma omp section
            ++done[2];
        }
#pragma omp parallel
        {
#pragma omp sections nowait
            {
#pragma omp section
                ++done[3];
#pragma omp section
                ++done[4];
            }
#pragma omp sections
            {
#pragma omp section
                ++done[5];
#pragma omp section
                ++done[6];
#pragma omp section
                ++done[7];
            }
        }
    }
    for (const int each : done) CHECK_EQ(each, times);
    int outside = 0;  // and outside of regions
#pragma omp sections
    {
#pragma omp section
        outside += 1;
#pragma omp section
        outside += 10;
    }
    CHECK_EQ(outside, 11);
}

void N8_one_thread_at_a_time_is_in_a_critical_section() {
    const Program program;
    if (bring_all() != cores) return;
    uint32_t plain = 0;
    uint32_t named = 0;
    uint32_t other = 0;
    uint32_t locked = 0;
    uint32_t tested = 0;
    uint32_t nested = 0;
    uint32_t threads = 0;
    omp_lock_t lock;
    omp_nest_lock_t nest;
    omp_init_lock(&lock);
    omp_init_nest_lock(&nest);
#pragma omp parallel
    for (int i = 0; i < times; ++i) {
        note_threads(threads);
#pragma omp critical
        plain = plain + 1;
#pragma omp critical(first)
        {
            named = named + 1;
#pragma omp critical(second)
            other = other + 1;
        }
        omp_set_lock(&lock);
        locked = locked + 1;
        omp_unset_lock(&lock);
        while (!omp_test_lock(&lock)) weft::Port::relax();
        tested = tested + 1;
        omp_unset_lock(&lock);
        omp_set_nest_lock(&nest);
        omp_set_nest_lock(&nest);
        nested += omp_test_nest_lock(&nest) == 3;
        omp_unset_nest_lock(&nest);
        omp_unset_nest_lock(&nest);
        omp_unset_nest_lock(&nest);
    }
    omp_destroy_lock(&lock);
    omp_destroy_nest_lock(&nest);
    CHECK_EQ(plain, times * threads);
    CHECK_EQ(named, times * threads);
    CHECK_EQ(other, times * threads);
    CHECK_EQ(locked, times * threads);
    CHECK_EQ(tested, times * threads);
    CHECK_EQ(nested, times * threads);
}

void N8_atomic_and_reductions() {
    const Program program;
    if (bring_all() != cores) return;
    uint32_t count = 0;
    unsigned long long wide = 0;
    short small = 0;
    int captured = 0;
    int sum = 5;
    int least = 1000;
    int most = -1000;
    unsigned bits = 0;
    bool all = true;
    bool any = false;
    long long product = 1;
    constexpr int n = 300;
#pragma omp parallel for reduction(+ : sum) reduction(min : least) reduction(max : most) reduction(| : bits) \
    reduction(&& : all) reduction(|| : any) reduction(* : product)
    for (int i = 0; i < n; ++i) {
#pragma omp atomic
        ++count;
#pragma omp atomic
        wide += 0x100000001u;
#pragma omp atomic
        small += 1;
        int before = 0;
#pragma omp atomic capture
        before = captured++;
        sum += before;
        least = i < least ? i : least;
        most = i > most ? i : most;
        bits |= 1u << i % 17;
        all = all && i >= 0;
        any = any || i == 7;
        if (i % 50 == 0) product *= 3;
    }
    CHECK_EQ(count, static_cast<uint32_t>(n));
    CHECK(wide == n * 0x100000001ull);
    CHECK_EQ(static_cast<int>(small), n);
    CHECK_EQ(sum, 5 + n * (n - 1) / 2);
    CHECK_EQ(least, 0);
    CHECK_EQ(most, n - 1);
    CHECK_EQ(bits, 0x1ffffu);
    CHECK(all && any);
    CHECK(product == 729);
}

void N8_time_goes_on() {
    const Program program;
    unsigned long long last = weft_openmp_ticks();
    CHECK(weft_openmp_ticks_per_second() >= 1000u);
    for (int i = 0; i < 100; ++i) {
        const unsigned long long now = weft_openmp_ticks();
        CHECK(now >= last);
        last = now;
    }
}

constexpr tap::Test tests[] = {
    TEST(N8_each_core_is_one_thread),
    TEST(N8_who_asks_for_fewer_threads_has_fewer),
    TEST(N8_a_nested_region_has_one_thread),
    TEST(N8_nobody_passes_a_barrier_before_all_have_come),
    TEST(N8_who_waits_long_at_a_barrier_sleeps_and_is_woken),
    TEST(N8_one_thread_does_what_is_single),
    TEST(N8_each_section_is_done_once),
    TEST(N8_one_thread_at_a_time_is_in_a_critical_section),
    TEST(N8_atomic_and_reductions),
    TEST(N8_time_goes_on),
};

}  // namespace

extern const tap::Tests constructs_tests{tests};

}  // namespace program
