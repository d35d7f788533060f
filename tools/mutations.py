# SPDX-License-Identifier: MIT OR Apache-2.0
"""Mutants by rule: reads the library's sources with libclang, proposes small errors (tools/mutation_rules.py), and
writes ONE copy of the sources in which each of them can be switched on at run time ("mutant schemata"). For
tools/mutants_generated.
"""
import collections
import pathlib
import subprocess
import sys

from mutation_rules import squeeze
from mutation_walk import Finder

# Where Debian puts the bindings, for an interpreter from elsewhere.
sys.path.append("/usr/lib/python3/dist-packages")
import clang.cindex as cindex  # noqa: E402  pylint: disable=wrong-import-position

SWITCH = "WEFT_MUTANT"
CONFIGURATIONS = {  # the builds that judge: what they see of the sources
    "tests": ["-Iport/host", "-DWEFT_CHECKS=1", "-DWEFT_FORK_DEPTH=32", "-DWEFT_INDEX_START=0xfffffffeu"],
    "model": ["-Iport/model", "-Itests/model", "-DWEFT_CHECKS=0", "-DWEFT_FORK_DEPTH=2"],
}


# Nothing but types and what the compiler computes: tools/check_compile_fail judges it, no switch can.
COMPILED = "include/weft/detail/traits.hpp"


# ---- All files


def find():
    """Every mutant of the library, in order; and what was left out: {what: how often}."""
    where = subprocess.run(["clang++", "-print-resource-dir"], stdout=subprocess.PIPE, text=True, check=True).stdout
    index, sources, found, left_out = cindex.Index.create(), {}, {}, collections.Counter()
    for build, options in CONFIGURATIONS.items():
        for path in sorted(pathlib.Path("src").glob("*.cpp")):
            flags = ["-xc++", "-std=c++17", "-Iinclude", "-Iport", *options, f"-resource-dir={where.strip()}"]
            text = path.read_text() + "\n#include <weft/weft.hpp>\n"
            unit = index.parse(str(path), args=flags, unsaved_files=[(str(path), text)])
            wrong = [str(one) for one in unit.diagnostics if one.severity >= cindex.Diagnostic.Error]
            if wrong:
                raise SystemExit("weft: libclang does not understand the sources\n" + "\n".join(wrong))
            finder = Finder(build, sources, found)
            finder.unit(unit.cursor, headers=path.name == "fork.cpp")
            left_out |= finder.left_out
    left_out["in code for the compiler alone"] = sum(one.path == COMPILED for one in found.values())
    mutants = [one for one in found.values() if one.path != COMPILED]
    mutants.sort(key=lambda one: (one.path, one.begin, one.end, one.rule, one.text))
    seen = collections.Counter()
    files = sorted(sources)
    in_file = collections.Counter()
    for mutant in mutants:
        in_file[mutant.path] += 1
        mutant.number = files.index(mutant.path) * 2000 + in_file[mutant.path]  # a change to one file leaves the others
        shown = mutant.key if len(mutant.key) <= 72 else mutant.key[:69] + "..."
        name = f"{mutant.path.replace('include/weft/', '')} {mutant.function} {mutant.rule} `{shown}`"
        seen[name] += 1
        mutant.key = name + (f" #{seen[name]}" if seen[name] > 1 else "")
    return mutants, sources, left_out


# ---- The copy with switches


def instrument(source, mutants):
    """The text of a file in which each of these mutants has a switch. Lines stay where they are."""
    ranges, inserts = collections.defaultdict(list), collections.defaultdict(list)
    for mutant in mutants:
        switch = f"{SWITCH}({mutant.number})"
        if mutant.shape == "insert":
            inserts[mutant.begin].append(f"if ({switch}) {mutant.text} ")
        else:
            ranges[(mutant.begin, mutant.end, ("drop", "discard", "expression").index(mutant.shape))].append(mutant)
        for place in mutant.after:
            inserts[place].append(f" if ({switch}) {{ {squeeze(mutant.text)} }}")
    order = sorted(ranges, key=lambda one: (one[0], -one[1], one[2]))

    def plain(begin, end, at_end):
        text, done = "", begin
        for place in sorted(one for one in inserts if begin <= one < end or one == end == at_end):
            text += source.text[done:place] + "".join(inserts.pop(place))
            done = place
        return text + source.text[done:end]

    def render(begin, end, at):
        """The text of begin..end; `at`: the index of the first range in it. Returns also the next one."""
        text, done = "", begin
        while at < len(order) and order[at][0] < end:
            low, high, shape = order[at]
            assert high <= end, (source.path, source.text[low:high])
            text += plain(done, low, -1)
            before = "".join(inserts.pop(low, []))
            inner, after = render(low, high, at + 1)
            if shape != 0:
                inner = f"static_cast<void>({inner})" if shape == 1 else inner
                for one in reversed(ranges[order[at]]):
                    inner = f"({SWITCH}({one.number}) ? ({squeeze(one.text)}) : ({inner}))"
            else:
                switches = " || ".join(f"{SWITCH}({one.number})" for one in ranges[order[at]])
                inner = f"{{ if (!({switches})) {inner} }}"
            text += before + inner
            done, at = high, after
        return text + plain(done, end, -1), at

    text, _ = render(0, len(source.text), 0)
    assert not inserts, (source.path, dict(inserts))
    return text
