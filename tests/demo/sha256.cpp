// SPDX-License-Identifier: MIT OR Apache-2.0
// demo: SHA-256 after FIPS 180-4 (NIST, August 2015), written to be read beside it: names and section numbers
// are those of the standard.
#include "sha256.hpp"

namespace demo {
namespace {

constexpr size_t block_bytes = 64;  // section 1: blocks of 512 bits
constexpr size_t length_bytes = 8;  // section 5.1.1: the length field that ends the padding

// Section 4.2.2: the first 32 bits of the fractional parts of the cube roots of the first 64 primes.
constexpr uint32_t K[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

// Section 3.2: rotate right.
uint32_t ROTR(uint32_t x, uint32_t n) { return (x >> n) | (x << (32 - n)); }

// Section 4.1.2: the logical functions, with the Greek capitals spelled out.
uint32_t Ch(uint32_t x, uint32_t y, uint32_t z) { return (x & y) ^ (~x & z); }
uint32_t Maj(uint32_t x, uint32_t y, uint32_t z) { return (x & y) ^ (x & z) ^ (y & z); }
uint32_t Sigma0(uint32_t x) { return ROTR(x, 2) ^ ROTR(x, 13) ^ ROTR(x, 22); }
uint32_t Sigma1(uint32_t x) { return ROTR(x, 6) ^ ROTR(x, 11) ^ ROTR(x, 25); }
uint32_t sigma0(uint32_t x) { return ROTR(x, 7) ^ ROTR(x, 18) ^ (x >> 3); }
uint32_t sigma1(uint32_t x) { return ROTR(x, 17) ^ ROTR(x, 19) ^ (x >> 10); }

// Section 3.1: a word's most significant byte comes first.
uint32_t word_at(const uint8_t* bytes) {
    return uint32_t{bytes[0]} << 24 | uint32_t{bytes[1]} << 16 | uint32_t{bytes[2]} << 8 | uint32_t{bytes[3]};
}

// Section 6.2.2, steps 1 to 4, for one block of the message.
void compress(uint32_t (&H)[8], const uint8_t* M) {
    uint32_t W[64];
    for (size_t t = 0; t < 16; ++t) W[t] = word_at(M + 4 * t);
    for (size_t t = 16; t < 64; ++t) W[t] = sigma1(W[t - 2]) + W[t - 7] + sigma0(W[t - 15]) + W[t - 16];

    uint32_t a = H[0], b = H[1], c = H[2], d = H[3], e = H[4], f = H[5], g = H[6], h = H[7];
    for (size_t t = 0; t < 64; ++t) {
        const uint32_t T1 = h + Sigma1(e) + Ch(e, f, g) + K[t] + W[t];
        const uint32_t T2 = Sigma0(a) + Maj(a, b, c);
        h = g;
        g = f;
        f = e;
        e = d + T1;
        d = c;
        c = b;
        b = a;
        a = T1 + T2;
    }

    const uint32_t working[8] = {a, b, c, d, e, f, g, h};
    for (size_t i = 0; i < 8; ++i) H[i] += working[i];
}

}  // namespace

Digest sha256(const void* message, size_t size) {
    // Section 5.3.3: the initial hash value.
    uint32_t H[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                     0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};

    const uint8_t* const bytes = static_cast<const uint8_t*>(message);
    const size_t rest = size % block_bytes;
    const size_t whole = size - rest;
    for (size_t at = 0; at < whole; at += block_bytes) compress(H, bytes + at);

    // Section 5.1.1: the rest of the message, a bit 1, zeros, and the length in bits fill one block, or two.
    uint8_t padded[2 * block_bytes] = {};
    const size_t padded_size = rest + 1 + length_bytes <= block_bytes ? block_bytes : 2 * block_bytes;
    for (size_t i = 0; i < rest; ++i) padded[i] = bytes[whole + i];
    padded[rest] = 0x80;
    const uint64_t bits = uint64_t{size} * 8;
    for (size_t i = 0; i < length_bytes; ++i)
        padded[padded_size - 1 - i] = static_cast<uint8_t>(bits >> (8 * i));
    for (size_t at = 0; at < padded_size; at += block_bytes) compress(H, padded + at);

    Digest digest;
    for (size_t i = 0; i < sizeof digest.bytes; ++i) {
        digest.bytes[i] = static_cast<uint8_t>(H[i / 4] >> (24 - 8 * (i % 4)));
    }
    return digest;
}

}  // namespace demo
