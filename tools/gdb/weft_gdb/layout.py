# SPDX-License-Identifier: MIT OR Apache-2.0
"""What the sources say about the words of a pool. tools/check_gdb compares each number with the header that it is from,
and asks a fresh image for each member."""
import re

VERSION = (0, 1)  # of weft: another second number may have other members

# From include/weft/detail/idle_word.hpp, class IdleBits.
IDLE = {"can_start": 1, "can_retry": 2, "waking": 4, "closing": 8, "abandoning": 16, "unwatched": 32, "at_rest": 64,
        "calling": 128}
FIRST_CORE = 8
MOST_CORES = 24
# From include/weft/detail/worker.hpp.
POWER = ("off", "elsewhere", "absent", "leaving", "claimed", "starting", "on", "stays")
ACTIVE = {"in_loop": 1, "in_function": 2, "preempted": 3}
NAP = {"unlimited": 1, "limited": 2, "over": 3}
SEARCH = {"searches": 1, "may_not_search": 2}
# From include/weft/detail/task_stack.hpp.
STACK = {"open": 1, "consuming": 2, "cached": 4}
# From include/weft/detail/timer_queue.hpp and include/weft/timer.hpp.
TIMER_QUEUE = {"held": 1, "wanted": 2}
TIMER = {"armed": 1, "listed": 2, "fired": 4, "again": 8, "between": 16}
# From include/weft/detail/roster.hpp: (shift, bits).
ROSTER = {"live": (0, 8), "sealed": (8, 1), "callers": (9, 8), "observers": (17, 5), "joiner": (22, 10)}
# From include/weft/detail/round.hpp.
ROUND = {"done": 1, "running": 2, "cancelled": 4}
# From include/weft/detail/fork.hpp: marks in a slot; the offer's fields for addresses of 8 and of 4 bytes.
SLOT = {"beside": 1, "begun": 2}
OFFER = {8: {"slot_bits": 8, "count_bits": 5, "most": 24}, 4: {"slot_bits": 8, "count_bits": 4, "most": 8}}
# From include/weft/strand.hpp, gate.hpp and event.hpp.
STRAND_SCHEDULED = 1
GATE_QUEUED = 1 << 31
EVENT_IS_SET = 1 << 31
# From src/scheduler.cpp.
CANARY = 0x5afe57ac
PAINT = 0x9e3779b9
# From port/host/weft_port.hpp.
HOST_NOTIFIED = 2
HOST_TICKS_PER_MS = 1000
# From include/weft/detail/trace.hpp.
TRACE_MAGIC = b"wefttrc\n"
TRACE_VERSION = 2
# From include/weft/trace.hpp: those that say what a core does.
TRACE_EVENTS = {"begin": 7, "end": 8, "join_begin": 14, "join_end": 15, "park": 17, "unpark": 18, "enter": 22,
                "leave": 23, "stand": 30, "stand_end": 31, "wait_begin": 43, "wait_end": 44}
# From include/weft/elastic.hpp: (shift, bits), and keep_alive_ that never ends.
CREW = {"here": (0, 8), "hired": (8, 8), "most": (16, 16)}
BLOCKING = {"running": (0, 16), "most": (16, 16)}
NO_LIMIT = 0xff
NO_FOLLOWER = (0, 1)  # none; or the core has left for good
FOR_EVER = 1 << 31

SETTINGS = ("checks", "forks", "timers", "levels", "preempt", "rest", "quiesce", "elastic", "watch", "blocking",
            "mandatory", "metrics", "few", "sets", "fair", "random", "newest", "search", "hooks", "trace")
# In the names of the library only stands what is not as usual (WEFT_ABI in config.hpp).
USUAL = {**dict.fromkeys(SETTINGS, 0), "forks": 32, "levels": 1}
ABI = re.compile(r"v(\d+)_(\d+)_(\d+)_(\w+?)((?:_(?:" + "|".join(SETTINGS) + r")\d+u?)+)$")


def settings_of(words):
    """The last part of such a name: {setting: value}"""
    return {**USUAL, **{name: int(value) for name, value in re.findall(r"_([a-z]+)(\d+)", words)}}


def flags(word, names):
    return [name for name, bit in names.items() if word & bit]


def cores_of(word):
    """The cores whose bits are set in an idle word, or in the word of a set."""
    return [core for core in range(MOST_CORES) if word >> FIRST_CORE + core & 1]


def of_roster(word, field):
    shift, bits = ROSTER[field]
    return word >> shift & (1 << bits) - 1


def short(name):
    """A name without the namespace that carries version and settings."""
    return re.sub(r"weft::v\d+_\d+_\d+_\w+?_checks\d\w*::", "weft::", name)


def without_parameters(name):
    """`f<int (char)>::g(int) const` is `f<int (char)>::g`."""
    if not re.search(r"\)(?: const)?$", name):
        return name
    depth, at = 0, name.rindex(")") + 1
    while at > 0:
        at -= 1
        depth += (name[at] == ")") - (name[at] == "(")
        if depth == 0:
            break
    return name[:at]


def coroutine_of(symbol):
    """The coroutine whose function that is, as GCC or Clang names it; None: it is no coroutine's."""
    made = re.fullmatch(r"(.*?)(?:::)?_Z\w+\.Frame ?\*\)(?: \[clone \.(?:actor|cold|part\.\d+)\])*", symbol)
    if made:  # NAME(NAME<...>(...)::_Z...Frame*), or where DWARF names it NAME(_Z...Frame *)
        for at in (at for at, letter in enumerate(made[1]) if letter == "("):
            if at > 0 and made[1].startswith(made[1][:at], at + 1):
                return "coroutine " + without_parameters(made[1][at + 1:])
        return "coroutine " + without_parameters(made[1] + ")")
    made = re.fullmatch(r"(.*) \[clone \.resume\](?: \[clone \.cold\])?", symbol)
    if made is None:
        return None
    name, depth = without_parameters(made[1]), 0
    for at in range(len(name) - 1, -1, -1):  # what stands before the last blank is a type
        depth += (name[at] in ">)}") - (name[at] in "<({")
        if depth == 0 and name[at] == " ":
            name = name[at + 1:]
            break
    return f"coroutine {name}"


class Offer:
    """As the class of that name in fork.hpp."""

    def __init__(self, word, address_bytes):
        facts = OFFER[address_bytes]
        self.word = word
        self.oldest = word & (1 << facts["slot_bits"]) - 1
        self.count = word >> facts["slot_bits"] & (1 << facts["count_bits"]) - 1
        self.depth = word >> facts["slot_bits"] + facts["count_bits"] + facts["most"] - 1

    def has(self, slot):
        return self.word != 0 and self.oldest <= slot < self.oldest + self.count
