// SPDX-License-Identifier: MIT OR Apache-2.0
// The test kit: runner, output and the records of failed checks. No C library; nothing but board.hpp and the
// port.
#include "tap.hpp"

#include "console.hpp"

namespace tap {
namespace {

using board::Console;
using weft::acquire;
using weft::Atomic;
using weft::Port;
using weft::relaxed;
using weft::release;

// ---- Raw output; the caller has the console.

void print(const char* text) {
    while (*text != '\0') board::put(*text++);
}

void print_number(uintptr_t value, uint32_t base) {
    char digits[20];  // 2^64 has so many
    uint32_t count = 0;
    do {
        digits[count++] = "0123456789abcdef"[value % base];
        value /= base;
    } while (value != 0);
    while (count != 0) board::put(digits[--count]);
}

// ---- Failed checks. A check may fail in an interrupt that came while this core prints, so it does not wait
// for the console: it leaves a record. Whoever gets the console prints what there is; the runner prints the
// rest.

struct Failure {
    detail::Place place;
    uint32_t core;
    bool has_values;
    uintptr_t left;
    uintptr_t right;
};
struct Record {
    enum : uint32_t { free, filling, ready };
    Atomic<uint32_t> state;
    Failure failure{};
};
Record records[16];

Atomic<uint32_t> failures;      // failed checks
Atomic<uint32_t> not_recorded;  // of the failures: there was no free record

bool claim(Record& record) {
    uint32_t seen = Record::free;
    while (!record.state.compare_exchange(seen, Record::filling, acquire,
                                          relaxed)) {  // after its last print, in drain()
        if (seen != Record::free) return false;
    }
    return true;
}

void print_failure(const Failure& failure) {
    print("# ");
    print(failure.place.file);
    print(":");
    print_number(failure.place.line, 10);
    print(": failed: ");
    print(failure.place.text);
    if (failure.has_values) {
        print(": ");
        print_number(failure.left, 10);
        print(" is not ");
        print_number(failure.right, 10);
    }
    print(" (core ");
    print_number(failure.core, 10);
    print(")\n");
}

// The caller has the console.
void drain() {
    for (Record& record : records) {
        if (record.state.load(acquire) != Record::ready) continue;  // filled in leave_record()
        print_failure(record.failure);
        record.state.store(Record::free, release);  // for claim()
    }
}

void leave_record(const Failure& failure) {
    failures.fetch_add(1, relaxed);  // read after the end of the test, which has its own edges
    for (Record& record : records) {
        if (!claim(record)) continue;
        record.failure = failure;
        record.state.store(Record::ready, release);  // for drain()
        if (!Console::try_take()) return;
        drain();
        Console::leave();
        return;
    }
    not_recorded.fetch_add(1, relaxed);
}

// ---- Command line

char words[256];
bool words_read = false;

// run() is the first to ask, before there is another core that might.
const char* command_line() {
    if (!words_read) {
        board::command_line(words, sizeof words);
        words_read = true;
    }
    return words;
}

const char* skip_spaces(const char* text) {
    while (*text == ' ') ++text;
    return text;
}

const char* end_of_word(const char* text) {
    while (*text != ' ' && *text != '\0') ++text;
    return text;
}

bool starts_with(const char* text, const char* start, const char* end) {
    while (start != end && *text == *start) {
        ++text;
        ++start;
    }
    return start == end;
}

bool contains(const char* text, const char* start, const char* end) {
    for (; *text != '\0'; ++text) {
        if (starts_with(text, start, end)) return true;
    }
    return false;
}

bool is_option(const char* word, const char* end) {
    while (word != end && *word != '=') ++word;
    return word != end;
}

bool selected(const char* test) {
    bool any_word = false;
    for (const char* word = skip_spaces(command_line()); *word != '\0';) {
        const char* const end = end_of_word(word);
        if (!is_option(word, end)) {
            if (contains(test, word, end)) return true;
            any_word = true;
        }
        word = skip_spaces(end);
    }
    return !any_word;
}

uint32_t digit_of(char c) {
    if (c >= '0' && c <= '9') return static_cast<uint32_t>(c - '0');
    if (c >= 'a' && c <= 'f') return static_cast<uint32_t>(c - 'a') + 10;
    if (c >= 'A' && c <= 'F') return static_cast<uint32_t>(c - 'A') + 10;
    return UINT32_MAX;
}

uint32_t parse_number(const char* text) {
    const bool hexadecimal = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
    const uint32_t base = hexadecimal ? 16 : 10;
    if (hexadecimal) text += 2;
    uint32_t value = 0;
    for (uint32_t digit = digit_of(*text); digit < base; digit = digit_of(*++text))
        value = value * base + digit;
    return value;
}

// ---- The runner's own state; core 0 alone.

uint32_t planned = 0;
uint32_t results = 0;
uint32_t failed_results = 0;
uint32_t failures_before = 0;  // the count when the running test began
const char* skip_reason = nullptr;

void print_result(bool passed, const char* name) {
    Line line;
    line.put(passed ? "ok " : "not ok ");
    line.put(results);
    line.put(" - ");
    line.put(name);
    if (!passed || skip_reason == nullptr) return;  // a harness may take "not ok ... # SKIP" for a pass
    line.put(" # SKIP ");
    line.put(skip_reason);
}

Atomic<uint32_t> asked_for{};  // bit n: some test wants the command line's n-th option

// A misspelt option would do nothing, in silence. (Where accesses are delayed, the board has options, too.)
void report_unknown_options() {
#if !defined(WEFT_HOST_DELAYS)
    uint32_t bit = 1;
    for (const char* word = skip_spaces(command_line()); *word != '\0';) {
        const char* const end = end_of_word(word);
        if (is_option(word, end)) {
            if ((asked_for.load(relaxed) & bit) == 0) {
                Line line;
                line.put("# no test that ran knows the option ");
                for (const char* at = word; at != end; ++at) line.put(*at);
            }
            bit <<= 1;
        }
        word = skip_spaces(end);
    }
#endif
}

void report_lost_records() {
    const uint32_t lost = not_recorded.exchange(0, relaxed);
    if (lost != 0) note("and ", lost, " more failed checks");
}

}  // namespace

// ---- Output

Line::Line() {
    Console::take();
    drain();
}

Line::~Line() {
    board::put('\n');
    drain();
    Console::leave();
}

void Line::put(char c) { board::put(c); }

void Line::put(const char* text) { print(text); }

void Line::put(unsigned long value) { print_number(value, 10); }

void Line::put(long value) {
    if (value < 0) board::put('-');
    const unsigned long bits = static_cast<unsigned long>(value);
    print_number(value < 0 ? 0 - bits : bits, 10);
}

void Line::put(Hex value) {
    print("0x");
    print_number(value.value, 16);
}

// ---- Checks

bool detail::check(bool passed, Place place) {
    if (passed) return true;
    leave_record(Failure{place, Port::core_id(), false, 0, 0});
    return false;
}

bool detail::check_equal(uintptr_t left, uintptr_t right, Place place) {
    if (left == right) return true;
    leave_record(Failure{place, Port::core_id(), true, left, right});
    return false;
}

bool failed() {
    return failures.load(relaxed) != failures_before;
}  // of this core: its own; of others: by their edges

// ---- Results

void plan(uint32_t count) {
    {
        Line line;
        line.put("TAP version 13");
    }
    Line line;
    line.put("1..");
    line.put(count);
    planned = count;
}

bool ok(bool passed, const char* name) {
    const bool good = passed && !failed();
    ++results;
    if (!good) ++failed_results;
    print_result(good, name);
    report_lost_records();
    failures_before = failures.load(relaxed);
    skip_reason = nullptr;
    return good;
}

int finish() {
    const bool complete = results == planned && planned != 0;
    if (!complete) note(planned, " results planned, ", results, " given");
    report_unknown_options();
    note(results - failed_results, " of ", results, " passed on ", board::name);
    return complete && failed_results == 0 ? 0 : 1;
}

void skip(const char* reason) { skip_reason = reason; }

// The core that has the console may be stuck, or interrupted by this: after a while print all the same.
void bail_out(const char* reason) {
    Console::take_at_last();
    drain();
    print("Bail out! ");
    print(reason);
    print("\n");
    board::exit(1);
}

int run(const Tests* files, size_t count) {
    uint32_t wanted = 0;
    for (size_t i = 0; i < count; ++i) {
        for (const Test& test : files[i]) wanted += selected(test.name) ? 1 : 0;
    }
    plan(wanted);
    if (wanted == 0) {
        bail_out(
            "no test of this image has such a name. Each folder of tests has its own: tests/unit is "
            "make run BOARD=host APP=unit ARGS=..., tests/firmware is run without APP=. Some are in images "
            "of a "
            "setting: VARIANT=elastic, say (docs/PROMISES.md)");
    }
    for (size_t i = 0; i < count; ++i) {
        for (const Test& test : files[i]) {
            if (!selected(test.name)) continue;
            note(test.name);  // whoever hangs can be seen
            test.run();
            ok(true, test.name);
        }
    }
    return finish();
}

uint32_t option(const char* name, uint32_t otherwise) {
    const char* name_end = end_of_word(name);
    uint32_t bit = 1;
    for (const char* word = skip_spaces(command_line()); *word != '\0';
         word = skip_spaces(end_of_word(word))) {
        if (!is_option(word, end_of_word(word))) continue;
        const char* const value = word + (name_end - name);
        if (starts_with(word, name, name_end) && *value == '=') {
            asked_for.fetch_or(bit, relaxed);
            return parse_number(value + 1);
        }
        bit <<= 1;
    }
    return otherwise;
}

}  // namespace tap
