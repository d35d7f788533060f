/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The pool of the test that runs. */
#include "checks.h"

WEFT_POOL_MEMORY(memory, 24, RING);
weft_pool* pool;

void begin(void) { CHECK_C(weft_pool_init(&pool, memory, sizeof memory, board_cores(), RING) == WEFT_OK); }

void end(void) {
    weft_shutdown(pool, WEFT_DRAIN);
    CHECK_C(weft_run(pool) == WEFT_OK || weft_run(pool) == WEFT_CLOSED);
    CHECK_C(weft_join(pool, NULL) == WEFT_OK);
}
