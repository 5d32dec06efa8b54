// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/lib/new_file.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/lib/alloc.h"

/* Global, because a handler of signals is told nothing else. */
static const struct new_file *volatile watched;
static const int ends[] = { SIGHUP, SIGINT, SIGTERM };

static void remove_watched(int signal_nr)
{
	if (watched)
		unlinkat(watched->at, watched->temp, 0);
	raise(signal_nr); /* the default again, as soon as this returns */
}

void new_file__watch(const struct new_file *file)
{
	struct sigaction old, action = { .sa_handler = remove_watched, .sa_flags = SA_RESETHAND };

	if (!*file->temp)
		return;
	watched = file;
	for (size_t i = 0; i < ARRAY_SIZE(ends); i++)
		if (!sigaction(ends[i], NULL, &old) && old.sa_handler == SIG_DFL)
			sigaction(ends[i], &action, NULL);
}

static void unwatch(const struct new_file *file)
{
	struct sigaction old;

	if (watched != file)
		return;
	watched = NULL;
	for (size_t i = 0; i < ARRAY_SIZE(ends); i++)
		if (!sigaction(ends[i], NULL, &old) && old.sa_handler == remove_watched)
			signal(ends[i], SIG_DFL);
}

static void make_name(struct new_file *file)
{
	static atomic_uint counter;

	snprintf(file->temp, sizeof(file->temp), NEW_FILE_PREFIX "%d-%u", getpid(),
	         atomic_fetch_add(&counter, 1));
}

/* Whoever gets its lock takes a file with such a name for left behind: was it, before we got it? */
static bool take(int fd)
{
	struct stat st;

	if (flock(fd, LOCK_EX) || fstat(fd, &st) || st.st_nlink)
		return true;
	close(fd);
	return false;
}

int new_file__open(struct new_file *file, int at)
{
	*file = (struct new_file){ .at = at, .fd = -1 };
	if (!access("/proc/self/fd", X_OK))
		file->fd = openat(at, ".", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	if (file->fd >= 0)
		return 0;
	do {
		make_name(file);
		file->fd = openat(at, file->temp,
		                  O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	} while (file->fd >= 0 && !take(file->fd));
	return file->fd < 0 ? -errno : 0;
}

static int name_unnamed(const struct new_file *file, const char *name)
{
	char path[32];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", file->fd);
	return linkat(AT_FDCWD, path, file->at, name, AT_SYMLINK_FOLLOW) ? -errno : 0;
}

static int keep_old(const struct new_file *file, const char *name)
{
	if (!*file->temp)
		return name_unnamed(file, name);
	return linkat(file->at, file->temp, file->at, name, 0) ? -errno : 0;
}

/* Only a rename takes another file's place, and only what has a name can be renamed. */
static int replace_old(struct new_file *file, const char *name)
{
	int ret = *file->temp ? -EEXIST : name_unnamed(file, name);

	if (ret != -EEXIST)
		return ret;
	if (!*file->temp) {
		flock(file->fd, LOCK_EX);
		make_name(file);
		ret = name_unnamed(file, file->temp);
		if (ret) {
			*file->temp = '\0'; /* it is another's, of our number elsewhere */
			return ret;
		}
	}
	return renameat(file->at, file->temp, file->at, name) ? -errno : 0;
}

int new_file__finish(struct new_file *file, const char *name, bool keep, int ret)
{
	bool named = *file->temp;

	if (named && close(file->fd) && !ret) /* some disks say only now that they are full */
		ret = -errno;
	if (!ret && keep)
		ret = keep_old(file, name);
	else if (!ret)
		ret = replace_old(file, name);
	if (*file->temp)
		unlinkat(file->at, file->temp, 0);
	unwatch(file);
	if (!named)
		close(file->fd);
	return ret == -EEXIST && keep ? 0 : ret;
}
