/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Long output goes through a pager when it would go to a terminal. perf is the parent: its exit
 * status stays its own, it waits for the pager, and ^C ends perf but leaves the user in the pager.
 * A reader who quits early is no error. Messages on stderr go along, in their place.
 *
 * The text that names the pager is split at blanks. Only if it has a character that means
 * something to a shell (quotes, $, |, ; and the like) it is handed to `sh -c`: it comes from the
 * user's own environment or from a configuration file that nobody else can write.
 */
#ifndef PERF_UI_TERM_PAGER_H
#define PERF_UI_TERM_PAGER_H

#include <stdbool.h>
#include <sys/types.h>

#include "util/lib/error.h"

struct pager {
	pid_t pid; /* 0: none runs */
	char *command;
	int out, err; /* what stdout and stderr were; err -1: it was no terminal */
};

/*
 * Start one if stdout is a terminal. Its name: PERF_PAGER, then @configured (may be NULL), then
 * PAGER, then the first of pager and less that there is; empty or "cat" means none. Returns 0 also
 * when none is used; a negative errno with @err filled when it cannot be started: output then goes
 * where it would have gone.
 */
int pager__start(struct pager *pager, const char *configured, struct error *err);

/*
 * The output is complete: wait for the user. A negative errno with @err filled when the pager
 * failed, so that output may be lost.
 */
int pager__finish(struct pager *pager, struct error *err);

/*
 * The command is about to end itself by a signal: let the user read on first. Safe in a signal
 * handler; nothing happens without a pager.
 */
void pager__close(void);

/* A pager runs: what stdout says about itself is not what the user sees. */
bool pager__is_on(void);

#endif
