// SPDX-License-Identifier: MIT OR Apache-2.0
// The part of QEMU's TCG plugin interface that the plugins here use, declared from QEMU's documentation ("QEMU
// TCG Plugins"): distributions ship the emulator without the header. The functions live in qemu-system-*.
//
// A plugin is good for every version. The emulator refuses one that says another number than it takes: 1 up to
// QEMU 8, 2 and more from QEMU 9 on (Debian 13). Version 3 (QEMU 9.1) has another qemu_plugin_insn_data.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define QEMU_PLUGIN_EXPORT __attribute__((visibility("default")))

typedef uint64_t qemu_plugin_id_t;

typedef struct qemu_info_t {
    const char* target_name;
    struct {
        int min;
        int cur;
    } version;
    bool system_emulation;
    union {
        struct {
            int smp_vcpus;
            int max_vcpus;
        } system;
    };
} qemu_info_t;

enum qemu_plugin_cb_flags { QEMU_PLUGIN_CB_NO_REGS, QEMU_PLUGIN_CB_R_REGS, QEMU_PLUGIN_CB_RW_REGS };
enum qemu_plugin_mem_rw { QEMU_PLUGIN_MEM_R = 1, QEMU_PLUGIN_MEM_W, QEMU_PLUGIN_MEM_RW };

typedef uint32_t qemu_plugin_meminfo_t;

struct qemu_plugin_tb;
struct qemu_plugin_insn;

typedef void (*qemu_plugin_udata_cb_t)(qemu_plugin_id_t id, void* userdata);
typedef void (*qemu_plugin_vcpu_udata_cb_t)(unsigned int vcpu_index, void* userdata);
typedef void (*qemu_plugin_vcpu_mem_cb_t)(unsigned int vcpu_index, qemu_plugin_meminfo_t info, uint64_t vaddr,
                                          void* userdata);
typedef void (*qemu_plugin_vcpu_tb_trans_cb_t)(qemu_plugin_id_t id, struct qemu_plugin_tb* tb);

void qemu_plugin_register_vcpu_tb_trans_cb(qemu_plugin_id_t id, qemu_plugin_vcpu_tb_trans_cb_t cb);
void qemu_plugin_register_vcpu_insn_exec_cb(struct qemu_plugin_insn* insn, qemu_plugin_vcpu_udata_cb_t cb,
                                            enum qemu_plugin_cb_flags flags, void* userdata);
void qemu_plugin_register_vcpu_mem_cb(struct qemu_plugin_insn* insn, qemu_plugin_vcpu_mem_cb_t cb,
                                      enum qemu_plugin_cb_flags flags, enum qemu_plugin_mem_rw rw,
                                      void* userdata);
bool qemu_plugin_mem_is_store(qemu_plugin_meminfo_t info);
void qemu_plugin_register_atexit_cb(qemu_plugin_id_t id, qemu_plugin_udata_cb_t cb, void* userdata);
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb* tb);
struct qemu_plugin_insn* qemu_plugin_tb_get_insn(const struct qemu_plugin_tb* tb, size_t idx);
uint64_t qemu_plugin_insn_vaddr(const struct qemu_plugin_insn* insn);
size_t qemu_plugin_insn_size(const struct qemu_plugin_insn* insn);
// One function under two declarations: up to version 2 it says where the bytes are, from 3 on it copies them.
const void* insn_data_of_2(const struct qemu_plugin_insn* insn) __asm__("qemu_plugin_insn_data");
size_t insn_data_of_3(const struct qemu_plugin_insn* insn, void* dest,
                      size_t len) __asm__("qemu_plugin_insn_data");
// Gone with version 1.
__attribute__((weak)) int qemu_plugin_n_vcpus(void);

// The emulator reads this before it calls anything.
QEMU_PLUGIN_EXPORT int qemu_plugin_version;
__attribute__((constructor)) static void choose_version(void) {
    qemu_plugin_version = qemu_plugin_n_vcpus != NULL ? 1 : 2;
}

// The bytes of an instruction, into `bytes`. `info` is what qemu_plugin_install() was given.
static inline void read_instruction(const qemu_info_t* info, const struct qemu_plugin_insn* insn, void* bytes,
                                    size_t size) {
    if (info->version.cur < 3) {
        memcpy(bytes, insn_data_of_2(insn), size);
    } else {
        insn_data_of_3(insn, bytes, size);
    }
}
