// SPDX-License-Identifier: MIT OR Apache-2.0
// Model checker: Sites.
#include "sites.hpp"

#include <string.h>

#include <stdexcept>

namespace weft {
namespace model {

Sites sites;

namespace {

constexpr unsigned calls = 22;
const char* const call_names[calls] = {
    "load",         "own",         "store",
    "exchange",     "fetch_add",   "fetch_sub",
    "fetch_or",     "fetch_and",   "compare_exchange",
    "fence",        "unpark",      "interrupt",
    "park",         "relax",       "start_core",
    "cancel_start", "vacate",      "now",
    "set_alarm",    "clear_alarm", "get",
    "set",
};
const char* const order_names[] = {"relaxed", "acquire", "release", "acq_rel"};

Order parse_order(const std::string& name) {
    for (unsigned i = 0; i != 4; ++i) {
        if (name == order_names[i]) return static_cast<Order>(i);
    }
    throw std::invalid_argument("mutation: unknown order " + name);
}

bool has_order(Call call) { return call <= Call::compare_exchange && call != Call::own; }
bool is_barrier(Call call) { return call == Call::fence || call == Call::unpark || call == Call::park; }

// The orders that are properly weaker.
std::vector<Order> weaker_orders(Order order) {
    if (order == Order::relaxed) return {};
    if (order == Order::acq_rel) return {Order::acquire, Order::release, Order::relaxed};
    return {Order::relaxed};
}

}  // namespace

const char* name_of(Call call) { return call_names[static_cast<unsigned>(call)]; }
const char* name_of(Order order) { return order_names[static_cast<unsigned>(order)]; }

const char* base_name(const char* path) {
    const char* const slash = strrchr(path, '/');
    return slash != nullptr ? slash + 1 : path;
}

std::string CallSite::name() const { return file + ":" + std::to_string(line) + ":" + name_of(call); }

void Sites::record(bool on) {
    recording_ = on;
    active_ = recording_ || mutated_;
}

void Sites::restore() {
    mutated_ = false;
    mutant_executed_ = 0;
    active_ = recording_;
}

void Sites::mutate(const std::string& text) {
    const size_t equals = text.find('=');
    const size_t second = text.rfind(':', equals);
    const size_t first =
        second == std::string::npos || second == 0 ? std::string::npos : text.rfind(':', second - 1);
    if (equals == std::string::npos || first == std::string::npos) {
        throw std::invalid_argument("mutation: expected file:line:call=order, got " + text);
    }
    Mutation mutation;
    mutation.file = text.substr(0, first);
    mutation.line = static_cast<unsigned>(std::stoul(text.substr(first + 1, second - first - 1)));
    const std::string call = text.substr(second + 1, equals - second - 1);
    unsigned index = 0;
    while (index != calls && call != call_names[index]) ++index;
    if (index == calls) throw std::invalid_argument("mutation: unknown call " + call);
    mutation.call = static_cast<Call>(index);
    const std::string orders = text.substr(equals + 1);
    if (has_order(mutation.call)) {
        const size_t slash = orders.find('/');
        mutation.order = parse_order(orders.substr(0, slash));
        if (slash != std::string::npos) mutation.failure = parse_order(orders.substr(slash + 1));
    } else if (!is_barrier(mutation.call) || orders != "none") {
        throw std::invalid_argument("mutation: a fence, unpark or park can only become none: " + text);
    }
    mutation_ = mutation;
    mutated_ = true;
    mutant_executed_ = 0;
    active_ = true;
}

std::vector<std::string> Sites::weaker(const CallSite& site) {
    std::vector<std::string> mutations;
    const std::string start = site.name() + "=";
    if (is_barrier(site.call)) return {start + "none"};
    if (!has_order(site.call)) return {};
    if (site.call != Call::compare_exchange) {
        for (const Order order : weaker_orders(site.order)) mutations.push_back(start + name_of(order));
        return mutations;
    }
    for (const Order order : weaker_orders(site.order)) {
        mutations.push_back(start + name_of(order) + "/" + name_of(site.failure));
    }
    for (const Order failure : weaker_orders(site.failure)) {
        mutations.push_back(start + name_of(site.order) + "/" + name_of(failure));
    }
    return mutations;
}

CallSite& Sites::find(Site site, Call call, Order order, Order failure) {
    const char* const file = base_name(site.file);
    for (CallSite& known : sites_) {
        if (known.line == site.line && known.call == call && known.file == file) return known;
    }
    sites_.push_back(CallSite{file, site.line, call, order, failure, 0});
    return sites_.back();
}

bool Sites::visit(Site site, Call call, Order& order, Order& failure) {
    if (recording_) ++find(site, call, order, failure).executed;
    if (!mutated_ || mutation_.line != site.line || mutation_.call != call) return false;
    if (mutation_.file != base_name(site.file)) return false;
    order = mutation_.order;
    failure = mutation_.failure;
    ++mutant_executed_;
    return true;
}

}  // namespace model
}  // namespace weft
