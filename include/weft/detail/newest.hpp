// SPDX-License-Identifier: MIT OR Apache-2.0
// weft: Newest, the place in front of a ring for the task that its owner has pushed last. docs/DESIGN.md 4.8.
#pragma once

#include <weft/task.hpp>

namespace weft {
inline namespace WEFT_ABI {
namespace detail {

// Thief: what its owner will most likely run itself is left to it for so long.
[[gnu::always_inline]] inline void leave_to_the_owner() {
    for (uint32_t i = WEFT_STEAL_PATIENCE; i != 0; --i) Port::relax();
}

#if WEFT_NEWEST_FIRST

// After the slot of the Go scheduler (`runnext`) and of tokio ("Making the Tokio scheduler 10x faster", "Optimizing for
// message passing patterns"), with two differences: thieves may take it, and nobody else ever writes it, so it needs no
// state of its own. Who exchanges a task out of it has that task.
class Newest {
public:
    static constexpr uint32_t most_in_a_row = 3;

    // Owner. Returns what stood there before, for the ring, or nullptr.
    Task* put(Task* task) { return task_.exchange(task, release); }  // [R3] the task, for who takes it

    // Any core.
    Task* take() {
        if (!is_there()) return nullptr;
        return task_.exchange(nullptr, acquire);  // [R3] from put()
    }

    // Owner. At most `most_in_a_row` times in a row; then nullptr, once: it is the ring's turn.
    Task* take_in_row() {
        const uint32_t row = row_.get();
        Task* const task = row == most_in_a_row ? nullptr : take();
        row_.set(task == nullptr ? 0 : row + 1);
        return task;
    }

    // Thief, patient as with the ring's only task.
    template <class Patient>
    Task* steal(Patient patient) {
        if (is_there() && patient) leave_to_the_owner();
        return take();
    }

    // Any core: a look. relaxed: as Ring::looks_nonempty().
    bool is_there() const { return task_.load(relaxed) != nullptr; }

private:
    Atomic<Task*> task_{nullptr};
    Plain<uint32_t> row_{};  // how many were taken from here since one from the ring
};

#else

// There is no such place: what is put there is pushed to the ring at once.
class Newest {
public:
    static constexpr Task* put(Task* task) { return task; }
    static constexpr Task* take() { return nullptr; }
    static constexpr Task* take_in_row() { return nullptr; }
    static constexpr bool is_there() { return false; }
};

#endif

}  // namespace detail
}  // namespace WEFT_ABI
}  // namespace weft
