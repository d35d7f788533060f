// SPDX-License-Identifier: MIT OR Apache-2.0
// The demo, and the example of how weft is used. It runs on every board of the tree, on all of its cores:
//
//   1. Hash a file. Each 4 KiB block is a task; more tasks fold the digests in a binary tree. Nobody waits
//      for anybody: of two siblings, the one that is done last submits their parent.
//   2. Draw a picture. The root of the tree submits its rows. They differ in cost; who runs out steals.
//   3. Sleep. The last row starts a timer, and then there is nothing to do. The timer's interrupt submits one
//      more task, which shuts the pool down.
//
// There is no lock, no heap, and nothing that depends on the number of cores or on which one does what.
// Words on the command line: the path of the file (without spaces); `digests`: list every block's; `colour`.
#include <weft/weft.hpp>

#include "board.hpp"
#include "console.hpp"
#include "input.hpp"
#include "mandelbrot.hpp"
#include "report.hpp"
#include "sha256.hpp"

namespace demo {
namespace {

// All the memory that the scheduler uses. It is ready before the first instruction of the program.
WEFT_CONSTINIT weft::Pool<BOARD_CORES> pool{};

Record record;  // what happened, for the report at the end

// A refused task is answered, never dropped. In this program a refusal would be a mistake.
void must(weft::Status status) {
    if (status != weft::Status::ok) fail("weft: ", weft::describe(status));
}

// ---- 1. Hash

// The tree lies in one array, like a heap: node 0 is the root, node i has the children 2i+1 and 2i+2.
// A tree over n blocks has n-1 folds; the nodes behind them are the blocks.
Digest digests[2 * max_blocks - 1];

void start_drawing();

// A task is an object of yours with a weft::Task in it. You own its memory; weft needs nothing besides.
class Node : public weft::Task {
public:
    // There is no heap: `new` makes a Node in memory that the caller has.
    static void* operator new(size_t, void* memory) noexcept { return memory; }

    explicit Node(uint32_t index) : Task(&Node::run), index_(index) {}

private:
    // The scheduler calls this once per submit, on some core.
    static void run(weft::Task& self) { static_cast<Node&>(self).hash(); }

    void hash();

    const uint32_t index_;
    weft::Atomic<uint32_t> unfinished_children_{2};
};

// Room for the nodes, which board_main() makes when it knows how many. (An array of tasks may also be
// constant-initialised, as `rows` below. This one would make the image file 128 KiB longer.)
alignas(Node) unsigned char node_memory[sizeof(Node) * (2 * max_blocks - 1)];
Node& node(uint32_t index) { return reinterpret_cast<Node*>(node_memory)[index]; }

void Node::hash() {
    record.hashed_by[index_] = static_cast<uint8_t>(weft::Port::core_id());
    const uint32_t folds = record.blocks - 1;
    if (index_ >= folds) {
        digests[index_] = block_digest(index_ - folds);
    } else {
        digests[index_] = sha256(&digests[2 * index_ + 1], 2 * sizeof(Digest));  // both children's in one go
    }
    if (index_ == 0) return start_drawing();

    // Two children count down, and whoever comes last, on whichever core, submits the parent. Release: my
    // digest is written before I count. Acquire: who counts last sees the other's digest. The submit passes
    // both on to the core that will run the parent.
    Node& parent = node((index_ - 1) / 2);
    if (parent.unfinished_children_.fetch_sub(1, weft::acq_rel) == 1) must(pool.submit(parent));
}

// ---- 2. Draw

class Row : public weft::Task {
public:
    constexpr Row() : Task(&Row::run) {}

private:
    static void run(weft::Task& self);
};

Row rows[picture_rows];
weft::Atomic<uint32_t> rows_left{picture_rows};

// One submit for the whole batch. It goes to this core's own queue, and the other cores steal from there.
void start_drawing() {
    record.hashed_at = weft::Port::now();
    weft::Batch batch;
    for (Row& row : rows) must(batch.push(row));
    must(pool.submit(batch));
}

void fall_asleep();

void Row::run(weft::Task& self) {
    const uint32_t row = static_cast<uint32_t>(&static_cast<Row&>(self) - rows);
    record.drawn_by[row] = static_cast<uint8_t>(weft::Port::core_id());
    draw_row(row, record.picture[row]);
    // Relaxed: this decides who is last, no more. What the rows wrote is read after join().
    if (rows_left.fetch_sub(1, weft::relaxed) == 1) fall_asleep();
}

// ---- 3. Sleep

// A Job is a task around a lambda.
WEFT_CONSTINIT weft::Job last_task([] {
    record.woken_at = weft::Port::now();
    record.woken_core = weft::Port::core_id();
    for (uint32_t core = 0; core < pool.cores(); ++core) record.parks_after[core] = pool.stats(core).parks;
    pool.shutdown();  // every core goes back to where it came from; the boot core returns from run()
});

// In interrupt context. Of the pool's calls only submit_from_isr(), shutdown() and stats() are for here.
void on_timer() {
    board::stop_timer();
    must(pool.submit_from_isr(last_task));
}

void fall_asleep() {
    record.drawn_at = weft::Port::now();
    for (uint32_t core = 0; core < pool.cores(); ++core) record.parks_before[core] = pool.stats(core).parks;
    board::start_timer(4, on_timer);
}

// The cores of a chip are up within microseconds. An emulator needs longer for that than one core for all the hashing,
// and there would be little to see: so the boot core waits until the first of them works, but not for ever.
void let_another_core_come() {
    const uint32_t most = 20 * weft::Port::ticks_per_ms();
    while (pool.total().executed == 0 && weft::Port::now() - record.started_at < most) weft::Port::relax();
}

}  // namespace
}  // namespace demo

// ---- The boot core comes here. The other cores are off, and weft starts them when there is work.

extern "C" int board_main() {
    using namespace demo;
    const Options options = read_command_line();
    record.blocks = read_input(options.path);
    introduce(options, record);

    weft::Batch blocks;
    const uint32_t folds = record.blocks - 1;
    for (uint32_t i = 0; i < folds + record.blocks; ++i) {
        Node* const made = new (&node(i)) Node(i);
        if (i >= folds) must(blocks.push(*made));
    }

    record.started_at = weft::Port::now();
    must(pool.submit(blocks));  // powers another core on, which powers on the next one while there is work
    let_another_core_come();
    must(pool.run());   // this core works too, until somebody calls shutdown()
    must(pool.join());  // every core has left the pool: what they wrote is visible here

    report(options, record, digests, pool);
    return 0;
}
