// SPDX-License-Identifier: MIT OR Apache-2.0
// A callable is no task yet.
// expect: weft: this is no task: weft::Job job([&] { ... }); pool.submit(job);
#include <weft/weft.hpp>

weft::Status submit(weft::Strand& strand) {
    return strand.submit([] {});
}
