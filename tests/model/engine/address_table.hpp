// SPDX-License-Identifier: MIT OR Apache-2.0
// Model checker: AddressTable, from an object's address to a small number. Emptied in O(1) by a new generation.
#pragma once

#include <stdint.h>

namespace weft {
namespace model {

template <unsigned size>
class AddressTable {
    static_assert((size & (size - 1)) == 0, "a power of two");

public:
    static constexpr uint16_t none = 0xffff;

    void clear() { ++generation_; }

    uint16_t find(uintptr_t address) const {
        for (unsigned at = start(address);;
             at = (at + 1) % size) {  // ends: the table is never full (see insert)
            const Entry& entry = entries_[at];
            if (entry.generation != generation_) return none;
            if (entry.address == address) return entry.value;
        }
    }

    // The address is not in the table. At most size - 1 entries may be inserted: the callers' limits see to it.
    void insert(uintptr_t address, uint16_t value) {
        unsigned at = start(address);
        while (entries_[at].generation == generation_) at = (at + 1) % size;
        entries_[at] = Entry{address, generation_, value};
    }

    // The address that was inserted last and not removed since: as if it had never been inserted.
    void remove_last(uintptr_t address) {
        unsigned at = start(address);
        while (entries_[at].generation != generation_ || entries_[at].address != address)
            at = (at + 1) % size;
        entries_[at].generation = 0;
    }

private:
    struct Entry {
        uintptr_t address;
        uint32_t generation;
        uint16_t value;
    };

    static unsigned start(uintptr_t address) {
        return static_cast<unsigned>((address * 0x9e3779b97f4a7c15u) >> 40) % size;
    }

    Entry entries_[size] = {};
    uint32_t generation_ = 1;
};

}  // namespace model
}  // namespace weft
