// SPDX-License-Identifier: MIT OR Apache-2.0
// bench/host: a floor beside each workload: the least that hands the work on, by hand, where no other core is to be
// let in. No scheduler can be faster by much; how near one comes says what stealing costs it.
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <memory>
#include <thread>

#include "workloads.hpp"

namespace bench {
namespace {

// ---- A private stack of forks: one store to fork, one comparison to join.

struct Fork {
    void (*run)(Fork&);
};
Fork* forks[4096];
Fork** volatile top = forks;  // volatile: a thief would look at it, so it has to be in memory

template <class F>
struct ForkOf : Fork {
    explicit ForkOf(const F& f)
        : Fork{[](Fork& self) { static_cast<ForkOf&>(self).function(); }}, function(f) {}
    const F& function;
};

const auto join = [](const auto& f, const auto& g) {
    ForkOf second(g);
    Fork** const place = top;
    *place = &second;
    top = place + 1;
    f();
    top = place;
    if (__builtin_expect(*place == &second, 1)) {
        g();
    } else {
        second.run(second);
    }
};
const auto enter = [](const auto& f) { f(); };

void fib(const Arguments& arguments) { measure_fib(arguments, enter, join); }

template <class Node>
void uts(const Arguments& arguments) {
    measure_uts<Node>(arguments, enter, join);
}

void queens(const Arguments& arguments) { measure_queens(arguments, enter, join); }

// ---- Tasks of two words, in a list.

struct Task {
    void (*run)(Task&) = [](Task&) { tick(); };
    Task* next = nullptr;
};

// All are linked, then all are run.
void outside(const Arguments& arguments) {
    const std::unique_ptr<Task[]> tasks(new Task[arguments.size]);
    measure(arguments, static_cast<double>(arguments.size), [&] {
        Task* last = &tasks[0];
        for (uint64_t i = 1; i != arguments.size; ++i) {
            last->next = &tasks[i];
            last = &tasks[i];
        }
        last->next = nullptr;
        asm volatile("" : : : "memory");
        for (Task* task = &tasks[0]; task != nullptr;) {
            Task* const next = task->next;
            task->run(*task);
            task = next;
        }
    });
}

// Each is pushed where others could see it.
void inside(const Arguments& arguments) {
    const std::unique_ptr<Task[]> tasks(new Task[arguments.size]);
    static Task* volatile head;
    measure(arguments, static_cast<double>(arguments.size), [&] {
        for (uint64_t i = 0; i != arguments.size; ++i) {
            tasks[i].next = head;
            head = &tasks[i];
        }
        while (Task* const task = head) {
            head = task->next;
            task->run(*task);
        }
    });
}

Task* volatile slot;
uint64_t left;

void chain(const Arguments& arguments) {
    Task task;
    task.run = [](Task& self) {
        if (--left != 0) slot = &self;
    };
    measure(arguments, static_cast<double>(arguments.size), [&] {
        left = arguments.size;
        slot = &task;
        while (Task* const next = slot) {
            slot = nullptr;
            next->run(*next);
        }
    });
}

// Equal parts, fixed in advance.
void producer(const Arguments& arguments) {
    measure(arguments, static_cast<double>(arguments.size), [&] {
        const auto part = [&](uint64_t index) {
            const uint64_t end = arguments.size * (index + 1) / arguments.workers;
            for (uint64_t i = arguments.size * index / arguments.workers; i != end; ++i) run_load(i);
        };
        std::unique_ptr<std::thread[]> others(new std::thread[arguments.workers]);
        for (uint32_t i = 1; i != arguments.workers; ++i) others[i] = std::thread(part, i);
        part(0);
        for (uint32_t i = 1; i != arguments.workers; ++i) others[i].join();
    });
}

// ---- One thread that waits for a number to change, asleep or awake.

uint32_t number = 0;
enum : uint32_t { first_number = 1, last_number = UINT32_MAX };

void receive(bool sleeps) {
    for (uint32_t seen = 0;;) {
        uint32_t now_seen = 0;
        while ((now_seen = __atomic_load_n(&number, __ATOMIC_ACQUIRE)) == seen) {
            if (sleeps) {
                syscall(SYS_futex, &number, FUTEX_WAIT_PRIVATE, seen, nullptr, nullptr, 0);
            } else {
                pause();
            }
        }
        seen = now_seen;
        if (seen == last_number) return;
        if (seen == first_number) pin(1);
        woken();
    }
}

void send(bool sleeps, uint32_t value) {
    __atomic_store_n(&number, value, __ATOMIC_RELEASE);
    if (sleeps) syscall(SYS_futex, &number, FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0);
}

void wakes(const Arguments& arguments, bool sleeps) {
    std::thread receiver(receive, sleeps);
    uint32_t next = first_number;
    const auto submit = [&] { send(sleeps, next++); };
    measure_wakes(arguments, sleeps ? until_asleep : 0, submit, submit);
    send(sleeps, last_number);
    receiver.join();
}
void asleep(const Arguments& arguments) { wakes(arguments, true); }
void awake(const Arguments& arguments) { wakes(arguments, false); }

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
    using namespace bench;
    return dispatch(argc, argv,
                    {{"fib", fib},
                     {"uts", uts<BinomialNode>},
                     {"uts_sha1", uts<GeometricNode>},
                     {"queens", queens},
                     {"outside", outside},
                     {"inside", inside},
                     {"chain", chain},
                     {"producer", producer},
                     {"asleep", asleep},
                     {"awake", awake}});
}
