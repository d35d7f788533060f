// SPDX-License-Identifier: MIT OR Apache-2.0
// boards: the recorder's memory on the console when an image ends, as lines that tools/trace finds among others:
//
//     weft-trace 7765667474726330...          32 bytes each: first the header, then the rings
//
// Or, with -DBOARD_TRACE_FILE=name, as they are into that file, by semihosting (semihosting.cpp).
// Nothing, where there is no recorder. Other cores may be at work still, if the image ends by an error.
#pragma once

#include <weft/trace.hpp>

#include "board.hpp"

namespace board {

#if WEFT_TRACE && !defined(WEFT_TRACE_HOOKS)
class TraceLines {
public:
    void put_bytes(const void* from, size_t bytes) {
        const unsigned char* next = static_cast<const unsigned char*>(from);
        for (; bytes != 0; --bytes, ++next) {
            if (column_ == 0) {
                for (const char* word = "\nweft-trace "; *word != '\0'; ++word) put(*word);
            }
            put("0123456789abcdef"[*next >> 4]);
            put("0123456789abcdef"[*next & 15]);
            column_ = (column_ + 1) % bytes_in_a_line;
        }
    }

private:
    static constexpr uint32_t bytes_in_a_line = 32;
    uint32_t column_ = 0;
};

inline void put_trace() {
    TraceLines lines;
    lines.put_bytes(&weft_trace, sizeof weft_trace);
    lines.put_bytes(weft_trace.at, weft::detail::trace_rings * sizeof *weft_trace.at);
    put('\n');
}
#else
inline void put_trace() {}
#endif

}  // namespace board
