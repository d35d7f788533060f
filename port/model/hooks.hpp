// SPDX-License-Identifier: MIT OR Apache-2.0
// weft, model port: what the port asks of the model checker. tests/model/engine implements it; the port knows no more.
//
// While `running` is true a core of the model executes and every operation goes through the simulated memory. Before
// the cores begin and after they have ended (set-up and final check of a scenario) words are plain memory.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include <weft/order.hpp>

namespace weft {
namespace model {

// Where an operation stands in the source: filled in by default arguments at the call.
struct Site {
    const char* file;
    unsigned line;
};

enum class Modify : unsigned char { exchange, add, sub, bit_or, bit_and };
enum class WordKind : unsigned char { atomic, published };

// An Atomic or a Published. Its memory holds the value it was given last in modification order.
struct Word {
    void* address;
    unsigned char size;
    WordKind kind;
};

enum class StartAnswer : unsigned char { started, refused, absent };

extern bool running;

namespace hook {

uint64_t load(Word word, Order order, Site site);
uint64_t own(Word word, Site site);
void store(Word word, uint64_t value, Order order, Site site);
uint64_t modify(Word word, Modify how, uint64_t operand, Order order, Site site);
bool compare_exchange(Word word, uint64_t& expected, uint64_t desired, Order success, Order failure,
                      Site site);

void plain_read(const void* address, size_t size, Site site);
void plain_write(const void* address, size_t size, Site site);

// Construction and destruction of a word while cores run (words on a core's stack).
void word_born(Word word);
void plain_born(const void* address, size_t size);
void died(const void* address, size_t size);

void fence(Site site);
void relax(Site site);
void park(Site site);
void unpark(uint32_t core, Site site);
void interrupt(uint32_t core, void (*handler)(), Site site);
StartAnswer start_core(uint32_t core, void (*entry)(void*), void* arg, Site site);
// `arg`: of the entry to withdraw; nullptr: whichever is there (no port can do that, errors to plant may).
bool cancel_start(uint32_t core, void* arg, Site site);
void vacate(Site site);
uint32_t hold_interrupts();
void release_interrupts(uint32_t held);
uint32_t pen_turn(uint32_t core, Site site);
void set_outside(uint32_t core, bool is);  // of its pen; by the core itself
uint32_t core_id();
uint32_t now(Site site);
void set_alarm(uint32_t tick, Site site);
void clear_alarm(Site site);
uint32_t ticks_per_ms();
bool in_isr();
[[noreturn]] void panic(const char* reason, uint32_t core, const void* task);

}  // namespace hook
}  // namespace model
}  // namespace weft
