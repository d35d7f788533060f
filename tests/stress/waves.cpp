// SPDX-License-Identifier: MIT OR Apache-2.0
// Stress tests: waves. Every task must run though nobody shuts the pool down, and nobody but its own cores helps. A
// round is a pool with small rings; a wave is a random tree of tasks that submit their children, in batches of up to
// several rings, one by one until the rings spill, pinned, or as from an interrupt, and end. When the last one has run,
// the next wave finds cores that sleep, that are about to, or that still search.
#include "program.hpp"
#include "rounds.hpp"
#include "weft_image.hpp"

namespace stress {
namespace {

using weft::acquire;
using weft::Atomic;
using weft::Batch;
using weft::Port;
using weft::relaxed;
using weft::release;
using weft::Scheduler;
using weft::Status;
using weft::Task;

constexpr Shape shapes[] = {shape<2, 2>, shape<3, 2>, shape<4, 2>, shape<8, 2>,
                            shape<3, 4>, shape<4, 8>, shape<6, 4>, shape<8, 8>};

Scheduler* pool;
Atomic<uint32_t> runs;

struct Node : Task {
    constexpr Node() : Task(&Node::run) {}
    static void run(Task& self);

    Atomic<uint32_t> count{};  // of runs in this wave
    uint32_t first = 0;        // of its children
    uint32_t children = 0;
    uint32_t seed = 0;
};
constexpr uint32_t most_nodes = 120;
Node nodes[most_nodes];

void submit_batch(Node* node, uint32_t count) {
    Batch batch;
    for (; count != 0; --count) CHECK_EQ(batch.push(*node++), Status::ok);
    CHECK_EQ(pool->submit(batch), Status::ok);
}

// As if in an interrupt. It wakes a core, but starts none: there must be one.
Status submit_in_interrupt(Node* node) {
    if (pool->live_cores() == 0) return pool->submit(*node);
    const weft::host::Interrupt interrupt;
    return pool->submit_from_isr(*node);
}

// Pinned to any core but core 0, which is no worker.
Status submit_pinned(Node* node, tap::Random& random) {
    return pool->submit_on(1 + random.below(pool->cores() - 1), *node);
}

// Submits nodes first..first+count-1 in one or several batches, or one by one.
void submit_all(uint32_t first, uint32_t count, tap::Random& random) {
    while (count != 0) {
        const uint32_t part = random.below(3) == 0 ? 1 + random.below(count) : count;
        const uint32_t kind = random.below(8);
        if (kind > 3) submit_batch(nodes + first, part);
        for (uint32_t i = 0; kind <= 3 && i < part; ++i) {
            Node* const node = nodes + first + i;
            const Status status = kind == 0   ? submit_pinned(node, random)
                                  : kind == 1 ? submit_in_interrupt(node)
                                              : pool->submit(*node);
            CHECK_EQ(status, Status::ok);
        }
        first += part;
        count -= part;
    }
}

void Node::run(Task& self) {
    Node& node = static_cast<Node&>(self);
    Watch::progress();
    tap::Random random(node.seed);
    if (random.below(4) == 0) dawdle(random, 60);
    submit_all(node.first, node.children, random);
    if (random.below(4) == 0) dawdle(random, 60);
    CHECK_EQ(node.count.fetch_add(1, relaxed), 0);
    runs.fetch_add(1, release);  // from now on the wave may be over
}

// A tree with this many roots. Returns how many nodes it has.
uint32_t plant(tap::Random& random, uint32_t roots, uint32_t ring) {
    uint32_t planted = roots;
    const uint32_t branching = 1 + random.below(8);  // of how many nodes one has children
    for (uint32_t i = 0; i < planted; ++i) {
        Node& node = nodes[i];
        node.count.store(0, relaxed);
        node.seed = random.next();
        uint32_t children = i < roots || random.below(branching) == 0 ? random.below(3 * ring + 3) : 0;
        if (children > most_nodes - planted) children = most_nodes - planted;
        node.first = planted;
        node.children = children;
        planted += children;
    }
    return planted;
}

void run_wave(tap::Random& random, uint32_t ring) {
    const uint32_t roots = 1 + random.below(random.below(3) == 0 ? 4 : 1);
    runs.store(0, relaxed);
    const uint32_t planted = plant(random, roots, ring);
    submit_all(0, roots, random);
    while (runs.load(acquire) != planted) Port::relax();  // the watch ends it if it does not end
    for (uint32_t i = 0; i < planted; ++i) CHECK_EQ(nodes[i].count.load(relaxed), 1);
    if (random.below(2) == 0) dawdle(random, 1u << random.below(13));
}

}  // namespace

void run_waves(const char* name, uint32_t seed, uint32_t milliseconds) {
    run_rounds_of_waves(name, seed, milliseconds, shapes, 30,
                        [](Scheduler& of_this_round, tap::Random& random, uint32_t ring) {
                            pool = &of_this_round;
                            run_wave(random, ring);
                        });
}

}  // namespace stress
