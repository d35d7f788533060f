// SPDX-License-Identifier: MIT OR Apache-2.0
// Model: the pen of the ports, and who looks twice whether all are in it, as quiesce.cpp does (the other scenarios'
// machine has mailboxes of its own, whose turn is one step). Edges U1, U4, M2.
#include <generic/mailbox.hpp>

#include "engine/scenario.hpp"

namespace model = weft::model;

namespace {

struct Words : weft::Port {
    static void nap() { park(); }
    // What the core executes after it is what memory has now.
    static void release_interrupts(uint32_t held) {
        weft::Port::release_interrupts(held);
        weft::Port::fence();
    }
};

// Core 0 looks, then writes what all others read unless they stand.
template <unsigned count>
struct Pens {
    weft::generic::Mailbox<Words> mailbox[count];
    struct Call {
        Pens* all = nullptr;
        unsigned then = count;  // whom it starts
    } call[count];
    weft::Plain<uint32_t> flash{};

    Pens() {
        for (Call& one : call) one.all = this;
    }
    static void entry(void* argument) {
        Call& self = *static_cast<Call*>(argument);
        static_cast<void>(self.all->flash.get());
        if (self.then < count) self.all->post(self.then);
    }
    void post(unsigned core) {
        model::check(mailbox[core].post(&entry, &call[core]), "its mailbox is empty");
        weft::Port::unpark(core + 1);
    }
    bool look(uint32_t& turns) {
        for (auto& one : mailbox) {
            const uint32_t turn = one.pen_turn();
            if (turn == 0) return false;
            turns += turn;
        }
        return true;
    }
    template <class Others>
    void write(Others others) {
        uint32_t before = 0;
        uint32_t after = 0;
        if (!look(before) || !others() || !look(after) || before != after) return;
        flash.set(1);
        flash.set(2);
    }
    // What wait_in_pen() does.
    void pen(unsigned core, unsigned entries) {
        for (; entries != 0; --entries) {
            void (*called)(void*) = nullptr;
            void* arg = nullptr;
            while (!mailbox[core].take(called, arg)) {
                mailbox[core].stand();
                static_cast<void>(flash.get());
            }
            called(arg);
            mailbox[core].done();
            static_cast<void>(flash.get());
        }
        mailbox[core].stand();
    }
    void finish() {}
};

// Result: Never (a core reads while it is written). One core starts core 2, which starts core 1; each is back in its
// pen when it is looked at.
struct StartsInTurn : Pens<2> {
    weft::Published<uint32_t> stands{};
    void cores(model::Program& on) {
        call[1].then = 0;
        on.core(0, [this] { write([this] { return stands.load(weft::acquire) != 0; }); });
        for (unsigned core = 0; core != 2; ++core) {
            on.core(core + 1, [this, core] { pen(core, 1); });
        }
        on.core(3, [this] {
            post(1);
            stands.store(1, weft::release);
        });
    }
};
MODEL_SCENARIO(pen_starts_in_turn, StartsInTurn).preemptions(2).stale_reads(1).parked_at_end();

// Result: Never. A start is withdrawn when its core has seen it, and is about to leave its pen for that.
struct Withdrawn : Pens<1> {
    void cores(model::Program& on) {
        on.core(0, [this] {
            post(0);
            if (mailbox[0].revoke(&call[0])) write([] { return true; });
        });
        on.core(1, [this] { pen(0, 1); });
    }
};
MODEL_SCENARIO(pen_start_withdrawn, Withdrawn).preemptions(3).stale_reads(2).parked_at_end();

}  // namespace
