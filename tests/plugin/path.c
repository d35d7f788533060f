// SPDX-License-Identifier: MIT OR Apache-2.0
// QEMU TCG plugin: writes down what lies between two readings of the instruction counter, instruction by instruction.
// For tools/costs; aarch64 and riscv, with -icount only (one core runs at a time).
//
// A reading is the instruction by which the bench reads its counter (tests/bench/machine.hpp). Between two readings on
// the same core, or between one and the WFE or WFI next to it, lies a sample of a path. Of the samples that end at the
// same instruction, the one of median length is printed at exit, to the file OUT:
//     path 0x80000456 39 1000          the address of the reading that ends it, instructions, samples
//     0x80000458 r0x80012340           an instruction; with r, w: it read, wrote there; R: another core wrote to the
//     ...                              line (64 bytes) since this core touched it; W: another core had it
//
//     -plugin libpath.so,out=FILE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "qemu_plugin_api.h"

enum { max_cpus = 8, longest = 1 << 17, most_kinds = 1024, line_bits = 6, table_bits = 16 };

struct step {
    uint64_t pc;
    uint64_t address;
    char access;  // 0: none
};

struct sample {
    size_t length;
    struct step* steps;
};

// Samples of one length that end at the same instruction; the last one is kept.
struct kind {
    uint64_t end;
    unsigned long samples;
    struct sample last;
};

// Who has a line, by its address; the newest of those that share an entry.
struct line {
    uint64_t number;
    uint32_t holders;  // bit k: core k has it as it is
};

static struct sample current[max_cpus];
static struct kind kinds[most_kinds];
static size_t kinds_used;
static struct line lines[1 << table_bits];
static FILE* out;
static bool target_aarch64;
static qemu_info_t emulator;

static void close_sample(unsigned int index, uint64_t end) {
    struct sample* sample = &current[index];
    const size_t length = sample->length;
    sample->length = 0;
    if (length >= longest) return;
    size_t i = 0;
    while (i != kinds_used && (kinds[i].end != end || kinds[i].last.length != length)) ++i;
    if (i == most_kinds) return;
    struct kind* kind = &kinds[i];
    if (i == kinds_used) {
        ++kinds_used;
        kind->end = end;
        kind->last.length = length;
        kind->last.steps = malloc((length + 1) * sizeof(struct step));
        if (kind->last.steps == NULL) abort();
    }
    ++kind->samples;
    memcpy(kind->last.steps, sample->steps, length * sizeof(struct step));
}

static void on_instruction(unsigned int index, void* pc) {
    if (index >= max_cpus || current[index].length >= longest) return;
    struct step* step = &current[index].steps[current[index].length++];
    step->pc = (uintptr_t)pc;
    step->access = 0;
}

static void on_end(unsigned int index, void* pc) {
    if (index < max_cpus) close_sample(index, (uintptr_t)pc);
}

static void on_access(unsigned int index, qemu_plugin_meminfo_t info, uint64_t address, void* unused) {
    (void)unused;
    if (index >= max_cpus) return;
    const bool write = qemu_plugin_mem_is_store(info);
    const uint64_t number = address >> line_bits;
    struct line* line = &lines[number & ((1 << table_bits) - 1)];
    if (line->number != number) {
        line->number = number;
        line->holders = 1u << index;  // nobody's: no other core has written to it
    }
    const bool had = (line->holders >> index & 1) != 0;
    const bool alone = line->holders == 1u << index;
    line->holders = write ? 1u << index : line->holders | 1u << index;
    struct sample* sample = &current[index];
    if (sample->length == 0 || sample->length >= longest) return;
    struct step* step = &sample->steps[sample->length - 1];
    step->address = address;
    step->access = write ? (alone ? 'w' : 'W') : (had ? 'r' : 'R');
}

// MRS Xt, PMEVCNTR0_EL0; CSRRS rd, minstret, x0.
static bool is_reading(uint32_t word) {
    return target_aarch64 ? (word & ~0x1fu) == 0xd53be800 : (word & ~0xf80u) == 0xb0202073;
}

static bool is_sleep(uint32_t word) {
    return target_aarch64 ? word == 0xd503205f || word == 0xd503207f : word == 0x10500073;
}

static void on_translate(qemu_plugin_id_t id, struct qemu_plugin_tb* block) {
    (void)id;
    const size_t count = qemu_plugin_tb_n_insns(block);
    for (size_t i = 0; i < count; ++i) {
        struct qemu_plugin_insn* instruction = qemu_plugin_tb_get_insn(block, i);
        void* pc = (void*)(uintptr_t)qemu_plugin_insn_vaddr(instruction);
        uint32_t word = 0;
        if (qemu_plugin_insn_size(instruction) == 4) read_instruction(&emulator, instruction, &word, 4);
        if (is_reading(word) || is_sleep(word)) {
            qemu_plugin_register_vcpu_insn_exec_cb(instruction, on_end, QEMU_PLUGIN_CB_NO_REGS, pc);
            continue;
        }
        qemu_plugin_register_vcpu_insn_exec_cb(instruction, on_instruction, QEMU_PLUGIN_CB_NO_REGS, pc);
        qemu_plugin_register_vcpu_mem_cb(instruction, on_access, QEMU_PLUGIN_CB_NO_REGS, QEMU_PLUGIN_MEM_RW,
                                         NULL);
    }
}

// By where they end, then by length.
static int compare(const void* one, const void* other) {
    const struct kind* a = one;
    const struct kind* b = other;
    if (a->end != b->end) return a->end < b->end ? -1 : 1;
    return (a->last.length > b->last.length) - (a->last.length < b->last.length);
}

static void print_kind(const struct kind* kind, unsigned long samples) {
    fprintf(out, "path 0x%llx %zu %lu\n", (unsigned long long)kind->end, kind->last.length, samples);
    for (size_t k = 0; k < kind->last.length; ++k) {
        const struct step* step = &kind->last.steps[k];
        fprintf(out, "0x%llx", (unsigned long long)step->pc);
        if (step->access != 0) fprintf(out, " %c0x%llx", step->access, (unsigned long long)step->address);
        fputc('\n', out);
    }
}

static void at_exit(qemu_plugin_id_t id, void* unused) {
    (void)id;
    (void)unused;
    qsort(kinds, kinds_used, sizeof kinds[0], compare);
    for (size_t first = 0, end = 0; first < kinds_used; first = end) {
        unsigned long samples = 0;
        for (end = first; end < kinds_used && kinds[end].end == kinds[first].end; ++end)
            samples += kinds[end].samples;
        unsigned long passed = kinds[first].samples;
        size_t median = first;
        while (passed <= samples / 2) passed += kinds[++median].samples;
        print_kind(&kinds[median], samples);
    }
    fclose(out);
}

QEMU_PLUGIN_EXPORT int qemu_plugin_install(qemu_plugin_id_t id, const qemu_info_t* info, int argc,
                                           char** argv) {
    emulator = *info;
    for (unsigned int i = 0; i < max_cpus; ++i) {
        current[i].steps = malloc(longest * sizeof(struct step));
        if (current[i].steps == NULL) return 1;
    }
    target_aarch64 = strcmp(info->target_name, "aarch64") == 0;
    if (argc != 1 || strncmp(argv[0], "out=", 4) != 0 || (out = fopen(argv[0] + 4, "w")) == NULL) {
        fprintf(stderr, "path-plugin: no out=FILE that can be written\n");
        return 1;
    }
    qemu_plugin_register_vcpu_tb_trans_cb(id, on_translate);
    qemu_plugin_register_atexit_cb(id, at_exit, NULL);
    return 0;
}
