// SPDX-License-Identifier: MIT OR Apache-2.0
// Model checker: what the cores run.
#include "program.hpp"

namespace weft {
namespace model {

Program::CorePlan& Program::at(unsigned id) {
    if (id >= max_cores) fail(Failure::misuse, "the model has %u cores", max_cores);
    if (count_ <= id) count_ = id + 1;
    return plans_[id];
}

void Program::core(unsigned id, const Callable& body) {
    CorePlan& plan = at(id);
    plan.boots = true;
    plan.body = body;
}

void Program::core_at_rest(unsigned id, const Callable& body) {
    core(id, body);
    at(id).settles = true;
}

void Program::late_core(unsigned id, std::initializer_list<Arrival> outcomes) {
    CorePlan& plan = at(id);
    if (outcomes.size() == 0 || outcomes.size() > most_outcomes) {
        fail(Failure::misuse, "late_core: 1 to %u outcomes", most_outcomes);
    }
    plan.outcome_count = 0;
    for (const Arrival outcome : outcomes) plan.outcomes[plan.outcome_count++] = outcome;
}

void Program::interrupt(unsigned id, const Callable& handler, unsigned times, Occurs occurs) {
    CorePlan& plan = at(id);
    if (plan.interrupt_count == most_interrupts) fail(Failure::misuse, "too many interrupts on core %u", id);
    plan.interrupts[plan.interrupt_count++] = Interrupt{handler, static_cast<uint8_t>(times), occurs};
}

}  // namespace model
}  // namespace weft
