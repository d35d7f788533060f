# SPDX-License-Identifier: MIT OR Apache-2.0
"""Draws a Trace of trace_file.py: lines for the terminal, an SVG, and JSON for chrome://tracing and Perfetto."""
import bisect
import json
import pathlib
import re
import shutil
import sys
from xml.sax.saxutils import escape

import trace_file
import trace_path
import trace_pools
from common import run, settings

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "gdb"))
from weft_gdb import layout  # noqa: E402  (what needs no gdb)

COLUMNS = 72
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
# Told apart with the usual weaknesses of colour vision (after Okabe and Ito).
COLOURS = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#f0e442", "#999999")
BELOW = ("here", "waiting", "asleep", "standing", "call", "task")  # of two as long, the latter lies upon the former
PAGE = 4096
# In an SVG: colour, and how far its bar keeps from the lane's edge.
SHADES = {"here": ("#d9d9d9", 7), "waiting": ("#d9d9d9", 7), "asleep": ("#f3f3f3", 5), "standing": ("#000000", 8)}
TITLES = {"here": "awake without a task", "asleep": "asleep", "standing": "stands still for quiesce()"}
WIDTH, MARGIN, LANE, BAR = 960, 70, 34, 20
STRIP = 4  # below a lane: which pool the core is in
POOLS = COLOURS[::-1]


def short(symbol):
    """A demangled name without what repeats in each."""
    symbol = layout.short(symbol)
    symbol = layout.coroutine_of(symbol) or symbol
    symbol = re.sub(r"\(anonymous namespace\)::|\bweft::", "", symbol)
    symbol = re.sub(r"\((?:Task&|detail::Frame&, detail::ForkDeque\*)\)$", "", symbol)
    named = re.fullmatch(r"TaskOf<(.*)>::call_run|detail::Child\w+<(.*)>::run_taken|(.*)::run(?:_callable)?", symbol)
    symbol = (named[1] or named[2] or named[3]).strip() if named else symbol
    return symbol if len(symbol) <= 90 else symbol[:60] + " ... " + symbol[-25:]


class Names:
    """Names of functions by the lower half of their addresses, as they stand in a trace."""

    def __init__(self, image, trace):
        self.symbols, self.several, self.slide, self.objects = {}, set(), 0, []
        self.fault = "without the image (--elf) functions have no names"
        if image is None:
            return
        cross = settings(image).get("cross", "") if (pathlib.Path(image).parent / "config").is_file() else ""
        if not shutil.which(f"{cross}nm"):
            cross = ""
        status, text = run(f"{cross}nm", "-C", "-S", "-n", str(image))
        found = re.findall(r"^([0-9a-f]+) (?:([0-9a-f]+) )?([a-zA-Z]) (.*)$", text, re.MULTILINE) if status == 0 else []
        rings = [int(address, 16) for address, *_, name in found if name == "weft_trace_rings"]
        if not rings:
            self.fault = f"{image} has no symbol weft_trace_rings: not the image of this trace, or stripped"
            return
        self.slide = trace.address - rings[0]
        moves = pathlib.Path(image).read_bytes()[16:17] == b"\3"  # ET_DYN: by whole pages
        if self.slide % PAGE if moves else self.slide:
            self.fault = f"{image} is not the image of this trace, whose rings are at {trace.address:#x}: no names"
            return
        places = {}
        self.objects = [(int(address, 16), int(size, 16), short(name)) for address, size, kind, name in found
                        if size and kind in "bBdD"]
        for address, _, kind, name in found:
            if kind in "tTwWbBdD" and not name.startswith(".") and not name.endswith("[clone .cold]"):
                self.symbols.setdefault(int(address, 16) & 0xffffffff, short(name))
                places.setdefault(short(name), set()).add(int(address, 16))
        # Static functions of several files.
        self.several = {name for name, found in places.items() if len(found) > 1}
        functions = {int(address, 16) & 0xffffffff for address, _, kind, _ in found if kind in "tTwWiI"}
        run_functions = {event.object for event in trace.events if event.name == "begin"}
        others = [one for one in run_functions if not {self.at(one), self.at(one) & ~1} & functions]
        self.fault = (f"{len(others)} of {len(run_functions)} run functions of this trace are none of {image}: is it "
                      "another build? Its names may be wrong, too" if others else "")

    def at(self, low):
        return (low - self.slide) & 0xffffffff

    def __call__(self, low):
        if low == trace_file.CALL:
            return "a call from outside"
        at = self.at(low)
        for address in (at, at & ~1):  # a Thumb function's has bit 0 set
            if address in self.symbols:
                name = self.symbols[address]
                return f"{name} at {address:#x}" if name in self.several else name
        return f"{low:#x}"

    def pool(self, low):
        """A pool's name: it lies within that object."""
        at = self.at(low)
        return next((name for address, size, name in self.objects if at - (address & 0xffffffff) in range(size)),
                    f"{low:#x}")


def what(span):
    return span.child or span.object


def waits_for(span, name):
    kinds = {trace_file.JOIN: "in a join", 0: "until the pool is at rest",
             trace_file.SOMETHING: "for what is overwritten"}
    return f"waits {kinds.get(span.object) or f'for {name(span.object)}'}"


def legend(trace):
    """Run functions by the time that they took, the most first."""
    times = {}
    for span in trace.spans:
        if span.kind in trace_file.WORKING:
            times[what(span)] = times.get(what(span), 0) + span.end - span.begin
    return sorted(times, key=lambda function: (-times[function], function))


def downwards(trace, core):
    """The spans of a core, what lies below others first: what is longer."""
    return sorted(trace_file.of_core(trace, core, *BELOW),
                  key=lambda span: (span.begin - span.end, BELOW.index(span.kind)))


def mark_of(share):
    """What took the most of a column; a task that took less of it than waiting or sleep, in a small letter."""
    if not share:
        return " "
    most = max(share, key=share.get)
    tasks = [mark for mark in share if mark in LETTERS and share[mark]]
    return max(tasks, key=share.get).lower() if most in "-." and tasks else most


def ascii_lines(trace, name, columns=COLUMNS):
    """One lane per core: in each column what took the most of it. (The innermost task: what a join helps with.)"""
    functions = legend(trace)
    marks = {function: LETTERS[number] if number < len(LETTERS) else "#" for number, function in enumerate(functions)}
    length = trace.end - trace.begin
    pools = trace_pools.Pools(trace)
    lines = []
    for core in trace_file.cores_of(trace):
        shares = [{} for _ in range(columns)]
        for span in downwards(trace, core):
            mark = {"here": "-", "asleep": ".", "waiting": "-", "standing": "="}.get(span.kind) or marks[what(span)]
            fill(shares, span, mark, length, columns)
        for column in range(trace.known_from(core) * columns // length):
            shares[column] = {"?": 1}
        lines.append(f"{core:4} |" + "".join(map(mark_of, shares)) + "|")
        if pools.several:
            shares = [{} for _ in range(columns)]
            for stay in pools.stays[core]:
                fill(shares, stay, pools.mark(stay.pool), length, columns)
            lines.append("pool |" + "".join(map(mark_of, shares)) + "|")
    unit = trace.unit
    lines.append(f"      0{trace.milliseconds(length):>{columns - 5}.2f} {unit}")
    standing = "    = stands still" if any(span.kind == "standing" for span in trace.spans) else ""
    small = "    small letter: less than the rest" if any(re.search(r"\|.*[a-z].*\|", line) for line in lines) else ""
    unknown = "    ? overwritten" if any(trace.known_from(core) for core in trace_file.cores_of(trace)) else ""
    lines.append("      - awake without a task, or in a wait    . asleep"
                 f"{small}{standing}{unknown}    blank: not in a pool")
    lines += [f"      {marks[function]} {name(function)}" for function in functions[: len(LETTERS)]]
    return lines


def text_lines(trace, name):
    return [*ascii_lines(trace, name), "", *trace_file.summary(trace, name), *trace_path.lines(trace, name),
            *trace_pools.Pools(trace).summary(name.pool)]


def fill(shares, span, mark, length, columns):
    """Adds a span to the columns that it touches. What it lies upon is as long, or longer, and gives way."""
    begin, end = span.begin * columns, span.end * columns
    for column in range(begin // length, min(columns, -(-end // length))):
        part = min(end, (column + 1) * length) - max(begin, column * length)
        if part <= 0:
            continue
        share = shares[column]
        left = part
        for other in list(share):
            taken = min(left, share[other])
            share[other] -= taken
            left -= taken
        share[mark] = share.get(mark, 0) + part


def svg(trace, name):
    length = trace.end - trace.begin
    cores = trace_file.cores_of(trace)
    functions = legend(trace)
    colours = {function: COLOURS[number % len(COLOURS)] for number, function in enumerate(functions)}
    shown = functions[:12]
    pools = trace_pools.Pools(trace)
    told = {pool: POOLS[number % len(POOLS)] for number, pool in enumerate(pools.all)} if pools.several else {}
    keys = [(colours[function], name(function)) for function in shown]
    keys += [(colour, f"strip below a lane: in pool {name.pool(pool)}") for pool, colour in told.items()]
    height = 40 + LANE * len(cores) + 20 + 16 * (len(keys) + 1)
    lane = {core: 30 + LANE * number for number, core in enumerate(cores)}

    def x(tick):
        return MARGIN + tick * (WIDTH - MARGIN - 10) / length

    parts = [f'<svg xmlns="http' f'://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" '
             f'height="{height}" font-family="sans-serif" font-size="12">',
             f'<rect width="{WIDTH}" height="{height}" fill="#ffffff"/>']

    def bar(span, colour, inset, title):
        width = max(x(span.end) - x(span.begin), 0.4)
        parts.append(f'<rect x="{x(span.begin):.1f}" y="{lane[span.core] + inset:.1f}" width="{width:.1f}" '
                     f'height="{max(BAR - 2 * inset, 4):.1f}" fill="{colour}" stroke="#ffffff" '
                     f'stroke-width="0.2"><title>{escape(title)}</title></rect>')

    unit = trace.unit
    for core in cores:
        parts.append(f'<text x="4" y="{lane[core] + 15}">core {core}</text>')
        if trace.known_from(core):
            parts.append(f'<text x="{x(trace.known_from(core)) - 4:.1f}" y="{lane[core] + 15}" text-anchor="end" '
                         'fill="#808080">overwritten</text>')
        for span in downwards(trace, core):
            if span.kind in trace_file.WORKING:
                took = trace.milliseconds(span.end - span.begin)
                bar(span, colours[what(span)], min(3 * span.depth, 8), f"{name(what(span))}, {took:.3f} {unit}")
            else:
                title = waits_for(span, name) if span.kind == "waiting" else TITLES[span.kind]
                bar(span, *SHADES[span.kind], title)
        for stay in pools.stays[core] if told else ():
            parts.append(f'<rect x="{x(stay.begin):.1f}" y="{lane[core] + BAR + 1}" '
                         f'width="{max(x(stay.end) - x(stay.begin), 0.4):.1f}" height="{STRIP}" '
                         f'fill="{told[stay.pool]}"><title>in pool {escape(name.pool(stay.pool))}</title></rect>')

    def arrow(tick, core, to_tick, to_core, colour):
        if core in lane and to_core in lane:
            down = lane[to_core] > lane[core]
            parts.append(f'<line x1="{x(tick):.1f}" y1="{lane[core] + (BAR if down else 0)}" x2="{x(to_tick):.1f}" '
                         f'y2="{lane[to_core] + (0 if down else BAR)}" stroke="{colour}" marker-end="url(#tip)"/>')

    parts.append('<defs><marker id="tip" markerWidth="5" markerHeight="5" refX="4" refY="2.5" orient="auto">'
                 '<path d="M0,0 L5,2.5 L0,5 z" fill="#444444"/></marker></defs>')
    for core, tick, to_core, arrival in trace.wakes:
        arrow(tick, core, tick if arrival is None else arrival, to_core, "#c00000")
    for event in trace_file.stolen(trace):
        arrow(event.tick, event.value, event.tick, event.core, "#8a8a8a")
    foot = 46 + LANE * len(cores)
    standing = "black: stands still; " if any(span.kind == "standing" for span in trace.spans) else ""
    parts.append(f'<text x="{MARGIN}" y="20">0</text>')
    parts.append(f'<text x="{WIDTH - 10}" y="20" text-anchor="end">{trace.milliseconds(length):.2f} {unit}</text>')
    parts.append(f'<text x="{MARGIN}" y="{foot}">grey: awake without a task, or in a wait; pale: asleep; '
                 'blank: not in a pool; '
                 f'{standing}red arrows: wakes; grey arrows: steals</text>')
    for number, (colour, text) in enumerate(keys, 1):
        parts.append(f'<rect x="{MARGIN}" y="{foot + 16 * number - 10}" width="11" height="11" fill="{colour}"/>')
        parts.append(f'<text x="{MARGIN + 17}" y="{foot + 16 * number}">{escape(text)}</text>')
    return "\n".join([*parts, "</svg>", ""])


def bound(trace, flows):
    """Those that begin and end in a slice: Perfetto drops all others."""
    covered = {core: [] for core in range(trace.rings)}
    for span in sorted(trace.spans, key=lambda span: span.begin):
        mine = covered[span.core]
        if mine and span.begin <= mine[-1][1]:
            mine[-1][1] = max(mine[-1][1], span.end)
        else:
            mine.append([span.begin, span.end])

    def within(core, tick):
        mine = covered.get(core, [])
        at = bisect.bisect_right(mine, [tick, trace.end + 1]) - 1
        return at >= 0 and tick < mine[at][1]

    return [flow for flow in flows if within(*flow[1:3]) and within(*flow[3:5])]


def perfetto(trace, name):
    """The JSON that chrome://tracing and Perfetto read; times in microseconds (ticks, if their rate is unknown)."""
    scale = 1000 / trace.rate if trace.rate else 1
    records = []

    def at(tick):
        return round(tick * scale, 3)

    for core in trace_file.cores_of(trace):
        records.append({"ph": "M", "pid": 1, "tid": core, "name": "thread_name", "args": {"name": f"core {core}"}})
    records.append({"ph": "M", "pid": 1, "tid": trace.rings - 1, "name": "thread_name",
                    "args": {"name": "other cores"}})
    titles = {"here": "in the pool", "asleep": "asleep", "standing": "stands still"}
    pools = trace_pools.Pools(trace)
    for span in sorted(trace.spans, key=lambda span: (span.begin, -span.end)):
        title = titles.get(span.kind) or (waits_for(span, name) if span.kind == "waiting" else name(what(span)))
        records.append({"ph": "X", "pid": 1, "tid": span.core, "ts": at(span.begin),
                        "dur": round(at(span.end) - at(span.begin), 3), "name": title, "cat": span.kind,
                        **({"args": {"pool": name.pool(span.pool)}} if pools.several and span.pool else {})})
    flows = [("wake", core, tick, to_core, tick if arrival is None else arrival)
             for core, tick, to_core, arrival in trace.wakes]
    flows += [("steal", event.value, event.tick, event.core, event.tick) for event in trace_file.stolen(trace)]
    for number, (kind, core, tick, to_core, to_tick) in enumerate(bound(trace, flows)):
        for phase, lane, when in (("s", core, tick), ("f", to_core, to_tick)):
            records.append({"ph": phase, "pid": 1, "tid": lane, "ts": at(when), "id": number, "name": kind,
                            "cat": kind, **({"bp": "e"} if phase == "f" else {})})
    for event in trace.events:
        if event.name not in trace_file.OPENING and event.name not in trace_file.CLOSING:
            records.append({"ph": "i", "s": "t", "pid": 1, "tid": event.core, "ts": at(event.tick),
                            "name": event.name, "args": {"object": name(event.object), "value": event.value}})
    return json.dumps({"traceEvents": records, "otherData": {"lost": trace.lost, "faults": trace.faults}}, indent=0)
