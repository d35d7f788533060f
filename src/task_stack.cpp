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
    } while (
        !word_.compare_exchange(seen, reinterpret_cast<uintptr_t>(first) | (seen & tags), release, relaxed));
    return true;
}

// relaxed: decided by the order of changes to the word.
void TaskStack::close() { word_.fetch_or(closed, relaxed); }

}  // namespace detail
}  // namespace WEFT_ABI
}  // namespace weft
