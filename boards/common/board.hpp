// SPDX-License-Identifier: MIT OR Apache-2.0
// weft: what the tests and examples of this tree need from a board. Not part of the library: a firmware project
// has its own. Every board implements all of it (boards/host too, so the same test sources run everywhere).
#pragma once

#include <stddef.h>
#include <stdint.h>

// RAM of the board for data and stacks, in KiB, where that is little: tests and demo ask for less there. (BOARD_DEFINES
// in its board.mk.)
#ifndef BOARD_RAM_KIB
#define BOARD_RAM_KIB (sizeof(void*) == 8 ? 16384 : 4096)
#endif

namespace board {

constexpr size_t ram_kib = BOARD_RAM_KIB;

// The board's short name, and how many cores its images are built for.
extern const char* const name;
extern const uint32_t cores;

void put(char c);                            // one character to the console; any core (callers serialise)
[[noreturn]] void exit(int status);          // ends the emulation (or the process) with this status
void command_line(char* text, size_t size);  // words given at run time (semihosting); "" if there are none

// A periodic interrupt on the calling core, at least `hz` times a second as far as the clock allows; calls `isr` in
// interrupt context, on this core, until stop_timer() on the same core: in task context, or in `isr` itself, which is
// then not called again before the next start_timer(). On the host a signal plays the interrupt.
void start_timer(uint32_t hz, void (*isr)());
void stop_timer();

// Where cores are off between two entries (WEFT_POWER_OFF=1) alone: does the platform say so of this one?
bool is_off(uint32_t core);

// Instructions retired so far: exact under -icount shift=0 (all cores together), or 0 where the board cannot tell.
uint32_t instructions();

// Files on the machine that runs the emulator (semihosting), for the demo. -1 or 0 on failure.
intptr_t file_open(const char* path);                     // read only, binary; -1 if it cannot be opened
intptr_t file_size(intptr_t file);                        // bytes, or -1
size_t file_read(intptr_t file, void* to, size_t bytes);  // bytes read; less than `bytes` at the end
void file_close(intptr_t file);

}  // namespace board

// Every image of the tree defines this; the board calls it on the boot core (core 0), with interrupts enabled and the
// memory system set up. Its return value is the exit status. (A firmware project has its own main().)
extern "C" int board_main();
