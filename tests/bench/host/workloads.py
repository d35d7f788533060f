# SPDX-License-Identifier: MIT OR Apache-2.0
"""What measure.py, show.py and callgrind.py share: the pools that are compared, how their programs are built, and what
these run."""
import dataclasses
import pathlib
import sys
import typing

TOOLS = pathlib.Path(__file__).resolve().parents[3] / "tools"
sys.dont_write_bytecode = True
sys.path.insert(0, str(TOOLS))
from common import make, run  # noqa: E402  (the lines above must come first)

FOLDER = pathlib.Path("build/bench-host")
RESULTS = FOLDER / "results.json"
DOCUMENT = pathlib.Path("docs/PERFORMANCE.md")
MAKEFILE = "tests/bench/host/Makefile"

# Name of the program, title in the table.
PEERS = {
    "weft": "weft",
    "floor": "floor",
    "serial": "serial",
    "tbb": "oneTBB",
    "openmp": "OpenMP",
    "rayon": "Rayon",
    "pthreadpool": "pthreadpool",
}


@dataclasses.dataclass(frozen=True)
class Workload:
    """One row for each number of workers."""

    name: str
    words: str
    size: int
    quick: typing.Optional[int]  # None: not in a quick run
    goals: dict = dataclasses.field(default_factory=dict)  # {peer: most that weft may need, as a part of its figure}
    workers: tuple = (1, 2)
    unit: str = "ns"
    program: str = ""  # what the programs call it, if not `name`
    others: str = ""  # what the others run, where weft has something of its own
    field: str = "ns"  # of what they print

    def program_of(self, peer):
        return self.others if peer != "weft" and self.others else self.program or self.name

    def limits(self, workers):
        """The goals for so many workers."""
        limits = {peer: limit if isinstance(limit, float) else limit.get(workers) for peer, limit in self.goals.items()}
        return {peer: limit for peer, limit in limits.items() if limit is not None}


LOOP_GOALS = {"serial": {1: 1.05}, "pthreadpool": {2: 1.05}}
WORKLOADS = (
    Workload("fib", "fib without cut-off, per fork", 30, 25, {"tbb": 0.06, "rayon": 0.22}),
    Workload("fib_here", "the same, `Here` handed down (weft)", 30, 25, others="fib"),
    Workload(
        "batch",
        "empty tasks from outside: weft in one batch, the others one by one",
        1000000,
        50000,
        {"tbb": 0.04, "rayon": 0.04},
        others="outside",
    ),
    Workload("outside", "empty tasks from outside, one by one", 1000000, 50000),
    Workload("inside", "empty tasks from a worker, one by one", 1000000, 50000, {"tbb": {1: 0.15, 2: 0.05}}),
    Workload("chain", "chain: each task submits the next", 1000000, 50000, {"tbb": 0.2}),
    Workload("producer", "one worker submits tasks of 0.07 µs", 200000, 10000),
    Workload("uts", "unbalanced tree, small nodes, per node", 35, 23, {"tbb": 0.25}),
    Workload("uts_sha1", "unbalanced tree T1, nodes by SHA-1, per node", 19, None),
    Workload("queens", "n-queens, per solution", 11, 9, {"tbb": 0.7}),
    Workload("for", "`parallel_for`, grain 64, per index", 64, 64, LOOP_GOALS),
    Workload("reduce", "`parallel_reduce`, grain 64, per index", 64, 64, LOOP_GOALS),
    Workload("for_1", "`parallel_for`, grain 1, per index", 1, 1, program="for"),
    Workload("asleep", "submit to a sleeping worker → its first instruction", 200, 50, {"floor": 1.1}, (1,), "µs"),
    Workload("awake", "submit to a worker still awake → its first instruction", 20000, 2000, workers=(1,)),
    Workload("trip", "the same, there and back", 20000, 2000, workers=(1,), program="awake", field="round_trip"),
    Workload("idle", "idle workers' use of the processor", 500, 200, workers=(2,), unit="%"),
)
WORKLOAD = {workload.name: workload for workload in WORKLOADS}


def build(cargo):
    """Builds all programs. Says which are missing and why, and returns their peers."""
    status, output = make("-s", "PORT=host", "CHECKS=0", "lib")
    if status:
        raise SystemExit(output)
    library = output.split()[-1]
    missing = []
    for peer in PEERS:
        rust = [f"CARGO={cargo[0]}", f"RUSTC={cargo[1]}"] if cargo else []
        status, output = make("-s", "-f", MAKEFILE, f"WEFT={library}", f"B={FOLDER}", *rust, f"{FOLDER}/{peer}")
        if status == 0:
            continue
        if peer in ("weft", "floor", "serial"):
            raise SystemExit(output)
        why = next((line for line in output.splitlines() if "error" in line), output.strip())
        print(f"# {PEERS[peer]} left out: {why}", file=sys.stderr)
        missing.append(peer)
    return missing


def version(*line):
    try:
        return run(*line)[1].splitlines()[0].strip()
    except (OSError, IndexError):
        return "unknown"
