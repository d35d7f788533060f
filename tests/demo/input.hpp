// SPDX-License-Identifier: MIT OR Apache-2.0
// demo: what it is asked for, and the file that it hashes, in memory.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "board.hpp"
#include "sha256.hpp"

namespace demo {

constexpr size_t block_size = 4096;
constexpr size_t max_input = board::ram_kib * 1024 / 2;  // 8 MiB on most 64-bit boards, 2 MiB on most others
constexpr uint32_t max_blocks = max_input / block_size;

struct Options {
    const char* path;
    bool digests;
};

// Ends the program with this line and a status that is not 0.
[[noreturn]] void fail(const char* what, const char* more = "");

Options read_command_line();

// Reads the file and returns how many blocks it has: one at least. Fails if it is missing, empty, too large.
uint32_t read_input(const char* path);
size_t input_size();

// The digest of one block of the file; the last one may be shorter than block_size. Any core.
Digest block_digest(uint32_t block);

}  // namespace demo
