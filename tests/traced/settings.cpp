// SPDX-License-Identifier: MIT OR Apache-2.0
// traced: asks for what the settings of this build offer, each once, so that tools/check_trace finds it in a trace.
#include <weft/weft.hpp>

namespace {

WEFT_CONSTINIT weft::Pool<4> pool{};
weft::Atomic<uint32_t> ran{0};
uint32_t wrong = 0;

void must(weft::Status status) { wrong += status == weft::Status::ok ? 0u : 1u; }

weft::Job<void (*)()> last{+[] { pool.shutdown(); }};
weft::Job<void (*)()> first{+[] {
#if WEFT_WATCH
    must(weft::Watching::beat());
#endif
    ran.store(1, weft::release);
}};

}  // namespace

int main() {
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
    must(pool.submit(last));
    must(pool.run());
    must(pool.join());
    return wrong == 0 ? 0 : 1;
}
