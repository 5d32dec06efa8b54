/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * `--control`: commands that come through a descriptor or FIFO during a measurement, and the
 * answers. One command per line. Input is outside data: a line is at most 255 bytes; a longer one
 * is skipped as one unknown command.
 *
 * The descriptors are our own (reopened where the system allows it) and never block; other holders
 * of the same pipe see no change of its flags.
 */
#ifndef PERF_UTIL_COUNTER_CONTROL_H
#define PERF_UTIL_COUNTER_CONTROL_H

#include "util/lib/error.h"
#include "util/lib/types.h"

#define CONTROL_LINE 256

struct control {
	int fd, ack_fd; /* -1: none */
	char buffer[CONTROL_LINE];
	u32 len;
	bool skipping; /* the rest of a line that is too long */
};

#define CONTROL_INIT                                                                               \
	{                                                                                          \
		.fd = -1, .ack_fd = -1                                                             \
	}

enum control_verb {
	CONTROL_UNKNOWN,
	CONTROL_ENABLE,
	CONTROL_DISABLE,
	CONTROL_SNAPSHOT,
	CONTROL_PING,
	CONTROL_STOP,
	CONTROL_EVLIST,
};

struct control_command {
	enum control_verb verb;
	char text[CONTROL_LINE]; /* the whole line, for messages: print it filtered */
	const char *argument;    /* inside text: an event's name, "-v" ...; NULL: none */
};

/*
 * Open what the option's text names: "fd:CTL[,ACK]" (numbers of open descriptors) or
 * "fifo:CTL[,ACK]" (paths). -EINVAL: the text is malformed; other errnos: it cannot be opened.
 */
int control__open(struct control *control, const char *text, struct error *err);
void control__exit(struct control *control);

/*
 * Read what is there. 1: something; 0: nothing just now; -EPIPE: the other side is gone for good;
 * another negative errno: it cannot be read.
 */
int control__read(struct control *control);

/* The next whole command of what was read. False: none is left. Empty lines are skipped. */
bool control__next(struct control *control, struct control_command *command);

/* Add bytes as if they had been read; returns how many fitted in. For control__read() and tests. */
u32 control__feed(struct control *control, const char *bytes, u32 len);

/* "ack\n" and a NUL, five bytes as Linux's perf sends. 0 or a negative errno. */
int control__ack(struct control *control);

#endif
