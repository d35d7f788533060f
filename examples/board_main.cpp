// SPDX-License-Identifier: MIT OR Apache-2.0
// On a board of the tree an example's main() is what the board calls on core 0. (The build renames main() for it.)
#include "board.hpp"

int example_main();

extern "C" int board_main() { return example_main(); }
