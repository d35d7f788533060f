// SPDX-License-Identifier: MIT OR Apache-2.0
// traced: what the files of this program share.
#pragma once

#include <weft/weft.h>
#include <weft/weft.hpp>

extern "C" {
weft::Scheduler* made_in_c();  // the pool of work.c
void submit_in_c();            // its task
extern const char unbounded[];
extern char unbounded_pools[][64];
}
bool spawn_coroutines(weft::Scheduler& pool);
