/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A line on stderr about work that takes long, for people who wait for it:
 *
 *	reading the recording  43 %  [########           ]  3 s left
 *
 * It appears after half a second, on terminals only, and is gone when the work is done or ended by
 *^C. A thread draws it; there is one at a time. Messages (diag.h) go in its place.
 */
#ifndef PERF_UI_TERM_PROGRESS_H
#define PERF_UI_TERM_PROGRESS_H

struct perf_data;

/* Work begins: @what stays a text of the caller's. Nothing happens where stderr is no
 * terminal, or stdout a pipe. */
void progress__start(const char *what);

/* It goes on, by reading @data once or several times: how far that is. Call it before the walk. */
void progress__read(const struct perf_data *data);

/* It goes on with something else, of which nobody knows how far it is. */
void progress__say(const char *what);

/* The work is done: the line is gone, and @data of no more interest. Without a start: nothing. */
void progress__stop(void);

/* Take the line off the screen, for another. Safe in signal handlers. */
void progress__clear(void);

#endif
