// SPDX-License-Identifier: MIT OR Apache-2.0
// For the firmware tests on the host: which processor plays which core. On other boards this file is empty.
#if __has_include("weft_host_faults.hpp")

#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "harness.hpp"

namespace firmware {
namespace {

cpu_set_t allowed;  // before

pid_t this_thread() { return static_cast<pid_t>(syscall(SYS_gettid)); }

// The nth processor that this program may use, in turns.
int processor(uint32_t n) {
    uint32_t left = n % static_cast<uint32_t>(CPU_COUNT(&allowed));
    for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
        if (CPU_ISSET(static_cast<size_t>(cpu), &allowed) && left-- == 0) return cpu;
    }
    return 0;
}

void use_processor(uint32_t n) {
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(static_cast<size_t>(processor(n)), &one);
    static_cast<void>(sched_setaffinity(0, sizeof one, &one));  // refused: then they go in turns
}

struct Mover : Task {
    constexpr Mover() : Task(&Mover::run) {}
    static void run(Task& self) {
        Mover& mover = static_cast<Mover&>(self);
        use_processor(Port::core_id());
        mover.thread.store(static_cast<uint32_t>(this_thread()), release);
    }
    Atomic<uint32_t> thread{};  // 0: not moved
};
Mover movers[cores];

}  // namespace

Spread::Spread(Scheduler& pool) {
    static_cast<void>(sched_getaffinity(0, sizeof allowed, &allowed));
    use_processor(0);
    for (uint32_t core = 1; core < pool.cores(); ++core) {
        Mover& mover = movers[core];
        CHECK_EQ(pool.submit_on(core, mover), Status::ok);
        await([&] { return mover.thread.load(acquire) != 0; }, "a core that moves to a processor of its own");
    }
}

Spread::~Spread() {
    static_cast<void>(sched_setaffinity(0, sizeof allowed, &allowed));
    for (Mover& mover : movers) {
        const uint32_t thread = mover.thread.exchange(0, relaxed);
        if (thread != 0) static_cast<void>(sched_setaffinity(static_cast<pid_t>(thread), sizeof allowed, &allowed));
    }
}

}  // namespace firmware

#endif
