// SPDX-License-Identifier: MIT OR Apache-2.0
// traced: asks for what a build offers, each once, so that tools/check_trace finds it in a trace.
#include <weft/weft.hpp>

namespace {

WEFT_CONSTINIT weft::Pool<4, 4> pool{};
weft::Atomic<uint32_t> ran{0};
weft::Atomic<uint32_t> wrong{0};

void must(weft::Status status) {
    if (status != weft::Status::ok) wrong.fetch_add(1, weft::relaxed);
}

using Job = weft::Job<void (*)()>;
constexpr uint32_t more_than_the_ring = 8;
Job small[more_than_the_ring] = {Job{+[] {}}, Job{+[] {}}, Job{+[] {}}, Job{+[] {}},
                                 Job{+[] {}}, Job{+[] {}}, Job{+[] {}}, Job{+[] {}}};
Job pinned{+[] {}};
Job last{+[] { pool.shutdown(); }};
#if WEFT_TIMERS
weft::Timer late{pool, last};
#endif
#if WEFT_CORE_SETS
Job for_two{+[] {}};
#endif

Job first{+[] {
#if WEFT_WATCH
    must(weft::Watching::beat());
#endif
    for (Job& one : small) must(pool.submit(one));
    must(pool.submit_on(weft::this_core(), pinned));  // another one may be off, and not to be started: core 0
#if WEFT_CORE_SETS
    must(pool.submit_on(weft::CoreSet::of(0, 1), for_two));
#endif
    ran.store(1, weft::release);
}};

}  // namespace

int main() {
#if WEFT_REST
    must(pool.on_all_asleep([](void*) {}, nullptr));
#endif
    must(pool.submit(first));
    while (ran.load(weft::acquire) == 0) (void)pool.poll(1);
#if WEFT_QUIESCE
    while (pool.quiesce(1000 * weft::Port::ticks_per_ms()) != weft::Status::ok) weft::Port::relax();
    must(pool.resume());
#endif
#if WEFT_ELASTIC
    must(pool.limit_cores(2));
    must(pool.retire(1));
    must(pool.admit(1));
#endif
#if WEFT_TIMERS
    must(late.start_after(weft::milliseconds(20)));  // all sleep meanwhile
#else
    must(pool.submit(last));
#endif
    must(pool.run());
    must(pool.join());
    return wrong.load(weft::relaxed) == 0 ? 0 : 1;
}
