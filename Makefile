# SPDX-License-Identifier: MIT OR Apache-2.0
# weft: every verb of the tree (`make help`). One run builds for one board; whatever spans boards is a script in tools/.

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.SECONDARY:
.SUFFIXES:
MAKEFLAGS += --no-builtin-rules --no-print-directory
ifeq ($(MAKELEVEL),0)
MAKEFLAGS += -j$(shell nproc)
endif
export PYTHONDONTWRITEBYTECODE := 1

# A switch that is 0 is off.
$(foreach switch,DELAYS TRACE V,$(if $(filter 0,$($(switch))),$(eval override $(switch) :=)))
Q := $(if $(V),,@)
say = $(if $(V),,@printf '  %-8s%s\n' $(1) $(2))

# ---- What to build: words of the command line, boards/<board>/board.mk, port/<port>/port.mk -------------------------

# Only the command line names a port: many an environment has a PORT. And no board of the environment beside it.
ifeq ($(origin PORT),environment)
PORT :=
endif
ifeq ($(origin BOARD)$(if $(PORT),,s),environment)
undefine BOARD
endif
ifeq ($(origin FORMAT),environment)
FORMAT :=
endif
ifeq ($(origin PROBE),environment)
PROBE :=
endif
# To make a path with a space is two, of which one may be there.
one_path = $(if $(word 2,$($(1))),$(error weft: $(1)=$($(1)): GNU make takes no path with a space))
$(foreach name,APP B WEFT_BOARD_DIR WEFT_PORT_DIR,$(call one_path,$(name)))
# Boards and ports that stand elsewhere: folders of them, like boards/ and port/. Their paths begin where make was
# called; the calls of make below get them whole (ELSEWHERE).
outside = $(if $($(1)),$(abspath $(or $(wildcard $(PWD)/$($(1))),$(wildcard $($(1))),\
	$(error weft: $(1)=$($(1)): there is no such folder))))
override WEFT_BOARD_DIR := $(call outside,WEFT_BOARD_DIR)
override WEFT_PORT_DIR := $(call outside,WEFT_PORT_DIR)
ELSEWHERE := $(foreach name,WEFT_BOARD_DIR WEFT_PORT_DIR,$(if $($(name)),$(name)=$($(name))))
folders_with = $(patsubst %/$(1),%,$(wildcard $(2:%=%/*/$(1)) $(3)/*/$(1)))
BOARD_FOLDERS := $(call folders_with,board.mk,$(WEFT_BOARD_DIR),boards)
PORT_FOLDERS := $(filter-out port/model,$(call folders_with,weft_port.hpp,$(WEFT_PORT_DIR),port))
BOARDS := $(sort $(notdir $(BOARD_FOLDERS)))
PORTS := $(sort $(notdir $(PORT_FOLDERS)))
# `make lib` is for somebody's own board: it takes nothing from a board of the tree unless BOARD= names one.
LIB := $(filter lib archive,$(MAKECMDGOALS))

# The board that stands for a port everywhere else; a port without one is compiled for the host's processor.
BOARD_OF_aarch64 := qemu-virt-aarch64
BOARD_OF_armv6m := rp2040
BOARD_OF_armv7a := qemu-virt-cortex-a15
BOARD_OF_armv7m := mps2-an521
BOARD_OF_riscv := qemu-virt-riscv64
BOARD_OF_host := host

BOARD ?= $(if $(LIB),,$(if $(PORT),$(BOARD_OF_$(PORT)),qemu-virt-aarch64))
# Some programs are about a setting that images do not have unless a variant says so: it is that one.
ABOUT := blocking=blocking elastic=elastic flash_safe=quiesce mandatory=mandatory metrics=metrics sleep_depth=all \
	partition=elastic preempt=preempt watchdog=watch flash=quiesce restart=restart
VARIANT ?= $(patsubst $(APP)=%,%,$(filter $(APP)=%,$(ABOUT)))
RUN_AS :=
CARD_CONFIG :=
UF2_FAMILY :=
PROBES :=
OPENOCD :=
JLINK_DEVICE :=
LOADED_TO := flash
BOARD_ONLY :=
DEMO_PARK :=
# QEMU's WFE does not wait but its WFI does: the demo shows cores that sleep.
PARK ?= $(if $(filter demo trace,$(MAKECMDGOALS)),$(DEMO_PARK))
APP ?= $(if $(filter demo trace,$(MAKECMDGOALS)),demo,firmware)
# `make trace` and `make demo` build images with the recorder, see weft/trace.hpp.
TRACE ?= $(if $(filter demo trace,$(MAKECMDGOALS)),1)
EVENTS ?= 1024
# A program of tests/simulate is no image: nothing below is about it.
ifneq ($(filter simulate,$(MAKECMDGOALS)),)
SIMULATED := $(if $(filter command,$(firstword $(origin APP))),$(value APP),batch)
SIMULATED_CORES := $(if $(filter command,$(firstword $(origin CORES))),$(value CORES),24)
override APP := firmware
override undefine CORES
endif
# The demo needs a file to hash.
ARGS ?= $(if $(filter demo,$(APP)),$(IMAGE))
CXX = $(CROSS_COMPILE)g++
CC = $(CROSS_COMPILE)gcc
COMPILER := gcc
LIBS := -lgcc
OPT := -O2

# What is on the command line and means nothing would be ignored in silence.
VARIABLES := APP ARCH_FLAGS AR ARGS B BOARD CHECKS COMPILER CROSS_COMPILE CXX DELAYS EVENTS EXTRA_FLAGS FIRMWARE \
	FORMAT FUZZ INPUT LEGS MINUTES MODE MODEL_CXX MODEL_FILES MODEL_PARTS OPENMP OPT PARK PORT PROBE SANITIZE SECONDS \
	SEED TRACE V VARIANT WEFT_BOARD_DIR WEFT_PORT_DIR WORDS $(if $(filter simulate,$(MAKECMDGOALS)),CORES)
given = $(filter command,$(firstword $(origin $(1))))
GIVEN := $(foreach name,$(.VARIABLES),$(if $(call given,$(name)),$(name)))
UNKNOWN := $(filter-out -% $(VARIABLES),$(GIVEN))
ifneq ($(filter WEFT_CHECKS,$(UNKNOWN)),)
$(error weft: to make, WEFT_CHECKS is CHECKS: make lib PORT=... CHECKS=$(WEFT_CHECKS))
endif
ifneq ($(filter WEFT_%,$(UNKNOWN)),)
$(error weft: $(firstword $(filter WEFT_%,$(UNKNOWN))) is no variable of make. make lib takes a setting as \
	EXTRA_FLAGS=-DWEFT_..., and make run has most on; VARIANT=elastic and VARIANT=preempt are for those two)
endif
ifneq ($(UNKNOWN),)
$(error weft: make does not know the variable $(firstword $(UNKNOWN)). It knows: $(VARIABLES))
endif
# A verb that there is not: make would do the others first, and take a folder's name for a file that is made already.
FOR_SCRIPTS := archive board built flashable fuzz-objects fuzz-program model-objects plugins sources summary tools
NAMED := $(foreach goal,$(filter-out $(FOR_SCRIPTS),$(MAKECMDGOALS)),$(if $(findstring /,$(goal)),,$(goal)))
ifneq ($(NAMED),)
NO_VERB := $(firstword $(filter-out $(shell sed -n 's/^\#\# \([a-z-]*\) .*/\1/p' Makefile),$(NAMED)))
ifneq ($(NO_VERB),)
$(error weft: make has no verb "$(NO_VERB)"; make help lists them$(if \
	$(wildcard examples/$(NO_VERB).c* tests/$(NO_VERB)/*.c*),. To run it: make run APP=$(NO_VERB) BOARD=...))
endif
endif
# Nor would a word do anything that make knows, but none of the verbs asked for. What is built has many words; the verbs
# that are not here are for scripts.
HOW_BUILT := AR ARCH_FLAGS B BOARD CHECKS COMPILER CROSS_COMPILE CXX DELAYS EVENTS EXTRA_FLAGS OPENMP OPT PARK PORT \
	SANITIZE TRACE VARIANT WEFT_BOARD_DIR WEFT_PORT_DIR
TAKES_help := WEFT_BOARD_DIR WEFT_PORT_DIR
TAKES_setup := BOARD WEFT_BOARD_DIR WEFT_PORT_DIR
TAKES_demo := $(HOW_BUILT) INPUT
TAKES_test := LEGS
TAKES_test-qemu := BOARD
TAKES_run := $(HOW_BUILT) APP ARGS MODE
TAKES_trace := $(TAKES_run) SECONDS
TAKES_debug := $(HOW_BUILT) APP ARGS PROBE
TAKES_flash := $(HOW_BUILT) APP PROBE
TAKES_image := $(HOW_BUILT) APP FIRMWARE FORMAT
TAKES_lib := $(HOW_BUILT)
TAKES_simulate := APP CORES EXTRA_FLAGS MODEL_CXX
TAKES_model := WORDS
TAKES_model-fuzz := MINUTES SEED
TAKES_model-deep := MINUTES WORDS
TAKES_mutants := WORDS
TAKES_mutants-generated := MINUTES WORDS
TAKES_soak := MINUTES
TAKE_NONE := doctor test-all test-host size check-size bench check-bench bench-host promises bounds docs format lint \
	clean arduino
VERBS := $(or $(MAKECMDGOALS),help)
ifeq ($(foreach verb,$(filter-out $(TAKE_NONE),$(VERBS)),$(if $(TAKES_$(verb)),,$(verb))),)
TAKEN := $(sort $(foreach verb,$(VERBS),$(TAKES_$(verb))))
IN_VAIN := $(firstword $(filter-out -% V $(TAKEN),$(GIVEN)))
ifneq ($(IN_VAIN),)
$(error weft: make $(VERBS) does not look at $(IN_VAIN). It takes: $(or $(TAKEN),no such words)$(if \
	$(filter testBOARD,$(VERBS)$(IN_VAIN)),. For the legs of one board: make test-qemu BOARD=$(BOARD)))
endif
endif
# Neither would a misspelt setting do anything. Those that there are stand somewhere in the library's sources.
DEFINED := $(foreach flag,$(filter -DWEFT_%,$(ARCH_FLAGS) $(EXTRA_FLAGS)),$(firstword $(subst =, ,$(flag:-D%=%))))
ifneq ($(filter WEFT_CHECKS,$(DEFINED)),)
$(error weft: to make, -DWEFT_CHECKS is CHECKS: make lib PORT=... CHECKS=0)
endif
ifneq ($(DEFINED),)
SETTINGS := $(shell grep -rhoE 'WEFT_[A-Z0-9_]+' include src port $(WEFT_PORT_DIR))
ifneq ($(filter-out $(SETTINGS),$(DEFINED)),)
$(error weft: there is no setting $(firstword $(filter-out $(SETTINGS),$(DEFINED))): see include/weft/config.hpp)
endif
endif
comma := ,
# A word for the shell, whatever is in it.
quoted = '$(subst ','\'',$(1))'
one_of = $(if $(filter-out $(2),$(or $($(1)),$(firstword $(2)))),$(error weft: $(1) is $(3), not "$($(1))"))
$(call one_of,TRACE,1,0 or 1)
$(call one_of,EVENTS,16 32 64 128 256 512 1024 2048 4096 8192 16384 32768 65536,a power of two from 16 to 65536)
$(call one_of,DELAYS,1,0 or 1)
$(call one_of,COMPILER,gcc clang,gcc or clang)
$(call one_of,PARK,wfe wfi,wfe or wfi)
$(call one_of,OPENMP,1,1 or nothing)
MODE_WORDS := mttcg$(comma) icount$(comma) icount8$(comma) wfe$(comma) noise or direct
$(call one_of,MODE,mttcg icount icount8 wfe noise direct,$(MODE_WORDS))

is_number = $(if $($(1)),$(if $(shell printf '%s' $(call quoted,$($(1))) | grep -xE '[0-9]+'),,\
	$(error weft: $(1) is a whole number, not "$($(1))")))
$(call is_number,MINUTES)
$(call is_number,SECONDS)
$(call is_number,SEED)
ifneq ($(and $(call given,BOARD),$(call given,PORT)),)
$(error weft: BOARD=$(BOARD) or PORT=$(PORT), not both: a board knows its port)
endif
ifneq ($(or $(BOARD),$(call given,BOARD)),)
ifeq ($(filter $(BOARD),$(BOARDS)),)
$(error weft: there is no board "$(BOARD)". Boards: $(BOARDS))
endif
# The first one: a folder of one's own comes before the tree's. For board.mk to name files beside it.
BOARD_FOLDER := $(firstword $(filter %/$(BOARD),$(BOARD_FOLDERS)))
include $(BOARD_FOLDER)/board.mk
else ifeq ($(filter $(PORT),$(PORTS)),)
$(error weft: $(if $(PORT),there is no port "$(PORT)".,which port?) Ports (PORT=): $(PORTS))
else
ARCH_FLAGS = $(PORT_ARCH)
endif
ifneq ($(filter-out $(VARIANTS),$(VARIANT)),)
$(error weft: $(if $(BOARD),board $(BOARD),port $(PORT)) has no variant "$(VARIANT)". Variants: $(or $(VARIANTS),none))
endif
PORT_FOLDER := $(firstword $(filter %/$(PORT),$(PORT_FOLDERS)))
ifeq ($(wildcard $(PORT_FOLDER)/port.mk),)
$(error weft: $(if $(PORT_FOLDER),$(PORT_FOLDER) has no port.mk; port/template has one,board $(BOARD) is of port \
	"$(PORT)"$(comma) which is not there. Ports: $(PORTS)))
endif
include $(PORT_FOLDER)/port.mk
# What stands in optional/ asks more of an image than the rest: it is in a library, for those that call it.
PORT_SOURCES := $(wildcard $(PORT_FOLDER)/*.cpp $(PORT_FOLDER)/*.S $(PORT_FOLDER)/optional/*.cpp)
# How a board runs an image: itself (direct), or what its emulator is given: the ELF file, its bare bytes (bin), or a
# UF2 file of them. Else
# it is built only (none).
RUN_AS := $(or $(RUN_AS),$(if $(QEMU),elf,$(if $(filter host,$(PORT)),direct,none)))

# An app is a folder of tests/, or one of the examples; or, by its path, a program of one's own: a file, or a folder of
# sources. A path begins where make was called, with -C too.
EXAMPLES := $(filter-out examples/board_main.cpp,$(wildcard examples/*.cpp examples/*.c))
EXAMPLE := $(filter examples/$(APP).cpp examples/$(APP).c,$(EXAMPLES))
NAMED_SOURCES := $(or $(EXAMPLE),$(wildcard tests/$(APP)/*.cpp tests/$(APP)/*.c))
ifeq ($(call given,APP)$(NAMED_SOURCES),command)
ifneq ($(filter own_board% examples/own_board%,$(APP)),)
$(error weft: own_board is no app for a board, but whole images for: \
	$(sort $(notdir $(wildcard examples/own_board/*))). Two commands in \
	examples/own_board/<one of them>/main.cpp build and run it)
endif
OWN := $(abspath $(or $(wildcard $(APP)),$(wildcard $(PWD)/$(APP))))
OWN_SOURCES := $(or $(filter %.cpp %.c,$(OWN)),$(wildcard $(foreach kind,cpp c S,$(OWN:%=%/*.$(kind)))))
OWN_LEFT_OUT := $(firstword $(wildcard $(foreach kind,cc cxx C,$(OWN:%=%/*.$(kind)))))
ifneq ($(OWN_LEFT_OUT),)
$(error weft: $(OWN_LEFT_OUT) would be left out: files of C++ are called .cpp here)
endif
ifneq ($(words $(OWN))$(if $(filter %.cpp %.c,$(OWN_SOURCES)),,none),1)
$(if $(filter %.cpp %.c,$(APP))$(findstring /,$(APP)),$(error weft: there is no file $(APP), and no folder \
	with sources$(if $(wildcard examples/$(notdir $(APP))), (the example is APP=$(basename $(notdir $(APP)))))))
$(error weft: there is no app "$(APP)": no tests/$(APP)/*.cpp, no examples/$(APP).cpp, and it is no path of a .cpp \
	or .c file, or of a folder that has one)
endif
override APP := $(OWN)
endif
# Programs for one board of the tree: they need the host's library, or devices that others have not got.
FOR_ONE_BOARD := unit=host host_port=host stress=host flash=mps2-an521
ONLY_ON := $(patsubst $(APP)=%,%,$(filter $(APP)=%,$(FOR_ONE_BOARD)))
ifneq ($(and $(ONLY_ON),$(filter-out boards/$(ONLY_ON),$(filter boards/%,$(BOARD_FOLDER)))),)
$(error weft: APP=$(APP) is for BOARD=$(ONLY_ON) alone)
endif
ifneq ($(call given,OPENMP),)
ifeq ($(LIB)$(OWN)$(filter openmp openmp_%,$(APP)),)
$(error weft: OPENMP=1 is for make lib and for a program of your own (APP= its path); $(APP) has no OpenMP code)
endif
endif
ifeq ($(PORT)$(filter-out direct,$(MODE)),host$(or $(MODE),none))
$(error weft: MODE=$(MODE) is for emulated boards: the host's program runs directly)
endif
ifneq ($(filter clang,$(COMPILER)),)
ifneq ($(and $(BOARD),$(filter-out host,$(PORT)),$(filter run trace debug demo image built,$(MAKECMDGOALS))),)
$(error weft: COMPILER=clang links images of BOARD=host alone; it compiles the library of every port)
endif
endif
ifneq ($(PARK),)
ifneq ($(PORT),aarch64)
$(error weft: PARK=$(PARK) is for AArch64 alone: on port $(PORT) there is one way to park)
endif
endif

# Examples that take the scheduler's events themselves: no recorder is beside them.
HOOKS := $(filter trace_pins trace_systemview,$(APP))
ifneq ($(and $(HOOKS),$(TRACE)$(filter trace,$(MAKECMDGOALS))),)
$(error weft: $(APP) takes the events itself, and no recorder does: make run APP=$(APP))
endif

# The first toolchain of the port's list that is installed; the last one if none is, for the error message.
ifndef CROSS_COMPILE
FOUND := $(foreach prefix,$(TOOLCHAIN),$(if $(shell command -v $(prefix)g++ 2>&1),$(prefix)))
CROSS_COMPILE := $(or $(firstword $(FOUND)),$(lastword $(TOOLCHAIN)))
endif
AR = $(CROSS_COMPILE)ar

# Builds are checked (WEFT_CHECKS), unless asked otherwise; the demo and the numbers are release builds.
CHECKS ?= $(if $(filter demo bench,$(APP)),0,1)
$(call one_of,CHECKS,0 1,0 or 1)

dash = $(if $(1),-$(1))
B := build/$(if $(LIB),lib-$(or $(BOARD),$(PORT)),$(BOARD))
B := $(B)$(if $(filter 0,$(CHECKS)),-release)
B := $(B)$(call dash,$(VARIANT))$(call dash,$(PARK))$(call dash,$(SANITIZE))$(call dash,$(filter clang,$(COMPILER)))
B := $(B)$(if $(DELAYS),-delays)$(if $(and $(LIB),$(filter 1,$(OPENMP))),-openmp)$(if $(TRACE),-trace$(EVENTS))
B := $(B)$(call dash,$(HOOKS))
# Beside its config, so a program of one's own has its path in its name.
IMAGE := $(B)/$(if $(OWN),own$(subst /,-,$(OWN)),$(APP)).elf

# What `make image FORMAT=` may ask for; img is the image of a memory card, of boards that boot from one;
# uf2 the file that a boot ROM loads.
FORMATS := elf $(if $(LINKER_SCRIPT),bin) $(if $(CARD_CONFIG),img) $(if $(UF2_FAMILY),uf2)
$(call one_of,FORMAT,$(FORMATS),one that board $(BOARD) takes ($(strip $(FORMATS))))
BOOTED := $(if $(filter bin uf2,$(RUN_AS)),$(IMAGE:.elf=.$(RUN_AS)))

# How an image comes into a real board: PROBES are the ways that board.mk names.
with_probes = $(sort $(notdir $(patsubst %/board.mk,%,$(shell grep -l '^PROBES' $(BOARD_FOLDERS:%=%/board.mk)))))
ifneq ($(filter flash,$(MAKECMDGOALS))$(PROBE),)
ifeq ($(PROBES),)
$(error weft: board $(BOARD) takes no probe$(if $(CARD_CONFIG),$(comma) but a memory card: make image BOARD=$(BOARD) \
	FORMAT=img,$(if $(QEMU),$(comma) it is emulated here: make run BOARD=$(BOARD))). With probes: $(with_probes))
endif
$(if $(PROBE),$(call one_of,PROBE,$(PROBES),one that board $(BOARD) takes ($(strip $(PROBES)))))
endif

# ---- How to compile: the library sees neither boards nor tests ------------------------------------------------------

HOSTED := $(filter host model,$(PORT))
WARNINGS := -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wold-style-cast
# A new compiler's new warning must not stop somebody who only wants the library.
WERROR := $(if $(LIB),,-Werror)
FREESTANDING := -ffreestanding -fno-exceptions -fno-rtti -fno-threadsafe-statics -fno-unwind-tables \
	-fno-asynchronous-unwind-tables -fno-stack-protector -ffunction-sections -fdata-sections
ifeq ($(HOSTED),)
FREESTANDING += -fno-pic -fno-pie
APP_FREESTANDING := $(FREESTANDING)
endif
# SANITIZE=tsan or asan: the host's tests under sanitizers.
SANITIZERS_tsan := thread
SANITIZERS_asan := address,undefined
ifneq ($(SANITIZE)$(DELAYS),)
ifneq ($(PORT),host)
$(error weft: SANITIZE= and DELAYS= are for BOARD=host alone)
endif
endif
ifneq ($(SANITIZE),)
$(call one_of,SANITIZE,tsan asan,tsan or asan)
SANITIZE_FLAGS := -fsanitize=$(SANITIZERS_$(SANITIZE)) -fno-sanitize-recover=all -fno-omit-frame-pointer
# From GCC 13 and Clang 15 on, AddressSanitizer moves variables to a stack of its own, where a pool is not aligned
# (llvm-project, pull request 152819).
SANITIZE_FLAGS += $(if $(filter asan,$(SANITIZE)),$(if $(filter clang,$(COMPILER)),\
	-fsanitize-address-use-after-return=never,--param asan-use-after-return=0))
endif
# COMPILER=clang: the second opinion. It compiles every port's library, and links the host's tests.
ifeq ($(COMPILER),clang)
CLANG_aarch64 := --target=aarch64-none-elf
CLANG_armv7a := --target=arm-none-eabi
CLANG_armv6m := $(CLANG_armv7a)
CLANG_armv7m := $(CLANG_armv7a)
CLANG_riscv := --target=$(if $(findstring rv32,$(ARCH_FLAGS)),riscv32,riscv64)-unknown-elf
CXX = clang++
CC = clang
endif
MACHINE = $(if $(filter clang,$(COMPILER)),$(CLANG_$(PORT)) $(filter-out -misa-spec=%,$(ARCH_FLAGS)),$(ARCH_FLAGS))
ifneq ($(LINKER_SCRIPT),)
LINK_BARE := -nostdlib -static -no-pie -Wl,--gc-sections,--build-id=none -T $(LINKER_SCRIPT)
endif

# Checked images also start all ring indices just before they wrap.
CHECKED_DEFINES := -DWEFT_CHECKS=$(CHECKS) $(if $(LIB)$(filter 0,$(CHECKS)),,-DWEFT_INDEX_START=0xfffffffeu)
# Images have all settings, but for those that count instructions, and where a variant is about having the least. A
# board without an alarm says `ALARM := no` in its board.mk. VARIANT=preempt, where a board has it, is about a level
# that preempts; the levels below it are as many as usual. VARIANT=replay-preempt is both. VARIANT=all has all that go
# together; but where the newest task comes first the order is another one (VARIANT=newest). VARIANT=fair has short
# turns, and bursts that are longer.
SETTING := $(VARIANT:replay-%=%)
SET := elastic=ELASTIC=1 elastic-off=ELASTIC=1 elastic-off=QUIESCE=1 \
	elastic-blocking=ELASTIC=1 elastic-blocking=BLOCKING=1 quiesce=QUIESCE=1 watch=WATCH=1 \
	blocking=BLOCKING=1 mandatory=MANDATORY=1 metrics=METRICS=1 metrics=BLOCKING=1 metrics=MANDATORY=1 \
	preempt=QUIESCE=1 all=QUIESCE=1 all=WATCH=1 all=BLOCKING=1 all=MANDATORY=1 all=METRICS=1 all=SEARCH_MOST=64 \
	all=SLEEP_HOOKS=1 all=FEW_SEARCHERS=1 all=FAIR_MOST=256 all=RANDOM_VICTIMS=1 \
	newest=NEWEST_FIRST=1 newest=METRICS=1 newest=SLEEP_HOOKS=1 newest=FEW_SEARCHERS=1 newest=BLOCKING=1 \
	newest=QUIESCE=1 \
	fair=FAIR_INTERVAL=3 fair=STRAND_BURST=8 fair=BLOCKING=1 fair=MANDATORY=1
SETTING_DEFINES := $(if $(LIB)$(filter bench parts,$(APP))$(filter least,$(VARIANT)),,\
	$(if $(filter preempt,$(SETTING)),-DWEFT_URGENCY_LEVELS=4 -DWEFT_PREEMPTION=1,-DWEFT_URGENCY_LEVELS=3) \
	-DWEFT_REST=1 $(if $(filter elastic%,$(SETTING)),,-DWEFT_CORE_SETS=2) \
	$(patsubst $(SETTING)=%,-DWEFT_%,$(filter $(SETTING)=%,$(SET))) $(if $(filter no,$(ALARM)),,-DWEFT_TIMERS=1))

TRACE_DEFINES := $(if $(TRACE),-DWEFT_TRACE=1 -DWEFT_TRACE_EVENTS=$(EVENTS) -DWEFT_TRACE_CORES=$(or $(CORES),1)) \
	$(if $(HOOKS),-DWEFT_TRACE=1 '-DWEFT_TRACE_HOOKS="$(HOOKS).hpp"' -Iexamples -Iexamples/systemview)

LANGUAGE := -std=c++17 $(WARNINGS) $(WERROR)
C_LANGUAGE := -std=c11 $(filter-out -Wold-style-cast,$(WARNINGS)) $(WERROR)
# Variants that nobody debugs have lines but no variables: these take a third of the compiler's time. (`make debug` asks
# for all. A log of a run is of one image, so that of VARIANT=replay has all from the beginning.)
OTHER_BUILD := $(VARIANT)$(SANITIZE)$(DELAYS)$(filter wfi,$(PARK))
NO_VARIABLES := $(filter-out replay%,$(OTHER_BUILD))
DEBUG_INFO := -g$(if $(LIB)$(TRACE),,$(if $(NO_VARIABLES),1))
# The words of the command line stand behind those of the port.
COMMON_FLAGS := $(strip $(PORT_FLAGS) $(MACHINE) $(SANITIZE_FLAGS) $(OPT) $(DEBUG_INFO) $(PORT_DEFINES) \
	$(BOARD_DEFINES) $(CHECKED_DEFINES) $(SETTING_DEFINES) $(TRACE_DEFINES) -Iinclude -I$(PORT_FOLDER) -Iport)
LIB_FLAGS := $(COMMON_FLAGS) $(FREESTANDING) $(EXTRA_FLAGS)
APP_FLAGS := $(COMMON_FLAGS) $(APP_FREESTANDING) -Iboards/common -Itests/kit -DBOARD_CORES=$(or $(CORES),1) \
	$(EXTRA_FLAGS)
LINK_FLAGS := $(PORT_FLAGS) $(MACHINE) $(SANITIZE_FLAGS) $(LINK_BARE)

APPS := unit host_port conformance stress firmware bench demo workloads c_api stopped coroutine openmp \
	openmp_existing flash overflow restart
# OpenMP is an archive of its own beside programs of the tree, so that no other one gets it by its names, which are
# libgomp's. `make lib OPENMP=1` puts it into libweft.a.
OPENMP_SOURCES := $(wildcard src/openmp/*.cpp)
# What is written to be compiled is the same for all builds; where B= says where to build, it is there, too.
MADE := $(if $(call given,B),$(B),build)
WHOLE := $(MADE)/whole/library.cpp
WHOLE_C := $(MADE)/whole/c.cpp
LIB_SOURCES := $(wildcard src/*.cpp src/c/*.cpp) $(PORT_SOURCES) $(if $(and $(LIB),$(OPENMP)),$(OPENMP_SOURCES))
# In images it is one unit (below), which takes a third of the time. What is measured, and one's own libweft.a, is
# compiled as users do it, file by file.
FILE_BY_FILE := $(or $(LIB),$(if $(TRACE),,$(filter bench parts,$(APP))))
LIBRARY := $(if $(FILE_BY_FILE),$(LIB_SOURCES),$(WHOLE) $(PORT_SOURCES))
# Its interface for C is an archive of its own there, which most tests do not link with.
ONLY_CXX := conformance coroutine demo firmware flash host_port openmp_existing overflow restart stopped stress \
	workloads
LIBRARY_C := $(if $(or $(FILE_BY_FILE),$(filter $(ONLY_CXX),$(APP)),$(filter %.cpp,$(EXAMPLE))),,$(WHOLE_C))
IMAGE_SOURCES := $(BOARD_SOURCES) $(if $(EXAMPLE)$(OWN),examples/board_main.cpp,$(wildcard tests/kit/*.cpp))
# Most of a test's compilation is its headers. So these files are compiled a few at a time: each in a namespace of its
# own, in place of the one without a name. What is not such a file stays alone.
ALONE_firmware := %/main.cpp %/harness.cpp %/host.cpp %/stack.cpp
ALONE_unit := %/main.cpp %/fork.cpp
ALONE_conformance := %/main.cpp %/crew.cpp %/watch.cpp
UNIT_FILES := $(if $(ALONE_$(APP)),$(filter-out $(ALONE_$(APP)),$(filter tests/$(APP)/%,$(NAMED_SOURCES))))
UNIT_LENGTH := 12
unit_at = $(wordlist $(1),$(shell echo $$(($(1) + $(UNIT_LENGTH) - 1))),$(UNIT_FILES))
UNIT_STARTS := $(if $(UNIT_FILES),$(shell seq 1 $(UNIT_LENGTH) $(words $(UNIT_FILES))))
UNITS := $(UNIT_STARTS:%=$(MADE)/units/$(APP)_%.cpp)
APP_SOURCES := $(UNITS) $(filter-out $(UNIT_FILES),$(or $(NAMED_SOURCES),$(OWN_SOURCES)))

# Everything that decides what an object looks like: objects are rebuilt when it changes. Scripts read it too.
define CONFIG
port=$(PORT)
board=$(BOARD)
cross=$(CROSS_COMPILE)
compiler=$(CXX)
language=$(LANGUAGE)
c_language=$(C_LANGUAGE)
library=$(LIB_FLAGS)
units=$(if $(FILE_BY_FILE),files,one)
image=$(APP_FLAGS) $(BOARD_ONLY)$(if $(and $(LIB)$(OWN),$(OPENMP)), openmp)
link=$(LINK_FLAGS) $(LIBS)
qemu=$(QEMU)
run_as=$(RUN_AS)
probes=$(PROBES)
openocd=$(OPENOCD)
jlink=$(JLINK_DEVICE)
loaded_to=$(LOADED_TO)
uf2_family=$(UF2_FAMILY)
wfe_plugin=$(WFE_PLUGIN)
endef

own_compiler = $(or $(call given,CROSS_COMPILE),$(call given,CXX))
REMEDY = $(if $(own_compiler),is CROSS_COMPILE= its prefix$(comma) and the PATH right?,$(if \
	$(filter port/%,$(PORT_FOLDER)),make setup BOARD=$(BOARD),install it$(comma) or name another one (CROSS_COMPILE=)))
OR_ELSEWHERE := ; B=folder builds it elsewhere
.PHONY: FORCE board
# Expanded here: it would take over what an object that needs it has of its own (-Og), and a folder that two programs
# share be built anew for each.
$(B)/config: export CONFIG_TEXT := $(CONFIG)
$(B)/config: FORCE
	@mkdir -p $(@D) || { echo "weft: nothing can be built here: $(@D) cannot be made$(OR_ELSEWHERE)" >&2; exit 1; }
	@command -v $(CXX) >/dev/null || { echo "weft: there is no $(CXX): $(REMEDY)" >&2; exit 1; }
	@{ printf '%s\n' "$$CONFIG_TEXT" >$@.new; } 2>/dev/null || { \
		echo "weft: nothing can be built here: $(@D) is not to be written$(OR_ELSEWHERE)" >&2; exit 1; }
	@cmp -s $@.new $@ && rm $@.new || { rm -f $(B)/libweft.a $(B)/libweft-c.a; mv $@.new $@; }

objects = $(patsubst %,$(B)/%.o,$(1))
flags_of = $(if $(filter src/% $(MADE)/whole/% port/% $(PORT_FOLDER)/%,$(1)),$(LIB_FLAGS),$(APP_FLAGS) $(if \
	$(filter $(BOARD_SOURCES),$(1)),$(BOARD_ONLY)))

$(B)/%.cpp.o: %.cpp $(B)/config
	$(call say,c++,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CXX) $(LANGUAGE) $(call flags_of,$<) -MMD -MP -c $< -o $@

$(B)/%.c.o: %.c $(B)/config
	$(call say,cc,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(C_LANGUAGE) $(filter-out -fno-rtti -fno-threadsafe-statics,$(APP_FLAGS)) -MMD -MP -c $< -o $@

$(B)/%.S.o: %.S $(B)/config
	$(call say,as,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CXX) $(call flags_of,$<) -MMD -MP -c $< -o $@

$(IMAGE:.elf=.img): $(IMAGE:.elf=.bin) $(CARD_CONFIG) tools/card FORCE
	@tools/setup card
	$(call say,card,$@)
	$(Q)tools/card $< $(CARD_CONFIG) $@ $(call quoted,$(FIRMWARE))

$(IMAGE:.elf=.uf2): $(IMAGE:.elf=.bin) tools/uf2 $(B)/config
	$(call say,uf2,$@)
	$(Q)tools/uf2 write $< $(UF2_ADDRESS) $(UF2_FAMILY) $@

%.bin: %.elf
	$(call say,objcopy,$@)
	$(Q)$(CROSS_COMPILE)objcopy -O binary $< $@

$(B)/libweft.a: $(call objects,$(LIBRARY))
	$(call say,ar,$@)
	$(Q)rm -f $@
	$(Q)$(AR) rcsD $@ $^

$(B)/libweft-c.a: $(call objects,$(LIBRARY_C))
	$(call say,ar,$@)
	$(Q)rm -f $@
	$(Q)$(AR) rcsD $@ $^

$(B)/libweft-openmp.a: $(call objects,$(OPENMP_SOURCES))
	$(call say,ar,$@)
	$(Q)rm -f $@
	$(Q)$(AR) rcsD $@ $^

# A further file moves others from unit to unit. (A name for each make: several may be at it.)
$(MADE)/units/$(APP)_files: FORCE
	@mkdir -p $(@D)
	@new=$@.$$$$; echo '$(UNIT_FILES)' >$$new; if cmp -s $$new $@; then rm $$new; else mv $$new $@; fi
define UNIT_RULE
$(MADE)/units/$(APP)_$(1).cpp: $(call unit_at,$(1)) $(MADE)/units/$(APP)_files Makefile
	@mkdir -p $$(@D)
	@for file in $(call unit_at,$(1)); do name=file_$$$$(basename $$$$file .cpp); echo "#line 1 \"$$$$file\""; \
		sed -e "s/^namespace {$$$$/namespace $$$$name { namespace {/" -e "s,^}  // namespace$$$$,}}," \
		-e "s/{tests};$$$$/{$$$$name::tests};/" $$$$file; done >$$@.new
	@mv $$@.new $$@
endef
$(foreach start,$(UNIT_STARTS),$(eval $(call UNIT_RULE,$(start))))
$(call objects,$(UNITS)): private APP_FLAGS += -Itests/$(APP)

# A test's own code, with the templates of the headers in it, is optimized in one build at least of each instruction set
# and each compiler. In the others compiling it takes longer than running it. (But for unit/fork.cpp, which counts on
# loops that cost nothing.)
OPTIMIZED := $(filter 0,$(CHECKS))$(filter clang,$(COMPILER))$(filter qemu-virt-cortex-a15 qemu-virt-riscv64,$(BOARD))
ifneq ($(OTHER_BUILD)$(if $(OPTIMIZED),,quickly),)
ifeq ($(call given,OPT),)
QUICKLY_BUILT := $(if $(filter conformance,$(APP)),,$(UNITS)) \
	$(filter-out %/unit/fork.cpp,$(wildcard $(patsubst %,tests/%/*.cpp,unit firmware stress)))
$(call objects,$(QUICKLY_BUILT)): APP_FLAGS += -Og
endif
endif
$(B)/examples/%.cpp.o: private APP_FLAGS += -Dmain=example_main
$(B)/examples/%.c.o: private APP_FLAGS += -Dmain=example_main_of_c
# They have machine.hpp, and no more warnings than their author wants; but a main() that returns nothing would go on.
$(call objects,$(OWN_SOURCES)): private APP_FLAGS += -Iexamples
$(call objects,$(filter %.cpp,$(OWN_SOURCES))): private APP_FLAGS += -Dmain=example_main
$(call objects,$(filter %.c,$(OWN_SOURCES))): private APP_FLAGS += -Dmain=example_main_of_c
$(call objects,$(OWN_SOURCES)): private LANGUAGE := -std=c++17 -Wall -Wextra -Werror=return-type \
	-include examples/board_main.hpp
$(call objects,$(OWN_SOURCES)): private C_LANGUAGE := -std=c11 -Wall -Wextra -Werror=return-type
# Programs with OpenMP: compiled by -fopenmp, linked without it, as that would mean libgomp. Kernels in C, and code that
# others wrote, may have floating point (these tests make it work); examples run where nobody has.
OPENMP_PROGRAM := $(filter openmp openmp_%,$(APP))$(if $(OWN),$(OPENMP))
OPENMP_FLAGS := -specs=include/weft/openmp/openmp.specs -fopenmp -Iinclude/weft/openmp
ifneq ($(OPENMP_PROGRAM),)
OPENMP_KERNELS := $(filter tests/openmp/%.c,$(APP_SOURCES)) \
	$(filter-out %/main.cpp,$(filter tests/openmp_existing/%,$(APP_SOURCES)))
$(call objects,$(filter-out $(OPENMP_KERNELS),$(APP_SOURCES))): private APP_FLAGS += $(OPENMP_FLAGS)
$(call objects,$(OPENMP_KERNELS)): private APP_FLAGS := \
	$(filter-out -mgeneral-regs-only,$(APP_FLAGS)) $(OPENMP_FLAGS)
# From GCC 13 on a freestanding compiler sees no containers, which the parallel mode uses.
$(call objects,$(filter tests/openmp_existing/%,$(OPENMP_KERNELS))): private APP_FLAGS := \
	$(filter-out -mgeneral-regs-only -ffreestanding,$(APP_FLAGS)) $(OPENMP_FLAGS) $(if $(HOSTED),,-DNO_CXX_LIBRARY)
endif
ARCHIVES := $(if $(OPENMP_PROGRAM),$(B)/libweft-openmp.a) $(if $(LIBRARY_C),$(B)/libweft-c.a) $(B)/libweft.a
$(IMAGE): $(call objects,$(APP_SOURCES) $(IMAGE_SOURCES)) $(ARCHIVES) $(LINKER_SCRIPT) $(wildcard linker/*.ld)
	$(call say,link,$@)
	$(Q)$(CXX) $(LINK_FLAGS) -o $@ $(filter %.o,$^) $(ARCHIVES) $(LIBS)

# Coroutines are C++20; all the rest is C++17. (A program of one's own chooses by EXTRA_FLAGS=-std=c++20.)
COROUTINES := $(wildcard tests/coroutine/*.cpp tests/bench/coroutine.cpp examples/coroutines.cpp) \
	$(filter $(CURDIR)/tests/traced/%/coroutine.cpp,$(OWN_SOURCES))
$(call objects,$(COROUTINES)): private LANGUAGE := $(patsubst -std=c++17,-std=c++20,$(LANGUAGE))

# Plugins of the emulator: how QEMU shows what its WFE hides.
build/plugin/%.so: tests/plugin/%.c $(wildcard tests/plugin/*.h)
	$(call say,cc,$@)
	$(Q)mkdir -p $(@D)
	$(Q)gcc -std=gnu11 -O2 -Wall -Wextra -Werror -shared -fPIC -pthread $< -o $@

# The library in one unit, and its interface for C in another one.
$(WHOLE): src Makefile
	@mkdir -p $(@D)
	@printf '#include "%s"\n' $(wildcard src/*.cpp) >$@
$(WHOLE_C): src/c Makefile
	@mkdir -p $(@D)
	@printf '#include "%s"\n' $(wildcard src/c/*.cpp) >$@
$(call objects,$(WHOLE) $(WHOLE_C)): private LIB_FLAGS += -iquote .

# The model checker: the library as it is on a simulated machine, in two programs of this one: the tests of the checker
# itself, and the scenarios. No search rounds before a core sleeps: they would only repeat the search. A third
# program is with them, for sampling: its library and those scenarios that know of them are other ones. (The patience of
# thieves ends by itself, which the machine takes for waiting; one turn it allows.)
MODEL := build/model
MODEL_CXX := g++
MODEL_FLAGS := -std=c++17 $(WARNINGS) -Wno-type-limits -Werror -O1 -g1 -fno-ipa-icf -fno-pie \
	-DWEFT_CHECKS=0 -DWEFT_INDEX_START=0xfffffffeu -DWEFT_SEARCH_ROUNDS=0 \
	-DWEFT_STEAL_PATIENCE=1 -DWEFT_TIMERS=1 -DWEFT_URGENCY_LEVELS=2 -DWEFT_FORK_DEPTH=2 \
	-DWEFT_STRAND_BURST=2 -DWEFT_NEVER=__builtin_trap -Iinclude -Iport/model -Iport -Itests/model -iquote .
MODEL_SELFTEST := $(wildcard tests/model/litmus*.cpp \
	$(addprefix tests/model/engine/,axiomatic.cpp litmus*.cpp random_*.cpp))
# WEFT_REST=1 has a fence each time that a core wakes up, WEFT_CORE_SETS before its next task. Both would hide what
# other scenarios look for. So their own are compiled with a library of their own, in the same program: all names of the
# two differ (WEFT_ABI).
MODEL_REST_FLAGS := -DWEFT_REST=1 -DWEFT_CORE_SETS=2
# So are those of a level that preempts, alone and with WEFT_REST=1.
MODEL_PREEMPT_FLAGS := -DWEFT_PREEMPTION=1
MODEL_PREEMPT_REST_FLAGS := -DWEFT_PREEMPTION=1 -DWEFT_REST=1
# And those of cores that stand still.
MODEL_QUIESCE_FLAGS := -DWEFT_QUIESCE=1
# And those of cores that leave.
MODEL_ELASTIC_FLAGS := -DWEFT_ELASTIC=1
# And those of who looks at what cores run.
MODEL_WATCH_FLAGS := -DWEFT_WATCH=1
MODEL_WATCH_OWN := watch
# And those of long tasks, alone and with cores that leave.
MODEL_BLOCKING_FLAGS := -DWEFT_BLOCKING=1
MODEL_BLOCKING_OWN := blocking
MODEL_ELASTIC_BLOCKING_FLAGS := -DWEFT_ELASTIC=1 -DWEFT_BLOCKING=1
MODEL_ELASTIC_BLOCKING_OWN := elastic_blocking
# And those of tasks that run whatever becomes of their pool.
MODEL_MANDATORY_FLAGS := -DWEFT_MANDATORY=1
MODEL_MANDATORY_OWN := mandatory
# And those of who looks at what is queued.
MODEL_METRICS_FLAGS := -DWEFT_METRICS=1
MODEL_METRICS_OWN := metrics
# And those of searches whose length adapts, as the interval of fair turns does, and that begin at random victims.
MODEL_SEARCH_FLAGS := -DWEFT_SEARCH_MOST=1 -DWEFT_FAIR_MOST=16 -DWEFT_RANDOM_VICTIMS=7
MODEL_SEARCH_OWN := search
# And those of what the image does around a sleep.
MODEL_HOOKS_FLAGS := -DWEFT_SLEEP_HOOKS=1
MODEL_HOOKS_OWN := hooks
# And those of a limit of who searches.
MODEL_SEARCHING_FLAGS := -DWEFT_FEW_SEARCHERS=1
MODEL_SEARCHING_OWN := searching
# And those of a ring with a place for its newest task.
MODEL_NEWEST_FLAGS := -DWEFT_NEWEST_FIRST=1
MODEL_NEWEST_OWN := newest
# And those of a pool that does not fork.
MODEL_UNFORKED_FLAGS := -UWEFT_FORK_DEPTH -DWEFT_FORK_DEPTH=0
MODEL_UNFORKED_OWN := unforked
MODEL_REST_OWN := rest core_sets
MODEL_PREEMPT_OWN := preempt
MODEL_PREEMPT_REST_OWN := preempt_rest
MODEL_QUIESCE_OWN := quiesce pen
MODEL_ELASTIC_OWN := elastic
MODEL_PREEMPT_QUIESCE_FLAGS := -DWEFT_PREEMPTION=1 -DWEFT_QUIESCE=1
MODEL_PREEMPT_QUIESCE_OWN := preempt_quiesce
MODEL_ELASTIC_QUIESCE_FLAGS := -DWEFT_ELASTIC=1 -DWEFT_QUIESCE=1
MODEL_ELASTIC_QUIESCE_OWN := elastic_quiesce
MODEL_BLOCKING_QUIESCE_FLAGS := -DWEFT_BLOCKING=1 -DWEFT_QUIESCE=1
MODEL_BLOCKING_QUIESCE_OWN := blocking_quiesce
MODEL_ELASTIC_REST_FLAGS := -DWEFT_ELASTIC=1 -DWEFT_REST=1
MODEL_ELASTIC_REST_OWN := elastic_rest
MODEL_RECORDER_OWN := recorder
# Each library is one unit, which takes a quarter of the time. File by file (MODEL_PARTS=1) it is for tools that change
# one of them: tools/mutants, and tools/mutants_generated, which puts its switches into src/, once in a program.
MODEL_LIBRARY := $(if $(MODEL_PARTS),$(filter-out src/weft_mutant.cpp,$(wildcard src/*.cpp)),$(WHOLE))
MODEL_REST := $(MODEL_LIBRARY:%=$(MODEL)/rest/%.o)
MODEL_APART := $(patsubst %,tests/model/%.cpp,$(MODEL_REST_OWN) $(MODEL_PREEMPT_OWN) \
	$(MODEL_PREEMPT_REST_OWN) $(MODEL_QUIESCE_OWN) $(MODEL_PREEMPT_QUIESCE_OWN) $(MODEL_ELASTIC_OWN) \
	$(MODEL_ELASTIC_QUIESCE_OWN) $(MODEL_BLOCKING_QUIESCE_OWN) $(MODEL_ELASTIC_REST_OWN) $(MODEL_WATCH_OWN) \
	$(MODEL_BLOCKING_OWN) \
	$(MODEL_ELASTIC_BLOCKING_OWN) $(MODEL_MANDATORY_OWN) $(MODEL_METRICS_OWN) $(MODEL_SEARCH_OWN) $(MODEL_HOOKS_OWN) \
	$(MODEL_SEARCHING_OWN) $(MODEL_NEWEST_OWN) $(MODEL_UNFORKED_OWN) $(MODEL_RECORDER_OWN))
MODEL_SCENARIOS := tests/model/engine/runner.cpp \
	$(filter-out $(MODEL_SELFTEST) $(MODEL_APART),$(wildcard tests/model/*.cpp)) \
	$(if $(MODEL_PARTS),$(wildcard src/*.cpp),$(WHOLE)) \
	$(filter-out %/c_openmp.cpp,$(OPENMP_SOURCES))
# The engine is one unit, of all its files: a tenth faster, and sooner built than by optimizing at link time.
MODEL_ENGINE := tests/model/engine/whole.cpp
# Its speed is that of the checker; what runs on it, the library too, is mostly calls of it.
MODEL_SPEED = $(if $(filter $(MODEL_ENGINE),$(1)),-O3)

$(MODEL)/%.cpp.o: %.cpp Makefile
	$(call say,c++,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(MODEL_CXX) $(MODEL_FLAGS) $(call MODEL_SPEED,$<) -MMD -MP -c $< -o $@
$(MODEL)/litmus: $(patsubst %,$(MODEL)/%.o,$(MODEL_ENGINE) $(MODEL_SELFTEST))
MODEL_OBJECTS := $(patsubst %,$(MODEL)/%.o,$(MODEL_ENGINE) $(MODEL_SCENARIOS))
MODEL_OBJECTS += $(patsubst %,$(MODEL)/recorder/%.o,src/trace.cpp $(MODEL_RECORDER_OWN:%=tests/model/%.cpp))
MODEL_ROUNDS := build/model-rounds
MODEL_ROUNDS_FLAGS := $(filter-out -DWEFT_SEARCH_ROUNDS%,$(MODEL_FLAGS))
MODEL_KNOW_ROUNDS := $(if $(filter %-rounds/model,$(MAKECMDGOALS)),\
	$(notdir $(shell grep -l WEFT_SEARCH_ROUNDS tests/model/*.cpp)))
# The objects of these are in another folder.
with_rounds = $(foreach name,$(1),$(if $(filter $(MODEL_KNOW_ROUNDS:%=%.o),$(notdir $(name))),\
	$(name:$(MODEL)/%=$(MODEL_ROUNDS)/%),$(name)))
MODEL_ROUNDS_OBJECTS := $(call with_rounds,$(filter-out $(MODEL)/src/% $(MODEL)/$(WHOLE).o,$(MODEL_OBJECTS))) \
	$(filter $(MODEL)/src/openmp/%,$(MODEL_OBJECTS)) $(MODEL_ROUNDS)/$(WHOLE).o
$(MODEL_ROUNDS)/%.cpp.o: %.cpp Makefile
	$(call say,c++,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(MODEL_CXX) $(MODEL_ROUNDS_FLAGS) $(call MODEL_SPEED,$<) -MMD -MP -c $< -o $@
# The recorder alone: in a library that tells its events, each scenario would have three times the steps.
MODEL_RECORDER_FLAGS := -DWEFT_TRACE=1 -DWEFT_TRACE_EVENTS=16 -DWEFT_TRACE_CORES=1
$(MODEL)/recorder/%.cpp.o: %.cpp Makefile
	$(call say,c++,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(MODEL_CXX) $(MODEL_FLAGS) $(MODEL_RECORDER_FLAGS) $(call MODEL_SPEED,$<) -MMD -MP -c $< -o $@
# A library with its scenarios: $(1) its folder, $(2) its name in the variables above.
define MODEL_APART_RULES
MODEL_OBJECTS += $(MODEL_LIBRARY:%=$(MODEL)/$(1)/%.o) $(MODEL_$(2)_OWN:%=$(MODEL)/$(1)/tests/model/%.cpp.o)
MODEL_ROUNDS_OBJECTS += $(MODEL_ROUNDS)/$(1)/$(WHOLE).o \
	$(call with_rounds,$(MODEL_$(2)_OWN:%=$(MODEL)/$(1)/tests/model/%.cpp.o))
$(MODEL)/$(1)/%.cpp.o: %.cpp Makefile
	$$(call say,c++,$$@)
	$$(Q)mkdir -p $$(@D)
	$$(Q)$$(MODEL_CXX) $$(MODEL_FLAGS) $$(MODEL_$(2)_FLAGS) $$(call MODEL_SPEED,$$<) -MMD -MP -c $$< -o $$@
$(MODEL_ROUNDS)/$(1)/%.cpp.o: %.cpp Makefile
	$$(call say,c++,$$@)
	$$(Q)mkdir -p $$(@D)
	$$(Q)$$(MODEL_CXX) $$(MODEL_ROUNDS_FLAGS) $$(subst SEARCH_MOST=1,SEARCH_MOST=3,$$(MODEL_$(2)_FLAGS)) \
		$$(call MODEL_SPEED,$$<) -MMD -MP -c $$< -o $$@
endef
$(eval $(call MODEL_APART_RULES,rest,REST))
$(eval $(call MODEL_APART_RULES,preempt,PREEMPT))
$(eval $(call MODEL_APART_RULES,preempt_rest,PREEMPT_REST))
$(eval $(call MODEL_APART_RULES,quiesce,QUIESCE))
$(eval $(call MODEL_APART_RULES,elastic,ELASTIC))
$(eval $(call MODEL_APART_RULES,watch,WATCH))
$(eval $(call MODEL_APART_RULES,blocking,BLOCKING))
$(eval $(call MODEL_APART_RULES,elastic_blocking,ELASTIC_BLOCKING))
$(eval $(call MODEL_APART_RULES,mandatory,MANDATORY))
$(eval $(call MODEL_APART_RULES,metrics,METRICS))
$(eval $(call MODEL_APART_RULES,search,SEARCH))
$(eval $(call MODEL_APART_RULES,hooks,HOOKS))
$(eval $(call MODEL_APART_RULES,searching,SEARCHING))
$(eval $(call MODEL_APART_RULES,newest,NEWEST))
$(eval $(call MODEL_APART_RULES,unforked,UNFORKED))
$(eval $(call MODEL_APART_RULES,preempt_quiesce,PREEMPT_QUIESCE))
$(eval $(call MODEL_APART_RULES,elastic_quiesce,ELASTIC_QUIESCE))
$(eval $(call MODEL_APART_RULES,blocking_quiesce,BLOCKING_QUIESCE))
$(eval $(call MODEL_APART_RULES,elastic_rest,ELASTIC_REST))
$(MODEL)/model: $(MODEL_OBJECTS)
$(MODEL_ROUNDS)/model: $(MODEL_ROUNDS_OBJECTS)
# Some scenarios alone (MODEL_FILES=, from tools/model): with the libraries that these have, and no others.
MODEL_CHOSEN := $(filter $(addprefix %,$(MODEL_FILES:%=%.o)),$(MODEL_OBJECTS))
MODEL_CHOSEN_ROOMS := $(sort $(foreach object,$(MODEL_CHOSEN),$(firstword $(subst tests/model/, ,$(object)))))
$(MODEL)/some: $(MODEL)/$(MODEL_ENGINE).o $(MODEL)/tests/model/engine/runner.cpp.o $(MODEL_CHOSEN) \
		$(filter $(foreach room,$(MODEL_CHOSEN_ROOMS),$(room)src/% $(room)$(MADE)/whole/%),$(MODEL_OBJECTS)) FORCE
# How many steps each call takes (docs/BOUNDS.md).
$(MODEL)/bounds: $(patsubst %,$(MODEL)/%.o,$(MODEL_ENGINE)) $(MODEL_REST) $(MODEL)/rest/tests/model/bounds/bounds.cpp.o
$(MODEL)/litmus $(MODEL)/model $(MODEL)/some $(MODEL_ROUNDS)/model $(MODEL)/bounds:
	$(call say,link,$@)
	$(Q)$(MODEL_CXX) -no-pie -o $@ $(filter %.o,$^)

# The library as it is on a simulated machine with costs (tests/simulate). Lines and settings are those of a chip.
# EXTRA_FLAGS= are settings to compare: a build of its own for each.
SIMULATE := build/simulate$(subst =,_,$(subst $() ,,$(patsubst -DWEFT_%,/%,$(EXTRA_FLAGS))))
SIMULATE_FLAGS := -std=c++17 $(WARNINGS) -Wno-type-limits -Werror -O2 -g1 -DWEFT_CHECKS=0 \
	-DWEFT_MODEL_CORES=24 -DWEFT_MODEL_LINE=64 $(EXTRA_FLAGS) -Iinclude -Iport/model -Iport -I.
$(SIMULATE)/%.cpp.o: %.cpp Makefile
	$(call say,c++,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(MODEL_CXX) $(SIMULATE_FLAGS) -MMD -MP -c $< -o $@
SIMULATE_OBJECTS := $(patsubst %,$(SIMULATE)/%.o,$(WHOLE) $(wildcard tests/simulate/*.cpp) tests/model/engine/fiber.cpp)
$(SIMULATE)/simulate: $(SIMULATE_OBJECTS)
	$(call say,link,$@)
	$(Q)$(MODEL_CXX) -O2 -o $@ $^
# Programs of one's own in place of those of tests/simulate; the environment names their file, for tools/simulate.
ifneq ($(SIMULATE_OWN),)
SIMULATE_OWN_BUILD := $(SIMULATE)/own/$(subst /,_,$(SIMULATE_OWN))
$(SIMULATE_OWN_BUILD).o: $(SIMULATE_OWN) Makefile
	$(call say,c++,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(MODEL_CXX) $(SIMULATE_FLAGS) -MMD -MP -c $< -o $@
$(SIMULATE_OWN_BUILD).sim: $(SIMULATE_OWN_BUILD).o $(filter-out %/apps.cpp.o,$(SIMULATE_OBJECTS))
	$(call say,link,$@)
	$(Q)$(MODEL_CXX) -O2 -o $@ $^
endif

# For tools/mutants: how the scenarios are compiled, and what is linked.
model-objects: $(MODEL)/model
	@echo '$(MODEL_CXX) $(MODEL_FLAGS)'
	@echo '$(MODEL_OBJECTS)'

# Generated programs for the model (tests/model/fuzz). What is compiled in is an input of the generator: one build for
# each FUZZ=checks-depth-fair-rounds-deadline-timers-rest-sets-quiesce-elastic-blocking-mandatory-policies (these are
# a bit each: tests/model/weft_config.h).
# Most programs touch more words than a scenario does.
FUZZ ?= 0-2-4-0-100-1-1-0-0-0-0-0-0
FUZZ_SETTING = $(word $(1),$(subst -, ,$(FUZZ)))
FUZZ_B := build/fuzz/$(FUZZ)
FUZZ_FLAGS := $(filter-out -DWEFT_CHECKS% -DWEFT_FORK_DEPTH% -DWEFT_SEARCH_ROUNDS% -DWEFT_TIMERS%,$(MODEL_FLAGS)) \
	-DWEFT_MODEL_WORDS=240 \
	-DWEFT_CHECKS=$(call FUZZ_SETTING,1) -DWEFT_FORK_DEPTH=$(call FUZZ_SETTING,2) \
	-DWEFT_FAIR_INTERVAL=$(call FUZZ_SETTING,3) -DWEFT_SEARCH_ROUNDS=$(call FUZZ_SETTING,4) \
	-DWEFT_START_DEADLINE_MS=$(call FUZZ_SETTING,5) -DWEFT_TIMERS=$(call FUZZ_SETTING,6) \
	-DWEFT_REST=$(call FUZZ_SETTING,7) -DWEFT_CORE_SETS=$(call FUZZ_SETTING,8) \
	-DWEFT_QUIESCE=$(call FUZZ_SETTING,9) -DWEFT_ELASTIC=$(call FUZZ_SETTING,10) \
	-DWEFT_BLOCKING=$(call FUZZ_SETTING,11) -DWEFT_MANDATORY=$(call FUZZ_SETTING,12) \
	-DWEFT_MODEL_POLICIES=$(call FUZZ_SETTING,13)
# The engine knows nothing of the settings, and of the generator only the world does.
FUZZ_WORLD := tests/model/fuzz/world.cpp
FUZZ_ENGINE := $(MODEL_ENGINE) \
	$(filter-out $(FUZZ_WORLD),$(wildcard tests/model/fuzz/*.cpp))
FUZZ_OBJECTS := $(patsubst %,build/fuzz/engine/%.o,$(FUZZ_ENGINE)) \
	$(patsubst %,$(FUZZ_B)/%.o,$(WHOLE) $(FUZZ_WORLD))
build/fuzz/engine/%.cpp.o: %.cpp Makefile
	$(call say,c++,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(MODEL_CXX) $(MODEL_FLAGS) $(call MODEL_SPEED,$<) -DWEFT_MODEL_WORDS=240 -MMD -MP -c $< -o $@
$(FUZZ_B)/%.cpp.o: %.cpp Makefile
	$(call say,c++,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(MODEL_CXX) $(FUZZ_FLAGS) -MMD -MP -c $< -o $@
$(FUZZ_B)/programs: $(FUZZ_OBJECTS)
	$(call say,link,$@)
	$(Q)$(MODEL_CXX) -no-pie -o $@ $^
fuzz-program: $(FUZZ_B)/programs
# For tools/fuzz, as model-objects.
fuzz-objects: $(FUZZ_B)/programs
	@echo '$(MODEL_CXX) $(FUZZ_FLAGS)'
	@echo '$(FUZZ_OBJECTS)'

-include $(shell find $(B) $(MODEL) $(MODEL_ROUNDS) $(SIMULATE) build/fuzz/engine $(FUZZ_B) -name '*.d' 2>/dev/null)

# ---- Verbs ----------------------------------------------------------------------------------------------------------

.PHONY: help doctor setup tools demo test test-all test-host test-qemu run trace debug flash flashable image built \
	lib archive arduino size check-size bench check-bench bench-host simulate model model-fuzz model-deep \
	mutants mutants-generated soak promises bounds docs format lint clean plugins summary sources model-objects \
	fuzz-program fuzz-objects

## help        this list
help:
	@sed -n 's/^## /  make /p' Makefile
	@printf '\nApps (APP=, default firmware): %s\n' '$(APPS)'
	@printf '  or an example: %s\n' '$(basename $(notdir $(EXAMPLES)))'
	@printf '  or the path of a program of yours, a file or a folder. On BOARD=host alone: unit,\n'
	@printf '  host_port, stress; bench by make bench\n'
	@printf '\nPorts (PORT=): %s\n' '$(PORTS)'
	@printf '\nBoards (BOARD=, default qemu-virt-aarch64):\n'
	@for b in $(BOARDS); do $(MAKE) -s BOARD=$$b $(ELSEWHERE) summary; done

summary:
	@printf '  %-21s %s\n' '$(BOARD)' '$(SUMMARY)'

## doctor      what is installed, what is missing, and the line that installs it
doctor:
	@tools/setup --check everything

# What a board needs: the compiler of its port, its emulator.
TOOLS = $(PORT) $(firstword $(QEMU))
tools:
	@echo $(TOOLS)

words = $(foreach word,$(WORDS),$(call quoted,$(word)))

# One make at a time builds in a tree: two might write the same object. As in tools/common.py, whose makes go on.
ONE_MAKE := if [ -z "$$WEFT_MAKES" ] && mkdir -p build 2>/dev/null && [ -w build ]; then export WEFT_MAKES=1; \
	exec 9>build/lock; flock -n 9 || { [ -n "$$WEFT_WAITS_QUIETLY" ] || \
	echo "weft: another make builds here; this one goes on behind it" >&2; flock 9; }; fi;

## setup       install all that is missing (apt, as root or by sudo)   [BOARD= what this one needs]
setup:
	@tools/setup $(if $(call given,BOARD),$(TOOLS) host,everything)

## demo        four emulated cores share a real job: hash a file, draw a picture   [BOARD= INPUT=]
demo:
	@tools/setup $(TOOLS)
	+@$(ONE_MAKE) $(MAKE) APP=$(APP) PARK=$(PARK) TRACE=$(TRACE) $(ELSEWHERE) built
	@tools/demo $(IMAGE) $(if $(filter-out undefined,$(origin INPUT)),$(call quoted,$(value INPUT)))

legs = $(foreach leg,$(LEGS),$(call quoted,$(leg)))

## test        all tests; ends in "N passed, N failed"   [LEGS='pattern ...']
test:
	@tools/setup python
	+@needs=$$(tools/test --needs $(legs)) && tools/setup $$needs
	+@tools/test $(legs)

## test-all    the same, and the legs that repeat what others see: on every board, every figure
test-all:
	@tools/setup test
	+@tools/test --all

## test-host   the legs that run on this machine
test-host:
	@tools/setup host
	+@tools/test 'host*'

## test-qemu   the legs of one emulated board   BOARD=
test-qemu:
	+@needs=$$(tools/test --needs --board $(BOARD)) && tools/setup $$needs
	+@tools/test --board $(BOARD)

## run         build and run one image   BOARD= [APP=name or path ARGS= VARIANT= PARK= CHECKS= MODE= OPENMP=1]
run:
	@tools/setup $(TOOLS) $(if $(MODE),host)
	+@$(ONE_MAKE) $(MAKE) APP=$(APP) $(ELSEWHERE) built
	@tools/emulator.py $(if $(MODE),--mode $(MODE)) -- $(IMAGE) $(ARGS)

## trace       run an image, and make pictures of who did what when   BOARD= [APP= ARGS= SECONDS= EVENTS=1024 a core]
trace:
	@tools/setup $(TOOLS) host
	+@$(ONE_MAKE) $(MAKE) APP=$(APP) PARK=$(PARK) TRACE=1 $(ELSEWHERE) built
	@tools/trace --run $(or $(MODE),$(if $(QEMU),icount,direct)) --elf $(IMAGE) --out $(IMAGE:.elf=-trace) \
		$(if $(call given,SECONDS),--seconds $(call quoted,$(SECONDS))) \
		$(if $(filter demo,$(APP)),$(or $(ARGS),LICENSE),$(ARGS))

## simulate    speed-up, wakes, steals, moved lines on up to 64 simulated cores CORES= [APP=batch|FILE.cpp EXTRA_FLAGS=]
simulate:
	@tools/setup python
	+@tools/simulate --words $(call quoted,$(SIMULATED)) $(call quoted,$(SIMULATED_CORES)) $(EXTRA_FLAGS)
	@tools/setup host simulate
	+@tools/simulate $(call quoted,$(SIMULATED)) $(call quoted,$(SIMULATED_CORES)) $(EXTRA_FLAGS)

## debug       the same image under gdb, every core a thread; `help weft`   BOARD= [APP= CHECKS= ARGS= PROBE=]
debug:
	@tools/setup $(TOOLS) debug
	+@$(ONE_MAKE) $(MAKE) APP=$(APP) $(ELSEWHERE) $(if $(NO_VARIABLES),EXTRA_FLAGS='$(EXTRA_FLAGS) -g') built
	@PROBE=$(PROBE) tools/debug $(IMAGE) $(ARGS)

## flash       load an image into a real board and start it   BOARD= [PROBE=openocd, jlink or picotool APP= CHECKS=]
flash:
	@tools/setup compiler-$(PORT)
	+@$(ONE_MAKE) $(MAKE) APP=$(APP) $(ELSEWHERE) flashable
	@tools/flash $(IMAGE) $(PROBE)
flashable: $(IMAGE) $(if $(UF2_FAMILY),$(IMAGE:.elf=.uf2))
	@:

## image       build one image and name it   BOARD= [APP= CHECKS= FORMAT=elf, bin, uf2 or img (a memory card) FIRMWARE=]
image: $(IMAGE) $(BOOTED) $(IMAGE:.elf=.$(or $(FORMAT),elf))
	@echo $(IMAGE:.elf=.$(or $(FORMAT),elf))
# For the scripts: an image without its name; the sources of a board.
built: $(IMAGE) $(BOOTED) $(if $(MODE),plugins)
	@:
# For CMakeLists.txt: of what an image for this board is made.
whole_paths = $(foreach word,$(1),$(if $(filter -I%,$(word)),-I$(abspath $(word:-I%=%)),$(word)))
FACT_port = $(abspath $(PORT_FOLDER))
FACT_cores = $(or $(CORES),1)
FACT_run_as = $(RUN_AS)
FACT_machine = $(call whole_paths,$(PORT_FLAGS) $(MACHINE) $(PORT_DEFINES) $(BOARD_DEFINES))
FACT_freestanding = $(APP_FREESTANDING)
FACT_own = $(call whole_paths,$(BOARD_ONLY))
FACT_link = $(patsubst $(LINKER_SCRIPT),$(abspath $(LINKER_SCRIPT)),$(LINK_BARE))
FACT_libs = $(LIBS)
FACT_sources = $(abspath $(BOARD_SOURCES))
FACT_qemu = $(QEMU)
board:
	@printf '%s\n' $(foreach fact,port cores run_as machine freestanding own link libs sources qemu,\
		$(call quoted,$(fact)=$(strip $(FACT_$(fact)))))
sources: $(B)/config
	@echo $(B) $(LIB_SOURCES) $(IMAGE_SOURCES) $(wildcard $(patsubst %,tests/%/*.cpp,$(APPS)))
plugins: $(patsubst tests/plugin/%.c,build/plugin/%.so,$(wildcard tests/plugin/*.c))

## lib         one libweft.a for your firmware   PORT= [CROSS_COMPILE= ARCH_FLAGS= OPT= CHECKS=0 OPENMP=1 EXTRA_FLAGS=]
lib:
	@$(if $(own_compiler),,tools/setup compiler-$(PORT) $(if $(filter clang,$(COMPILER)),clang))
	+@$(MAKE) $(ELSEWHERE) archive
archive: $(B)/libweft.a
	@echo $<

## arduino     the library as the Arduino IDE wants it: build/arduino/weft.zip
arduino:
	@tools/setup python
	@tools/arduino build/arduino

## size        flash, RAM and stack of every port, written into README.md
size:
	@tools/setup aarch64 armv6m armv7a armv7m riscv
	+@tools/size --write

## check-size  README.md's figures are those of this tree
check-size:
	@tools/setup aarch64 armv6m armv7a armv7m riscv
	+@tools/size --check --all

## bench       instruction counts of every port, written into docs/PERFORMANCE.md
bench:
	@tools/setup aarch64 armv6m armv7a armv7m riscv
	+@tools/bench --write
	+@tools/costs --write
	+@tests/parts/check_parts.py --write

## check-bench docs/PERFORMANCE.md's figures are those of this tree
check-bench:
	@tools/setup aarch64 armv6m armv7a armv7m riscv
	+@tools/bench --check
	+@tools/costs --check
	+@tests/parts/check_parts.py

## bench-host  weft against oneTBB, OpenMP, Rayon and pthreadpool on this machine, written into docs/PERFORMANCE.md
bench-host:
	@tools/setup bench-host
	+@tests/bench/host/measure.py --write

## model       the model checker: its own tests and every scenario within the usual bounds   [WORDS= some scenarios]
model:
	@tools/setup host
	@tools/model names $(words) >/dev/null
	+@$(if $(WORDS),,tools/test model-litmus)
	+@tools/model scenarios --write $(words)
	+@$(if $(WORDS),,tools/fuzz fixed)

## model-fuzz  generated programs with fresh seeds, until one fails   [MINUTES=10 SEED=]
model-fuzz:
	@tools/setup host
	+@tools/fuzz fresh --minutes $(or $(MINUTES),10) $(if $(SEED),--seed $(SEED))

## model-deep  the scenarios with larger bounds: hours   [WORDS=] [MINUTES=15 for each]
model-deep:
	@tools/setup host
	+@tools/model deep $(words) $(if $(MINUTES),--seconds $$(( $(MINUTES) * 60 )))

## mutants     every weakened order and every planted error must be caught   [WORDS=]
mutants:
	@tools/setup host lint aarch64 armv6m armv7a armv7m riscv mutants
	@tools/port_mutants --any $(words) || tools/mutants --any $(words) || \
		{ echo "weft: there is no mutant with such a word: $(WORDS)" >&2; exit 1; }
	+@! tools/port_mutants --any $(words) || tools/port_mutants $(words)
	+@! tools/mutants --any $(words) || tools/mutants $(words)

## mutants-generated  small errors by rule, some thousand: who finds them?   [WORDS= MINUTES=]
mutants-generated:
	@tools/setup host mutants-generated
	+@tools/mutants_generated $(if $(MINUTES),--minutes $(MINUTES)) $(words)

## soak        repeat the stress tests, and those with delays, with fresh seeds   MINUTES=
soak:
	@tools/setup host
	+@tools/test --minutes $(or $(MINUTES),10) '*stress*' '*delays*'

## bounds      how many steps each call takes, written into docs/BOUNDS.md
bounds:
	@tools/setup host
	+@tools/bounds --write

## promises    which tests show what, written into docs/PROMISES.md
promises:
	@tools/check_promises --write

## docs        the reference of every public name, in build/docs/html
docs:
	@tools/setup docs
	@tools/check_reference
	@echo build/docs/html/index.html

## format      lay out the sources
format:
	@tools/setup lint
	@tools/lint --format

## lint        clang-format, clang-tidy, cppcheck, shellcheck, the reference, and the rules of the house
lint:
	@tools/setup lint
	+@tools/lint

## clean       remove build/
clean:
	$(Q)rm -rf build
ifneq ($(filter clean,$(MAKECMDGOALS)),)
$(filter-out clean,$(MAKECMDGOALS)) $(B)/config: | clean
endif
