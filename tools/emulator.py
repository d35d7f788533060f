#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Apache-2.0
"""How an image of this tree is run: on the emulator that its board names, or directly on this machine.

    tools/emulator.py [--mode MODE] [--gdb] IMAGE [ARGUMENT ...]

The build leaves the board's QEMU line in the file `config` beside the image; the modes below add to it.
"""
import argparse
import os
import shlex
import sys

from common import settings

PLUGIN = "build/plugin/wfe.so"
MODES = {
    "direct": [],
    "mttcg": ["-accel", "tcg,thread=multi"],  # the cores really run at the same time
    "icount": ["-icount", "shift=0,sleep=off"],  # one after the other, the same in every run
    "wfe": ["-accel", "tcg,thread=multi", "-plugin", PLUGIN],  # WFE sleeps until SEV, as on silicon
    "noise": ["-accel", "tcg,thread=multi", "-plugin", PLUGIN + ",noise=20"],  # and random delays at atomics
}


def command(image, mode=None, arguments=(), gdb=False):
    """The command line (a list) that runs `image`."""
    facts = settings(image)
    qemu = shlex.split(facts["qemu"])
    if mode == "wfe" and facts["wfe_plugin"] != "yes":
        raise ValueError(f"weft: as it is built, {facts['board']} does not park in WFE: mode wfe proves nothing")
    if not qemu:
        return [str(image), *arguments]
    # QEMU splits options at commas; a doubled comma is a comma.
    words = "".join(",arg=" + word.replace(",", ",,") for word in ("weft", *arguments))
    line = qemu + ["-display", "none", "-monitor", "none", "-serial", "stdio"]
    line += ["-semihosting-config", "enable=on,target=native" + words]
    line += MODES[mode or "mttcg"]
    if gdb:
        line += ["-s", "-S"]
    return line + ["-kernel", str(image)]


def main():
    parser = argparse.ArgumentParser(description="Run an image of this tree.")
    parser.add_argument("--mode", choices=sorted(MODES))
    parser.add_argument("--gdb", action="store_true", help="stop at the first instruction; gdb connects to port 1234")
    parser.add_argument("image")
    parser.add_argument("arguments", nargs="*")
    options = parser.parse_args()
    try:
        line = command(options.image, options.mode, options.arguments, options.gdb)
    except ValueError as wrong:
        raise SystemExit(str(wrong)) from None
    sys.stdout.flush()
    os.execvp(line[0], line)


if __name__ == "__main__":
    main()
