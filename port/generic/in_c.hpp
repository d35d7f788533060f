// SPDX-License-Identifier: MIT OR Apache-2.0
// weft: for each port's weft_image.hpp, which C (C11) reads, too: what the two languages write in different words.
#pragma once

#ifdef __cplusplus
#define WEFT_NO_RETURN [[noreturn]]
#else
#define WEFT_NO_RETURN _Noreturn
#endif
