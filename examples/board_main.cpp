// SPDX-License-Identifier: MIT OR Apache-2.0
// On a board of the tree an example's main() is what the board calls on core 0. (The build renames main() for it.)
#include "board.hpp"
#include "machine.hpp"

// One of these is there. What has arguments elsewhere has none on a board.
[[gnu::weak]] int example_main();
[[gnu::weak]] int example_main(int, char**);
extern "C" [[gnu::weak]] int example_main_of_c(void);

// For machine.h: examples in C print by what those in C++ have.
extern "C" void print_number(const char* text, uint32_t number);
extern "C" void print_number(const char* text, uint32_t number) { print(text, number); }

extern "C" int board_main() {
    int (*const without)() = &example_main;
    if (without != nullptr) return without();
    int (*const of_c)() = &example_main_of_c;
    if (of_c != nullptr) return of_c();
    int (*const with)(int, char**) = &example_main;
    if (with == nullptr) {
        print("weft: this program has no main()");
        return 1;
    }
    char name[] = "weft";
    char* arguments[] = {name, nullptr};
    return with(1, arguments);
}
