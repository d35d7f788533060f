# SPDX-License-Identifier: MIT OR Apache-2.0
"""The image that gdb has loaded: its types by DWARF, its words, its symbols. Nothing here calls a function of the
target, or writes to it."""
import re

import gdb

from . import layout

STRUCTS = (gdb.TYPE_CODE_STRUCT, gdb.TYPE_CODE_UNION)
POINTERS = (gdb.TYPE_CODE_PTR, gdb.TYPE_CODE_REF)
MOST_ELEMENTS = 256  # of a static array, that are looked at


class Wrong(Exception):
    """A sentence for the user."""


def bare(kind):
    return kind.strip_typedefs().unqualified()


def is_member(field):
    """No static one."""
    return hasattr(field, "bitpos")


def leaf(value):
    """The scalar in a word, whatever the port calls it."""
    kind = bare(value.type)
    while kind.code in STRUCTS:
        inside = [field for field in kind.fields() if is_member(field)]
        if not inside:
            raise Wrong(f"weft: a word of type {layout.short(str(kind))} has no value in it")
        value = value[inside[0]]
        kind = bare(value.type)
    return value


def word(value):
    """The number in a word. A pointer's is its address."""
    return int(leaf(value))


def member(value, name):
    """value.name, or a sentence: the image has another version's members."""
    try:
        return value[name]
    except (gdb.error, KeyError):
        raise Wrong(f"weft: {layout.short(str(bare(value.type)))} has no member {name} in this image: these commands "
                    f"are for weft {layout.VERSION[0]}.{layout.VERSION[1]}") from None


def number(value, name):
    return word(member(value, name))


def address_of(value):
    return int(value.address)


def offset_of_base(kind, base):
    """Where the base class of this name is in `kind`, or None."""
    for field in bare(kind).fields():
        if is_member(field) and field.is_base_class:
            if bare(field.type).name == base:
                return field.bitpos // 8
            inside = offset_of_base(field.type, base)
            if inside is not None:
                return field.bitpos // 8 + inside
    return None


def lines_of(command):
    try:
        return gdb.execute(command, to_string=True).splitlines()
    except gdb.error:
        return []


def symbol_at(address):
    """`name` or `name + offset` of what is linked at an address; or None."""
    for line in lines_of(f"info symbol {address:#x}"):
        found = re.match(r"(.+?)( \+ \d+)? in section (\S+)", line)
        if found:
            return layout.short(found[1]) + (found[2] or "")
    return None


def function_at(address):
    """The name of a function, without its parameters."""
    if address == 0:
        return "(no function)"
    name = symbol_at(address & ~1 if is_thumb() else address)
    if name is None or re.search(r" \+ \d+$", name):
        return f"({address:#x}: no function begins there)"
    return layout.coroutine_of(name) or re.sub(r"\((weft::)?(Task|detail::Frame) ?&.*\)$", "", name)


def is_thumb():
    return architecture().startswith("arm")


def architecture():
    try:
        return gdb.selected_frame().architecture().name()
    except gdb.error:
        shown = " ".join(lines_of("show architecture"))
        found = re.search(r'currently "?([\w:.-]+?)"?\)?\.?$', shown)
        return found[1] if found else "?"


def name_of(line):
    """The name of the variable in a line of `info variables`, or None."""
    text = re.sub(r"^\d+:\s+", "", line.rstrip().rstrip(";"))
    text = re.sub(r"(\[[^\]]*\])+$", "", text)
    if not text or text.endswith(")"):
        return None  # a pointer to a function
    depth, at = 0, len(text)
    while at > 0:
        letter = text[at - 1]
        if letter in ">)":
            depth += 1
        elif letter in "<(":
            depth -= 1
        elif depth == 0 and letter in " *&":
            break
        at -= 1
    return text[at:] or None


class Found:
    """A weft object in static storage."""

    def __init__(self, value, name):
        self.value, self.name = value, name

    @property
    def address(self):
        return address_of(self.value)


class Image:
    """Which weft is in the image, and what it has in static storage."""

    builds = (None, [])  # of what is loaded

    def __init__(self):
        loaded = [objfile.filename for objfile in gdb.objfiles()]
        if Image.builds[0] != loaded:
            found = lines_of("info types -q ^weft::[^:<]*::Scheduler$")
            Image.builds = (loaded, sorted(set(re.findall(r"weft::(v\w+)::Scheduler;", "\n".join(found)))))
        names = Image.builds[1]
        if not names:
            raise Wrong(self.why_none())
        self.abis = names
        self.abi = names[0]
        self.notes = []
        facts = layout.ABI.match(self.abi)
        if facts is None:
            raise Wrong(f"weft: this image's weft names itself {self.abi}: these commands do not know such settings")
        self.version = tuple(int(part) for part in facts.groups()[:3])
        self.port = facts[4]
        self.settings = layout.settings_of(facts[5])
        if self.version[:2] != layout.VERSION:
            self.notes.append(f"the image has weft {'.'.join(map(str, self.version))}, these commands are for "
                              f"{'.'.join(map(str, layout.VERSION))}: what they show may be wrong")
        if len(names) > 1:
            self.notes.append(f"the image has {len(names)} builds of weft: {', '.join(names)}. A pool that is given "
                              "by its address is taken for one of the first")
        self.address_bytes = gdb.lookup_type("char").pointer().sizeof
        self.statics = None

    @staticmethod
    def why_none():
        symbols = lines_of("info functions -q -n weft::") + lines_of("info types -q weft::")
        without = "\n".join(lines_of("info functions -q weft::"))
        if symbols or "weft::" in without:
            return ("weft: this image has weft in it, but no debug information of it: compile with -g, and load the "
                    "file that is not stripped (`file IMAGE`). `weft trace` works without")
        if not any(line for line in lines_of("info functions -q main")):
            if not gdb.objfiles():
                return "weft: no image is loaded: `file IMAGE`"
            return ("weft: this image has no symbols, so nothing of weft is found: load the file that is not stripped "
                    "(`file IMAGE`)")
        return "weft: there is no weft in this image"

    def type(self, name):
        """A type of weft by its name within the namespace; None if the image has none of it."""
        try:
            return gdb.lookup_type(f"weft::{self.abi}::{name}")
        except gdb.error:
            return None

    def need_type(self, name):
        kind = self.type(name)
        if kind is None:
            raise Wrong(f"weft: this image has no type weft::{name}: these commands are for weft "
                        f"{layout.VERSION[0]}.{layout.VERSION[1]}")
        return kind

    def at(self, name, address):
        """The object of that type at an address."""
        return gdb.Value(address).cast(self.need_type(name).pointer()).dereference()

    def derived(self, name, task):
        """The object of that type whose Task base is at an address."""
        kind = self.need_type(name)
        return self.at(name, task - (offset_of_base(kind, f"weft::{self.abi}::Task") or 0))

    def array_of(self, owner, name):
        """The elements of a static array of a class. Empty: there is none. Its type is the symbol's, or the class's:
        where many units have it, gdb may take it for an int, and a unit that does not use it may not know it."""
        kind, whole = self.type(owner), f"weft::{self.abi}::{owner}::{name}"
        known = [field for field in kind.fields() if field.name == name] if kind else []
        arrays = [one.type for one in (gdb.lookup_global_symbol(whole), *known)
                  if one is not None and one.type.code == gdb.TYPE_CODE_ARRAY]
        try:
            at = gdb.parse_and_eval(f"&'{whole}'")
            low, high = arrays[0].range()
        except (gdb.error, RuntimeError, IndexError):
            return []
        array = at.cast(arrays[0].pointer()).dereference()
        return [array[number] for number in range(low, high + 1)]

    def is_weft(self, kind, *names):
        name = bare(kind).name or ""
        return any(re.fullmatch(rf"weft::v\w+::{one}", name) for one in names)

    # ---- Static storage

    KINDS = ("Scheduler", "Strand", "Gate", "Event", "Timer", "Waitable")

    def parts_of(self, kind, depth=0):
        """[(offset, name of the kind, path)] of the weft objects within an object of this type."""
        kind = bare(kind)
        key = str(kind)
        if key in self._parts:
            return self._parts[key]
        found = []
        self._parts[key] = found
        if depth > 8:
            return found
        if kind.code == gdb.TYPE_CODE_ARRAY:
            try:
                low, high = kind.range()
            except RuntimeError:
                return found  # its length is not known
            inside = self.parts_of(kind.target(), depth + 1)
            if inside:
                size = bare(kind.target()).sizeof
                for at in range(min(high - low + 1, MOST_ELEMENTS)):
                    found += [(at * size + offset, of, f"[{at}]{path}") for offset, of, path in inside]
        elif kind.code == gdb.TYPE_CODE_STRUCT:
            if self.is_weft(kind, *self.KINDS):
                found.append((0, re.sub(r".*::", "", kind.name), ""))
                return found
            for field in kind.fields():
                if is_member(field) and bare(field.type).code in (gdb.TYPE_CODE_STRUCT, gdb.TYPE_CODE_ARRAY):
                    name = "" if field.is_base_class else f".{field.name}"
                    found += [(field.bitpos // 8 + offset, of, name + path)
                              for offset, of, path in self.parts_of(field.type, depth + 1)]
        return found

    # What is loaded, its variables, and those of functions.
    known = (None, [], None)

    def variables(self, of_functions=False):
        """[(name, value)] of all static storage that has debug information; or of what stands in functions."""
        loaded = [objfile.filename for objfile in gdb.objfiles()]
        valid = all(symbol.is_valid() for _, symbol in [*Image.known[1], *(Image.known[2] or [])])
        if Image.known[0] != loaded or not valid:
            Image.known = (loaded, self.symbols(), None)
        if of_functions and Image.known[2] is None:
            found = [one for line in lines_of("info variables -q ::") for one in self.of_function(line)]
            Image.known = (*Image.known[:2], found)
        found = []
        for name, symbol in Image.known[2 if of_functions else 1]:
            try:
                found.append((name, symbol.value()))
            except gdb.error:
                pass  # no address: optimised out
        return found

    @staticmethod
    def names_in(own):
        """Names of variables in these files by their symbols. gdb lists those of a C library with debug information,
        too, if it is asked for variables, which takes it seconds."""
        found = {}
        for one in own:
            for line in lines_of(f'maintenance print msymbols -objfile "{one.filename}"'):
                symbol = re.match(r"\[ *\d+\] [dDbB] 0x[0-9a-f]+ (\S+) section \S+(.*)$", line)
                if symbol:
                    parts = [part for part in re.split(r"  +", symbol[2]) if part]
                    name = parts[0] if len(parts) > 1 or symbol[1].startswith("_Z") and parts else symbol[1]
                    found[re.sub(r"( \[clone )?\.(lto_priv\.)?\d+\]?$", "", name)] = True
        lines = [] if found else lines_of("info variables -q -n")
        return [*found, *filter(None, (name_of(line) for line in lines if re.match(r"\d+:\s", line)))]

    @staticmethod
    def symbols():
        own = [one for one in gdb.objfiles() if not re.match(r"/(usr/)?lib|system-supplied", one.filename or "")]
        found, seen = [], set()
        for name in Image.names_in(own):
            if name in seen:
                continue
            seen.add(name)
            statics = [one for one in own if one.lookup_static_symbol(name) is not None]
            symbols = list(gdb.lookup_static_symbols(name)) if statics else []
            symbols += [objfile.lookup_global_symbol(name) for objfile in own]
            found += [(name, symbol) for symbol in symbols if symbol is not None and symbol.is_variable
                      and symbol.addr_class == gdb.SYMBOL_LOC_STATIC]
        return found

    @staticmethod
    def of_function(line):
        """A static variable of a function, which gdb lists as one without debug information: [(name, symbol)]."""
        named = re.match(r"0x[0-9a-f]+\s+(.*\)|main)::(\w+)$", line)
        if named is None:
            return []
        try:
            start = int(gdb.parse_and_eval(f"'{named[1]}'").address)
            block = gdb.block_for_pc(start)
        except (gdb.error, RuntimeError):
            return []
        while block is not None and not block.is_static and not block.is_global:
            for symbol in block:
                if symbol.name == named[2] and symbol.addr_class == gdb.SYMBOL_LOC_STATIC:
                    return [(f"{named[1]}::{named[2]}", symbol)]
            block = block.superblock
        return []

    def scan(self):
        """All weft objects in static storage, and what static pointers name: {kind: [Found]}."""
        if self.statics is not None:
            return self.statics
        self._parts = {}
        self.statics = {kind: [] for kind in self.KINDS}
        self.pointers = []
        self.sort(self.variables())
        if not self.statics["Scheduler"] and not self.pointers:
            self.sort(self.variables(of_functions=True))
        return self.statics

    def sort(self, variables):
        for name, value in variables:
            kind = bare(value.type)
            shown = layout.short(name)
            if kind.code in POINTERS:
                self.pointers += self.pointed(shown, value)
                continue
            for offset, of, path in self.parts_of(kind):
                if value.address is None:
                    continue
                # An object has the types of its own build of weft.
                abi = re.search(r"weft::(v\w+)::", str(kind))
                place = gdb.Value(int(value.address) + offset)
                target = self.need_type(of) if abi is None or abi[1] not in self.abis else \
                    gdb.lookup_type(f"weft::{abi[1]}::{of}")
                self.statics[of].append(Found(place.cast(target.pointer()).dereference(), shown + path))

    def pointed(self, name, value):
        """A static pointer or reference to a pool, in C++ or in C."""
        target = bare(bare(value.type).target())
        if target.code != gdb.TYPE_CODE_STRUCT:
            return []
        if (target.name or "") == "weft_pool":
            offset = 0
        else:
            parts = [part for part in self.parts_of(target) if part[1] == "Scheduler"]
            if not parts:
                return []
            offset = parts[0][0]
        try:
            address = int(value.referenced_value().address) if bare(value.type).code == gdb.TYPE_CODE_REF \
                else int(value)
        except gdb.error:
            return []
        return [(address + offset, f"*{name}")] if address else []
