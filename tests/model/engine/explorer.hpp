// SPDX-License-Identifier: MIT OR Apache-2.0
// Model checker: Explorer, which choice is taken next. One execution after the other is run from its beginning; the
// explorer remembers the path of choices and, in exhaustive mode, changes the last one that has an alternative left.
#pragma once

#include <stdint.h>

#include <string>
#include <vector>

#include "config.hpp"
#include "view.hpp"

namespace weft {
namespace model {

// A choice that was not the plain one. The string of these is what replays an execution.
struct Decision {
    uint32_t step;
    Choice kind;
    uint8_t alternative;  // Choice::core: the core's number
};

class Explorer {
public:
    static constexpr int nobody = -1;

    void begin(const Config& config);
    void begin_execution();
    // After an execution: is there another one?
    bool next();

    // Replays this instead of exploring: every choice not listed is the plain one, bounds do not count.
    void begin_replay(const std::vector<Decision>& decisions);

    // Every operation of a core is a step; choices are named by step and kind.
    void begin_step() { ++step_; }
    uint32_t step() const { return step_; }

    // Which alternative, 0..count-1.
    unsigned choose(Choice kind, unsigned count) {
        return count > 1 && !quiet_ ? choose_among(kind, count) : 0;
    }
    // While quiet, the first alternative is taken, and that is no choice.
    void be_quiet(bool quiet) { quiet_ = quiet; }

    // Which core goes next. `current` has just run; `ready` can go on; `enabled`: these, and those that an interrupt
    // would make go on; `free`: leaving `current` is not a preemption even if it could go on. `eager`:
    // cores that must not be put to sleep (see docs/VERIFICATION.md), as they have
    // interrupts to take. Returns nobody when every enabled core is asleep: the execution is a duplicate of another.
    int pick(unsigned current, CoreSet ready, CoreSet enabled, bool free, CoreSet eager);

    // Partial-order reduction: the step of the node picked last is (not) independent of a sleeping core's next one.
    CoreSet asleep() const { return asleep_; }
    void wake_sleepers(CoreSet cores) { asleep_ = static_cast<CoreSet>(asleep_ & ~cores); }
    // Partial-order reduction: from the node's state `core` must be tried too.
    void demand(unsigned node, unsigned core);
    unsigned last_node() const { return last_node_; }
    bool replaying_prefix() const { return position_ < fixed_; }
    bool reduces() const { return reduces_; }

    // One execution after the other differs from the one before in one choice.
    bool searches() const { return !replay_ && config_.mode == Mode::exhaustive; }

    // Is called before the first choice from this step on, on the flow that chooses; it may return more than once.
    void snapshot_at(uint32_t step) { snapshot_step_ = step; }
    void (*take_snapshot)() = nullptr;
    static constexpr uint32_t never = UINT32_MAX;
    // The choice that comes next, and the one in which this execution differs from the last.
    unsigned position() const { return position_; }
    bool repeats(unsigned node) const { return node < fixed_; }
    template <class Copy>
    void each_part(Copy& copy) {
        size_t decisions = decisions_.size();
        copy(position_);
        copy(last_node_);
        copy(step_);
        copy(preemptions_);
        copy(spent_);
        copy(asleep_);
        copy(quiet_);
        copy(decisions);
        decisions_.resize(decisions);
    }

    const std::vector<Decision>& decisions() const { return decisions_; }

    // Mode::estimate: one over the probability of the execution.
    double weight() const { return weight_; }

    // New knowledge (a word is shared after all) makes the exploration so far incomplete: start again.
    void restart();

private:
    struct Node {
        bool is_schedule;
        uint8_t chosen;
        uint8_t count;    // choices of value: number of alternatives
        uint8_t current;  // the rest: choices of core
        bool costs;       // choosing another core than `current` is a preemption
        CoreSet ready;
        CoreSet enabled;
        CoreSet demanded;  // to be explored
        CoreSet done;      // explored already, without the chosen one
        CoreSet asleep;
        uint16_t preemptions;  // used up before
        uint32_t block;        // the node at which the chosen core's uninterrupted run began
    };
    static constexpr unsigned max_nodes = 1u << 16;

    unsigned choose_among(Choice kind, unsigned count);
    unsigned choose_exhaustive(unsigned count);
    unsigned choose_random(Choice kind, unsigned count);
    int pick_exhaustive(unsigned current, CoreSet usual, CoreSet enabled, bool free, CoreSet eager);
    unsigned pick_random(unsigned current, CoreSet enabled, bool free);
    unsigned pick_by_priority(CoreSet enabled);
    unsigned pick_replay(CoreSet enabled, unsigned plain);
    unsigned pick_weighed(unsigned current, CoreSet enabled, bool costs);
    unsigned choose_weighed(Choice kind, unsigned count, unsigned spent, unsigned limit);
    Node& append();
    void enter_node(unsigned index, CoreSet eager);
    bool affordable(const Node& node, unsigned core) const;
    void note(Choice kind, unsigned alternative) {
        decisions_.push_back(Decision{step_, kind, static_cast<uint8_t>(alternative)});
    }
    unsigned limit(Choice kind) const;
    uint32_t random();

    Config config_;
    bool replay_ = false;
    bool reduces_ = false;
    bool quiet_ = false;
    std::vector<Decision> script_;
    size_t script_at_ = 0;

    std::vector<Node> nodes_;
    unsigned length_ = 0;  // nodes on the path
    unsigned fixed_ =
        0;  // nodes whose choice is given in this execution; the last of them is the changed one
    unsigned position_ = 0;  // nodes passed in this execution
    unsigned last_node_ = 0;
    uint32_t step_ = 0;
    uint32_t snapshot_step_ = never;
    unsigned preemptions_ = 0;
    unsigned spent_[choice_kinds] = {};
    unsigned limits_[choice_kinds] = {};
    CoreSet asleep_ = 0;
    std::vector<Decision> decisions_;

    uint64_t random_state_ = 1;
    uint64_t executions_ = 0;
    // pct: steps of the longest execution of this exploration so far
    static constexpr uint32_t first_guess = 20;
    uint32_t longest_ = first_guess;
    unsigned switch_odds_ = 2;
    int priority_[max_cores] = {};
    int lowest_priority_ = 0;
    std::vector<uint32_t> change_points_;

    double weight_ = 1;
    unsigned points_[choice_kinds] = {};  // estimate: choices in this execution
    unsigned usual_[choice_kinds] = {};   // estimate: choices in the plain execution, the first one
};

// "12c2,40s1" and back. Throws std::invalid_argument.
std::string to_string(const std::vector<Decision>& decisions);
std::vector<Decision> parse_decisions(const std::string& text);

}  // namespace model
}  // namespace weft
