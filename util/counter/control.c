// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/counter/control.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/lib/alloc.h"
#include "util/lib/text.h"

/*
 * A description of our own for an inherited descriptor, so that O_NONBLOCK is set for us alone.
 * Sockets cannot be opened that way; they, and whatever else refuses, are duplicated.
 */
static int reopen(int fd, int mode)
{
	char path[64];
	int own;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	own = open(path, mode | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
	return own >= 0 ? own : fcntl(fd, F_DUPFD_CLOEXEC, 3);
}

static int open_fd(const char *text, int mode, int *fd, struct error *err)
{
	u64 number;

	if (text__parse_u64(text, &number) || number > INT_MAX)
		return error__set(err, -EINVAL, "cannot be controlled through descriptor", text,
		                  "not a number");
	if (fcntl(number, F_GETFD) < 0)
		return error__set(err, -errno, "cannot be controlled through descriptor", text,
		                  "it is not open");
	*fd = reopen(number, mode);
	return *fd >= 0 ? 0
	                : error__set(err, -errno, "cannot be controlled through descriptor", text,
	                             NULL);
}

/* Both ways, so that neither end waits for the other and a fifo has no end of file. */
static int open_fifo(const char *path, int mode, int *fd, struct error *err)
{
	struct stat st;

	(void)mode;
	*fd = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
	if (*fd < 0)
		return error__set(err, -errno, "cannot open the control fifo", path, NULL);
	if (!fstat(*fd, &st) && S_ISFIFO(st.st_mode))
		return 0;
	error__set(err, -EINVAL, "cannot be controlled through", path, "it is not a fifo");
	return error__advise(err, "make one: mkfifo FILE");
}

int control__open(struct control *control, const char *text, struct error *err)
{
	int (*open_one)(const char *text, int mode, int *fd, struct error *err) = NULL;
	char *names, *ack;
	int ret;

	if (!strncmp(text, "fd:", 3))
		open_one = open_fd;
	else if (!strncmp(text, "fifo:", 5))
		open_one = open_fifo;
	if (!open_one)
		return error__set(err, -EINVAL, "cannot be controlled through", text,
		                  "neither fd:CTL[,ACK] nor fifo:CTL[,ACK]");
	names = xstrdup(strchr(text, ':') + 1);
	ack = strchr(names, ',');
	if (ack)
		*ack++ = '\0';
	ret = open_one(names, O_RDONLY, &control->fd, err);
	if (!ret && ack && *ack)
		ret = open_one(ack, O_WRONLY, &control->ack_fd, err);
	free(names);
	if (ret)
		control__exit(control);
	return ret;
}

void control__exit(struct control *control)
{
	if (control->fd >= 0)
		close(control->fd);
	if (control->ack_fd >= 0)
		close(control->ack_fd);
	control->fd = control->ack_fd = -1;
}

u32 control__feed(struct control *control, const char *bytes, u32 len)
{
	u32 room = sizeof(control->buffer) - control->len;

	len = min_u64(len, room);
	memcpy(control->buffer + control->len, bytes, len);
	control->len += len;
	return len;
}

int control__read(struct control *control)
{
	struct pollfd fd = { .fd = control->fd, .events = POLLIN };
	char bytes[CONTROL_LINE];
	ssize_t n;

	if (control->fd < 0 || poll(&fd, 1, 0) <= 0 || !fd.revents)
		return 0;
	if (fd.revents & POLLNVAL)
		return -EBADF;
	n = read(control->fd, bytes, sizeof(bytes) - control->len);
	if (n > 0)
		control__feed(control, bytes, n);
	if (n < 0)
		return errno == EAGAIN || errno == EINTR ? 0 : -errno;
	return n ? 1 : -EPIPE;
}

static void parse(struct control_command *command)
{
	static const struct {
		const char *word;
		enum control_verb verb;
		bool argument; /* may follow */
	} verbs[] = {
		{ "enable", CONTROL_ENABLE, true },      { "disable", CONTROL_DISABLE, true },
		{ "snapshot", CONTROL_SNAPSHOT, false }, { "ping", CONTROL_PING, false },
		{ "stop", CONTROL_STOP, false },         { "evlist", CONTROL_EVLIST, true },
	};
	size_t len = strcspn(command->text, " \t");
	const char *argument = command->text + len + strspn(command->text + len, " \t");

	command->verb = CONTROL_UNKNOWN;
	command->argument = *argument ? argument : NULL;
	for (u32 i = 0; i < ARRAY_SIZE(verbs); i++)
		if (strlen(verbs[i].word) == len && !memcmp(verbs[i].word, command->text, len) &&
		    (verbs[i].argument || !command->argument))
			command->verb = verbs[i].verb;
}

/* A NUL ends a command, too: programs send strings as they lie in memory. */
static u32 find_end(const struct control *control)
{
	u32 at = 0;

	while (at < control->len && control->buffer[at] != '\n' && control->buffer[at])
		at++;
	return at;
}

bool control__next(struct control *control, struct control_command *command)
{
	while (control->len) {
		u32 len = find_end(control);
		bool whole = len < control->len, skipped = control->skipping;
		u32 used = whole ? len + 1 : len;

		if (!whole && len < sizeof(control->buffer))
			return false;
		/* Not whole, and no room for more: the line is too long. Told once, as unknown. */
		control->skipping = !whole;
		len = min_u64(len, sizeof(command->text) - 1);
		while (len && strchr(" \t\r", control->buffer[len - 1]))
			len--;
		memcpy(command->text, control->buffer, len);
		command->text[len] = '\0';
		control->len -= used;
		memmove(control->buffer, control->buffer + used, control->len);
		if (skipped || !len)
			continue;
		parse(command);
		if (!whole)
			command->verb = CONTROL_UNKNOWN;
		return true;
	}
	return false;
}

int control__ack(struct control *control)
{
	static const char tag[] = "ack\n";

	if (control->ack_fd < 0)
		return 0;
	return write(control->ack_fd, tag, sizeof(tag)) == sizeof(tag) ? 0 : -errno;
}
