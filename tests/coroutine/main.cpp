// SPDX-License-Identifier: MIT OR Apache-2.0
// Tests of coroutines: the same source on every board and on the host. The first word of a name is the promise.
#include "coroutine.hpp"

namespace coroutine {

extern const tap::Tests panics_tests;

namespace {

// A frame on the 64-bit machines, with sanitizers, too.
constexpr size_t block = 768;

// Core 0 works until it is so.
template <class AnyPool, class Condition>
void work_until(AnyPool& pool, Condition condition, const char* what) {
    tap::wait_for(
        [&] {
            static_cast<void>(pool.poll(1));
            return condition();
        },
        what);
}

// One more for each local that has ended.
struct Witness {
    explicit Witness(Atomic<uint32_t>& ended) : ended_(ended) {}
    Witness(const Witness&) = delete;
    Witness& operator=(const Witness&) = delete;
    ~Witness() { ended_.fetch_add(1, acq_rel); }

private:
    Atomic<uint32_t>& ended_;
};

uint32_t destroy_all(weft::Batch& left) {
    uint32_t found = 0;
    while (weft::Task* task = left.pop()) found += weft::destroy_coroutine(*task) ? 1u : 0u;
    return found;
}

// ---- Frames

FrameArena<block, 1> single;
WEFT_CONSTINIT weft::Pool<1> frames_pool{};

// (A compiler that sees its body may need no frame.)
[[gnu::noinline]] Coroutine<void> nothing(FrameSource&) { co_return; }

void N7_frames_come_from_an_arena() {
    {
        auto first = nothing(single);
        auto second = nothing(single);
        CHECK(static_cast<bool>(first));
        CHECK(!second);
        CHECK(second.spawn(frames_pool) == Status::null_run);
        CHECK_EQ(single.missed(), 1u);
    }
    CHECK_EQ(single.used(), 0u);
    CHECK_EQ(single.most_used(), 1u);
    CHECK_EQ(single.missed(), 1u);
    CHECK(single.most_wanted() <= block);
    for (uint32_t i = 0; i < 3; ++i) {
        REQUIRE(nothing(single).spawn(frames_pool) == Status::ok);
        CHECK_EQ(single.used(), 1u);
        static_cast<void>(frames_pool.poll(1));
        CHECK_EQ(single.used(), 0u);
    }
    frames_pool.shutdown();
    CHECK(frames_pool.join() == Status::ok);
    CHECK(nothing(single).spawn(frames_pool) == Status::closed);  // and its frame ends with it
    CHECK_EQ(single.used(), 0u);
}

FrameArena<block, 1> second_arena;

[[gnu::noinline]] Coroutine<void> of_two_arenas(FrameSource&, FrameSource&) { co_return; }
[[gnu::noinline]] Coroutine<void> of_two_types(FrameArena<block, 1>&, FrameSource&) { co_return; }
struct HasMember {
    [[gnu::noinline]] Coroutine<void> of_member(FrameSource&, FrameSource&) { co_return; }
};

// The others are arguments like any other, for the frames of children.
void N7_a_frame_is_in_the_first_arena() {
    {
        const auto one = of_two_arenas(single, second_arena);
        CHECK(single.used() == 1 && second_arena.used() == 0);
    }
    {
        const auto one = of_two_types(single, second_arena);
        CHECK(single.used() == 1 && second_arena.used() == 0);
    }
    HasMember object;
    const auto one = object.of_member(single, second_arena);
    CHECK(single.used() == 1 && second_arena.used() == 0);
}

// The object of a lambda comes before the arena, as that of a member function.
void N7_a_lambda_is_a_coroutine() {
    uint32_t runs = 0;
    const auto counts = [&runs](FrameSource&, uint32_t by) -> Coroutine<void> {
        const Status hop = co_await frames_pool;
        if (hop == Status::closed) runs += by;
    };
    REQUIRE(counts(single, 7).spawn(frames_pool) == Status::closed);
    auto first = counts(single, 7);
    CHECK_EQ(single.used(), 1u);
    weft::Pool<1> pool;
    REQUIRE(first.spawn(pool) == Status::ok);
    static_cast<void>(pool.poll(1));
    CHECK_EQ(runs, 7u);
    CHECK_EQ(single.used(), 0u);
    pool.shutdown();
    CHECK(pool.join() == Status::ok);
}

template <uint32_t bytes>
[[gnu::noinline]] Coroutine<void> with_locals(FrameSource&, uint32_t at) {
    volatile unsigned char kept[bytes] = {};
    kept[at] = 1;
    const Status hop = co_await frames_pool;
    CHECK(hop == Status::ok && kept[at] == 1);
}
template <uint32_t bytes>
uint32_t wanted_by() {
    FrameArena<2048, 1> arena;
    const auto one = with_locals<bytes>(arena, 3);
    CHECK(static_cast<bool>(one));
    return static_cast<uint32_t>(arena.most_wanted());
}

// Compilers lay out frames in words; an arena counts in pairs of them.
void N7_what_is_wanted_is_a_size_of_an_arena() {
    constexpr uint32_t unit = 2 * sizeof(void*);
    CHECK_EQ(wanted_by<8>() % unit, 0u);
    CHECK_EQ((wanted_by<8 + sizeof(void*)>() % unit), 0u);
    CHECK_EQ((wanted_by<8 + 2 * sizeof(void*)>() % unit), 0u);
    CHECK_EQ((wanted_by<8 + 3 * sizeof(void*)>() % unit), 0u);
}

// ---- Pool, strand, event, child

constexpr uint32_t count = 50;
WEFT_CONSTINIT Pool hop_pool{};
WEFT_CONSTINIT weft::Strand strand{hop_pool};
WEFT_CONSTINIT weft::Event event{hop_pool};
FrameArena<block, 2 * count> hop_frames;
uint32_t in_strand;
Atomic<uint32_t> ended;

Coroutine<uint32_t> square(FrameSource&, uint32_t of) {
    CHECK(co_await hop_pool == Status::ok);
    co_return of* of;
}
Coroutine<void> hops(FrameSource& frames, uint32_t number) {
    CHECK_EQ(co_await square(frames, number), number * number);
    CHECK(co_await event == Status::ok);
    CHECK(co_await strand == Status::ok);
    ++in_strand;
    CHECK(co_await hop_pool == Status::ok);
    ended.fetch_add(1, acq_rel);
}

void N7_a_coroutine_goes_on_where_it_is_submitted() {
    for (uint32_t round = 1; round <= 3; ++round) {
        event.clear();
        for (uint32_t i = 0; i < count; ++i) REQUIRE(hops(hop_frames, i).spawn(hop_pool) == Status::ok);
        CHECK(event.set() == Status::ok);
        work_until(
            hop_pool, [&] { return ended.load(acquire) == round * count; }, "coroutines");
    }
    hop_pool.shutdown();
    CHECK(hop_pool.join() == Status::ok);
    CHECK_EQ(in_strand, 3 * count);
    CHECK_EQ(hop_frames.used(), 0u);
}

// ---- Refused

WEFT_CONSTINIT weft::Pool<1> closed_pool{};
FrameArena<block, 3> closed_frames;
Status of_hop, of_group, of_group_without_frames;
uint32_t begun;

Coroutine<void> begins(FrameSource&) {
    ++begun;
    co_return;
}
Coroutine<void> is_refused(FrameSource& frames) {
    auto first = begins(frames);
    auto second = begins(frames);
    auto third = begins(frames);  // no block
    of_group_without_frames = co_await weft::when_all(closed_pool, first, third);
    closed_pool.shutdown();
    of_hop = co_await closed_pool;
    of_group = co_await weft::when_all(closed_pool, second);
}

void N7_a_refused_hop_goes_on_at_once() {
    REQUIRE(is_refused(closed_frames).spawn(closed_pool) == Status::ok);
    while (closed_frames.used() != 0) REQUIRE(closed_pool.poll(4).status != Status::wrong_context);
    CHECK(of_group_without_frames == Status::null_run);
    CHECK(of_hop == Status::closed);
    CHECK(of_group == Status::closed);
    CHECK_EQ(begun, 1u);
    CHECK(closed_pool.join() == Status::ok);
}

// ---- Handed back

WEFT_CONSTINIT weft::Pool<1> abandoned_pool{};
WEFT_CONSTINIT weft::Strand left_strand{abandoned_pool};
WEFT_CONSTINIT weft::Event never{abandoned_pool};
FrameArena<block, 12> left_frames;
Atomic<uint32_t> left_ended;

Coroutine<uint32_t> stuck_child(FrameSource&) {
    const Witness witness(left_ended);
    static_cast<void>(co_await never);
    co_return 0;
}
Coroutine<void> stuck(FrameSource& frames) {
    const Witness witness(left_ended);
    static_cast<void>(co_await stuck_child(frames));
}
Coroutine<void> stuck_in_strand(FrameSource&) {
    const Witness witness(left_ended);
    static_cast<void>(co_await left_strand);
}
Coroutine<void> stuck_in_pool(FrameSource&) {
    const Witness witness(left_ended);
    static_cast<void>(co_await abandoned_pool);
}
Coroutine<void> stuck_group(FrameSource& frames) {
    const Witness witness(left_ended);
    auto ends = nothing(frames);
    auto first = stuck_child(frames);
    auto second = stuck_child(frames);
    static_cast<void>(co_await weft::when_all(abandoned_pool, first, ends, second));
}

void N7_an_abandoned_pool_hands_coroutines_back() {
    REQUIRE(stuck(left_frames).spawn(abandoned_pool) == Status::ok);
    REQUIRE(stuck_group(left_frames).spawn(abandoned_pool) == Status::ok);
    for (uint32_t i = 0; i < 12; ++i) static_cast<void>(abandoned_pool.poll(1));
    // One that waits in the strand, one that has not begun there, one in the pool that has not begun.
    REQUIRE(stuck_in_strand(left_frames).spawn(abandoned_pool) == Status::ok);
    static_cast<void>(abandoned_pool.poll(1));
    REQUIRE(stuck_in_pool(left_frames).spawn(abandoned_pool) == Status::ok);
    abandoned_pool.shutdown(weft::Shutdown::abandon);
    weft::Batch left;
    CHECK(abandoned_pool.join(left) == Status::ok);
    const uint32_t of_pool = destroy_all(left);
    CHECK_EQ(of_pool, 1u);  // the strand's own task comes, too, and is no coroutine
    left_strand.take_back(left);
    CHECK_EQ(destroy_all(left), 1u);
    never.take_back(left);
    CHECK_EQ(left.size(), 3u);
    CHECK_EQ(destroy_all(left), 3u);
    CHECK_EQ(left_ended.load(acquire), 6u);  // all locals but those of the one that had not begun
    CHECK_EQ(left_frames.used(), 0u);
}

// ---- Groups

constexpr uint32_t depth = 4;
constexpr uint32_t leaves = 1u << depth;
WEFT_CONSTINIT Pool group_pool{};
FrameArena<block, 2 * leaves> group_frames;
uint32_t plain_sum[leaves];  // no atomics: the group orders them
Atomic<uint32_t> sums;

Coroutine<uint32_t> sum(FrameSource& frames, uint32_t first, uint32_t size) {
    if (size == 1) {
        plain_sum[first] = first;
        co_return first;
    }
    auto left = sum(frames, first, size / 2);
    auto right = sum(frames, first + size / 2, size / 2);
    CHECK(co_await weft::when_all(group_pool, left, right) == Status::ok);
    uint32_t seen = 0;
    for (uint32_t i = first; i < first + size; ++i) seen += plain_sum[i];
    const uint32_t total = left.result() + right.result();
    CHECK_EQ(seen, total);
    co_return total;
}
Coroutine<void> sum_all(FrameSource& frames) {
    for (uint32_t& part : plain_sum) part = 0;
    CHECK_EQ(co_await sum(frames, 0, leaves), leaves * (leaves - 1) / 2);
    sums.fetch_add(1, acq_rel);
}

void N7_a_group_goes_on_when_the_last_one_has_ended() {
    constexpr uint32_t rounds = 100;
    for (uint32_t round = 1; round <= rounds; ++round) {
        REQUIRE(sum_all(group_frames).spawn(group_pool) == Status::ok);
        work_until(
            group_pool, [&] { return sums.load(acquire) == round; }, "a sum");
        // Its frame ends behind that.
        work_until(
            group_pool, [] { return group_frames.used() == 0; }, "the frame of a sum");
    }
    group_pool.shutdown();
    CHECK(group_pool.join() == Status::ok);
    CHECK(group_frames.most_used() <= 2 * leaves);
}

// ---- A gate

constexpr uint32_t meetings = 50;
WEFT_CONSTINIT Pool gate_pool{};
WEFT_CONSTINIT weft::Arrivals both{gate_pool, 2};
FrameArena<block, 3> gate_frames;
uint32_t left_part, right_part;  // no atomics: the gate orders them
uint32_t round_number;
Atomic<uint32_t> rounds_met;

struct Arrives : weft::TaskOf<Arrives> {
    constexpr explicit Arrives(uint32_t& written) : part(written) {}
    void run() {
        ++part;
        CHECK(both.arrive() == Status::ok);
    }
    uint32_t& part;
};
WEFT_CONSTINIT Arrives left_arrives(left_part);
WEFT_CONSTINIT Arrives right_arrives(right_part);

Coroutine<void> meets(FrameSource&) {
    for (round_number = 1; round_number <= meetings; ++round_number) {
        CHECK(gate_pool.submit(left_arrives) == Status::ok);
        CHECK(gate_pool.submit(right_arrives) == Status::ok);
        CHECK(co_await both == Status::ok);
        CHECK_EQ(left_part, round_number);
        CHECK_EQ(right_part, round_number);
    }
    rounds_met.fetch_add(1, acq_rel);
}
Coroutine<void> comes_late(FrameSource&) {
    CHECK(co_await both == Status::ok);
    rounds_met.fetch_add(1, acq_rel);
}
Atomic<uint32_t> rounds_closed;  // it has come to the gate behind the pool's end
Coroutine<void> comes_in_vain(FrameSource&) {
    const Status met = co_await both;
    (met == Status::ok ? rounds_met : rounds_closed).fetch_add(1, acq_rel);
}

void N7_a_coroutine_waits_for_a_gate() {
    REQUIRE(meets(gate_frames).spawn(gate_pool) == Status::ok);
    work_until(
        gate_pool, [] { return rounds_met.load(acquire) == 1; }, "all rounds of a gate");
    // A round that ends before somebody waits.
    CHECK(both.arrive() == Status::ok);
    CHECK(both.arrive(2) == Status::not_expected);
    CHECK(both.arrive_from_isr() == Status::ok);
    REQUIRE(comes_late(gate_frames).spawn(gate_pool) == Status::ok);
    work_until(
        gate_pool, [] { return rounds_met.load(acquire) == 2; }, "a round that has ended before");
    // The first round lets one go, and only one.
    REQUIRE(comes_in_vain(gate_frames).spawn(gate_pool) == Status::ok);
    REQUIRE(comes_in_vain(gate_frames).spawn(gate_pool) == Status::ok);
    CHECK(both.arrive(2) == Status::ok);
    work_until(
        gate_pool, [] { return rounds_met.load(acquire) == 3; }, "one of two that wait for a gate");
    work_until(
        gate_pool, [] { return gate_frames.used() == 1; }, "the frame of one that has met");
    gate_pool.shutdown();
    CHECK(gate_pool.join() == Status::ok);
    weft::Batch left;
    both.take_back(left);
    CHECK_EQ(destroy_all(left) + rounds_closed.load(acquire), 1u);
    CHECK_EQ(rounds_met.load(acquire), 3u);
    CHECK_EQ(gate_frames.used(), 0u);
}

// ---- Time

#if WEFT_TIMERS
WEFT_CONSTINIT Pool time_pool{};
WEFT_CONSTINIT weft::Delay pause{time_pool};
WEFT_CONSTINIT weft::Delay long_pause{time_pool};
FrameArena<block, 2> time_frames;
Atomic<uint32_t> pauses;
Atomic<uint32_t> time_ended;
uint32_t too_early;

Coroutine<void> sleeps(FrameSource&, uint32_t times) {
    const Witness witness(time_ended);
    const uint32_t ticks = weft::milliseconds(1);
    for (uint32_t i = 0; i < times; ++i) {
        const uint32_t before = weft::Port::now();
        CHECK(co_await pause.after(ticks) == Status::ok);
        too_early += weft::Port::now() - before < ticks ? 1 : 0;
        if (i % 2 == 0) CHECK(co_await time_pool == Status::ok);  // else it is in the timer's run yet
        pauses.fetch_add(1, acq_rel);
    }
    CHECK(co_await pause.after(1u << 31) == Status::out_of_range);
}
Coroutine<void> sleeps_too_long(FrameSource&) {
    const Witness witness(time_ended);
    static_cast<void>(co_await long_pause.after((1u << 31) - 1));
}

void N7_a_delay_goes_on_at_its_time() {
    REQUIRE(sleeps(time_frames, 20).spawn(time_pool) == Status::ok);
    REQUIRE(sleeps_too_long(time_frames).spawn(time_pool) == Status::ok);
    work_until(
        time_pool, [] { return pauses.load(acquire) == 20; }, "delays");
    work_until(
        time_pool, [] { return time_frames.used() == 1; }, "the frame of a sleeper");
    time_pool.shutdown();
    weft::Batch left;
    CHECK(time_pool.join(left) == Status::ok);
    CHECK_EQ(too_early, 0u);
    CHECK_EQ(time_ended.load(acquire), 1u);
    CHECK(left.empty());
    pause.take_back(left);
    CHECK(left.empty());
    long_pause.take_back(left);
    CHECK_EQ(destroy_all(left), 1u);
    CHECK_EQ(time_ended.load(acquire), 2u);
    CHECK_EQ(time_frames.used(), 0u);
}
#endif

constexpr tap::Test tests[] = {
    TEST(N7_frames_come_from_an_arena),
    TEST(N7_a_frame_is_in_the_first_arena),
    TEST(N7_a_lambda_is_a_coroutine),
    TEST(N7_what_is_wanted_is_a_size_of_an_arena),
    TEST(N7_a_coroutine_goes_on_where_it_is_submitted),
    TEST(N7_a_refused_hop_goes_on_at_once),
    TEST(N7_an_abandoned_pool_hands_coroutines_back),
    TEST(N7_a_group_goes_on_when_the_last_one_has_ended),
    TEST(N7_a_coroutine_waits_for_a_gate),
#if WEFT_TIMERS
    TEST(N7_a_delay_goes_on_at_its_time),
#endif
};

const tap::Tests main_tests{tests};

}  // namespace
}  // namespace coroutine

extern "C" int board_main() {
#if __has_include("weft_host_faults.hpp")
    return tap::run({coroutine::panics_tests, coroutine::main_tests});
#else
    return tap::run({coroutine::main_tests});
#endif
}
