// SPDX-License-Identifier: MIT OR Apache-2.0
// Generated programs: a legal program from a seed.
#pragma once

#include "tree.hpp"

namespace fuzz {

Program generate(uint64_t seed, const Settings& settings);

}  // namespace fuzz
