// SPDX-License-Identifier: MIT OR Apache-2.0
// For tools/check_barriers: functions that do one operation of a port each, so that their disassembly shows what the
// operation is made of. Nothing runs this.
#include <weft/port.hpp>

using weft::acq_rel;
using weft::acquire;
using weft::Port;
using weft::relaxed;
using weft::release;

#define PROBE_LOAD(name, type, order) \
    extern "C" type probe_##name##_load_##order(weft::Atomic<type>& word) { return word.load(order); }
#define PROBE_STORE(name, type, order)                                                   \
    extern "C" void probe_##name##_store_##order(weft::Atomic<type>& word, type value) { \
        word.store(value, order);                                                        \
    }
#define PROBE_PUBLISHED(name, type)                                                                   \
    extern "C" type probe_##name##_published_load_acquire(weft::Published<type>& word) {              \
        return word.load(acquire);                                                                    \
    }                                                                                                 \
    extern "C" void probe_##name##_published_store_release(weft::Published<type>& word, type value) { \
        word.store(value, release);                                                                   \
    }
#define PROBE_CHANGE(name, type, call, order)                                               \
    extern "C" type probe_##name##_##call##_##order(weft::Atomic<type>& word, type value) { \
        return word.call(value, order);                                                     \
    }
#define PROBE_COMPARE(name, type, success, failure)                                                     \
    extern "C" bool probe_##name##_compare_exchange_##success##_##failure(weft::Atomic<type>& word,     \
                                                                          type& expected, type value) { \
        return word.compare_exchange(expected, value, success, failure);                                \
    }

#define PROBE_CHANGES(name, type, order)       \
    PROBE_CHANGE(name, type, exchange, order)  \
    PROBE_CHANGE(name, type, fetch_add, order) \
    PROBE_CHANGE(name, type, fetch_sub, order) \
    PROBE_CHANGE(name, type, fetch_or, order)  \
    PROBE_CHANGE(name, type, fetch_and, order) \
    PROBE_COMPARE(name, type, order, relaxed)

#define PROBES(name, type)                      \
    PROBE_LOAD(name, type, acquire)             \
    PROBE_STORE(name, type, release)            \
    PROBE_PUBLISHED(name, type)                 \
    PROBE_CHANGES(name, type, relaxed)          \
    PROBE_CHANGES(name, type, acquire)          \
    PROBE_CHANGES(name, type, release)          \
    PROBE_CHANGES(name, type, acq_rel)          \
    PROBE_COMPARE(name, type, acquire, acquire) \
    PROBE_COMPARE(name, type, release, acquire) \
    PROBE_COMPARE(name, type, acq_rel, acquire)

PROBES(u32, uint32_t)
PROBES(pointer, uintptr_t)

extern "C" void probe_fence() { Port::fence(); }
extern "C" void probe_park() { Port::park(); }
extern "C" void probe_unpark(uint32_t core) { Port::unpark(core); }
