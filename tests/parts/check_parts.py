#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Apache-2.0
"""Equal coarse parts on cores that sleep: what core 0 executes until all are done, by tests/parts under the counting
plugin and -icount. A part is 4600 instructions; who forks them needs a little more than who submits them one by one: so
much more at most. TAP."""
import os
import pathlib
import re
import subprocess
import sys

TOOLS = pathlib.Path(__file__).resolve().parents[2] / "tools"
sys.dont_write_bytecode = True
sys.path.insert(0, str(TOOLS))
import emulator  # noqa: E402  (the lines above must come first)
from common import ROOT, Tap, make  # noqa: E402

IMAGE = ("BOARD=qemu-virt-aarch64", "VARIANT=cores8", "PARK=wfi", "CHECKS=0", "APP=parts")
ROUNDS = 10
PART = 4600
MOST = {2: 1.1, 4: 1.2, 8: 1.3}  # cores: as a factor
FORMS = {"submit": 0, "group": 1, "loop": 2, "forks": 3}
SECONDS = 60
COUNTED = re.compile(r"^count-plugin: cpu0 instructions=\d+ marked=(\d+)", re.MULTILINE)


def counted(image, form, cores):
    """Instructions of core 0 for one round, or what went wrong."""
    line = emulator.command(image, "icount", (f"form={FORMS[form]}", f"cores={cores}"))
    line += ["-plugin", "build/plugin/count.so"]
    done = subprocess.run(line, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=SECONDS, check=False)
    found = COUNTED.search(done.stderr)
    if done.returncode or not found:
        return f"status {done.returncode}\n{done.stdout[-500:]}{done.stderr[-500:]}"
    return int(found[1]) / ROUNDS


def main():
    tap = Tap()
    status, output = make("plugins")
    if not status:
        status, output = make("-s", *IMAGE, "image")
    if status:
        tap.check(False, "B3_parts_build", output)
        return tap.done()
    image = output.split()[-1]
    for cores in (2, 4, 8):
        by_hand = counted(image, "submit", cores)
        if not tap.check(isinstance(by_hand, float) and by_hand > PART, f"B3_parts_by_submits_on_{cores}", by_hand):
            continue
        print(f"# {cores} cores: {by_hand:.0f} instructions by submits")
        for form in ("group", "loop", "forks"):
            figure = counted(image, form, cores)
            good = isinstance(figure, float) and PART < figure <= MOST[cores] * by_hand
            tap.check(good, f"B3_parts_of_{form}_on_{cores}", f"{figure} instructions; by submits {by_hand}")
            print(f"# {cores} cores: {figure} instructions by {form}")
    return tap.done()


if __name__ == "__main__":
    os.chdir(ROOT)
    sys.exit(main())
