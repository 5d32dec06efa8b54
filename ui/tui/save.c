// SPDX-License-Identifier: GPL-2.0-or-later
#include "ui/tui/save.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define FILES_MAX 1000

static int create(const char *name)
{
	return open(name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
}

static int write_text(const char *name, int fd, const struct save_text *text)
{
	struct out out;

	out__init(&out, fd);
	text->print(text->ctx, &out);
	int ret = out__flush(&out);

	out__exit(&out);
	if (close(fd) && !ret)
		ret = -errno;
	if (ret)
		unlink(name);
	return ret;
}

/* @fd, or -1 with errno set. */
static void write_to(struct tui *tui, const char *name, int fd, const struct save_text *text)
{
	char message[DIALOG_TEXT + 128];
	int ret = fd < 0 ? -errno : write_text(name, fd, text);

	if (ret)
		snprintf(message, sizeof(message), "cannot write '%s': %s", name, strerror(-ret));
	else
		snprintf(message, sizeof(message), "written to %s", name);
	dialog__say(tui, message);
}

void save__as(struct tui *tui, const char *name, const struct save_text *text)
{
	write_to(tui, name, create(name), text);
}

void save__numbered(struct tui *tui, const char *stem, bool plain, const struct save_text *text)
{
	char name[DIALOG_TEXT + 16];
	int fd = -1;

	errno = EEXIST;
	if (plain) {
		snprintf(name, sizeof(name), "%s", stem);
		fd = create(name);
	}
	for (u32 i = 0; fd < 0 && errno == EEXIST && i < FILES_MAX; i++) {
		snprintf(name, sizeof(name), "%s.%u", stem, i);
		fd = create(name);
	}
	write_to(tui, name, fd, text);
}
