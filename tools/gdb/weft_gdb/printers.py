# SPDX-License-Identifier: MIT OR Apache-2.0
"""Pretty printers: words as their values, a task by what it runs, marks by their names."""
import re

import gdb

from . import layout
from .image import Wrong, function_at, leaf, member, number, word
from .pool import plural, round_of


class Shown:
    """A value by one line. The function may find it damaged, or of another version: then gdb shows its members."""

    def __init__(self, value, text):
        self.value, self.text = value, text

    def to_string(self):
        try:
            return self.text(self.value)
        except (Wrong, gdb.error) as wrong:
            return f"<{wrong}>"


def task_line(value):
    link = word(member(value, "link_"))
    return f"Task {function_at(int(member(value, 'run_')))}" + (", queued" if link else "")


def idle_line(bits):
    cores = layout.cores_of(bits)
    marks = layout.flags(bits, layout.IDLE)
    return f"parked {{{', '.join(map(str, cores))}}} {' '.join(marks)}".rstrip()


def ring_line(value):
    head, tail = number(value, "head_"), number(value, "tail_")
    line = f"Ring {tail - head & 0xffffffff} of {int(member(value, 'mask_')) + 1}, head {head}, tail {tail}"
    try:
        newest = leaf(member(value, "task_"))  # WEFT_NEWEST_FIRST=1: the place in front of it
    except (Wrong, gdb.error):
        return line
    return f"{line}, newest {task_line(newest.dereference())}" if int(newest) else f"{line}, no newest"


def stack_line(value):
    seen = number(value, "word_")
    marks = layout.flags(seen, layout.STACK)
    top = seen & ~7
    return f"TaskStack {' '.join(marks) if marks else 'closed'}" + (f", top {top:#x}" if top else ", nothing pushed")


def timer_line(value):
    state = number(value, "state_")
    marks = layout.flags(state, layout.TIMER)
    line = f"Timer {' '.join(marks) if marks else 'not armed'}"
    if state & layout.TIMER["armed"]:
        period = number(value, "period_")
        line += f", due at {number(value, 'key_')}" + (f", every {period}" if period else "")
    return line


def strand_line(value):
    seen = number(value, "pushed_")
    if not seen:
        return "Strand idle"
    newest = seen & ~layout.STRAND_SCHEDULED
    return "Strand scheduled" + (f", pushed last {newest:#x}" if newest else "")


def event_line(value):
    given = number(value, "given_")
    kept = given & ~layout.EVENT_IS_SET
    waits = number(value, "first_") or number(value, "pushed_")
    return ("Event " + ("set" if given & layout.EVENT_IS_SET else "not set")
            + (f", {plural(kept, 'signal')} kept" if kept else "") + (", tasks wait" if waits else ""))


def gate_line(value):
    seen = number(value, "word_")
    of = int(member(value, "arrivals_"))
    if seen & layout.GATE_QUEUED:
        return f"Gate open, of {of}"
    return f"Gate {seen} of {plural(of, 'arrival')} missing"


def round_line(value):
    """A Work or a Completion."""
    waiter, marks = round_of(value)
    return f"{value.type.strip_typedefs().unqualified().name.split('<')[0].split('::')[-1]} " + (
        " ".join(marks) if marks else "not begun") + (", somebody waits" if waiter else "")


def power_line(value):
    name = str(value.cast(gdb.lookup_type("unsigned int"))) if value.type.code == gdb.TYPE_CODE_ENUM else str(value)
    return layout.POWER[int(name)] if int(name) < len(layout.POWER) else f"Power({name})"


PRINTERS = (
    (r"(Atomic|Published|Plain)<.*>", lambda value: leaf(value).format_string()),
    (r"Task", task_line),
    (r"detail::IdleBits", lambda value: idle_line(word(value))),
    (r"detail::IdleWord", lambda value: idle_line(number(value, "word_"))),
    (r"detail::Ring", ring_line),
    (r"detail::TaskStack", stack_line),
    (r"detail::Power", power_line),
    (r"Timer", timer_line),
    (r"Strand", strand_line),
    (r"Event", event_line),
    (r"Gate", gate_line),
    (r"(Waitable|Completion|Work<.*>)", round_line),
)


def lookup(value):
    kind = value.type.strip_typedefs().unqualified()
    if kind.code == gdb.TYPE_CODE_REF:
        kind = kind.target().strip_typedefs().unqualified()
        value = value.referenced_value()
    name = kind.name or ""
    if not name.startswith("weft::"):
        return None
    for pattern, text in PRINTERS:
        where = r"weft::(.*::)?" if pattern.startswith("(") else r"weft::v\w+::"
        if re.fullmatch(where + pattern, name):
            return Shown(value, text)
    return None


lookup.name = "weft"


def register():
    gdb.pretty_printers[:] = [one for one in gdb.pretty_printers if getattr(one, "name", "") != "weft"]
    gdb.pretty_printers.append(lookup)
