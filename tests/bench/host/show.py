#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Apache-2.0
"""The tables and the picture of what measure.py has measured.

    tests/bench/host/show.py [FILE]             prints them: build/bench-host/results.json, or an earlier one
    tests/bench/host/show.py [FILE] --write     puts them between the marks in docs/PERFORMANCE.md, and the picture into
                                                docs/bench-host.svg
"""
import argparse
import dataclasses
import json
import pathlib
import shutil
import subprocess
import sys
import typing

from workloads import DOCUMENT, FOLDER, PEERS, RESULTS, WORKLOAD, WORKLOADS
from common import Block  # from tools/, by workloads

PICTURE = pathlib.Path("docs/bench-host.svg")
UNITS = {"ns": 1, "µs": 1e-3, "%": 1e-7}  # of what the programs print
MOST_IDLE = 0.05  # %: goal


@dataclasses.dataclass(frozen=True)
class Record:
    """What the best of all has reached, packaged or not; one of the limits counts."""

    name: str  # of the workload
    workers: int
    words: str
    most: typing.Optional[float] = None  # ns
    of: tuple = ()  # (peer, most that weft may need, as a part of its figure)
    growth: typing.Optional[float] = None  # most that two workers may need, as a part of what one does
    speed_up: typing.Optional[float] = None  # at least: one worker's time by two workers'
    limit: str = ""  # what limits weft
    title: str = ""  # in the table, if not the workload's

    def judged(self, figures):
        """(weft's figure, whether it is reached), or None."""
        workload = WORKLOAD[self.name]
        own = value_of(figures, workload, self.workers, "weft")
        other = value_of(figures, workload, *((self.workers, self.of[0]) if self.of else (1, "weft")))
        if not own or not other:
            return None
        if self.most is not None:
            return f"{figure_text(own)} ns", own <= self.most
        if self.speed_up is not None:
            return figure_text(other / own), other / own >= self.speed_up
        return figure_text(own / other), own / other <= (self.of[1] if self.of else self.growth)


HERE = "the same, `Here` handed down"
BATCH = "empty tasks from outside, one batch"
ATOMICS = "the fence of each submit and the exchange of each pop, 3 to 5 ns each"
RING = "each task passes through a ring that others may steal from: an exchange for each"
NOISE = "the rounds of a run differ by more than what is missing"
RECORDS = (
    Record("fib", 1, "Lace: 3.1 ns", most=3.1, limit="each fork looks its worker up: see the next row"),
    Record("fib_here", 1, "Lace: 3.1 ns", most=3.1, title=HERE),
    Record("fib", 2, "Lace: 1.8 ns", most=1.8, limit="each fork looks its worker up: see the next row"),
    Record("fib_here", 2, "Lace: 1.8 ns", most=1.8, title=HERE),
    Record("fib", 2, "speed-up ≥ 1.9", speed_up=1.9),
    Record("batch", 1, "0.6 of zap: 3.4 ns", most=3.4, limit=RING, title=BATCH),
    Record("batch", 1, "≤ 2 of floor", of=("floor", 2), limit=RING, title=BATCH),
    Record("inside", 1, "0.9 of Lace: 4.5 ns", most=4.5, limit=ATOMICS),
    Record("inside", 2, "≤ 1.1 of one worker", growth=1.1),
    Record("chain", 1, "zap: 4.7 ns", most=4.7, limit=ATOMICS),
    Record("chain", 2, "≤ 1.2 of one worker", growth=1.2, limit="the other worker's looks take the cache line away"),
    Record("trip", 1, "0.47 µs", most=470, title="submit to a worker still awake, there and back"),
    Record("for", 2, "≤ 1.05 of pthreadpool", of=("pthreadpool", 1.05), limit=NOISE),
    Record("for", 2, "speed-up ≥ 1.9", speed_up=1.9, limit=NOISE),
    Record("reduce", 2, "≤ 1.05 of pthreadpool", of=("pthreadpool", 1.05), limit=NOISE),
    Record("reduce", 2, "speed-up ≥ 1.9", speed_up=1.9, limit=NOISE),
    Record("uts", 1, "chili: 9.2 ns", most=9.2),
    Record("uts", 2, "Lace: 5.0 ns", most=5.0, limit="most pieces that are handed over are one node, 4 ns of work"),
    Record("queens", 1, "≤ 1.03 of serial", of=("serial", 1.03), limit="the forks between any two legal columns"),
    Record("queens", 2, "speed-up ≥ 1.98", speed_up=1.98, limit=NOISE),
)


def figure_text(value):
    """Three digits, as far as there are so many."""
    if value >= 100:
        return f"{value:.0f}"
    return f"{value:.2g}" if value < 0.01 else f"{value:.2f}" if value < 10 else f"{value:.1f}"


def value_of(figures, workload, workers, peer):
    """ns, or None."""
    # A serial program is the yardstick for two workers too.
    figure = figures.get((workload.name, 1 if peer == "serial" else workers, peer))
    return None if figure is None else figure.get("figure")


def judge(figures, workload, workers):
    """[(peer, ratio, limit)] of the goals that could be compared."""
    own = value_of(figures, workload, workers, "weft")
    for peer, limit in workload.limits(workers).items():
        other = value_of(figures, workload, workers, peer)
        if own is not None and other:
            yield peer, own / other, limit


def cell(figures, workload, workers, peer):
    figure = figures.get((workload.name, 1 if peer == "serial" else workers, peer))
    if figure is None:
        return "—"
    if "failed" in figure:
        return "failed"
    value = figure["figure"]
    text = figure_text(value * UNITS[workload.unit])
    own = value_of(figures, workload, workers, "weft")
    if peer != "weft" and own is not None and value and workload.unit != "%":
        text += f" ({figure_text(own / value)})"
    return text


def goal_text(figures, workload, workers):
    if workload.name == "idle":
        own = value_of(figures, workload, workers, "weft")
        good = own is not None and own * UNITS["%"] <= MOST_IDLE
        return f"≤ {MOST_IDLE} %: " + ("met" if good else "**missed**")
    compared = {peer: (ratio, limit) for peer, ratio, limit in judge(figures, workload, workers)}
    texts = []
    for peer, limit in workload.limits(workers).items():
        verdict = "open"
        if peer in compared:
            verdict = "met" if compared[peer][0] <= limit else "**missed**"
        texts.append(f"≤ {limit} of {PEERS[peer]}: {verdict}")
    return "; ".join(texts)


def allocations_text(figures, workload, workers):
    cells = []
    for peer in ("weft", "tbb", "openmp", "rayon"):
        figure = figures.get((workload.name, workers, peer))
        cells.append("—" if figure is None or "allocations" not in figure else f"{figure['allocations']:.3g}")
    return " / ".join(cells)


def records(figures, workloads):
    lines = ["| workload | workers | record to reach | weft | reached | what limits it |", "|---|---|---|---:|---|---|"]
    for record in RECORDS:
        workload = WORKLOAD[record.name]
        judged = record.judged(figures) if workload in workloads else None
        if judged is not None:
            figure, reached = judged
            words = f"{record.title or workload.words} | {record.workers} | {record.words} | {figure}"
            lines.append(f"| {words} | {'yes' if reached else '**no**'} | {'' if reached else record.limit} |")
    return """### Records

The goals above compare with what is packaged, in the same run. These compare with the best there is, packaged or not:
figures of others were measured on one 2-core x86-64 machine, in another run; parts and speed-ups are of this run. Those
of two workers scatter by 15 %.

""" + "\n".join(lines)


def table(figures, facts, workloads, peers):
    lines = [
        "| workload | workers | " + " | ".join(PEERS[peer] for peer in peers) + " | goal | allocations |",
        "|---|---|" + "---:|" * len(peers) + "---|---|",
    ]
    for workload in workloads:
        for workers in workload.workers:
            if not any(value_of(figures, workload, workers, peer) for peer in peers) and workload.unit != "%":
                continue  # not in a quick run
            cells = [cell(figures, workload, workers, peer) for peer in peers]
            goal = goal_text(figures, workload, workers)
            words = f"{workload.words}, {workload.unit}"
            allocated = "" if workload.unit == "%" else allocations_text(figures, workload, workers)
            lines.append(f"| {words} | {workers} | " + " | ".join(cells) + f" | {goal} | {allocated} |")
    versions = ", ".join(f"{name} {number}" for name, number in facts["peers"].items())
    where = f"{facts['processors']} × {facts['processor']}, Linux {facts['system']}, {facts['date']}"
    return "\n".join(lines) + f"""

In parentheses: weft's figure as a part of this one. Allocations: per operation, after start-up, of weft / oneTBB /
OpenMP / Rayon. {"The least" if facts["least"] else "Medians"} of {facts["rounds"]} rounds, all in turns. {where};
load before and after {facts["load"][0]:.1f} and {facts["load"][1]:.1f}. {"; ".join(facts["compilers"])}.
{versions}. (`make bench-host`)"""


def draw(figures, workloads, peers, path):
    """Bars by gnuplot: how many times weft's time the others need."""
    measured = {peer for (_, _, peer), figure in figures.items() if "failed" not in figure}
    shown = [peer for peer in ("floor", "tbb", "openmp", "rayon") if peer in measured and peer in peers]
    rows = []
    for workload in workloads:
        if workload.unit == "%":
            continue
        for workers in workload.workers:
            own = value_of(figures, workload, workers, "weft")
            others = [value_of(figures, workload, workers, peer) for peer in shown]
            if own is None or not any(others):
                continue
            cells = [f"{other / own:.4g}" if other else "NaN" for other in others]
            rows.append(f'"{workload.name.replace("_", " ")} {workers}w" ' + " ".join(cells))
    if not rows or not shutil.which("gnuplot"):
        print("# no picture: " + ("there is no gnuplot" if rows else "nothing to compare"), file=sys.stderr)
        return
    data = FOLDER / path.with_suffix(".dat").name
    data.write_text("# workload " + " ".join(shown) + "\n" + "\n".join(rows) + "\n")
    bars = ", ".join(
        f"'{data}' using {index + 2}:xtic(1) title '{PEERS[peer]}'" for index, peer in enumerate(shown)
    )
    script = f"""
set terminal svg size 1100,420 dynamic background rgb 'white' font 'sans-serif,12'
set output '{path}'
set title "Time per operation, weft = 1 (host port; above 1: slower than weft)"
set style data histogram
set style histogram clustered gap 1
set style fill solid 0.9
set boxwidth 0.9
set logscale y
set grid ytics
set key outside right
set xtics rotate by -35
set arrow from graph 0, first 1 to graph 1, first 1 nohead linewidth 1.5
plot {bars}
"""
    done = subprocess.run(["gnuplot"], input=script, text=True, capture_output=True, check=False)
    if done.returncode:
        raise SystemExit(done.stderr)


def show(path, write):
    found = json.loads(pathlib.Path(path).read_text())
    figures = {(one["workload"], one["workers"], one["peer"]): one for one in found["results"]}
    rounds = max(len(one.get("rounds", ())) for one in found["results"])
    facts = {"rounds": rounds, "least": False, **found["machine"]}
    if write and facts["least"]:
        raise SystemExit("weft: medians are for publishing, not the least")
    workloads = [workload for workload in WORKLOADS if any(key[0] == workload.name for key in figures)]
    peers = [peer for peer in PEERS if any(key[2] == peer for key in figures)]
    parts = [table(figures, facts, workloads, peers), records(figures, workloads)]
    draw(figures, workloads, peers, PICTURE if write else FOLDER / PICTURE.name)
    print("\n\n".join(parts))
    if write:
        parts.insert(1, f"![Time per operation, weft = 1]({PICTURE.name})")
        Block(DOCUMENT, "bench-host").write("\n\n".join(parts))
    return 0


def main():
    parser = argparse.ArgumentParser(description="Show what was measured.")
    parser.add_argument("results", nargs="?", default=RESULTS, metavar="FILE", help=f"(default {RESULTS})")
    parser.add_argument("--write", action="store_true", help=f"into {DOCUMENT} and {PICTURE}")
    options = parser.parse_args()
    if not pathlib.Path(options.results).exists():
        raise SystemExit(f"weft: there is no {options.results}: make bench-host measures")
    return show(options.results, options.write)


if __name__ == "__main__":
    sys.exit(main())
