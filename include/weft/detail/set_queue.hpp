// SPDX-License-Identifier: MIT OR Apache-2.0
// weft: SetQueue, what is submitted for some of the cores. As a pinned queue, with several consumers.
#pragma once

#include <weft/detail/idle_word.hpp>
#include <weft/detail/task_stack.hpp>

namespace weft {
inline namespace WEFT_ABI {
namespace detail {

#if WEFT_CORE_SETS
// A place for one set. It is taken by the first submit for that set, and stays its own: so who has seen whose it is may
// rely on that. The places are taken in their order; who looks for one stops at the first that is free.
class alignas(Port::cache_line) SetQueue {
public:
    // The cores, as their bits in the idle word; 0: the place is free. relaxed: after a fence of the caller [I1], or a
    // hint
    uint32_t cores() const { return cores_.load(relaxed); }
    // True: it is the place of this set now. False: it is another one's.
    bool become(uint32_t cores) {
        const uint32_t seen =
            cores_.load(relaxed);  // relaxed (both): a set has no data but the queue behind it
        return seen == cores || (seen == 0 && (detail::step(cores_, 0, cores) || this->cores() == cores));
    }

    // One task, by a core of the set, or by the joiner; or nullptr. `left`: tasks remain, see TaskStack::unlock().
    Task* take(bool& left) {
        Task* list = tasks.try_lock();
        if (list == nullptr) return nullptr;
        Task* const first = TaskStack::next(list);
        left = tasks.unlock(list);
        return first;
    }

private:
    Atomic<uint32_t> cores_{};

public:
    TaskStack tasks{};
};
#endif

}  // namespace detail
}  // namespace WEFT_ABI
}  // namespace weft
