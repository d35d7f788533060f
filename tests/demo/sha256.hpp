// SPDX-License-Identifier: MIT OR Apache-2.0
// demo: SHA-256, a pure function: any number of cores may call it at the same time.
#pragma once

#include <stddef.h>
#include <stdint.h>

namespace demo {

struct Digest {
    uint8_t bytes[32];
};

Digest sha256(const void* message, size_t size);

}  // namespace demo
