// SPDX-License-Identifier: MIT OR Apache-2.0
// boards: Arm and RISC-V semihosting. semihosting.cpp builds board::exit, board::command_line and the
// board::file_* calls of board.hpp on the one call below; each architecture's board code implements it.
#pragma once

#include <stdint.h>

// One semihosting request: operation number and the address of its parameter block; returns the host's
// answer. Only the trap instruction differs: A64 `hlt #0xf000` (w0, x1, answer in x0), M-profile `bkpt #0xab`
// (r0, r1, r0), RISC-V `slli x0,x0,0x1f; ebreak; srai x0,x0,7`, uncompressed and within one page (a0, a1,
// a0). The host reads and writes memory behind the block: inline assembly needs a "memory" clobber.
extern "C" intptr_t semihosting_call(uintptr_t operation, void* block);
