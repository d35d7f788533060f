// SPDX-License-Identifier: MIT OR Apache-2.0
// traced: coroutines of each kind that has a name of its own.
#include <weft/coroutine.hpp>

#include "names.hpp"

extern "C" {
[[gnu::noinline]] void names_coroutine();
}
void names_coroutine() { asm volatile("" ::: "memory"); }

namespace {

weft::FrameArena<768, 4> frames;

weft::Coroutine<void> plain(weft::FrameSource&, weft::Scheduler& pool) {
    names_coroutine();
    const weft::Status again = co_await pool;
    static_cast<void>(again);
}
template <class T, char letter>
weft::Coroutine<void> made_of(weft::FrameSource&, weft::Scheduler& pool) {
    const weft::Status again = co_await pool;
    static_cast<void>(again);
}
struct Driver {
    weft::Coroutine<void> read(weft::FrameSource&, weft::Scheduler& pool) const {
        const weft::Status again = co_await pool;
        static_cast<void>(again);
    }
};

}  // namespace

bool spawn_coroutines(weft::Scheduler& pool) {
    static const auto closure = [](weft::FrameSource&, weft::Scheduler& where) -> weft::Coroutine<void> {
        const weft::Status again = co_await where;
        static_cast<void>(again);
    };
    return plain(frames, pool).spawn(pool) == weft::Status::ok &&
           made_of<int, '\''>(frames, pool).spawn(pool) == weft::Status::ok &&
           Driver().read(frames, pool).spawn(pool) == weft::Status::ok &&
           closure(frames, pool).spawn(pool) == weft::Status::ok;
}
