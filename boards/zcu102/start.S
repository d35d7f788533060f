// SPDX-License-Identifier: MIT OR Apache-2.0
// boards/zcu102: where its cores come to, MMU off, from EL3 or from a firmware.
    .section .text.start, "ax"

    .global zcu102_start
zcu102_start:
    bl      aarch64_leave_el3
    b       _start

// A core out of reset: at EL3, and it knows nothing but its affinity.
    .global zcu102_secondary
zcu102_secondary:
    bl      aarch64_leave_el3
    mrs     x0, mpidr_el1
    and     x0, x0, #0xff
    b       weft_image_secondary_start
