// SPDX-License-Identifier: MIT OR Apache-2.0
// Unit tests of starts: a thread that is no core needs a worker, and core after core does not come.
#include <thread>

#include "harness.hpp"
#include "weft_host_faults.hpp"

namespace unit {
namespace {

using weft::Port;

constexpr uint32_t cores = 4;

// Which core runs what a foreign thread forks; `foreign`: that thread's own.
void fork_in(Pool<cores>& pool, uint32_t& core, uint32_t& foreign) {
    std::thread thread([&] {
        foreign = Port::core_id();
        weft::fork_join(
            pool, [&] { core = Port::core_id(); }, [] {});
    });
    thread.join();
}

// Each gets its time, until one comes: here the last. (On a machine that is very busy even that one may be too late.)
void V10_foreign_thread_starts_core_after_core() {
    uint32_t core = UINT32_MAX;
    for (uint32_t round = 0; round < 5 && core != cores - 1; ++round) {
        Pool<cores> pool;
        for (uint32_t held = 1; held < cores - 1; ++held) weft::host::hold_starts(held);
        uint32_t foreign = UINT32_MAX;
        fork_in(pool, core, foreign);
        CHECK(core == cores - 1 || core == foreign);
        weft::host::clear_faults();
        pool.shutdown();
        CHECK_EQ(pool.join(), Status::ok);
    }
    CHECK_EQ(core, cores - 1);
}

// None comes: then the thread does it itself, rather than trying for ever.
void V10_foreign_thread_without_any_core() {
    Pool<cores> pool;
    for (uint32_t core = 1; core < cores; ++core) weft::host::hold_starts(core);
    uint32_t core = UINT32_MAX;
    uint32_t foreign = 0;
    fork_in(pool, core, foreign);
    CHECK_EQ(core, foreign);
    for (uint32_t held = 1; held < cores; ++held) CHECK(pool.stats(held).executed == 0);
    weft::host::clear_faults();
    pool.shutdown();
    CHECK_EQ(pool.join(), Status::ok);
}

constexpr tap::Test tests[] = {
    TEST(V10_foreign_thread_starts_core_after_core),
    TEST(V10_foreign_thread_without_any_core),
};

}  // namespace

extern const tap::Tests starts_tests{tests};

}  // namespace unit
