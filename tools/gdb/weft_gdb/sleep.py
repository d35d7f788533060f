# SPDX-License-Identifier: MIT OR Apache-2.0
"""`weft why-asleep`: the claims of src/idle.cpp and its neighbours, on a target that is stopped.

A snapshot may lie between two steps of a core. So what is broken is told from what may still be under way: as long as a
core stands in the scheduler, or (where that can be seen) has an event that it has not taken yet, nothing is certain.
"""
import re

import gdb

from . import layout
from .image import member, number
from .pool import plural
from .trace import memory


def names(cores):
    return ", ".join(map(str, cores))


class Verdict:
    def __init__(self):
        self.broken, self.notes, self.held, self.movers, self.unseen = [], [], [], [], []

    def check(self, good, holds, claim, broken):
        if good:
            self.held.append(f"{holds} ({claim})")
        else:
            self.broken.append(f"{broken} ({claim})")


class Asleep:
    def __init__(self, pool, cores):
        self.pool, self.cores, self.verdict = pool, cores, Verdict()
        all_of_it = range(pool.cores)
        self.active = [core for core in all_of_it if pool.is_active(core)]
        self.standing = [core for core in self.active if pool.stands(core)]
        self.parked = [core for core in all_of_it if pool.is_parked(core) and core not in self.standing]
        self.joining = [core for core in self.active if pool.sleeps_in_join(core)]
        self.awake = [core for core in self.active
                      if core not in self.parked and core not in self.joining and core not in self.standing]
        self.powers = [pool.power(core) for core in all_of_it]
        self.coming = [core for core in all_of_it if self.powers[core] in ("claimed", "starting")]
        self.queued = pool.queued()

    def judge(self):
        verdict, pool = self.verdict, self.pool
        of_features = {"timers": self.check_timers, "forks": self.check_joins, "rest": self.check_rest,
                       "quiesce": self.check_standstill, "elastic": self.check_elastic, "few": self.check_searchers}
        checks = [self.find_movers, self.check_words, self.check_queues, self.check_stacks, self.check_starts,
                  *(check for feature, check in of_features.items() if pool.has(feature)), self.check_end]
        for check in checks:
            try:
                check()
            except gdb.MemoryError as wrong:  # a dump may have a part of the memory
                what = check.__name__.split("_", maxsplit=1)[1]
                verdict.unseen.append(f"{what}: {wrong}")
        if not pool.has("timers"):
            verdict.notes.append("timers are not in this build (WEFT_TIMERS=0)")
        return verdict

    def find_movers(self):
        """Cores that are between two steps of the scheduler, as far as that is seen."""
        movers = self.verdict.movers
        stacks = dict(self.cores.stacks)
        for core in self.awake:
            stack = stacks.get(core)
            if stack is None:
                movers.append(f"core {core} is awake, and no thread of gdb shows where")
            elif not stack.is_in_task() or not stack.is_whole():
                movers.append(f"core {core} is awake, in {stack.place()}")
        others = [(f"thread {stack.thread.global_num}", stack) for stack in self.cores.others]
        others += [(f"core {core}", stack) for core, stack in stacks.items() if core not in self.active]
        movers += [f"{name} is in {stack.place()}" for name, stack in others if stack.acts()]
        movers += [f"core {core} runs a task on top of its sleep" for core in self.parked
                   if core in self.active and self.pool.is_preempted(core)]
        for core in [*self.parked, *self.joining]:
            event = has_event(self.pool.image, core)
            if event:
                movers.append(f"core {core} has been unparked, and has not come yet")
            elif event is False and self.pool.image.port.startswith("riscv") and core in stacks and \
                    stacks[core].has_come_back():
                movers.append(f"core {core} has come back from its sleep, and is in {stacks[core].place()}")

    # ---- The word itself

    def check_words(self):
        pool, verdict = self.pool, self.verdict
        strange = [core for core in layout.cores_of(pool.idle) if core >= pool.cores]
        verdict.check(not strange, "the idle word has bits of this pool's cores only", "idle word",
                      f"the idle word says that core {names(strange)} is parked, and the pool has "
                      f"{plural(pool.cores, 'core')}")
        gone = [core for core in self.parked if core not in self.active]
        verdict.check(not gone, "who is parked works for this pool", "idle word",
                      f"the idle word says that core {names(gone)} is parked, and it is no worker of this pool")
        live = layout.of_roster(pool.roster, "live")
        least = len([core for core in self.active if core not in self.coming])
        verdict.check(live >= least, "the roster counts all workers", "roster",
                      f"the roster counts {live}, and {plural(least, 'core')} work: join() may return too early")
        # A chosen core has no bit, so somebody is here who has none, or comes.
        holder = self.awake or self.coming or [core for core in self.active if core not in self.parked]
        lost = pool.is_set("waking") and not holder and not pool.is_set("closing")
        verdict.check(not lost, "the waking role has a holder, or nobody has it",
                      "claim 3", "`waking` is set, and all cores that are here are parked: nobody holds the role, and "
                      "it swallows every notify")
        for core in self.awake:
            stack = self.cores.stacks.get(core)
            if stack and stack.is_in_task() and number(pool.workers[core], "role"):
                verdict.broken.append(f"core {core} runs a task, and has kept the waking role (claim 3b)")

    # ---- What is queued

    def visible(self):
        """Queues that any core may take from, and that a last look counts."""
        pool = self.pool
        found = [(name, tasks) for name, cores, tasks in self.queued if cores is None and name.startswith("ring")]
        held = {name for name, stack, _ in pool.stacks() if not pool.looks_nonempty(stack)}
        found += [(name, tasks) for name, cores, tasks in self.queued
                  if cores is None and not name.startswith("ring") and name not in held]
        return found

    def offers(self):
        if not self.pool.has("forks"):
            return []
        return [core for core in range(self.pool.cores) if self.pool.offer_of(core).word]

    def check_queues(self):
        pool, verdict = self.pool, self.verdict
        for name, _, tasks in self.queued:
            if tasks.fault:
                verdict.broken.append(f"{name}: {tasks.fault} (the queue is damaged)")
        work = [f"{name} has {plural(len(tasks), 'task')}, first {pool.describe(tasks[0])}"
                for name, tasks in self.visible() if tasks]
        work += [f"core {core} offers a forked child" for core in self.offers()]
        is_silent = self.parked and not pool.is_set("waking") and not pool.is_set("closing")
        verdict.check(not (work and is_silent), "nothing that any core may take waits while one is parked and nobody "
                      "is being woken", "claims 1 and 2",
                      f"core {names(self.parked)} is parked, nobody is waking, and work is queued: {'; '.join(work)}. "
                      "Either the last look of that core has missed it (claim 1), or who queued it has woken nobody "
                      "(claim 2)")
        if work and not self.active and not self.coming:
            verdict.notes.append("work is queued, and no core is here or on its way: a handler starts none, and who "
                                 "submits from outside none that has refused. It waits for the next submit(), run() "
                                 f"or poll(): {'; '.join(work)}")
        elif work and self.awake and not self.parked:
            verdict.notes.append(f"core {names(self.awake)} looks for the work that is queued when its task ends")
        for name, stack, cores in pool.stacks():
            if cores is None or not pool.looks_nonempty(stack):
                continue
            asleep = [core for core in cores if core in self.parked]
            claim = "claim 10" if name.startswith("set") else "claim 18" if name == "blocking" else "submit_on()"
            verdict.check(not asleep or pool.is_set("closing"), f"nobody sleeps beside the tasks {name}", claim,
                          f"there are tasks in the queue `{name}`, and core {names(asleep)} sleeps on: it was not "
                          "unparked for them, or has not looked")
            if name == "blocking":
                if not asleep:
                    verdict.notes.append("blocking tasks wait: as many run as may, or no core sleeps that may take one")
                continue
            if not asleep and not [core for core in cores if core in self.active or core in self.coming]:
                verdict.notes.append(f"the tasks in `{name}` wait: none of these cores is here or on its way "
                                     f"({', '.join(f'core {core} {self.powers[core]}' for core in cores)})")

    def check_stacks(self):
        held = []
        for name, stack, _ in self.pool.stacks():
            if number(stack, "word_") & layout.STACK["consuming"]:
                held.append(name)
        joiner = layout.of_roster(self.pool.roster, "joiner")
        self.verdict.check(not held or self.awake or joiner, "no queue is held by a core that sleeps", "claim 4",
                           f"the consumer side of {', '.join(held)} is held, and no core is awake who could hold it: "
                           "what is in there is stranded")

    # ---- Cores that are off

    def check_starts(self):
        pool, verdict = self.pool, self.verdict
        off = [core for core in range(pool.cores) if self.powers[core] == "off" and not pool.is_retired(core)]
        if pool.has("elastic") and pool.crew()["hired"] >= pool.crew()["most"]:
            off = []  # as many are here as may be
        may = pool.is_set("can_start") or pool.is_set("can_retry")
        verdict.check(not off or may or self.coming or self.awake, "a core that is off can be started", "claim 5",
                      f"core {names(off)} is off, none is on its way, and neither can_start nor can_retry is set: no "
                      "notify will ever start one")
        for core in self.coming:
            verdict.notes.append(f"core {core} is on its way ({self.powers[core]}, since tick "
                                 f"{number(pool.workers[core], 'started_at')}). If it does not come, the next submit "
                                 "behind the deadline tries another one")
        absent = [core for core in range(pool.cores) if self.powers[core] == "absent"]
        if absent:
            verdict.notes.append(f"core {names(absent)} does not exist, says the port")

    def check_standstill(self):
        pool, verdict = self.pool, self.verdict
        if not pool.request():
            return
        verdict.notes.append(f"core {pool.owner()} has all others stand still: nothing runs until its resume()")
        asleep = [core for core in [*self.parked, *self.joining] if core != pool.owner()]
        verdict.check(not asleep, "nobody sleeps while all are to stand still", "claim 12",
                      f"core {names(asleep)} sleeps, and is to stand still: its unpark was lost, and quiesce() can "
                      "only time out")

    def check_searchers(self):
        pool, verdict = self.pool, self.verdict
        count, most = pool.searchers()
        counted = [core for core in self.active if pool.searches(core)]
        verdict.check(count == len(counted), "who is counted as searching does so", "claim 22",
                      f"{count} are counted as searching, and {plural(len(counted), 'core')} is: one that parks leaves "
                      "its last look to nobody")
        verdict.check(count <= most, "no more search than may", "SEARCHERS 1.1",
                      f"{count} search, and at most {most} may")
        asleep = [core for core in counted if core in self.parked]
        verdict.check(not asleep, "nobody sleeps who is counted as searching", "claim 22",
                      f"core {names(asleep)} sleeps, and is counted as searching: those that park leave it their last "
                      "look")

    def check_elastic(self):
        pool, verdict, crew = self.pool, self.verdict, self.pool.crew()
        verdict.check(crew["here"] <= crew["hired"] and (crew["here"] <= len(self.active) or pool.is_set("closing")),
                      "those that are here to stay are at work", "claim 15",
                      f"{crew['here']} are counted as here, {crew['hired']} as hired, and {len(self.active)} work")
        asleep = [core for core in self.parked if pool.is_retired(core)]
        verdict.check(not asleep or crew["here"] < 2 or pool.is_set("closing"), "nobody sleeps on who is to leave",
                      "claim 14", f"core {names(asleep)} is retired, is not the last one here, and sleeps on: it was "
                      "not unparked")

    # ---- Timers

    def check_timers(self):
        pool, verdict, queue = self.pool, self.verdict, self.pool.timers
        armed, word = number(queue, "armed_") != 0, number(queue, "word_")
        timers, faults = pool.armed_timers()
        verdict.broken += [f"{fault} (the heap of timers)" for fault in faults]
        held = word & layout.TIMER_QUEUE["held"] != 0
        asking = pool.requested_timers()
        verdict.check(not held or self.awake or self.verdict.movers, "the timers are held by nobody who sleeps",
                      "timer_queue.hpp", "the queue of timers is held, and no core is awake who could hold it")
        verdict.check(held or not asking, "no request to the timers is left lying", "timer_queue.hpp",
                      f"{plural(len(asking), 'request')} to the timers, and nobody holds the queue who would see to "
                      "them")
        if not held:
            verdict.check(armed == bool(timers), "`armed_` says what the heap says", "timer_queue.hpp",
                          f"armed_ is {int(armed)}, and there are {len(timers)} timers in the heap")
            if timers and armed:
                first, key = number(queue, "first_"), number(pool.image.at("Timer", timers[0]), "key_")
                verdict.check(first == key, "the first deadline is that of the heap", "claim 6",
                              f"first_ is {first}, and the first timer is due at {key}: an alarm is set to the wrong "
                              "time")
        if not (armed and self.parked):
            if armed and not self.active:
                verdict.notes.append("timers are armed, and no core of the pool is here to watch them")
            return
        watcher = number(queue, "watcher_")
        if pool.is_set("unwatched"):
            verdict.check(self.awake, "who is awake will see to it that somebody watches", "claim 6",
                          f"a timer is armed, core {names(self.parked)} is parked, and nobody watches (`unwatched`): "
                          "no alarm is set")
        else:
            verdict.check(watcher in self.active, f"core {watcher} watches the first deadline", "claim 6",
                          "a timer is armed, `unwatched` is clear, and the watcher is "
                          + (f"core {watcher}, which does not work for this pool" if watcher < pool.cores else "nobody")
                          + ": no alarm is set")

    # ---- Joins and waits

    def check_joins(self):
        pool, verdict = self.pool, self.verdict
        for core in self.joining:
            frames = pool.frames_of(core)
            if not frames:
                continue
            slot, _, _, function = frames[-1]
            verdict.check(function != 0, f"core {core} sleeps in a join whose child runs", "join",
                          f"core {core} sleeps in a join, and the child has ended: its thief's unpark was lost")
            deeper = pool.depth_of(core, slot) + 1
            deep = [other for other in self.offers() if pool.offer_of(other).depth >= deeper]
            verdict.check(not deep, f"nothing that core {core} could help with is on offer", "waiters_",
                          f"core {core} sleeps in a join, and core {names(deep)} offers a child that it could run: it "
                          "was not told")

    def check_rest(self):
        pool, verdict = self.pool, self.verdict
        asked = number(member(pool.value, "rest_"), "asked_")
        served = number(member(pool.value, "rest_"), "served_")
        turns = [number(worker, "turns") & 1 for worker in pool.workers]
        waits = [number(worker, "waits") for worker in pool.workers]
        is_idle = not any(turns) and not any(waits) and not self.queued and not self.offers() and \
            not pool.is_set("closing")
        verdict.check(asked == served or not is_idle, "nobody waits for a rest that has come", "claim 9",
                      "the pool is at rest, and who waits in wait_idle() was not told")
        in_function = [core for core in range(pool.cores)
                       if number(pool.workers[core], "active") == layout.ACTIVE["in_function"]]
        verdict.check(not pool.is_set("calling") or in_function, "who calls the image's function is there", "claim 9",
                      "`calling` is set, and no core is in the function of on_all_asleep()")

    def check_end(self):
        pool, verdict = self.pool, self.verdict
        closing = pool.is_set("closing")
        verdict.check(not (closing and self.parked), "nobody is parked in a pool that ends", "shutdown()",
                      f"the pool was shut down, and core {names(self.parked)} sleeps on: its unpark was lost")
        joiner = layout.of_roster(pool.roster, "joiner")
        if closing and layout.of_roster(pool.roster, "live") == 0 and not joiner and not self.active:
            verdict.notes.append("the pool has ended: all cores have left it")
        if joiner:
            live = layout.of_roster(pool.roster, "live")
            if not closing:
                verdict.notes.append(f"core {joiner - 1} is in join(), and nobody has called shutdown(): it waits for "
                                     "ever unless somebody will")
            elif live == 0:
                verdict.notes.append(f"core {joiner - 1} is in join(), and all have left: it is about to return")
            else:
                verdict.notes.append(f"core {joiner - 1} is in join(), and waits for {plural(live, 'core')}")


def has_event(image, core):
    """Whether a core has an event that it has not taken yet; None: that is in the core, and cannot be seen. On the host
    it is a word, on RISC-V a register of the CLINT (but where MSIP is an interrupt, or a bit among others)."""
    try:
        if image.port.startswith("host"):
            return number(gdb.parse_and_eval("'weft::host::events'")[core], "word") == layout.HOST_NOTIFIED
        if re.match(r"riscv_(?!preempt_|.*softirq_)", image.port):
            at = int(gdb.parse_and_eval("weft_image_msip").cast(gdb.lookup_type("unsigned long"))) + 4 * core
            msip = memory(at, 4)
            return msip[0] & 1 == 1 if len(msip) == 4 else None
    except (gdb.error, OverflowError):
        pass
    return None


def lines_of(pool, cores):
    """What `weft why-asleep` says of a pool, as lines; and how many claims are broken."""
    asleep = Asleep(pool, cores)
    verdict = asleep.judge()
    lines = []

    def of(cores_of_it):
        return names(cores_of_it) if cores_of_it else "none"

    away = [core for core in range(pool.cores) if core not in asleep.active and core not in asleep.coming]
    standing = f"; stand still {of(asleep.standing)}" if asleep.standing else ""
    lines.append(f"cores: parked {of(asleep.parked)}; asleep in a join {of(asleep.joining)}{standing}; awake "
                 f"{of(asleep.awake)}; on their way {of(asleep.coming)}; not here {of(away)}")
    if verdict.broken and verdict.movers:
        lines += [f"not certain: {broken}" for broken in verdict.broken]
        lines += [f"  for {mover}" for mover in verdict.movers]
        lines.append("a core is between two steps: let the target run for a moment, stop it, and ask again. What is "
                     "still there then is broken")
    elif verdict.broken:
        lines += [f"BROKEN: {broken}" for broken in verdict.broken]
        if has_event(pool.image, 0) is None:
            lines.append("(an event that a core has not taken yet cannot be seen on this port: if the target was "
                         "stopped in that moment, it is gone when you ask again)")
    lines += [f"holds: {held}" for held in verdict.held]
    lines += [f"note: {note}" for note in verdict.notes]
    lines += [f"not seen: {unseen}" for unseen in verdict.unseen]
    if verdict.unseen:
        lines.append("this dump has not all of the memory: what was looked at is above, and the rest may be broken")
    elif not verdict.broken:
        lines.append(f"all {plural(len(verdict.held), 'invariant')} of sleep hold"
                     + (": the pool sleeps because there is nothing to do" if not asleep.queued and asleep.parked
                        and not asleep.awake and not asleep.joining else ""))
    return lines

