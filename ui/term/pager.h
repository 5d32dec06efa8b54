/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pipe output for a terminal through a pager. perf is the parent: it keeps its own exit
 * status, it waits for the pager, and ^C ends perf but leaves the user in the pager. Quitting the
 * pager early is not an error. Messages on stderr go through it, too, in order.
 *
 * The pager's command is split at blanks. Only if it has a character that is special to a shell
 * (quotes, $, |, ; and the like) it is run by `sh -c`: it comes from the user's own environment
 * or from a configuration file that nobody else can write.
 */
#ifndef PERF_UI_TERM_PAGER_H
#define PERF_UI_TERM_PAGER_H

#include <stdbool.h>
#include <sys/types.h>

#include "util/lib/error.h"
#include "util/options/config.h"

struct pager {
	pid_t pid; /* 0: none runs */
	char *command;
	int out, err; /* the original stdout and stderr; err -1: it was not a terminal */
};

/*
 * Start a pager if stdout is a terminal. Its command: PERF_PAGER, else @configured (may be NULL),
 * else PAGER, else the first of pager and less that exists; empty or "cat" means none. Returns 0
 * also if none is used. A negative errno with @err if it cannot be started; output then goes to the
 * terminal.
 */
int pager__start(struct pager *pager, const char *configured, struct error *err);

/*
 * The same for the output of @command: pager.COMMAND of @config says whether (else @wanted does),
 * and perhaps which; @always starts one in any case.
 */
int pager__start_for(struct pager *pager, const char *command, bool wanted, bool always,
                     const struct config *config, struct error *err);

/*
 * The output is complete: wait for the pager. A negative errno with @err if the pager
 * failed, so that output may be lost.
 */
int pager__finish(struct pager *pager, struct error *err);

/*
 * Wait for the pager before the command ends itself by a signal. Safe in a signal handler; does
 * nothing without a pager.
 */
void pager__close(void);

/* Does a pager run? Then stdout is not a terminal, but the user reads it on one. */
bool pager__is_on(void);

#endif
