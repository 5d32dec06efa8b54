/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ^C goes to every program of a pipeline. In `perf record -o - | perf report -i -` it is meant for
 * the recorder: that ends the stream, and what came is to be shown.
 */
#ifndef PERF_UI_TERM_INTERRUPT_H
#define PERF_UI_TERM_INTERRUPT_H

/*
 * While a stream is read from @input ("-" or a path; nothing happens where it is no pipe): the
 * first SIGINT is left to the recorder, the next one has its usual effect.
 */
void interrupt__leave_first(const char *input);

/* The stream has been read. */
void interrupt__back(void);

#endif
