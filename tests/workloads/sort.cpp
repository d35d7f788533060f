// SPDX-License-Identifier: MIT OR Apache-2.0
// Workload: merge sort, with merges that are parallel, too. Options on the command line:
//     input=PATH  sorts the file's 32-bit little-endian words instead of random numbers
//     keys=N      no more than this many
//     print=1     prints what came out, a line `= number` each, behind a line `= by N workers`
// check_sort.py compares that with `sort -n`.
#include "workloads.hpp"

namespace workloads {
namespace {

constexpr uint32_t most_keys = size(1u << 17, 1u << 13);
constexpr uint32_t few = 32;          // are sorted by insertion
constexpr uint32_t short_merge = 64;  // is not divided

using Key = uint32_t;
Key input[most_keys];
Key expected[most_keys];
Key keys[most_keys];
Key scratch[most_keys];
uint32_t count;

// ---- The parallel sort

void insert_all(Key* keys_here, uint32_t size_here) {
    for (uint32_t i = 1; i < size_here; ++i) {
        const Key key = keys_here[i];
        uint32_t place = i;
        for (; place != 0 && keys_here[place - 1] > key; --place) keys_here[place] = keys_here[place - 1];
        keys_here[place] = key;
    }
}

struct Run {
    const Key* first;
    uint32_t size;
};

uint32_t smaller_than(Run run, Key key) {
    uint32_t low = 0;
    uint32_t high = run.size;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (run.first[middle] < key) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

void merge_serially(Run a, Run b, Key* out) {
    uint32_t i = 0;
    uint32_t k = 0;
    while (i < a.size && k < b.size) *out++ = b.first[k] < a.first[i] ? b.first[k++] : a.first[i++];
    while (i < a.size) *out++ = a.first[i++];
    while (k < b.size) *out++ = b.first[k++];
}

// The middle of the longer run divides both.
void merge(Here here, Run a, Run b, Key* out) {
    if (a.size + b.size <= short_merge) return merge_serially(a, b, out);
    if (a.size < b.size) {
        const Run shorter = a;
        a = b;
        b = shorter;
    }
    const uint32_t in_a = a.size / 2;
    const uint32_t in_b = smaller_than(b, a.first[in_a]);
    fork_join(
        here,
        [&](Here there) {
            merge(there, {a.first, in_a}, {b.first, in_b}, out);
        },
        [&](Here there) {
            merge(there, {a.first + in_a, a.size - in_a}, {b.first + in_b, b.size - in_b}, out + in_a + in_b);
        });
}

// Into `other`, or in place with its help.
void sort(Here here, Key* from, Key* other, uint32_t size_here, bool into_other) {
    if (size_here <= few) {
        insert_all(from, size_here);
        for (uint32_t i = 0; into_other && i < size_here; ++i) other[i] = from[i];
        return;
    }
    const uint32_t half = size_here / 2;
    fork_join(
        here, [&](Here there) { sort(there, from, other, half, !into_other); },
        [&](Here there) { sort(there, from + half, other + half, size_here - half, !into_other); });
    Key* const source = into_other ? from : other;
    merge(here, {source, half}, {source + half, size_here - half}, into_other ? other : from);
}

// ---- Another sort to compare with: heap sort

void sift(Key* heap, uint32_t root, uint32_t size_here) {
    for (;;) {  // ends: at a leaf
        uint32_t child = 2 * root + 1;
        if (child >= size_here) return;
        if (child + 1 < size_here && heap[child + 1] > heap[child]) ++child;
        if (heap[root] >= heap[child]) return;
        const Key key = heap[root];
        heap[root] = heap[child];
        heap[child] = key;
        root = child;
    }
}

void heap_sort(Key* heap, uint32_t size_here) {
    for (uint32_t i = size_here / 2; i != 0; --i) sift(heap, i - 1, size_here);
    for (uint32_t left = size_here; left > 1; --left) {
        const Key largest = heap[0];
        heap[0] = heap[left - 1];
        heap[left - 1] = largest;
        sift(heap, 0, left - 1);
    }
}

// ---- Numbers in and out

// The path of `input=PATH` on the command line, in `text`; or nullptr.
const char* input_path(char* text, size_t text_size) {
    constexpr const char* option = "input=";
    board::command_line(text, text_size);
    for (char* word = text; *word != '\0';) {
        char* end = word;
        while (*end != '\0' && *end != ' ') ++end;
        const bool last = *end == '\0';
        *end = '\0';
        const char* rest = word;
        const char* expects = option;
        for (; *expects != '\0' && *rest == *expects; ++expects) ++rest;
        if (*expects == '\0') return rest;
        word = last ? end : end + 1;
    }
    return nullptr;
}

void read_file(const char* path) {
    static unsigned char bytes[most_keys * sizeof(Key)];
    const intptr_t file = board::file_open(path);
    CHECK(file != -1);
    if (file == -1) return;
    const size_t got = board::file_read(file, bytes, count * sizeof(Key));
    board::file_close(file);
    count = static_cast<uint32_t>(got / sizeof(Key));
    for (uint32_t i = 0; i < count; ++i) {
        const unsigned char* word = bytes + i * sizeof(Key);
        input[i] = word[0] | static_cast<Key>(word[1]) << 8 | static_cast<Key>(word[2]) << 16 |
                   static_cast<Key>(word[3]) << 24;
    }
}

void read_input() {
    const uint32_t limit = tap::option("keys", most_keys);
    count = limit < most_keys ? limit : most_keys;
    char text[256];
    const char* const path = input_path(text, sizeof text);
    if (path != nullptr) return read_file(path);
    tap::Random random(5);
    for (uint32_t i = 0; i < count; ++i) input[i] = random.next() >> random.below(32);  // many are equal
}

void print_keys(uint32_t workers) {
    {
        tap::Line line;
        line.put("= by ");
        line.put(workers);
        line.put(" workers");
    }
    for (uint32_t i = 0; i < count; ++i) {
        tap::Line line;
        line.put("= ");
        line.put(keys[i]);
    }
}

void B7_sort() {
    read_input();
    for (uint32_t i = 0; i < count; ++i) expected[i] = input[i];
    heap_sort(expected, count);
    on_each_crew([](Scheduler& pool) {
        for (uint32_t i = 0; i < count; ++i) keys[i] = input[i];
        in(pool, [](Here here) { sort(here, keys, scratch, count, false); });
        uint32_t different = 0;
        for (uint32_t i = 0; i < count; ++i) different += keys[i] != expected[i] ? 1 : 0;
        CHECK_EQ(different, 0);
        if (tap::option("print", 0) != 0) print_keys(pool.cores());
    });
}

constexpr tap::Test tests[] = {
    TEST(B7_sort),
};

}  // namespace

extern const tap::Tests sort_tests{tests};

}  // namespace workloads
