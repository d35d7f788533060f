#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Apache-2.0
"""How an image of this tree is run: on the emulator that its board names, or directly on this machine.

    tools/emulator.py [--mode MODE] [--gdb PORT] IMAGE [ARGUMENT ...]

The build leaves the board's QEMU line in the file `config` beside the image; the modes below add to it. So is how the
board runs an image (run_as): itself (direct), its ELF file (elf), its bare bytes beside it (bin), or a UF2
file of them (uf2), or not at all (none).
"""
import argparse
import functools
import os
import pathlib
import re
import shlex
import sys

from common import run, settings

PLUGIN = "build/plugin/wfe.so"
MODES = {
    "direct": [],
    "mttcg": ["-accel", "tcg,thread=multi"],  # the cores really run at the same time
    # One after the other, the same in every run. An instruction takes 1 ns; or 8: fewer pass while a test waits.
    "icount": ["-icount", "shift=0,sleep=off"],
    "icount8": ["-icount", "shift=3,sleep=off"],
    # WFE sleeps until SEV, as on silicon. A core that a test leaves idle sleeps for seconds where the host is busy.
    "wfe": ["-accel", "tcg,thread=multi", "-plugin", PLUGIN + ",timeout=8000"],
    "noise": ["-accel", "tcg,thread=multi", "-plugin", PLUGIN + ",noise=20"],  # and random delays at atomics
}
# Of VARIANT=replay: one thread goes on at a time. The argument `seed=` chooses the order, too.
ORDERS = {"walk": "seed", "pct": "pct"}
# From this version on WFE sleeps on Arm, so the plugin has nothing to add; and with one thread for each core that
# emulator itself loses a SEV now and then (8 in 600 000, version 11.1.2): there all cores share one thread.
SLEEPS_IN_WFE = 11
ONE_THREAD = ["-accel", "tcg,thread=single"]


@functools.lru_cache(maxsize=None)
def version(qemu):
    """The major version of an emulator; 0 if it does not say."""
    said = re.search(r"version (\d+)\.", run(qemu, "--version")[1])
    return int(said[1]) if said else 0


def sleeps_in_wfe(qemu):
    return os.path.basename(qemu) in ("qemu-system-aarch64", "qemu-system-arm") and version(qemu) >= SLEEPS_IN_WFE


def options_of(mode, qemu):
    shared = not mode.startswith("icount") and sleeps_in_wfe(qemu)
    return ONE_THREAD if shared else MODES[mode]


def has_plugin(line):
    return "-plugin" in line


def command(image, mode=None, arguments=(), gdb=None):
    """The command line (a list) that runs `image`."""
    facts = settings(image)
    qemu = shlex.split(facts["qemu"])
    if mode == "wfe" and facts["wfe_plugin"] != "yes":
        raise ValueError(f"weft: as it is built, {facts['board']} does not park in WFE: mode wfe proves nothing")
    if facts["run_as"] == "none":
        raise ValueError(f"weft: no emulator here runs {facts['board']}: its images are built, and that is all")
    if mode in ORDERS:
        if "-DWEFT_HOST_REPLAY" not in facts["library"]:
            raise ValueError(f"weft: mode {mode} is for images with VARIANT=replay")
        seed = next((word[5:] for word in arguments if word.startswith("seed=")), "1")
        return ["env", f"WEFT_REPLAY={ORDERS[mode]}:{seed}", str(image), *arguments]
    if not qemu and mode not in (None, "direct"):
        raise ValueError(f"weft: mode {mode} is for emulated boards, {facts['board']} runs directly")
    if not qemu:
        return [str(image), *arguments]
    if os.path.basename(qemu[0]) == "node":  # tools/rp2040/dual.cjs: one way to run, the same each time
        if gdb:
            raise ValueError(f"weft: the emulator of {facts['board']} has no place for gdb with two cores")
        if mode not in (None, "mttcg", "icount"):
            raise ValueError(f"weft: mode {mode} is for QEMU: the emulator of {facts['board']} knows one way to run")
        return [*qemu, str(pathlib.Path(image).with_suffix("." + facts["run_as"])), *arguments]
    # QEMU splits options at commas; a doubled comma is a comma.
    words = "".join(",arg=" + word.replace(",", ",,") for word in ("weft", *arguments))
    line = qemu + ["-display", "none", "-monitor", "none", "-serial", "stdio"]
    line += ["-semihosting-config", "enable=on,target=native" + words]
    line += options_of(mode or "mttcg", qemu[0])
    if gdb:
        line += ["-gdb", f"tcp:127.0.0.1:{gdb}", "-S"]
    kernel = pathlib.Path(image).with_suffix(".bin") if facts["run_as"] == "bin" else image
    return line + ["-kernel", str(kernel)]


def main():
    parser = argparse.ArgumentParser(description="Run an image of this tree.")
    parser.add_argument("--mode", choices=sorted([*MODES, *ORDERS]))
    parser.add_argument("--gdb", type=int, metavar="PORT", help="stop at the first instruction and wait for gdb there")
    parser.add_argument("image")
    parser.add_argument("arguments", nargs="*")
    options = parser.parse_args()
    try:
        line = command(options.image, options.mode, options.arguments, options.gdb)
    except ValueError as wrong:
        raise SystemExit(str(wrong)) from None
    sys.stdout.flush()
    try:
        os.execvp(line[0], line)
    except FileNotFoundError:
        remedy = run("tools/setup", "--line", line[0])[1].strip() or "install it, or see the board's board.mk"
        raise SystemExit(f"weft: there is no {line[0]}: {remedy}") from None


if __name__ == "__main__":
    main()
