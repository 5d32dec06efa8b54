// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/data/writer_place.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/lib/alloc.h"
#include "util/lib/text.h"

#define TRIES 100 /* places that others took before us */

/* A folder that `record --threads` or `--kcore` made? Only those are moved away. */
static bool is_recording_folder(const char *path)
{
	char *inner = xasprintf("%s/data", path);
	bool found = access(inner, F_OK) == 0;

	free(inner);
	return found;
}

static int check_owner(const char *path, const struct stat *st, struct error *err)
{
	if (geteuid() == 0 || st->st_uid == geteuid())
		return 0;
	error__set(err, -EPERM, "cannot write over", path, "it belongs to another user (uid %u)",
	           (unsigned)st->st_uid);
	error__advise(err, "give another file name: perf record -o FILE");
	return -EPERM;
}

/*
 * A link whose owner is neither we nor root may have been planted to make us write somewhere.
 * (The kernel's fs.protected_symlinks covers only sticky folders, and may be off.)
 */
static int check_link(const char *path, const struct stat *st, struct error *err)
{
	if (st->st_uid == 0 || st->st_uid == geteuid())
		return 0;
	return error__set(err, -EPERM, "cannot write through", path,
	                  "it is a symbolic link made by another user (uid %u)",
	                  (unsigned)st->st_uid);
}

/* ---- taking away a recording that has been replaced ---- */

#define KERNEL_FOLDER "kcore_dir"

/* Names that a folder of ours can have; others are never removed. */
static bool is_our_name(const char *name)
{
	u64 number;

	return !strcmp(name, "data") ||
	       (text__starts_with(name, "data.") && !text__parse_u64(name + 5, &number));
}

static bool is_kernel_name(const char *name)
{
	return !strcmp(name, "kcore") || !strcmp(name, "kallsyms") || !strcmp(name, "modules");
}

static int each_entry(int folder, const char *inner, bool remove);

static int one_entry(int folder, bool inner, const char *name, bool remove)
{
	int flags = 0, ret = 0;

	if (!inner && !strcmp(name, KERNEL_FOLDER)) {
		ret = each_entry(folder, KERNEL_FOLDER, remove);
		flags = AT_REMOVEDIR;
	} else if (!(inner ? is_kernel_name(name) : is_our_name(name))) {
		ret = -ENOTEMPTY;
	}
	return !ret && remove && unlinkat(folder, name, flags) ? -errno : ret;
}

/*
 * Each entry of ours, or (@remove false) the question whether there are others: 0 or an errno. Of
 * the folder itself, or (@inner) of the copy of the kernel in it.
 */
static int each_entry(int folder, const char *inner, bool remove)
{
	int fd = openat(folder, inner ? inner : ".",
	                O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC),
	    ret = 0;
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *entry;

	if (!dir) {
		ret = -errno;
		if (fd >= 0)
			close(fd);
		return ret;
	}
	while (!ret && (entry = readdir(dir))) {
		if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, ".."))
			continue;
		ret = one_entry(fd, inner, entry->d_name, remove);
	}
	closedir(dir);
	return ret;
}

int writer_place__empty(int folder)
{
	int ret = each_entry(folder, NULL, false);

	return ret ? ret : each_entry(folder, NULL, true);
}

static int remove_folder(const char *path)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	int ret = fd < 0 ? -errno : writer_place__empty(fd);

	if (fd >= 0)
		close(fd);
	if (!ret && rmdir(path))
		ret = -errno;
	return ret;
}

static bool is_locked(int fd)
{
	if (flock(fd, LOCK_SH | LOCK_NB))
		return errno == EWOULDBLOCK;
	flock(fd, LOCK_UN);
	return false;
}

/* Does somebody write to the recording (a file or folder) at @path just now? */
static bool is_being_written(const char *path)
{
	char *inner = xasprintf("%s/data", path);
	int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	struct stat st;
	bool locked = false;

	if (fd >= 0 && fstat(fd, &st) == 0 && S_ISDIR(st.st_mode)) {
		close(fd);
		fd = open(inner, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	}
	if (fd >= 0) {
		locked = is_locked(fd);
		close(fd);
	}
	free(inner);
	return locked;
}

static int remove_old(const char *old, struct error *err)
{
	int ret = 0;

	if (is_being_written(old)) {
		error__set(err, -EBUSY, "cannot remove", old,
		           "another perf record writes to it just now");
		return error__advise(err, "give another file name: perf record -o FILE");
	}
	if (unlink(old))
		ret = errno == EISDIR ? remove_folder(old) : -errno;
	if (!ret || ret == -ENOENT)
		return 0;
	error__set(err, ret, "cannot remove", old, NULL);
	return error__advise(err, "remove '%s' by hand", old);
}

static int move_away(const char *path, struct error *err)
{
	char *old = xasprintf("%s.old", path);
	int ret = remove_old(old, err);

	if (!ret && rename(path, old)) {
		ret = error__set(err, -errno, "cannot rename the older recording", path, NULL);
		error__advise(err, "remove '%s' by hand", old);
	}
	free(old);
	return ret == -ENOENT ? -EAGAIN : ret; /* somebody else has just moved it */
}

/* ---- looking at the place ---- */

struct look {
	int flags; /* of open() */
	bool move; /* what is there goes to PATH.old */
};

static int look_at_file(struct look *look, const char *path, const struct stat *st, bool folder,
                        struct error *err)
{
	bool is_folder = S_ISDIR(st->st_mode);
	int ret;

	if (S_ISCHR(st->st_mode) && !folder) { /* /dev/null */
		look->flags = O_RDWR | O_CLOEXEC;
		return 0;
	}
	if (is_folder && folder && rmdir(path) == 0) /* it was empty */
		return 0;
	if (is_folder && !is_recording_folder(path))
		return error__set(err, -EISDIR, "cannot write", path,
		                  folder ? "it is a folder with other things in it" : NULL);
	if (!is_folder && !S_ISREG(st->st_mode))
		return error__set(err, -EINVAL, "cannot write", path, "not a regular file");
	ret = check_owner(path, st, err);
	if (ret)
		return ret;
	if (!folder && !is_folder && st->st_size == 0 && !is_being_written(path)) {
		look->flags &= ~O_EXCL;
		return 0;
	}
	look->flags = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
	look->move = true;
	return 0;
}

/* Decide by what lies at the path. */
static int look_at(struct look *look, const char *path, bool folder, struct error *err)
{
	struct stat st, target;

	*look = (struct look){ .flags = O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC };
	if (lstat(path, &st) < 0)
		return 0; /* nothing there; open() tells of anything worse */
	if (!S_ISLNK(st.st_mode)) {
		look->flags |= O_NOFOLLOW;
		return look_at_file(look, path, &st, folder, err);
	}
	int ret = check_link(path, &st, err);

	if (ret)
		return ret;
	look->flags = O_RDWR | O_CREAT | O_CLOEXEC;
	if (stat(path, &target) == 0)
		return look_at_file(look, path, &target, folder, err);
	look->move = folder; /* dangling: a file is made at its target */
	return 0;
}

/* ---- making it ---- */

int writer_place__add(int folder, const char *name)
{
	int fd = openat(folder, name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);

	return fd < 0 ? -errno : fd;
}

int writer_place__add_kernel_folder(int folder)
{
	int fd = mkdirat(folder, KERNEL_FOLDER, 0700)
	                 ? -1
	                 : openat(folder, KERNEL_FOLDER,
	                          O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

	return fd < 0 ? -errno : fd;
}

static int make_folder(struct writer_place *place, const char *path)
{
	struct stat st;
	int ret;

	if (mkdir(path, 0700))
		return errno == EEXIST ? -EAGAIN : -errno;
	place->folder = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (place->folder < 0 || fstat(place->folder, &st))
		return -errno;
	if (st.st_uid != geteuid()) /* another one was put into the place of ours */
		return -EPERM;
	place->fd = writer_place__add(place->folder, "data");
	if (place->fd >= 0)
		return 0;
	ret = place->fd;
	rmdir(path);
	return ret == -EEXIST ? -EPERM : ret;
}

/* -EAGAIN: others were there first, look again. */
static int make(struct writer_place *place, const char *path, const struct look *look, bool folder)
{
	struct stat st;
	int ret = 0;

	if (folder)
		ret = make_folder(place, path);
	else
		place->fd = open(path, look->flags, 0600);
	if (!ret && place->fd < 0)
		ret = errno == EEXIST ? -EAGAIN : -errno;
	if (!ret && fstat(place->fd, &st))
		ret = -errno;
	/* A file system without locks is none the worse for it. */
	if (!ret && S_ISREG(st.st_mode) && flock(place->fd, LOCK_EX | LOCK_NB) &&
	    errno == EWOULDBLOCK)
		ret = -EAGAIN;
	/* Again: with the lock nobody else writes. */
	if (!ret && S_ISREG(st.st_mode) && (fstat(place->fd, &st) || st.st_size))
		ret = -EAGAIN;
	if (!ret)
		return 0;
	if (place->fd >= 0)
		close(place->fd);
	if (place->folder >= 0)
		close(place->folder);
	return ret;
}

int writer_place__make(struct writer_place *place, const char *path, bool folder, struct error *err)
{
	struct look look;
	bool moved = false;
	int ret;

	*place = (struct writer_place){ .fd = -1, .folder = -1 };
	if (!*path)
		return error__set(err, -ENOENT, "cannot create a recording", NULL,
		                  "the name of the file is empty");
	for (int tries = 0; tries < TRIES; tries++) {
		*place = (struct writer_place){ .fd = -1, .folder = -1 };
		ret = look_at(&look, path, folder, err);
		if (!ret && look.move)
			ret = move_away(path, err);
		if (ret == -EAGAIN)
			continue;
		if (ret)
			return ret;
		moved |= look.move;
		ret = make(place, path, &look, folder);
		place->moved = moved;
		if (!ret)
			return 0;
		if (ret != -EAGAIN)
			break;
	}
	error__set(err, ret, "cannot create", path, ret == -EAGAIN ? "others take the name" : NULL);
	if (ret == -EACCES || ret == -EROFS)
		error__advise(err, "choose a writable place: perf record -o /tmp/perf.data");
	return ret;
}

bool writer_place__is_at(int fd, const char *path)
{
	struct stat own, there;

	return fstat(fd, &own) == 0 && stat(path, &there) == 0 && own.st_dev == there.st_dev &&
	       own.st_ino == there.st_ino;
}
