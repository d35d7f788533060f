// SPDX-License-Identifier: MIT OR Apache-2.0
// Reads from the environment which mutant is on (WEFT_MUTANT=), before anything else runs. WEFT_MUTANTS_REACHED=FILE:
// none is; the file gets the numbers of all that the program came by.
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "weft_mutant.hpp"

int weft_mutant = 0;

namespace {

constexpr int most = 1 << 16;
bool* reached = nullptr;  // shared with child processes, which may end in a panic
const char* file_name = nullptr;

__attribute__((constructor(101))) void begin() {
    const char* const number = getenv("WEFT_MUTANT");
    if (number != nullptr) weft_mutant = atoi(number);
    file_name = getenv("WEFT_MUTANTS_REACHED");
    if (file_name == nullptr) return;
    void* const memory = mmap(nullptr, most, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) abort();
    reached = static_cast<bool*>(memory);
    weft_mutant = -1;
}

__attribute__((destructor(101))) void end() {
    if (file_name == nullptr) return;
    FILE* const file = fopen(file_name, "w");
    if (file == nullptr) return;
    for (int mutant = 0; mutant != most; ++mutant) {
        if (reached[mutant]) fprintf(file, "%d\n", mutant);
    }
    fclose(file);
}

}  // namespace

// Cores may write at the same time, but only this value.
void weft_mutant_reached(int mutant) { __atomic_store_n(&reached[mutant], true, __ATOMIC_RELAXED); }
