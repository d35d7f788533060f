/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* traced: the pool of this program, which C has made, and a task of C's. */
#include <weft/weft.h>

static WEFT_POOL_MEMORY(memory, 1, 64);
static weft_pool* pool;

static void blink(weft_task* self) { (void)self; }
static weft_task blinking = WEFT_TASK(blink);

/* Elsewhere it is declared without its length. */
extern const char unbounded[];
const char unbounded[] = "abc";
extern char unbounded_pools[][64];
char unbounded_pools[2][64];

void* made_in_c(void);
void submit_in_c(void);

void* made_in_c(void) { return weft_pool_init(&pool, memory, sizeof memory, 1, 64) == WEFT_OK ? pool : NULL; }
void submit_in_c(void) { (void)weft_submit(pool, &blinking); }
