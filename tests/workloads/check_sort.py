#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Apache-2.0
"""The parallel sort of tests/workloads, on the host and on emulated boards, sorts a real file (its own image, read as
numbers) as `sort -n` does; TAP."""
import array
import os
import pathlib
import subprocess
import sys

TOOLS = pathlib.Path(__file__).resolve().parents[2] / "tools"
sys.dont_write_bytecode = True
sys.path.insert(0, str(TOOLS))
import emulator  # noqa: E402  (the lines above must come first)
from common import ROOT, Tap, make, run  # noqa: E402

# How many numbers; an emulated console is slow.
KEYS = 30000
KEYS_ON_BOARDS = 3000
IMAGES = {
    "host": (KEYS, (1, 2, 4, 8), "BOARD=host", "VARIANT=cores8", "CHECKS=0"),
    "aarch64_wfi": (KEYS_ON_BOARDS, (1, 2, 4), "BOARD=qemu-virt-aarch64", "PARK=wfi"),
    "armv7m": (KEYS_ON_BOARDS, (1, 2), "BOARD=mps2-an521"),
    "riscv64": (KEYS_ON_BOARDS, (1, 2, 4), "BOARD=qemu-virt-riscv64"),
}


def sort_n(path, count):
    """The first words of the file, as `sort -n` puts them: a list of lines."""
    words = array.array("I", path.read_bytes()[: 4 * count])
    if sys.byteorder == "big":
        words.byteswap()
    text = "".join(f"{word}\n" for word in words)
    environment = dict(os.environ, LC_ALL="C")
    return subprocess.run(
        ["sort", "-n"], input=text, env=environment, stdout=subprocess.PIPE, text=True, check=True
    ).stdout.splitlines()


def results(output):
    """What the program printed: {workers: lines}."""
    found = {}
    for line in output.splitlines():
        if line.startswith("= by "):
            workers = int(line.split()[2])
            found[workers] = []
        elif line.startswith("= "):
            found[workers].append(line[2:])
    return found


def main():
    tap = Tap()
    for name, (count, crews, *variables) in IMAGES.items():
        status, output = make("-s", "APP=workloads", *variables, "image")
        if status:
            tap.check(False, f"B7_sort_n_{name}", output)
            continue
        image = output.split()[-1]
        expected = sort_n(ROOT / image, count)
        arguments = ("B7_sort", f"input={image}", f"keys={count}", "print=1")
        status, output = run(*emulator.command(image, None, arguments))
        found = results(output)
        for workers in crews:
            good = status == 0 and len(expected) == count and found.get(workers) == expected
            said = f"status {status}, {len(found.get(workers, []))} numbers of {len(expected)}\n{output[-500:]}"
            tap.check(good, f"B7_sort_n_{name}_{workers}_workers", said)
    return tap.done()


if __name__ == "__main__":
    os.chdir(ROOT)
    sys.exit(main())
