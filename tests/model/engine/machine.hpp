// SPDX-License-Identifier: MIT OR Apache-2.0
// Model checker: Machine, the simulated multicore: cores as fibers, event registers, starting of cores, interrupts, the
// clock. Every operation on shared state first comes to a point(), where another core may go instead.
#pragma once

#include <setjmp.h>

#include <string>

#include "fiber.hpp"
#include "memory.hpp"
#include "plain.hpp"
#include "program.hpp"
#include "snapshots.hpp"
#include "states.hpp"
#include "trail.hpp"
#include "undo.hpp"

namespace weft {
namespace model {

class Machine {
public:
    Explorer explorer;
    Sharing sharing;
    Undo undo;
    Trail trail{explorer, undo};
    Memory memory{explorer, sharing, trail, undo};
    PlainMemory plain{undo};
    Program program;

    enum class Ending : uint8_t { complete, duplicate, failed };

    void begin_exploration(const Config& config);
    // Runs the program once, from `program` as it stands, and then `judge` (the scenario's final check).
    Ending execute(Callable judge);
    // The next execution, after Explorer::next(), if it can go on from a snapshot of an earlier one.
    bool can_resume();
    Ending resume(Callable judge);
    // The scenario's state, in which the program works.
    void set_state(void* begin, size_t size) { state_ = StaticPart{begin, size}; }
    Failure failure() const { return failure_; }
    const std::string& message() const { return message_; }
    [[noreturn]] void fail(Failure failure, const std::string& message);
    // A signal came while a fiber ran.
    [[noreturn]] void crash(int signal, const void* address);
    bool executing() const { return executing_; }
    // How often, in this exploration, a relax() returned only because nobody could go on.
    uint64_t releases() const { return releases_before_ + releases_; }
    // In this execution: ticks that have passed, and calls of start_core that were not answered `started`.
    uint64_t elapsed() const { return elapsed_; }
    unsigned failed_starts() const { return failed_starts_; }
    // And of those that were; and whether the core runs an entry, and has not vacated.
    unsigned starts() const { return starts_; }
    bool runs_entry(unsigned core) const { return cores_[core].busy; }
    // In steps: when the core has begun its last entry, or has come back from its last park() in it. 0: never.
    unsigned was_awake_at(unsigned core) const { return cores_[core].awake_at; }
    // When the core has parked for the first time since it has said that this is forgotten. 0: never.
    unsigned first_park(unsigned core) const { return cores_[core].first_park; }
    void forget_parks() { cores_[self_].first_park = 0; }
    // How many entries the core has begun.
    unsigned entries(unsigned core) const { return cores_[core].entries; }
    // An alarm of the core's is set, and has not come.
    bool has_alarm(unsigned core) const { return cores_[core].alarm; }
    uint32_t ticks_per_ms() const { return config_.ticks_per_ms; }
    uint32_t ticks_per_jump() const { return config_.ticks_per_jump; }
    // Where the states that were seen are counted; nullptr: they are not.
    States* states = nullptr;

    // ---- For the hooks: always called by the core that runs now.

    unsigned self() const { return self_; }
    bool in_interrupt() const { return cores_[self_].in_interrupt; }
    // In a handler, and not in that of Port::interrupt().
    bool in_isr() const { return in_interrupt() && !cores_[self_].on_top; }
    // Before an operation on a word; returns when it is this core's turn to do it.
    void access(Location& location, Access access);
    // The core has read the word; `must_advance`: this read must not find what the core saw before (see relax).
    void watch(unsigned word);
    bool must_advance(unsigned word);
    // Something newer than before can be read from the word.
    void stored(unsigned word);
    void fence();
    void relax();
    uint32_t relaxes() const { return cores_[self_].relaxes; }
    // False: returned early, without an event.
    bool park(bool with_barrier);
    void unpark(unsigned target, bool with_barrier);
    void interrupt(unsigned target, void (*handler)());
    // Returns what it was.
    bool hold_interrupts(bool held);
    StartAnswer start_core(unsigned target, void (*entry)(void*), void* arg);
    bool cancel_start(unsigned target, const void* arg);
    // Of its mailbox: 0 if something is there or runs, else a number that each start changes.
    uint32_t mailbox_turn(unsigned target);
    void vacate();
    uint32_t now();
    void advance_clock(uint32_t ticks);
    void set_alarm(uint32_t tick);
    void clear_alarm();

private:
    enum class State : uint8_t {
        off,       // in the pen: waits for an entry
        arriving,  // an entry was posted; the core may take it
        ready,
        waiting,  // in relax(), for a change
        parked,
        finished,
    };

    // The words read in the last few rounds of a loop with relax() in it.
    struct WatchSet {
        static constexpr unsigned rounds = 4;
        static constexpr unsigned parts = (max_words + 63) / 64;
        uint64_t words[rounds][parts];
        bool any(unsigned round_) const {
            uint64_t all = 0;
            for (const uint64_t part : words[round_]) all |= part;
            return all != 0;
        }
        unsigned round;
    };

    struct Core {
        Fiber fiber;
        State state;
        bool started;  // takes events
        bool event;    // the event register, or the pending bit
        bool in_interrupt;
        bool holds_interrupts;
        bool on_top;        // in the handler of Port::interrupt(), and in none that has interrupted that
        void (*pending)();  // that handler, while its interrupt is pending
        bool free_switch;   // at the next point another core may go at no cost: the last call was relax()
        bool changed;       // waiting: there is something new
        bool fresh;         // the next read of a watched word must find something new
        bool silent;        // the entry was posted, but the core never comes
        int8_t interrupt;   // the handler to run when the core goes on; -1: none
        bool mail;          // an entry was posted and not taken yet
        bool busy;          // runs an entry and has not vacated
        bool in_entry;      // runs an entry
        bool alarm;         // its event is set when the clock has come to `alarm_at`
        uint32_t alarm_at;
        uint8_t starts;    // calls of start_core that have got an outcome
        uint32_t relaxes;  // calls of relax()
        unsigned awake_at;
        unsigned entries, first_park;
        void (*entry)(void*);
        void* arg;
        WatchSet watches;
    };

    static constexpr int no_handler = -1;
    static constexpr int pending_handler = Program::most_interrupts;  // that of Port::interrupt()
    static constexpr unsigned most_idle_rounds = 16;
    static constexpr unsigned idle_rounds_to_alarm = 4;
    static constexpr unsigned most_rounds_to_alarm = 8;  // one that polls stores in each of them

    Ending run(Callable judge);
    void save();
    template <class Copy>
    void each_part(Copy& copy);
    void reset_cores();
    StartAnswer post_entry(unsigned target, void (*entry)(void*), void* arg);
    void pass_time(uint32_t ticks);
    bool next_alarm(uint32_t& wait) const;
    Operation clock_access(bool moves) const;
    static void run_fiber();
    void run_core();
    void run_judge();
    [[noreturn]] void end_execution(Ending ending);
    void begin_step();
    void point(Operation operation);
    void arrive(Operation operation);
    void pass_on(bool free);
    bool seek_boot_core();
    bool settling() const { return booting_ != count_ && program.plan(booting_).settles; }
    void reschedule(unsigned current, bool free);
    void resume(unsigned core);
    bool can_go(const Core& core) const;
    CoreSet able() const;
    bool interruptible(unsigned id) const;
    bool is_pending(unsigned id) const;
    CoreSet interruptible_cores(bool only_certain) const;
    CoreSet when_nobody_can_go();
    bool end_relaxes();
    int choose_handler(unsigned id, bool certain, bool only_certain);
    void run_interrupt();
    void last_interrupts();
    void report_stuck();
    bool all_words_current(const Core& core) const;
    void next_round();
    void wait_in_pen();
    void take_entry();
    bool comes_back(bool by_event);
    static Operation mailbox(unsigned core) {
        return Operation{Access::write, static_cast<uint8_t>(place_core + core)};
    }

    Config config_;
    Core cores_[max_cores];
    Fiber main_;
    Fiber judge_fiber_;
    Callable judge_;
    jmp_buf after_crash_;
    unsigned self_ = 0;
    unsigned count_ = 0;
    unsigned booting_ = 0;  // the core that begins now; count_: all have begun
    Snapshots snapshots_;
    StaticPart state_ = {};
    bool to_be_saved_ = false;  // the core that runs has left for this
    bool executing_ = false;
    bool judging_ = false;
    bool has_interrupts_ = false;
    bool has_late_cores_ = false;
    bool only_certain_ = false;     // nothing else can go on: just the interrupts that must occur
    unsigned idle_rounds_ = 0;      // without a store
    unsigned rounds_to_alarm_ = 0;  // with stores, too
    uint32_t clock_ = 0;
    uint64_t elapsed_ = 0;
    unsigned failed_starts_ = 0;
    unsigned starts_ = 0;
    uint64_t releases_ = 0;         // in this execution
    uint64_t releases_before_ = 0;  // in those before
    uint64_t stores_ = 0;
    uint64_t stores_when_idle_ = 0;
    Ending ending_ = Ending::complete;
    Failure failure_ = Failure::none;
    std::string message_;
};

extern Machine machine;

}  // namespace model
}  // namespace weft
