// SPDX-License-Identifier: MIT OR Apache-2.0
// For tests that look at private members: an explicit instantiation may say their names, and Reveal hands them out.
//
// In its namespace:
//
//     struct Idle { friend constexpr auto reveal(Idle); };
//     template struct Reveal<Idle, &weft::Scheduler::idle_>;
//
// Then pool.*reveal(Idle()) is that member.
#pragma once

namespace tap {
namespace portrait {

template <class Tag, auto member>
struct Reveal {
    friend constexpr auto reveal(Tag) { return member; }
};

}  // namespace portrait
}  // namespace tap
