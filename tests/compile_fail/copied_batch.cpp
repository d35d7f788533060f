// SPDX-License-Identifier: MIT OR Apache-2.0
// Two batches with the same tasks would queue them twice.
// expect: deleted
#include <weft/weft.hpp>

weft::Batch original;
weft::Batch copy = original;
