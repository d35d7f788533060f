// SPDX-License-Identifier: MIT OR Apache-2.0
// Tests of the host port's own edges (H1, H2 of docs/ORDERING.md) by plain data that nothing else protects: under
// ThreadSanitizer each of them fails when its edge is gone, whatever the processor orders by itself. All other words
// here are relaxed, and no thread is created or joined between write and read.
#include <pthread.h>

#include "tap.hpp"
#include "wait.hpp"
#include "weft_host_faults.hpp"
#include "weft_port.hpp"

using weft::Atomic;
using weft::Port;
using weft::relaxed;
namespace host = weft::host;

namespace {

// A foreign thread that reads `letter` behind an edge.
struct Reader {
    Atomic<uint32_t> id;
    Atomic<uint32_t> go;
    uint32_t seen = 0;
    pthread_t thread{};

    Reader() = default;
    Reader(const Reader&) = delete;
    Reader& operator=(const Reader&) = delete;

    void start(void* (*run)(void*)) {
        id.store(0, relaxed);
        go.store(0, relaxed);
        if (pthread_create(&thread, nullptr, run, this) != 0) tap::bail_out("no more threads");
    }
    void await_number() {
        tap::wait_for([this] { return id.load(relaxed) != 0; }, "a foreign thread");
    }
    void await_asleep() {
        await_number();
        host::Word& event = host::events[id.load(relaxed)].word;
        tap::wait_for([&] { return event.load(relaxed) == host::parked; }, "a foreign thread that parks");
    }
    void join() { pthread_join(thread, nullptr); }
};

uint32_t letter;
Reader first;
Reader second;

// The event of a number may be set from the time of its last owner.
void announce(Reader& self) {
    Port::unpark(Port::core_id());
    Port::park();
    self.id.store(Port::core_id(), relaxed);
}

void* park_and_read(void* of) {
    Reader& self = *static_cast<Reader*>(of);
    announce(self);
    Port::park();
    self.seen = letter;
    return nullptr;
}

void* wait_park_and_read(void* of) {
    Reader& self = *static_cast<Reader*>(of);
    announce(self);
    while (self.go.load(relaxed) == 0) Port::relax();
    Port::park();  // returns at once: the event is set
    self.seen = letter;
    return nullptr;
}

// Whoever has the number reads what its last owner wrote under it.
void* take_number_and_read(void* of) {
    Reader& self = *static_cast<Reader*>(of);
    while (self.go.load(relaxed) == 0) Port::relax();
    self.id.store(Port::core_id(), relaxed);
    self.seen = letter;
    return nullptr;
}

void* take_number_and_write(void* of) {
    Reader& self = *static_cast<Reader*>(of);
    self.id.store(Port::core_id(), relaxed);
    letter = 4;
    return nullptr;
}

void edge_park_asleep() {
    host::clear_faults();
    first.start(park_and_read);
    first.await_asleep();
    letter = 1;
    Port::unpark(first.id.load(relaxed));
    first.join();
    CHECK_EQ(first.seen, 1);
}

void edge_park_awake() {
    host::clear_faults();
    first.start(wait_park_and_read);
    first.await_number();
    letter = 2;
    Port::unpark(first.id.load(relaxed));
    first.go.store(1, relaxed);
    first.join();
    CHECK_EQ(first.seen, 2);
}

void edge_park_by_wake_everyone() {
    host::clear_faults();
    first.start(park_and_read);
    first.await_asleep();
    second.start(park_and_read);
    second.await_asleep();
    host::wake_everyone(true);
    letter = 3;
    Port::unpark(first.id.load(relaxed));  // it sleeps, so the second gets an event, too
    first.join();
    second.join();
    CHECK_EQ(first.seen, 3);
    CHECK_EQ(second.seen, 3);
    host::clear_faults();
}

void edge_number_of_a_thread() {
    host::clear_faults();
    second.start(take_number_and_read);  // before the other begins: its creation is no edge
    first.start(take_number_and_write);
    first.join();  // an edge to this thread, but `go` is none to the other
    second.go.store(1, relaxed);
    second.join();
    CHECK_EQ(second.id.load(relaxed), first.id.load(relaxed));
    CHECK_EQ(second.seen, 4);
}

constexpr tap::Test tests[] = {
    TEST(edge_park_asleep),
    TEST(edge_park_awake),
    TEST(edge_park_by_wake_everyone),
    TEST(edge_number_of_a_thread),
};

}  // namespace

extern const tap::Tests edges_tests{tests};
