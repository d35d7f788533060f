// SPDX-License-Identifier: MIT OR Apache-2.0
// The bench: how many instructions the paths of the scheduler take. It runs on an emulated board, with
// -icount shift=0,sleep=off (machine.hpp says why), and prints lines `name value unit` for tools/bench.
#include "bench.hpp"

#include <weft/weft.hpp>

#include "board.hpp"
#include "crew.hpp"
#include "figures.hpp"
#include "machine.hpp"
#include "tap.hpp"

namespace bench {
namespace {

WEFT_CONSTINIT weft::Pool<BOARD_CORES> idle_pool{};

void introduce() {
    tap::note(board::name, ", ", board::cores, " cores, ",
              exact ? "exact counter" : "clock: means, not medians");
    tap::note("samples of each figure: ", rounds);
}

}  // namespace

void measure_poll() {
    static Samples samples;
    for (uint32_t i = 0; i != rounds; ++i) {
        start_anywhere();
        const uint32_t begin = counter();
        const uint32_t ran = idle_pool.poll(1).tasks;
        const uint32_t end = counter("poll_empty");
        if (ran != 0) fail("poll() ran a task that nobody submitted");
        samples.add(end - begin);
    }
    print("poll_empty", samples.typical() - reading);
}

}  // namespace bench

extern "C" int board_main() {
    using namespace bench;
    introduce();
    if (!measurable) {
        tap::note("nothing to measure: this board counts no instructions");
        return 0;
    }
    calibrate();
    measure_poll();
    measure_fork();
    measure_preempt();
    measure_coroutines();
    measure_wake_of_two();
    measure_wake_of_all();
    measure_busy();
    tap::note("complete");
    return 0;
}
