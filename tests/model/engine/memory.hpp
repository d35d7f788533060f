// SPDX-License-Identifier: MIT OR Apache-2.0
// Model checker: Memory, the weak memory. Each word has a history in modification order; a load may read any message
// that its core's view does not forbid, a read-modify-write takes the place right behind the message it reads, and a
// plain store may go in front of messages its core has not seen. The model is RC11 without load buffering
// (Lahav et al., "Repairing Sequential Consistency in C/C++11", PLDI 2017) in the view-based form of Kang et al.,
// "A Promising Semantics for Relaxed-Memory Concurrency", POPL 2017, without promises.
#pragma once

#include <hooks.hpp>

#include "address_table.hpp"
#include "explorer.hpp"
#include "sharing.hpp"
#include "states.hpp"
#include "trail.hpp"
#include "undo.hpp"
#include "view.hpp"

namespace weft {
namespace model {

struct Message {
    uint64_t value;
    Stamp stamp;
    bool modifies;   // of a read-modify-write: nothing may come between it and the older message
    bool carries;    // its view says something
    uint16_t older;  // neighbours in modification order; 0: none
    uint16_t newer;
    uint64_t kept;  // see Undo
};

struct Location {
    uintptr_t address;
    Site last_write;
    uint16_t newest;
    uint8_t index;
    uint8_t size;
    WordKind kind;
    bool dead;
    uint8_t writer;  // of the last store; max_cores: nobody yet
    Stamp writer_clock;
    uint8_t born_by;  // constructed by this core while the cores ran; max_cores: before
    Stamp born_clock;
    uint16_t* sharers;         // who has ever touched it, in this and in earlier executions
    uint16_t seen[max_cores];  // the message the core read or wrote last
    Stamp touched[max_cores];  // the core's clock at its last access
    Site touched_at[max_cores];
    uint64_t kept;  // see Undo
};

// What an access found, for the trace.
struct Seen {
    uint64_t value;
    unsigned behind;  // messages newer than the one read
    bool stored;
};

class Memory {
public:
    Memory(Explorer& explorer, Sharing& sharing, Trail& trail, Undo& undo)
        : explorer_(explorer), sharing_(sharing), trail_(trail), undo_(undo) {}

    void begin_exploration() { span_.reset(); }
    void reset(unsigned cores);

    // The word's location; the first access in an execution registers it with the value it holds.
    Location& locate(unsigned core, const Word& word, Site site);
    // Before each access: the word must be alive, and its construction known to the core.
    void check_access(unsigned core, Location& location, Site site);
    void born(unsigned core, const Word& word);
    // The word, or every word in the range, ends now. Every access must be ordered before this; none may follow, also
    // not to words of the range that were never used before.
    void end(unsigned core, uintptr_t address);
    void end_range(unsigned core, uintptr_t address, size_t size);
    bool buried(uintptr_t address) const;

    Seen load(unsigned core, Location& location, Order order, bool must_advance);
    uint64_t own(unsigned core, Location& location);
    Seen store(unsigned core, Location& location, uint64_t value, Order order);
    Seen modify(unsigned core, Location& location, Modify how, uint64_t operand, Order order);
    Seen compare_exchange(unsigned core, Location& location, uint64_t& expected, uint64_t desired,
                          Order success, Order failure);
    void fence(unsigned core);
    // Where the last write is, for what a failure says.
    void note_write(Location& location, Site site) {
        undo_.keep(location);
        location.last_write = site;
    }

    // Reading the word again would bring the core the value it saw last. (A newer message with the same value may carry
    // more knowledge, but a loop that waits for another value would go round just as before.)
    bool up_to_date(unsigned core, unsigned word) const {
        return messages_[locations_[word].newest].value == messages_[locations_[word].seen[core]].value;
    }
    // The last store has given the word another value.
    bool value_changed(unsigned word) const {
        const Message& newest = messages_[locations_[word].newest];
        return newest.older == 0 || newest.value != messages_[newest.older].value;
    }
    // The last store, as a number: which word it was, and from what to what. (XOR of all is the memory's state.)
    uint64_t change_of(unsigned word) const {
        const Message& newest = messages_[locations_[word].newest];
        const uint64_t before = newest.older == 0 ? 0 : messages_[newest.older].value;
        const uint64_t at = locations_[word].address;
        return States::mixed(at, before) ^ States::mixed(at, newest.value);
    }
    const Location& location(unsigned word) const { return locations_[word]; }
    const Location* at(uintptr_t address) const;

    // Events and starts of cores.
    void barrier(unsigned core);  // unpark(): what the event will carry
    void send_event(unsigned core, unsigned target, bool with_barrier);
    void take_event(unsigned core, bool with_barrier);
    void send_start(unsigned core, unsigned target);
    void take_start(unsigned core, bool first);
    // `core` vacates its mailbox; another one sees that it is empty.
    void send_vacancy(unsigned core);
    void see_vacancy(unsigned core, unsigned of);

    // How many blocks the views have: never fewer in an exploration.
    unsigned shape() const { return span_.blocks(); }
    template <class Copy>
    void each_part(Copy& copy);

    const View& view(unsigned core) const { return cores_[core].current; }
    void tick(unsigned core) { ++cores_[core].current.clock(core); }

private:
    struct CoreViews {
        View current;
        View acquired;  // what relaxed loads have read, for the next fence
        View released;  // as of the last fence: relaxed stores carry this
        View event;     // what an event that waits here carries
        View start;     // what the core will know when it starts
        View vacancy;   // what it had done when it vacated its mailbox
        bool has_released;
    };

    static constexpr Stamp gap = 16;  // room for stores that go between older messages
    static constexpr unsigned most_alternatives = 16;
    static constexpr unsigned most_graves = 64;

    Location& create(unsigned core, const Word& word, uint64_t value);
    void end_word(unsigned core, Location& location);
    uint16_t new_message(uint64_t value, Stamp stamp);
    void open_block();
    void read_message(unsigned core, Location& location, uint16_t index, Order order);
    void write_message(unsigned core, Location& location, uint16_t index, Order order, uint16_t modified);
    void link_behind(Location& location, uint16_t older, uint16_t index);
    bool free_behind(const Message& message) const;
    Stamp stamp_behind(const Location& location, uint16_t older) const;
    uint16_t choose_place(unsigned core, Location& location, unsigned& behind);
    void modify_message(unsigned core, Location& location, uint16_t index, uint64_t value, Order order);

    Explorer& explorer_;
    Sharing& sharing_;
    Trail& trail_;
    Undo& undo_;
    unsigned count_ = 0;  // cores
    ViewSpan span_;
    CoreViews cores_[max_cores];
    View sequential_;  // what seq_cst fences have made known to later ones
    View completed_;   // stores that a barrier before an event completed: known to any core that starts later

    AddressTable<512> table_;
    Location locations_[max_words];
    unsigned words_ = 0;
    Message messages_[max_messages];
    View message_views_[max_messages];  // what a core knows that acquires the message; written once
    unsigned message_count_ = 1;        // 0 is "none"

    struct Grave {
        uintptr_t begin;
        uintptr_t end;
    };
    Grave graves_[most_graves];
    unsigned grave_count_ = 0;
};

template <class Copy>
void Memory::each_part(Copy& copy) {
    const unsigned words = words_;
    copy(words_);
    copy(message_count_);
    copy(grave_count_);
    // To load: the words that came later are unknown again, the last one first.
    for (unsigned later = words; later > words_;) table_.remove_last(locations_[--later].address);
    for (unsigned core = 0; core != count_; ++core) {
        CoreViews& views = cores_[core];
        for (View* view :
             {&views.current, &views.acquired, &views.released, &views.event, &views.start, &views.vacancy}) {
            copy(view->lane, span_.bytes());
        }
        copy(views.has_released);
    }
    copy(sequential_.lane, span_.bytes());
    copy(completed_.lane, span_.bytes());
    copy(graves_, grave_count_ * sizeof(Grave));
}

uint64_t read_bits(const void* address, unsigned size);
void write_bits(void* address, unsigned size, uint64_t value);
uint64_t apply(Modify how, uint64_t old, uint64_t operand, unsigned size);

}  // namespace model
}  // namespace weft
