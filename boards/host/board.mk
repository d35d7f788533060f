# SPDX-License-Identifier: MIT OR Apache-2.0
# The host as a board: a Linux process; every core is a thread. Runs natively, with the compiler of the host.
SUMMARY := this machine (Linux), 4 threads as cores; park on a futex; runs natively
PORT := host
CORES := 4
ARCH_FLAGS :=
BOARD_SOURCES := boards/host/board.cpp
BOARD_DEFINES :=
LINKER_SCRIPT :=
LIBS := -pthread -lrt
QEMU :=
WFE_PLUGIN := no
# preempt: with a level that preempts. replay: runs can be recorded and replayed. quiesce: with cores that stand
# still. watch: with heartbeats. blocking: with long tasks on some cores. elastic-blocking: both.
# mandatory: with tasks that run whatever becomes of their pool. metrics: with that, long tasks, and depths of queues.
# newest: rings with a place for their newest task. all: with all of these that go together, which are all but elastic,
# newest and preempt.
VARIANTS := cores1 cores2 cores8 cores24 least most preempt replay replay-preempt replay-quiesce \
	replay-elastic replay-watch quiesce elastic watch blocking elastic-blocking mandatory metrics newest fair all

ifeq ($(VARIANT),cores1)
CORES := 1
endif
ifeq ($(VARIANT),cores2)
CORES := 2
endif
ifeq ($(VARIANT),cores8)
CORES := 8
endif
ifeq ($(VARIANT),cores24)
CORES := 24
endif
# With heartbeats, too: what preempts has one of its own.
ifneq ($(filter preempt replay-preempt,$(VARIANT)),)
BOARD_DEFINES += -DWEFT_WATCH=1
endif
# The settings of weft/config.hpp at the ends of their ranges; what is only longer waiting ends earlier.
ifeq ($(VARIANT),least)
BOARD_DEFINES += -DWEFT_FAIR_INTERVAL=2 -DWEFT_SEARCH_ROUNDS=0 -DWEFT_STEAL_PATIENCE=0 -DWEFT_FORK_DEPTH=1
endif
ifeq ($(VARIANT),most)
BOARD_DEFINES += -DWEFT_FAIR_INTERVAL=65535 -DWEFT_SEARCH_ROUNDS=10 -DWEFT_STEAL_PATIENCE=1000 \
	-DWEFT_FORK_DEPTH=254
endif
# DELAYS=1: every access may be delayed, see tests/delays.
ifeq ($(DELAYS),1)
BOARD_DEFINES += -DWEFT_HOST_DELAYS -Itests/delays
BOARD_SOURCES += tests/delays/delays.cpp
endif
# VARIANT=replay, or replay-preempt and so on, with the settings of that variant: WEFT_REPLAY in the environment
# records the order of the cores, or replays it, see tests/replay.
ifneq ($(filter replay%,$(VARIANT)),)
BOARD_DEFINES += -DWEFT_HOST_REPLAY -Itests/replay -Itests/delays
BOARD_SOURCES += tests/replay/replay.cpp tests/replay/serial.cpp tests/replay/threads.cpp
endif
