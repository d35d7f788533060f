// SPDX-License-Identifier: MIT OR Apache-2.0
// Replay on the host: see replay.hpp. The log is a mapped file, so it survives the end of the process, however it ends.
#include "weft_port.hpp"

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
namespace {

enum : uint32_t { access_event, clock_event, lock_event };
const char* const kind_names[] = {"an access", "a read of the clock", "the port's lock"};

struct Logged {
    uint32_t core_and_kind;  // core * 4 + kind
    uint32_t value;          // the site of an access; what the clock showed
};
struct Header {
    char magic[8];
    uint32_t version;
    uint32_t reserved;
    uint64_t image;  // hash of the executable
    uint64_t events;
};
constexpr char magic[8] = {'w', 'e', 'f', 't', 'r', 'p', 'l', 'y'};
constexpr uint32_t version = 1;
constexpr uint64_t most_events = 1u << 25;
constexpr time_t patience_s = 10;  // a core that does not come for its turn

enum class Mode { unknown, off, record, replay };
Mode mode = Mode::unknown;
Header* header = nullptr;
Logged* logged = nullptr;
uint64_t total = 0;
uint64_t position = 0;  // of the next event; written by the one whose turn it is
pthread_mutex_t turn_mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_once_t once = PTHREAD_ONCE_INIT;
thread_local bool in_turn = false;
thread_local bool has_mutex = false;

[[noreturn, gnu::format(printf, 1, 2)]] void die(const char* format, ...) {
    fputs("weft replay: ", stderr);
    va_list list;
    va_start(list, format);
    vfprintf(stderr, format, list);
    va_end(list);
    fputc('\n', stderr);
    _exit(3);
}

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
    const size_t size = sizeof(Header) + most_events * sizeof(Logged);
    if (file < 0 || ftruncate(file, static_cast<off_t>(size)) != 0)
        die("cannot write %s: %s", path, strerror(errno));
    map(file, size, PROT_READ | PROT_WRITE);
    memcpy(header->magic, magic, sizeof magic);
    header->version = version;
    header->image = hash_of_image();
    fprintf(stderr, "# recorded; to replay it, run the same command with WEFT_REPLAY=replay:%s\n", path);
    mode = Mode::record;
}

void begin_replay(const char* path) {
    const int file = open(path, O_RDONLY);
    struct stat about = {};
    if (file < 0 || fstat(file, &about) != 0) die("cannot read %s: %s", path, strerror(errno));
    const uint64_t size = static_cast<uint64_t>(about.st_size);
    if (size < sizeof(Header)) die("%s is truncated: it has no header", path);
    map(file, size, PROT_READ);
    if (memcmp(header->magic, magic, sizeof magic) != 0) die("%s is no log of a run", path);
    if (header->version != version)
        die("%s has version %u; this image reads version %u", path, header->version, version);
    if (header->image != hash_of_image()) die("%s was recorded with another image", path);
    total = header->events;
    if (total > (size - sizeof(Header)) / sizeof(Logged)) die("%s is truncated: it lacks events", path);
    mode = Mode::replay;
}

void begin() {
    const char* const what = getenv("WEFT_REPLAY");
    if (what == nullptr || *what == 0)
        mode = Mode::off;
    else if (strncmp(what, "record:", 7) == 0)
        begin_record(what + 7);
    else if (strncmp(what, "replay:", 7) == 0)
        begin_replay(what + 7);
    else
        die("WEFT_REPLAY=%s: record:FILE or replay:FILE is understood", what);
}

uint32_t tag(uint32_t kind) { return (this_core == unregistered ? 255u : this_core) * 4 + kind; }
uint64_t place() { return __atomic_load_n(&position, __ATOMIC_ACQUIRE); }

// Waits until the log says that it is the caller's turn. False: the log has ended.
bool wait_for_turn(uint32_t kind) {
    uint64_t seen = place();
    time_t since = time(nullptr);
    for (;;) {
        const uint64_t now = place();
        if (now >= total) return false;
        const uint32_t expected = logged[now].core_and_kind;
        if (expected / 4 == tag(kind) / 4) return true;
        if (now != seen) {
            seen = now;
            since = time(nullptr);
        } else if (time(nullptr) - since > patience_s) {
            die("diverged at event %llu: core %u is expected with %s and does not come; core %u waits with "
                "%s",
                static_cast<unsigned long long>(now), expected / 4, kind_names[expected % 4], tag(kind) / 4,
                kind_names[kind]);
        }
        sched_yield();
    }
}

uint32_t begin_event(uint32_t kind, uint32_t value) {
    if (mode == Mode::off) return value;
    // Before anything that blocks: a handler that interrupts an event would wait for itself.
    if (in_turn || isr_depth != 0) die("core %u: interrupts cannot be recorded", tag(kind) / 4);
    in_turn = true;
    pthread_once(&once, begin);
    if (mode == Mode::off) {
        in_turn = false;
        return value;
    }
    if (mode == Mode::replay && wait_for_turn(kind)) {
        const Logged& expected = logged[position];
        const bool same = expected.core_and_kind == tag(kind);
        if (!same || (kind != clock_event && expected.value != value))
            die("diverged at event %llu, core %u: expected %s (%08x), found %s (%08x)",
                static_cast<unsigned long long>(position), tag(kind) / 4,
                kind_names[expected.core_and_kind % 4], expected.value, kind_names[kind], value);
        return expected.value;
    }
    pthread_mutex_lock(&turn_mutex);
    has_mutex = true;
    if (mode == Mode::replay) return value;
    const uint64_t at = header->events;
    if (at == most_events) die("the log is full after %llu events", static_cast<unsigned long long>(at));
    logged[at] = {tag(kind), value};
    __atomic_store_n(&header->events, at + 1, __ATOMIC_RELEASE);
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
    const uint64_t next = position + 1;
    if (next == total)
        fprintf(stderr, "# replayed: all %llu events\n", static_cast<unsigned long long>(total));
    __atomic_store_n(&position, next, __ATOMIC_RELEASE);
}

}  // namespace

Turn::Turn(uint32_t site) { begin_event(access_event, site); }
Turn::~Turn() { end_event(); }

bool replaying() { return mode == Mode::replay && place() < total; }

uint32_t recorded_tick(uint32_t tick) {
    const uint32_t recorded = begin_event(clock_event, tick);
    end_event();
    return recorded;
}

// The order in which the cores get it is that of the events.
void lock_in_turn(pthread_mutex_t& mutex) {
    if (replaying()) {
        begin_event(lock_event, 0);
        pthread_mutex_lock(&mutex);
    } else {
        pthread_mutex_lock(&mutex);
        begin_event(lock_event, 0);
    }
    end_event();
}

}  // namespace host
}  // namespace weft
