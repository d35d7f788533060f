# SPDX-License-Identifier: MIT OR Apache-2.0
"""Runs a program that prints TAP until one of its tests fails: what tools/mutants and tools/mutants_generated share."""
import contextlib
import os
import pathlib
import re
import select
import signal
import subprocess

TEST = re.compile(r"(not )?ok \d+ - (\S+)")
REASONS = re.compile(r"# (counterexample|outcome not allowed)")
SILENT_SECONDS = 20  # CPU time beyond the limit after which a scenario is taken to hang


def cpu_seconds(process):
    """Of a running child."""
    fields = pathlib.Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def sleeps(process):
    """No thread of a child is running or waits for a processor."""
    states = []
    for stat in pathlib.Path(f"/proc/{process.pid}/task").glob("*/stat"):
        try:
            states.append(stat.read_text().rpartition(")")[2].split()[0])
        except OSError:
            pass  # it has ended
    return "R" not in states


def lines_of(process, silence, idle=None):
    """The lines that a child prints; ends early when it has used `silence` seconds of CPU time without one, or, with
    `idle`, has slept for so many seconds without one."""
    rest, since, slept, step = "", 0.0, 0.0, 2 if idle is None else min(2, idle / 4)
    while True:
        ready, _, _ = select.select([process.stdout], [], [], step)
        if not ready:
            now = cpu_seconds(process)
            slept = slept + step if sleeps(process) else 0.0
            if now - since > silence or (idle is not None and slept >= idle):
                return
            continue
        piece = os.read(process.stdout.fileno(), 65536).decode(errors="replace")
        if not piece:
            process.wait()
            return
        since, slept = cpu_seconds(process), 0.0
        *whole, rest = (rest + piece).split("\n")
        yield from whole


@contextlib.contextmanager
def started(program, *words, environment=None):
    """A child whose standard output is a pipe, a line when it is printed; at the end of the block it is no more."""
    process = subprocess.Popen(["stdbuf", "-oL", program, *words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.DEVNULL, env=environment)
    try:
        yield process
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


def hunt(program, names, options, seconds, environment=None, silence=SILENT_SECONDS):
    """Runs these scenarios, in the program's order. Returns the name of the first that fails, or ''."""
    last = ""
    # It ends with the first line about a failure, before the counterexample was minimised.
    with started(program, *names, *options, "--seconds", str(seconds), environment=environment) as process:
        for text in lines_of(process, seconds + silence):
            test = TEST.match(text)
            if test:
                last = test[2]
            elif REASONS.match(text):
                return last
        if process.poll() is None:
            return f"hanging after {last or names[0]}"
        if process.returncode < 0:
            return f"{signal.Signals(-process.returncode).name} after {last or names[0]}"
    return ""


def first_failure(program, names, environment, silence, idle):
    """Runs tests on this machine. Returns the name of the first that fails, hangs or crashes, or ''."""
    running = ""
    with started(program, *names, environment=environment) as process:
        for text in lines_of(process, silence, idle):
            test = TEST.match(text)
            if test and test[1]:
                return test[2]
            if text.startswith("Bail out!"):
                return running or "start"
            if test:
                running = ""
            elif re.fullmatch(r"# \w+", text):
                running = text[2:]  # the runner names each test before it runs it
        if process.poll() is None:
            return f"hanging in {running or 'start'}"
        if process.returncode != 0:
            return f"status {process.returncode} in {running or 'the end'}"
    return ""
