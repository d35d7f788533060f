# SPDX-License-Identifier: MIT OR Apache-2.0
"""Which pool a core works for, in a Trace of trace_file.py of several pools: for the lanes, the slices, the summary."""
import collections

import trace_file

MARKS = "123456789"


class Pools:
    """`several`: only then do the pictures tell them apart."""

    def __init__(self, trace):
        self.trace, self.stays = trace, trace.stays
        told = trace_file.ENTERING + trace_file.LEAVING
        self.all = list(dict.fromkeys(event.object for event in trace.events if event.name in told))
        self.several = len(self.all) > 1

    def mark(self, pool):
        number = self.all.index(pool)
        return MARKS[number] if number < len(MARKS) else "#"

    def summary(self, name):
        """Lines for the user. `name`: of an object."""
        if not self.several:
            return []
        lines = [f"{len(self.all)} pools share these cores:"]
        tasks = collections.Counter(span.pool for span in self.trace.spans if span.kind == "task" and not span.part)
        for pool in self.all:
            cores = [str(core) for core, stays in self.stays.items() if any(stay.pool == pool for stay in stays)]
            lines.append(f"  {self.mark(pool)} {name(pool)}: {tasks[pool]} task{'s' if tasks[pool] != 1 else ''}, on "
                         f"core{'s' if len(cores) != 1 else ''} {', '.join(cores)}")
        if tasks[0]:
            lines.append(f"  in which pool {tasks[0]} more ran is not in the trace")
        return lines
