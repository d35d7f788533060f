// SPDX-License-Identifier: MIT OR Apache-2.0
// demo: command line and input file.
#include "input.hpp"

#include "board.hpp"
#include "console.hpp"

namespace demo {
namespace {

char words[1024];
uint8_t input[max_input];
size_t size;

// Ends the word that `text` begins with and returns what follows it.
char* cut_word(char* text) {
    while (*text != ' ' && *text != '\0') ++text;
    while (*text == ' ') *text++ = '\0';
    return text;
}

bool same(const char* a, const char* b) {
    while (*a == *b && *a != '\0') {
        ++a;
        ++b;
    }
    return *a == *b;
}

}  // namespace

void fail(const char* what, const char* more) {
    print_line(what, more);
    board::exit(1);
}

Options read_command_line() {
    board::command_line(words, sizeof words);
    Options options = {words, false};
    char* next = nullptr;
    for (char* word = cut_word(words); *word != '\0'; word = next) {
        next = cut_word(word);
        if (same(word, "digests")) {
            options.digests = true;
        } else if (same(word, "colour")) {
            use_colours();
        } else {
            fail("weft: the demo does not know the word ", word);
        }
    }
    return options;
}

uint32_t read_input(const char* path) {
    if (*path == '\0') fail("weft: no input file was named: make demo INPUT=path");
    const intptr_t file = board::file_open(path);
    if (file < 0) fail("weft: there is no such input file, or it cannot be opened: ", path);
    const intptr_t bytes = board::file_size(file);
    if (bytes < 0) fail("weft: the size of this input file is not known: ", path);
    if (bytes == 0) fail("weft: the input file is empty: ", path);
    size = static_cast<size_t>(bytes);
    if (size > max_input) {
        print("weft: the demo takes at most ", Number{max_input >> 10},
              " KiB of input on this board; too large: ");
        fail(path);
    }
    if (board::file_read(file, input, size) != size) fail("weft: the input file cannot be read: ", path);
    board::file_close(file);
    return static_cast<uint32_t>((size + block_size - 1) / block_size);
}

size_t input_size() { return size; }

Digest block_digest(uint32_t block) {
    const size_t from = block * block_size;
    const size_t rest = size - from;
    return sha256(input + from, rest < block_size ? rest : block_size);
}

}  // namespace demo
