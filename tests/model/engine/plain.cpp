// SPDX-License-Identifier: MIT OR Apache-2.0
// Model checker: PlainMemory.
#include "plain.hpp"

#include "failure.hpp"

namespace weft {
namespace model {

PlainMemory::Cell& PlainMemory::create(uintptr_t address) {
    if (count_ == max_plain)
        fail(Failure::model_limit, "more than %u plain words in one execution", max_plain);
    Cell& cell = cells_[count_];
    undo_.fresh(cell);
    cell.address = address;
    cell.dead = false;
    cell.writer = max_cores;
    for (Stamp& clock : cell.read_clock) clock = 0;
    table_.insert(address, static_cast<uint16_t>(count_++));
    return cell;
}

void PlainMemory::report_end(unsigned core, Site site) {
    fail(Failure::lifetime, "core %u uses a plain word of an object that has ended, at %s:%u", core,
         site.file, site.line);
}

void PlainMemory::check_write(unsigned core, const View& view, const Cell& cell, Site site,
                              const char* does) const {
    if (cell.writer == max_cores || cell.writer == core || cell.write_clock <= view.clock(cell.writer))
        return;
    fail(Failure::race, "core %u %s at %s:%u what core %u wrote at %s:%u: nothing orders the two", core, does,
         site.file, site.line, cell.writer, cell.write_at.file, cell.write_at.line);
}

void PlainMemory::check_reads(unsigned core, const View& view, const Cell& cell, Site site) const {
    for (unsigned other = 0; other != max_cores; ++other) {
        if (other == core || cell.read_clock[other] <= view.clock(other)) continue;
        fail(Failure::race, "core %u writes at %s:%u what core %u read at %s:%u: nothing orders the two",
             core, site.file, site.line, other, cell.read_at[other].file, cell.read_at[other].line);
    }
}

void PlainMemory::record_write(unsigned core, const View& view, Cell& cell, Site site) {
    undo_.keep(cell);
    cell.writer = static_cast<uint8_t>(core);
    cell.write_clock = view.clock(core);
    cell.write_at = site;
    for (Stamp& clock : cell.read_clock)
        clock = 0;  // ordered before this write, and so before whatever it orders
}

void PlainMemory::born(unsigned core, const View& view, uintptr_t address) {
    const uint16_t index = table_.find(address);
    Cell& cell = index == table_.none ? create(address) : cells_[index];
    undo_.keep(cell);
    cell.dead = false;
    record_write(core, view, cell, Site{"(constructor)", 0});
}

void PlainMemory::end_cell(unsigned core, const View& view, Cell& cell) {
    const Site site{"(end of life)", 0};
    check_write(core, view, cell, site, "ends");
    check_reads(core, view, cell, site);
    undo_.keep(cell);
    cell.dead = true;
}

void PlainMemory::end(unsigned core, const View& view, uintptr_t address) {
    const uint16_t index = table_.find(address);
    if (index != table_.none && !cells_[index].dead) end_cell(core, view, cells_[index]);
}

void PlainMemory::end_range(unsigned core, const View& view, uintptr_t address, size_t size) {
    for (unsigned index = 0; index != count_; ++index) {
        Cell& cell = cells_[index];
        if (cell.address >= address && cell.address < address + size && !cell.dead)
            end_cell(core, view, cell);
    }
}

}  // namespace model
}  // namespace weft
