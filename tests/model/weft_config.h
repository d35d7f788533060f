// SPDX-License-Identifier: MIT OR Apache-2.0
// Model: the settings under which src/ is checked, besides those in the Makefile.
#pragma once

#ifndef WEFT_FAIR_INTERVAL
#define WEFT_FAIR_INTERVAL 4  // the fair look comes within a scenario's few tasks
#endif
