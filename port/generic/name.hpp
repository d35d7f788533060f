// SPDX-License-Identifier: MIT OR Apache-2.0
// weft: WEFT_PORT_NAME with the values of settings in it, each a plain token: WEFT_NAMED(armv7m_cores, WEFT_MAX_CORES).
#pragma once

#define WEFT_NAMED_(name, value) name##value
#define WEFT_NAMED(name, value) WEFT_NAMED_(name, value)
