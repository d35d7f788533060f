// SPDX-License-Identifier: MIT OR Apache-2.0
// weft: TaskStack (see include/weft/detail/task_stack.hpp for the word's states).
#include <weft/detail/task_stack.hpp>

namespace weft {
inline namespace WEFT_ABI {
namespace detail {

bool TaskStack::push(Task* first, Task* last) {
    uintptr_t seen = word_.load(relaxed);  // relaxed: a guess; the exchange below decides
    do {
        if ((seen & closed) != 0) return false;
        link(last).set_next(top(seen));
        // [S1] tasks and links before the top. relaxed on failure: only compared again.
    } while (!word_.compare_exchange(seen, reinterpret_cast<uintptr_t>(first) | (seen & tags), release, relaxed));
    return true;
}

bool TaskStack::try_lock(Task*& list) {
    uintptr_t seen = word_.load(relaxed);  // relaxed: a guess; the exchange below decides
    uintptr_t held = 0;
    do {
        if (!loose(seen)) return false;
        // A filled cache is used up first; otherwise the pushed tasks are taken, all at once.
        held = (seen & cached) != 0 ? seen | consuming : (seen & closed) | consuming | cached;
        // [S1] what was pushed; [S2] cache_ as the last consumer left it. relaxed on failure: only compared again.
    } while (!word_.compare_exchange(seen, held, acquire, relaxed));
    list = (seen & cached) != 0 ? cache_.get() : top(seen);
    return true;
}

Task* TaskStack::next(Task*& list) {
    if (list == nullptr) {
        // relaxed: spares the exchange (and the line) when nothing was pushed; unlock() counts what this misses.
        if (top(word_.load(relaxed)) == nullptr) return nullptr;
        list = top(word_.fetch_and(tags, acquire));  // [S1] what was pushed while we consumed
    }
    Task* const task = list;
    list = link(task).next();
    return task;
}

bool TaskStack::unlock(Task* list) {
    cache_.set(list);
    const uintptr_t cleared = list != nullptr ? consuming : consuming | cached;
    const uintptr_t before = word_.fetch_sub(cleared, release);  // [S2] cache_ (and its links) for the next consumer
    return list != nullptr || top(before) != nullptr;
}

}  // namespace detail
}  // namespace WEFT_ABI
}  // namespace weft
