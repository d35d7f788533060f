// SPDX-License-Identifier: MIT OR Apache-2.0
// Included before every source of the copy in which the generated mutants have their switches (tools/mutations.py).
#pragma once

extern "C" {
extern int weft_mutant;  // the one that is on; 0: none; -1: record which are reached
void weft_mutant_reached(int mutant);
}

namespace weft_mutants {
inline bool is_on(int mutant) {
    if (__builtin_expect(weft_mutant == mutant, 0)) return true;
    if (__builtin_expect(weft_mutant < 0, 0)) weft_mutant_reached(mutant);
    return false;
}
}  // namespace weft_mutants

// Off wherever the compiler needs a constant.
#define WEFT_MUTANT(mutant) (!__builtin_is_constant_evaluated() && ::weft_mutants::is_on(mutant))
