# SPDX-License-Identifier: MIT OR Apache-2.0
"""One pool: its cores, its queues, its timers, its forks, as they stand in memory."""
import gdb

from . import layout
from .image import Wrong, address_of, function_at, member, number, symbol_at, word

MOST_TASKS = 100000  # of one list: a longer one runs in a circle


class Listed(list):
    """Tasks of a list, and what is wrong with it."""

    fault = None


class Pool:
    def __init__(self, image, value, name):
        self.image, self.value, self.name = image, value, name
        self.address = address_of(value)
        self.cores = int(member(value, "cores_"))
        self.idle = number(member(value, "idle_"), "word_")
        self.roster = number(member(value, "roster_"), "word_")
        self.workers = []
        if 1 <= self.cores <= layout.MOST_CORES:
            workers, forks = member(value, "workers_"), member(value, "forks_")
            self.workers = [(workers + core).dereference() for core in range(self.cores)]
            self.forks = [(forks + core).dereference() for core in range(self.cores)] if self.has("forks") else []

    def has(self, setting):
        return self.image.settings[setting] > (1 if setting == "levels" else 0)

    def is_parked(self, core):
        return self.idle >> layout.FIRST_CORE + core & 1 == 1

    def is_set(self, name):
        return self.idle & layout.IDLE[name] != 0

    def power(self, core):
        power = number(self.workers[core], "power")
        return layout.POWER[power] if power < len(layout.POWER) else f"unknown ({power})"

    def is_active(self, core):
        return number(self.workers[core], "active") != 0

    # ---- Settings that came later: cores that stand still, cores that leave

    def request(self):
        """The number of the request to stand still; 0: there is none, or it is not in this build."""
        return number(member(self.value, "standstill_"), "request_") if self.has("quiesce") else 0

    def owner(self):
        """The core that has the others stand; None: not known (yet)."""
        return number(self.value, "owner_") - 1 if self.request() and number(self.value, "owner_") else None

    def stands(self, core):
        request = self.request()
        return request != 0 and number(member(self.workers[core], "stand"), "number_") == request

    def crew(self):
        """{here, hired, most}"""
        seen = number(self.value, "crew_")
        return {name: seen >> shift & (1 << bits) - 1 for name, (shift, bits) in layout.CREW.items()}

    def blocking(self):
        """{running, most}"""
        seen = number(self.value, "state_")
        return {name: seen >> shift & (1 << bits) - 1 for name, (shift, bits) in layout.BLOCKING.items()}

    def searchers(self):
        """(how many are counted, how many may be); None: there is no limit in this build."""
        return (number(self.value, "searchers_"), max(self.cores // 2, 1)) if self.has("few") else None

    def searches(self, core):
        """Whether it is counted among those that look at others; None: it looks for nothing, or there is no limit."""
        search = number(self.workers[core], "search") if self.has("few") else 0
        return None if search == 0 else search == layout.SEARCH["searches"]

    def nap_end(self, core):
        """The tick at which a core that sleeps leaves, if nothing comes; None: it stays."""
        if not self.has("elastic") or not self.has("timers"):
            return None
        worker = self.workers[core]
        return number(worker, "nap_end") if number(worker, "nap") == layout.NAP["limited"] else None

    def is_preempted(self, core):
        return number(self.workers[core], "active") == layout.ACTIVE["preempted"]

    def is_retired(self, core):
        return self.has("elastic") and number(self.value, "retired_") >> core & 1 == 1

    def sleeps_in_join(self, core):
        """It has a frame, and nothing to do: asleep, or about to be. (Its bit in `waiters_` is there while it sleeps.
        On an emulated Cortex-M, whose WFE ends by itself, it goes round.)"""
        return (self.has("forks") and not self.is_parked(core) and number(self.forks[core], "idle_") == 1
                and self.frames_of(core) != [])

    def waiters(self):
        """Who waits for a Work or Completion in static storage: (core, its name, its value, its round's marks). Core
        '?': a dump lacks the stack that says so."""
        for found in self.image.scan()["Waitable"]:
            if number(found.value, "pool_") != self.address:
                continue
            waiter, marks = round_of(found.value)
            if waiter:
                try:
                    core = number(self.image.at("detail::Waiter", waiter), "core_")
                except gdb.MemoryError:
                    core = "?"
                yield core, found.name, found.value, marks

    def why_none(self):
        """Why there is no pool at this address; None: it looks like one."""
        try:
            if self.cores == 0:
                return "its number of cores is 0: it was never constructed"
            if self.cores > layout.MOST_CORES:
                return f"it would have {self.cores} cores, and a pool has at most {layout.MOST_CORES}"
            for core, worker in enumerate(self.workers):
                if int(member(worker, "core")) != core:
                    return f"the place of core {core}'s worker says that it is of core {int(member(worker, 'core'))}"
                mask = int(member(member(worker, "ring"), "mask_"))
                if mask == 0 or mask & mask + 1 or mask > 0xffff:
                    return f"the ring of core {core} would have {mask + 1} slots, which is no power of two"
        except gdb.MemoryError as wrong:
            return str(wrong)
        return None

    # ---- Tasks and lists

    def task_at(self, address):
        return self.image.at("Task", address)

    def next_of(self, address):
        """The task behind it. Wrong: its link is not that of a queued task."""
        link = word(member(self.task_at(address), "link_"))
        if not self.has("checks"):
            return link
        if link & 2 * self.image.address_bytes - 1 != 1:
            raise Wrong(f"{describe_place(address)}: its link ({link:#x}) is not that of a queued task: it has ended, "
                        "or was made anew, while it was queued")
        return link - 1

    def list_from(self, first):
        tasks, seen = Listed(), set()
        while first != 0:
            if first in seen or len(tasks) >= MOST_TASKS:
                tasks.fault = "the list runs in a circle"
                break
            seen.add(first)
            tasks.append(first)
            try:
                first = self.next_of(first)
            except (Wrong, gdb.MemoryError) as wrong:
                tasks.fault = str(wrong)
                break
        return tasks

    def ring(self, core):
        ring = member(self.workers[core], "ring")
        head, tail = number(ring, "head_"), number(ring, "tail_")
        mask, slots = int(member(ring, "mask_")), member(ring, "slots_")
        tasks, count = Listed(), tail - head & 0xffffffff
        if count > mask + 1:
            tasks.fault = f"it would hold {count} tasks in {mask + 1} slots (head {head:#x}, tail {tail:#x})"
            return tasks
        for at in range(count):
            tasks.append(word((slots + (head + at & mask)).dereference()))
        newest = number(ring, "task_") if self.has("newest") else 0
        if newest:
            tasks.append(newest)
        return tasks

    def stacks(self):
        """[(name, stack, cores that may take from it; None: all)] of all lists."""
        found = [("injector", member(self.value, "injector_"), None)]
        if self.has("mandatory"):
            found.append(("mandatory", member(self.value, "mandatory_"), None))
        if self.has("levels"):
            urgent = member(self.value, "urgent_")
            found += [(f"urgent, level {level}", urgent[level - 1], None)
                      for level in range(self.image.settings["levels"] - 1, 0, -1)]
        for core, worker in enumerate(self.workers):
            found.append((f"overflow of core {core}", member(worker, "overflow"), None))
            found.append((f"pinned to core {core}", member(worker, "pinned"), [core]))
        if self.has("sets"):
            sets = member(self.value, "sets_")
            for at in range(self.image.settings["sets"]):
                cores = layout.cores_of(number(sets[at], "cores_"))
                if cores:
                    found.append((f"set of cores {', '.join(map(str, cores))}", member(sets[at], "tasks"), cores))
        if self.has("blocking"):
            # Those that sleep in their own loop, if one may begin.
            count = self.blocking()
            takers = layout.cores_of(number(self.value, "takers_")) if count["running"] < count["most"] else []
            found.append(("blocking", member(self.value, "queue_"), takers))
        return found

    def tasks_of(self, stack):
        """(tasks, is it held, is it closed)"""
        seen, cache = number(stack, "word_"), number(stack, "cache_")
        held = seen & layout.STACK["consuming"] != 0
        tasks = Listed()
        if seen & layout.STACK["cached"] and not held:
            tasks = self.list_from(cache)
        pushed = self.list_from(seen & ~7)
        fault = tasks.fault or pushed.fault
        tasks = Listed(tasks + pushed[::-1])
        tasks.fault = fault
        return tasks, held, seen & layout.STACK["open"] == 0

    def looks_nonempty(self, stack):
        seen = number(stack, "word_")
        return seen > layout.STACK["open"] and seen & layout.STACK["consuming"] == 0

    def queued(self):
        """[(queue, cores that may take from it, tasks)] of all that holds something."""
        found = [(f"ring of core {core}", None, self.ring(core)) for core in range(self.cores)]
        found += [(name, cores, self.tasks_of(stack)[0]) for name, stack, cores in self.stacks()]
        return [(name, cores, tasks) for name, cores, tasks in found if tasks or tasks.fault]

    def describe(self, address):
        """A task in words: where it is, what it runs; and for weft's own tasks, what is behind them."""
        try:
            run = int(member(self.task_at(address), "run_"))
        except gdb.MemoryError as wrong:
            return f"{address:#x} ({wrong})"
        name = function_at(run)
        more = ""
        try:
            more = self.behind(name, address)
        except (Wrong, gdb.error) as wrong:
            more = f" ({wrong})"
        return f"{describe_place(address)}: {name}{more}"

    def behind(self, function, address):
        if function == "weft::Timer::run":
            follower = number(self.image.derived("Timer", address), "follower_")
            return f", a timer whose follower is {self.describe(follower)}"
        if function == "weft::Gate::open":
            follower = number(self.image.derived("Gate", address), "follower_")
            return f", a gate whose follower is {self.describe(follower)}"
        if function == "weft::Strand::run_burst":
            tasks = strand_tasks(self, self.image.derived("Strand", address))
            return f", a strand with {plural(len(tasks), 'task')}"
        if function == "weft::detail::Errand::run":
            errand = self.image.derived("detail::Errand", address)
            return (f", a call by core {number(errand, 'sender_')}, which sleeps until it is done: "
                    f"{function_at(number(errand, 'function_'))}")
        if function == "weft::CoroutinePromise::resume":
            promise = self.image.derived("CoroutinePromise", address)
            frame = gdb.Value(number(promise, "self_")).cast(gdb.lookup_type("long").pointer())
            return f", which goes on with {function_at(int(frame.dereference()))}"
        if function == "weft::detail::ForkDeque::run_taken":
            return ", a forked child that was taken from another core"
        return ""

    # ---- Forks

    def frames_of(self, core):
        """[(slot, frame's address, marks, function's address)] of the frames in a deque, oldest first."""
        deque = self.forks[core]
        slots, top = member(deque, "slots_"), number(deque, "top_")
        base, size = int(slots.address), slots[0].type.sizeof
        if top == 0 or not 0 <= top - base <= slots.type.sizeof:
            return []
        found = []
        for slot in range((top - base) // size):
            held = word(slots[slot])
            frame = held & ~3
            function = number(self.image.at("detail::Frame", frame), "function") if frame else 0
            found.append((slot, frame, held & 3, function))
        return found

    def depth_of(self, core, slot):
        """How deep the frame in a slot is, as ForkDeque::depth()."""
        marks = [held for _, _, held, _ in self.frames_of(core)]
        levels = sum(not mark & layout.SLOT["beside"] for mark in marks[: slot + 1])
        return number(self.forks[core], "base_") + levels - 1

    def offer_of(self, core):
        return layout.Offer(number(self.forks[core], "offer_"), self.image.address_bytes)

    def thief_of(self, core, slot):
        """The core that has last taken a frame from this slot, if it is known."""
        for thief in range(self.cores):
            if thief == core:
                continue
            deque = self.forks[thief]
            offered = layout.Offer(number(deque, "offered_"), self.image.address_bytes)
            if number(deque, "victim_") == address_of(self.forks[core]) and offered.oldest == slot:
                return thief
        return None

    # ---- Timers

    @property
    def timers(self):
        return member(self.value, "timers_")

    def armed_timers(self):
        """Addresses of the timers in the heap, the first deadline first; and what is wrong."""
        found, faults, seen = [], [], set()
        base = number(self.timers, "base_")
        left = [number(self.timers, "root_")]
        while left:
            at = left.pop()
            if at == 0:
                continue
            if at in seen:
                faults.append("the heap of timers runs in a circle")
                break
            seen.add(at)
            try:
                timer = self.image.at("Timer", at)
                found.append((number(timer, "key_") - base & 0xffffffff, at))
                left += [number(timer, "left_"), number(timer, "right_")]
                if number(timer, "rank_") == 0:
                    faults.append(f"{describe_place(at)} is in the heap, and says that it is not: it has ended, or "
                                  "was made anew, while it was armed")
            except gdb.MemoryError as wrong:
                faults.append(f"a timer at {at:#x}: {wrong}")
        return [at for _, at in sorted(found)], faults

    def requested_timers(self):
        found, at = [], number(self.timers, "word_") & ~3
        while at != 0 and at not in found:
            found.append(at)
            at = number(self.image.at("Timer", at), "next_request_")
        return found


def plural(count, what):
    return f"{count} {what}" + ("" if count == 1 else "s")


def describe_place(address):
    name = symbol_at(address)
    return name if name else f"{address:#x}"


def strand_tasks(pool, strand):
    listed = pool.list_from(number(strand, "list_"))
    pushed = pool.list_from(number(strand, "pushed_") & ~layout.STRAND_SCHEDULED)
    tasks = Listed(listed + pushed[::-1])
    tasks.fault = listed.fault or pushed.fault
    return tasks


def event_tasks(pool, event):
    listed = pool.list_from(number(event, "first_"))
    pushed = pool.list_from(number(event, "pushed_"))
    tasks = Listed(listed + pushed[::-1])
    tasks.fault = listed.fault or pushed.fault
    return tasks


def round_of(waitable):
    """Who waits for it (an address, or 0), and the marks of its round."""
    seen = number(member(waitable, "round_"), "word_")
    return seen & ~sum(layout.ROUND.values()), layout.flags(seen, layout.ROUND)


def find_pools(image, given=()):
    """The pools: those in static storage, those that static pointers name, those that cores work for, and those whose
    addresses are given. What is none is said in `image.notes`."""
    statics = image.scan()
    candidates = [(one.address, one.name, one.value) for one in statics["Scheduler"]]
    candidates += [(address, name, None) for address, name in image.pointers]
    for kind in ("Strand", "Gate", "Event", "Timer", "Waitable"):
        for one in statics[kind]:
            address = number(one.value, "pool_")
            if address:
                candidates.append((address, f"that of {one.name}", None))
    candidates += worked_for(image)
    candidates += [(address, f"{address:#x}", None) for address in given]
    found, seen = [], {}
    for address, name, value in candidates:
        if address in seen:
            continue
        seen[address] = name
        try:
            pool = Pool(image, value if value is not None else image.at("Scheduler", address), name)
            why = pool.why_none()
        except gdb.MemoryError as wrong:
            why = str(wrong)
        if why is None:
            found.append(pool)
        elif address in given:
            raise Wrong(f"weft: there is no pool at {address:#x}: {why}")
        else:
            image.notes.append(f"{name} at {address:#x} is no pool that could be used: {why}")
    return found


def worked_for(image):
    """Pools that cores are working for at this moment, wherever they are."""
    if not image.settings["forks"]:
        return []
    found = []
    for core, deque in enumerate(image.array_of("detail::ForkDeque", "here")):
        try:
            if int(deque):
                found.append((number(deque.dereference(), "pool_"), f"that of core {core}", None))
        except gdb.MemoryError:
            pass  # not written yet
    return found
