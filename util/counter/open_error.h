/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Explains why a counter was refused: the cause and the advice. */
#ifndef PERF_UTIL_COUNTER_OPEN_ERROR_H
#define PERF_UTIL_COUNTER_OPEN_ERROR_H

#include "util/counter/opener.h"
#include "util/event/evsel.h"
#include "util/lib/error.h"

/* One counter to be opened, on one CPU and for one task (-1: all). */
struct open_attempt {
	struct opener *opener;
	struct evsel *evsel;
	pid_t pid;
	int cpu, group_fd;
};

/* Fill @err for the refusal @code (a negative errno) with cause and advice; returns @code. */
int open__explain(const struct open_attempt *attempt, int code, struct error *err);

/* The event is one that this machine or kernel does not have (stat: <not supported>). */
bool open__not_supported(int code);

#endif
