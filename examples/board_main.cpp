// SPDX-License-Identifier: MIT OR Apache-2.0
// On a board of the tree an example's main() is what the board calls on core 0. (The build renames main() for it.)
#include "board.hpp"

// One of the two is there. What has arguments elsewhere has none on a board.
[[gnu::weak]] int example_main();
[[gnu::weak]] int example_main(int, char**);

extern "C" int board_main() {
    int (*const without)() = &example_main;
    if (without != nullptr) return without();
    char name[] = "weft";
    char* arguments[] = {name, nullptr};
    return example_main(1, arguments);
}
