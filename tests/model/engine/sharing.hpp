// SPDX-License-Identifier: MIT OR Apache-2.0
// Model checker: Sharing, which words only one party ever touches. An operation on such a word commutes with all that
// the others do, so no other core needs a chance to go before it. The knowledge grows from execution to execution;
// when a word turns out to be shared after all, what was explored without it is explored again.
#pragma once

#include <stdint.h>

#include "address_table.hpp"

namespace weft {
namespace model {

class Sharing {
public:
    // Cores are parties 0..7, their interrupt handlers parties 8..15.
    using Parties = uint16_t;

    void begin_exploration() {
        table_.clear();
        count_ = 0;
        restarts_ = 0;
        learned_ = false;
    }
    // For a replay: no operation is left out, whatever had been learned when the schedule was found.
    void share_everything() { restarts_ = most_restarts; }

    // Stays valid for the whole exploration.
    Parties* of(uintptr_t address) {
        const uint16_t known = table_.find(address);
        if (known != table_.none) return &parties_[known];
        if (count_ == most) return &everybody_;
        table_.insert(address, static_cast<uint16_t>(count_));
        parties_[count_] = restarts_ < most_restarts ? Parties{0} : all;
        return &parties_[count_++];
    }

    // True if the word is the party's own, as far as is known.
    bool is_private(Parties* parties, unsigned party) {
        const Parties mine = static_cast<Parties>(1u << party);
        if (*parties == mine) return true;
        if (*parties == 0) {
            *parties = mine;
            return true;
        }
        if ((*parties & mine) == 0) {
            learned_ = learned_ || (*parties & (*parties - 1)) == 0;  // it was private until now
            *parties = static_cast<Parties>(*parties | mine);
        }
        return false;
    }

    // Once after each execution: has anything been learned that makes the exploration so far incomplete?
    bool learned() {
        const bool answer = learned_;
        learned_ = false;
        if (answer && ++restarts_ == most_restarts) {
            for (unsigned i = 0; i != count_; ++i) parties_[i] = all;
        }
        return answer;
    }

private:
    static constexpr unsigned most = 2000;
    static constexpr unsigned most_restarts = 200;  // then every word counts as shared
    static constexpr Parties all = 0xffff;

    AddressTable<4096> table_;
    Parties parties_[most] = {};
    Parties everybody_ = all;
    unsigned count_ = 0;
    unsigned restarts_ = 0;
    bool learned_ = false;
};

}  // namespace model
}  // namespace weft
