// SPDX-License-Identifier: MIT OR Apache-2.0
// Model: the mailbox by which the ports start cores, itself (the other scenarios' machine has mailboxes of its own).
// Edges M1, M2.
#include <generic/mailbox.hpp>

#include "tasks.hpp"

namespace {

// What an entry is called with.
struct Call {
    weft::Plain<uint32_t> input{};
    void (*wanted)(void*) = nullptr;
    unsigned runs = 0;     // for finish() only
    bool posted = false;   // likewise
    bool revoked = false;  // likewise

    template <unsigned which>
    static void entry(void* argument) {
        Call& call = *static_cast<Call*>(argument);
        model::check(call.input.get() == 41, "the entry sees what was stored before the start");
        model::check(call.wanted == &entry<which>, "this entry belongs to this argument");
        ++call.runs;
    }
};

struct Pen {
    weft::generic::Mailbox<weft::Port> mailbox;
    Call a;
    Call b;

    template <unsigned which>
    void post(Call& call) {
        call.input.set(41);
        call.wanted = &Call::entry<which>;
        call.posted = mailbox.post(&Call::entry<which>, &call);
    }
    // One look of the core that is started; `vacates`: the entry says so before it returns.
    bool take(bool vacates) {
        weft::generic::Mailbox<weft::Port>::Entry entry = nullptr;
        void* argument = nullptr;
        if (!mailbox.take(entry, argument)) return false;
        entry(argument);
        if (vacates) mailbox.done();
        mailbox.done();
        return true;
    }
    void finish() {
        take(false);  // the core comes in the end
        for (const Call* call : {&a, &b}) {
            const bool runs = call->posted && !call->revoked;
            model::check(call->runs == (runs ? 1u : 0u), "what was posted and not withdrawn runs once");
        }
    }
};

// Result: Never. A late core against the deadline: the entry runs or was withdrawn.
struct LateOrWithdrawn : Pen {
    void cores(model::Program& on) {
        on.core(0, [this] { take(false); });
        on.core(1, [this] {
            post<1>(a);
            a.revoked = mailbox.revoke(&a);
            post<2>(b);
        });
    }
};
MODEL_SCENARIO(mailbox_late_or_withdrawn, LateOrWithdrawn).preemptions(model::unbounded).stale_reads(4);

// Result: Never. Two users of one core: neither withdraws, overwrites or loses what the other has posted, nor does the
// core that vacates when it returns.
struct TwoUsers : Pen {
    void cores(model::Program& on) {
        on.core(0, [this] { take(true), take(true); });
        on.core(1, [this] {
            post<1>(a);
            if (a.posted) a.revoked = mailbox.revoke(&a);
        });
        on.core(2, [this] { post<2>(b); });
    }
};
MODEL_SCENARIO(mailbox_two_users, TwoUsers).preemptions(model::unbounded).stale_reads(4);

// Result: Never. From post() to revoke() the mailbox is its user's own, and what ports write meanwhile (that the core
// has been switched on, for example) is handed on to the next one who posts.
struct Owned : Pen {
    weft::Plain<unsigned> note;

    void use(Call& call) {
        post<1>(call);
        if (!call.posted) return;
        note.set(note.get() + 1);
        call.revoked = mailbox.revoke(&call);
    }
    void cores(model::Program& on) {
        on.core(0, [this] { use(a); });
        on.core(1, [this] { use(b); });
    }
};
MODEL_SCENARIO(mailbox_owned_until_revoked, Owned).preemptions(model::unbounded).stale_reads(4);

}  // namespace
