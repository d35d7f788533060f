// SPDX-License-Identifier: MIT OR Apache-2.0
// weft: what the sources of the OpenMP layer share: the team, its members, shared loops (docs/OPENMP.md).
#pragma once

#include <weft/openmp.hpp>

namespace weft {
inline namespace WEFT_ABI {
namespace detail {
namespace openmp {

// Where an object is made in memory that is there. (There is no <new> on every machine.)
struct Place {
    void* memory;
};

}  // namespace openmp
}  // namespace detail
}  // namespace WEFT_ABI
}  // namespace weft

inline void* operator new(size_t, weft::detail::openmp::Place at) { return at.memory; }

namespace weft {
inline namespace WEFT_ABI {
namespace detail {
namespace openmp {

using Function = void (*)(void*);

// Spins: the holder runs on another core.
class Lock {
public:
    constexpr Lock() = default;
    void lock() {
        while (!try_lock()) Port::relax();
    }
    bool try_lock() {
        if (word_.load(relaxed) != 0) return false;  // relaxed: a guess
        return word_.exchange(1, acquire) == 0;      // [O1] what the holder before has done
    }
    void unlock() { word_.store(0, release); }  // [O1]

private:
    Atomic<uint32_t> word_{};
};
class Locked {
public:
    explicit Locked(Lock& lock) : lock_(lock) { lock_.lock(); }
    ~Locked() { lock_.unlock(); }
    Locked(const Locked&) = delete;
    Locked& operator=(const Locked&) = delete;

private:
    Lock& lock_;
};

// ---- Shared loops

// `fixed`: a chunk of 0 makes one block for each thread.
enum class Kind : uint32_t { none, fixed = 1, dynamic = 2, guided = 3 };

using Wide = unsigned long long;

// A loop, counted: iteration i has the value start + i * step, in the arithmetic of the loop's type.
struct Range {
    Kind kind;
    Wide start, end, step;
    Wide total;        // iterations
    Wide chunk;        // how many at a time
    uintptr_t chunks;  // how often
};

// The loop from start to end; the last iteration is before end.
template <class Unsigned>
inline Range range_of(Kind kind, Unsigned start, Unsigned end, Unsigned step, Unsigned total,
                      Unsigned chunk) {
    if (chunk == 0 && kind != Kind::fixed) chunk = 1;
    Unsigned chunks = 0;
    if (total != 0 && chunk != 0) {
        // Members claim one each beyond the last one.
        constexpr uintptr_t most = ~uintptr_t(0) >> 1;
        while ((chunks = (total - 1) / chunk + 1) > most) chunk *= 2;  // ends: chunks halves
    }
    return {kind, start, end, step, total, chunk, static_cast<uintptr_t>(chunks)};
}
// How many steps from start to before end. `step` as it is, `up` says its sign.
template <class Unsigned>
constexpr Unsigned steps_of(bool up, Unsigned start, Unsigned end, Unsigned step) {
    return up ? (end - start - 1) / step + 1 : (start - end - 1) / (Unsigned(0) - step) + 1;
}

struct Share {
    constexpr Share() {}

    // [ the ordinal of the loop that it is for : 30 | state : 2 ]
    enum : uint32_t { is_free, is_prepared, is_ready, next_ordinal };
    Atomic<uint32_t> turn{};
    Atomic<uint32_t> left{};      // how many members have left it
    Atomic<uintptr_t> claimed{};  // chunks
    Range range{};
    Plain<uintptr_t> chunks{};  // of the range

    void prepare(const Range& loop) {
        range = loop;
        chunks.set(loop.chunks);
        claimed.store(0, relaxed);  // relaxed: the store of turn, or of the crew's word, comes after it
    }
};

// ---- Members

class Team;

// A thread of a team: on the stack of its core, for one region.
struct Member {
    constexpr Member() {}

    uint32_t size() const { return others + 1; }
    Node& task() { return current != nullptr ? *current : implicit; }

    Team* team = nullptr;  // of a team of one: nullptr
    uint32_t others = 0;   // threads besides this one
    uint32_t number = 0;
    uint32_t level = 0;   // regions around
    uint32_t active = 0;  // those of them with more than one thread
    uint32_t core = 0;
    uint32_t met_shares = 0;  // loops and sections that it has come to
    uint32_t met_singles = 0;
    Share* share = nullptr;   // the one that it is in
    Wide trips = 0;           // chunks that it has had of a fixed schedule
    Node* current = nullptr;  // the explicit task that it runs
    Node implicit{};
    Share own{};              // of a team of one
    Member* outer = nullptr;  // that this core is, around the region
};

// The member comes to the loop that is its next one; the first to come prepares it.
void begin_share(Member& member, const Range& range);
// It leaves the loop.
void end_share(Member& member);

// The calling core's. Panics where there may be none (checked builds).
Member& this_member();
// For queries: no check, and nullptr outside of regions.
Member* member_or_none();

// ---- The team

// What a core waits in, and who waits: a bit for each core of the pool, and one for a master that is foreign.
class Sleepers {
public:
    constexpr Sleepers() {}

    static constexpr uint32_t foreign = 31;
    static uint32_t bit_of(uint32_t core) { return 1u << (core < Scheduler::most_cores ? core : foreign); }

    // Sleeps, unless has_come() by the last look.
    template <class Condition>
    void sleep(uint32_t core, Condition has_come) {
        const uint32_t bit = bit_of(core);
        word_.fetch_or(bit, relaxed);  // relaxed (both): by the fence
        Port::fence();                 // [O6] the bit before the last look
        if (!has_come()) Port::park();
        word_.fetch_and(~bit, relaxed);
    }
    // After a fence [O6]. relaxed: by it
    uint32_t look() const { return word_.load(relaxed); }
    // It is told: the next one is for somebody else. relaxed: who sleeps sets it again
    void forget(uint32_t bit) { word_.fetch_and(~bit, relaxed); }

private:
    Atomic<uint32_t> word_{};
};

class Team {
public:
    constexpr Team() {}

    static constexpr uint32_t shares = 4;

    // By the master, while nobody else sees it.
    void prepare(Function function, void* data, const Member& master, const Range* loop);
    // A member begins: with the loop that all begin with, if there is one.
    void enter(Member& member, uint32_t number, uint32_t size);
    // All members and all tasks have come here.
    void barrier(Member& member);
    // Runs the node's tasks until its count is 0. `in`: whether it is their parent or their group.
    enum class In { team, parent, group };
    void wait_for(Member& member, Node& node, In in);

    // As GOMP_task. False: it must run at once.
    struct Order {
        Function function;
        void* data;
        void (*copy)(void* to, void* from);
        size_t bytes;
        size_t alignment;
        const void* bounds;  // that a piece of a taskloop begins with, or nullptr
        size_t bounds_bytes;
    };
    bool defer(Member& member, const Order& order);
    static void copy(void* to, const Order& order);

    // Runs it now, in a stack frame of its own.
    static void run_at_once(Member& member, Function function, void* data, bool final);

    void begin_group(Member& member);
    void end_group(Member& member);

    Plain<Function> function{};  // of the region
    Plain<void*> shared{};       // its data
    Plain<uint32_t> level{};     // of its region
    Plain<uint32_t> begins_in_a_loop{};
    Share share[shares]{};
    Atomic<uint32_t> singles{};  // how many have been taken
    Plain<void*> copied{};       // copyprivate
    Atomic<uint32_t> inside{};   // members but for the master that have not left

    // The records of the memory.
    void adopt(const Space& space);

private:
    void tell(uint32_t cores);
    void tell_of_task();
    Record* take(List& list, In in);
    bool run_any(Member& member);
    void run(Member& member, Record& record);
    void finish(Record& record);
    Record* allocate();
    void give_back(Record& record);

    // [ round : 24 | members that have arrived : 8 ]
    static constexpr uint32_t arrived = 0xff;
    Atomic<uint32_t> round_{};
    Atomic<uint32_t> tasks_{};  // deferred, and not ended
    Atomic<uint32_t> ready_{};  // deferred, and not begun
    Sleepers at_barriers_{};
    Sleepers elsewhere_{};
    uint32_t master_ = 0;
    Lock lock_{};
    List all_ready_{};
    Record* free_ = nullptr;
    size_t room_ = 0;
};

// ---- The crew

// A task that brings a core into the team.
class Invitation : public Task {
public:
    Invitation() : Task(&Invitation::run) {}

    // False: it is queued already.
    bool claim() { return queued_.exchange(1, acq_rel) == 0; }  // [O4] its run has looked for a team before
    void unclaim() { queued_.store(0, relaxed); }               // relaxed: it was never queued

private:
    static void run(Task& self);

    Atomic<uint32_t> queued_{};
};
static_assert(sizeof(Invitation) <= invitation_bytes,
              "weft: an invitation is too large for its place in openmp::Memory");

// The memory that was attached, and who has it for a team.
class Crew {
public:
    constexpr Crew() {}
    Status attach(Scheduler& pool, const Space& space);
    Status detach();
    // The most threads that a region may have.
    uint32_t limit() const;
    // True: there was a team, and the region is over.
    bool run(Member* outer, Member& member, Function function, void* data, uint32_t threads,
             const Range* loop);
    void join_in();
    void must_be_attached() const;

private:
    // The word `call_`.
    static constexpr uint32_t open = 1u << 31;
    static constexpr uint32_t joined = 0xff;
    static constexpr uint32_t most_at = 8;

    bool take() {
        if (busy_.load(relaxed) != 0) return false;  // relaxed: a guess
        return busy_.exchange(1, acquire) == 0;      // [O2] what the last region has done with the memory
    }
    void give_back() { busy_.store(0, release); }  // [O2]
    Invitation& invitation(uint32_t core) {
        return *reinterpret_cast<Invitation*>(space_.invitations + core * invitation_bytes);
    }
    uint32_t invite(Scheduler& pool, uint32_t self, uint32_t most);
    uint32_t gather(Scheduler& pool, uint32_t self, uint32_t most);

    Atomic<Scheduler*> pool_{};
    Atomic<uint32_t> cores_{};         // the most that a team may have; 0: there is no pool
    Atomic<uint32_t> was_attached_{};  // ever
    Atomic<uint32_t> busy_{};          // 1: taken
    Atomic<uint32_t> call_{};          // [ open | 0 | how many may join : 8 | how many have joined : 8 ]
    Space space_{};
    Team team_{};
};

// What a region is begun with: `threads` as GOMP_parallel says it. `loop`: that all begin with, or nullptr.
void region(Function function, void* data, uint32_t threads, const Range* loop);

// What happens, for figures().
struct Counts {
    constexpr Counts() {}

    Atomic<uint32_t> teams{}, alone{}, deferred{}, without_room{}, largest{};
    void reset() {
        Atomic<uint32_t>* const all[] = {&teams, &alone, &deferred, &without_room, &largest};
        for (Atomic<uint32_t>* each : all) each->store(0, relaxed);  // relaxed (all): statistics
    }
    static void add(Atomic<uint32_t>& count) { count.fetch_add(1, relaxed); }
};

// One value for all threads. relaxed (all): a setting, no data
struct Settings {
    constexpr Settings() {}

    Atomic<uint32_t> threads{};  // 0: as many as there are
    Atomic<uint32_t> kind{};     // 0: dynamic
    Atomic<uint32_t> chunk{};
};

// All that there is, besides the memory; zero at the start.
struct Layer {
    constexpr Layer() {}

    Crew crew{};
    // Each core touches its own entries only.
    Member* here[Port::max_cores] = {};
    Member outside[Port::max_cores]{};  // outside of regions: a thread of its own
    Counts counts{};
    Settings settings{};
};
WEFT_CONSTINIT inline Layer layer{};

// The time is looked at, so that a turn of the port's clock is counted.
void look_at_the_clock();

}  // namespace openmp
}  // namespace detail
}  // namespace WEFT_ABI
}  // namespace weft
