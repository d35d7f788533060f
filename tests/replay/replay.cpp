// SPDX-License-Identifier: MIT OR Apache-2.0
// Replay on the host: see replay.hpp. The log is a mapped file, so it survives the end of the process, however it ends.
#include "weft_port.hpp"

#include "internal.hpp"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

namespace weft {
namespace host {
namespace replay {

Mode mode = Mode::unknown;
bool serialised = false;
uint32_t patience_ms = 10'000;

namespace {

const char* const kind_names[] = {"an access",
                                  "a read of the clock",
                                  "the port's lock",
                                  "an interrupt",
                                  "the creation of a thread",
                                  "the begin of a thread",
                                  "a join of threads",
                                  "a pause"};
static_assert(sizeof kind_names / sizeof kind_names[0] == kinds, "every kind has a name");

struct Logged {
    uint32_t thread_and_kind;  // thread * 8 + kind
    uint32_t value;            // the site of an access; what the clock showed; the signal
};
struct Header {
    uint64_t magic;  // written last
    uint32_t version;
    uint32_t serialised;  // 1: by a seed
    uint64_t image;       // hash of the executable
    uint64_t events;
};
constexpr uint64_t magic = 0x796c707274666577u;  // "weftrply"
constexpr uint32_t version = 2;
constexpr uint64_t most_events = 1u << 25;
uint64_t limit = most_events;
Header* header = nullptr;
Logged* logged = nullptr;
uint64_t total = 0;
uint64_t position = 0;  // of the next event; written by the one whose turn it is
pthread_mutex_t turn_mutex = PTHREAD_MUTEX_INITIALIZER;
thread_local bool in_turn = false;
thread_local bool has_mutex = false;

uint64_t milliseconds() {
    timespec time = {};
    clock_gettime(CLOCK_MONOTONIC, &time);
    return static_cast<uint64_t>(time.tv_sec) * 1000 + static_cast<uint64_t>(time.tv_nsec) / 1'000'000;
}

}  // namespace

void die(const char* format, ...) {
    // The first one says why: threads that find the same meanwhile would write into its line. A handler on it ends it.
    static uint32_t first = nobody;
    uint32_t seen = nobody;
    if (!__atomic_compare_exchange_n(&first, &seen, this_thread, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
        if (seen == this_thread) _exit(3);
        for (;;) pause();
    }
    fputs("weft replay: ", stderr);
    va_list list;
    va_start(list, format);
    vfprintf(stderr, format, list);
    va_end(list);
    fputc('\n', stderr);
    if (mode == Mode::record) say_how_to_replay("it up to here");
    _exit(3);
}

namespace {

uint64_t hash_of_image() {
    FILE* const file = fopen("/proc/self/exe", "rb");
    if (file == nullptr) die("cannot read the image: %s", strerror(errno));
    uint64_t hash = 0xcbf29ce484222325u;  // FNV-1a (Fowler, Noll, Vo)
    for (int c = getc(file); c != EOF; c = getc(file))
        hash = (hash ^ static_cast<uint64_t>(c)) * 0x100000001b3u;
    fclose(file);
    return hash;
}

void map(int file, size_t size, int protection) {
    void* const at = mmap(nullptr, size, protection, MAP_SHARED, file, 0);
    if (at == MAP_FAILED) die("cannot map the log: %s", strerror(errno));
    header = static_cast<Header*>(at);
    logged = reinterpret_cast<Logged*>(header + 1);
}

void begin_record(const char* path) {
    const int file = open(path, O_RDWR | O_CREAT | O_TRUNC, 0666);
    const size_t size = sizeof(Header) + limit * sizeof(Logged);
    if (file < 0 || ftruncate(file, static_cast<off_t>(size)) != 0)
        die("cannot write %s: %s", path, strerror(errno));
    map(file, size, PROT_READ | PROT_WRITE);
    header->version = version;
    header->serialised = serialised ? 1 : 0;
    header->image = hash_of_image();
    __atomic_store_n(&header->magic, magic, __ATOMIC_RELEASE);
}

// When the process ends: others may have gone on until then when it was recorded.
void follow_to_the_end(int, void*) {
    Patience patience;
    while (follows_log() && !patience.has_ended()) sched_yield();
}

void begin_replay(const char* path) {
    const int file = open(path, O_RDONLY);
    struct stat about = {};
    if (file < 0 || fstat(file, &about) != 0) die("cannot read %s: %s", path, strerror(errno));
    const uint64_t size = static_cast<uint64_t>(about.st_size);
    if (size < sizeof(Header)) die("%s is truncated: it has no header", path);
    map(file, size, PROT_READ);
    if (header->magic != magic) die("%s is no log of a run", path);
    if (header->version != version)
        die("%s has version %u; this image reads version %u", path, header->version, version);
    if (header->image != hash_of_image()) die("%s was recorded with another image", path);
    total = header->events;
    if (total > (size - sizeof(Header)) / sizeof(Logged)) die("%s is truncated: it lacks events", path);
    serialised = header->serialised == 1;
    if (serialised) {
        begin_serial(0, Chooser::walk);
    } else {
        on_exit(follow_to_the_end, nullptr);
    }
    mode = Mode::replay;
}

// seed:N, pct:N, and with :FILE behind them. `number`: where the N begins.
void begin_seed(const char* text, size_t number, Chooser chooser) {
    char* end = nullptr;
    const uint32_t seed = static_cast<uint32_t>(strtoul(text + number, &end, 10));
    if (end == text + number || (*end != 0 && *end != ':'))
        die("%.*sN or %.*sN:FILE, N a number", static_cast<int>(number), text, static_cast<int>(number),
            text);
    serialised = true;
    begin_serial(seed, chooser);
    const char* const path = *end == ':' ? end + 1 : nullptr;
    if (path != nullptr) begin_record(path);
    prepare_hint(path, text);
    mode = Mode::record;
}

uint32_t number_in(const char* name, uint32_t otherwise) {
    const char* const text = getenv(name);
    return text == nullptr ? otherwise : static_cast<uint32_t>(strtoul(text, nullptr, 10));
}

// Before main() and the constructors of the program, so that there is one thread.
[[gnu::constructor(101)]] void begin() {
    if (mode != Mode::unknown) return;
    this_thread = 0;
    limit = number_in("WEFT_REPLAY_EVENTS", most_events);
    patience_ms = number_in("WEFT_REPLAY_PATIENCE_MS", patience_ms);
    const char* const what = getenv("WEFT_REPLAY");
    if (what == nullptr || *what == 0) {
        mode = Mode::off;
    } else if (strncmp(what, "record:", 7) == 0) {
        begin_record(what + 7);
        prepare_hint(what + 7, "");
        fprintf(stderr, "# recorded; to replay it, run the same command with WEFT_REPLAY=replay:%s\n",
                what + 7);
        mode = Mode::record;
    } else if (strncmp(what, "replay:", 7) == 0) {
        begin_replay(what + 7);
    } else if (strncmp(what, "seed:", 5) == 0) {
        begin_seed(what, 5, Chooser::walk);
    } else if (strncmp(what, "pct:", 4) == 0) {
        begin_seed(what, 4, Chooser::priorities);
    } else {
        die("WEFT_REPLAY=%s: record:FILE, replay:FILE, seed:N, seed:N:FILE, pct:N and pct:N:FILE are "
            "understood",
            what);
    }
}

uint32_t tag(uint32_t kind) { return this_thread * 8 + kind; }
uint64_t place() { return __atomic_load_n(&position, __ATOMIC_ACQUIRE); }

// Waits until the log says that it is the caller's turn. False: the log has ended.
bool wait_for_turn(uint32_t kind) {
    Patience patience;
    for (;;) {
        const uint64_t now = place();
        if (now >= total) return false;
        const uint32_t expected = logged[now].thread_and_kind;
        if (expected / 8 == this_thread) return true;
        if (patience.has_ended()) {
            die("diverged at event %llu: thread %u is expected with %s and does not come; thread %u waits "
                "with "
                "%s",
                static_cast<unsigned long long>(now), expected / 8, kind_names[expected % 8], this_thread,
                kind_names[kind]);
        }
        sched_yield();
    }
}

void advance() {
    const uint64_t next = position + 1;
    if (mode == Mode::replay && next == total)
        fprintf(stderr, "# replayed: all %llu events\n", static_cast<unsigned long long>(total));
    __atomic_store_n(&position, next, __ATOMIC_RELEASE);
}

// What the log says of the event that the caller makes.
uint32_t compare(uint32_t kind, uint32_t value) {
    const Logged& expected = logged[position];
    const bool same = expected.thread_and_kind == tag(kind);
    if (!same || (kind != clock_event && expected.value != value))
        die("diverged at event %llu, thread %u (core %u): expected %s (%08x), found %s (%08x)",
            static_cast<unsigned long long>(position), this_thread, this_core,
            kind_names[expected.thread_and_kind % 8], expected.value, kind_names[kind], value);
    return expected.value;
}

void log(uint32_t kind, uint32_t value) {
    const uint64_t at = header->events;
    if (at == limit) die("the log is full after %llu events", static_cast<unsigned long long>(at));
    logged[at] = {tag(kind), value};
    __atomic_store_n(&header->events, at + 1, __ATOMIC_RELEASE);
}

uint32_t note_serialised(uint32_t kind, uint32_t value) {
    if (mode == Mode::replay && place() < total)
        value = compare(kind, value);
    else if (header != nullptr && mode == Mode::record)
        log(kind, value);
    advance();
    return value;
}

// Each handler at most once: else a timer that is faster than its handler would let nothing else go on.
uint32_t begin_serialised(uint32_t kind, uint32_t value) {
    take_turn(kind == begin_thread_event);
    uint64_t due = take_due();
    for (uint32_t signal = 1; due != 0; ++signal, due >>= 1) {
        if ((due & 1) == 0) continue;
        note_serialised(interrupt_event, signal);
        run_handler(signal);
    }
    return note_serialised(kind, kind == clock_event ? virtual_now() : value);
}

}  // namespace

bool Patience::has_ended() {
    constexpr uint64_t longest_ms = 100;
    const uint64_t now = milliseconds();
    if (event_ != place()) {
        event_ = place();
        waited_ = 0;
    } else {
        waited_ += now - looked_ < longest_ms ? now - looked_ : longest_ms;
    }
    looked_ = now;
    return waited_ > patience_ms;
}

bool follows_log() { return mode == Mode::replay && place() < total; }
uint64_t events() { return place(); }
uint32_t logged_thread() { return logged[place()].thread_and_kind / 8; }

uint32_t begin_event(uint32_t kind, uint32_t value) {
    if (mode == Mode::unknown) begin();
    if (mode == Mode::off) return value;
    // Before anything that blocks: a handler that interrupts an event would wait for itself.
    if (in_turn)
        die("core %u: a handler that sigaction() has not set, without siginfo, cannot be recorded",
            this_core);
    if (this_thread == nobody) die("a thread that pthread_create() has not made cannot be recorded");
    if (serialised) return begin_serialised(kind, value);
    if (!follows_log() && kind != interrupt_event) deliver_pending();
    if (mode == Mode::replay) {
        while (wait_for_turn(kind)) {
            if (logged[position].thread_and_kind == tag(interrupt_event) && kind != interrupt_event) {
                const uint32_t signal = logged[position].value;
                advance();
                run_handler(signal);
                continue;
            }
            in_turn = true;
            return compare(kind, value);
        }
    }
    in_turn = true;
    pthread_mutex_lock(&turn_mutex);
    has_mutex = true;
    if (mode == Mode::record) log(kind, value);
    return value;
}

void end_event() {
    if (!in_turn) return;
    in_turn = false;
    if (has_mutex) {
        has_mutex = false;
        pthread_mutex_unlock(&turn_mutex);
        return;
    }
    advance();
}

void event(Kind kind) {
    begin_event(kind, 0);
    end_event();
}

}  // namespace replay

using namespace replay;

Turn::Turn(uint32_t site) { begin_event(access_event, site); }
Turn::~Turn() { end_event(); }

bool sleeps_by_events() { return serialised || follows_log(); }

void relax_in_turn() {
    if (!serialised) return;
    gives_way();
    event(pause_event);
}

void pause_in_turn() {
    if (!serialised) return;
    gives_way();
    pass_time(10);
}

uint32_t recorded_tick(uint32_t tick) {
    const uint32_t recorded = begin_event(clock_event, tick);
    end_event();
    return recorded;
}

// The order in which the cores get it is that of the events.
void lock_in_turn(pthread_mutex_t& mutex) {
    if (serialised) {
        event(lock_event);
        while (pthread_mutex_trylock(&mutex) != 0) {
            gives_way();
            event(lock_event);
        }
    } else if (follows_log()) {
        begin_event(lock_event, 0);
        pthread_mutex_lock(&mutex);
        end_event();
    } else {
        pthread_mutex_lock(&mutex);
        begin_event(lock_event, 0);
        end_event();
    }
}

}  // namespace host
}  // namespace weft
