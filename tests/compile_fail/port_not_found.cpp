// SPDX-License-Identifier: MIT OR Apache-2.0
// The include path names no port.
// expect: weft: no weft_port.hpp is found. The compiler needs three -I: -Iinclude -Iport/<arch> -Iport
// more: the #include that ends it
// port: none
#include <weft/weft.hpp>
