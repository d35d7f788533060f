// SPDX-License-Identifier: MIT OR Apache-2.0
// weft/port/riscv: how words are read, written and exchanged, with the "A" extension.
//
// The orders follow the RISC-V unprivileged manual, appendix "RVWMO Explanatory Material", mappings from
// C/C++ primitives: FENCE R,RW after an acquire load, FENCE RW,W before a release store; AMOs have .aq and
// .rl bits. The AMOs are the compiler's. Loads, stores and compare-exchange are not left to it, because of
// GCC 12 (12.2):
//   - compare-exchange with success order release or acq_rel and failure order relaxed loses the release:
//     LR.W, SC.W without a fence or an .rl bit. An emulator on x86 never shows that;
//   - on RV64, compare-exchange of 32 bits whose `expected` is zero-extended in its register and has bit 31
//     set does not store and reports success (GCC bug 114130);
//   - a release store is FENCE IORW,OW and an AMOSWAP, an acquire load ends in FENCE IORW,IORW: right, but
//     slow.
#pragma once

#include <stdint.h>

#include <weft/order.hpp>

#include "generic/atomic_builtins.hpp"

namespace weft {
namespace riscv {

[[gnu::always_inline]] inline void fence_after_load(Order order) {
    if (order == acquire || order == acq_rel) asm volatile("fence r, rw" : : : "memory");
}

[[gnu::always_inline]] inline void fence_before_store(Order order) {
    if (order == release || order == acq_rel) asm volatile("fence rw, w" : : : "memory");
}

// A word in a register the way LR leaves it there: LR.W sign-extends, whatever the type.
template <class T>
[[gnu::always_inline]] inline intptr_t to_register(T value) {
    if constexpr (sizeof(T) == 4) {
        return __builtin_bit_cast(int32_t, value);
    } else {
        return __builtin_bit_cast(intptr_t, value);
    }
}

template <class T>
[[gnu::always_inline]] inline T from_register(intptr_t bits) {
    if constexpr (sizeof(T) == 4) {
        return __builtin_bit_cast(T, static_cast<int32_t>(bits));
    } else {
        return __builtin_bit_cast(T, bits);
    }
}

// A store-conditional to a word that nobody reads. "Executing an SC.W instruction invalidates any reservation held by
// this hart", and a scratch word is how to do only that (unprivileged manual, "Load-Reserved/Store-Conditional
// Instructions"). Without it a handler whose compare-exchange fails returns with a reservation on what it has read, a
// trap's return may keep it ("Privileged", xRET), and if the handler came between the LR and the SC of another
// compare-exchange, that SC succeeds over whatever the handler did. A word of its own, not one of the stack: stacks
// may lie in memory that takes no SC. Nothing is published: this SC fails, unless the scratch word lies in what was
// reserved, and then nobody reads what it stores.
[[gnu::used, gnu::visibility("hidden")]] inline uint32_t scratch_word asm("weft_riscv_scratch_word");

// The address is made in here, by name: as an operand the compiler makes it ahead of the LR, for both outcomes.
[[gnu::always_inline]] inline void drop_reservation() {
    uintptr_t address;
    asm volatile("lla %0, weft_riscv_scratch_word\n\tsc.w zero, zero, (%0)" : "=&r"(address) : : "memory");
}

struct Access {
    // An aligned word is loaded and stored as one, and volatile makes that one instruction, once.
    template <class T>
    [[gnu::always_inline]] static T load(const T& word, Order order) {
        const T value = *static_cast<const volatile T*>(&word);
        fence_after_load(order);
        return value;
    }
    template <class T>
    [[gnu::always_inline]] static void store(T& word, T value, Order order) {
        fence_before_store(order);
        *static_cast<volatile T*>(&word) = value;
    }
    template <class T>
    [[gnu::always_inline]] static bool compare_exchange(T& word, T& expected, T desired, Order success,
                                                        Order failure) {
        intptr_t seen;
        intptr_t failed;
        fence_before_store(success);
        // Nothing but LR, compare, SC, retry: such a loop comes to an end (unprivileged manual, "Eventual Success
        // of Store-Conditional Instructions"). The fences are outside.
        if constexpr (sizeof(T) == 4) {
            asm volatile(
                "0: lr.w %0, %2\n\t"
                "bne %0, %z3, 1f\n\t"
                "sc.w %1, %z4, %2\n\t"
                "bnez %1, 0b\n\t"
                "1:"
                : "=&r"(seen), "=&r"(failed), "+A"(word)
                : "rJ"(to_register(expected)), "rJ"(to_register(desired))
                : "memory");
        } else {
            asm volatile(
                "0: lr.d %0, %2\n\t"
                "bne %0, %z3, 1f\n\t"
                "sc.d %1, %z4, %2\n\t"
                "bnez %1, 0b\n\t"
                "1:"
                : "=&r"(seen), "=&r"(failed), "+A"(word)
                : "rJ"(to_register(expected)), "rJ"(to_register(desired))
                : "memory");
        }
        const bool exchanged = seen == to_register(expected);
        if (!exchanged) drop_reservation();  // the only way from LR past SC
        fence_after_load(exchanged ? success : failure);
        expected = from_register<T>(seen);
        return exchanged;
    }
};

using Words = generic::Words<Access>;

}  // namespace riscv
}  // namespace weft
