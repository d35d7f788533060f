// SPDX-License-Identifier: MIT OR Apache-2.0
// Tests of the host port's own edges (H1, H2 of docs/ORDERING.md) by plain data that nothing else protects: under
// ThreadSanitizer each of them fails when its edge is gone, whatever the processor orders by itself.
#pragma once

void edge_park_asleep();
void edge_park_awake();
void edge_park_by_wake_everyone();
void edge_number_of_a_thread();
