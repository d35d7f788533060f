#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Apache-2.0
"""Equal coarse parts on cores that sleep: what core 0 executes until all are done, by tests/parts under the counting
plugin and -icount. A part is 4600 instructions; who forks them needs a little more than who submits them one by one: so
much more at most. TAP; the table stands in docs/PERFORMANCE.md.

    tests/parts/check_parts.py            fails if a figure is too large, or the document says something else
    tests/parts/check_parts.py --write    puts the table into the document
"""
import os
import pathlib
import re
import subprocess
import sys

TOOLS = pathlib.Path(__file__).resolve().parents[2] / "tools"
sys.dont_write_bytecode = True
sys.path.insert(0, str(TOOLS))
import emulator  # noqa: E402  (the lines above must come first)
from common import ROOT, Block, Tap, limit, make, moved, run, settings  # noqa: E402

IMAGE = ("BOARD=qemu-virt-aarch64", "VARIANT=cores8", "PARK=wfi", "CHECKS=0", "APP=parts")
ROUNDS = 10
PART = 4600
MOST = {2: 1.1, 4: 1.1, 8: 1.1}  # cores: as a factor
FORMS = {"submit": 0, "group": 1, "loop": 2, "forks": 3}
NAMES = ("a `submit` for each other core, and a spin", "`TaskGroup`", "`parallel_for`", "`fork_join`")
SECONDS = 60
# From this release on a plugin is told the core that translated an instruction, not the one that executes it, where all
# cores share one thread (-icount).
WRONG_CORE = 10
COUNTED = re.compile(r"^count-plugin: cpu0 instructions=\d+ marked=(\d+)", re.MULTILINE)
TABLE = Block("docs/PERFORMANCE.md", "parts")


def counted(image, form, cores):
    """Instructions of core 0 for one round, or what went wrong."""
    line = emulator.command(image, "icount", (f"form={FORMS[form]}", f"cores={cores}"))
    line += ["-plugin", "build/plugin/count.so"]
    more = {"stdin": subprocess.DEVNULL, "capture_output": True, "text": True, "timeout": limit(SECONDS)}
    done = subprocess.run(line, check=False, **more)
    found = COUNTED.search(done.stderr)
    if done.returncode or not found:
        return f"status {done.returncode}\n{done.stdout[-500:]}{done.stderr[-500:]}"
    return int(found[1]) / ROUNDS


def measure(tap, image):
    """Checks every figure. Returns {(form, cores): figure}."""
    figures = {}
    for cores, factor in MOST.items():
        by_hand = counted(image, "submit", cores)
        if not tap.check(isinstance(by_hand, float) and by_hand > PART, f"B3_parts_by_submits_on_{cores}", by_hand):
            continue
        figures["submit", cores] = by_hand
        for form in ("group", "loop", "forks"):
            figure = counted(image, form, cores)
            good = isinstance(figure, float) and PART < figure <= factor * by_hand
            said = f"{figure} instructions; by submits {by_hand}"
            if tap.check(good, f"B3_parts_of_{form}_on_{cores}", said):
                figures[form, cores] = figure
    return figures


def table(figures, tools):
    lines = ["| parts by | " + " | ".join(f"{cores} cores" for cores in MOST) + " |", "|---|" + "---:|" * len(MOST)]
    for form, name in zip(FORMS, NAMES):
        lines.append(f"| {name} | " + " | ".join(f"{figures[form, cores]:.0f}" for cores in MOST) + " |")
    return "\n".join(lines) + f"\n\n{tools} (`make bench`)."


def main():
    tap = Tap()
    status, output = make("plugins")
    if not status:
        status, output = make("-s", *IMAGE, "image")
    if status:
        tap.check(False, "B3_parts_build", output)
        return tap.done()
    image = output.split()[-1]
    release = emulator.version(settings(image)["qemu"].split()[0])
    if release >= WRONG_CORE:
        tap.skip("B3_parts", f"QEMU {release} counts the instructions of one core as another's")
        return tap.done()
    figures = measure(tap, image)
    facts = settings(image)
    tools = facts["compiler"] + " " + run(facts["compiler"], "-dumpfullversion")[1].strip()
    if len(figures) == len(FORMS) * len(MOST):
        fresh = table(figures, tools)
        if "--write" in sys.argv:
            TABLE.write(fresh)
        if tools in TABLE.read():
            tap.check(TABLE.read() == fresh, "B3_document_has_the_figures_of_this_tree",
                      moved("make bench", TABLE.read(), fresh))
        else:
            why = f"{TABLE.document} has figures of another compiler than {tools}"
            tap.skip("B3_document_has_the_figures_of_this_tree", why)
    return tap.done()


if __name__ == "__main__":
    os.chdir(ROOT)
    sys.exit(main())
