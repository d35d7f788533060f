// SPDX-License-Identifier: MIT OR Apache-2.0
// The build puts this before a program of one's own, where main() has another name (board_main.cpp). Elsewhere the
// compiler knows what main() looks like.
#pragma once

int main();  // weft: main() returns an int, 0 if all went well
int main(int, char**);
