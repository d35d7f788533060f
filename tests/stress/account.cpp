// SPDX-License-Identifier: MIT OR Apache-2.0
// Stress tests: see account.hpp.
#include "account.hpp"

#include "urgency.hpp"
#include "watch.hpp"

namespace stress {

Actor actors[most_actors];
Round round_;

namespace {

Actor* get_actor(tap::Random& random) {
    for (uint32_t tries = 0; tries < 4; ++tries) {
        Actor& actor = actors[random.below(round_.actor_count)];
        if (actor.get()) return &actor;
    }
    return nullptr;
}

weft::Urgency any_urgency(tap::Random& random) {
    return weft::Urgency{static_cast<uint8_t>(random.below(WEFT_URGENCY_LEVELS))};
}

// The answer to the submit of one actor. False: the pool has closed.
bool settle(Actor& actor, Status status) {
    if (status == Status::ok) {
        actor.accepted.fetch_add(1, relaxed);  // it may have run by now, even often
        return true;
    }
    CHECK(status == Status::closed || (status == Status::core_unavailable && actor.pinned_to != nowhere));
    actor.put_back();
    return status != Status::closed;
}

}  // namespace

bool submit_one(Scheduler& pool, tap::Random& random) {
    Actor* const actor = get_actor(random);
    return actor == nullptr || settle(*actor, kit::submit_at(pool, *actor, any_urgency(random)));
}

bool submit_pinned(Scheduler& pool, tap::Random& random) {
    const uint32_t core = random.below(pool.cores());
    Actor* const actor = get_actor(random);
    if (actor == nullptr) return true;
    actor->pinned_to = core;
    const Status status = pool.submit_on(core, *actor);
    return settle(*actor, status);
}

bool submit_batch(Scheduler& pool, tap::Random& random) {
    constexpr uint32_t most = 40;
    Actor* members[most];
    uint32_t count = 0;
    Batch batch;
    const uint32_t wanted = random.below(random.below(4) == 0 ? most : 5);
    while (count < wanted) {
        Actor* const actor = get_actor(random);
        if (actor == nullptr) break;
        CHECK_EQ(batch.push(*actor), Status::ok);
        members[count++] = actor;
    }
    const Status status = kit::submit_at(pool, batch, any_urgency(random));
    if (status == Status::ok) {
        CHECK(batch.empty());
        for (uint32_t i = 0; i < count; ++i) members[i]->accepted.fetch_add(1, relaxed);
        return true;
    }
    CHECK_EQ(status, Status::closed);
    CHECK_EQ(batch.size(), count);
    for (uint32_t i = 0; i < count; ++i) {
        CHECK_EQ(batch.pop(), members[i]);
        members[i]->put_back();
    }
    return false;
}

bool submit_any(tap::Random& random) {
    Scheduler& pool = *round_.pools[random.below(round_.pool_count)];
    switch (random.below(4)) {
        case 0: return submit_batch(pool, random);
        case 1: return submit_pinned(pool, random);
        default: return submit_one(pool, random);
    }
}

void submit_in_interrupt() {
    static tap::Random random(1);  // not replayed: when an interrupt comes is chance anyway
    Actor* const actor = get_actor(random);
    if (actor == nullptr) return;
    Scheduler& pool = *round_.pools[random.below(round_.pool_count)];
    static_cast<void>(settle(*actor, kit::submit_from_isr_at(pool, *actor, any_urgency(random))));
}

// What a run does depends on the seed, the actor, and how often it ran.
void Actor::run(Task& self) {
    Actor& actor = static_cast<Actor&>(self);
    CHECK_EQ(actor.running.exchange(1, acq_rel), 0);
    Watch::progress();
    if (actor.pinned_to != nowhere) CHECK_EQ(Port::core_id(), actor.pinned_to);
    const uint32_t nth = actor.runs.fetch_add(1, relaxed);
    tap::Random random(round_.seed ^ (actor.number * 65537 + nth));
    for (uint32_t left = random.below(round_.longest + 1); left != 0; --left) Port::relax();
    if (actor.number == round_.closer) round_.pools[0]->shutdown(round_.closer_mode);
    while (random.below(1000) < round_.children) static_cast<void>(submit_any(random));
    actor.running.store(0, release);
    if (random.below(1000) >= round_.resubmits) return actor.put_back();
    actor.pinned_to = nowhere;
    Scheduler& pool = *round_.pools[random.below(round_.pool_count)];
    static_cast<void>(settle(actor, kit::submit_at(pool, actor, any_urgency(random))));
}

void take_back(Batch& batch) {
    while (Task* const task = batch.pop()) {
        Actor& actor = static_cast<Actor&>(*task);
        CHECK_EQ(actor.busy.load(relaxed), 1);
        actor.returned.fetch_add(1, relaxed);
        actor.put_back();
    }
}

void pass_on(Batch& batch, Scheduler& pool) {
    Batch unpinned;
    while (Task* const task = batch.pop()) {
        static_cast<Actor&>(*task).pinned_to = nowhere;
        CHECK_EQ(unpinned.push(*task), Status::ok);
    }
    CHECK_EQ(pool.submit(unpinned), Status::ok);
}

void check_account() {
    uint32_t wrong = 0;
    uint32_t busy = 0;
    for (uint32_t i = 0; i < round_.actor_count; ++i) {
        const Actor& actor = actors[i];
        const uint32_t accepted = actor.accepted.load(relaxed);
        if (actor.runs.load(relaxed) + actor.returned.load(relaxed) != accepted) ++wrong;
        if (actor.busy.load(relaxed) != 0) ++busy;
    }
    CHECK_EQ(wrong, 0);
    CHECK_EQ(busy, 0);
}

uint32_t all_runs() {
    uint32_t sum = 0;
    for (const Actor& actor : actors) sum += actor.runs.load(relaxed);
    return sum;
}

}  // namespace stress
