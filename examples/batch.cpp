// SPDX-License-Identifier: MIT OR Apache-2.0
// Many tasks at once: a batch is one submit and wakes one core, which wakes the next while there is more to do.
#include <weft/weft.hpp>

#include "machine.hpp"

constexpr uint32_t blocks = 64;
constexpr uint32_t words = 256;
constexpr uint32_t turns = 100;
uint32_t data[blocks][words];

WEFT_CONSTINIT weft::Pool<4> pool{};
weft::Atomic<uint32_t> left{blocks};

struct Checksum : weft::TaskOf<Checksum> {
    void run() {
        for (uint32_t turn = 0; turn != turns; ++turn) {
            for (const uint32_t word : data[block]) sum = (sum << 5 | sum >> 27) + word;
        }
        if (left.fetch_sub(1, weft::acq_rel) == 1) pool.shutdown();  // the last one ends the pool
    }
    uint32_t block = 0;
    uint32_t sum = 0;
};
Checksum checksums[blocks];

int main() {
    weft::Batch batch;
    for (uint32_t block = 0; block != blocks; ++block) {
        for (uint32_t i = 0; i != words; ++i) data[block][i] = block * words + i;
        checksums[block].block = block;
        if (batch.push(checksums[block]) != weft::Status::ok) return 1;
    }
    if (pool.submit(batch) != weft::Status::ok) return 1;
    if (pool.run() != weft::Status::ok || pool.join() != weft::Status::ok) return 1;
    uint32_t all = 0;
    for (const Checksum& one : checksums) all = all * 31 + one.sum;
    print("checksum of all blocks:", all);
    for (uint32_t core = 0; core != pool.cores(); ++core) {
        print("core", core);
        print("  blocks:", pool.stats(core).executed);
    }
    return pool.total().executed == blocks ? 0 : 1;
}
