// SPDX-License-Identifier: MIT OR Apache-2.0
// weft: what the image does around each sleep. docs/IDLE.md, 2.
#include <weft/config.hpp>

#if WEFT_SLEEP_HOOKS

#include <weft/scheduler.hpp>

#include "beside_a_sleep.hpp"

namespace weft {
inline namespace WEFT_ABI {

Status Sleeping::on_sleep(Hook before, Hook after, void* argument) {
    const Scheduler& pool = static_cast<const Scheduler&>(*this);
    pool.check_constructed();
    if (pool.roster_.live() != 0) return Status::wrong_context;
    before_.set(before);
    after_.set(after);
    argument_.set(argument);
    return Status::ok;
}

// What it submits goes to the injector: its core sleeps, as others see it. A join, or a wait in whatever pool, would
// sleep, and take the event that ends the sleep after it.
void Sleeping::call(Hook hook, detail::Worker& worker) const {
    if (hook == nullptr) return;
    const uint16_t active = worker.active.get();
    worker.active.set(detail::Worker::in_function);
    calls[Port::core_id()] = true;
    {
        const detail::ForksSerially serially;
        hook(worker.core, worker.slept.get(), argument_.get());
    }
    calls[Port::core_id()] = false;
    worker.active.set(active);
}

void Sleeping::sleep(detail::Worker& worker) const {
    call(before_.get(), worker);
    const uint32_t begin = Port::now();
    Port::park();
    worker.slept.set(Port::now() - begin);
    call(after_.get(), worker);
}

}  // namespace WEFT_ABI
}  // namespace weft

#endif
