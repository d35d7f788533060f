// SPDX-License-Identifier: MIT OR Apache-2.0
// bench/host: SHA-1 and the tree that is made of it; the array's check.
#include "workloads.hpp"

namespace bench {
namespace {

uint32_t rotate_left(uint32_t x, uint32_t by) { return x << by | x >> (32 - by); }

void put_big_endian(uint8_t* to, uint32_t value) {
    for (uint32_t i = 0; i != 4; ++i) to[i] = static_cast<uint8_t>(value >> (24 - 8 * i));
}

uint32_t get_big_endian(const uint8_t* from) {
    uint32_t value = 0;
    for (uint32_t i = 0; i != 4; ++i) value = value << 8 | from[i];
    return value;
}

template <class F>
void step(F f, uint32_t k_and_word, uint32_t a, uint32_t& b, uint32_t c, uint32_t d, uint32_t& e) {
    e += rotate_left(a, 5) + f(b, c, d) + k_and_word;
    b = rotate_left(b, 30);
}

// The logarithm of the probability of one more child: a mean of b children has p = 1 - 1 / (1 + b), here b = 4.
const double log_of_more = log(0.8);

}  // namespace

Array array;

void sha1(const uint8_t* message, uint32_t size, uint8_t digest[20]) {
    uint8_t block[64] = {};
    memcpy(block, message, size);
    block[size] = 0x80;
    put_big_endian(block + 60, size * 8);

    uint32_t w[80];
    for (uint32_t t = 0; t != 16; ++t) w[t] = get_big_endian(block + 4 * t);
    for (uint32_t t = 16; t != 80; ++t) w[t] = rotate_left(w[t - 3] ^ w[t - 8] ^ w[t - 14] ^ w[t - 16], 1);

    constexpr uint32_t start[5] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};
    uint32_t a = start[0];
    uint32_t b = start[1];
    uint32_t c = start[2];
    uint32_t d = start[3];
    uint32_t e = start[4];
    // Five steps at a time, after which every variable has its place again.
    const auto round = [&](auto f, uint32_t k, const uint32_t* word) {
        for (const uint32_t* const end = word + 20; word != end; word += 5) {
            step(f, k + word[0], a, b, c, d, e);
            step(f, k + word[1], e, a, b, c, d);
            step(f, k + word[2], d, e, a, b, c);
            step(f, k + word[3], c, d, e, a, b);
            step(f, k + word[4], b, c, d, e, a);
        }
    };
    const auto choose = [](uint32_t x, uint32_t y, uint32_t z) { return (x & y) ^ (~x & z); };
    const auto parity = [](uint32_t x, uint32_t y, uint32_t z) { return x ^ y ^ z; };
    const auto majority = [](uint32_t x, uint32_t y, uint32_t z) { return (x & y) ^ (x & z) ^ (y & z); };
    round(choose, 0x5a827999, w);
    round(parity, 0x6ed9eba1, w + 20);
    round(majority, 0x8f1bbcdc, w + 40);
    round(parity, 0xca62c1d6, w + 60);
    const uint32_t sums[5] = {a, b, c, d, e};
    for (uint32_t i = 0; i != 5; ++i) put_big_endian(digest + 4 * i, start[i] + sums[i]);
}

GeometricNode GeometricNode::root(uint64_t seed) {
    uint8_t message[20] = {};
    put_big_endian(message + 16, static_cast<uint32_t>(seed));
    GeometricNode node = {};
    sha1(message, sizeof message, node.state);
    node.count_children();
    return node;
}

GeometricNode GeometricNode::child(uint32_t index) const {
    uint8_t message[24];
    memcpy(message, state, sizeof state);
    put_big_endian(message + 20, index);
    GeometricNode node = {};
    node.depth = depth + 1;
    sha1(message, sizeof message, node.state);
    node.count_children();
    return node;
}

void GeometricNode::count_children() {
    children = 0;
    if (depth >= depth_limit) return;
    const double uniform = (get_big_endian(state + 16) & 0x7fffffff) / 2147483648.0;
    children = static_cast<uint32_t>(floor(log(1.0 - uniform) / log_of_more));
    if (children > most_children) children = most_children;
}

// Elements do not depend on each other: a sample of them is checked.
void Array::check(uint32_t changed) const {
    constexpr uint32_t step = 61;
    static Array right;
    for (uint32_t i = 0; i < size; i += step) {
        for (uint32_t pass = 0; pass != changed; ++pass) right.change(i);
        expect(values_[i] == right.values_[i], "the array is wrong");
    }
}

}  // namespace bench
