// SPDX-License-Identifier: MIT OR Apache-2.0
// traced: what a pool has left is run by its joiner, a core that is none of the pool's: it tells in its own ring.
#include <weft/weft.hpp>

namespace {

WEFT_CONSTINIT weft::Pool<1> left{};
WEFT_CONSTINIT weft::Pool<2> pool{};
uint32_t ran = 0;

weft::Job<void (*)()> rest{+[] { ran += weft::Port::core_id(); }};
weft::Job<void (*)()> joiner{+[] {
    ran += left.join() == weft::Status::ok ? 1u : 0u;
    pool.shutdown();
}};

}  // namespace

int main() {
    const bool submitted = left.submit(rest) == weft::Status::ok;
    left.shutdown();
    const bool joins = pool.submit_on(1, joiner) == weft::Status::ok;
    const bool ended = pool.run() == weft::Status::ok && pool.join() == weft::Status::ok;
    return submitted && joins && ended && ran == 2 ? 0 : 1;
}
