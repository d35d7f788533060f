// SPDX-License-Identifier: MIT OR Apache-2.0
// Unit tests of what fork-join does with callables and values: what a callable changes in itself is there after the
// join, whoever ran it; parallel_reduce() takes every type that holds what map and combine return.
#include "open_pool.hpp"

namespace unit {
namespace {

using weft::fork_join;

// ---- What a callable may keep in itself

struct Plain {
    int runs = 0;
    void operator()() { ++runs; }
};
struct PlainHere {
    int runs = 0;
    void operator()(weft::Here) noexcept { ++runs; }
};
struct Mutable {
    mutable int runs = 0;
    void operator()() const { ++runs; }
};
struct Overloaded {
    int runs = 0;
    void operator()() { ++runs; }
    void operator()() const {}
};
struct OverloadedHere {
    int runs = 0;
    void operator()() const {}
    void operator()(weft::Here) { ++runs; }
};
struct Generic {
    int runs = 0;
    template <class Argument>
    void operator()(Argument) {
        ++runs;
    }
};
struct FromBase : Plain {};
struct Unaddressed : Plain {  // as the smart pointers of some libraries
    void operator&() const = delete;
};
struct Constant {  // cannot be assigned to, but called twice
    explicit Constant(const int first) : runs(first), limit(9) {}
    int runs;
    const int limit;
    void operator()() {
        if (runs < limit) ++runs;
    }
};
struct Referring {  // as a lambda with a reference, but not one
    explicit Referring(int& other) : runs(0), other_(other) {}
    int runs;
    void operator()() {
        ++runs;
        ++other_;
    }

private:
    int& other_;
};

// Forks it on core 0; a thief runs it, or core 0 does.
template <class Callable>
void fork(Callable&& callable, bool stolen) {
    OpenPool open;
    open.as(0, [&] {
        fork_join([&] { CHECK_EQ(!stolen || open.steal(0, 1), true); }, static_cast<Callable&&>(callable));
    });
}

template <class Callable>
void check_runs_once(Callable callable) {
    for (const bool stolen : {false, true}) {
        const int before = callable.runs;
        fork(static_cast<Callable&&>(callable), stolen);
        CHECK_EQ(callable.runs, before + 1);
    }
}

int calls_of_function = 0;
void function() { ++calls_of_function; }

void B7_callables_keep_what_they_change() {
    check_runs_once(Plain());
    check_runs_once(PlainHere());
    check_runs_once(Mutable());
    const Mutable constant;
    for (const bool stolen : {false, true}) fork(static_cast<const Mutable&&>(constant), stolen);
    CHECK_EQ(constant.runs, 2);
    check_runs_once(Overloaded());
    check_runs_once(OverloadedHere());
    check_runs_once(Generic());
    check_runs_once(FromBase());
    check_runs_once(Unaddressed());
    check_runs_once(Constant(3));
    int others = 0;
    check_runs_once(Referring(others));
    CHECK_EQ(others, 2);
}

void B7_mutable_lambdas_keep_what_they_change() {
    for (const bool stolen : {false, true}) {
        int seen = 0;
        auto counts = [&seen, runs = 0]() mutable { seen = ++runs; };
        fork(static_cast<decltype(counts)&&>(counts), stolen);
        CHECK_EQ(seen, 1);
        counts();
        CHECK_EQ(seen, 2);
    }
}

// What cannot change itself: lambdas, functions, pointers to them; as values and as temporaries.
void B7_callables_of_every_kind_are_called() {
    for (const bool stolen : {false, true}) {
        int sum = 0;
        const auto constant = [&sum] { sum += 1; };
        fork(constant, stolen);
        fork([&sum] { sum += 10; }, stolen);
        fork([&sum, by = 100](weft::Here) noexcept { sum += by; }, stolen);
        fork([&sum](auto) { sum += 1000; }, stolen);
        fork(static_cast<decltype(constant)&&>(constant), stolen);
        CHECK_EQ(sum, 1112);
        calls_of_function = 0;
        fork(function, stolen);
        fork(&function, stolen);
        fork([] { function(); }, stolen);
        CHECK_EQ(calls_of_function, 3);
    }
}

// ---- parallel_reduce(): what T holds

enum Flags : uint16_t { no_flag = 0, low_flag = 1, high_flag = 0x8000 };
enum class Color : uint8_t { black, red, blue };

struct Span {  // a class that is made from what map returns
    Span() = default;
    explicit Span(int one) : low(one), high(one), any(true) {}
    int low = 0;
    int high = 0;
    bool any = false;
};
Span cover(Span a, Span b) {
    if (!a.any) return b;
    if (!b.any) return a;
    a.low = a.low < b.low ? a.low : b.low;
    a.high = a.high > b.high ? a.high : b.high;
    return a;
}

template <class T, class Map, class Combine>
T reduce(int count, T identity, Map map, Combine combine) {
    return weft::parallel_reduce(0, count, 1, identity, map, combine);
}
template <class T, class Map>
T sum(T identity, Map map) {
    return reduce(10, identity, map, [](T a, T b) { return a + b; });
}

void B7_reduce_takes_what_its_type_holds() {
    CHECK_EQ(sum(0, [](int i) { return i; }), 45);
    CHECK_EQ(sum(0, [](int) { return true; }), 10);
    CHECK_EQ(sum(0u, [](int i) { return i > 4; }), 5);
    CHECK_EQ(sum(0, [](int i) { return static_cast<uint8_t>(i); }), 45);
    CHECK(sum(int64_t(0), [](int i) { return i; }) == 45);
    CHECK(sum(int64_t(0), [](int i) { return static_cast<uint32_t>(i); }) == 45);
    // Arithmetic on small types is done in int: what they add up to is theirs again.
    CHECK_EQ(sum(uint16_t(0), [](int i) { return static_cast<uint16_t>(i * 10000); }), 450000 % 65536);
    CHECK_EQ(sum('\0', [](int) { return '\1'; }), 10);
    CHECK(reduce(
        9, false, [](int i) { return i == 7; }, [](bool a, bool b) { return a | b; }));
    // Floating point, also of integers.
    CHECK(sum(0.0, [](int i) { return 0.5 * i; }) == 22.5);
    CHECK(sum(0.0, [](int i) { return i; }) == 45.0);
    CHECK(sum(0.0, [](int) { return 0.5f; }) == 5.0);
    // References, classes, enumerations, pointers.
    static const int squares[] = {0, 1, 4, 9};
    const auto add = [](const int& a, const int& b) { return a + b; };
    CHECK_EQ(reduce(
                 4, 0, [](int i) -> const int& { return squares[i]; }, add),
             14);
    const Span span = reduce(
        10, Span(), [](int i) { return Span(i * 7 % 10); }, cover);
    CHECK_EQ(span.low, 0);
    CHECK_EQ(span.high, 9);
    const Flags flags = reduce(
        2, no_flag, [](int i) { return i == 0 ? low_flag : high_flag; },
        [](Flags a, Flags b) { return a | b; });
    CHECK_EQ(flags, low_flag | high_flag);
    const Color last = reduce(
        3, Color::black, [](int i) { return static_cast<Color>(i); },
        [](Color a, Color b) { return a < b ? b : a; });
    CHECK(last == Color::blue);
    const int* const none = nullptr;
    CHECK_EQ(reduce(
                 4, none, [](int i) { return squares + i; },
                 [](const int* a, const int* b) { return a == nullptr || b != nullptr ? b : a; }),
             squares + 3);
}

// call() takes what fork_join() takes.
int called;
void count_call() { ++called; }
void V10_call_takes_every_callable() {
    Pool<1> pool;
    const auto constant = [] { ++called; };
    auto changes = [runs = 0]() mutable { called += ++runs; };
    called = 0;
    pool.call(constant);
    pool.call(count_call);
    pool.call(&count_call);
    pool.call(changes);
    pool.call(changes);
    pool.call([] { ++called; });
    CHECK_EQ(called, 7);
    Unaddressed unaddressed;
    pool.call(unaddressed);
    CHECK_EQ(unaddressed.runs, 1);
}

constexpr tap::Test tests[] = {
    TEST(V10_call_takes_every_callable),
    TEST(B7_callables_keep_what_they_change),
    TEST(B7_mutable_lambdas_keep_what_they_change),
    TEST(B7_callables_of_every_kind_are_called),
    TEST(B7_reduce_takes_what_its_type_holds),
};

}  // namespace

extern const tap::Tests callables_tests{tests};

}  // namespace unit
