// SPDX-License-Identifier: MIT OR Apache-2.0
// boards: where the cores of a Raspberry Pi come to from the spin table, which hands them nothing: MMU off, EL2.
    .section .text.raspberry_pi_start, "ax"
    .global raspberry_pi_secondary
raspberry_pi_secondary:
    mrs     x0, mpidr_el1
    and     x0, x0, #0xff
    b       weft_image_secondary_start
