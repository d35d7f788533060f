// SPDX-License-Identifier: MIT OR Apache-2.0
// weft: memory orders. The only header of weft that a port may include.
#pragma once

namespace weft {

// The four orders an access may have. There is no seq_cst access on purpose: where a store must be seen before a
// later load (store buffering), the code says so with Port::fence(), on BOTH sides, and docs/ORDERING.md proves it.
enum class Order : unsigned char { relaxed, acquire, release, acq_rel };

inline constexpr Order relaxed = Order::relaxed;
inline constexpr Order acquire = Order::acquire;
inline constexpr Order release = Order::release;
inline constexpr Order acq_rel = Order::acq_rel;

}  // namespace weft
