// SPDX-License-Identifier: MIT OR Apache-2.0
// boards: memcpy, memmove, memset, memcmp for images that link no C library. A compiler may call these four
// even in freestanding code (GCC manual, "Standards"). Simple loops, by words where the alignment allows.
#include <stddef.h>
#include <stdint.h>

namespace {

using Byte = unsigned char;
using Word [[gnu::may_alias]] = uintptr_t;

bool word_aligned(const void* a, const void* b) {
    return ((reinterpret_cast<uintptr_t>(a) | reinterpret_cast<uintptr_t>(b)) & (sizeof(Word) - 1)) == 0;
}

// Keeps the compiler from recognising a loop below as a call of the function that contains it.
void keep_loop() { asm volatile("" ::: "memory"); }

}  // namespace

extern "C" {

void* memcpy(void* to, const void* from, size_t bytes);
void* memmove(void* to, const void* from, size_t bytes);
void* memset(void* to, int value, size_t bytes);
int memcmp(const void* left, const void* right, size_t bytes);

void* memcpy(void* to, const void* from, size_t bytes) {
    Byte* out = static_cast<Byte*>(to);
    const Byte* in = static_cast<const Byte*>(from);
    if (word_aligned(to, from)) {
        for (; bytes >= sizeof(Word); bytes -= sizeof(Word)) {
            *reinterpret_cast<Word*>(out) = *reinterpret_cast<const Word*>(in);
            out += sizeof(Word);
            in += sizeof(Word);
            keep_loop();
        }
    }
    for (; bytes > 0; --bytes) {
        *out++ = *in++;
        keep_loop();
    }
    return to;
}

void* memmove(void* to, const void* from, size_t bytes) {
    Byte* out = static_cast<Byte*>(to);
    const Byte* in = static_cast<const Byte*>(from);
    // Forward copying is safe unless the destination starts inside the source.
    if (reinterpret_cast<uintptr_t>(out) - reinterpret_cast<uintptr_t>(in) >= bytes)
        return memcpy(to, from, bytes);
    while (bytes > 0) {
        --bytes;
        out[bytes] = in[bytes];
        keep_loop();
    }
    return to;
}

void* memset(void* to, int value, size_t bytes) {
    Byte* out = static_cast<Byte*>(to);
    const Byte byte = static_cast<Byte>(value);
    if (word_aligned(to, to)) {
        const Word pattern = ~static_cast<uintptr_t>(0) / 0xff * byte;
        for (; bytes >= sizeof(Word); bytes -= sizeof(Word)) {
            *reinterpret_cast<Word*>(out) = pattern;
            out += sizeof(Word);
            keep_loop();
        }
    }
    for (; bytes > 0; --bytes) {
        *out++ = byte;
        keep_loop();
    }
    return to;
}

int memcmp(const void* left, const void* right, size_t bytes) {
    const Byte* a = static_cast<const Byte*>(left);
    const Byte* b = static_cast<const Byte*>(right);
    for (size_t i = 0; i < bytes; ++i) {
        if (a[i] != b[i]) return a[i] < b[i] ? -1 : 1;
    }
    return 0;
}

}  // extern "C"
