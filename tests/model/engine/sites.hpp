// SPDX-License-Identifier: MIT OR Apache-2.0
// Model checker: Sites, the places in the code under test that name a memory order or imply a barrier, and mutations:
// one site's order made weaker at run time.
#pragma once

#include <stdint.h>

#include <string>
#include <vector>

#include <hooks.hpp>

namespace weft {
namespace model {

enum class Call : uint8_t {
    load,
    own,
    store,
    exchange,
    fetch_add,
    fetch_sub,
    fetch_or,
    fetch_and,
    compare_exchange,
    fence,
    unpark,
    interrupt,
    park,
    relax,
    start_core,
    cancel_start,
    vacate,
    now,
    set_alarm,
    clear_alarm,
    plain_read,
    plain_write,
};
const char* name_of(Call call);
const char* name_of(Order order);

// One call in the source. Two calls of the same kind on one line are one site.
struct CallSite {
    std::string file;  // without directories
    unsigned line;
    Call call;
    Order order;    // of a compare_exchange: on success
    Order failure;  // of a compare_exchange only
    uint64_t executed;

    std::string name() const;  // "ring.hpp:41:load"
};

class Sites {
public:
    // Cheap while nothing is recorded and nothing mutated.
    bool active() const { return active_; }

    void record(bool on);
    void clear() { sites_.clear(); }
    const std::vector<CallSite>& seen() const { return sites_; }

    // "ring.hpp:41:load=relaxed", "ring.cpp:57:compare_exchange=acquire/relaxed", "idle.cpp:30:fence=none".
    // Throws std::invalid_argument if it does not read like one. One mutation at a time.
    void mutate(const std::string& mutation);
    void restore();
    bool mutated() const { return mutated_; }
    // All ways to make the site weaker, each as a string for mutate().
    static std::vector<std::string> weaker(const CallSite& site);
    // How often the mutated call was executed.
    uint64_t mutant_executed() const { return mutant_executed_; }

    // For the hooks, when active: notes the call; returns true and sets the orders if it is mutated.
    bool visit(Site site, Call call, Order& order, Order& failure);

private:
    struct Mutation {
        std::string file;
        unsigned line = 0;
        Call call = Call::load;
        Order order = Order::relaxed;
        Order failure = Order::relaxed;
    };
    CallSite& find(Site site, Call call, Order order, Order failure);

    bool active_ = false;
    bool recording_ = false;
    bool mutated_ = false;
    Mutation mutation_;
    uint64_t mutant_executed_ = 0;
    std::vector<CallSite> sites_;
};

extern Sites sites;

// "src/idle.cpp" -> "idle.cpp"
const char* base_name(const char* path);

}  // namespace model
}  // namespace weft
