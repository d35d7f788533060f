/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A whole image in C, for the two Cortex-M33 of Arm's AN521 as QEMU emulates it: vector tables, start-up code, an
 * alarm, and the program. Only the library is C++. tools/check_cmake builds and runs it. */
#include <weft/weft.h>
#include <weft_image.hpp>

#define CORES 2
#define STACK_WORDS 1024
#define DEVICE(address) (*(volatile uint32_t*)(address))
#define UART_DATA DEVICE(0x50200000) /* CMSDK */
#define UART_STATE DEVICE(0x50200004)
#define UART_CONTROL DEVICE(0x50200008)
#define UART_DIVIDER DEVICE(0x50200010)
#define TIMER_VALUE DEVICE(0x50002004) /* CMSDK dual timer: counts down at 20 MHz */
#define TIMER_CONTROL DEVICE(0x50002008)
#define CORE1_VECTORS DEVICE(0x50021114) /* SSE-200: INITSVTOR1 */
#define CORES_HELD DEVICE(0x50021118)    /* SSE-200: CPUWAIT, a bit for each core */
#define ACTLR DEVICE(0xe000e008)
#define SYSTICK_CONTROL DEVICE(0xe000e010)
#define SYSTICK_RELOAD DEVICE(0xe000e014)
#define SYSTICK_VALUE DEVICE(0xe000e018)
#define SYSTICK_MOST 0xffffffu

/* ---- The image */

int main(void);
_Noreturn void reset0(void);
extern uint32_t __data_start[], __data_end[], __data_load[], __bss_start[], __bss_end[]; /* own_board.ld */

static uint32_t stacks[CORES][STACK_WORDS] __attribute__((section(".stacks"), aligned(8)));

static void print(const char* text) {
    while (*text != 0) {
        while ((UART_STATE & 1) != 0) { /* it has no room */
        }
        UART_DATA = (uint8_t)*text++;
    }
}

static _Noreturn void finish(int status) {
    const uintptr_t end[] = {0x20026, (uintptr_t)status};
    register uintptr_t r0 __asm__("r0") = 0x20; /* ends the emulation: SYS_EXIT_EXTENDED of semihosting */
    register const uintptr_t* r1 __asm__("r1") = end;
    __asm__ volatile("bkpt #0xab" ::"r"(r0), "r"(r1) : "memory");
    for (;;) {
    }
}

/* Compilers expect it of every image, a freestanding one, too. */
void* memset(void* memory, int byte, size_t count);
void* memset(void* memory, int byte, size_t count) {
    volatile unsigned char* next = memory; /* volatile: or this calls itself */
    for (; count != 0; --count) *next++ = (unsigned char)byte;
    return memory;
}

static void set_up_core(void) {
    ACTLR = ACTLR | 1u << 29; /* EXTEXCLALL: exclusive accesses are seen by the other core */
    __asm__ volatile("dsb\n isb" ::: "memory");
}

_Noreturn void reset0(void) {
    volatile uint32_t* word = __data_start; /* volatile: or the compiler calls memcpy() */
    for (const volatile uint32_t* from = __data_load; word != __data_end; ++from) *word++ = *from;
    for (word = __bss_start; word != __bss_end; ++word) *word = 0;
    set_up_core();
    UART_DIVIDER = 174;   /* 115200 baud of 20 MHz */
    UART_CONTROL = 1;     /* transmit */
    TIMER_CONTROL = 0x82; /* free-running, 32 bits */
    finish(main());
}
static _Noreturn void reset1(void) {
    set_up_core();
    weft_port_secondary(1);
}
static void trap(void) { weft_image_panic("a trap", weft_this_core(), NULL); }
static void alarm_came(void) {
    SYSTICK_CONTROL = 0;
    weft_unpark_this_core();
}

typedef struct __attribute__((aligned(1024))) {
    const uint32_t* stack;
    void (*reset)(void);
    void (*handlers[13])(void);
    void (*systick)(void);
} vectors;
#define TRAPS \
    { trap, trap, trap, trap, trap, trap, trap, trap, trap, trap, trap, trap, trap }
static const vectors tables[CORES] __attribute__((section(".vectors"), used)) = {
    {stacks[0] + STACK_WORDS, reset0, TRAPS, alarm_came},
    {stacks[1] + STACK_WORDS, reset1, TRAPS, alarm_came},
};

const uint32_t weft_image_ticks_per_ms = 20000;
uint32_t weft_image_clock(void) { return ~TIMER_VALUE; }

int weft_image_power_on(uint32_t core) {
    if (core != 1) return -1;
    CORE1_VECTORS = (uint32_t)(uintptr_t)&tables[1];
    CORES_HELD = CORES_HELD & ~2u;
    return 0;
}

uint32_t* weft_image_stack_limit(uint32_t core) { return core < CORES ? stacks[core] : NULL; }

void weft_image_panic(const char* reason, uint32_t core, const void* task) {
    (void)core;
    (void)task;
    print("panic: ");
    print(reason);
    print("\n");
    finish(1);
}

void weft_image_set_alarm(uint32_t tick) {
    const int32_t ahead = (int32_t)(tick - weft_image_clock());
    if (ahead <= 0) {
        weft_unpark_this_core();
        return;
    }
    SYSTICK_RELOAD = (uint32_t)ahead < SYSTICK_MOST ? (uint32_t)ahead : SYSTICK_MOST;
    SYSTICK_VALUE = 0;
    SYSTICK_CONTROL = 7; /* on, with its interrupt, at the core's clock, which is the timer's */
}
void weft_image_clear_alarm(void) { SYSTICK_CONTROL = 0; }

/* ---- The program */

static WEFT_POOL_MEMORY(memory, CORES, 16);
static weft_pool* pool;

/* Two tasks that wait for each other: each has a core to itself. */
static uint32_t arrived;
static void meet(weft_task* self) {
    (void)self;
    __atomic_fetch_add(&arrived, 1, __ATOMIC_ACQ_REL);
    while (__atomic_load_n(&arrived, __ATOMIC_ACQUIRE) != CORES) {
    }
}
static weft_task meets[CORES] = {WEFT_TASK(meet), WEFT_TASK(meet)};

static uint32_t ticks;
static void tick(weft_task* self) {
    (void)self;
    if (++ticks == 3) weft_shutdown(pool, WEFT_DRAIN);
}
static weft_task on_tick = WEFT_TASK(tick);
static weft_timer timer;

int main(void) {
    if (weft_pool_init(&pool, memory, sizeof memory, CORES, 16) != WEFT_OK) return 1;
    for (uint32_t i = 0; i != CORES; ++i) {
        if (weft_submit(pool, &meets[i]) != WEFT_OK) return 1;
    }
    if (weft_timer_init(&timer, pool, &on_tick, 0) != WEFT_OK) return 1;
    if (weft_timer_start_every(&timer, weft_milliseconds(1), 0) != WEFT_OK) return 1;
    if (weft_run(pool) != WEFT_OK || weft_join(pool, NULL) != WEFT_OK) return 1;
    if (weft_core_stats(pool, 0).executed == 0 || weft_core_stats(pool, 1).executed == 0) return 1;
    print("an image in C\n");
    return 0;
}
