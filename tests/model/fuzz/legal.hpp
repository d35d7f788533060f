// SPDX-License-Identifier: MIT OR Apache-2.0
// Generated programs: which of them are legal, and what may be demanded of them. All of it follows from the public
// headers (include/weft/*.hpp); nothing from src/.
#pragma once

#include <string>

#include "tree.hpp"
#include "world.hpp"

namespace fuzz {

// Empty: legal, and `demands` says what the judge may ask for. Otherwise the reason.
std::string why_illegal(const Program& program, const Layout& layout, Demands& demands);

}  // namespace fuzz
