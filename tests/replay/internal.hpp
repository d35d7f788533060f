// SPDX-License-Identifier: MIT OR Apache-2.0
// Replay on the host: what its source files ask of each other. Nobody else includes this.
#pragma once

#include <stdint.h>

namespace weft {
namespace host {
namespace replay {

enum Kind : uint32_t {
    access_event,
    clock_event,
    lock_event,
    interrupt_event,
    create_event,
    begin_thread_event,
    join_event,
    pause_event,
    kinds
};

static_assert(kinds <= 8, "a log has three bits for the kind");

enum class Mode { unknown, off, record, replay };

// Numbers of threads: main's is 0, the others count up in the order in which they are created.
inline constexpr uint32_t most_threads = 1u << 16;
inline constexpr uint32_t nobody = UINT32_MAX;
[[gnu::tls_model("initial-exec")]] inline thread_local uint32_t this_thread = nobody;

extern Mode mode;        // written before main() and before there is a second thread
extern bool serialised;  // as above: a thread keeps the turn until its next event
extern uint32_t patience_ms;

[[noreturn, gnu::format(printf, 1, 2)]] void die(const char* format, ...);
uint32_t begin_event(uint32_t kind, uint32_t value);
void end_event();
void event(Kind kind);
bool follows_log();        // a replay whose log has not ended
uint64_t events();         // how many have been made
uint32_t logged_thread();  // who makes the next one

// Of one who waits while no event is made. A time in which the process stood (in a debugger) counts as a tenth of a
// second.
class Patience {
public:
    bool has_ended();

private:
    uint64_t event_ = UINT64_MAX;
    uint64_t looked_ = 0;
    uint64_t waited_ = 0;
};

// ---- serial.cpp

enum class Chooser { walk, priorities };
void begin_serial(uint32_t seed, Chooser chooser);
void gives_way();                  // the caller waits for others
void take_turn(bool is_first);     // returns when the caller has been chosen
void add_thread(uint32_t number);  // it is going to stand at its first event
void end_thread();                 // the caller's
bool has_ended(uint32_t number);
uint32_t virtual_now();
void pass_time(uint32_t us);

// ---- threads.cpp

void deliver_pending();  // handlers of signals that have come to this thread, while a run is recorded
uint64_t
take_due();  // in a run by a seed: signals that have come to this thread, and are not masked; bit N-1 for N
void run_handler(uint32_t signal);
void say_how_to_replay(const char* what);  // on failure
void prepare_hint(const char* log, const char* seed);

}  // namespace replay
}  // namespace host
}  // namespace weft
