// SPDX-License-Identifier: MIT OR Apache-2.0
// Model: the library's only static memory, in which each core finds the pool that it works for, and whether it is in a
// function beside a sleep. A core begins in neither, whatever an execution before this one has left.
#pragma once

#include <weft/weft.hpp>

#include "engine/program.hpp"

#if WEFT_FORK_DEPTH != 0
// It is private, but an explicit instantiation may name it. (One for each library: a program may have two.)
template <auto part>
struct KnownStatic {
    static const bool is_known;
};
template <auto part>
const bool KnownStatic<part>::is_known =
    (weft::model::add_static_part(const_cast<void*>(static_cast<const volatile void*>(part)), sizeof *part),
     true);
template struct KnownStatic<&weft::detail::ForkDeque::here>;
#if WEFT_REST || WEFT_SLEEP_HOOKS
template struct KnownStatic<&weft::detail::ForkDeque::is_beside_a_sleep>;
#endif
#if WEFT_SLEEP_HOOKS
template struct KnownStatic<&weft::Sleeping::calls>;
#endif
#if WEFT_PREEMPTION
template struct KnownStatic<&weft::detail::Preemption::innermost>;
template struct KnownStatic<&weft::detail::Preemption::running>;
#if WEFT_QUIESCE
template struct KnownStatic<&weft::detail::Preemption::goes_on>;
#endif
#endif
#endif
