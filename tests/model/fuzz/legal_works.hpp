// SPDX-License-Identifier: MIT OR Apache-2.0
// Generated programs: the law of works, and of the function that is called when all sleep.
#pragma once

#include <string>

#include "tree.hpp"

namespace fuzz {

// Empty: legal.
std::string why_no_works(const Program& program, const Layout& layout);

}  // namespace fuzz
