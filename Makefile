# SPDX-License-Identifier: GPL-2.0-or-later
# perf needs GNU make, a C compiler and libelf; other libraries are found by themselves or left out.
#
#   make | make build       build/perf                 make O=DIR       build elsewhere
#   make check              every test                 make V=1         show the commands
#   make check-fast         in a minute                make CC=clang
#   make check-all          every test, and all command suites with sanitizers
#   make unit | demo        parts of it                make DEVELOPER=1 strict warnings are errors
#   make install            PREFIX=/usr/local DESTDIR= make SAN=address,undefined | SAN=thread
#   make man | bench | cleanroom | deps | clean        make COVERAGE=1
#   make coverage           lines that unit tests run    make mutants N=60 SEED=1 MINUTES=30
#   make features           what is built in           make NO_LIBDW=1  leave a feature out (NO_ALL=1)
#   make fuzz | libfuzzer | fuzz-coverage         make ARCH=arm64 SYSROOT=DIR  Documentation/HOWTO-port.md
#                           tests/fuzz/README
#
# Sources are found by their folder: arch/*.c, util/*/*.c, selftest and ui/*/*.c are the library, perf.c and builtin-*.c
# the commands, tests/unit/*.c one program, each tests/workloads/*.c and tests/fuzz/*_fuzz.c one.

comma := ,
VARIANT := $(if $(filter command%,$(origin ARCH)),-$(ARCH))$(if $(SAN),-$(subst $(comma),-,$(SAN)))$(if $(COVERAGE),-coverage)
O ?= build$(VARIANT)
PREFIX ?= /usr/local
DESTDIR ?=
# Another architecture, and the prefix of its compiler (Debian's, unless told otherwise).
CROSS_arm64 := aarch64-linux-gnu-
CROSS_riscv64 := riscv64-linux-gnu-
CROSS_x86_64 := x86_64-linux-gnu-
ifneq ($(filter command%,$(origin ARCH)),)
CROSS_COMPILE ?= $(or $(CROSS_$(ARCH)),$(error ARCH=$(ARCH) needs CROSS_COMPILE=, the prefix of its compiler: Documentation/HOWTO-port.md))
endif
ifeq ($(origin CC),default)
CC := $(CROSS_COMPILE)gcc
endif
ifeq ($(origin AR),default)
AR := $(CROSS_COMPILE)ar
endif
ifneq ($(SYSROOT),)
ifeq ($(wildcard $(SYSROOT)/usr/include/libelf.h),)
$(error SYSROOT=$(SYSROOT) has no usr/include/libelf.h: it is the root of a tree with the libraries of the target)
endif
# The compiler's own libc of the target would be found before that of the tree.
MULTIARCH := $(shell $(CC) -print-multiarch)
override CC := $(CC) --sysroot=$(SYSROOT) -B$(SYSROOT)/usr/lib/$(MULTIARCH) -L$(SYSROOT)/usr/lib/$(MULTIARCH) \
	-isystem $(SYSROOT)/usr/include/$(MULTIARCH) -isystem $(SYSROOT)/usr/include
endif
CFLAGS ?= $(if $(COVERAGE),-O0,$(if $(SAN),-O1,-O2)) -g

Q := $(if $(V),,@)
silent := $(findstring s,$(filter-out --%,$(firstword -$(MAKEFLAGS))))
say = $(if $(V)$(silent),,@printf '  %-5s %s\n' '$(1)' '$(2)')

# ---- features: tests/features/NAME.c is compiled and linked to see whether NAME is there ----
# Remembered in $(O)/features: remove that folder after installing a library.
REQUIRED := libelf
# Used: what the code asks for with HAVE_NAME.
FEATURES := zstd lzma demangle libtraceevent libdw debuginfod libunwind capstone ncurses
# Found and named, but no source uses it yet.
FEATURES_LATER := libpython

LIBS_libelf := -lelf
LIBS_libdw := -ldw -lelf
LIBS_zstd := -lzstd
LIBS_demangle := -liberty
LIBS_ncurses := -lncursesw -ltinfo
LIBS_libtraceevent := -ltraceevent
LIBS_capstone := -lcapstone
LIBS_lzma := -llzma
LIBS_libpython = $(shell pkg-config --libs python3-embed 2>/dev/null)
INCS_libpython = $(shell pkg-config --cflags python3-embed 2>/dev/null)
INCS_libtraceevent := -I$(SYSROOT)/usr/include/traceevent

upper = $(shell echo '$(1)' | tr a-z A-Z)
left_out = $(or $(NO_ALL),$(NO_$(call upper,$(1))))
ALL_FEATURES := $(REQUIRED) $(FEATURES) $(FEATURES_LATER)
ifneq ($(filter-out clean deps cleanroom mutants,$(or $(MAKECMDGOALS),all)),)
-include $(ALL_FEATURES:%=$(O)/features/%.mk)
endif

$(O)/features/%.mk: tests/features/%.c
	@mkdir -p $(@D)
	@if $(CC) $(INCS_$*) -o $(@D)/$* $< $(LIBS_$*) >$(@D)/$*.log 2>&1; then \
		echo 'FOUND_$* := 1' >$@; else echo 'FOUND_$* :=' >$@; fi; rm -f $(@D)/$*

on = $(if $(FOUND_$(1)),$(if $(call left_out,$(1)),,1))
BUILT_IN := $(foreach f,$(FEATURES),$(if $(call on,$(f)),$(f)))
# That it is missing is not remembered: the next make looks again.
missing := $(foreach f,$(REQUIRED),$(if $(wildcard $(O)/features/$(f).mk),$(if $(FOUND_$(f)),,$(f))))
ifneq ($(filter-out clean deps cleanroom mutants features,$(or $(MAKECMDGOALS),all)),)
ifneq ($(missing),)
$(shell rm -f $(missing:%=$(O)/features/%.mk))
$(error $(missing) is needed: ./bootstrap installs its package, $(filter $(missing)%,$(file <packages)); \
	the compiler's words are in $(O)/features/$(firstword $(missing)).log)
endif
endif

# ---- flags ----
WARNINGS := -Wall -Wextra -Wno-missing-field-initializers
ifneq ($(findstring clang,$(CC)),)
WARNINGS += -Wno-string-concatenation # tables of texts of several lines
endif
ifneq ($(filter riscv64,$(ARCH)),)
WARNINGS += -Wno-array-bounds -Wno-stringop-overread # gcc 12 for riscv64 sees a null that was asked for
endif
ifneq ($(DEVELOPER),)
WARNINGS += -Werror -Wmissing-prototypes -Wstrict-prototypes -Wold-style-definition \
	-Wwrite-strings -Wvla -Wundef -Wpointer-arith -Wformat=2 -Wno-format-nonliteral
endif
# (NULL + 0 is no mistake, which only gcc knows.)
VARIANT_FLAGS := $(if $(SAN),-fsanitize=$(SAN) -fno-omit-frame-pointer -fno-sanitize-recover=all) \
	$(if $(LIBFUZZER),-fsanitize=fuzzer-no-link -fno-sanitize=pointer-overflow) $(if $(COVERAGE),--coverage)
HAVE := $(foreach f,$(BUILT_IN),-DHAVE_$(call upper,$(f)))
ALL_CFLAGS := -std=gnu11 -D_GNU_SOURCE -I. $(WARNINGS) $(HAVE) -pthread $(VARIANT_FLAGS) $(CFLAGS)
# Libraries that nothing calls are not loaded: `perf --version` pays for each one.
ALL_LDFLAGS := -Wl,--as-needed -Wl,-z,lazy -Wl,--hash-style=gnu $(if $(COVER),--coverage) $(LDFLAGS)
LIBS := $(foreach f,$(BUILT_IN) $(REQUIRED),$(LIBS_$(f))) -lm -pthread

# ---- sources ----
LIB_OBJ := $(patsubst %.c,$(O)/%.o,$(wildcard arch/*.c util/*/*.c selftest/*.c selftest/*/*.c ui/*/*.c))
CMD_OBJ := $(patsubst %.c,$(O)/%.o,$(wildcard perf.c builtin-*.c))
# THREADS=1: those with tests that start threads, for `unit-tests --threads`.
UNIT_OBJ := $(patsubst %.c,$(O)/%.o,$(filter-out %_test.c,$(wildcard tests/unit/*.c)) \
	$(if $(THREADS),$(shell grep -l '^TEST_WITH_THREADS' tests/unit/*_test.c),$(wildcard tests/unit/*_test.c)))
FUZZ := $(patsubst tests/fuzz/%_fuzz.c,$(O)/fuzz/%,$(wildcard tests/fuzz/*_fuzz.c))
# With libFuzzer (make libfuzzer) main() is not ours.
FUZZ_COMMON := $(patsubst %.c,$(O)/%.o,$(filter-out %_fuzz.c $(if $(LIBFUZZER),%/driver.c) $(if $(COVERAGE),,%/counted_exit.c), \
	$(wildcard tests/fuzz/*.c)) tests/unit/builder.c tests/unit/elf_builder.c tests/unit/cfi_builder.c \
	tests/unit/trace_builder.c)
FUZZ_OBJ := $(patsubst %.c,$(O)/%.o,$(wildcard tests/fuzz/*_fuzz.c))
WORKLOADS := $(patsubst tests/workloads/%.c,$(O)/workloads/%,$(wildcard tests/workloads/*.c))
MAN := $(patsubst Documentation/%.txt,$(O)/man/%.1,$(wildcard Documentation/perf.txt Documentation/perf-*.txt))

all build: $(O)/perf

# A file that changes only when its text does: what was built with other flags is built again.
remember = @mkdir -p $(@D); echo '$(1)' | cmp -s - $@ || echo '$(1)' >$@
$(O)/.flags: FORCE
	$(call remember,$(CC) $(ALL_CFLAGS))
$(O)/.link: FORCE
	$(call remember,$(ALL_LDFLAGS) $(LIBS) $(LIB_OBJ) $(CMD_OBJ) $(UNIT_OBJ))
$(O)/.prefix: FORCE
	$(call remember,$(PREFIX) $(SYSCONFDIR))

# Where things are after make install; Linux's perf has the same places.
SYSCONFDIR ?= $(if $(filter /usr,$(PREFIX)),/etc,$(PREFIX)/etc)
$(O)/util/options/install_dirs.o: FILE_FLAGS = -DPERF_EXEC_DIR='"$(PREFIX)/libexec/perf-core"' \
	-DPERF_DOC_DIR='"$(PREFIX)/share/doc/perf"' -DPERF_MAN_DIR='"$(PREFIX)/share/man"' \
	-DPERF_TABLE_DIR='"$(PREFIX)/share/perf/events"' -DPERF_SYSTEM_CONFIG='"$(SYSCONFDIR)/perfconfig"'
$(O)/util/options/install_dirs.o: $(O)/.prefix
$(O)/util/options/built_in.o: FILE_FLAGS = -DPERF_BUILT_IN='" $(BUILT_IN) "'
# Programs of `perf test -w`: what they do is seen in profiles under the names of their functions.
$(O)/selftest/workloads/%.o: OWN_FLAGS := -g -O0 -fno-omit-frame-pointer -U_FORTIFY_SOURCE -fno-sanitize=all
# Sanitizers look at what is tested: tests compile in half the time without optimization.
ifneq ($(SAN),)
$(O)/tests/unit/%.o: OWN_FLAGS := -O0
endif
# COVER="format reader": rooms of util/ whose lines are counted, for tests/coverage.sh.
$(foreach room,$(COVER),$(eval $(O)/util/$(room)/%.o: OWN_FLAGS := --coverage))
$(O)/%.o: %.c $(O)/.flags
	@mkdir -p $(@D)
	$(call say,CC,$<)
	$(Q)$(CC) $(ALL_CFLAGS) $(FILE_FLAGS) $(OWN_FLAGS) -MMD -MP -c $< -o $@
$(O)/libperf.a: $(LIB_OBJ) $(O)/.link
	$(call say,AR,$@)
	$(Q)rm -f $@; $(AR) rcs $@ $(LIB_OBJ)
$(O)/perf: $(CMD_OBJ) $(O)/libperf.a $(O)/.link | $(O)/events
	$(call say,LINK,$@)
	$(Q)$(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS) -o $@ $(CMD_OBJ) $(O)/libperf.a $(LIBS)
$(O)/unit-tests: $(UNIT_OBJ) $(O)/libperf.a $(O)/.link
	$(call say,LINK,$@)
	$(Q)$(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS) -Wl,--wrap=pthread_create -o $@ $(UNIT_OBJ) $(O)/libperf.a $(LIBS)
$(FUZZ): $(O)/fuzz/%: $(O)/tests/fuzz/%_fuzz.o $(FUZZ_COMMON) $(O)/libperf.a
	@mkdir -p $(@D)
	$(call say,LINK,$@)
	$(Q)$(CC) $(ALL_CFLAGS) $(if $(LIBFUZZER),-fsanitize=fuzzer) $(ALL_LDFLAGS) -o $@ $^ $(LIBS)
# A program of its own on libperf.a: prints what is read while it comes.
$(O)/live-profile: $(O)/tests/live/profile.o $(O)/libperf.a $(O)/.link
	$(call say,LINK,$@)
	$(Q)$(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS) -o $@ $(O)/tests/live/profile.o $(O)/libperf.a $(LIBS)
# What a live profile costs, for tests/bench.
LIVE_ROUNDS_OBJ := $(patsubst %,$(O)/tests/%.o,live/rounds unit/live_feed unit/builder unit/trace_builder)
$(O)/live-rounds: $(LIVE_ROUNDS_OBJ) $(O)/libperf.a $(O)/.link
	$(call say,LINK,$@)
	$(Q)$(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS) -o $@ $(LIVE_ROUNDS_OBJ) $(O)/libperf.a $(LIBS)
# A workload is a program to be measured, with its own flags: the line "build: FLAGS" in it.
$(O)/workloads/%: tests/workloads/%.c
	@mkdir -p $(@D)
	$(call say,CC,$<)
	$(Q)$(CC) -g $$(sed -n 's/^.*build: \([^*]*\).*$$/\1/p' $< | head -n 1) -o $@ $< -lm -pthread
$(O)/man/%.1: Documentation/%.txt
	@mkdir -p $(@D)
	$(call say,MAN,$@)
	$(Q)asciidoctor -b manpage -d manpage -a manmanual='perf Manual' -o $@ $<

# Where perf looks for the tables of events before it looks where make install puts them.
$(O)/events: | $(O)/.flags
	$(Q)ln -sfn '$(CURDIR)/events' $@
unit: $(O)/unit-tests
	$(Q)$(O)/unit-tests
fuzz: $(FUZZ)
libfuzzer:
	$(Q)$(MAKE) --no-print-directory O=build-libfuzzer CC=clang LIBFUZZER=1 SAN=address,undefined fuzz
workloads: $(WORKLOADS) $(O)/live-profile $(O)/live-rounds
man: $(MAN)

features:
	@$(foreach f,$(REQUIRED),printf '%16s: [ %-3s ]  # needed\n' $(f) $(if $(FOUND_$(f)),on,OFF);)
	@$(foreach f,$(FEATURES),printf '%16s: [ %-3s ]  # HAVE_%s\n' $(f) \
		$(if $(call on,$(f)),on,OFF) $(call upper,$(f));)
	@$(foreach f,$(FEATURES_LATER),printf '%16s: [ %-3s ]  # %s\n' $(f) OFF \
		'$(if $(call on,$(f)),found; nothing uses it yet,not found or left out)';)

check-fast:
	$(Q)CC='$(CC)' MAKE='$(MAKE)' tests/fast.sh
check:
	$(Q)CC='$(CC)' MAKE='$(MAKE)' tests/run.sh
check-all:
	$(Q)CC='$(CC)' MAKE='$(MAKE)' ALL=yes tests/run.sh
demo: $(O)/perf $(O)/workloads/planted
	$(Q)tests/demo.sh $(O)/perf $(O)/workloads/planted
bench: $(O)/perf
	$(Q)PERF=$(abspath $(O)/perf) tests/bench/bench.py $(BENCH)
N ?= 60
SEED ?= 1
mutants:
	$(Q)CC='$(CC)' MAKE='$(MAKE)' tests/mutants.py --number $(N) --seed $(SEED) $(if $(MINUTES),--minutes $(MINUTES))
cleanroom:
	$(Q)tests/cleanroom/run.sh
index:
	$(Q)tests/index.py --write
coverage:
	$(Q)tests/coverage.sh --make '$(MAKE)'
fuzz-coverage:
	$(Q)tests/fuzz/coverage.sh '$(MAKE)'
deps:
	$(Q)./bootstrap --packages check
	$(Q)tests/guest/fetch.sh || [ $$? -eq 77 ] # nothing but guest tests misses them

MAN_READY = $(if $(MAN),$(if $(shell command -v asciidoctor),man))
# Where Debian's zsh looks: packages have a folder of their own.
ZSH_DIR = $(if $(filter /usr,$(PREFIX)),vendor-completions,site-functions)
EVENT_TABLES = $(wildcard events/*/*.json events/*/*.csv events/*/*/*.json)
install: $(O)/perf
	$(Q)$(if $(MAN_READY),$(MAKE) --no-print-directory O='$(O)' man)
	$(call say,INST,$(DESTDIR)$(PREFIX)/bin/perf)
	$(Q)install -D -m 755 $(O)/perf '$(DESTDIR)$(PREFIX)/bin/perf'
	$(Q)$(if $(MAN_READY),install -d '$(DESTDIR)$(PREFIX)/share/man/man1' && \
		install -m 644 $(MAN) '$(DESTDIR)$(PREFIX)/share/man/man1')
	$(Q)install -D -m 644 scripts/completion/perf.bash \
		'$(DESTDIR)$(PREFIX)/share/bash-completion/completions/perf'
	$(Q)install -D -m 644 scripts/completion/perf.zsh '$(DESTDIR)$(PREFIX)/share/zsh/$(ZSH_DIR)/_perf'
	$(Q)install -D -m 644 include/perf/perf_dlfilter.h '$(DESTDIR)$(PREFIX)/include/perf/perf_dlfilter.h'
	$(Q)install -d '$(DESTDIR)$(PREFIX)/libexec/perf-core/dlfilters'
	$(Q)install -d '$(DESTDIR)$(PREFIX)/share/doc/perf' && install -m 644 \
		$(wildcard README LICENSE Documentation/*.md Documentation/guide.txt) '$(DESTDIR)$(PREFIX)/share/doc/perf'
	$(Q)for file in $(EVENT_TABLES); do install -D -m 644 "$$file" '$(DESTDIR)$(PREFIX)/share/perf/'"$$file" || exit 1; done
# Only a folder that a build made: `make O=~ clean` must not cost a home.
clean:
	$(Q)if [ -e '$(O)' ] && [ ! -e '$(O)/.flags' ]; then \
		echo "make: '$(O)' was not made by a build of perf: not removed" >&2; exit 1; fi
	rm -rf -- '$(O)'

FORCE:
.PHONY: all build unit fuzz libfuzzer workloads man features check check-all check-fast demo bench mutants cleanroom coverage fuzz-coverage deps install clean FORCE
.DELETE_ON_ERROR:
.SECONDARY:
-include $(patsubst %.o,%.d,$(LIB_OBJ) $(CMD_OBJ) $(UNIT_OBJ) $(FUZZ_OBJ) $(FUZZ_COMMON))
