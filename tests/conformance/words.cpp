// SPDX-License-Identifier: MIT OR Apache-2.0
// Conformance of a port: the three kinds of word, alone and with every core at them.
#include "crew.hpp"

namespace conformance {
namespace {

constexpr uint32_t turns = 20000;

template <class T>
Atomic<T> shared;

// Words must be usable before main(): all of these are constant expressions.
constexpr Atomic<uint32_t> constant_atomic(7);
constexpr Published<uintptr_t> constant_published(7);
constexpr Plain<uint32_t*> constant_plain(nullptr);

// ---- One core: what the operations return, and wrapping.

template <class T>
void operations() {
    constexpr T all = static_cast<T>(~static_cast<T>(0));
    Atomic<T> word(5);
    CHECK_EQ(word.load(relaxed), T{5});
    word.store(all, release);
    CHECK_EQ(word.load(acquire), all);
    CHECK_EQ(word.fetch_add(3, acq_rel), all);
    CHECK_EQ(word.fetch_sub(3, acq_rel), T{2});
    CHECK_EQ(word.exchange(0x0f, acq_rel), all);
    CHECK_EQ(word.fetch_or(0xf0, acq_rel), T{0x0f});
    CHECK_EQ(word.fetch_and(0x3c, acq_rel), T{0xff});
    CHECK_EQ(word.load(acquire), T{0x3c});

    T expected = 1;
    CHECK(!word.compare_exchange(expected, 2, acq_rel, relaxed));
    CHECK_EQ(expected, T{0x3c});
    CHECK_EQ(word.load(acquire), T{0x3c});
    bool done = false;
    for (uint32_t tries = 0; tries < turns && !done;
         ++tries) {  // weak: it may fail without cause, but not for ever
        done = word.compare_exchange(expected, 2, acq_rel, acquire);
        CHECK_EQ(expected, T{0x3c});
    }
    CHECK(done);
    CHECK_EQ(word.load(acquire), T{2});
}

// The upper half of a wider number lies zero-extended in a register of RV64, whose instructions keep 32-bit values
// sign-extended. GCC 12's compare-exchange takes it for another value than the one in memory, does not store, and says
// that it did (GCC bug 114130).
volatile uint64_t wide_number;

uint32_t upper_half_of(uint32_t value) {
    wide_number = uint64_t{value} << 32 | 0x1234;
    return static_cast<uint32_t>(wide_number >> 32);
}

void expect_zero_extended(uint32_t value) {
    Atomic<uint32_t> word(value);
    uint32_t expected = upper_half_of(value ^ 1);
    CHECK(!word.compare_exchange(expected, 7, acq_rel, relaxed));
    CHECK_EQ(expected, value);
    CHECK_EQ(word.load(relaxed), value);
    bool done = false;
    for (uint32_t tries = 0; tries < turns && !done; ++tries) {
        expected = upper_half_of(value);
        done = word.compare_exchange(expected, upper_half_of(~value), acq_rel, relaxed);
        CHECK_EQ(expected, value);
        CHECK_EQ(word.load(relaxed), done ? ~value : value);
    }
    CHECK(done);
    CHECK_EQ(word.exchange(upper_half_of(value), acq_rel), ~value);
    CHECK_EQ(word.fetch_add(upper_half_of(value), relaxed), value);
    CHECK_EQ(word.load(relaxed), value + value);
}

// ---- All cores: nothing is lost.

void meet_at_work() {
    work_for_a_while();
    gather();
}

template <class T>
void count_up_and_down() {
    constexpr T near_the_wrap = static_cast<T>(~static_cast<T>(0)) - 100;
    shared<T>.store(near_the_wrap, relaxed);
    on_all("fetch_add on all cores", [](uint32_t) {
        meet_at_work();
        for (uint32_t i = 0; i < turns; ++i) shared<T>.fetch_add(3, relaxed);
    });
    CHECK_EQ(shared<T>.load(relaxed), static_cast<T>(near_the_wrap + static_cast<T>(3) * turns * crew()));
    on_all("fetch_sub on all cores", [](uint32_t) {
        meet_at_work();
        for (uint32_t i = 0; i < turns; ++i) shared<T>.fetch_sub(3, relaxed);
    });
    CHECK_EQ(shared<T>.load(relaxed), near_the_wrap);
}

constexpr uint32_t tickets_each = 256;
Atomic<uint32_t> tickets[max_crew * tickets_each];

// fetch_add gives every caller another number.
template <class T>
void draw_tickets() {
    shared<T>.store(0, relaxed);
    for (auto& ticket : tickets) ticket.store(0, relaxed);
    on_all("tickets by fetch_add", [](uint32_t) {
        meet_at_work();
        for (uint32_t i = 0; i < tickets_each; ++i) {
            const T ticket = shared<T>.fetch_add(1, relaxed);
            if (CHECK(ticket < max_crew * tickets_each)) tickets[ticket].fetch_add(1, relaxed);
        }
    });
    uint32_t wrong = 0;
    for (uint32_t i = 0; i < crew() * tickets_each; ++i) wrong += tickets[i].load(relaxed) == 1 ? 0 : 1;
    CHECK_EQ(wrong, 0);
}

// Every core has its bit; the others' operations must not touch it.
template <class T>
void set_and_clear_bits() {
    static_assert(max_crew <= 32, "a bit for each core");
    shared<T>.store(0, relaxed);
    on_all("fetch_or and fetch_and on all cores", [](uint32_t core) {
        const T bit = static_cast<T>(1) << core;
        uint32_t wrong = 0;
        meet_at_work();
        for (uint32_t i = 0; i < turns; ++i) {
            if ((shared<T>.fetch_or(bit, relaxed) & bit) != 0) ++wrong;
            if ((shared<T>.fetch_and(static_cast<T>(~bit), relaxed) & bit) == 0) ++wrong;
        }
        CHECK_EQ(wrong, 0);
    });
    CHECK_EQ(shared<T>.load(relaxed), T{0});
}

template <class T>
void compare_and_exchange_loop() {
    shared<T>.store(0, relaxed);
    on_all("compare_exchange on all cores", [](uint32_t) {
        meet_at_work();
        for (uint32_t i = 0; i < turns; ++i) {
            T seen = shared<T>.load(relaxed);
            while (!shared<T>.compare_exchange(seen, seen + 1, relaxed, relaxed)) {
            }  // another core got through
        }
    });
    CHECK_EQ(shared<T>.load(relaxed), static_cast<T>(turns) * crew());
}

Plain<uint32_t> guarded;

// exchange as a lock: the plain counter needs the acquire and the release.
template <class T>
void exchange_as_lock() {
    shared<T>.store(0, relaxed);
    guarded.set(0);
    on_all("a lock made of exchange", [](uint32_t) {
        meet_at_work();
        for (uint32_t i = 0; i < turns / 10; ++i) {
            tap::wait_for([] { return shared<T>.exchange(1, acquire) == 0; }, "a lock that is held shortly");
            guarded.set(guarded.get() + 1);
            shared<T>.store(0, release);
        }
    });
    CHECK_EQ(guarded.get(), turns / 10 * crew());
}

Atomic<uintptr_t> token_sum;

// exchange neither loses nor doubles: every core trades the token it has.
template <class T>
void exchange_tokens() {
    shared<T>.store(1000, relaxed);
    token_sum.store(0, relaxed);
    on_all("tokens by exchange", [](uint32_t core) {
        T token = core + 1;
        meet_at_work();
        for (uint32_t i = 0; i < turns; ++i) token = shared<T>.exchange(token, relaxed);
        token_sum.fetch_add(token, relaxed);
    });
    uintptr_t expected = 1000;
    for (uint32_t i = 0; i < crew(); ++i) expected += member(i) + 1;
    CHECK_EQ(token_sum.load(relaxed) + shared<T>.load(relaxed), expected);
}

// ---- Pointers: a stack onto which all cores push and that core 0 takes as a whole.

struct Node {
    Node* next = nullptr;
    Plain<uint32_t> value;
};
constexpr uint32_t nodes_each = 64;
Node nodes[max_crew][nodes_each];
Atomic<Node*> stack_top(nullptr);
Atomic<uint32_t> pushing;

void push_all(uint32_t core) {
    meet_at_work();
    for (uint32_t i = 0; i < nodes_each; ++i) {
        Node& node = nodes[core][i];
        node.value.set(core * nodes_each + i + 1);
        Node* top = stack_top.load(relaxed);
        do {
            node.next = top;
        } while (!stack_top.compare_exchange(top, &node, release, relaxed));
    }
    pushing.fetch_sub(1, release);
}

void push_and_take() {
    uint32_t taken = 0;
    uint32_t sum = 0;
    auto take_all = [&] {
        for (Node* node = stack_top.exchange(nullptr, acquire); node != nullptr; node = node->next) {
            ++taken;
            sum += node->value.get();
        }
    };
    stack_top.store(nullptr, relaxed);
    pushing.store(crew(), relaxed);
    for (uint32_t i = 1; i < crew(); ++i) start(member(i), push_all);
    push_all(0);
    tap::wait_for(
        [&] {
            const bool last = pushing.load(acquire) == 0;
            take_all();
            return last;
        },
        "all cores that push");
    join("pushing on all cores");

    uint32_t expected = 0;
    for (uint32_t i = 0; i < crew(); ++i) {
        for (uint32_t n = 0; n < nodes_each; ++n) expected += member(i) * nodes_each + n + 1;
    }
    CHECK_EQ(taken, crew() * nodes_each);
    CHECK_EQ(sum, expected);
}

void pointer_stack() {
    for (uint32_t round = 0; round < 4; ++round) push_and_take();
}

// ---- Published: core 0 writes data and says how much; all others check it. The data are plain.

constexpr uint32_t letters = 128;
Plain<uint32_t> letter[letters];
Published<uint32_t> written;

uint32_t letter_text(uint32_t edition, uint32_t i) { return edition * 2654435769u + i; }

Published<uint32_t> edition_now;

void read_letters() {
    const uint32_t edition = edition_now.load(relaxed);  // written before the meeting
    uint32_t wrong = 0;
    for (uint32_t read = 0; read < letters;) {
        const uint32_t end = written.load(acquire);
        if (end == read) Port::relax();  // core 0 writes
        for (; read < end; ++read) wrong += letter[read].get() == letter_text(edition, read) ? 0 : 1;
    }
    CHECK_EQ(wrong, 0);
}

void write_letters() {
    const uint32_t edition = edition_now.own();
    for (uint32_t i = 0; i < letters; ++i) {
        letter[i].set(letter_text(edition, i));
        written.store(i + 1, release);
    }
    CHECK_EQ(written.own(), letters);
}

void published_letters() {
    for (Rounds rounds(50); rounds.next();) {
        written.store(0, relaxed);
        edition_now.store(rounds.done(), relaxed);
        on_all("reading what one core publishes", [](uint32_t core) {
            gather();
            if (core == 0) return write_letters();
            read_letters();
        });
    }
}

void words_start_constant() {
    CHECK_EQ(constant_atomic.load(relaxed), 7);
    CHECK_EQ(constant_published.own(), 7);
    CHECK_EQ(constant_plain.get(), nullptr);
}

template <class T>
void all_operations() {
    operations<T>();
    count_up_and_down<T>();
    draw_tickets<T>();
    set_and_clear_bits<T>();
    compare_and_exchange_loop<T>();
    exchange_as_lock<T>();
    exchange_tokens<T>();
}

void atomic_u32() { all_operations<uint32_t>(); }
void atomic_u32_zero_extended() {
    constexpr uint32_t values[] = {0x80000005, 0x80000000, 0xffffffff, 0x7fffffff, 5};
    for (const uint32_t value : values) expect_zero_extended(value);
}
void atomic_uintptr() { all_operations<uintptr_t>(); }
void atomic_pointer() { pointer_stack(); }
void published_carries_data() { published_letters(); }

constexpr tap::Test tests[] = {
    TEST(words_start_constant), TEST(atomic_u32),     TEST(atomic_u32_zero_extended),
    TEST(atomic_uintptr),       TEST(atomic_pointer), TEST(published_carries_data),
};

}  // namespace

extern const tap::Tests words_tests{tests};

}  // namespace conformance
