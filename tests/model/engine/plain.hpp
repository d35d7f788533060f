// SPDX-License-Identifier: MIT OR Apache-2.0
// Model checker: PlainMemory, the race detector on unsynchronised words. Two accesses of different cores, one of them a
// write, that happens-before does not order are a race, whatever order they had in this execution; so these accesses
// need no interleavings of their own (Flanagan and Freund, "FastTrack", PLDI 2009).
#pragma once

#include <hooks.hpp>

#include "address_table.hpp"
#include "undo.hpp"
#include "view.hpp"

namespace weft {
namespace model {

class PlainMemory {
public:
    explicit PlainMemory(Undo& undo) : undo_(undo) {}

    void reset() {
        table_.clear();
        count_ = 0;
    }

    template <class Copy>
    void each_part(Copy& copy) {
        const unsigned count = count_;
        copy(count_);
        for (unsigned later = count; later > count_;) table_.remove_last(cells_[--later].address);
    }

    // `view`: of the core. `buried`: asks whether an address lies in an object that has ended.
    template <class Buried>
    void read(unsigned core, const View& view, uintptr_t address, Site site, Buried buried) {
        Cell& cell = locate(core, address, site, buried);
        check_write(core, view, cell, site, "reads");
        undo_.keep(cell);
        cell.read_clock[core] = view.clock(core);
        cell.read_at[core] = site;
    }
    template <class Buried>
    void write(unsigned core, const View& view, uintptr_t address, Site site, Buried buried) {
        Cell& cell = locate(core, address, site, buried);
        check_write(core, view, cell, site, "writes");
        check_reads(core, view, cell, site);
        record_write(core, view, cell, site);
    }
    // A plain word is constructed, or ends, while the cores run.
    void born(unsigned core, const View& view, uintptr_t address);
    void end(unsigned core, const View& view, uintptr_t address);
    void end_range(unsigned core, const View& view, uintptr_t address, size_t size);

private:
    struct Cell {
        uintptr_t address;
        bool dead;
        uint8_t writer;  // max_cores: nobody yet
        Stamp write_clock;
        Site write_at;
        Stamp read_clock[max_cores];
        Site read_at[max_cores];
        uint64_t kept;  // see Undo
    };

    template <class Buried>
    Cell& locate(unsigned core, uintptr_t address, Site site, Buried buried) {
        const uint16_t index = table_.find(address);
        if (index == table_.none) {
            if (buried(address)) report_end(core, site);
            return create(address);
        }
        if (cells_[index].dead) report_end(core, site);
        return cells_[index];
    }
    Cell& create(uintptr_t address);
    [[noreturn]] static void report_end(unsigned core, Site site);
    void check_write(unsigned core, const View& view, const Cell& cell, Site site, const char* does) const;
    void check_reads(unsigned core, const View& view, const Cell& cell, Site site) const;
    void record_write(unsigned core, const View& view, Cell& cell, Site site);
    void end_cell(unsigned core, const View& view, Cell& cell);

    Undo& undo_;
    AddressTable<2 * max_plain> table_;
    Cell cells_[max_plain];
    unsigned count_ = 0;
};

}  // namespace model
}  // namespace weft
