# SPDX-License-Identifier: MIT OR Apache-2.0
"""Which of gdb's threads is which core, and what stands on its stack."""
import re

import gdb

from . import layout
from .image import bare, leaf, member, number, symbol_at
from .trace import memory

MOST_FRAMES = 1024  # with inlined ones; a recursion without an end has more
OF_WEFT = re.compile(r"^weft::v\w+::")
# What a core of a pool, or who waits for it, sleeps in: no task is just being handed in there.
SLEEPING = re.compile(r"::(rest_until|park|sleep|wait_for_the_end|attend|await_rest|await_rest_from_afar|"
                      r"attend_from_afar|Errand::wait|ForkDeque::wait|relax)\b|wfi|wfe")
WFI = (0x10500073).to_bytes(4, "little")
# What a step of weft's calls: words, the port, the recorder.
IN_A_STEP = re.compile(r"::Port::|^weft::(?!v\w+::)|^weft_trace_|^record\b|^weft::v\w+::detail::(word|link|tell)\b|"
                       r"::(load|store|compare_exchange|fetch_\w+|unclaim|get|set)$")
RESUMES = re.compile(r"::CoroutinePromise::(resume|go_on)\b|\bcoroutine_handle<")


class Stack:
    """The frames of a thread: [(name, pc, is it inlined)], the newest first."""

    def __init__(self, thread):
        self.thread = thread
        self.frames, self.core, self.sp = [], None, None
        thread.switch()
        try:
            frame = gdb.newest_frame()
            self.sp = int(frame.read_register("sp")) if has_register(frame, "sp") else None
            while frame is not None and len(self.frames) < MOST_FRAMES:
                function = frame.function()
                name = function.name if function else (frame.name() or "?")
                self.frames.append((name, frame.pc(), frame.type() == gdb.INLINE_FRAME))
                if self.core is None:
                    self.core = core_in(frame, name)
                frame = frame.older()
        except gdb.error:
            pass  # what is there is shown

    def tasks(self):
        """The run functions on the stack, the one that began first first."""
        found = []
        for newer, (name, _, _) in zip([None, *self.frames], self.frames):
            if newer is not None and re.search(r"::detail::execute\b", name):
                at = self.physical(newer)
                if at > 0 and re.search(r"::ForkDeque::run_taken\b", self.frames[at][0]):
                    at = self.physical(self.frames[at - 1])  # the child itself
                if at > 0 and re.search(r"::(Timer::run|Gate::open)\b", self.frames[at][0]):
                    follower = self.physical(self.frames[at - 1])
                    if not is_of_scheduler(self.frames[follower][0]):
                        at = follower
                found.append(self.coroutine(at) or self.frames[at][0])
        return found[::-1]

    def coroutine(self, at):
        """What the task at that place resumes, by its name; None: it is no coroutine's, or stands in weft yet."""
        resumes = RESUMES.search(self.frames[at][0]) is not None
        for name, pc, _ in self.frames[at::-1]:
            if RESUMES.search(name):
                continue
            symbol = re.sub(r" \+ \d+$", "", symbol_at(pc) or "")  # has more of it than DWARF
            named = layout.coroutine_of(symbol) or layout.coroutine_of(layout.short(name))
            # In release builds it may have jumped there, and be on the stack no more.
            return named or (f"coroutine {layout.without_parameters(layout.short(name))}" if resumes else None)
        return None

    def physical(self, newer):
        """The place of the next frame from there on that is a function of its own."""
        at = self.frames.index(newer)
        while at > 0 and self.frames[at][2]:
            at -= 1
        return at

    def is_in_task(self):
        """The core executes a task's own code: no function of weft's is above it."""
        for at, (name, _, _) in enumerate(self.frames):
            # Before a stolen child or behind it: its owner may have yet to be woken.
            above = self.frames[:at]
            if re.search(r"::ForkDeque::run_taken\b", name) and all(IN_A_STEP.search(one[0]) for one in above):
                return False
            # Or that of a call from outside.
            if re.search(r"::detail::execute\b", name) or (at > 0 and re.search(r"::Scheduler::call\b", name)):
                return True
            if is_of_scheduler(name):
                return False
        return False

    def has(self, pattern):
        return any(re.search(pattern, name) for name, _, _ in self.frames)

    def is_whole(self):
        """A worker has its loop on its stack; if not, unwinding went wrong (on Arm, in some epilogues)."""
        return self.has(r"::Scheduler::(run_tasks|work|run_or_poll|visit)\b")

    def is_cut(self):
        return len(self.frames) == MOST_FRAMES

    def calls(self):
        """What it does is a call from outside, and no task."""
        return self.has(r"::Scheduler::call\b") and not self.tasks()

    def acts(self):
        """It stands in a function of the scheduler, and does not sleep there: the pool may be between two steps."""
        for name, _, _ in self.frames:
            if SLEEPING.search(name) or re.search(r"::detail::execute\b", name):
                return False
            if is_of_scheduler(name):
                return True
        return False

    def has_come_back(self):
        """Of a core of RISC-V that is counted as asleep: it does not stand at its WFI, or behind it."""
        code = memory(self.frames[0][1] - 4, 8) if self.frames else b""
        return len(code) == 8 and WFI not in (code[:4], code[4:])

    def place(self):
        """Where it stands, in weft or not."""
        return layout.short(self.frames[0][0]).split("(")[0] if self.frames else "?"


def is_of_scheduler(name):
    return OF_WEFT.match(name) and not re.search(r"::(TaskOf<|Job<|Work<|Timer::run|Gate::open|Strand::run_burst|"
                                                 r"Completion::|detail::ForkDeque::run_taken|detail::ForkFrame|"
                                                 r"GroupTask<|Port::|fork_join|parallel_|"
                                                 r"CoroutinePromise::(resume|go_on)|detail::Call<)", name)


def has_register(frame, name):
    try:
        frame.read_register(name)
        return True
    except (ValueError, gdb.error):
        return False


def core_in(frame, name):
    """The core whose worker a function of weft has in hand, if the compiler has left that to see."""
    if not OF_WEFT.match(name):
        return None
    try:
        if re.search(r"::ForkDeque::(wait|join|join_slowly)\b", name):
            return number(frame.read_var("this").dereference(), "core_")
        worker = frame.read_var("worker")
        if worker.is_optimized_out:
            return None
        kind = bare(worker.type)
        if kind.code == gdb.TYPE_CODE_REF:
            worker = worker.referenced_value()
        if not (bare(worker.type).name or "").endswith("::detail::Worker"):
            return None
        core = int(member(worker, "core"))
        return core if core < layout.MOST_CORES else None
    except (ValueError, gdb.error):
        return None


def threads_of_target():
    found = []
    for inferior in gdb.inferiors():
        found += [thread for thread in inferior.threads() if thread.is_valid()]
    return sorted(found, key=lambda thread: thread.global_num)


class Cores:
    """core -> Stack, for all cores whose thread is known. `how` says what that rests on."""

    def __init__(self, image, pools):
        self.stacks, self.how, self.others = {}, {}, []
        self.notes = []
        selected = gdb.selected_thread()
        try:
            unknown = []
            for thread in threads_of_target():
                stack = Stack(thread)
                core = self.of_host(image)
                if core is not None:
                    self.know(core, stack, "")
                else:
                    unknown.append(stack)
            unknown = self.by_frames(self.by_stacks(pools, unknown))
            if not image.port.startswith("host"):
                unknown = self.by_order(pools, unknown)
            self.others += unknown
        finally:
            if selected is not None and selected.is_valid():
                selected.switch()
        if not threads_of_target():
            self.notes.append("no target runs: this is what the image's file says")

    def know(self, core, stack, how):
        if core in self.stacks:
            self.others.append(stack)
        else:
            self.stacks[core], self.how[core] = stack, how

    @staticmethod
    def of_host(image):
        """On the host a thread knows its number."""
        if not image.port.startswith("host"):
            return None
        try:
            core = int(leaf(gdb.parse_and_eval("'weft::host::this_core'")))
        except (gdb.error, RuntimeError):
            return None
        return core if core < 256 else None

    def by_stacks(self, pools, unknown):
        """By the ends of the stacks, which checked builds know: the nearest one below the stack pointer."""
        limits = {}
        for pool in pools:
            for core, worker in enumerate(pool.workers):
                if pool.has("checks") and number(worker, "stack_limit"):
                    limits[number(worker, "stack_limit")] = core
        near = []
        for at, stack in enumerate(unknown):
            below = [limit for limit in limits if stack.sp is not None and limit <= stack.sp]
            if below:
                near.append((stack.sp - max(below), at, limits[max(below)]))
        for _, at, core in sorted(near):
            if core not in self.stacks:
                self.know(core, unknown[at], "")
        return [stack for stack in unknown if stack not in self.stacks.values()]

    def by_frames(self, unknown):
        """By what weft's functions on the stack have in hand."""
        for stack in unknown:
            if stack.core is not None and stack.core not in self.stacks:
                self.know(stack.core, stack, "")
        return [stack for stack in unknown if stack not in self.stacks.values()]

    def by_order(self, pools, unknown):
        """The last resort, and said: the cores that are left, in their order."""
        most = max((pool.cores for pool in pools), default=0)
        free = [core for core in range(most) if core not in self.stacks]
        order = threads_of_target()
        left = []
        for stack in unknown:
            core = order.index(stack.thread)
            if core in free and len(order) <= layout.MOST_CORES:
                self.know(core, stack, f"taken for thread {stack.thread.global_num} by its order")
            else:
                left.append(stack)
        return left

    def task_of(self, core):
        stack = self.stacks.get(core)
        return stack.tasks() if stack else []


def run_name(name):
    """A run function as it is shown."""
    if re.search(r"::Errand::run\b", name):
        return "a call from outside, whose core sleeps"
    return re.sub(r"\((weft::)?(Task|detail::Frame) ?&.*\)$", "", layout.short(name))

