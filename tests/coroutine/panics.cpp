// SPDX-License-Identifier: MIT OR Apache-2.0
// Coroutines: what ends in a panic, on the host alone. They come first, see panics.hpp.
#include "coroutine.hpp"

#if __has_include("weft_host_faults.hpp")

#include "panics.hpp"

namespace coroutine {
namespace {

using tap::panics;

FrameArena<64, 2> narrow;
FrameArena<512, 1> single;

void keep(const volatile unsigned char*) {}

Coroutine<void> wide(FrameSource&, weft::Event& event) {
    volatile unsigned char bytes[300] = {};
    static_cast<void>(co_await event);
    keep(bytes);
}
// (A compiler that sees its body may need no frame.)
[[gnu::noinline]] Coroutine<void> nothing(FrameSource&) { co_return; }
Coroutine<void> waits_for_no_frame(FrameSource& frames) {
    auto child = nothing(frames);
    co_await static_cast<Coroutine<void>&&>(child);
}

void make_one_that_is_too_large() {
    Pool pool;
    weft::Event event{pool};
    static_cast<void>(wide(narrow, event).spawn(pool));
}
void wait_for_one_without_a_frame() {
    weft::Pool<1> pool;  // on a second core it would end beside the end of this process
    static_cast<void>(waits_for_no_frame(single).spawn(pool));
    static_cast<void>(pool.poll(1));
}

void N7_a_frame_that_is_too_large_panics() {
    CHECK(panics(&make_one_that_is_too_large, "bytes, and the blocks of its FrameArena have 64; "));
    CHECK(panics(&make_one_that_is_too_large, "weft: a coroutine's frame needs "));
}

// What the compiler calls where an exception leaves one. The tests are compiled without exceptions.
void leave_by_an_exception() {
    struct Promise : weft::CoroutinePromise {
        Promise() : CoroutinePromise(nullptr) {}
    };
    Promise().unhandled_exception();
}

void N7_an_exception_that_leaves_a_coroutine_panics() {
    CHECK(panics(&leave_by_an_exception, "weft: an exception left a coroutine; catch it inside"));
}

void N7_to_wait_for_a_coroutine_without_a_frame_panics() {
    CHECK(panics(&wait_for_one_without_a_frame, "weft: co_await of a coroutine without a frame"));
}

#if WEFT_CHECKS
FrameArena<1024, 3> three;
weft::Pool<1> misused_pool;
[[gnu::noinline]] Coroutine<uint32_t> seven(FrameSource&) { co_return 7; }

Coroutine<void> awaits_twice(FrameSource& frames) {
    auto child = nothing(frames);
    co_await static_cast<Coroutine<void>&&>(child);
    co_await static_cast<Coroutine<void>&&>(child);
}
Coroutine<void> spawns_what_it_awaited(FrameSource& frames) {
    auto child = nothing(frames);
    co_await static_cast<Coroutine<void>&&>(child);
    static_cast<void>(child.spawn(misused_pool));
}
Coroutine<void> awaits_one_in_two_places(FrameSource& frames) {
    auto child = nothing(frames);
    static_cast<void>(co_await weft::when_all(misused_pool, child, child));
}
Coroutine<void> awaits_all_twice(FrameSource& frames) {
    auto child = nothing(frames);
    static_cast<void>(co_await weft::when_all(misused_pool, child));
    static_cast<void>(co_await weft::when_all(misused_pool, child));
}
Coroutine<void> asks_too_early(FrameSource& frames) {
    auto child = seven(frames);
    static_cast<void>(child.result());
    co_return;
}
template <Coroutine<void> (*misuse)(FrameSource&)>
void misuses() {
    static_cast<void>(misuse(three).spawn(misused_pool));
    static_cast<void>(misused_pool.poll(4));
}
#endif

void N7_to_begin_a_coroutine_twice_panics() {
#if WEFT_CHECKS
    CHECK(panics(&misuses<&awaits_twice>, "weft: a coroutine that has begun"));
    CHECK(panics(&misuses<&spawns_what_it_awaited>, "weft: a coroutine that has begun"));
    CHECK(panics(&misuses<&awaits_one_in_two_places>, "weft: a coroutine that has begun"));
    CHECK(panics(&misuses<&awaits_all_twice>, "weft: a coroutine that has begun"));
    CHECK(panics(&misuses<&asks_too_early>, "weft: the result of a coroutine that has not ended"));
#else
    tap::skip("not on this board: checks");
#endif
}

#if WEFT_CHECKS
bool has_gone_on;
// GCC 12 makes wrong code of these: no variable in them, and a co_await in a condition.
Coroutine<void> asks_in_an_if(FrameSource&) {
    if (co_await misused_pool == Status::ok) has_gone_on = true;
}
Coroutine<void> asks_in_a_loop(FrameSource&) {
    while (co_await misused_pool == Status::ok && !has_gone_on) has_gone_on = true;
}
Coroutine<uint32_t> asks_for_a_result(FrameSource&) {
    if (co_await misused_pool == Status::ok) has_gone_on = true;
    co_return 1;
}
Coroutine<void> waits_for_a_result(FrameSource& frames) { co_await asks_for_a_result(frames); }
Coroutine<void> asks_behind_a_child(FrameSource& frames) {
    if (co_await seven(frames) == 7) has_gone_on = true;
}
template <Coroutine<void> (*asks)(FrameSource&)>
void asks_and_tells() {
    has_gone_on = false;
    misuses<asks>();
    weft::Port::panic(has_gone_on ? "it has gone on" : "it has not gone on", 0, nullptr);
}
template <Coroutine<void> (*asks)(FrameSource&)>
bool goes_on_or_panics() {
    return panics(&asks_and_tells<asks>, "it has gone on") ||
           panics(&asks_and_tells<asks>, "weft: a coroutine does not go on: GCC 12 ");
}
#endif

void N7_a_coroutine_of_wrong_code_panics() {
#if WEFT_CHECKS
    CHECK(goes_on_or_panics<&asks_in_an_if>());
    CHECK(goes_on_or_panics<&asks_in_a_loop>());
    CHECK(goes_on_or_panics<&waits_for_a_result>());
    CHECK(goes_on_or_panics<&asks_behind_a_child>());
#else
    tap::skip("not on this board: checks");
#endif
}

#if WEFT_TIMERS && WEFT_CHECKS
weft::Pool<1> idle_pool;
weft::Delay delay{idle_pool};
FrameArena<512, 2> two;
Coroutine<void> sleeps(FrameSource&) { static_cast<void>(co_await delay.after(weft::milliseconds(60000))); }
void wait_twice_for_a_delay() {
    for (uint32_t i = 0; i < 2; ++i) static_cast<void>(sleeps(two).spawn(idle_pool));
    static_cast<void>(idle_pool.poll(2));
}
#endif

void N7_two_that_wait_for_one_delay_panic() {
#if WEFT_TIMERS && WEFT_CHECKS
    CHECK(panics(&wait_twice_for_a_delay, "weft: a second coroutine waits for one Delay"));
#else
    tap::skip("not on this board: timers and checks");
#endif
}

constexpr tap::Test tests[] = {
    TEST(N7_an_exception_that_leaves_a_coroutine_panics),
    TEST(N7_a_frame_that_is_too_large_panics),
    TEST(N7_to_wait_for_a_coroutine_without_a_frame_panics),
    TEST(N7_to_begin_a_coroutine_twice_panics),
    TEST(N7_a_coroutine_of_wrong_code_panics),
    TEST(N7_two_that_wait_for_one_delay_panic),
};

}  // namespace

extern const tap::Tests panics_tests{tests};

}  // namespace coroutine

#endif
