// SPDX-License-Identifier: MIT OR Apache-2.0
// weft: what the sources behind weft.h share: from the objects of C to those of C++, which live in the same memory.
#pragma once

#include <weft/weft.h>
#include <weft/weft.hpp>

namespace weft {
namespace c {

// Where an object of C++ is made in memory of C's. (There is no <new> on every machine.)
struct In {
    void* memory;
};

}  // namespace c
}  // namespace weft

inline void* operator new(size_t, weft::c::In in) { return in.memory; }

namespace weft {
namespace c {

template <class Cpp, class C>
constexpr bool fits = sizeof(Cpp) <= sizeof(C) && alignof(Cpp) <= alignof(C);

template <class Cpp, class C>
Cpp& as(C* object) {
    static_assert(fits<Cpp, C>, "weft: an object of weft.h is too small for what lives in it");
    return *reinterpret_cast<Cpp*>(object);
}
template <class Cpp, class C>
const Cpp& as(const C* object) {
    static_assert(fits<Cpp, C>, "weft: an object of weft.h is too small for what lives in it");
    return *reinterpret_cast<const Cpp*>(object);
}

// Two words, the link first, as in class Task.
static_assert(sizeof(weft_task) == sizeof(Task) && alignof(weft_task) == alignof(Task) &&
                  offsetof(weft_task, run) == sizeof(void*) && sizeof(weft_task) == 2 * sizeof(void*),
              "weft: a weft_task is a Task");
static_assert(fits<Batch, weft_batch>, "weft: a weft_batch has room for a Batch");

template <class... Objects>
bool are_given(const Objects*... objects) {
    return !WEFT_CHECKS || ((objects != nullptr) && ...);
}
// Where there is no status to return.
inline void must_be(bool made) {
    if (WEFT_CHECKS && !made) {
        Port::panic("weft: a null pointer, or an object that its weft_..._init() has not made",
                    Port::core_id(), nullptr);
    }
}

constexpr weft_status of(Status status) { return static_cast<weft_status>(status); }

inline Scheduler& pool_of(weft_pool* pool) { return *reinterpret_cast<Scheduler*>(pool); }
inline const Scheduler& pool_of(const weft_pool* pool) { return *reinterpret_cast<const Scheduler*>(pool); }

// Has it been made? By a word that is not zero then, and is not written again: other cores may be at the others.
inline bool is_made(const weft_pool* pool) {
    return !WEFT_CHECKS || (pool != nullptr && pool_of(pool).cores() != 0);
}
inline bool is_made(const weft_work* work) {
    return !WEFT_CHECKS || (work != nullptr && work->task.run != nullptr);
}
// A Source: its pool's address.
template <class Of>
bool is_made(const Of* object) {
    return !WEFT_CHECKS || (object != nullptr && object->words_[0] != 0);
}

// What an init returns that has not made the object: it counts as not made, whatever its memory was.
template <class Of>
weft_status not_made(Of* object, weft_status why) {
    if (object != nullptr) object->words_[0] = 0;
    return why;
}
inline weft_status not_made(weft_work* work, weft_status why) {
    if (work != nullptr) work->task.run = nullptr;
    return why;
}

// What C forks, or has done by a Work.
struct Function {
    void operator()() const { call(argument); }
    void (*call)(void*);
    void* argument;
};

}  // namespace c
}  // namespace weft
