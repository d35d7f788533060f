// SPDX-License-Identifier: MIT OR Apache-2.0
// The smallest port passes all checks: the first error is the one of this file.
// expect: everything above compiles
// flags: -Itests/compile_fail/port
#include <weft/weft.hpp>

weft::Pool<24> pool;

static_assert(sizeof pool == 0, "everything above compiles");
