// SPDX-License-Identifier: MIT OR Apache-2.0
// weft: OpenMP's explicit tasks (docs/OPENMP.md 6).
#include "layer.hpp"

namespace weft {
inline namespace WEFT_ABI {
namespace detail {
namespace openmp {

void Team::adopt(const Space& space) {
    free_ = nullptr;
    for (uint32_t i = space.count; i-- != 0;) {
        Record* const record = new (Place{space.records + i * space.stride}) Record();
        record->next_free = free_;
        free_ = record;
    }
    room_ = space.stride - sizeof(Record);
}

Record* Team::allocate() {
    const Locked locked(lock_);
    Record* const record = free_;
    if (record != nullptr) free_ = record->next_free;
    return record;
}

// With the lock.
void Team::give_back(Record& record) {
    record.next_free = free_;
    free_ = &record;
}

// A task that nobody has begun, which then is in no list any more.
Record* Team::take(List& list, In in) {
    if (ready_.load(relaxed) == 0) return nullptr;  // relaxed: a hint. Before a sleep it is after the fence
    const Locked locked(lock_);
    Hook* const hook = list.newest();
    if (hook == nullptr) return nullptr;
    Record& record = *(in == In::team     ? static_cast<Record*>(static_cast<OfTeam*>(hook))
                       : in == In::parent ? static_cast<Record*>(static_cast<OfParent*>(hook))
                                          : static_cast<Record*>(static_cast<OfGroup*>(hook)));
    all_ready_.remove(static_cast<OfTeam&>(record));
    record.parent->ready.remove(static_cast<OfParent&>(record));
    if (record.group != nullptr) record.group->ready.remove(static_cast<OfGroup&>(record));
    ready_.fetch_sub(1, relaxed);  // relaxed: a hint
    return &record;
}

void Team::run(Member& member, Record& record) {
    Node* const before = member.current;
    member.current = &record;
    record.function(record.data);
    member.current = before;
    finish(record);
}

bool Team::run_any(Member& member) {
    Record* const record = take(all_ready_, In::team);
    if (record == nullptr) return false;
    run(member, *record);
    return true;
}

// The task has ended. From its count down on, a parent or a group on somebody's stack is gone.
void Team::finish(Record& record) {
    bool last = false;
    {
        const Locked locked(lock_);
        Node& parent = *record.parent;
        Node* const group = record.group;
        // relaxed (both): only changed with the lock
        record.ended = true;
        if (record.unfinished.load(relaxed) == 0) give_back(record);
        const bool orphan = parent.is_record && parent.ended && parent.unfinished.load(relaxed) == 1;
        last = parent.unfinished.fetch_sub(1, release) == 1;  // [O8] what the task did
        if (orphan) give_back(static_cast<Record&>(parent));
        if (group != nullptr) last |= group->unfinished.fetch_sub(1, release) == 1;  // [O8]
        tasks_.fetch_sub(1, release);                                                // [O8]
    }
    if (!last) return;
    Port::fence();  // [O6] the count before the look for who sleeps
    tell(elsewhere_.look());
}

void Team::wait_for(Member& member, Node& node, In in) {
    uint32_t patience = WEFT_STEAL_PATIENCE;
    while (node.unfinished.load(acquire) != 0) {  // [O8] ends: with the last of them
        if (Record* const record = take(node.ready, in)) {
            run(member, *record);
            patience = WEFT_STEAL_PATIENCE;
        } else if (patience != 0) {
            --patience;
            Port::relax();
        } else {
            // relaxed (both): after the fence. A group gets tasks from others, too.
            elsewhere_.sleep(member.core, [&] {
                return node.unfinished.load(relaxed) == 0 || (in == In::group && ready_.load(relaxed) != 0);
            });
            Port::relax();
        }
    }
}

void Team::run_at_once(Member& member, Function function, void* data, bool final) {
    Node& parent = member.task();
    Node* const before = member.current;
    Node node;
    node.parent = &parent;
    node.group = parent.group;
    node.without_room = parent.without_room;
    node.final = final;
    member.current = &node;
    function(data);
    if (member.team != nullptr) member.team->wait_for(member, node, In::parent);
    member.current = before;
}

bool Team::defer(Member& member, const Order& order) {
    // Most often there is no gap.
    const size_t gap = order.alignment > data_alignment ? order.alignment - data_alignment : 0;
    const size_t bytes = order.bytes + gap;
    const uint32_t said = bytes < ~0u ? static_cast<uint32_t>(bytes) : ~0u;
    uint32_t largest = layer.counts.largest.load(relaxed);  // relaxed (all): statistics
    while (largest < said && !layer.counts.largest.compare_exchange(largest, said, relaxed, relaxed)) {
    }
    Record* const record = bytes <= room_ ? allocate() : nullptr;
    if (record == nullptr) {
        Counts::add(layer.counts.without_room);
        return false;
    }
    Counts::add(layer.counts.deferred);
    uintptr_t address = reinterpret_cast<uintptr_t>(record + 1);
    if (gap != 0) address = (address + order.alignment - 1) & ~uintptr_t(order.alignment - 1);
    void* const data = reinterpret_cast<void*>(address);
    copy(data, order);

    Node& parent = member.task();
    Record& made = *record;
    made.parent = &parent;
    made.group = parent.group;
    made.ready = List();
    made.unfinished.store(0, relaxed);  // relaxed: nobody else sees it yet
    made.without_room = 0;
    made.final = false;
    made.is_record = true;
    made.ended = false;
    made.function = order.function;
    made.data = data;
    {
        const Locked locked(lock_);
        all_ready_.push(static_cast<OfTeam&>(made));
        parent.ready.push(static_cast<OfParent&>(made));
        if (made.group != nullptr) made.group->ready.push(static_cast<OfGroup&>(made));
        // relaxed (all): who waits for them is the parent, or comes to the barrier after it
        parent.unfinished.fetch_add(1, relaxed);
        if (made.group != nullptr) made.group->unfinished.fetch_add(1, relaxed);
        tasks_.fetch_add(1, relaxed);
        ready_.fetch_add(1, relaxed);
    }
    tell_of_task();
    return true;
}

void Team::begin_group(Member& member) {
    Node& task = member.task();
    Record* const group = task.without_room == 0 ? allocate() : nullptr;
    if (group == nullptr) {
        if (task.without_room++ == 0) Counts::add(layer.counts.without_room);
        return;
    }
    group->parent = task.group;
    group->ready = List();
    group->unfinished.store(0, relaxed);  // relaxed: nobody else sees it yet
    task.group = group;
}

void Team::end_group(Member& member) {
    Node& task = member.task();
    if (task.without_room != 0) {
        --task.without_room;
        return;
    }
    Record& group = *static_cast<Record*>(task.group);
    wait_for(member, group, In::group);
    task.group = group.parent;
    const Locked locked(lock_);
    give_back(group);
}

// The data of a task, where it will run.
void Team::copy(void* to, const Order& order) {
    if (order.copy != nullptr) {
        order.copy(to, order.data);
    } else {
        __builtin_memcpy(to, order.data, order.bytes);
    }
    if (order.bounds != nullptr) __builtin_memcpy(to, order.bounds, order.bounds_bytes);
}

namespace {

// Of GCC's include/gomp-constants.h: what the compiler says about a task.
enum : unsigned {
    is_final = 1u << 1,
    has_dependences = 1u << 3,
    counts_up = 1u << 8,
    is_grain = 1u << 9,
    may_defer = 1u << 10,
    has_no_group = 1u << 11,
    can_be_detached = 1u << 13,
    is_strict = 1u << 14,
};

void create(Member& member, const Team::Order& order, bool deferred, bool final) {
    const Node& parent = member.task();
    if (parent.final) final = true;
    if (deferred && !final && member.team != nullptr && parent.without_room == 0 &&
        member.team->defer(member, order)) {
        return;
    }
    if (order.copy == nullptr) {
        // It may change what it was given: that is the creator's no more.
        if (order.bounds != nullptr) __builtin_memcpy(order.data, order.bounds, order.bounds_bytes);
        return Team::run_at_once(member, order.function, order.data, final);
    }
    const size_t alignment = order.alignment < 1 ? 1 : order.alignment;
    const uintptr_t room = reinterpret_cast<uintptr_t>(__builtin_alloca(order.bytes + alignment - 1));
    void* const data = reinterpret_cast<void*>((room + alignment - 1) & ~uintptr_t(alignment - 1));
    Team::copy(data, order);
    Team::run_at_once(member, order.function, data, final);
}
[[gnu::noinline]] void create_piece(Member& member, const Team::Order& order, bool deferred, bool final) {
    create(member, order, deferred, final);  // a stack frame for each: it has an alloca()
}

// How a taskloop is cut: the first `longer` tasks have one iteration more than the others.
template <class Unsigned>
struct Pieces {
    Unsigned count;
    Unsigned size;  // iterations of each
    Unsigned longer;
    Unsigned last;  // of the last one, if it is another number; or 0
};

template <class Unsigned>
Pieces<Unsigned> cut(Unsigned total, unsigned long wanted, unsigned flags, uint32_t threads) {
    if ((flags & is_grain) != 0) {
        const Unsigned grain = wanted == 0 ? 1 : wanted;
        if ((flags & is_strict) != 0) {
            const Unsigned count = (total - 1) / grain + 1;
            return {count, grain, 0, total - (count - 1) * grain};
        }
        const Unsigned count = total / grain == 0 ? 1 : total / grain;
        return {count, total / count, total % count, 0};
    }
    Unsigned count = wanted == 0 ? threads : wanted;
    if (count > total) count = total;
    return {count, total / count, total % count, 0};
}

template <class Int, class Unsigned>
void taskloop(Member& member, Team::Order order, unsigned flags, unsigned long wanted, Int from, Int to,
              Int step) {
    const bool up = (flags & counts_up) != 0;
    if (up ? from >= to : from <= to) return;
    const Unsigned by = static_cast<Unsigned>(step);
    const Unsigned total = steps_of<Unsigned>(up, static_cast<Unsigned>(from), static_cast<Unsigned>(to), by);
    const Pieces<Unsigned> pieces = cut<Unsigned>(total, wanted, flags, member.size());
    const bool grouped = (flags & has_no_group) == 0 && member.team != nullptr;
    if (grouped) member.team->begin_group(member);
    Int bounds[2];
    order.bounds = bounds;
    order.bounds_bytes = sizeof bounds;
    Unsigned begin = static_cast<Unsigned>(from);
    for (Unsigned i = 0; i != pieces.count; ++i) {
        Unsigned size = pieces.size + (i < pieces.longer ? 1u : 0u);
        if (pieces.last != 0 && i + 1 == pieces.count) size = pieces.last;
        const Unsigned end = begin + size * by;
        bounds[0] = static_cast<Int>(begin);
        bounds[1] = static_cast<Int>(end);
        create_piece(member, order, (flags & may_defer) != 0, (flags & is_final) != 0);
        begin = end;
    }
    if (grouped) member.team->end_group(member);
}

}  // namespace
}  // namespace openmp
}  // namespace detail
}  // namespace WEFT_ABI
}  // namespace weft

using namespace weft::detail::openmp;

extern "C" {

void GOMP_task(void (*function)(void*), void* data, void (*copy)(void*, void*), long bytes, long alignment,
               bool may_be_deferred, unsigned flags, void** dependences, int priority, void* detach);
void GOMP_taskwait(void);
void GOMP_taskwait_depend(void** dependences);
void GOMP_taskyield(void);
void GOMP_taskgroup_start(void);
void GOMP_taskgroup_end(void);
void GOMP_taskloop(void (*function)(void*), void* data, void (*copy)(void*, void*), long bytes,
                   long alignment, unsigned flags, unsigned long wanted, int priority, long from, long to,
                   long step);
void GOMP_taskloop_ull(void (*function)(void*), void* data, void (*copy)(void*, void*), long bytes,
                       long alignment, unsigned flags, unsigned long wanted, int priority, Wide from, Wide to,
                       Wide step);

void GOMP_task(void (*function)(void*), void* data, void (*copy)(void*, void*), long bytes, long alignment,
               bool may_be_deferred, unsigned flags, void**, int, void*) {
    if (WEFT_CHECKS && (flags & can_be_detached) != 0) {
        weft::Port::panic("weft: OpenMP tasks with `detach` are not supported", weft::Port::core_id(),
                          nullptr);
    }
    const Team::Order order = {
        function, data, copy, static_cast<size_t>(bytes), static_cast<size_t>(alignment), nullptr, 0};
    // Those with dependences run in the order of the program.
    create(this_member(), order, may_be_deferred && (flags & has_dependences) == 0, (flags & is_final) != 0);
}

void GOMP_taskwait(void) {
    Member& member = this_member();
    if (member.team != nullptr) member.team->wait_for(member, member.task(), Team::In::parent);
}
// Whatever it names has run.
void GOMP_taskwait_depend(void**) {}
void GOMP_taskyield(void) {}

void GOMP_taskgroup_start(void) {
    Member& member = this_member();
    if (member.team != nullptr) member.team->begin_group(member);
}
void GOMP_taskgroup_end(void) {
    Member& member = this_member();
    if (member.team != nullptr) member.team->end_group(member);
}

void GOMP_taskloop(void (*function)(void*), void* data, void (*copy)(void*, void*), long bytes,
                   long alignment, unsigned flags, unsigned long wanted, int, long from, long to, long step) {
    const Team::Order order = {
        function, data, copy, static_cast<size_t>(bytes), static_cast<size_t>(alignment), nullptr, 0};
    taskloop<long, unsigned long>(this_member(), order, flags, wanted, from, to, step);
}
void GOMP_taskloop_ull(void (*function)(void*), void* data, void (*copy)(void*, void*), long bytes,
                       long alignment, unsigned flags, unsigned long wanted, int, Wide from, Wide to,
                       Wide step) {
    const Team::Order order = {
        function, data, copy, static_cast<size_t>(bytes), static_cast<size_t>(alignment), nullptr, 0};
    taskloop<Wide, Wide>(this_member(), order, flags, wanted, from, to, step);
}

}  // extern "C"
