// SPDX-License-Identifier: MIT OR Apache-2.0
// boards: as much of a GICv2 as the boards need: interrupts private to a core (SGIs 0..15 and PPIs 16..31), taken as
// IRQ. In Secure state they are of Group 0, else of the only group that there is to see: the same accesses do.
#pragma once

#include <stdint.h>

namespace gicv2 {

// Where the two halves are that each core finds at the same addresses: the board's own file.
extern const uintptr_t distributor;
extern const uintptr_t cpu_interface;

constexpr uint32_t spurious = 1023;

// Once, by the boot core.
void enable_distributor();

// By each core for itself: all of its private interrupts disabled, not pending and of middle priority, but for the two
// SGIs below; its interface open.
void enable_core();

void enable_private(uint32_t interrupt);
void disable_private(uint32_t interrupt);  // done when it returns

// For the IRQ handler: the interrupt to serve, or spurious; and its end, which takes what acknowledge() has returned.
// That is the number, with the core that has sent it (of an SGI) in the bits above.
constexpr uint32_t number_mask = 0x3ff;
uint32_t acknowledge();
void end(uint32_t taken);

void send_sgi(uint32_t core, uint32_t sgi);  // to the interface of this number

// An SGI that all other interrupts come on top of.
constexpr uint32_t low_sgi = 14;

// An SGI that is never served, but ends a WFI: it is of so low a priority that the core's interface hides it until it
// is told to show it. (An SGI cannot be disabled on every GICv2: on a GIC-400 it cannot.)
constexpr uint32_t hidden_sgi = 15;
void show_hidden_sgi();
void hide_hidden_sgi();   // done when it returns
void clear_hidden_sgi();  // not pending any more; ends in a read of what it has written to

}  // namespace gicv2
