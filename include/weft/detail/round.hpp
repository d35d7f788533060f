// SPDX-License-Identifier: MIT OR Apache-2.0
// weft: Round, how far a task has come that one can wait for or take back. One word:
//
//     [ the waiter: the address of its node | cancelled | running | done ]
//
//     0 ---begin()---> running ---end()---> done ---reset()---> 0
//     0 --cancel()--> cancelled --begin()--> cancelled, running --end()--> cancelled, done --reset()--> 0
//
//     mark       set by                                       while it is set
//     done       end(), the last touch by the pool            the owner may do with the task what it likes
//     running    begin(), when the task's turn has come       cancel() comes too late, reset() is refused
//     cancelled  cancel(), before the turn                    the turn passes without the work
//     waiter     await(), before done                         end() tells it. It takes itself out by withdraw(), before
//                                                             the turn only
//
// The queue that holds the task knows nothing of this: so it costs other tasks nothing, and whoever runs the task (a
// gate, a strand, a timer) runs it as any other. The price: a cancelled task stays in its queue until its turn.
#pragma once

#include <weft/config.hpp>
#include <weft/status.hpp>
#include <weft/trace.hpp>

namespace weft {
inline namespace WEFT_ABI {
namespace detail {

// Who waits: on its stack, until it is told.
class Waiter {
public:
    // `told_cores`: where the core is marked when it is told, if somebody looks at that.
    Waiter(uint32_t core, Atomic<uint32_t>* told_cores) : core_(core), told_cores_(told_cores) {}

    // By the waiting core. [K1] all that the run did
    bool is_told() const { return told_.load(acquire) != 0; }
    // By the waiting core, before anybody knows it: what it waits for is there. Always true.
    bool need_not_wait() {
        told_.store(1, relaxed);  // relaxed: its own, as yet
        return true;
    }
    // By the core that ends the round. From the store on, the waiter is gone.
    void tell() {
        const uint32_t core = core_.get();
        Atomic<uint32_t>* const told_cores = told_cores_.get();
        WEFT_TRACE_EVENT(wait_done, 0, core);
        told_.store(1, release);                                               // [K1]
        if (told_cores != nullptr) told_cores->fetch_or(1u << core, release);  // [K5] that it is told
        Port::unpark(core);
    }

private:
    const Plain<uint32_t> core_;
    const Plain<Atomic<uint32_t>*> told_cores_;
    alignas(8) Atomic<uint32_t> told_{};
};

class Round {
public:
    constexpr Round() = default;

    bool is_done() const { return (word_.load(acquire) & done) != 0; }  // [K1] all that the run did
    bool is_cancelled() const {
        return (word_.load(relaxed) & cancelled) != 0;  // relaxed: a decision, no data
    }

    // Whoever runs the task: its turn has come. False: it was taken back. Any other turn of the same round is a fault.
    bool begin(bool& first) {
        const uintptr_t seen = word_.fetch_or(running, relaxed);  // relaxed: a decision, no data
        first = (seen & (running | done)) == 0;
        return (seen & cancelled) == 0;
    }
    // And is over. The task may be gone from here on.
    void end(bool has_run) {
        // [K1] all that the run did; [K2] the waiter's node
        const uintptr_t seen = word_.exchange(has_run ? done : done | cancelled, acq_rel);
        if (Waiter* const waiter = waiter_of(seen)) waiter->tell();
    }

    CancelResult cancel() {
        uintptr_t seen = word_.load(relaxed);  // relaxed: a guess; the exchange decides
        do {
            if ((seen & cancelled) != 0) return CancelResult::cancelled;
            if ((seen & (running | done)) != 0) return CancelResult::too_late;
            // relaxed (both): a decision, no data. Ends: a failed exchange means that another core made a step.
        } while (!word_.compare_exchange(seen, seen | cancelled, relaxed, relaxed));
        return CancelResult::cancelled;
    }

    // False: its turn has come and is not over.
    bool reset() {
        uintptr_t seen = word_.load(relaxed);  // relaxed: a guess; the exchange decides
        do {
            if ((seen & running) != 0) return false;
            // relaxed (both): who begins the next round knows that this one is done, by [K1]
        } while (!word_.compare_exchange(seen, seen & ~(done | cancelled), relaxed, relaxed));
        return true;
    }

    // The waiter will be told; or is, if the round is done. False: another one waits already.
    bool await(Waiter& waiter) {
        uintptr_t seen = word_.load(acquire);  // [K1] all that the run did, if it is done
        do {
            if ((seen & done) != 0) return waiter.need_not_wait();
            if (waiter_of(seen) != nullptr) return false;
            // [K2] the node. [K1] on failure, if it is done by now.
        } while (
            !word_.compare_exchange(seen, seen | reinterpret_cast<uintptr_t>(&waiter), release, acquire));
        return true;
    }
    // The waiter gives up. False: the turn has come, the waiter will be told.
    bool withdraw(Waiter& waiter) {
        uintptr_t seen = word_.load(relaxed);  // relaxed: a guess; the exchange decides
        do {
            if (waiter_of(seen) != &waiter || (seen & running) != 0) return false;
            // relaxed (both): nobody reads a node that is not in the word
        } while (!word_.compare_exchange(seen, seen & cancelled, relaxed, relaxed));
        return true;
    }

private:
    static constexpr uintptr_t done = 1;
    static constexpr uintptr_t running = 2;
    static constexpr uintptr_t cancelled = 4;
    static_assert(alignof(Waiter) > (done | running | cancelled));

    static Waiter* waiter_of(uintptr_t word) {
        return reinterpret_cast<Waiter*>(word & ~(done | running | cancelled));
    }

    Atomic<uintptr_t> word_{};
};

}  // namespace detail
}  // namespace WEFT_ABI
}  // namespace weft
