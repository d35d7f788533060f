// SPDX-License-Identifier: MIT OR Apache-2.0
// boards: as much of a GICv3 as the boards need: Group 1 interrupts private to a core (SGIs 0..15 and PPIs
// 16..31), taken as IRQ at EL1 or EL2 through the system register interface.
#pragma once

#include <stdint.h>

namespace gicv3 {

// Whether this core can talk to a GICv3 at all; before anything else.
bool is_present();

// Once, by the boot core.
void enable_distributor(uintptr_t distributor);

// The RD_base frame of the core with this affinity (MPIDR_EL1 layout) in the region `redistributors`, or 0.
uintptr_t find_redistributor(uintptr_t redistributors, uint64_t mpidr);

// By each core for itself: system registers in place of memory. Part of what follows.
void use_registers();

// By each core for itself: wakes its redistributor, puts all its private interrupts into Group 1, disabled, not pending
// or active, and of middle priority, but for one SGI that all others come on top of; opens its CPU interface.
constexpr uint32_t low_sgi = 14;
void enable_core(uintptr_t redistributor);

void enable_private(uintptr_t redistributor, uint32_t interrupt);
void disable_private(uintptr_t redistributor, uint32_t interrupt);

// To the core with this affinity. Not ordered with accesses to memory.
void send_sgi(uint64_t mpidr, uint32_t sgi);

// For the IRQ handler: the interrupt to serve (or 1023: none), and its end.
uint32_t acknowledge();
void end(uint32_t interrupt);

}  // namespace gicv3
