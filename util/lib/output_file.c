// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/lib/output_file.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/lib/types.h"

/*
 * What a signal that ends perf takes away, as half a file looks like a whole one. Global, because a
 * handler is told nothing else.
 */
static const char *volatile unfinished;
static const int ends[] = { SIGHUP, SIGINT, SIGTERM };

static void remove_unfinished(int signal_nr)
{
	if (unfinished)
		unlink(unfinished);
	raise(signal_nr); /* the default again, as soon as this returns */
}

/* Signals that somebody handles or ignores stay as they are. */
static void watch(const char *path)
{
	struct sigaction old,
	        action = { .sa_handler = remove_unfinished, .sa_flags = SA_RESETHAND };

	unfinished = path;
	for (size_t i = 0; i < ARRAY_SIZE(ends); i++)
		if (!sigaction(ends[i], NULL, &old) && old.sa_handler == SIG_DFL)
			sigaction(ends[i], &action, NULL);
}

static void unwatch(void)
{
	struct sigaction old;

	unfinished = NULL;
	for (size_t i = 0; i < ARRAY_SIZE(ends); i++)
		if (!sigaction(ends[i], NULL, &old) && old.sa_handler == remove_unfinished)
			signal(ends[i], SIG_DFL);
}

static bool is_ours(const struct stat *st)
{
	return st->st_uid == 0 || st->st_uid == geteuid();
}

/* May what lies at @path be opened? *flags: what open() needs for it. */
static int check_place(const char *path, bool replace, int *flags, struct error *err)
{
	struct stat st;

	*flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC;
	if (lstat(path, &st))
		return 0; /* nothing there; open() tells of anything worse */
	if (S_ISLNK(st.st_mode) && !is_ours(&st))
		return error__set(err, -EPERM, "cannot write through", path,
		                  "it is a symbolic link made by another user (uid %u)",
		                  (unsigned)st.st_uid);
	if (S_ISLNK(st.st_mode) && stat(path, &st))
		return error__set(err, -EEXIST, "cannot create", path,
		                  "it is a symbolic link to nothing");
	if (S_ISCHR(st.st_mode) || (S_ISFIFO(st.st_mode) && is_ours(&st))) {
		*flags = O_WRONLY | O_CLOEXEC;
		return 0;
	}
	if (!S_ISREG(st.st_mode))
		return error__set(err, S_ISDIR(st.st_mode) ? -EISDIR : -EINVAL, "cannot write",
		                  path, "not a regular file");
	if (!replace)
		return error__set(err, -EEXIST, "cannot create", path, NULL);
	if (geteuid() && !is_ours(&st))
		return error__set(err, -EPERM, "cannot write over", path,
		                  "it belongs to another user (uid %u)", (unsigned)st.st_uid);
	*flags = O_WRONLY | O_TRUNC | O_CLOEXEC;
	return 0;
}

int output_file__open(struct output_file *file, const char *path, bool replace, struct error *err)
{
	int flags, ret = check_place(path, replace, &flags, err);

	if (ret)
		return ret;
	*file = (struct output_file){ .fd = open(path, flags, 0666), .path = path };
	if (file->fd < 0)
		return error__set(err, -errno, "cannot create", path, NULL);
	file->made = flags & O_EXCL;
	if (file->made)
		watch(path);
	return 0;
}

int output_file__close(struct output_file *file, bool keep)
{
	int ret = close(file->fd) ? -errno : 0;

	if (file->made && (!keep || ret))
		unlink(file->path);
	if (file->made)
		unwatch();
	return ret;
}
