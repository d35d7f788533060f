// SPDX-License-Identifier: MIT OR Apache-2.0
// traced: two functions of one name, each in a file of its own, which the names of a trace must tell apart.
#include <weft/weft.hpp>

#include "twins.hpp"

WEFT_CONSTINIT weft::Pool<1> twins_pool{};

static void twin(weft::Task&) {}
static weft::Task here{twin};

int main() {
    const bool submitted =
        twins_pool.submit(here) == weft::Status::ok && twins_pool.submit(other_twin()) == weft::Status::ok;
    twins_pool.shutdown();
    const bool ran = twins_pool.run() == weft::Status::ok && twins_pool.join() == weft::Status::ok;
    return submitted && ran ? 0 : 1;
}
