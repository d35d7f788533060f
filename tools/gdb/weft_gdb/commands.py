# SPDX-License-Identifier: MIT OR Apache-2.0
"""The commands: `weft pools`, `cores`, `queues`, `timers`, `joins`, `trace`, `why-asleep`, `clusters`."""
import contextlib
import os
import re

import gdb

from . import layout, since, sleep, trace
from .cores import MOST_FRAMES, Cores, run_name, threads_of_target
from .image import Image, Wrong, function_at, lines_of, member, number
from .pool import (describe_place, event_tasks, find_pools, plural, strand_tasks)

MOST_SHOWN = 32  # tasks of one queue


def say(*lines):
    for line in lines:
        gdb.write(line + "\n")


class Command(gdb.Command):
    """One word behind `weft`. `show()` gets the words of the user."""

    def __init__(self, name):
        super().__init__(f"weft {name}", gdb.COMMAND_DATA)

    def invoke(self, argument, from_tty):
        self.dont_repeat()
        try:
            self.show(gdb.string_to_argv(argument))
        except Wrong as wrong:
            raise gdb.GdbError(str(wrong)) from None
        except gdb.MemoryError as wrong:
            raise gdb.GdbError(f"weft: {wrong}") from None

    def show(self, words):
        raise NotImplementedError


def address(text):
    """What the user has written for a pool: an expression for it, for a pointer to it, or an address."""
    try:
        value = gdb.parse_and_eval(text)
    except gdb.error as wrong:
        raise Wrong(f"weft: `{text}` is no pool and no address: {wrong}") from None
    kind = value.type.strip_typedefs()
    if kind.code == gdb.TYPE_CODE_REF:
        value = value.referenced_value()
        kind = value.type.strip_typedefs()
    if kind.code == gdb.TYPE_CODE_STRUCT and value.address is not None:
        return within(kind, int(value.address))
    if kind.code == gdb.TYPE_CODE_PTR:
        return within(kind.target().strip_typedefs(), int(value))
    if kind.code not in (gdb.TYPE_CODE_INT, gdb.TYPE_CODE_PTR):
        raise Wrong(f"weft: `{text}` is neither a pool nor an address")
    return int(value)


def within(kind, at):
    """The Scheduler in an object of that type; the address itself, if that is not known to be one."""
    image = Image()
    image.scan()
    inside = [offset for offset, of, _ in image.parts_of(kind) if of == "Scheduler"]
    return at + inside[0] if inside else at


class OfPools(Command):
    """Shows something of each pool, or of the one that is named."""

    def show(self, words):
        given = [address(word) for word in words]
        image = Image()
        pools = find_pools(image, given)
        gone = any("Cannot access memory" in note for note in image.notes)
        if not pools and gone and not threads_of_target():  # of an image that was moved when it was loaded
            raise Wrong("weft: the program has ended, and its memory is gone. Stop it before: `break board::exit`, or "
                        "where it ends")
        for note in image.notes:
            say(f"weft: {note}")
        if given:
            pools = [pool for pool in pools if pool.address in given]
        if not pools:
            raise Wrong("weft: no pool is found: neither in static storage, nor by a static pointer, nor one that a "
                        "core works for. One on a stack or in a heap: `weft pools ADDRESS`")
        cores = self.look(image, pools)
        for pool in pools:
            say(f"{pool.name}: {plural(pool.cores, 'core')}, at {pool.address:#x}")
            for line in self.of(pool, cores):
                say(f"  {line}")

    def look(self, image, pools):
        return None

    def of(self, pool, cores):
        raise NotImplementedError


class WithCores(OfPools):
    def look(self, image, pools):
        cores = Cores(image, pools)
        for note in cores.notes:
            say(f"weft: {note}")
        return cores

    def of(self, pool, cores):
        raise NotImplementedError


class Pools(OfPools):
    """Every pool: what it was built with, and how it is.

weft pools [POOL ...]
Pools in static storage, those that static pointers, strands, gates, events, timers or works name, and those that cores
work for. Any other one by its address."""

    def of(self, pool, cores):
        image = pool.image
        settings = ", ".join(f"{name} {value}" for name, value in image.settings.items())
        roster = {field: layout.of_roster(pool.roster, field) for field in layout.ROSTER}
        marks = layout.flags(pool.idle, layout.IDLE)
        yield f"weft {'.'.join(map(str, image.version))}, port {image.port}; {settings}"
        yield (f"parked: {', '.join(map(str, layout.cores_of(pool.idle))) or 'none'}; marks: "
               f"{', '.join(marks) if marks else 'none'}")
        yield (f"live {roster['live']}"
               + (", sealed by its joiner" if roster["sealed"] else "")
               + (f", {plural(roster['callers'], 'core')} in a call" if roster["callers"] else "")
               + (f", {plural(roster['observers'], 'core')} in wait_idle()" if roster["observers"] else "")
               + (f", core {roster['joiner'] - 1} in join()" if roster["joiner"] else ""))
        yield f"queued: {plural(sum(len(tasks) for _, _, tasks in pool.queued()), 'task')}"
        if pool.request():
            standing = [core for core in range(pool.cores) if pool.stands(core)]
            yield (f"core {'?' if pool.owner() is None else pool.owner()} has all others stand still (request "
                   f"{pool.request()}); they stand: {', '.join(map(str, standing)) or 'none yet'}")
        if pool.searchers():
            yield "searching: {} of at most {}".format(*pool.searchers())
        if pool.has("elastic"):
            yield elastic_line(pool)
        if pool.has("blocking"):
            count = pool.blocking()
            yield f"blocking: {count['running']} run, of at most {count['most']}"


def elastic_line(pool):
    crew = pool.crew()
    retired = [core for core in range(pool.cores) if pool.is_retired(core)]
    line = (f"elastic: {crew['here']} here to stay, {crew['hired']} of at most "
            f"{'all' if crew['most'] >= layout.NO_LIMIT else crew['most']}; retired: "
            f"{', '.join(map(str, retired)) or 'none'}")
    if pool.has("timers"):
        ticks = number(pool.value, "keep_alive_")
        line += "; they leave " + ("when they are asked" if ticks == layout.FOR_EVER else
                                   f"when they have slept for {ticks} ticks, or are asked")
    return line


class CoreStates(WithCores):
    """Each core: its power state, what it does, its task, its stack.

weft cores [POOL ...]"""

    def of(self, pool, cores):
        waiting = {core for core, *_ in pool.waiters()}
        rate, hows = ticks_per_ms(pool.image)[0], set()
        for core in range(pool.cores):
            try:
                told = since.line(pool.image, core, rate) if pool.is_active(core) else None
                hows |= {told[1]} if told else set()
                yield from self.of_core(pool, cores, core, core in waiting, told)
            except gdb.MemoryError as wrong:
                yield f"core {core}: {wrong}: what it does is not in this dump"
        if hows:
            yield f"times: {', '.join(sorted(hows))}"
        elif not (pool.has("trace") or pool.has("watch")):
            yield "(for how long: by the recorder, WEFT_TRACE=1, or WEFT_WATCH=1)"

    def of_core(self, pool, cores, core, waits, told):
        retired = ", to leave (retired)" if pool.is_retired(core) and pool.is_active(core) else ""
        yield (f"core {core}: {pool.power(core)}, {doing(pool, core, cores)}{retired}"
               + (f", {told[0]}" if told else ""))
        worker = pool.workers[core]
        counters = member(worker, "counters")
        told = {name: number(counters, name) for name in ("executed", "stolen", "wakes")}
        more = [f"{what} {name}" for name, what in told.items()]
        failures = number(worker, "start_failures")
        if failures:
            more.append(plural(failures, "failed start"))
        if number(worker, "role"):
            more.append("has the waking role" if not pool.is_parked(core) else "gave up the waking role")
        yield f"  {', '.join(more)}"
        stack = cores.stacks.get(core)
        for line in stack_lines(pool, core, stack):
            yield f"  {line}"
        # Who sleeps in a join, or waits for a Work or Completion, does so in a task.
        in_task = pool.sleeps_in_join(core) or waits
        lacks = stack is not None and (not stack.is_whole() or (in_task and not stack.tasks()))
        if lacks and pool.is_active(core):
            why = (f"its stack has more than {MOST_FRAMES} frames" if stack.is_cut() else
                   f"gdb cannot unwind its stack from {stack.place()}")
            yield f"  {why}: what it runs is not seen"
        if cores.how.get(core):
            yield f"  ({cores.how[core]})"


def doing(pool, core, cores):
    tasks = " in ".join(run_name(task) for task in cores.task_of(core)[::-1])
    if not pool.is_active(core):
        stack = cores.stacks.get(core)
        where = f" (it is in {stack.place()})" if stack else ""
        return f"no worker of this pool{where}"
    within = f" in {tasks}" if tasks else ""
    if pool.is_preempted(core):
        below = "its sleep" if pool.is_parked(core) else "what it does"
        return f"running {tasks or 'a task'}, on top of {below} (it preempts)"
    if pool.stands(core):
        return f"stands still for core {pool.owner()}{within}"
    if pool.sleeps_in_join(core):
        return f"asleep in a join{within}"
    if pool.is_parked(core):
        return f"parked{nap(pool, core)}" if not tasks else f"parked, waits{within}"
    if number(pool.workers[core], "active") == layout.ACTIVE["in_function"]:
        return "in a function of on_all_asleep() or on_sleep()"
    stack = cores.stacks.get(core)
    if tasks:
        in_it = stack.is_in_task()
        return f"running {tasks}" + ("" if in_it else f" (in {stack.place()})")
    if pool.has("forks") and number(pool.forks[core], "idle_"):
        return "searching" + {None: "", True: ", also at others", False: ", at what is its own and what all share"}[
            pool.searches(core)]
    if stack and stack.calls():
        return "running a call from outside"
    return "running" + ("" if stack else " (no thread of gdb shows what)")


def nap(pool, core):
    """When it leaves, if it does."""
    end, known = pool.nap_end(core), since.now(pool.image)
    if end is None:
        return ""
    left = since.signed(end - known[0]) if known else None
    rate = ticks_per_ms(pool.image)[0]
    when = f"at tick {end}" if left is None else f"in {left / rate:.3f} ms" if rate else f"in {left} ticks"
    return f", leaves {when} if nothing comes"


def stack_lines(pool, core, stack):
    if not pool.has("checks"):
        return ["stack: its end is known to checked builds only"]
    limit = number(pool.workers[core], "stack_limit")
    if limit == 0:
        return ["stack: its end is not known"]
    inferior = gdb.selected_inferior()
    try:
        found = int.from_bytes(inferior.read_memory(limit, 4).tobytes(), "little")
    except gdb.MemoryError as wrong:
        return [f"stack: {wrong}"]
    if found != layout.CANARY:
        return [f"stack: OVERFLOWED, or not in use yet: {found:#x} stands at its end ({limit:#x}) in the canary's "
                "place"]
    line = f"stack: ends at {limit:#x}, canary intact"
    if stack is None or stack.sp is None or not limit < stack.sp < limit + (1 << 26):
        return [line]
    left = stack.sp - limit
    line += f"; {left} bytes left now"
    try:
        rest = inferior.read_memory(limit + 4, left - 4).tobytes()
    except gdb.MemoryError:
        return [line]
    # paint_stack(): words that are still painted. Without it memory that began as 0, perhaps.
    paint = layout.PAINT.to_bytes(4, "little")
    painted = next((at for at in range(0, len(rest), 4) if rest[at:at + 4] != paint), len(rest))
    untouched = len(rest) - len(rest.lstrip(b"\0"))
    if painted:
        line += f", at the worst {painted} (that many above the end are still painted)"
    elif untouched >= 16:
        line += f", at the worst {untouched} (that many above the end are still 0)"
    return [line]


class Queues(OfPools):
    """Every task that is queued, by its symbol, and where.

weft queues [POOL ...]
Also what strands, gates and events in static storage hold back, and what follows a core's leaving.
A task that a core has taken is in `weft cores`."""

    def of(self, pool, cores):
        some = False
        for name, _, tasks in pool.queued():
            some = True
            yield f"{name}: {plural(len(tasks), 'task')}"
            yield from listed(pool, tasks)
        for name, stack, _ in pool.stacks():
            _, held, closed = pool.tasks_of(stack)
            if held:
                yield f"{name}: a core holds it, and what it has taken out is not seen"
            if closed:
                yield f"{name}: closed"
        sources = [*self.followers(pool), *self.held_back(pool)]
        yield from sources
        if not some and not sources:
            yield "nothing is queued"
        if not pool.has("levels"):
            yield "(one level of urgency: WEFT_URGENCY_LEVELS=1)"
        if not pool.has("sets"):
            yield "(no sets of cores: WEFT_CORE_SETS=0)"

    @staticmethod
    def followers(pool):
        if not pool.has("elastic"):
            return
        for core in range(pool.cores):
            follower = number(pool.workers[core], "follower")
            if follower not in layout.NO_FOLLOWER:
                yield f"when core {core} has left: {pool.describe(follower)}"

    @staticmethod
    def held_back(pool):
        statics = pool.image.scan()
        for found in statics["Strand"]:
            if number(found.value, "pool_") != pool.address:
                continue
            tasks = strand_tasks(pool, found.value)
            if number(found.value, "pushed_") & layout.STRAND_SCHEDULED:
                yield f"strand {found.name}: scheduled, {plural(len(tasks), 'task')}"
                yield from listed(pool, tasks)
        for found in statics["Event"]:
            if number(found.value, "pool_") != pool.address:
                continue
            tasks, given = event_tasks(pool, found.value), number(found.value, "given_")
            if tasks or tasks.fault:
                yield (f"event {found.name}: {'set' if given & layout.EVENT_IS_SET else 'not set'}, "
                       f"{plural(len(tasks), 'task')} waiting")
                yield from listed(pool, tasks)
        for found in statics["Gate"]:
            if number(found.value, "pool_") != pool.address:
                continue
            seen = number(found.value, "word_")
            missing = seen & ~layout.GATE_QUEUED
            of = int(member(found.value, "arrivals_"))
            if seen & layout.GATE_QUEUED or missing != of:
                yield (f"gate {found.name}: " + ("open, its follower has not started" if seen & layout.GATE_QUEUED else
                       f"{missing} of {of} arrivals are missing"))
                yield f"  {pool.describe(number(found.value, 'follower_'))}"


def listed(pool, tasks):
    for task in tasks[:MOST_SHOWN]:
        yield f"  {pool.describe(task)}"
    if len(tasks) > MOST_SHOWN:
        yield f"  ... and {len(tasks) - MOST_SHOWN} more"
    if tasks.fault:
        yield f"  DAMAGED: {tasks.fault}"


def ticks_per_ms(image):
    """(ticks of a millisecond, where from); 0: not known."""
    told = gdb.convenience_variable("weft_ticks_per_ms")
    if told is not None:
        return int(told), "$weft_ticks_per_ms"
    if image.port.startswith("host"):
        return layout.HOST_TICKS_PER_MS, "the host's"
    try:
        return int(gdb.parse_and_eval("weft_image_ticks_per_ms").cast(gdb.lookup_type("unsigned int"))), "the image's"
    except gdb.error:
        return trace.newest_tick()[1], "the recorder's"


class Timers(OfPools):
    """The armed timers, the first deadline first.

weft timers [POOL ...]
Ticks are those of Port::now(). Their length is taken from the image, or from the recorder; else say it:
set $weft_ticks_per_ms = 62500"""

    def of(self, pool, cores):
        if not pool.has("timers"):
            yield "timers are not in this build (WEFT_TIMERS=0)"
            return
        queue = pool.timers
        timers, faults = pool.armed_timers()
        rate, _ = ticks_per_ms(pool.image)
        base = number(queue, "base_")
        newest, _ = trace.newest_tick()
        since, what = (base, "the last change of the timers") if newest is None else (newest, "the newest event")
        if timers:
            yield f"times are counted from tick {since}, {what}" + ("" if rate else "; the rate of the clock is not "
                                                                                    "known")
        for at in timers:
            yield self.line(pool, at, since, rate)
        for at in pool.requested_timers():
            yield f"{describe_place(at)}: asks for a change, and the holder of the queue has not seen it yet"
        for fault in faults:
            yield f"DAMAGED: {fault}"
        if number(queue, "word_") & layout.TIMER_QUEUE["held"]:
            yield "a core holds the queue: the list may lie between two steps"
        if not timers:
            yield "no timer is armed"
        elif pool.is_set("unwatched"):
            yield "nobody watches the first deadline"
        else:
            yield f"core {number(queue, 'watcher_')} watches the first deadline"

    @staticmethod
    def line(pool, at, since, rate):
        timer = pool.image.at("Timer", at)
        key, period, slack = number(timer, "key_"), number(timer, "period_"), number(timer, "slack_")
        left = key - since & 0xffffffff
        left -= (left >> 31) << 32
        state = number(timer, "state_")

        def time(ticks):
            return f"{ticks} ticks" + (f" ({ticks / rate:.3f} ms)" if rate else "")

        line = f"{describe_place(at)}: due at tick {key}, in {time(left)}"
        line += f", every {time(period)}" if period else ", once"
        line += f", slack {time(slack)}" if slack else ""
        line += f", {number(timer, 'missed_')} missed" if number(timer, "missed_") else ""
        line += ", its last run has not ended" if state & layout.TIMER["fired"] else ""
        if state & layout.TIMER["between"]:
            line += ", ABOUT TO BE STARTED anew by a call under way"
        elif not state & layout.TIMER["armed"]:
            line += ", DISARMED by a cancel() that the holder has not seen"
        return line + f"; follower {pool.describe(number(timer, 'follower_'))}"


class Joins(WithCores):
    """Who waits for whom: forks and groups, wait(), calls from outside, wait_idle(), join().

weft joins [POOL ...]"""

    def of(self, pool, cores):
        lines = []
        if pool.has("forks"):
            for core in range(pool.cores):
                lines += self.forks(pool, core, cores)
        else:
            lines.append("fork-join is not in this build (WEFT_FORK_DEPTH=0)")
        lines += self.waits(pool, cores)
        roster = {field: layout.of_roster(pool.roster, field) for field in layout.ROSTER}
        if roster["callers"]:
            lines.append(f"{plural(roster['callers'], 'core')} outside of the pool "
                         f"sleep{'s' if roster['callers'] == 1 else ''} until a worker has done a call")
        if pool.has("rest"):
            rest = member(pool.value, "rest_")
            sleepers = number(rest, "sleepers_")
            for core in range(pool.cores):
                if sleepers >> core & 1:
                    lines.append(f"core {core} is in wait_idle()")
            if number(rest, "asked_") != number(rest, "served_") and not sleepers:
                lines.append("a foreign core is in wait_idle()")
        if roster["joiner"]:
            lines.append(f"core {roster['joiner'] - 1} is in join(), and waits "
                         + (f"for {plural(roster['live'], 'core')}" if pool.is_set("closing") else "for shutdown()"))
        return lines or ["nobody waits for anybody"]

    @staticmethod
    def forks(pool, core, cores):
        lines = []
        offer = pool.offer_of(core)
        stack = cores.stacks.get(core)
        waits = pool.sleeps_in_join(core) or (stack is not None and stack.has(r"::ForkDeque::wait\b"))
        frames = pool.frames_of(core)
        for slot, _, marks, function in frames:
            what = function_at(function) if function else "a child"
            thief = pool.thief_of(core, slot)
            by = f"core {thief}" if thief is not None else "another core"
            if function == 0:
                state = f"done by {by}"
            elif offer.has(slot):
                state = "on offer"
            elif marks & layout.SLOT["begun"]:
                state = f"{by} runs it"
            elif thief is not None and waits and slot == frames[-1][0]:
                state = f"taken by {by}"
            else:
                state = "not shared"
            if waits and slot == frames[-1][0]:
                lines.append(f"core {core} waits" + (", asleep," if pool.sleeps_in_join(core) else "")
                             + f" for {what}: {state}")
            else:
                lines.append(f"core {core} has forked {what}: {state}")
        skipped = number(pool.forks[core], "skipped_")
        if skipped:
            lines.append(f"core {core}: {plural(skipped, 'level')} of forks found no room, and run serially")
        return lines

    @staticmethod
    def waits(pool, cores):
        lines, told = [], set()
        for core, name, value, marks in pool.waiters():
            told.add(core)
            state = "it runs" if "running" in marks else "its turn has not come"
            runner = [other for other in cores.stacks if cores.task_of(other) and
                      run_name(cores.task_of(other)[-1]) == function_at(int(member(value, "run_")))]
            by = f" on core {runner[0]}" if "running" in marks and len(runner) == 1 else ""
            tasks = cores.task_of(core)
            within = f" in {run_name(tasks[-1])}" if tasks else ""
            lines.append(f"core {core}{within} waits for {name} ({function_at(int(member(value, 'run_')))}): "
                         f"{state}{by}"
                         + (", taken back" if "cancelled" in marks else ""))
        for core, stack in sorted(cores.stacks.items()):
            if core < pool.cores and core not in told and stack.has(r"::Scheduler::attend\b"):
                lines.append(f"core {core} waits for a Work or Completion that is not in static storage")
            if core < pool.cores and any(re.search(r"::Errand::run\b", task) for task in stack.tasks()):
                asleep = [other for other in cores.stacks if other >= pool.cores and
                          cores.stacks[other].has(r"::Errand::wait\b|::Scheduler::call\b")]
                who = f"core {asleep[0]}" if len(asleep) == 1 else "a core outside of the pool"
                lines.append(f"core {core} runs a call from outside, for which {who} sleeps")
        return lines


class WhyAsleep(WithCores):
    """Whether the invariants hold by which no wake-up is lost, and which one is broken.

weft why-asleep [POOL ...]
The claims are those in src/idle.cpp, src/timer.cpp, src/core_set.cpp and src/rest.cpp."""

    def of(self, pool, cores):
        return sleep.lines_of(pool, cores)


class Trace(Command):
    """The recorder's rings, into a file for tools/trace.

weft trace [FILE]
FILE is weft-trace.bin unless you say another one. Needs no debug information."""

    def show(self, words):
        if len(words) > 1:
            raise Wrong("weft: one FILE, please: weft trace [FILE]")
        try:
            say(*trace.dump(words[0] if words else "weft-trace.bin"))
        except OSError as wrong:
            raise Wrong(f"weft: {wrong.filename}: {wrong.strerror}") from None


class Clusters(Command):
    """Attaches to all further clusters of an emulated board: QEMU shows each as a process.

weft clusters [quiet]
For `target extended-remote`. Where there are no others nothing changes. `quiet`: without what gdb says on the way, for
scripts at a terminal."""

    MOST = 16

    def show(self, words):
        first = gdb.selected_inferior()
        target = " ".join(lines_of("info inferiors"))
        if "extended-remote" not in target:
            raise Wrong("weft: clusters are found by `target extended-remote`, and that is not connected")
        if words not in ([], ["quiet"]):
            raise Wrong("weft: weft clusters [quiet]")
        with Silence() if words else contextlib.nullcontext():
            found = self.attach(first)
        threads = sum(len(inferior.threads()) for inferior in gdb.inferiors())
        say(f"{plural(found, 'cluster')}, {plural(threads, 'core')}")
        if found > 1 and not gdb.parameter("schedule-multiple"):
            # Else `continue` lets one cluster run, and it waits for the cores of the others.
            gdb.execute("set schedule-multiple on")
            say("weft: set schedule-multiple on: all clusters run together")

    def attach(self, first):
        image = gdb.current_progspace().filename
        found = 1
        for process in range(2, self.MOST):
            before = {inferior.num for inferior in gdb.inferiors()}
            try:
                gdb.execute("add-inferior" + (f" -exec {image}" if image else ""), to_string=True)
                added = next(one for one in gdb.inferiors() if one.num not in before)
                gdb.execute(f"inferior {added.num}", to_string=True)
                gdb.execute(f"attach {process}", to_string=True)
                found += 1
            except gdb.error:
                gdb.execute(f"inferior {first.num}", to_string=True)
                gdb.execute(f"remove-inferiors {added.num}", to_string=True)
                break
        gdb.execute(f"inferior {first.num}", to_string=True)
        return found


class Silence:
    """gdb tells the user of each inferior that it selects, past `to_string`: so its output goes nowhere meanwhile."""

    def __enter__(self):
        gdb.flush()
        self.output = os.dup(1)
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, 1)
        os.close(nowhere)

    def __exit__(self, *_):
        gdb.flush()
        os.dup2(self.output, 1)
        os.close(self.output)


class Prefix(gdb.Command):
    """What a weft pool is doing: weft pools, cores, queues, timers, joins, trace, why-asleep, clusters."""

    def __init__(self):
        super().__init__("weft", gdb.COMMAND_DATA, gdb.COMPLETE_NONE, True)

    def invoke(self, argument, from_tty):
        gdb.execute("help weft")


def register():
    Prefix()
    for name, kind in (("pools", Pools), ("cores", CoreStates), ("queues", Queues), ("timers", Timers),
                       ("joins", Joins), ("trace", Trace), ("why-asleep", WhyAsleep), ("clusters", Clusters)):
        kind(name)

