// SPDX-License-Identifier: MIT OR Apache-2.0
// A test kit for images without a C library, and for the host: TAP 13 on the board's console.
//
//     #include "tap.hpp"
//
//     static void sum() {
//         CHECK_EQ(1 + 1, 2);                       // counts, reports file, line and values, goes on
//         if (board::cores < 2) return tap::skip("not on this board: a second core");
//         tap::note("on ", board::cores, " cores"); // "# on 4 cores"
//         REQUIRE(pool.submit(task) == weft::Status::ok);  // as CHECK, and leaves the function
//     }
//     constexpr tap::Test tests[] = {TEST(sum)};
//     extern "C" int board_main() { return tap::run({tests}); }
//
// Where tests have several files, each ends with its own array and `extern const tap::Tests sums_tests{tests};`, and
// main.cpp runs what it declares: `tap::run({sums_tests, products_tests})`. Tests stand in unnamed namespaces, so that
// the compiler finds one that is in no array; tools/check_house finds an array that nobody runs.
//
// The words of the board's command line select tests: one that has any of the words in its name runs, without
// words all run. Words with a '=' are options (`seed=7`), see option().
//
// CHECK and its kin may stand anywhere: on every core, in interrupts. Everything else is for task context.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include <weft/port.hpp>

#include "board.hpp"

namespace tap {

struct Test {
    const char* name;
    void (*run)();
};

// All tests of one file, in their order.
struct Tests {
    template <size_t size>
    constexpr Tests(const Test (&tests)[size]) : first(tests), count(size) {}
    const Test* begin() const { return first; }
    const Test* end() const { return first + count; }

    const Test* first;
    size_t count;
};

// Runs what the command line selects, one line of TAP each. The exit status: 0 if something ran and nothing
// failed.
int run(const Tests* files, size_t count);
template <size_t count>
int run(const Tests (&files)[count]) {
    return run(files, count);
}

// For programs that are one test with many results: plan(), ok() for each result, then `return finish();`.
void plan(uint32_t results);
bool ok(bool passed, const char* name);
int finish();

// Marks the running test as skipped (it still fails if one of its checks does).
void skip(const char* reason);

// Ends the run as failed, at once. Any context.
[[noreturn]] void bail_out(const char* reason);

// Has a check failed since the running test began?
bool failed();

// The number after `name=` on the command line (decimal, or 0x and hexadecimal), or `otherwise`.
uint32_t option(const char* name, uint32_t otherwise);

// ---- Output

struct Hex {
    uintptr_t value;
};
inline Hex hex(uintptr_t value) { return Hex{value}; }
inline Hex hex(const volatile void* address) { return Hex{reinterpret_cast<uintptr_t>(address)}; }

// One line that no other core's output gets into; it ends with the object.
class Line {
public:
    Line();
    ~Line();
    Line(const Line&) = delete;
    Line& operator=(const Line&) = delete;

    void put(char c);
    void put(const char* text);
    void put(bool value) { put(value ? "true" : "false"); }
    void put(unsigned long value);
    void put(long value);
    void put(unsigned value) { put(static_cast<unsigned long>(value)); }
    void put(int value) { put(static_cast<long>(value)); }
    void put(Hex value);
};

// A diagnostic line: "# " and the parts.
template <class... Parts>
void note(Parts... parts) {
    Line line;
    line.put("# ");
    (line.put(parts), ...);
}

// ---- Checks

namespace detail {

struct Place {
    const char* file;
    uint32_t line;
    const char* text;
};
bool check(bool passed, Place place);
bool check_equal(uintptr_t left, uintptr_t right, Place place);

// Integers, enumerations and pointers as one word, to compare and to print.
template <class T>
constexpr uintptr_t word(T value) {
    static_assert(sizeof(T) <= sizeof(uintptr_t), "CHECK_EQ: wider than a word of this machine; use CHECK");
    return static_cast<uintptr_t>(value);
}
template <class T>
uintptr_t word(T* value) {
    return reinterpret_cast<uintptr_t>(value);
}
constexpr uintptr_t word(decltype(nullptr)) { return 0; }

}  // namespace detail
}  // namespace tap

// An element of an array of tests: a function and its name.
#define TEST(function) \
    { #function, function }

#define TAP_PLACE(text) \
    ::tap::detail::Place { __FILE__, static_cast<uint32_t>(__LINE__), text }

// Both say whether the check passed, so that a test may act on it.
#define CHECK(...) ::tap::detail::check(static_cast<bool>(__VA_ARGS__), TAP_PLACE(#__VA_ARGS__))
#define CHECK_EQ(left, right)                                                         \
    ::tap::detail::check_equal(::tap::detail::word(left), ::tap::detail::word(right), \
                               TAP_PLACE(#left " == " #right))

// As CHECK; leaves the function (of type void) where it fails.
#define REQUIRE(...)                     \
    do {                                 \
        if (!CHECK(__VA_ARGS__)) return; \
    } while (false)
