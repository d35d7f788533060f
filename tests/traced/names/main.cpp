// SPDX-License-Identifier: MIT OR Apache-2.0
// traced: a task of each kind, on one core, so that pictures and the debugger are compared with what they must be
// called. A debugger stops in names_queued(), where all of them are queued, and in names_coroutine(), where one runs.
#include "names.hpp"

extern "C" {
[[gnu::noinline]] void names_queued();
}
void names_queued() { asm volatile("" ::: "memory"); }

namespace {

template <class T, char letter>
struct Templated : weft::TaskOf<Templated<T, letter>> {
    void run() {}
};
Templated<int, '\''> templated;

weft::Job in_namespace([] { asm volatile(""); });
weft::Waitable* awaited;

struct Awaiting : weft::TaskOf<Awaiting> {
    void run() {
        failed = where->submit(*awaited) != weft::Status::ok || awaited->wait() != weft::Status::ok;
    }
    weft::Scheduler* where = nullptr;
    bool failed = true;
} awaiting;

void plain_function(weft::Task&) { unbounded_pools[1][0] = unbounded[0]; }
weft::Task of_a_function{plain_function};

}  // namespace

int main() {
    auto* const pool = made_in_c();
    if (pool == nullptr) return 1;
    weft::Job in_main([] { asm volatile(""); });
    weft::Work work(*pool, [] { asm volatile(""); });
    awaited = &work;
    awaiting.where = pool;
    bool good = pool->submit(awaiting) == weft::Status::ok && pool->submit(templated) == weft::Status::ok &&
                pool->submit(in_namespace) == weft::Status::ok && pool->submit(in_main) == weft::Status::ok &&
                pool->submit(of_a_function) == weft::Status::ok;
    submit_in_c();
    good = good && spawn_coroutines(*pool);
    names_queued();
    while (pool->poll(1).tasks != 0) {
    }
    pool->shutdown();
    good = good && pool->run() == weft::Status::ok && pool->join() == weft::Status::ok;
    return good && !awaiting.failed ? 0 : 1;
}
