// SPDX-License-Identifier: MIT OR Apache-2.0
// demo: the report, for a terminal of 80 columns.
#include "report.hpp"

#include "board.hpp"
#include "console.hpp"

namespace demo {
namespace {

constexpr uint32_t map_columns = 64;
constexpr uint32_t map_rows = 4;
// A core that sleeps comes back from park() when it is woken, at its interrupt, and rarely for nothing.
constexpr uint32_t few_returns = 10;

uint32_t tenths_of_ms(uint32_t from, uint32_t to) {
    return static_cast<uint32_t>(uint64_t{to - from} * 10 / weft::Port::ticks_per_ms());
}

uint32_t per_second(uint32_t count, uint32_t from, uint32_t to) {
    const uint32_t ticks = to == from ? 1 : to - from;
    return static_cast<uint32_t>(uint64_t{count} * 1000 * weft::Port::ticks_per_ms() / ticks);
}

void print_core(uint32_t core) { print(Ink{core}, "0123456789abcdefghijklmn"[core], plain_ink); }

// A core that was started has looked for work. Cores that were not needed, or could not be started, are off.
bool was_on(const weft::CoreStats& stats) { return stats.executed != 0 || stats.steal_attempts != 0; }

void list_digests(const Record& record, const Digest* digests) {
    const Digest* const leaves = digests + record.blocks - 1;
    for (uint32_t i = 0; i < record.blocks; ++i) print_line("block ", i, ' ', leaves[i]);
}

// Which core hashed which block: one digit for each, or for every few.
void print_map(const Record& record) {
    const uint32_t every = (record.blocks - 1) / (map_columns * map_rows) + 1;
    const uint8_t* const leaves = record.hashed_by + record.blocks - 1;
    uint32_t column = 0;
    print("   done by  ");
    for (uint32_t i = 0; i < record.blocks; i += every) {
        if (column == map_columns) {
            column = 0;
            print("\n            ");
        }
        ++column;
        print_core(leaves[i]);
    }
    print_line();
    if (every > 1) print_line("            (one digit for every ", every, " blocks)");
}

void report_hashes(const Record& record, const Digest* digests) {
    print_map(record);
    print_line("   root     ", digests[0]);
    print_line("   time     ", Tenths{tenths_of_ms(record.started_at, record.hashed_at)}, " ms, ",
               per_second(record.blocks, record.started_at, record.hashed_at),
               " blocks/s, including the start of the cores");
}

void report_picture(const Record& record) {
    print_line("\n2. The Mandelbrot set: ", picture_rows,
               " rows, a task each, some far more costly than others.\n");
    for (uint32_t row = 0; row < picture_rows; ++row) {
        print(' ');
        print_core(record.drawn_by[row]);
        print(' ', Ink{record.drawn_by[row]});
        for (const char cell : record.picture[row]) print(cell);
        print_line(plain_ink);
    }
    print_line("\n   time     ", Tenths{tenths_of_ms(record.hashed_at, record.drawn_at)}, " ms");
}

void report_sleep(const Record& record, const weft::Scheduler& pool) {
    print_line("\n3. Nothing to do, for ", Tenths{tenths_of_ms(record.drawn_at, record.woken_at)},
               " ms. Then a timer interrupt submits the last task.\n");
    uint32_t most = 0;
    print("   returns from park() meanwhile:");
    for (uint32_t core = 0; core < pool.cores(); ++core) {
        const uint32_t returns = record.parks_after[core] - record.parks_before[core];
        if (returns > most) most = returns;
        if (was_on(pool.stats(core))) {
            print("  ", Ink{core}, returns, plain_ink);
        } else {
            print("  off");
        }
    }
    print_line();
    if (most <= few_returns) {
        print_line("   All of them slept. Core ", record.woken_core, " was woken to run the task.");
    } else {
        print_line("   The cores were idle but awake: park() came back at once, every time. That is");
        print_line("   an emulator whose WFE does not wait, such as QEMU before release 11.");
    }
}

// One line of the table: what one core did, or all of them.
struct Share {
    uint32_t blocks = 0;
    uint32_t folds = 0;
    uint32_t rows = 0;
    weft::CoreStats stats;
};

Share share_of(uint32_t core, const Record& record, const weft::Scheduler& pool) {
    Share share;
    const uint32_t folds = record.blocks - 1;
    for (uint32_t i = 0; i < folds + record.blocks; ++i) {
        if (record.hashed_by[i] != core) continue;
        ++(i < folds ? share.folds : share.blocks);
    }
    for (const uint8_t drawn_by : record.drawn_by) {
        if (drawn_by == core) ++share.rows;
    }
    share.stats = pool.stats(core);
    return share;
}

void print_share(const Share& share) {
    print_line(Number{share.blocks, 9}, Number{share.folds, 8}, Number{share.rows, 7},
               Number{share.stats.executed, 8}, Number{share.stats.stolen, 9},
               Number{share.stats.steal_attempts, 9}, Number{share.stats.parks, 12},
               Number{share.stats.wakes, 9});
}

void report_cores(const Record& record, const weft::Scheduler& pool) {
    print_line("\n4. Who did what\n");
    print_line("   core   blocks   folds   rows   tasks   stolen    tries       parks    wakes");
    for (uint32_t core = 0; core < pool.cores(); ++core) {
        print("      ");
        print_core(core);
        print_share(share_of(core, record, pool));
    }
    print("    all");
    print_share({record.blocks, record.blocks - 1, picture_rows, pool.total()});
    print_line("\n   stolen: taken from another core's queue; tries: looks into one;");
    print_line("   parks: went to sleep; wakes: was chosen and woken.");
    const uint32_t failures = pool.start_failures();
    if (failures != 0) print_line("   Failed core starts: ", failures, ". The other cores did the work.");
    print_line("   Times are by the board's clock: an emulator's say nothing of a chip.\n");
}

}  // namespace

void introduce(const Options& options, const Record& record) {
    print_line("\nweft on ", board::name, ", ", board::cores, board::cores == 1 ? " core" : " cores",
               ". A digit says which core did it.\n");
    print_line("1. SHA-256, by blocks of 4 KiB: ", options.path);
    print_line("   ", static_cast<uint32_t>((input_size() + 1023) / 1024), " KiB: ", record.blocks,
               " blocks, a task each; ", record.blocks - 1, " tasks fold the digests in a tree.\n");
}

void report(const Options& options, const Record& record, const Digest* digests,
            const weft::Scheduler& pool) {
    if (options.digests) list_digests(record, digests);
    report_hashes(record, digests);
    report_picture(record);
    report_sleep(record, pool);
    report_cores(record, pool);
}

}  // namespace demo
