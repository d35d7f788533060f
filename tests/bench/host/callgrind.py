#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Apache-2.0
"""Counts weft's instructions on one core, the same in every run: two runs of different length; their difference is
exact.

    tests/bench/host/callgrind.py             prints the table
    tests/bench/host/callgrind.py --write     puts it between the marks in docs/PERFORMANCE.md
"""
import argparse
import collections
import re
import shutil
import sys

from workloads import DOCUMENT, FOLDER, build, run, version
from common import Block  # from tools/, by workloads

MOST_OF_A_FORK = 55  # instructions over the plain calls
PLAIN = "fib, plain calls"
COUNTED = (
    ("alone_near", "weft", "`submit` from a task and run, the ring never full", 25600),
    ("alone_inside", "weft", "the same, a million at once", 20000),
    ("alone_batch", "weft", "from outside in one batch, linking included", 20000),
    ("alone_chain", "weft", "chain", 20000),
    ("alone_fib", "weft", "fib, per fork", 15),
    ("alone_fib_here", "weft", "the same, `Here` handed down", 15),
    ("fib", "floor", "fib over the floor's stack, per fork", 15),
    ("fib", "serial", PLAIN, 15),
)


def short(name):
    """A C++ function without its arguments, its object, and namespaces that are the same for all."""
    name = re.sub(r"\(anonymous namespace\)::|weft::v\d+_\w+::|^(unsigned|long|void) ", "", name)
    return re.sub(r"[<(].*(::run\b)?.*", r"\1", name)


def count(program, workload, size):
    """(operations, {function: instructions it executed itself})."""
    file = FOLDER / "callgrind.out"
    status, output = run(
        "valgrind", "--tool=callgrind", f"--callgrind-out-file={file}", FOLDER / program, workload, 1, size, 0
    )
    if status:
        raise SystemExit(output)
    if "absent 1" in output:
        return None
    operations = re.search(r"^tasks (\S+)$", output, re.MULTILINE)
    _, text = run("callgrind_annotate", "--threshold=100", "--show-percs=no", "--auto=no", file)
    costs = collections.Counter()
    for cost, function in re.findall(r"^ *([\d,]+) +[^: ]+:(.+)$", text, re.MULTILINE):
        costs[short(function)] += int(cost.replace(",", ""))
    return (float(operations[1]) if operations else None), costs


def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)


def count_all():
    """The table for the document. What each function costs is printed."""
    counted = {}
    for workload, program, words, size in COUNTED:
        forks = "fib" in workload
        longer = size + 5 if forks else 2 * size
        small, large = count(program, workload, size), count(program, workload, longer)
        if small is None or large is None:
            print(f"# {words}: not there yet")
            continue
        # measure() of the programs without a pool runs the sample four times, fib(n) forks fib(n + 1) - 1 times.
        times = 1 if program == "weft" else 4
        operations = times * (fib(longer + 1) - fib(size + 1)) if forks else large[0] - small[0]
        per = {name: (cost - small[1].get(name, 0)) / operations for name, cost in large[1].items()}
        top = sorted((item for item in per.items() if item[1] >= 0.1), key=lambda item: -item[1])
        parts = ", ".join(f"{name} {cost:.1f}" for name, cost in top)
        print(f"# {words}: {parts}")
        counted[words] = (sum(per.values()), program == "weft" and forks)
    lines = ["| path | instructions per operation | over plain calls | record to reach |", "|---|---:|---:|---|"]
    for words, (figure, judged) in counted.items():
        over = figure - counted[PLAIN][0]
        verdict = f"≤ {MOST_OF_A_FORK}: " + ("yes" if over <= MOST_OF_A_FORK else "**no**")
        lines.append(f"| {words} | {figure:.1f} | " + (f"{over:.1f} | {verdict} |" if judged else " |  |"))
    tools = f"{version('valgrind', '--version')}, {version('g++', '--version')}"
    return "\n".join(lines) + f"\n\n{tools} (`tests/bench/host/callgrind.py`)"


def main():
    parser = argparse.ArgumentParser(description="Count weft's instructions on one core.")
    parser.add_argument("--write", action="store_true", help=f"into {DOCUMENT}")
    options = parser.parse_args()
    if not shutil.which("callgrind_annotate"):
        raise SystemExit("weft: there is no valgrind: tools/setup bench-host")
    build(None)
    text = count_all()
    print(text)
    if options.write:
        Block(DOCUMENT, "callgrind").write(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
