// SPDX-License-Identifier: MIT OR Apache-2.0
// weft for C: fork-join.
#include "internal.hpp"

#if WEFT_FORK_DEPTH

using namespace weft::c;
using weft::TaskGroup;

namespace {

using Child = weft::GroupTask<Function>;

// The last word of a child and of a group is free: no word of what lives there says that it was made.
template <class Cpp, class C>
constexpr bool leaves_a_word = sizeof(Cpp) + sizeof(uintptr_t) <= sizeof(C);
static_assert(leaves_a_word<Child, weft_child> && leaves_a_word<TaskGroup, weft_group>,
              "weft: a weft_child and a weft_group keep a word for their mark");

template <class Of>
uintptr_t& mark(Of* object) {
    return object->words_[sizeof object->words_ / sizeof object->words_[0] - 1];
}
// Its address, so that garbage and copies are none.
template <class Of>
void mark_as_made(Of* object, bool made) {
    if (WEFT_CHECKS) mark(object) = made ? reinterpret_cast<uintptr_t>(object) : 0;
}
template <class Of>
bool is_marked(Of* object) {
    return !WEFT_CHECKS || (object != nullptr && mark(object) == reinterpret_cast<uintptr_t>(object));
}

}  // namespace

extern "C" {

void weft_call(weft_pool* pool, weft_function function, void* argument) {
    must_be(function != nullptr);
    if (pool == nullptr) return function(argument);
    must_be(is_made(pool));
    const Function called{function, argument};
    pool_of(pool).call(called);
}

void weft_fork_join(weft_pool* pool, weft_function first, void* first_argument, weft_function second,
                    void* second_argument) {
    must_be(first != nullptr && second != nullptr);
    const Function one{first, first_argument};
    const Function other{second, second_argument};
    if (pool != nullptr) return weft::fork_join(pool_of(pool), one, other);
    weft::fork_join(one, other);
}

void weft_parallel_for(weft_pool* pool, uint32_t first, uint32_t last, uint32_t grain,
                       void (*body)(void*, uint32_t), void* argument) {
    must_be(body != nullptr);
    auto turn = [&](uint32_t index) { body(argument, index); };
    if (pool != nullptr) return weft::parallel_for(pool_of(pool), first, last, grain, turn);
    weft::parallel_for(first, last, grain, turn);
}

uint64_t weft_parallel_reduce(weft_pool* pool, uint32_t first, uint32_t last, uint32_t grain,
                              uint64_t identity, uint64_t (*map)(void*, uint32_t),
                              uint64_t (*combine)(void*, uint64_t, uint64_t), void* argument) {
    must_be(map != nullptr && combine != nullptr);
    auto value = [&](uint32_t index) { return map(argument, index); };
    auto sum = [&](uint64_t one, uint64_t other) { return combine(argument, one, other); };
    if (pool != nullptr)
        return weft::parallel_reduce(pool_of(pool), first, last, grain, identity, value, sum);
    return weft::parallel_reduce(first, last, grain, identity, value, sum);
}

weft_status weft_child_init(weft_child* child, weft_function function, void* argument) {
    if (!are_given(child)) return WEFT_NOT_MADE;
    mark_as_made(child, !WEFT_CHECKS || function != nullptr);
    if (WEFT_CHECKS && function == nullptr) return WEFT_NULL_RUN;
    new (In{&as<Child>(child)}) Child(Function{function, argument});
    return WEFT_OK;
}
weft_status weft_group_init(weft_group* group, weft_pool* pool) {
    if (!are_given(group)) return WEFT_NOT_MADE;
    mark_as_made(group, true);
    if (pool != nullptr) {
        new (In{&as<TaskGroup>(group)}) TaskGroup(pool_of(pool));
    } else {
        new (In{&as<TaskGroup>(group)}) TaskGroup();
    }
    return WEFT_OK;
}
void weft_group_run(weft_group* group, weft_child* child) {
    must_be(is_marked(group) && is_marked(child));
    as<TaskGroup>(group).run(as<Child>(child));
}
void weft_group_wait(weft_group* group) {
    must_be(is_marked(group));
    as<TaskGroup>(group).wait();
}

}  // extern "C"

#endif  // WEFT_FORK_DEPTH
