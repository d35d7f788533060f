// SPDX-License-Identifier: MIT OR Apache-2.0
// weft: OpenMP's loops and sections, whose iterations a team shares (docs/OPENMP.md 5).
#include "layer.hpp"

namespace weft {
inline namespace WEFT_ABI {
namespace detail {
namespace openmp {

void begin_share(Member& member, const Range& range) {
    member.trips = 0;
    if (member.team == nullptr) {
        member.own.prepare(range);
        member.share = &member.own;
        return;
    }
    const uint32_t ordinal = member.met_shares++;
    Share& share = member.team->share[ordinal % Team::shares];
    const uint32_t turn = ordinal << 2;
    member.share = &share;
    for (
        ;
        ;) {  // ends: the members that are in an older loop of this place leave it, or the first one has prepared it
        uint32_t seen = share.turn.load(acquire);  // [O7] the loop as it was prepared
        if (seen == (turn | Share::is_ready)) return;
        // [O7] what the members of the older loop did with it. relaxed on failure: it is loaded again
        if (seen == (turn | Share::is_free) &&
            share.turn.compare_exchange(seen, turn | Share::is_prepared, acquire, relaxed)) {
            break;
        }
        Port::relax();
    }
    share.prepare(range);
    share.turn.store(turn | Share::is_ready, release);  // [O7]
}

void end_share(Member& member) {
    Share& share = *member.share;
    member.share = nullptr;
    if (member.team == nullptr) return;
    // [O7] its last touch of the loop, for the last one that leaves
    if (share.left.fetch_add(1, acq_rel) != member.others) return;
    share.left.store(0, relaxed);  // relaxed: before the next store
    const uint32_t next = (member.met_shares - 1 + Team::shares) << 2;
    share.turn.store(next | Share::is_free, release);  // [O7]
}

namespace {

// The next iterations of the member: numbers first and count. False: there are none.
template <class Unsigned>
bool claim(Member& member, Share& share, Unsigned& first, Unsigned& count) {
    const Range& range = share.range;
    Atomic<uintptr_t>& claimed = share.claimed;
    const uintptr_t all = share.chunks.get();
    const Unsigned total = static_cast<Unsigned>(range.total);
    const Unsigned chunk = static_cast<Unsigned>(range.chunk);
    uintptr_t at = 0;
    uintptr_t chunks = 1;
    if (range.kind == Kind::fixed) {
        const Unsigned trip = static_cast<Unsigned>(member.trips++);
        if (chunk == 0) {
            const Unsigned each = total / member.size();
            const Unsigned longer = total % member.size();
            const Unsigned before = member.number < longer ? member.number : longer;
            first = each * member.number + before;
            count = each + (member.number < longer ? 1u : 0u);
            return trip == 0 && count != 0;
        }
        const Unsigned number = trip * member.size() + member.number;
        if (number >= all) return false;
        at = static_cast<uintptr_t>(number);
    } else if (range.kind == Kind::dynamic) {
        at = claimed.fetch_add(
            1, relaxed);  // relaxed (all): a number; the loop itself was acquired with its turn
        if (at >= all) return false;
    } else {
        at = claimed.load(relaxed);
        do {
            if (at >= all) return false;
            chunks = (all - at) / member.size();
            if (chunks == 0) chunks = 1;
        } while (!claimed.compare_exchange(at, at + chunks, relaxed, relaxed));
    }
    first = static_cast<Unsigned>(at) * chunk;
    count = static_cast<Unsigned>(chunks) * chunk;
    if (at + chunks >= all) count = total - first;
    return true;
}

template <class Int, class Unsigned>
bool next(Int* from, Int* to) {
    Member& member = this_member();
    const Range& range = member.share->range;
    Unsigned first = 0;
    Unsigned count = 0;
    if (!claim(member, *member.share, first, count)) return false;
    const Unsigned start = static_cast<Unsigned>(range.start);
    const Unsigned step = static_cast<Unsigned>(range.step);
    const bool is_last = first + count == static_cast<Unsigned>(range.total);
    *from = static_cast<Int>(start + first * step);
    // The compiler knows the last iteration by the end.
    *to = static_cast<Int>(is_last ? static_cast<Unsigned>(range.end) : start + (first + count) * step);
    return true;
}

template <class Int, class Unsigned>
Range range(Kind kind, bool up, Int start, Int end, Int step, Int chunk) {
    const Unsigned a = static_cast<Unsigned>(start);
    const Unsigned b = static_cast<Unsigned>(end);
    const Unsigned by = static_cast<Unsigned>(step);
    const bool none = up ? start >= end : start <= end;
    const Unsigned each = chunk < 1 ? 0 : static_cast<Unsigned>(chunk);
    return range_of<Unsigned>(kind, a, b, by, none ? 0 : steps_of<Unsigned>(up, a, b, by), each);
}

bool start(Kind kind, long from, long to, long step, long chunk, long* first, long* end) {
    begin_share(this_member(), range<long, unsigned long>(kind, step > 0, from, to, step, chunk));
    return next<long, unsigned long>(first, end);
}
bool start(Kind kind, bool up, Wide from, Wide to, Wide step, Wide chunk, Wide* first, Wide* end) {
    begin_share(this_member(), range<Wide, Wide>(kind, up, from, to, step, chunk));
    return next<Wide, Wide>(first, end);
}

// What schedule(runtime) is.
struct Runtime {
    // relaxed (all): a setting
    Runtime()
        : kind(static_cast<Kind>(layer.settings.kind.load(relaxed))),
          chunk(static_cast<long>(layer.settings.chunk.load(relaxed))) {
        if (kind == Kind::none) kind = Kind::dynamic;
    }
    Kind kind;
    long chunk;
};

void in_parallel(void (*function)(void*), void* data, unsigned threads, Kind kind, long from, long to,
                 long step, long chunk) {
    const Range loop = range<long, unsigned long>(kind, step > 0, from, to, step, chunk);
    region(function, data, threads, &loop);
}

Range sections(unsigned count) { return range_of<unsigned>(Kind::dynamic, 1, count + 1, 1, count, 1); }
unsigned next_section() {
    unsigned from = 0;
    unsigned to = 0;
    return next<unsigned, unsigned>(&from, &to) ? from : 0;
}

void end_with_barrier() {
    Member& member = this_member();
    end_share(member);
    if (member.team != nullptr) member.team->barrier(member);
}

}  // namespace
}  // namespace openmp
}  // namespace detail
}  // namespace WEFT_ABI
}  // namespace weft

using namespace weft::detail::openmp;

// What GCC calls, by the names of libgomp. A loop over long, over unsigned long long (ull), and one that a region is
// begun with. Monotonic or not: each member's chunks come in ascending order anyway.
#define WEFT_GOMP_NEXT(name)                                                                               \
    extern "C" bool GOMP_loop_##name##_next(long* first, long* end);                                       \
    extern "C" bool GOMP_loop_ull_##name##_next(Wide* first, Wide* end);                                   \
    bool GOMP_loop_##name##_next(long* first, long* end) { return next<long, unsigned long>(first, end); } \
    bool GOMP_loop_ull_##name##_next(Wide* first, Wide* end) { return next<Wide, Wide>(first, end); }

#define WEFT_GOMP_LOOP(name, kind)                                                                        \
    WEFT_GOMP_NEXT(name)                                                                                  \
    extern "C" bool GOMP_loop_##name##_start(long from, long to, long step, long chunk, long* first,      \
                                             long* end);                                                  \
    extern "C" bool GOMP_loop_ull_##name##_start(bool up, Wide from, Wide to, Wide step, Wide chunk,      \
                                                 Wide* first, Wide* end);                                 \
    extern "C" void GOMP_parallel_loop_##name(void (*function)(void*), void* data, unsigned threads,      \
                                              long from, long to, long step, long chunk, unsigned flags); \
    bool GOMP_loop_##name##_start(long from, long to, long step, long chunk, long* first, long* end) {    \
        return start(kind, from, to, step, chunk, first, end);                                            \
    }                                                                                                     \
    bool GOMP_loop_ull_##name##_start(bool up, Wide from, Wide to, Wide step, Wide chunk, Wide* first,    \
                                      Wide* end) {                                                        \
        return start(kind, up, from, to, step, chunk, first, end);                                        \
    }                                                                                                     \
    void GOMP_parallel_loop_##name(void (*function)(void*), void* data, unsigned threads, long from,      \
                                   long to, long step, long chunk, unsigned) {                            \
        in_parallel(function, data, threads, kind, from, to, step, chunk);                                \
    }

// By omp_set_schedule(): no chunk is given.
#define WEFT_GOMP_RUNTIME_LOOP(name)                                                                    \
    WEFT_GOMP_NEXT(name)                                                                                \
    extern "C" bool GOMP_loop_##name##_start(long from, long to, long step, long* first, long* end);    \
    extern "C" bool GOMP_loop_ull_##name##_start(bool up, Wide from, Wide to, Wide step, Wide* first,   \
                                                 Wide* end);                                            \
    extern "C" void GOMP_parallel_loop_##name(void (*function)(void*), void* data, unsigned threads,    \
                                              long from, long to, long step, unsigned flags);           \
    bool GOMP_loop_##name##_start(long from, long to, long step, long* first, long* end) {              \
        const Runtime now;                                                                              \
        return start(now.kind, from, to, step, now.chunk, first, end);                                  \
    }                                                                                                   \
    bool GOMP_loop_ull_##name##_start(bool up, Wide from, Wide to, Wide step, Wide* first, Wide* end) { \
        const Runtime now;                                                                              \
        return start(now.kind, up, from, to, step, static_cast<Wide>(now.chunk), first, end);           \
    }                                                                                                   \
    void GOMP_parallel_loop_##name(void (*function)(void*), void* data, unsigned threads, long from,    \
                                   long to, long step, unsigned) {                                      \
        const Runtime now;                                                                              \
        in_parallel(function, data, threads, now.kind, from, to, step, now.chunk);                      \
    }

WEFT_GOMP_LOOP(static, Kind::fixed)
WEFT_GOMP_LOOP(dynamic, Kind::dynamic)
WEFT_GOMP_LOOP(guided, Kind::guided)
WEFT_GOMP_LOOP(nonmonotonic_dynamic, Kind::dynamic)
WEFT_GOMP_LOOP(nonmonotonic_guided, Kind::guided)
WEFT_GOMP_RUNTIME_LOOP(runtime)
WEFT_GOMP_RUNTIME_LOOP(nonmonotonic_runtime)
WEFT_GOMP_RUNTIME_LOOP(maybe_nonmonotonic_runtime)

extern "C" {

void GOMP_loop_end(void);
void GOMP_loop_end_nowait(void);
unsigned GOMP_sections_start(unsigned count);
unsigned GOMP_sections_next(void);
void GOMP_sections_end(void);
void GOMP_sections_end_nowait(void);
void GOMP_parallel_sections(void (*function)(void*), void* data, unsigned threads, unsigned count,
                            unsigned flags);

void GOMP_loop_end(void) { end_with_barrier(); }
void GOMP_loop_end_nowait(void) { end_share(this_member()); }
unsigned GOMP_sections_start(unsigned count) {
    begin_share(this_member(), sections(count));
    return next_section();
}
unsigned GOMP_sections_next(void) { return next_section(); }
void GOMP_sections_end(void) { end_with_barrier(); }
void GOMP_sections_end_nowait(void) { end_share(this_member()); }
void GOMP_parallel_sections(void (*function)(void*), void* data, unsigned threads, unsigned count, unsigned) {
    const Range loop = sections(count);
    region(function, data, threads, &loop);
}

}  // extern "C"
