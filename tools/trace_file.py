# SPDX-License-Identifier: MIT OR Apache-2.0
"""Reads what the recorder (include/weft/detail/trace.hpp) has left: from a log with its lines, a memory dump that
begins with its header, or an ELF core file. What is wrong with it is said in `Trace.faults`; what can be read is there.
"""
import bisect
import collections
import dataclasses
import re
import statistics
import struct

MAGIC = b"wefttrc\n"
VERSION = 2
HEADER = struct.Struct("<8s4H4I")
# As TraceEvent in include/weft/trace.hpp: tools/check_trace compares them.
EVENTS = dict(enumerate(
    "submit inject hand_in submit_on submit_for spill begin end steal offer take child child_done join_begin join_end "
    "slept park unpark wake start start_failed enter leave timer all_asleep shutdown joined off quiesce stand "
    "stand_end resume retire admit limit interrupt beat inject_from_isr hand_in_from_isr tell_watcher call "
    "call_end wait_begin wait_end wait_done inner".split(), 1))
LINE = re.compile(rb"weft-trace (?:([0-9a-f]{4}) )?([0-9a-f]{2}[^\r\n]*)")
LINES = 1 << 16  # then their numbers begin anew
WHOLE = re.compile(rb"((?:[0-9a-f]{2})+)\s*")
TURN = 1 << 32
MOST_RINGS, MOST_EVENTS, CACHE_LINE = 1025, 65536, 1024
MOST_BYTES = 1 << 28  # of a log


class Unreadable(Exception):
    """A sentence for the user."""


@dataclasses.dataclass
class Event:
    tick: int
    core: int
    name: str
    object: int
    value: int


@dataclasses.dataclass
class Span:
    begin: int
    end: int
    core: int
    kind: str  # task, call, asleep, waiting, standing, here
    object: int = 0
    depth: int = 0
    child: int = 0  # what it runs, if it is a stolen child's task, or a coroutine's
    open: bool = False  # its end is not in the trace
    pool: int = 0  # which the core is in, if that is known
    part: bool = False  # what a task goes on with: its begin is told by the span before


@dataclasses.dataclass
class Stay:
    """A core is in a pool: as a worker, or for a call from outside. The innermost one counts."""
    begin: int
    end: int
    pool: int


@dataclasses.dataclass
class Trace:
    rings: int
    rate: int  # ticks of a millisecond
    address: int  # of the rings
    events: list  # by time
    faults: list
    holes: list  # bytes that are not known: (from, to)
    lost: int = 0  # overwritten
    wrapped: set = dataclasses.field(default_factory=set)  # cores whose older events were overwritten
    spans: list = dataclasses.field(default_factory=list)
    stays: dict = dataclasses.field(default_factory=dict)  # core: one behind the other
    wakes: list = dataclasses.field(default_factory=list)  # (from, tick, to, tick or None)

    @property
    def begin(self):
        return self.events[0].tick

    @property
    def end(self):
        return max(self.events[-1].tick, self.begin + 1)

    @property
    def unit(self):
        return "ms" if self.rate else "ticks"

    def known_from(self, core):
        """What this core did before was overwritten."""
        mine = [event.tick for event in self.events if event.core == core] if core in self.wrapped else []
        return mine[0] if mine else self.begin

    def milliseconds(self, ticks):
        return ticks / (self.rate or 1)


def memory_of(data, loads, address, count):
    """As many of these bytes as the file has: they may be spread over several of its segments."""
    found = b""
    while len(found) < count:
        at = address + len(found)
        one = next(((start + at - first, first + length - at) for first, start, length in loads
                    if first <= at < first + length), None)
        piece = data[one[0] : one[0] + min(one[1], count - len(found))] if one else b""
        if not piece:
            break
        found += piece
    return found


def of_core_file(data):
    """The header and the rings of an ELF core file, or of another ELF file that holds memory."""
    wide = data[4] == 2
    phoff = struct.unpack_from("<Q" if wide else "<I", data, 32 if wide else 28)[0]
    size, count = struct.unpack_from("<2H", data, 54 if wide else 42)
    loads = []
    for at in range(phoff, phoff + size * count, size):
        if wide:
            kind, _, offset, address, _, filed = struct.unpack_from("<2I4Q", data, at)
        else:
            kind, offset, address, _, filed = struct.unpack_from("<5I", data, at)
        if kind == 1:
            loads.append((address, offset, filed))
    for _, offset, filed in loads:
        at = data.find(MAGIC, offset, offset + filed)
        while at >= 0:
            fields = HEADER.unpack_from(data, at)
            if fields[2] in (36, 40):
                rings = int.from_bytes(data[at + 32 : at + fields[2]], "little")
                found = memory_of(data, loads, rings, fields[4] * fields[5])
                if found:
                    return data[at : at + fields[2]] + found
            at = data.find(MAGIC, at + 1, offset + filed)
    whole = max((offset + filed for _, offset, filed in loads), default=0)
    if len(data) < whole:
        raise Unreadable(f"weft: this core file is cut: {len(data)} of {whole} bytes are there, and no trace in them")
    raise Unreadable("weft: no trace in this core file: was the image built with WEFT_TRACE=1, and its memory saved?")


def bytes_of(data):
    if data.startswith(b"\x7fELF"):
        try:
            return of_core_file(data)
        except (struct.error, IndexError, OverflowError, ValueError):
            raise Unreadable("weft: this core file is cut or damaged: its tables lead out of it") from None
    if data.startswith(MAGIC):
        return data
    raise Unreadable("weft: no trace in here: neither `weft-trace` lines, nor a memory dump, nor an ELF core file")


def of_log(lines, faults, holes):
    """The bytes of `weft-trace` lines, the last run's. All lines but the last are equally long; what a damaged or
    missing one should have said is a hole, (from, to)."""
    starts = [at for at, (_, line) in enumerate(lines) if line.startswith(MAGIC.hex().encode())]
    if not starts:
        raise Unreadable("weft: the beginning of the trace is missing: its first line is not in this log")
    if len(starts) > 1:
        faults.append(f"{len(starts)} traces are in this log, and this is the last one")
    lines = lines[starts[-1] :]
    usual, data, damaged, missing = len(lines[0][1].strip()) // 2, b"", 0, 0
    for at, (number, line) in enumerate(lines):
        lost = (int(number, 16) - at - missing) % LINES if number else 0
        if lost < LINES // 2 and len(data) + lost * usual <= MOST_BYTES:
            missing += lost
            holes += [(len(data), len(data) + lost * usual)] if lost else []
            data += bytes(lost * usual)
        good, is_last = WHOLE.fullmatch(line), at == len(lines) - 1
        if good and (len(good[1]) == 2 * usual or is_last):
            data += bytes.fromhex(good[1].decode())
        elif not is_last:
            damaged += 1
            holes.append((len(data), len(data) + usual))
            data += bytes(usual)
    for count, what in ((damaged, "damaged"), (missing, "missing")):
        if count:
            are = "line of the trace is" if count == 1 else "lines of the trace are"
            faults.append(f"{count} {are} {what}: what stood there is left out")
    return data


def are_sizes(rings, ring_bytes, first, events):
    """What config.hpp allows; a ring ends with its cache line."""
    room = ring_bytes - first - events * 12
    return (0 < rings <= MOST_RINGS and 0 < events <= MOST_EVENTS and events & events - 1 == 0 and
            first >= 4 and 0 <= room < CACHE_LINE)


def read(data):
    """A Trace from the bytes of a file."""
    faults, holes = [], []
    lines = [] if data.startswith((b"\x7fELF", MAGIC)) else LINE.findall(data)
    data = of_log(lines, faults, holes) if lines else bytes_of(data)
    if len(data) < HEADER.size + 4:
        raise Unreadable(f"weft: the trace is cut within its header: {len(data)} bytes")
    magic, version, header, event_bytes, rings, ring_bytes, first, events, rate = HEADER.unpack_from(data)
    if magic != MAGIC:
        raise Unreadable("weft: this is no trace, or one of a machine with the other byte order")
    if version != VERSION:
        raise Unreadable(f"weft: the trace has version {version}, this reader knows {VERSION}: use that tree's")
    if header not in (36, 40) or event_bytes != 12 or not are_sizes(rings, ring_bytes, first, events):
        raise Unreadable("weft: the header of the trace is damaged: its sizes do not fit together")
    trace = Trace(rings, rate, int.from_bytes(data[32:header], "little"), [], faults, holes)
    if rate == 0:
        trace.faults.append("no core has entered a pool: the rate of the clock is unknown, times are in ticks")
    there, whole = len(data) - header, rings * ring_bytes
    if there < whole:
        trace.faults.append(f"the trace is cut: {there} of {whole} bytes of events are there"
                            + ("; if lines are missing before the last one, what follows is wrong" if lines else ""))
    cores, unknown = [], {}
    for core in range(rings):
        ring = data[header + core * ring_bytes : header + (core + 1) * ring_bytes]
        missing = [(start - header - core * ring_bytes, end - header - core * ring_bytes) for start, end in holes]
        cores.append(ring_of(ring, core, first, events, trace, unknown, missing))
    for number, count in sorted(unknown.items()):
        trace.faults.append(f"{count} events of the unknown kind {number}: left out")
    trace.events = in_one_order(cores)
    align(trace)
    if not trace.events:
        raise Unreadable("weft: the trace is empty: " + (trace.faults[0] if trace.faults else "nothing has happened"))
    make_spans(trace)
    return trace


def ring_of(ring, core, first, events, trace, unknown, holes):
    """The events of one ring, oldest first, with their ticks as they stand there."""
    whom = "who has no ring of its own" if core == trace.rings - 1 else f"core {core}"
    if len(ring) < first:
        return []
    if any(start < 4 and end > 0 for start, end in holes):
        trace.faults.append(f"how many events there are of {whom} stood in a damaged line: none is shown")
        return []
    count = struct.unpack_from("<I", ring)[0]
    oldest = max(0, count - events)
    trace.lost += oldest
    if oldest:
        trace.wrapped.add(core)
    found, lost = [], 0
    for number in range(oldest, count):
        at = first + number % events * 4
        if at + 8 * events + 4 > len(ring):
            continue  # cut: said already
        if any(start < at + 4 * events * field + 4 and end > at + 4 * events * field
               for field in range(3) for start, end in holes):
            lost += 1
            continue
        what, what_for, tick = (struct.unpack_from("<I", ring, at + 4 * events * field)[0] for field in range(3))
        found.append((what, Event(tick, core, EVENTS.get(what >> 24), what_for, what & 0xffffff)))
    whole = [pair for pair, good in zip(found, finished([event.tick for _, event in found], events, count)) if good]
    if lost:
        trace.faults.append(f"{lost} events of {whom} stood in damaged lines: left out")
    if len(whole) < len(found):
        trace.faults.append(f"{len(found) - len(whole)} events of {whom} were being recorded: left out")
    for what, event in whole:
        if event.name is None:
            unknown[what >> 24] = unknown.get(what >> 24, 0) + 1
    return [event for _, event in whole if event.name]


def finished(ticks, events, count):
    """Which of these, the oldest first, were recorded to their end. The tick is stored last: until then it is 0, or in
    a full ring that of the event before at this place. Then it is among the oldest quarter, with its place in the newer
    half: no whole event is, unless handlers record a quarter of a ring while one event is recorded. (In a ring that is
    longer than a turn of the clock nobody can tell.)"""
    if count <= events or len(ticks) < events:
        return [tick != 0 for tick in ticks]
    good, last, length = [], ticks[0], 0
    for place, tick in enumerate(ticks):
        # A step on, or back: after a long sleep, too, those that come behind it are as far away.
        step, coming = (tick - last) % TURN, ticks[place + 1 : place + 1 + NESTED]
        back = any((later - last) % TURN < step for later in coming) or (len(coming) < NESTED and step > TURN // 2)
        good.append(place < events // 2 or not back or (TURN - step) * 4 < length * 3)
        if good[-1]:
            length, last = max(length + since(tick, last), 0), tick
    return good


NESTED = 4  # handlers that interrupt one another in the middle of a record
QUIET = ("park", "leave", "off", "stand")  # after these a core may say nothing for long


def signed(difference):
    return (difference + TURN // 2) % TURN - TURN // 2


def since(tick, before):
    """How much later. A handler's may be a little earlier than that of the event which it interrupted."""
    step = (tick - before) % TURN
    return step if step < TURN - TURN // 16 else step - TURN


def in_one_order(cores):
    """Ticks that do not wrap, from 0, and all events by time. No core may be silent for 15/16 of a turn of the clock,
    and those that are awake at the end not for half a turn."""
    newest = [events[-1] for events in cores if events]
    reference = next((event.tick for event in newest if event.name not in QUIET), newest[0].tick if newest else 0)
    awake = any(event.name not in QUIET for event in newest)
    for events in cores:
        if not events:
            continue
        later = events[-1].tick
        quiet = awake and events[-1].name in QUIET
        last = -since(reference, later) if quiet else signed(later - reference)
        for event in reversed(events):
            raw, event.tick = event.tick, last - since(later, event.tick)
            later, last = raw, event.tick
    everything = sorted((event for events in cores for event in events), key=lambda event: event.tick)
    begin = everything[0].tick if everything else 0
    for event in everything:
        event.tick -= begin
    return everything


SUBMITTED = ("submit", "inject", "inject_from_isr")  # told with the task's tag, before others can see the task


def align(trace):
    """No task begins before it is submitted. Where it seems so, the clock of the core that ran it is behind: its
    events are moved by what is lacking at least, and that is said. All ports have one clock for all cores; an image may
    not have."""
    if trace.lost:
        return  # a submission that was overwritten may be the one that belongs to a beginning
    told, begun = {}, {}
    for event in trace.events:
        if event.name in SUBMITTED or event.name == "begin":
            (begun if event.name == "begin" else told).setdefault((event.object, event.value), []).append(event)
    late = {core: 0 for core in range(trace.rings)}
    pairs = [(one[0], begun[key][0]) for key, one in told.items() if len(one) == 1 and len(begun.get(key, ())) == 1]
    for _ in range(trace.rings):  # a core may be behind one that is itself behind
        for cause, effect in pairs:
            if cause.core != effect.core:
                late[effect.core] = max(late[effect.core], late[cause.core] + cause.tick - effect.tick)
    for core, ticks in late.items():
        if ticks:
            trace.faults.append(f"the clock of core {core} is behind the others' by {trace.milliseconds(ticks):.3f} "
                                f"{trace.unit} or more, as tasks begin there before they are submitted: moved")
    if any(late.values()):
        for event in trace.events:
            event.tick += late[event.core]
        trace.events.sort(key=lambda event: event.tick)
        begin = trace.events[0].tick
        for event in trace.events:
            event.tick -= begin


def make_spans(trace):
    """What each core was doing from when to when."""
    others = trace.rings - 1
    for core in range(others):
        events = [event for event in trace.events if event.core == core]
        if events:
            spans_of(trace, core, events)
    sleeps = {core: sleeps_of([event for event in trace.events if event.core == core]) for core in range(others)}
    taken = set()
    for event in trace.events:
        if event.name not in WAKING:
            continue
        there = sleeps.get(event.value, [])
        at = bisect.bisect_right(there, (event.tick, trace.end + 1)) - 1
        sleeps_there = at >= 0 and event.tick <= there[at][1]
        arrival = there[at][1] if sleeps_there and (event.value, at) not in taken else None
        if sleeps_there:
            taken.add((event.value, at))
        if arrival is not None or event.name == "wake":  # others tell it also where nobody sleeps
            trace.wakes.append((event.core, event.tick, event.value, arrival))


WAKING = ("wake", "child_done", "wait_done")


def sleeps_of(events):
    """[(from, to)] of the sleeps of a core that have ended. In a join only their ends are told: one begins behind what
    was told before at the earliest; so does one whose begin was overwritten."""
    found, parked, last = [], None, events[0].tick if events else 0
    for event in events:
        if event.name == "park":
            parked = event.tick
        elif event.name in ("unpark", "slept"):
            found.append((last if event.name == "slept" or parked is None else parked, event.tick))
            parked = None
        if not event.name.endswith("_from_isr"):
            last = event.tick
    return found


OPENING = {"begin": "task", "call": "call", "park": "asleep", "join_begin": "waiting", "wait_begin": "waiting",
           "stand": "standing", "enter": "here"}
CLOSING = {"end": "task", "call_end": "call", "unpark": "asleep", "join_end": "waiting", "wait_end": "waiting",
           "stand_end": "standing", "leave": "here"}
WORKING = ("task", "call")
ENTERING, LEAVING = ("enter", "call"), ("leave", "call_end")  # a pool
OUTSIDE = ("submit", "inject", "inject_from_isr", "hand_in", "hand_in_from_isr", "submit_on", "submit_for", "wake",
           "start", "start_failed", "shutdown", "joined", "quiesce", "resume", "retire", "admit", "limit",
           "tell_watcher", "off", "leave", "interrupt", "wait_begin", "wait_end",
           "wait_done")  # a core that is in no pool may tell these
CALL = -1  # what a call from outside runs, in place of a function
JOIN = -2  # what a core waits for in a join, likewise; 0: for rest
SOMETHING = -3  # a wait whose begin was overwritten


def spans_of(trace, core, events):
    """Spans nest. One that began before the oldest event begins with it; one that is open ends with the trace."""
    stack, pools, since_when, stays = [], [], events[0].tick, trace.stays.setdefault(core, [])
    for event in events:
        if event.name in ENTERING:
            if pools:
                stays.append(Stay(since_when, event.tick, pools[-1]))
            pools.append(event.object)
            since_when = event.tick
        if event.name in OPENING:
            depth = sum(span.kind in WORKING for span in stack)
            what = {"call": CALL, "join_begin": JOIN}.get(event.name, event.object)
            stack.append(Span(event.tick, trace.end, core, OPENING[event.name], what, depth))
            stack[-1].pool = pools[-1] if pools else 0
            trace.spans.append(stack[-1])
        elif event.name in ("child", "inner") and stack:
            if stack[-1].child == 0:
                stack[-1].child = event.object
            elif stack[-1].child != event.object:  # another coroutine goes on in this one's place
                before, stack[-1] = stack[-1], dataclasses.replace(stack[-1], begin=event.tick, child=event.object,
                                                                   part=True)
                before.end = event.tick
                trace.spans.append(stack[-1])
        elif event.name in CLOSING:
            kind = CLOSING[event.name]
            while stack and stack[-1].kind != kind:
                stack.pop().end = event.tick  # its end is missing: it was cut or overwritten
            if stack:
                stack.pop().end = event.tick
            else:
                what = {"call_end": CALL, "join_end": JOIN, "wait_end": SOMETHING}.get(event.name, event.object)
                trace.spans.append(Span(events[0].tick, event.tick, core, kind, what))
        if event.name in LEAVING:
            stays.append(Stay(since_when, event.tick, event.object))
            since_when = event.tick
            for span in trace.spans if not pools else ():  # it was entered before the oldest event
                span.pool = span.pool or (event.object if span.core == core else 0)
            while pools and pools.pop() != event.object:
                pass  # the end of that one is missing
    stays += [Stay(since_when, trace.end, pool) for pool in pools[-1:]]
    for span in stack:
        span.open = True
    inside = any(event.name not in OUTSIDE for event in events)
    if inside and not any(span.kind == "here" and span.core == core for span in trace.spans):
        trace.spans.append(Span(events[0].tick, trace.end, core, "here"))


def times(trace, core):
    """Ticks of each kind on a core. Each tick counts once, for the innermost span: a task that waits does not work."""
    total, stack, now = collections.Counter(), [], 0
    for span in sorted((one for one in trace.spans if one.core == core), key=lambda one: (one.begin, -one.end)):
        while stack and stack[-1].end <= span.begin:
            now = count_until(total, stack, now, stack[-1].end)
            stack.pop()
        now = count_until(total, stack, now, span.begin)
        stack.append(span)
    while stack:
        now = count_until(total, stack, now, stack[-1].end)
        stack.pop()
    return total


def count_until(total, stack, now, tick):
    if stack:
        total[stack[-1].kind] += max(tick - now, 0)
    return max(now, tick)


def working(total):
    return sum(total[kind] for kind in WORKING)


def stolen(trace):
    """Each steal once: who searches tells of a forked child by `take`, and at once by `steal`, too."""
    found, last = [], {}
    for event in trace.events:
        if event.name == "take" or (event.name == "steal" and last.get(event.core) != ("take", event.value)):
            found.append(event)
        if event.name in ("take", "steal", "begin"):
            last[event.core] = (event.name, event.value)
    return found


def of_core(trace, core, *kinds):
    return [span for span in trace.spans if span.core == core and span.kind in kinds]


def cores_of(trace):
    return sorted({event.core for event in trace.events if event.core != trace.rings - 1})


def summary(trace, name):
    """Lines for the user. `name`: of a run function."""
    unit = trace.unit
    length = trace.end - trace.begin
    lines = [f"{trace.milliseconds(length):.3f} {unit}, {len(trace.events)} events"
             + (f"; {trace.lost} older ones were overwritten" if trace.lost else ""),
             "core   tasks   busy   asleep   awake idle   stolen   wakes given"]
    busy = {}
    steals = collections.Counter(event.core for event in stolen(trace))
    given = collections.Counter(core for core, *_ in trace.wakes)
    for core in cores_of(trace):
        mine = [event.name for event in trace.events if event.core == core]
        total = times(trace, core)
        length = max(trace.end - trace.known_from(core), 1)
        asleep, work = total["asleep"], working(total)
        idle = sum(total.values()) - asleep - work
        if total:
            busy[core] = work
        lines.append(f"{core:4}   {mine.count('begin'):5}  {work / length:5.1%}   {asleep / length:6.1%}   "
                     f"{idle / length:10.1%}   {steals[core]:6}   {given[core]:11}")
    late = {core: trace.known_from(core) for core in cores_of(trace)}
    if max(late.values(), default=0) > trace.begin:
        since = ", ".join(f"core {core} from {trace.milliseconds(tick):.3f} {unit} on" for core, tick in late.items()
                          if tick > trace.begin)
        lines.append(f"what was kept: {since}, and its shares are of that; EVENTS= makes the rings longer")
    tasks = [span for span in trace.spans if span.kind == "task"]
    # A burst of a strand is many.
    tasks = [span for span in tasks if not name(span.object).startswith("Strand::run_burst")] or tasks
    if tasks:
        longest = max(tasks, key=lambda span: span.end - span.begin)
        lines.append(f"longest task: {name(longest.child or longest.object)}, "
                     f"{trace.milliseconds(longest.end - longest.begin):.3f} {unit}, on core {longest.core}")
    still = [span for span in tasks if span.open]
    if still:
        which = ", ".join(f"{name(span.child or span.object)} on core {span.core}, since "
                          f"{trace.milliseconds(span.begin):.3f} {unit}" for span in still)
        lines.append(f"at the last event there still ran {which}; for how long after it is not in the trace")
    latencies = [arrival - tick for _, tick, _, arrival in trace.wakes if arrival is not None]
    if latencies:
        least, middle, most = (trace.milliseconds(value) * 1000 for value in
                               (min(latencies), statistics.median(latencies), max(latencies)))
        lines.append(f"from a wake until that core is back: {least:.1f} / {middle:.1f} / {most:.1f} "
                     f"{'us' if trace.rate else 'thousandths of a tick'} (least, median, most of {len(latencies)})")
    if sum(busy.values()):
        lines.append(f"imbalance: the busiest core has {max(busy.values()) * len(busy) / sum(busy.values()):.2f} times "
                     "the mean")
    return lines
