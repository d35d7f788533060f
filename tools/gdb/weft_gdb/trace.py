# SPDX-License-Identifier: MIT OR Apache-2.0
"""`weft trace`: what the recorder has in memory, into a file for tools/trace. Needs no debug information."""
import pathlib
import struct

import gdb

from . import layout
from .image import Wrong, lines_of

HEADER = struct.Struct("<8s4H4I")
CHUNK = 4096


def memory(address, count):
    """As many of these bytes as can be read."""
    inferior, data = gdb.selected_inferior(), b""
    while len(data) < count:
        try:
            data += inferior.read_memory(address + len(data), min(CHUNK, count - len(data))).tobytes()
        except gdb.MemoryError:
            return data
    return data


def header_address():
    try:
        return int(gdb.parse_and_eval("(unsigned long) &weft_trace"))
    except gdb.error:
        return None


def why_none():
    traced = [line for line in lines_of("info types -q ^weft::[^:<]*::Scheduler$") if "_trace1::" in line]
    if traced:
        return ("weft: this image was built with WEFT_TRACE=1 and a recorder of its own (WEFT_TRACE_HOOKS): its "
                "events are not here")
    if gdb.objfiles() and not any(lines_of("info functions -q main")):
        return ("weft: this image has no symbols, so the recorder is not found: load the file that is not stripped "
                "(`file IMAGE`)")
    return "weft: there is no recorder in this image: build it with WEFT_TRACE=1 (`make debug ... TRACE=1`)"


def dump(path):
    """Writes the file. Returns lines for the user."""
    at = header_address()
    if at is None:
        raise Wrong(why_none())
    size = HEADER.size + gdb.lookup_type("char").pointer().sizeof
    head = memory(at, size)
    if len(head) < size:
        raise Wrong(f"weft: the recorder's header at {at:#x} cannot be read: only {len(head)} of {size} bytes")
    magic, version, header, event, rings, ring_bytes, first, events, _ = HEADER.unpack_from(head)
    if magic != layout.TRACE_MAGIC:
        raise Wrong(f"weft: at {at:#x} (weft_trace) stands no recorder's header: was the image's memory started, is "
                    "this the image that the target runs?")
    lines = []
    if version != layout.TRACE_VERSION:
        lines.append(f"weft: the recorder has version {version}, these commands know {layout.TRACE_VERSION}: the "
                     "bytes are written as its header says, and that tree's tools/trace reads them")
    if header != size or event == 0 or not are_sizes(rings, ring_bytes, first, events * event):
        raise Wrong("weft: the recorder's header is damaged: its sizes do not fit together")
    whole = rings * ring_bytes
    data = memory(int.from_bytes(head[HEADER.size:], "little"), whole)
    pathlib.Path(path).write_bytes(head + data)
    if len(data) < whole:
        lines.append(f"weft: the trace is cut: {len(data)} of {whole} bytes of events can be read")
    counts = [struct.unpack_from("<I", data, at)[0] for at in range(0, len(data) - 3, ring_bytes)]
    told = [f"core {core}: {count}" for core, count in enumerate(counts[: rings - 1]) if count]
    told += [f"others: {counts[rings - 1]}"] if len(counts) == rings and counts[rings - 1] else []
    lines.append(f"{path}: {', '.join(told) if told else 'no'} events begun, {events} kept of each core")
    image = gdb.current_progspace().filename
    tool = pathlib.Path(__file__).resolve().parents[2] / "trace"
    tool = tool if tool.is_file() else "tools/trace"
    lines.append(f"now: {tool} {f'--elf {image} ' if image else ''}{pathlib.Path(path).resolve()}")
    return lines


def are_sizes(rings, ring_bytes, first, of_events):
    """What config.hpp allows: at most 1024 cores and one, 65536 events."""
    return 0 < rings <= 1025 and 4 <= first <= ring_bytes <= 1 << 20 and 0 < of_events <= ring_bytes - first


class Header:
    """What the recorder's header says, if it is one that is known."""

    def __init__(self, head):
        (_, self.version, _, _, self.rings, self.ring_bytes, self.first, self.events, self.rate) = \
            HEADER.unpack_from(head)
        self.at = int.from_bytes(head[HEADER.size:], "little")


def header():
    try:
        at = header_address()
        head = memory(at, HEADER.size + gdb.lookup_type("char").pointer().sizeof) if at is not None else b""
    except (gdb.error, OverflowError):
        return None
    if len(head) < HEADER.size or head[:8] != layout.TRACE_MAGIC:
        return None
    found = Header(head)
    sizes = are_sizes(found.rings, found.ring_bytes, found.first, 12 * found.events)
    return found if found.version == layout.TRACE_VERSION and sizes else None


def newest_tick():
    """The clock, as the recorder has seen it last; or None."""
    found = header()
    if found is None:
        return None, 0
    try:
        ticks = []
        for ring in range(found.rings):
            begin = found.at + ring * found.ring_bytes
            count = int.from_bytes(memory(begin, 4), "little")
            if count:
                slot = begin + found.first + 4 * (2 * found.events + (count - 1) % found.events)
                ticks.append(int.from_bytes(memory(slot, 4), "little"))
        newest = None
        for tick in ticks:
            if newest is None or 0 < (tick - newest & 0xffffffff) < 1 << 31:
                newest = tick
        return newest, found.rate
    except (gdb.error, OverflowError):
        return None, 0

