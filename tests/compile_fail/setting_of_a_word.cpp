// SPDX-License-Identifier: MIT OR Apache-2.0
// A setting is a number; to the preprocessor alone `yes` would be 0.
// expect: weft: WEFT_ELASTIC must be 0 or 1
// most: 4
// flags: -DWEFT_ELASTIC=yes
#include <weft/weft.hpp>
