/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Leave the first ^C to the recorder in `perf record -o - | perf report -i -`. ^C goes to every
 * program of a pipeline; here it ends the stream, and the report should show what came.
 */
#ifndef PERF_UI_TERM_INTERRUPT_H
#define PERF_UI_TERM_INTERRUPT_H

/*
 * Call it before reading from @input ("-" or a path; if that is not a pipe, it does nothing): the
 * first SIGINT is left to the recorder, the next one has its usual effect.
 */
void interrupt__leave_first(const char *input);

/* Call it after reading. */
void interrupt__back(void);

#endif
