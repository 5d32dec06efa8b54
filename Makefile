# SPDX-License-Identifier: GPL-2.0-or-later
# Preliminary: replaced by the full one.
O ?= build
CC ?= gcc
CFLAGS ?= -O2 -g
ALL_CFLAGS = -DPERF_MAN_DIR=\"/usr/local/share/man\" -std=gnu11 -D_GNU_SOURCE -I. -Wall -Wextra -pthread $(CFLAGS)
LIBS = -ldw -lelf -lzstd -liberty -lz -lm -pthread
LIB_SRC = $(wildcard util/*/*.c ui/*.c)
CMD_SRC = $(wildcard perf.c builtin-*.c)
UNIT_SRC = $(wildcard tests/unit/*.c)
obj = $(patsubst %.c,$(O)/%.o,$(1))
all: $(if $(CMD_SRC),$(O)/perf)
$(O)/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) -MMD -MP -c $< -o $@
$(O)/libperf.a: $(call obj,$(LIB_SRC))
	rm -f $@; ar rcs $@ $^
$(O)/perf: $(call obj,$(CMD_SRC)) $(O)/libperf.a
	$(CC) $(ALL_CFLAGS) -o $@ $^ $(LIBS)
$(O)/unit-tests: $(call obj,$(UNIT_SRC)) $(O)/libperf.a
	$(CC) $(ALL_CFLAGS) -o $@ $^ $(LIBS)
unit: $(O)/unit-tests
	$(O)/unit-tests
clean:
	rm -rf $(O)
.PHONY: all unit clean
-include $(shell find $(O) -name '*.d' 2>/dev/null)
