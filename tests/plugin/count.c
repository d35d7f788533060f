// SPDX-License-Identifier: MIT OR Apache-2.0
// QEMU TCG plugin: counts the instructions that each core executes, any target. At exit, to stderr, a line
// for each core and one for all:
//     count-plugin: cpu1 instructions=120034 marked=5120
//     count-plugin: instructions=481223 marked=20480
//
// `marked` (aarch64 only, 0 elsewhere) counts the instructions between two markers that do nothing:
//     mov x27, x27    begins        mov x28, x28    ends, and may come without a beginning
// each core for itself; the markers are not counted. Exact and, with -icount, repeatable. One callback for
// each instruction: some ten times slower than without.
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "qemu_plugin_api.h"

enum { max_cpus = 512 };

static const uint32_t a64_begin = 0xaa1b03fb;  // ORR x27, xzr, x27
static const uint32_t a64_end = 0xaa1c03fc;    // ORR x28, xzr, x28

// One per vCPU, written by its own thread only; a cache line each.
struct cpu {
    uint64_t instructions, marked, begin;
    bool inside;
    char padding[64 - 3 * sizeof(uint64_t) - sizeof(bool)];
};

static struct cpu cpus[max_cpus];
static bool target_aarch64;
static qemu_info_t emulator;

static void on_instruction(unsigned int index, void* unused) {
    (void)unused;
    if (index < max_cpus) ++cpus[index].instructions;
}

static void on_begin(unsigned int index, void* unused) {
    (void)unused;
    if (index >= max_cpus) return;
    cpus[index].begin = ++cpus[index].instructions;
    cpus[index].inside = true;
}

static void on_end(unsigned int index, void* unused) {
    (void)unused;
    if (index >= max_cpus) return;
    struct cpu* self = &cpus[index];
    if (self->inside) self->marked += self->instructions - self->begin;
    self->inside = false;
    ++self->instructions;
}

static void on_translate(qemu_plugin_id_t id, struct qemu_plugin_tb* block) {
    (void)id;
    const size_t count = qemu_plugin_tb_n_insns(block);
    for (size_t i = 0; i < count; ++i) {
        struct qemu_plugin_insn* instruction = qemu_plugin_tb_get_insn(block, i);
        qemu_plugin_vcpu_udata_cb_t callback = on_instruction;
        if (target_aarch64) {
            uint32_t word;
            read_instruction(&emulator, instruction, &word, sizeof word);
            if (word == a64_begin) callback = on_begin;
            if (word == a64_end) callback = on_end;
        }
        qemu_plugin_register_vcpu_insn_exec_cb(instruction, callback, QEMU_PLUGIN_CB_NO_REGS, NULL);
    }
}

static void print_line(const char* name, uint64_t instructions, uint64_t marked) {
    fprintf(stderr, "count-plugin: %sinstructions=%llu marked=%llu\n", name, (unsigned long long)instructions,
            (unsigned long long)marked);
}

static void at_exit(qemu_plugin_id_t id, void* unused) {
    (void)id;
    (void)unused;
    uint64_t instructions = 0;
    uint64_t marked = 0;
    for (unsigned int i = 0; i < max_cpus; ++i) {
        if (cpus[i].instructions == 0) continue;
        char name[16];
        snprintf(name, sizeof name, "cpu%u ", i);
        print_line(name, cpus[i].instructions, cpus[i].marked);
        instructions += cpus[i].instructions;
        marked += cpus[i].marked;
    }
    print_line("", instructions, marked);
}

QEMU_PLUGIN_EXPORT int qemu_plugin_install(qemu_plugin_id_t id, const qemu_info_t* info, int argc,
                                           char** argv) {
    (void)argc;
    (void)argv;
    emulator = *info;
    target_aarch64 = strcmp(info->target_name, "aarch64") == 0;
    qemu_plugin_register_vcpu_tb_trans_cb(id, on_translate);
    qemu_plugin_register_atexit_cb(id, at_exit, NULL);
    return 0;
}
