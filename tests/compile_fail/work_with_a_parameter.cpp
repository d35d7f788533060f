// SPDX-License-Identifier: MIT OR Apache-2.0
// Nobody has an argument for it.
// expect: weft: a Work's callable is called without arguments: capture what it needs
#include <weft/weft.hpp>

weft::Pool<2> pool;

int main() {
    weft::Work work(pool, [](weft::Task&) {});
    static_cast<void>(work.is_done());
}
