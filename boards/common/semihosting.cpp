// SPDX-License-Identifier: MIT OR Apache-2.0
// boards: exit status, command line and host files over semihosting, for every metal board of the tree.
// Operation numbers and blocks: "Semihosting for AArch32 and AArch64" (Arm), adopted by RISC-V.
#include "semihosting.hpp"

#include <weft/trace.hpp>

#include "board.hpp"

namespace {

enum Operation : uintptr_t {
    sys_open = 0x01,
    sys_close = 0x02,
    sys_write = 0x05,
    sys_read = 0x06,
    sys_flen = 0x0c,
    sys_get_cmdline = 0x15,
    sys_exit = 0x18,
    sys_exit_extended = 0x20,
};

constexpr uintptr_t open_mode_rb = 1;  // fopen(path, "rb")
constexpr uintptr_t adp_stopped_application_exit = 0x20026;

// SYS_EXIT takes {reason, status} on a 64-bit core. A 32-bit core needs SYS_EXIT_EXTENDED for that.
constexpr uintptr_t exit_operation = sizeof(void*) == 8 ? sys_exit : sys_exit_extended;

uintptr_t word(const void* pointer) { return reinterpret_cast<uintptr_t>(pointer); }

size_t length(const char* text) {
    size_t count = 0;
    while (text[count] != '\0') ++count;
    return count;
}

#if WEFT_TRACE && !defined(WEFT_TRACE_HOOKS) && defined(BOARD_TRACE_FILE)
#define BOARD_TEXT_OF(words) #words
#define BOARD_TEXT(name) BOARD_TEXT_OF(name)

bool write_all(uintptr_t file, const void* from, size_t bytes) {
    uintptr_t block[3] = {file, word(from), bytes};
    return semihosting_call(sys_write, block) == 0;  // the number of bytes NOT written
}

// The recorder's memory as it is, in a file of the host: a few calls, where lines on a console take a second.
bool write_trace() {
    constexpr uintptr_t open_mode_wb = 5;  // fopen(path, "wb")
    const char* const path = BOARD_TEXT(BOARD_TRACE_FILE);
    uintptr_t opened[3] = {word(path), open_mode_wb, length(path)};
    const intptr_t file = semihosting_call(sys_open, opened);
    if (file == -1) return false;
    uintptr_t block[1] = {static_cast<uintptr_t>(file)};
    const bool whole = write_all(block[0], &weft_trace, sizeof weft_trace) &&
                       write_all(block[0], weft_trace.at, weft::detail::trace_rings * sizeof *weft_trace.at);
    return semihosting_call(sys_close, block) == 0 && whole;
}
#else
bool write_trace() { return false; }
#endif

}  // namespace

namespace board {

[[noreturn]] void exit(int status) {
    if (!write_trace()) weft::put_trace(put);
    uintptr_t block[2] = {adp_stopped_application_exit, static_cast<uintptr_t>(status)};
    semihosting_call(exit_operation, block);
    for (;;) {
        // Without a semihosting host the call returns (or traps): the core stays here. The compiler may drop a
        // loop that has no effect at all.
        asm volatile("" ::: "memory");
    }
}

// The host gives `program word word...` (the program's name is the kernel file if nothing was configured):
// the words after the first. `text` must have room for the whole line, or the result is "".
void command_line(char* text, size_t size) {
    if (size == 0) return;
    text[0] = '\0';
    uintptr_t block[2] = {word(text), size};
    if (semihosting_call(sys_get_cmdline, block) != 0) {
        text[0] = '\0';
        return;
    }
    text[size - 1] = '\0';
    const char* from = text;
    while (*from != '\0' && *from != ' ') ++from;
    while (*from == ' ') ++from;
    char* to = text;
    while (*from != '\0') *to++ = *from++;
    *to = '\0';
}

intptr_t file_open(const char* path) {
    uintptr_t block[3] = {word(path), open_mode_rb, length(path)};
    return semihosting_call(sys_open, block);
}

intptr_t file_size(intptr_t file) {
    uintptr_t block[1] = {static_cast<uintptr_t>(file)};
    return semihosting_call(sys_flen, block);
}

size_t file_read(intptr_t file, void* to, size_t bytes) {
    uintptr_t block[3] = {static_cast<uintptr_t>(file), word(to), bytes};
    // SYS_READ answers with the number of bytes NOT read; anything above `bytes` is an error.
    const uintptr_t missing = static_cast<uintptr_t>(semihosting_call(sys_read, block));
    return missing > bytes ? 0 : bytes - missing;
}

void file_close(intptr_t file) {
    uintptr_t block[1] = {static_cast<uintptr_t>(file)};
    semihosting_call(sys_close, block);
}

}  // namespace board
