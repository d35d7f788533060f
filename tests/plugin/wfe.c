// SPDX-License-Identifier: MIT OR Apache-2.0
// QEMU TCG plugin: gives Arm cores an Event Register, so that WFE really sleeps until a SEV.
//
// Before QEMU 11 WFE returns at once and SEV does nothing: a firmware that forgets a SEV passes every test. Here
// WFE blocks its vCPU until some core executes SEV (or the core itself SEVL); if that takes longer than
// `timeout`, the WFE returns and is counted. A run that ends with timeouts=0 has needed no wake-up that was
// not sent.
//
// And it gives each core its local exclusive monitor: a load-exclusive arms it; a store-exclusive, CLREX or ERET
// disarms it. A WFE with an armed monitor does not sleep (QEMU 11 does the same, and on silicon a store of
// somebody else may end the sleep) and is counted. With armed=0 no core that waits has been kept awake by a
// compare-exchange that failed.
//
//     -plugin libwfe.so[,timeout=MS][,noise=N][,seed=S]
//         timeout  how long a WFE may block, in milliseconds (2000)
//         noise    sleeps up to 200 us at N per mille of all exclusives, atomics and barriers (0)
//         seed     of the noise (1)
//
// Targets: aarch64, and arm running Thumb code (M-profile). At exit, to stderr, a line
// for each core and one for all:
//     wfe-plugin: cpu1 wfe=12 blocked=9 timeouts=0 armed=0 sev=11
//     wfe-plugin: wfe=40 blocked=31 timeouts=0 armed=0 sev=44
//
// Limits. The plugin cannot see interrupts: on a real core a pending interrupt also ends a WFE, here it waits
// for SEV or the time-out. Test legs with interrupts run without the plugin, or with a short timeout, and
// their count of time-outs proves nothing. It needs one host thread for each vCPU: never with -icount or
// -accel tcg,thread=single. The Event Register is set by SEV and SEVL only; real cores also set it on
// exception return and on losing an exclusive reservation, so they sleep less than this. Exceptions clear the
// monitor of an M-profile core, too, which is not seen.
#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "qemu_plugin_api.h"

enum { max_cpus = 512, noise_longest_ns = 200000 };

enum kind { kind_other, kind_wfe, kind_sev, kind_sevl, kind_arm, kind_store, kind_disarm, kind_ordering };

// One per vCPU. `random` and `monitor` belong to the vCPU's own thread, the rest is under `mutex`.
struct cpu {
    bool event;
    unsigned long wfe, blocked, timeouts, armed, sev;
    uint32_t random;
    bool monitor;
};

static struct cpu cpus[max_cpus];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t event_set;  // on CLOCK_MONOTONIC
static unsigned long timeout_ms = 2000;
static unsigned long noise_per_mille;
static unsigned long seed = 1;
static bool target_aarch64;
static qemu_info_t emulator;

static struct timespec deadline(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    const long nanoseconds = time.tv_nsec + (long)(timeout_ms % 1000) * 1000000;
    time.tv_sec += (time_t)(timeout_ms / 1000) + nanoseconds / 1000000000;
    time.tv_nsec = nanoseconds % 1000000000;
    return time;
}

static void on_wfe(unsigned int index, void* unused) {
    (void)unused;
    if (index >= max_cpus) return;
    struct cpu* self = &cpus[index];
    pthread_mutex_lock(&mutex);
    ++self->wfe;
    if (self->monitor) {
        ++self->armed;
    } else if (!self->event) {
        ++self->blocked;
        const struct timespec until = deadline();
        int result = 0;
        while (!self->event && result != ETIMEDOUT)
            result = pthread_cond_timedwait(&event_set, &mutex, &until);
        if (!self->event) ++self->timeouts;
    }
    self->event = false;
    pthread_mutex_unlock(&mutex);
}

static void on_sev(unsigned int index, void* unused) {
    (void)unused;
    pthread_mutex_lock(&mutex);
    if (index < max_cpus) ++cpus[index].sev;
    for (unsigned int i = 0; i < max_cpus; ++i) cpus[i].event = true;
    pthread_cond_broadcast(&event_set);
    pthread_mutex_unlock(&mutex);
}

static void on_sevl(unsigned int index, void* unused) {
    (void)unused;
    if (index >= max_cpus) return;
    pthread_mutex_lock(&mutex);
    cpus[index].event = true;
    pthread_mutex_unlock(&mutex);
}

static void on_arm(unsigned int index, void* unused) {
    (void)unused;
    if (index < max_cpus) cpus[index].monitor = true;
}

static void on_disarm(unsigned int index, void* unused) {
    (void)unused;
    if (index < max_cpus) cpus[index].monitor = false;
}

// Not when the instruction is executed: within an IT block that is reported even if its condition does not hold.
static void on_store(unsigned int index, qemu_plugin_meminfo_t info, uint64_t address, void* unused) {
    (void)info;
    (void)address;
    on_disarm(index, unused);
}

static void on_ordering(unsigned int index, void* unused) {
    (void)unused;
    if (index >= max_cpus) return;
    uint32_t value = cpus[index].random;
    if (value == 0) value = ((uint32_t)seed * max_cpus + index) * 0x9e3779b9u | 1u;
    value ^= value << 13;  // xorshift32
    value ^= value >> 17;
    value ^= value << 5;
    cpus[index].random = value;
    if (value % 1000 >= noise_per_mille) return;
    const struct timespec pause = {0, (long)(value / 1000 % noise_longest_ns)};
    nanosleep(&pause, NULL);
}

// Encodings: Arm ARM for A-profile (DDI0487), C4.1: hints, barriers, exclusive and ordered accesses, atomics.
static enum kind classify_a64(uint32_t word) {
    if (word == 0xd503205f) return kind_wfe;
    if (word == 0xd503209f) return kind_sev;
    if (word == 0xd50320bf) return kind_sevl;
    if (word == 0xd69f03e0) return kind_disarm;                 // ERET
    if ((word & 0xfffff0ff) == 0xd503305f) return kind_disarm;  // CLREX
    // LDXR, STXR and their kin; bit 22 is the load. Between those of pairs lies CASP.
    const bool pair_casp = (word & 0x80200000) == 0x00200000;
    if ((word & 0x3f800000) == 0x08000000 && !pair_casp)
        return (word & (1 << 22)) != 0 ? kind_arm : kind_store;
    const bool ordered = (word & 0x3f000000) == 0x08000000;  // LDAR, STLR, CAS...
    const bool atomic = (word & 0x3f200c00) == 0x38200000;   // LDADD, SWP...
    const bool barrier = (word & 0xfffff0df) == 0xd503309f;  // DSB, DMB
    return ordered || atomic || barrier ? kind_ordering : kind_other;
}

static enum kind classify_thumb16(uint32_t halfword) {
    if (halfword == 0xbf20) return kind_wfe;
    if (halfword == 0xbf40) return kind_sev;
    return kind_other;
}

// Encodings: Armv8-M ARM (DDI0553), C2.2; the first halfword is the upper half of `word`.
static enum kind classify_thumb32(uint32_t word) {
    if (word == 0xf3af8002) return kind_wfe;
    if (word == 0xf3af8004) return kind_sev;
    if ((word & 0xfffffff0) == 0xf3bf8f20) return kind_disarm;  // CLREX
    const bool load = (word & 0x00100000) != 0;
    const bool test_target = (word & 0xfff0f000) == 0xe840f000;  // TT lies among the STREX
    if ((word & 0xffe00000) == 0xe8400000 && !test_target)
        return load ? kind_arm : kind_store;  // LDREX, STREX
    if ((word & 0xffe00000) == 0xe8c00000) {
        const uint32_t operation = word >> 4 & 0xf;
        if (operation >= 12 || (operation >= 4 && operation <= 7))
            return load ? kind_arm : kind_store;   // LDAEX...
        if (operation >= 8) return kind_ordering;  // LDA, STL
    }
    const bool barrier = (word & 0xffffffe0) == 0xf3bf8f40;  // DSB, DMB
    return barrier ? kind_ordering : kind_other;
}

// Near the end of a page (1 KiB on M-profile) QEMU 7.2 looks ahead whether the next Thumb instruction crosses it, and
// counts those bytes to this one. So the first halfword says how long it is.
static enum kind classify(const struct qemu_plugin_insn* instruction) {
    const size_t size = qemu_plugin_insn_size(instruction);
    uint16_t halves[2] = {0, 0};  // guest and host are little-endian
    if (size < 2) return kind_other;
    read_instruction(&emulator, instruction, halves, size < 4 ? 2 : 4);
    if (target_aarch64) return classify_a64((uint32_t)halves[1] << 16 | halves[0]);
    if (halves[0] >> 11 < 0x1d) return classify_thumb16(halves[0]);
    return classify_thumb32((uint32_t)halves[0] << 16 | halves[1]);
}

static void on_translate(qemu_plugin_id_t id, struct qemu_plugin_tb* block) {
    (void)id;
    const size_t count = qemu_plugin_tb_n_insns(block);
    for (size_t i = 0; i < count; ++i) {
        struct qemu_plugin_insn* instruction = qemu_plugin_tb_get_insn(block, i);
        qemu_plugin_vcpu_udata_cb_t callback = NULL;
        const enum kind kind = classify(instruction);
        switch (kind) {
            case kind_wfe: callback = on_wfe; break;
            case kind_sev: callback = on_sev; break;
            case kind_sevl: callback = on_sevl; break;
            case kind_arm: callback = on_arm; break;
            case kind_store:
                qemu_plugin_register_vcpu_mem_cb(instruction, on_store, QEMU_PLUGIN_CB_NO_REGS,
                                                 QEMU_PLUGIN_MEM_RW, NULL);
                break;
            case kind_disarm: callback = on_disarm; break;
            case kind_ordering:
            case kind_other: break;
        }
        if (callback != NULL) {
            qemu_plugin_register_vcpu_insn_exec_cb(instruction, callback, QEMU_PLUGIN_CB_NO_REGS, NULL);
        }
        if (noise_per_mille != 0 && (kind == kind_ordering || kind == kind_arm || kind == kind_store)) {
            qemu_plugin_register_vcpu_insn_exec_cb(instruction, on_ordering, QEMU_PLUGIN_CB_NO_REGS, NULL);
        }
    }
}

static void print_line(const char* name, const struct cpu* counts) {
    fprintf(stderr, "wfe-plugin: %swfe=%lu blocked=%lu timeouts=%lu armed=%lu sev=%lu\n", name, counts->wfe,
            counts->blocked, counts->timeouts, counts->armed, counts->sev);
}

static void at_exit(qemu_plugin_id_t id, void* unused) {
    (void)id;
    (void)unused;
    struct cpu total = {0};
    pthread_mutex_lock(&mutex);
    for (unsigned int i = 0; i < max_cpus; ++i) {
        const struct cpu* one = &cpus[i];
        if (one->wfe == 0 && one->sev == 0) continue;
        char name[16];
        snprintf(name, sizeof name, "cpu%u ", i);
        print_line(name, one);
        total.wfe += one->wfe;
        total.blocked += one->blocked;
        total.timeouts += one->timeouts;
        total.armed += one->armed;
        total.sev += one->sev;
    }
    pthread_mutex_unlock(&mutex);
    print_line("", &total);
}

// Reads `name=number` into *value. False: another name, or not a number.
static bool number_option(const char* option, const char* name, unsigned long* value) {
    const size_t length = strlen(name);
    if (strncmp(option, name, length) != 0 || option[length] != '=') return false;
    char* end;
    *value = strtoul(option + length + 1, &end, 10);
    return end != option + length + 1 && *end == '\0';
}

QEMU_PLUGIN_EXPORT int qemu_plugin_install(qemu_plugin_id_t id, const qemu_info_t* info, int argc,
                                           char** argv) {
    emulator = *info;
    target_aarch64 = strcmp(info->target_name, "aarch64") == 0;
    if (!target_aarch64 && strcmp(info->target_name, "arm") != 0) {
        fprintf(stderr, "wfe-plugin: no WFE on %s\n", info->target_name);
        return -1;
    }
    for (int i = 0; i < argc; ++i) {
        if (number_option(argv[i], "timeout", &timeout_ms)) continue;
        if (number_option(argv[i], "noise", &noise_per_mille)) continue;
        if (number_option(argv[i], "seed", &seed)) continue;
        fprintf(stderr, "wfe-plugin: unknown option %s (timeout=MS, noise=N, seed=S)\n", argv[i]);
        return -1;
    }
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&event_set, &attributes);
    qemu_plugin_register_vcpu_tb_trans_cb(id, on_translate);
    qemu_plugin_register_atexit_cb(id, at_exit, NULL);
    return 0;
}
