// SPDX-License-Identifier: MIT OR Apache-2.0
// It would be gone before it runs.
// expect: weft: a task stays where it is until it has begun: give it a name, and no const
#include <weft/weft.hpp>

weft::Pool<2> pool;

int main() {
    return pool.submit(weft::Work(pool, [] {})) == weft::Status::ok;
}
