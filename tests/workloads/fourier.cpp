// SPDX-License-Identifier: MIT OR Apache-2.0
// Workload: the fast Fourier transform, against the sum that defines it. In fixed point, as not every image may use
// floating point.
#include "workloads.hpp"

namespace workloads {
namespace {

constexpr uint32_t n = size(1024, 256);
constexpr uint32_t log_n = size(10, 8);
static_assert(n == 1u << log_n);

// Roots of unity have 28 fraction bits, transformed numbers 8. Inputs are of 16 bits, so a product is less than
// 2^(15 + log n + 8 + 28 + 1), which 64 bits hold.
constexpr uint32_t root_bits = 28;
constexpr uint32_t bits = 8;
static_assert(15 + log_n + bits + root_bits + 1 < 63);

struct Complex {
    int64_t re;
    int64_t im;
};
Complex operator+(Complex a, Complex b) { return {a.re + b.re, a.im + b.im}; }
Complex operator-(Complex a, Complex b) { return {a.re - b.re, a.im - b.im}; }

int64_t round_off(int64_t value, uint32_t by) { return (value + (int64_t(1) << (by - 1))) >> by; }

// Not rounded: `root_bits` fraction bits more than a.
Complex exact_product(Complex a, Complex root) {
    return {a.re * root.re - a.im * root.im, a.re * root.im + a.im * root.re};
}
Complex round_off(Complex value, uint32_t by) { return {round_off(value.re, by), round_off(value.im, by)}; }

// ---- The n-th roots of unity, the first half: exp(-2 pi i k / n)

Complex roots[n / 2];

// cos and sin of an angle of at most pi/4 by their series, all in 31 fraction bits. Each step loses less than 2^-31
// and its error shrinks with the next factor, so the sum is off by less than 2^-29.
Complex cosine_and_sine(int64_t angle) {
    constexpr uint32_t fraction = 31;
    constexpr int64_t one = int64_t(1) << fraction;
    const int64_t square = angle * angle >> fraction;
    int64_t cosine = one;
    int64_t sine = one;
    for (int64_t i = 12; i >= 2; i -= 2) {
        cosine = one - (square * cosine >> fraction) / (i * (i - 1));
        sine = one - (square * sine >> fraction) / (i * (i + 1));
    }
    return round_off(Complex{cosine, angle * sine >> fraction}, fraction - root_bits);
}

void find_roots() {
    constexpr int64_t two_pi = 13493037705;  // 31 fraction bits
    for (uint32_t k = 0; k <= n / 8; ++k) {
        const Complex one = cosine_and_sine(two_pi * k / n);
        // The other octants are mirrored. The sign of i: of the transform.
        roots[k] = {one.re, -one.im};
        roots[n / 4 - k] = {one.im, -one.re};
        roots[n / 4 + k] = {-one.im, -one.re};
        if (k != 0) roots[n / 2 - k] = {-one.re, -one.im};
    }
}

Complex root(uint32_t k) {
    k %= n;
    return k < n / 2 ? roots[k] : Complex{-roots[k - n / 2].re, -roots[k - n / 2].im};
}

// ---- The two transforms

Complex input[n];  // whole numbers
Complex serial[n];
Complex output[n];

// Of every `stride`-th number of `in`, by halves: the even ones and the odd ones.
void transform(Here here, const Complex* in, uint32_t stride, Complex* out, uint32_t count) {
    if (count == 1) {
        *out = {in->re * (1 << bits), in->im * (1 << bits)};
        return;
    }
    const uint32_t half = count / 2;
    const auto merge = [=](uint32_t k) {
        const Complex even = out[k];
        const Complex odd = round_off(exact_product(out[half + k], root(k * stride)), root_bits);
        out[k] = even + odd;
        out[half + k] = even - odd;
    };
    fork_join(
        here, [&](Here there) { transform(there, in, 2 * stride, out, half); },
        [&](Here there) { transform(there, in + stride, 2 * stride, out + half, half); });
    parallel_for(here, uint32_t(0), half, 8, merge);
}

int64_t magnitude(int64_t value) { return value < 0 ? -value : value; }

// How far one number is from the defining sum, whose products are not rounded before the end.
int64_t error_of(uint32_t k) {
    Complex sum = {0, 0};
    for (uint32_t i = 0; i < n; ++i) sum = sum + exact_product(input[i], root(i * k));
    const Complex off = round_off(sum, root_bits - bits) - output[k];
    const int64_t re = magnitude(off.re);
    const int64_t im = magnitude(off.im);
    return re > im ? re : im;
}

// With |input| < a = 2^15.5 and roots off by at most r = 2^-27, an output of a transform of 2^s numbers is off by at
// most e(s) = 2 e(s-1) + 2^(s-1) a r + 2^-8: products are rounded to 2^-9 in both parts. e(s) < 2^s (s/2 a r + 2^-8).
// The sum is off by n a r and its own rounding. Here a r < 2^-11, and in units of 2^-8:
constexpr int64_t error_bound = (int64_t(n) * (log_n / 2 + 1) >> (11 - bits)) + n + 1;

void B7_fourier_transform() {
    find_roots();
    constexpr int64_t one = int64_t(1) << (2 * root_bits);
    for (const Complex& w : roots) {
        CHECK(magnitude(w.re * w.re + w.im * w.im - one) <= one >> (root_bits - 3));
    }
    tap::Random random(11);
    for (Complex& x : input)
        x = {static_cast<int16_t>(random.next() >> 16), static_cast<int16_t>(random.next() >> 16)};
    transform(serially(), input, 1, serial, n);
    on_each_crew([](Scheduler& pool) {
        in(pool, [](Here here) { transform(here, input, 1, output, n); });
        uint32_t different = 0;
        for (uint32_t k = 0; k < n; ++k) {
            if (output[k].re != serial[k].re || output[k].im != serial[k].im) ++different;
        }
        CHECK_EQ(different, 0);
        const int64_t error = parallel_reduce(pool, uint32_t(0), n, 1, int64_t(0), error_of,
                                              [](int64_t a, int64_t b) { return a > b ? a : b; });
        CHECK(error <= error_bound);
        if (tap::option("show", 0) != 0) {
            tap::note("error ", static_cast<long>(error), " of at most ", static_cast<long>(error_bound),
                      " / 256");
        }
    });
}

constexpr tap::Test tests[] = {
    TEST(B7_fourier_transform),
};

}  // namespace

extern const tap::Tests fourier_tests{tests};

}  // namespace workloads
