// SPDX-License-Identifier: MIT OR Apache-2.0
// weft for C: order among tasks, work that is waited for, and timers. Each is by itself, so that an image has what it
// uses (-ffunction-sections).
#include "internal.hpp"

using namespace weft::c;
using weft::Batch;
using weft::Event;
using weft::Gate;
using weft::Strand;
using weft::Task;
using weft::Waitable;

namespace {

using Work = weft::Work<Function>;

static_assert(static_cast<uint32_t>(weft::CancelResult::not_armed) == WEFT_NOT_ARMED,
              "weft: weft_cancel_result has the values of CancelResult");

weft_cancel_result of(weft::CancelResult result) { return static_cast<weft_cancel_result>(result); }

}  // namespace

extern "C" {

weft_status weft_strand_init(weft_strand* strand, weft_pool* pool) {
    if (!are_given(strand) || !is_made(pool)) return not_made(strand, WEFT_NOT_MADE);
    new (In{&as<Strand>(strand)}) Strand(pool_of(pool));
    return WEFT_OK;
}
weft_status weft_strand_submit(weft_strand* strand, weft_task* task) {
    if (!is_made(strand) || !are_given(task)) return WEFT_NOT_MADE;
    return weft::c::of(as<Strand>(strand).submit(as<Task>(task)));
}
weft_status weft_strand_submit_from_isr(weft_strand* strand, weft_task* task) {
    if (!is_made(strand) || !are_given(task)) return WEFT_NOT_MADE;
    return weft::c::of(as<Strand>(strand).submit_from_isr(as<Task>(task)));
}
void weft_strand_take_back(weft_strand* strand, weft_batch* left_over) {
    must_be(is_made(strand) && are_given(left_over));
    as<Strand>(strand).take_back(as<Batch>(left_over));
}

weft_status weft_gate_init(weft_gate* gate, weft_pool* pool, weft_task* follower, uint32_t arrivals) {
    if (!are_given(gate, follower) || !is_made(pool)) return not_made(gate, WEFT_NOT_MADE);
    new (In{&as<Gate>(gate)}) Gate(pool_of(pool), as<Task>(follower), arrivals);
    return WEFT_OK;
}
weft_status weft_gate_arrive(weft_gate* gate, uint32_t by) {
    return is_made(gate) ? weft::c::of(as<Gate>(gate).arrive(by)) : WEFT_NOT_MADE;
}
weft_status weft_gate_arrive_from_isr(weft_gate* gate, uint32_t by) {
    return is_made(gate) ? weft::c::of(as<Gate>(gate).arrive_from_isr(by)) : WEFT_NOT_MADE;
}

weft_status weft_event_init(weft_event* event, weft_pool* pool) {
    if (!are_given(event) || !is_made(pool)) return not_made(event, WEFT_NOT_MADE);
    new (In{&as<Event>(event)}) Event(pool_of(pool));
    return WEFT_OK;
}
weft_status weft_event_wait(weft_event* event, weft_task* task) {
    if (!is_made(event) || !are_given(task)) return WEFT_NOT_MADE;
    return weft::c::of(as<Event>(event).wait(as<Task>(task)));
}
weft_status weft_event_wait_from_isr(weft_event* event, weft_task* task) {
    if (!is_made(event) || !are_given(task)) return WEFT_NOT_MADE;
    return weft::c::of(as<Event>(event).wait_from_isr(as<Task>(task)));
}
weft_status weft_event_set(weft_event* event) {
    return is_made(event) ? weft::c::of(as<Event>(event).set()) : WEFT_NOT_MADE;
}
weft_status weft_event_set_from_isr(weft_event* event) {
    return is_made(event) ? weft::c::of(as<Event>(event).set_from_isr()) : WEFT_NOT_MADE;
}
weft_status weft_event_signal(weft_event* event) {
    return is_made(event) ? weft::c::of(as<Event>(event).signal()) : WEFT_NOT_MADE;
}
weft_status weft_event_signal_from_isr(weft_event* event) {
    return is_made(event) ? weft::c::of(as<Event>(event).signal_from_isr()) : WEFT_NOT_MADE;
}
void weft_event_clear(weft_event* event) {
    must_be(is_made(event));
    as<Event>(event).clear();
}
void weft_event_take_back(weft_event* event, weft_batch* left_over) {
    must_be(is_made(event) && are_given(left_over));
    as<Event>(event).take_back(as<Batch>(left_over));
}

weft_status weft_work_init(weft_work* work, weft_pool* pool, void (*function)(void*), void* argument) {
    if (!are_given(work) || !is_made(pool)) return not_made(work, WEFT_NOT_MADE);
    if (WEFT_CHECKS && function == nullptr) return not_made(work, WEFT_NULL_RUN);
    new (In{&as<Work>(work)}) Work(pool_of(pool), Function{function, argument});
    return WEFT_OK;
}
weft_status weft_completion_init(weft_work* work, weft_pool* pool) {
    if (!are_given(work) || !is_made(pool)) return not_made(work, WEFT_NOT_MADE);
    new (In{&as<weft::Completion>(work)}) weft::Completion(pool_of(pool));
    return WEFT_OK;
}
weft_status weft_work_wait(weft_work* work) {
    return is_made(work) ? weft::c::of(as<Waitable>(work).wait()) : WEFT_NOT_MADE;
}
weft_cancel_result weft_work_cancel(weft_work* work) {
    must_be(is_made(work));
    return of(as<Waitable>(work).cancel());
}
weft_status weft_work_reset(weft_work* work) {
    return is_made(work) ? weft::c::of(as<Waitable>(work).reset()) : WEFT_NOT_MADE;
}
bool weft_work_is_done(const weft_work* work) {
    must_be(is_made(work));
    return as<Waitable>(work).is_done();
}
bool weft_work_is_cancelled(const weft_work* work) {
    must_be(is_made(work));
    return as<Waitable>(work).is_cancelled();
}
#if WEFT_ELASTIC
weft_status weft_retire_then(weft_pool* pool, uint32_t core, weft_work* follower) {
    if (!is_made(follower) || !is_made(pool)) return WEFT_NOT_MADE;
    return weft::c::of(pool_of(pool).retire(core, as<Waitable>(follower)));
}
#endif

#if WEFT_TIMERS
uint32_t weft_milliseconds(uint32_t count) { return weft::milliseconds(count); }
weft_status weft_timer_init(weft_timer* timer, weft_pool* pool, weft_task* follower, uint8_t level) {
    if (!are_given(timer, follower) || !is_made(pool)) return not_made(timer, WEFT_NOT_MADE);
    if (level >= WEFT_URGENCY_LEVELS) return not_made(timer, WEFT_OUT_OF_RANGE);
#if WEFT_URGENCY_LEVELS > 1
    const weft::Urgency urgency = static_cast<weft::Urgency>(level);
    new (In{&as<weft::Timer>(timer)}) weft::Timer(pool_of(pool), as<Task>(follower), urgency);
#else
    new (In{&as<weft::Timer>(timer)}) weft::Timer(pool_of(pool), as<Task>(follower));
#endif
    return WEFT_OK;
}
weft_status weft_timer_start_after(weft_timer* timer, uint32_t delay, uint32_t slack) {
    return is_made(timer) ? weft::c::of(as<weft::Timer>(timer).start_after(delay, slack)) : WEFT_NOT_MADE;
}
weft_status weft_timer_start_at(weft_timer* timer, uint32_t tick, uint32_t slack) {
    return is_made(timer) ? weft::c::of(as<weft::Timer>(timer).start_at(tick, slack)) : WEFT_NOT_MADE;
}
weft_status weft_timer_start_every(weft_timer* timer, uint32_t period, uint32_t slack) {
    return is_made(timer) ? weft::c::of(as<weft::Timer>(timer).start_every(period, slack)) : WEFT_NOT_MADE;
}
weft_status weft_timer_start_after_from_isr(weft_timer* timer, uint32_t delay, uint32_t slack) {
    if (!is_made(timer)) return WEFT_NOT_MADE;
    return weft::c::of(as<weft::Timer>(timer).start_after_from_isr(delay, slack));
}
weft_status weft_timer_start_at_from_isr(weft_timer* timer, uint32_t tick, uint32_t slack) {
    if (!is_made(timer)) return WEFT_NOT_MADE;
    return weft::c::of(as<weft::Timer>(timer).start_at_from_isr(tick, slack));
}
weft_status weft_timer_start_every_from_isr(weft_timer* timer, uint32_t period, uint32_t slack) {
    if (!is_made(timer)) return WEFT_NOT_MADE;
    return weft::c::of(as<weft::Timer>(timer).start_every_from_isr(period, slack));
}
weft_cancel_result weft_timer_cancel(weft_timer* timer) {
    must_be(is_made(timer));
    return of(as<weft::Timer>(timer).cancel());
}
weft_cancel_result weft_timer_cancel_from_isr(weft_timer* timer) {
    must_be(is_made(timer));
    return of(as<weft::Timer>(timer).cancel_from_isr());
}
bool weft_timer_is_armed(const weft_timer* timer) {
    must_be(is_made(timer));
    return as<weft::Timer>(timer).is_armed();
}
uint32_t weft_timer_missed(const weft_timer* timer) {
    must_be(is_made(timer));
    return as<weft::Timer>(timer).missed();
}
#endif

}  // extern "C"
