# SPDX-License-Identifier: MIT OR Apache-2.0
"""For how long a core has been doing what it does: by the recorder's newest events, or by its heart (WEFT_WATCH=1)."""
import struct
import time

import gdb

from . import layout, trace
from .image import number

OPENS = ("begin", "park", "join_begin", "wait_begin", "stand")
CLOSES = ("end", "unpark", "join_end", "wait_end", "stand_end")


def signed(difference):
    return (difference + (1 << 31)) % (1 << 32) - (1 << 31)


def hearts_of(image, core):
    """(task, function, tick) of what the core runs, what preempts first; None: nothing, or not in this build."""
    if not image.settings["watch"]:
        return None
    try:
        for level in reversed(image.array_of("detail::Hearts", "at")):
            heart = level[core]
            if number(heart, "task_"):
                return number(heart, "task_"), number(heart, "function_"), number(heart, "since_")
    except (gdb.error, gdb.MemoryError):
        pass
    return None


def now(image):
    """(tick, how it is known); None: not known. On the host the clock goes on while the debugger has stopped it."""
    if image.port.startswith("host") and is_live():
        return int(time.clock_gettime(time.CLOCK_MONOTONIC) * 1000 * layout.HOST_TICKS_PER_MS) & 0xffffffff, \
            "until now, in the debugger too"
    try:  # RISC-V: the image names the address of its clock
        at = int(gdb.parse_and_eval("weft_image_mtime").cast(gdb.lookup_type("unsigned long")))
        return int.from_bytes(trace.memory(at, 4), "little"), "until the target was stopped"
    except (gdb.error, gdb.MemoryError, OverflowError):
        pass
    newest, _ = trace.newest_tick()
    return None if newest is None else (newest, "until the newest event of all cores, or longer")


def is_live():
    """A process of this machine: no core file, no stub."""
    kind = getattr(getattr(gdb.selected_inferior(), "connection", None), "type", "")
    return kind == "native" and gdb.selected_inferior().pid != 0


def events_of(core):
    """[(number, tick)] of the ring of a core, the oldest first; what was being recorded is not left out."""
    found = trace.header()
    if found is None or core >= found.rings - 1:
        return []
    data = trace.memory(found.at + core * found.ring_bytes, found.ring_bytes)
    if len(data) < found.ring_bytes:
        return []
    count = struct.unpack_from("<I", data)[0]
    events = []
    for at in range(max(0, count - found.events), count):
        place = found.first + at % found.events * 4
        what, = struct.unpack_from("<I", data, place)
        tick, = struct.unpack_from("<I", data, place + 8 * found.events)
        events.append((what >> 24, tick))
    return events


def since(image, core):
    """The tick at which the core began what it does; None: not known."""
    heart = hearts_of(image, core)
    names = {layout.TRACE_EVENTS[name]: name for name in layout.TRACE_EVENTS}
    stack, last = [], None
    for what, tick in events_of(core):
        name = names.get(what)
        if name in OPENS:
            stack.append(tick)
        elif name in CLOSES:
            if stack:
                stack.pop()
        elif name not in ("enter", "leave"):
            continue
        last = tick
    if stack:
        return stack[-1]
    return heart[2] if heart else last


def line(image, core, rate):
    """For `weft cores`."""
    began, known = since(image, core), now(image)
    if began is None or known is None:
        return None
    ticks = max(0, signed(known[0] - began))
    return f"for {ticks / rate:.3f} ms" if rate else f"for {ticks} ticks", known[1]
