#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Apache-2.0
"""Compares weft on the host with the pools that Debian packages, and with what one writes by hand.

    tests/bench/host/measure.py             measures and prints the tables; --quick for a first impression
    tests/bench/host/measure.py --write     puts them between the marks in docs/PERFORMANCE.md (see show.py)

Each figure comes from a process of its own, so nobody's idle threads disturb anybody. All take turns in each round; a
figure is the median of the rounds.
"""
import argparse
import datetime
import json
import os
import pathlib
import platform
import re
import statistics
import subprocess
import sys

import show
from workloads import DOCUMENT, FOLDER, PEERS, RESULTS, WORKLOADS, build, run, version

SECONDS = 60  # a process that takes longer hangs


def package(name):
    try:
        status, output = run("dpkg-query", "-W", "-f", "${Version}", name)
    except OSError:
        status, output = 1, ""
    return output.strip() if status == 0 else "of unknown version"


def machine(cargo):
    """What the figures depend on."""
    model = re.search(r"^model name\s*: (.*)$", pathlib.Path("/proc/cpuinfo").read_text(), re.MULTILINE)
    return {
        "processor": model[1] if model else platform.machine(),
        "processors": os.cpu_count(),
        "system": ".".join(platform.release().split(".")[:2]),
        "compilers": [version("g++", "--version"), version(cargo[1] if cargo else "/usr/bin/rustc", "--version")],
        "peers": {
            "oneTBB": package("libtbb-dev"),
            "OpenMP": "libgomp " + package("libgomp1"),
            "Rayon": package("librust-rayon-dev"),
            "pthreadpool": package("libpthreadpool-dev"),
        },
    }


def sample(peer, workload, workers, size, budget):
    """What one process prints: {name: value}; None: it does not have the workload."""
    words = [FOLDER / peer, workload, workers, size, budget]
    try:
        status, output = run(*words, timeout=SECONDS)
    except subprocess.TimeoutExpired:
        return {"failed": f"hung for {SECONDS} s"}
    if status:
        return {"failed": output.strip() or f"status {status}"}
    values = {name: float(value) for name, value in (line.split() for line in output.splitlines())}
    return None if "absent" in values else values


def runs(workloads, peers):
    """Every process of a round: [(workload, workers, peer)]."""
    for workload in workloads:
        for workers in workload.workers:
            for peer in peers:
                if peer == "serial" and workers != 1:
                    continue
                yield workload, workers, peer


def measure(options, workloads, peers):
    """{(workload, workers, peer): [what each round printed]}."""
    found, absent = {}, set()
    for number in range(options.rounds):
        todo = list(runs(workloads, peers))
        if number % 2:  # who comes after whom must not matter
            todo.reverse()
        for workload, workers, peer in todo:
            size = workload.quick if options.quick else workload.size
            program = workload.program_of(peer)
            if size is None or (program, peer) in absent:
                continue
            values = sample(peer, program, workers, size, 30 if options.quick else 100)
            if values is None:
                absent.add((program, peer))
                continue
            values["figure"] = values.get("least" if options.least and "high" not in values else workload.field)
            found.setdefault((workload.name, workers, peer), []).append(values)
        print(f"# round {number + 1} of {options.rounds}, load {os.getloadavg()[0]:.1f}", file=sys.stderr)
    return found


def summary(rounds, least):
    """One figure out of those of the rounds: medians, or the least."""
    failures = [values["failed"] for values in rounds if "failed" in values]
    if failures:
        return {"failed": f"{len(failures)} of {len(rounds)}: {failures[0]}"}
    figure = {name: statistics.median(values[name] for values in rounds) for name in rounds[0]}
    if least:
        figure["figure"] = min(values["figure"] for values in rounds)
    figure["rounds"] = [values["figure"] for values in rounds]
    figure["least"] = min(values["least"] for values in rounds)
    return figure


def main():
    parser = argparse.ArgumentParser(description="Compare weft on the host with others.")
    parser.add_argument("--rounds", type=int, help="7 or more for figures to publish (default 7)")
    parser.add_argument("--quick", action="store_true", help="small and few: a first impression")
    parser.add_argument("--least", action="store_true", help="least instead of median: on a busy machine, with --quick")
    parser.add_argument("--write", action="store_true", help=f"into {DOCUMENT}, with a picture")
    parser.add_argument("--workloads", nargs="+", choices=[w.name for w in WORKLOADS], metavar="NAME")
    parser.add_argument("--peers", nargs="+", choices=list(PEERS), metavar="NAME")
    parser.add_argument("--cargo", nargs=2, metavar=("CARGO", "RUSTC"), help="another Rust for Rayon than Debian's")
    options = parser.parse_args()
    if options.write and options.least:
        parser.error("medians are for publishing, not the least")
    options.rounds = options.rounds or (3 if options.quick else 7)
    missing = build(options.cargo)
    workloads = [w for w in WORKLOADS if options.workloads is None or w.name in options.workloads]
    peers = [peer for peer in PEERS if peer not in missing and (options.peers is None or peer in options.peers)]
    facts = machine(options.cargo)
    load = os.getloadavg()[0]
    found = measure(options, workloads, peers)
    facts["left_out"] = missing
    facts["date"] = datetime.date.today().isoformat()
    facts["load"] = [load, os.getloadavg()[0]]
    facts["rounds"], facts["least"] = options.rounds, options.least
    results = [
        {"workload": name, "workers": workers, "peer": peer, **summary(rounds, options.least)}
        for (name, workers, peer), rounds in found.items()
    ]
    RESULTS.write_text(json.dumps({"machine": facts, "results": results}, indent=1, ensure_ascii=False) + "\n")
    return show.show(RESULTS, options.write)


if __name__ == "__main__":
    sys.exit(main())
