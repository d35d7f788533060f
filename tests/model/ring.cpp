// SPDX-License-Identifier: MIT OR Apache-2.0
// Model: the ring of a worker against its thieves. Edges R1, R2.
// The slots number 2 or 4, and the indices start at 2^32-2 (WEFT_INDEX_START), so every scenario crosses the wrap.
#include "tasks.hpp"

namespace {

using weft::detail::Ring;

template <unsigned rings, unsigned capacity, unsigned tasks>
struct Rings {
    Ring::Slot slots[rings][capacity];
    Ring ring[3] = {{slots[0], capacity}, {slots[1], capacity}, {slots[rings - 1], capacity}};
    Mark mark[tasks];

    // By the owner. A full ring: the task runs at once, as if it had gone elsewhere.
    void push(unsigned which) {
        mark[which].prepare();
        if (!ring[0].push(&mark[which])) mark[which].run(mark[which]);
    }
    void pop() { run(ring[0].pop()); }
    void steal(unsigned from, unsigned to) { run(ring[from].steal_into(ring[to], false)); }
    void steal_oldest(unsigned from) { run(ring[from].steal_oldest()); }
    void steal_patiently(unsigned from, unsigned to) { run(ring[from].steal_into(ring[to], true)); }
    static void run(weft::Task* task) {
        if (task != nullptr) Mark::run(*task);
    }
    void finish() {
        for (Ring& one : ring) {
            while (weft::Task* task = one.pop()) Mark::run(*task);
        }
        for (Mark& one : mark) model::check(one.as_promised(), "every task runs exactly once");
    }
};

// Result: Never (lost, twice, garbage, race). Owner pushes and pops through the wrap while two thieves steal.
struct PushPopSteal : Rings<3, 2, 4> {
    void cores(model::Program& on) {
        on.core(0, [this] { push(0), push(1), pop(), push(2), push(3), pop(); });
        on.core(1, [this] { steal(0, 1); });
        on.core(2, [this] { steal(0, 2); });
    }
};
MODEL_SCENARIO(ring_push_pop_steal, PushPopSteal).preemptions(model::unbounded);

// Result: Never. The same for longer, in a ring of four: thieves come twice, and use their own rings.
struct LongRing : Rings<3, 4, 6> {
    void cores(model::Program& on) {
        on.core(0, [this] { push(0), push(1), push(2), push(3), pop(), push(4), push(5), pop(); });
        on.core(1, [this] { steal(0, 1), run(ring[1].pop()), steal(0, 1); });
        on.core(2, [this] { steal(0, 2), run(ring[2].pop()), steal(1, 2); });
    }
};
MODEL_SCENARIO(ring_two_thieves, LongRing).preemptions(3).stale_reads(2);

// Result: Never. A task stolen by core 1 into its own ring is stolen on by core 2.
struct StealOfStolen : Rings<3, 4, 3> {
    void cores(model::Program& on) {
        on.core(0, [this] { push(0), push(1), push(2), pop(); });
        on.core(1, [this] { steal(0, 1), run(ring[1].pop()); });
        on.core(2, [this] { steal(1, 2); });
    }
};
MODEL_SCENARIO(ring_steal_of_stolen, StealOfStolen).preemptions(model::unbounded).stale_reads(4);

// Result: Never. A slow thief holds slot values of a turn that is over: the reused slots must not be handed out (R2).
struct SlotReuse : Rings<2, 2, 5> {
    void cores(model::Program& on) {
        on.core(0, [this] { push(0), push(1), push(2), push(3), push(4); });
        on.core(1, [this] { steal(0, 1), run(ring[1].pop()), steal(0, 1); });
    }
};
MODEL_SCENARIO(ring_wrap_slot_reuse, SlotReuse).preemptions(model::unbounded).stale_reads(4);

// Result: Never. The race for the last element has one winner.
struct LastElement : Rings<3, 2, 1> {
    void cores(model::Program& on) {
        on.core(0, [this] { push(0), pop(); });
        on.core(1, [this] { steal(0, 1); });
        on.core(2, [this] { steal(0, 2); });
    }
};
MODEL_SCENARIO(ring_last_element, LastElement).preemptions(model::unbounded).stale_reads(4);

// Result: Never. A patient thief waits between its look at a single task and the claim: the ring may have come round.
struct PatientThief : Rings<3, 2, 3> {
    void cores(model::Program& on) {
        on.core(0, [this] { push(0), pop(), push(1), pop(), push(2); });
        on.core(1, [this] { steal_patiently(0, 1); });
        on.core(2, [this] { steal(0, 2); });
    }
};
MODEL_SCENARIO(ring_patient_thief, PatientThief).preemptions(model::unbounded).stale_reads(4);

// Result: Never. A thief with tasks of its own takes the oldest one, beside one that takes half.
struct StealOldest : Rings<3, 2, 5> {
    void cores(model::Program& on) {
        on.core(0, [this] { push(0), push(1), pop(), push(2), push(3), push(4); });
        on.core(1, [this] { steal_oldest(0), steal_oldest(0); });
        on.core(2, [this] { steal(0, 2); });
    }
};
MODEL_SCENARIO(ring_steal_oldest, StealOldest).preemptions(3).stale_reads(2);

// Result: Never (moves a chain of tasks from core to core; takes its time where there is more). A patient thief,
// and only that one, waits for WEFT_STEAL_PATIENCE turns before it claims what is its victim's only task.
struct Patience : Rings<3, 4, 6> {
    // How long a thief of ring 0 waits.
    uint32_t turns(bool patient) {
        const uint32_t before = model::relaxes();
        run(ring[0].steal_into(ring[1], patient));
        return model::relaxes() - before;
    }
    void cores(model::Program& on) {
        on.core(0, [this] {
            model::check(turns(true) == 0, "nothing there: nothing to wait for");
            push(0);
            model::check(turns(true) == WEFT_STEAL_PATIENCE, "a patient thief leaves one task alone so long");
            push(1);
            model::check(turns(false) == 0, "who was woken takes it at once");
            push(2), push(3);
            model::check(turns(true) == 0, "one of two is for the thief");
            pop();
            push(4), push(5);
            model::check(turns(false) == 0, "for any thief");
        });
    }
};
MODEL_SCENARIO(ring_patience, Patience);

// Result: Never. tokio#2387: stealing into a ring must not overwrite what others still read there.
struct StealInto : Rings<3, 2, 4> {
    void cores(model::Program& on) {
        on.core(0, [this] { push(0), push(1), push(2), push(3); });
        on.core(1, [this] { steal(0, 1), steal(0, 1); });
        on.core(2, [this] { steal(1, 2), steal(1, 2); });
    }
};
MODEL_SCENARIO(ring_steal_into_tokio_2387, StealInto).preemptions(model::unbounded).stale_reads(4);

}  // namespace
