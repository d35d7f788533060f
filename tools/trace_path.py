# SPDX-License-Identifier: MIT OR Apache-2.0
"""The critical path of a Trace of trace_file.py: the longest chain of work in which each piece needs the one before.
With however many cores, a run is not shorter.
"""
import dataclasses

import trace_file


@dataclasses.dataclass
class Path:
    """What had to be done, one after the other, to come here."""
    length: int = 0
    tasks: int = 0
    function: int = 0
    work: int = 0  # of all tasks


@dataclasses.dataclass
class Running:
    """A task on a core, with the path to where it is now."""
    path: Path
    since: int
    stands: int = 0  # it waits, and sleeps in that wait; or another one runs on top of it

    def advance(self, tick):
        if self.stands == 0:
            self.path.length += tick - self.since
        self.since = tick


class Follower:
    """Goes through the events in their order. A task needs who submitted it, up to there; who joins needs the child;
    who was asleep in a task, who woke it. A task whose submission is not in the trace begins a path."""

    # What ends a wait, and where the path stands of what was waited for.
    ends_of = {"join_end": "children", "wait_end": "awaited", "unpark": "wakes", "stand_end": "wakes"}

    def __init__(self, trace):
        self.trace, self.best, self.work = trace, Path(), 0
        self.stacks, self.last = {}, {}  # of a core: what runs, the innermost last; the path of what ended last
        self.told = {}  # a task's tag: its path
        self.several = []  # submitted together: [function, how many, path, others, too]
        self.offers, self.children = {}, {}  # of a core: the path of its offer; of its children that are done
        self.calls = {}  # of a core: the path of its last call from outside
        self.taken, self.wakes = {}, {}  # of a core: of the child that it is about to begin; of who wakes it
        self.awaited = {}  # of a core: of what it waits for, and that is done

    def here(self, core):
        """A copy of the path of what this core does."""
        stack = self.stacks.get(core)
        return dataclasses.replace(stack[-1].path if stack else self.last.get(core, Path()))

    def origin(self, event):
        if event.core in self.taken:
            return self.taken.pop(event.core)
        waiting = self.told.get((event.object, event.value))
        if waiting:
            return waiting.pop(0)
        # Of a batch only the first one's function is told.
        group = next((one for one in self.several if one[0] == event.object), None) or \
            next((one for one in self.several if one[3]), None)
        if group is None:
            return Path()
        group[1] -= 1
        if group[1] == 0:
            self.several.remove(group)
        return dataclasses.replace(group[2])

    def submits(self, event):
        # A handler's needs nothing of the task that it has interrupted.
        inside = self.stacks.get(event.core) and not event.name.endswith("_from_isr")
        path = self.here(event.core) if inside else Path()
        if event.name in trace_file.SUBMITTED:
            self.told.setdefault((event.object, event.value), []).append(path)
        else:
            count = max(event.value & 0xfffff, 1) if event.name.startswith("hand_in") else 1
            self.several.append([event.object, count, path, count > 1 or event.name == "submit_for"])

    def joins(self, core, other):
        stack = self.stacks.get(core)
        if stack and other and other.length > stack[-1].path.length:
            stack[-1].path = dataclasses.replace(other, function=stack[-1].path.function)

    def sees(self, event):
        core, stack = event.core, self.stacks.setdefault(event.core, [])
        if stack:
            stack[-1].advance(event.tick)
        if event.name in (*trace_file.SUBMITTED, "hand_in", "hand_in_from_isr", "submit_on", "submit_for"):
            self.submits(event)
        elif event.name == "begin":
            path = self.origin(event)
            path.tasks, path.function = path.tasks + 1, event.object
            stack.append(Running(path, event.tick))
        elif event.name == "call":  # behind the one before, as main's are
            before = self.calls.get(core, Path())
            path = dataclasses.replace(before, tasks=before.tasks + 1, function=trace_file.CALL)
            stack.append(Running(path, event.tick))
        elif event.name in ("child", "inner") and stack:
            stack[-1].path.function = event.object
        elif event.name in ("end", "call_end") and stack:
            self.ends(core, stack.pop())
            if event.name == "call_end":
                self.calls[core] = self.last[core]
            if stack:
                stack[-1].since = event.tick
        elif event.name in ("join_begin", "wait_begin", "park", "stand") and stack:
            stack[-1].stands += 1
        elif event.name in self.ends_of and stack:
            stack[-1].stands = max(stack[-1].stands - 1, 0)
            if stack[-1].stands == 0:
                self.joins(core, getattr(self, self.ends_of[event.name]).pop(core, None))
        elif event.name == "offer":
            self.offers[core] = self.here(core)
        elif event.name == "take":
            self.taken[core] = dataclasses.replace(self.offers.get(event.value) or self.here(event.value))
        elif event.name == "child_done":
            self.children[event.value] = max(self.here(core), self.children.get(event.value, Path()),
                                             key=lambda path: path.length)
        elif event.name == "wait_done":
            self.awaited[event.value] = self.here(core)
        elif event.name == "wake":
            self.wakes[event.value] = self.here(core)

    def ends(self, core, running):
        self.last[core] = running.path
        if running.path.length > self.best.length:
            self.best = running.path


def critical_path(trace):
    follower = Follower(trace)
    others = trace.rings - 1
    for event in trace.events:
        if event.core == others and event.name in ("begin", "end", "call", "call_end", "park", "unpark"):
            continue  # of several cores at once
        follower.sees(event)
    for stack in follower.stacks.values():  # what runs at the end of the trace
        for running in reversed(stack):
            running.advance(trace.end)
            follower.ends(0, running)
            running.stands = 1
    best = dataclasses.replace(follower.best)
    best.work = sum(trace_file.working(trace_file.times(trace, core)) for core in trace_file.cores_of(trace))
    return best


def lines(trace, name):
    """For the user. `name`: of a run function."""
    path = critical_path(trace)
    if not path.length:
        return []
    return [f"critical path: {trace.milliseconds(path.length):.3f} {trace.unit} in {path.tasks} "
            f"task{'s' if path.tasks != 1 else ''}, one after the other, the last {name(path.function)}; all tasks "
            f"together {path.work / path.length:.2f} times that" + ("; of what was kept" if trace.lost else "")]
