// SPDX-License-Identifier: MIT OR Apache-2.0
// Model checker: Explorer.
#include "explorer.hpp"

#include <algorithm>
#include <stdexcept>

#include "failure.hpp"

namespace weft {
namespace model {

namespace {

unsigned lowest(CoreSet set) { return static_cast<unsigned>(__builtin_ctz(set)); }

// The core with `skip` others of the set below it.
unsigned nth(CoreSet set, unsigned skip) {
    while (skip-- != 0) set = static_cast<CoreSet>(set & (set - 1));
    return lowest(set);
}

}  // namespace

void Explorer::begin(const Config& config) {
    config_ = config;
    replay_ = false;
    reduces_ = config.mode == Mode::exhaustive && config.reduction == Reduction::partial_order;
    nodes_.resize(max_nodes);
    random_state_ = config.seed * 0x9e3779b97f4a7c15u + 1;
    executions_ = 0;
    longest_ = first_guess;
    for (unsigned kind = 0; kind != choice_kinds; ++kind) limits_[kind] = limit(static_cast<Choice>(kind));
    restart();
}

void Explorer::restart() {
    length_ = 0;
    fixed_ = 0;
}

void Explorer::begin_replay(const std::vector<Decision>& decisions) {
    replay_ = true;
    reduces_ = false;
    script_ = decisions;
}

unsigned Explorer::limit(Choice kind) const {
    const bool exhaustive = config_.mode == Mode::exhaustive || config_.mode == Mode::estimate;
    switch (kind) {
        case Choice::stale: return exhaustive ? config_.stale_reads : config_.sampled_stale_reads;
        case Choice::spin_return: return exhaustive ? config_.spin_returns : unbounded;
        case Choice::spurious_park: return config_.spurious_parks;
        case Choice::spurious_exchange: return config_.spurious_exchanges;
        case Choice::time_jump: return config_.time_jumps;
        case Choice::core:        // bounded by `preemptions`
        case Choice::interrupt:   // bounded by the scenario
        case Choice::park_stays:  // bounded by the interrupts
            break;
    }
    return unbounded;
}

void Explorer::begin_execution() {
    position_ = 0;
    last_node_ = 0;
    step_ = 0;
    preemptions_ = 0;
    std::fill(spent_, spent_ + choice_kinds, 0u);
    asleep_ = 0;
    decisions_.clear();
    script_at_ = 0;
    if (replay_ || config_.mode == Mode::exhaustive) return;
    if (executions_ == 1) std::copy(points_, points_ + choice_kinds, usual_);
    std::fill(points_, points_ + choice_kinds, 0u);
    weight_ = 1;
    switch_odds_ = 2u << (random() % 4);
    if (config_.mode != Mode::pct) return;
    for (unsigned core = 0; core != max_cores; ++core) priority_[core] = static_cast<int>(core) + 1;
    for (unsigned core = max_cores - 1; core != 0; --core)
        std::swap(priority_[core], priority_[random() % (core + 1)]);
    lowest_priority_ = 0;
    change_points_.clear();
    for (unsigned i = 1; i < config_.depth; ++i) change_points_.push_back(1 + random() % longest_);
}

bool Explorer::next() {
    ++executions_;
    longest_ = std::max(longest_, step_);
    if (replay_) return false;
    if (config_.mode != Mode::exhaustive) return executions_ < config_.executions;
    while (length_ != 0) {
        Node& node = nodes_[length_ - 1];
        if (node.is_schedule) {
            node.done = static_cast<CoreSet>(node.done | bit(node.chosen));
            CoreSet rest = static_cast<CoreSet>(node.demanded & ~node.done & ~node.asleep);
            while (rest != 0 && !affordable(node, lowest(rest)))
                rest = static_cast<CoreSet>(rest & (rest - 1));
            if (rest != 0) {
                node.chosen = static_cast<uint8_t>(lowest(rest));
                fixed_ = length_;
                return true;
            }
        } else if (node.chosen + 1u < node.count) {
            ++node.chosen;
            fixed_ = length_;
            return true;
        }
        --length_;
    }
    return false;
}

Explorer::Node& Explorer::append() {
    if (length_ == max_nodes) fail(Failure::model_limit, "more than %u choices in one execution", max_nodes);
    return nodes_[length_++];
}

// ---- Choices of value

unsigned Explorer::choose_among(Choice kind, unsigned count) {
    const unsigned index = static_cast<unsigned>(kind);
    unsigned chosen = 0;
    if (replay_) {
        if (script_at_ != script_.size() && script_[script_at_].step == step_ &&
            script_[script_at_].kind == kind) {
            chosen = std::min<unsigned>(script_[script_at_++].alternative, count - 1);
        }
    } else if (spent_[index] < limits_[index]) {
        if (config_.mode == Mode::estimate) {
            chosen = choose_weighed(kind, count, spent_[index], limits_[index]);
        } else if (config_.mode != Mode::exhaustive) {
            chosen = choose_random(kind, count);
        } else {
            chosen = choose_exhaustive(count);
        }
    }
    if (chosen == 0) return 0;
    ++spent_[index];
    note(kind, chosen);
    return chosen;
}

unsigned Explorer::choose_exhaustive(unsigned count) {
    if (step_ >= snapshot_step_) take_snapshot();
    if (position_ < length_) return nodes_[position_++].chosen;
    Node& node = append();
    node.is_schedule = false;
    node.chosen = 0;
    node.count = static_cast<uint8_t>(std::min(count, 255u));
    ++position_;
    return 0;
}

unsigned Explorer::choose_random(Choice kind, unsigned count) {
    const bool usual = kind == Choice::stale || kind == Choice::spin_return || kind == Choice::park_stays;
    const uint32_t odds = usual ? 3 : 12;
    if (random() % odds != 0) return 0;
    return 1 + random() % (count - 1);
}

// The first execution takes the plain alternative everywhere, and counts the choices. From then on another one is taken
// so often that the bound is used up about once in an execution: with even odds it would be used up at the beginning.
unsigned Explorer::choose_weighed(Choice kind, unsigned count, unsigned spent, unsigned limit) {
    const unsigned index = static_cast<unsigned>(kind);
    ++points_[index];
    if (executions_ == 0) return 0;
    const double others = count - 1;
    const double fair = others / count;
    // How often a handler runs is bounded by the scenario: once, as a rule.
    const bool handler = kind == Choice::interrupt || kind == Choice::park_stays;
    const double left = handler ? 1 : limit - spent;
    const double odds = std::min(fair, left / (usual_[index] + 1));
    if (random() >= odds * 4294967296.0) {
        weight_ /= 1 - odds;
        return 0;
    }
    weight_ *= others / odds;
    return 1 + random() % (count - 1);
}

// ---- Choices of core

int Explorer::pick(unsigned current, CoreSet ready, CoreSet enabled, bool free, CoreSet eager) {
    const CoreSet usual = ready != 0 ? ready : enabled;
    const unsigned plain = (usual & bit(current)) != 0 ? current : lowest(usual);
    unsigned chosen = plain;
    if (replay_) {
        chosen = pick_replay(enabled, plain);
    } else if (config_.mode == Mode::exhaustive) {
        const int core = pick_exhaustive(current, usual, enabled, free, eager);
        if (core == nobody) return nobody;
        chosen = static_cast<unsigned>(core);
    } else if (config_.mode == Mode::estimate) {
        chosen = pick_weighed(current, enabled, (usual & bit(current)) != 0 && !free);
    } else if (config_.mode == Mode::random) {
        chosen = pick_random(current, enabled, free);
    } else {
        for (const uint32_t point : change_points_) {
            if (point == step_) priority_[current] = --lowest_priority_;
        }
        if (free && config_.spinners_yield) priority_[current] = --lowest_priority_;
        chosen = pick_by_priority(enabled);
    }
    if (chosen != plain) note(Choice::core, chosen);
    return static_cast<int>(chosen);
}

unsigned Explorer::pick_replay(CoreSet enabled, unsigned plain) {
    if (script_at_ == script_.size() || script_[script_at_].step != step_) return plain;
    if (script_[script_at_].kind != Choice::core) return plain;
    const unsigned wanted = script_[script_at_++].alternative;
    return wanted < max_cores && (enabled & bit(wanted)) != 0 ? wanted : plain;
}

// As pick_exhaustive() without reduction.
unsigned Explorer::pick_weighed(unsigned current, CoreSet enabled, bool costs) {
    unsigned count = static_cast<unsigned>(__builtin_popcount(enabled));
    if (count == 1) return lowest(enabled);
    CoreSet others = enabled;
    if (costs) {
        if (preemptions_ >= config_.preemptions) return current;
        if (choose_weighed(Choice::core, count, preemptions_, config_.preemptions) == 0) return current;
        ++preemptions_;
        others = static_cast<CoreSet>(enabled & ~bit(current));
        // One of them was chosen; which one is drawn here, its probability is accounted for already.
        --count;
    } else {
        if (executions_ == 0) return lowest(enabled);
        weight_ *= count;
    }
    return nth(others, random() % count);
}

unsigned Explorer::pick_random(unsigned current, CoreSet enabled, bool free) {
    if ((enabled & bit(current)) != 0 && !free && random() % switch_odds_ != 0) return current;
    return nth(enabled, random() % static_cast<unsigned>(__builtin_popcount(enabled)));
}

unsigned Explorer::pick_by_priority(CoreSet enabled) {
    unsigned best = lowest(enabled);
    for (unsigned core = 0; core != max_cores; ++core) {
        if ((enabled & bit(core)) != 0 && priority_[core] > priority_[best]) best = core;
    }
    return best;
}

bool Explorer::affordable(const Node& node, unsigned core) const {
    return !node.costs || core == node.current || node.preemptions < config_.preemptions;
}

int Explorer::pick_exhaustive(unsigned current, CoreSet usual, CoreSet enabled, bool free, CoreSet eager) {
    if (step_ >= snapshot_step_) take_snapshot();
    const unsigned index = position_++;
    if (index == length_) {
        Node& node = append();
        node.is_schedule = true;
        node.current = static_cast<uint8_t>(current);
        node.costs = (usual & bit(current)) != 0 && !free;
        node.ready = usual;
        node.enabled = enabled;
        node.done = 0;
        node.asleep = asleep_;
        node.preemptions = static_cast<uint16_t>(preemptions_);
        CoreSet candidates = static_cast<CoreSet>(usual & ~asleep_);  // `current` never sleeps: it just ran
        if (candidates == 0) candidates = static_cast<CoreSet>(enabled & ~asleep_);
        if (candidates == 0) {
            --length_;
            --position_;
            return nobody;
        }
        node.chosen = static_cast<uint8_t>((candidates & bit(current)) != 0 ? current : lowest(candidates));
        node.demanded = reduces_ ? bit(node.chosen) : enabled;
    }
    enter_node(index, eager);
    return nodes_[index].chosen;
}

// Bookkeeping for the chosen core, in the first and in every later pass.
void Explorer::enter_node(unsigned index, CoreSet eager) {
    Node& node = nodes_[index];
    const bool leaves = node.chosen != node.current;
    if (leaves && node.costs) ++preemptions_;
    const bool continues = !leaves && node.costs && index != 0;
    node.block = continues ? nodes_[last_node_].block : index;
    last_node_ = index;
    if (!reduces_) return;
    // Whoever was explored from here need not go first again until something dependent has happened. With a bound on
    // preemptions this holds only for the core that was preempted here: for others, going first may cost more.
    CoreSet explored = node.done;
    if (config_.preemptions < unbounded) explored = node.costs ? explored & bit(node.current) : CoreSet{0};
    asleep_ = static_cast<CoreSet>((node.asleep | (explored & ~eager)) & ~bit(node.chosen));
}

void Explorer::demand(unsigned index, unsigned core) {
    for (const unsigned at : {index, static_cast<unsigned>(nodes_[index].block)}) {
        Node& node = nodes_[at];
        const bool possible = (node.ready & ~node.asleep & bit(core)) != 0;
        const CoreSet wanted = possible ? bit(core) : node.enabled;
        node.demanded = static_cast<CoreSet>(node.demanded | wanted);
    }
}

// xorshift64 (Marsaglia, "Xorshift RNGs", 2003), upper half.
uint32_t Explorer::random() {
    random_state_ ^= random_state_ << 13;
    random_state_ ^= random_state_ >> 7;
    random_state_ ^= random_state_ << 17;
    return static_cast<uint32_t>(random_state_ >> 32);
}

// ---- Replay strings

std::string to_string(const std::vector<Decision>& decisions) {
    std::string text;
    for (const Decision& decision : decisions) {
        if (!text.empty()) text += ',';
        text += std::to_string(decision.step) + choice_letter[static_cast<unsigned>(decision.kind)] +
                std::to_string(decision.alternative);
    }
    return text.empty() ? "-" : text;
}

std::vector<Decision> parse_decisions(const std::string& text) {
    std::vector<Decision> decisions;
    size_t at = 0;
    while (text != "-" && at < text.size()) {
        size_t used = 0;
        const unsigned long step = std::stoul(text.substr(at), &used);
        at += used;
        const char letter = at < text.size() ? text[at++] : '?';
        unsigned kind = 0;
        while (kind != choice_kinds && choice_letter[kind] != letter) ++kind;
        if (kind == choice_kinds) throw std::invalid_argument("replay string: unknown kind of choice");
        const unsigned long alternative = std::stoul(text.substr(at), &used);
        at += used;
        decisions.push_back(Decision{static_cast<uint32_t>(step), static_cast<Choice>(kind),
                                     static_cast<uint8_t>(alternative)});
        if (at < text.size() && text[at++] != ',')
            throw std::invalid_argument("replay string: expected a comma");
    }
    return decisions;
}

}  // namespace model
}  // namespace weft
