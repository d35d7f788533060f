# SPDX-License-Identifier: MIT OR Apache-2.0
"""What the scripts of this folder share: make, an image's settings, blocks of documents that are generated, and TAP
output, which tools/test counts. A failure of the machine (a full disk, a missing program) ends a script in one line."""
import contextlib
import difflib
import errno
import fcntl
import importlib.machinery
import importlib.util
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys

# Every path in these scripts is relative to the root of the tree.
ROOT = pathlib.Path(__file__).resolve().parent.parent
os.chdir(ROOT)

# Whoever reads our lines may stop reading: `make demo | head`.
signal.signal(signal.SIGPIPE, signal.SIG_DFL)

MAKES = "WEFT_MAKES"  # set for what a make of ours calls
WAITS_QUIETLY = "WEFT_WAITS_QUIETLY"  # set where several of ours are expected: who has to wait does not say so
RUN_ALONE = {"run", "trace", "demo", "debug", "flash"}  # the Makefile has a lock for what these build, not for the run
SLOWNESS = "WEFT_SLOWNESS"  # tools/test says by it how much longer time limits are on this machine


def limit(seconds):
    return seconds * float(os.environ.get(SLOWNESS, 1))


OF_THE_MACHINE = (errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOSPC, errno.EDQUOT, errno.ENOTDIR, errno.EEXIST)


def in_one_line(kind, wrong, trace):
    """For what is no error of a script."""
    if issubclass(kind, KeyboardInterrupt):
        sys.exit(130)
    if isinstance(wrong, FileNotFoundError) and "/" not in str(wrong.filename):
        print(f"weft: there is no {wrong.filename}: make setup", file=sys.stderr)
    elif isinstance(wrong, OSError) and wrong.errno in OF_THE_MACHINE:
        print(f"weft: {wrong.strerror}: {wrong.filename or 'a write'}", file=sys.stderr)
    else:
        sys.__excepthook__(kind, wrong, trace)


sys.excepthook = in_one_line


class Tap:
    """Prints one line per check, after what there is to say about it; done() prints the plan."""

    def __init__(self):
        self.count = 0
        self.failed = 0

    def check(self, good, name, why=""):
        self.count += 1
        self.failed += not good
        for line in [] if good else str(why).splitlines():
            print(f"#   {line}")
        print(f"{'ok' if good else 'not ok'} {self.count} - {name}")
        sys.stdout.flush()
        return good

    def skip(self, name, why):
        """Figures and layouts depend on the tools' versions: with others there is nothing to compare."""
        self.count += 1
        print(f"ok {self.count} - {name} # skip not with these tools: {why}")
        sys.stdout.flush()

    def done(self):
        """The end, and the exit status."""
        print(f"1..{self.count}")
        return 1 if self.failed else 0


class Block:
    """What a script writes between two marks of a document: <!-- NAME:begin --> and <!-- NAME:end -->."""

    def __init__(self, document, name):
        self.document = pathlib.Path(document)
        self.begin, self.end = f"<!-- {name}:begin -->", f"<!-- {name}:end -->"

    def present(self):
        text = self.document.read_text() if self.document.exists() else ""
        return self.begin in text and self.end in text.split(self.begin, 1)[1]

    def parts(self):
        """What stands before the block, in it, and after it."""
        if not self.present():
            raise SystemExit(f"weft: {self.document} has no place for the figures: {self.begin} and {self.end}")
        before, rest = self.document.read_text().split(self.begin, 1)
        inside, after = rest.split(self.end, 1)
        return before, inside.strip(), after

    def read(self):
        return self.parts()[1]

    def write(self, text):
        before, _, after = self.parts()
        self.document.write_text(f"{before}{self.begin}\n{text}\n{self.end}{after}")


def run(*line, **more):
    """Runs a command. Returns (status, all that it printed)."""
    words = [str(word) for word in line]
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **more)
    return done.returncode, done.stdout


def moved(verb, before, after):
    """For who is to write figures anew: the lines that differ."""
    lines = [line for line in difflib.ndiff(before.splitlines(), after.splitlines()) if line[:1] in "+-"]
    return "\n".join([verb, *lines])


def compiled_by(*compilers):
    """A sentence for figures that depend on the compilers' versions."""
    versions = [f"{compiler} {run(compiler, '-dumpfullversion')[1].strip()}" for compiler in sorted(set(compilers))]
    return f"Compiled by {', '.join(versions)}."


# The builds of the generated programs (Makefile, FUZZ). What is compiled in: checks, fork depth, fair interval, search
# rounds, deadline in ms, timers, rest, places for sets of cores, quiesce, elastic, blocking, mandatory, policies (bits:
# tests/model/weft_config.h). Every value, most of the pairs. Those of every day have each setting, and most programs
# that are kept.
FUZZ_EVERY_DAY = (
    "0-2-4-0-100-1-1-0-0-0-0-0-0",
    "1-3-4-0-1-1-1-2-0-0-0-0-0",
    "0-2-4-0-100-1-1-0-1-0-0-0-0",
    "0-1-3-0-100-1-0-0-0-1-0-0-0",
    "1-1-3-1-100-0-0-0-0-1-1-1-0",
    "0-1-3-0-100-1-1-1-0-0-1-1-63",
    "0-2-3-0-100-1-1-0-1-0-0-0-64",
)
FUZZ_BUILDS = (
    *FUZZ_EVERY_DAY,
    "1-1-2-0-100-1-0-0-0-0-0-0-0",
    "1-2-2-1-100-1-0-0-0-1-0-0-63",
    "0-3-2-1-1-1-0-1-0-0-0-0-0",
    "1-2-3-1-4000-0-1-1-0-0-0-0-0",
    "0-1-3-0-100-0-0-0-0-0-0-0-0",
    "0-2-2-0-100-0-0-0-0-0-1-0-0",
    "0-1-3-0-100-1-1-0-0-1-1-0-0",
    "0-2-2-0-100-1-1-1-0-0-0-1-0",
    "0-2-3-0-100-1-0-0-1-1-0-0-0",
    "1-1-2-0-100-1-0-0-1-0-1-1-66",
)


@contextlib.contextmanager
def one_make_at_a_time(environment):
    """Two of them might write the same object. One that is called by a script that such a make has called goes on."""
    if environment.get(MAKES):
        yield
        return
    environment[MAKES] = "1"
    with contextlib.ExitStack() as stack:
        with contextlib.suppress(OSError):  # nothing can be written here: make says so, and why
            (ROOT / "build").mkdir(exist_ok=True)
            lock = stack.enter_context(open(ROOT / "build" / "lock", "w"))
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                if not environment.get(WAITS_QUIETLY):
                    print("weft: another make builds here; this one goes on behind it", file=sys.stderr)
                fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def make(*words, cwd=ROOT):
    """Runs make with these words alone: it shares the job slots of a make that called us, not that one's variables.
    Returns (status, output)."""
    environment = dict(os.environ)
    flags, *overrides = re.split(r"(?:^| )-- ", environment.get("MAKEFLAGS", ""), maxsplit=1)
    for word in " ".join(overrides).split():
        environment.pop(word.split("=")[0], None)
    environment.update(MAKEFLAGS=flags, PWD=str(cwd))
    with contextlib.nullcontext() if RUN_ALONE & set(words) else one_make_at_a_time(environment):
        return run("make", "--output-sync=target", *words, close_fds=False, env=environment, cwd=cwd)


CCACHE = ("/usr/lib/ccache", "/usr/lib64/ccache")  # where its package puts links with the compilers' names


def keeps_objects():
    """Where ccache keeps what it has compiled, if it can: the user's own place, which all her clones share."""
    try:
        folder = run("ccache", "--get-config", "cache_dir")[1].strip()
        os.makedirs(folder, exist_ok=True)
        return os.access(folder, os.W_OK)
    except OSError:
        return False


def share_objects():
    """From here on, what we call compiles nothing twice, if ccache is there: many builds have objects of the same text
    with the same flags, and so have other clones of this tree."""
    links = next((folder for folder in CCACHE if os.path.isdir(folder)), None)
    if links is None:
        return
    # Depend mode: who misses is not preprocessed first. Projects in folders of their own share objects, too: the
    # folder that they were compiled in stands only in what a debugger reads.
    more = {"CCACHE_DEPEND": "1", "CCACHE_NOHASHDIR": "1"}
    if not keeps_objects():
        more["CCACHE_DIR"] = str(ROOT / "build/ccache")
    os.environ.update(more, PATH=f"{links}{os.pathsep}{os.environ['PATH']}")


def module_of(tool):
    """A tool of this folder as a module: its functions, without a process."""
    loader = importlib.machinery.SourceFileLoader(f"tool_{tool}", f"tools/{tool}")
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    sys.modules[loader.name] = module  # dataclasses may look there
    loader.exec_module(module)
    return module


# For CMake: the library in one unit, which takes a third of the time.
UNITY = ["-DCMAKE_UNITY_BUILD=ON", "-DCMAKE_UNITY_BUILD_BATCH_SIZE=0"]


def one_unit(folder, sources):
    """A file there that includes these; as old as it is, if it does so already."""
    folder.mkdir(parents=True, exist_ok=True)
    whole = folder / "whole.cpp"
    text = "".join(f'#include "{path}"\n' for path in sources)
    if not whole.exists() or whole.read_text() != text:
        whole.write_text(text)
    return whole


def prefer_ninja():
    """From here on projects of CMake are built by Ninja, if it is there: it takes half of the time that make does."""
    if shutil.which("ninja"):
        os.environ["CMAKE_GENERATOR"] = "Ninja"


def settings(image):
    """What an image or archive was built with: the file `config` beside it."""
    lines = (pathlib.Path(image).parent / "config").read_text().splitlines()
    return dict(line.split("=", 1) for line in lines if "=" in line)


def libraries():
    """The release libweft.a of every port, as `make lib` makes it for one's own board: {name: make variables}."""
    ports = sorted(path.parent.name for path in pathlib.Path("port").glob("*/port.mk"))
    rv32 = ["PORT=riscv", "ARCH_FLAGS=-march=rv32imac -mabi=ilp32 -misa-spec=2.2", "B=build/lib-riscv32"]
    variables = {**{port: [f"PORT={port}"] for port in ports}, "riscv32": rv32}
    return {name: [*words, "CHECKS=0"] for name, words in variables.items()}
