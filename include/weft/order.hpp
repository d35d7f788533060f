// SPDX-License-Identifier: MIT OR Apache-2.0
/// @file
/// Memory orders. Beside detail/step.hpp the only header of weft that a port may include.
#pragma once

#if __cplusplus < 201703L
#error "weft: needs C++17: -std=c++17"
#endif

namespace weft {

/// The four orders an access may have, as in C++. There is no sequentially consistent access on purpose. Where a store
/// must be seen before a later load (store buffering), the code says so: with Port::fence(), on BOTH sides. Every edge
/// is listed in docs/ORDERING.md.
enum class Order : unsigned char {
    relaxed,  ///< only the access itself is atomic
    acquire,  ///< a load; sees what was written before the release that it reads from
    release,  ///< a store; what was written before it is seen by an acquire that reads from it
    acq_rel,  ///< both, for a read-modify-write
};

inline constexpr Order relaxed = Order::relaxed;  ///< short for Order::relaxed
inline constexpr Order acquire = Order::acquire;  ///< short for Order::acquire
inline constexpr Order release = Order::release;  ///< short for Order::release
inline constexpr Order acq_rel = Order::acq_rel;  ///< short for Order::acq_rel

}  // namespace weft
