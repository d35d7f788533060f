// SPDX-License-Identifier: MIT OR Apache-2.0
// A whole image around weft, nothing else in it: this file, start.S and own_board.ld, for four RV64 harts of QEMU's
// `virt` machine. A port's weft_image.hpp says what it asks of an image; here is the answer to port/riscv's.
//
//     riscv64-unknown-elf-g++ -std=c++17 -O2 -march=rv64imac -misa-spec=2.2 -mabi=lp64 -mcmodel=medany -ffreestanding
//         -fno-exceptions -fno-rtti -fno-threadsafe-statics -nostdlib -Iinclude -Iport -Iport/riscv
//         -T examples/own_board/qemu-virt-riscv64/own_board.ld examples/own_board/qemu-virt-riscv64/start.S
//         examples/own_board/qemu-virt-riscv64/main.cpp src/*.cpp port/riscv/*.cpp -lgcc -o own_board.elf
//     qemu-system-riscv64 -M virt -bios none -smp 4 -m 16 -nographic -nic none -kernel own_board.elf
#include <weft/weft.hpp>
#include <weft_image.hpp>

// ---- What the chip is

namespace {

constexpr uint32_t cores = 4;
constexpr uint32_t stack_words = 4096 / sizeof(uint32_t);

volatile uint8_t& uart = *reinterpret_cast<volatile uint8_t*>(0x10000000);
volatile uint32_t& power = *reinterpret_cast<volatile uint32_t*>(0x00100000);

void print(const char* text) {
    while (*text != 0) uart = static_cast<uint8_t>(*text++);
}

}  // namespace

extern "C" {

extern uint32_t stacks[cores][stack_words];  // start.S

[[noreturn]] void finish(int status) {
    power = status == 0 ? 0x5555u : 0x3333u | 1u << 16;  // ends the emulation
    for (;;) {
    }
}

const uint32_t weft_image_cores = cores;
const uintptr_t weft_image_msip = 0x02000000;
const uintptr_t weft_image_mtime = 0x0200bff8;
const uint32_t weft_image_ticks_per_ms = 10000;

uint32_t* weft_image_stack_limit(uint32_t core) { return stacks[core]; }

void weft_image_panic(const char* reason, uint32_t, const void*) {
    print("panic: ");
    print(reason);
    print("\n");
    finish(1);
}

}  // extern "C"

// ---- What it does

WEFT_CONSTINIT weft::Pool<cores> pool{};
weft::Atomic<uint32_t> arrived{};

// Four tasks that wait for each other: each has a core to itself.
struct Meet : weft::TaskOf<Meet> {
    void run() {
        core = weft::this_core();
        if (arrived.fetch_add(1, weft::acq_rel) == cores - 1) pool.shutdown();
        while (arrived.load(weft::acquire) != cores) weft::Port::relax();
    }
    uint32_t core = cores;
};
Meet meets[cores];

int main() {
    for (Meet& meet : meets) {
        if (pool.submit(meet) != weft::Status::ok) return 1;
    }
    if (pool.run() != weft::Status::ok || pool.join() != weft::Status::ok) return 1;
    uint32_t seen = 0;
    for (const Meet& meet : meets) seen |= 1u << meet.core;
    if (seen != (1u << cores) - 1) return 1;
    print("four harts have met\n");
    return 0;
}
