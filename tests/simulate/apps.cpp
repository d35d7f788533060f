// SPDX-License-Identifier: MIT OR Apache-2.0
// simulate: the programs.
#include "apps.hpp"

namespace simulate {

namespace {

constexpr Time us = 1000000;

// ---- batch, small: independent tasks, handed in at once

void batch(Share& share) { submit_items(share, share.of(4096), 5 * us); }
void small(Share& share) { submit_items(share, share.of(32768), us / 5); }

// ---- drain: as batch, and the pool is shut down at once: what a first program does

void drain(Share& share) {
    submit_items(share, share.of(4096), 5 * us);
    share.pool->shutdown();
}

// ---- chain: each task submits the next. One image has all of it.

struct Link : weft::TaskOf<Link> {
    void run() {
        work(length);
        if (--left == 0) return share->pool->shutdown();
        must(share->pool->submit(*this));
    }
    Share* share = nullptr;
    Time length = 0;
    uint32_t left = 0;
};

void chain_of(Share& share, uint32_t links, Time length) {
    if (share.first != 0) return share.pool->shutdown();
    Link& link = *new Link;
    link.share = &share;
    link.length = length;
    link.left = links / divisor;
    must(share.pool->submit(link));
}
void chain(Share& share) { chain_of(share, 2048, us); }
void links(Share& share) { chain_of(share, 65536, 0); }

// ---- empty: a task submits others one by one

void empty(Share& share) {
    const uint32_t count = share.of(32768);
    Item* const items = new Item[count];
    prepare_items(share, items, count, 0);
    for (uint32_t i = 0; i != count; ++i) must(share.pool->submit(items[i]));
}

// ---- fork: a tree of forks; loop: parallel_for

void tree(uint32_t leaves) {
    if (leaves == 1) return work(5 * us);
    weft::fork_join([=] { tree(leaves / 2); }, [=] { tree(leaves - leaves / 2); });
}
void fork(Share& share) {
    tree(share.of(4096));
    share.pool->shutdown();
}
void loop(Share& share) {
    weft::parallel_for(uint32_t{0}, share.of(16384), 4, [](uint32_t) { work(us); });
    share.pool->shutdown();
}

// ---- interrupts: a handler hands in a task after the other, and cores sleep in between

Item* next_item[3];
Share* ticking[3];

template <unsigned image>
void tick() {
    must(ticking[image]->pool->submit_from_isr(*next_item[image]++));
}
constexpr void (*tick_of[3])() = {tick<0>, tick<1>, tick<2>};

void interrupts_of(Share& share, uint32_t ticks, Time period) {
    const unsigned image = share.first == 0 ? 0 : share.first < 24 ? 1 : 2;
    const uint32_t count = share.of(ticks);
    Item* const items = new Item[count];
    prepare_items(share, items, count, 8 * us);
    next_item[image] = items;
    ticking[image] = &share;
    set_interrupt(tick_of[image], period * share.whole / share.part, count);
}
void interrupts(Share& share) { interrupts_of(share, 2048, 2 * us); }
void rare(Share& share) { interrupts_of(share, 256, 200 * us); }

#if WEFT_ELASTIC && WEFT_TIMERS
// ---- bursts: work comes now and then, and cores leave in between

constexpr uint32_t burst_count = 16;
constexpr uint32_t of_a_burst = 256;
struct Burst : weft::TaskOf<Burst> {
    void run() {
        weft::Batch all;
        for (uint32_t i = 0; i != size; ++i) must(all.push(next[i]));
        next += size;
        must(share->pool->submit(all));
    }
    Share* share = nullptr;
    Item* next = nullptr;
    uint32_t size = 0;
};
Burst burst[3];

template <unsigned image>
void come() {
    must(burst[image].share->pool->submit_from_isr(burst[image]));
}
constexpr void (*come_of[3])() = {come<0>, come<1>, come<2>};

// On the core that called run(): it does not leave, and with it the interrupt would.
struct Coming : weft::TaskOf<Coming> {
    void run() { set_interrupt(come_of[image], 2000 * us, burst_count); }
    unsigned image = 0;
};
Coming coming[3];

void bursts(Share& share) {
    const unsigned image = share.first == 0 ? 0 : share.first < 24 ? 1 : 2;
    Burst& own = burst[image];
    own.share = &share;
    own.size = share.of(of_a_burst);
    own.next = new Item[burst_count * own.size];
    prepare_items(share, own.next, burst_count * own.size, 5 * us);
    must(share.pool->keep_alive(200 * weft::Port::ticks_per_ms() / 1000));
    coming[image].image = image;
    must(share.pool->submit_on(0, coming[image]));
}
#endif

#if WEFT_QUIESCE
// ---- flash: as batch, and every 100 us all other cores stand still for 20

void flash(Share& share) {
    submit_items(share, share.of(4096), 5 * us);
    for (uint32_t i = 0; i != 32; ++i) {
        work(80 * us);
        must(share.pool->quiesce(weft::Port::ticks_per_ms()));
        work(20 * us);
        must(share.pool->resume());
    }
}
#endif

}  // namespace

const App apps[] = {
    {"batch", "4096 tasks of 5 us in one batch", batch},
    {"drain", "as batch, and the pool is shut down behind it", drain},
    {"small", "32768 tasks of 0.2 us in one batch", small},
    {"chain", "2048 tasks of 1 us, each of which submits the next", chain},
    {"links", "65536 tasks without work, each of which submits the next", links},
    {"empty", "32768 tasks without work, submitted one by one by a task", empty},
    {"fork", "a tree of forks with 4096 leaves of 5 us", fork},
    {"loop", "parallel_for over 16384 indices of 1 us, in pieces of 4", loop},
    {"interrupts", "2048 tasks of 8 us, one from an interrupt handler every 2 us", interrupts},
    {"rare", "256 tasks of 8 us, one from an interrupt handler every 200 us", rare},
#if WEFT_ELASTIC && WEFT_TIMERS
    {"bursts", "16 batches of 256 tasks of 5 us, every 2 ms; cores leave that slept for 0.2 ms", bursts},
#endif
#if WEFT_QUIESCE
    {"flash", "4096 tasks of 5 us in one batch; all but one core stand still for 20 us 32 times", flash},
#endif
};
const unsigned app_count = sizeof apps / sizeof apps[0];

}  // namespace simulate
