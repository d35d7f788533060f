// SPDX-License-Identifier: MIT OR Apache-2.0
// traced: the task of the other file.
#pragma once

#include <weft/weft.hpp>

weft::Task& other_twin();
