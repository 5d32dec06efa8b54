// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/writer/writer_output.h"

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
#include "util/lib/file.h"
#include "util/lib/output_file.h"
#include "util/lib/text.h"

#define TRIES 100 /* places that others took before us */

/* ---- taking away a recording that has been replaced ---- */

#define KERNEL_FOLDER "kcore_dir"

/* Names that a folder of ours can have; others are never removed. */
static bool is_our_name(const char *name)
{
	char canonical[32];
	u64 number;

	if (!strcmp(name, "data"))
		return true;
	if (!text__starts_with(name, "data.") || text__parse_u64(name + 5, &number))
		return false;
	snprintf(canonical, sizeof(canonical), "data.%llu", (unsigned long long)number);
	return !strcmp(name, canonical);
}

static bool is_kernel_name(const char *name)
{
	return !strcmp(name, "kcore") || !strcmp(name, "kallsyms") || !strcmp(name, "modules");
}

static int each_entry(int folder, const char *inner, bool remove);

static int one_entry(int folder, bool inner, const char *name, bool remove)
{
	int flags = 0, ret = 0;
	struct stat st;

	if (!inner && !strcmp(name, KERNEL_FOLDER)) {
		ret = each_entry(folder, KERNEL_FOLDER, remove);
		flags = AT_REMOVEDIR;
	} else if (!(inner ? is_kernel_name(name) : is_our_name(name)) ||
	           fstatat(folder, name, &st, AT_SYMLINK_NOFOLLOW) || !S_ISREG(st.st_mode)) {
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

/* A plain file that begins as recordings do, in either byte order, also those of old perfs. */
static bool is_recording_file(int at, const char *name)
{
	static const char *const magics[] = { "PERFILE2", "2ELIFREP", "PERFFILE" };
	int fd = openat(at, name, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	char magic[8];
	struct stat st;
	bool found = false;

	if (fd < 0)
		return false;
	if (!fstat(fd, &st) && S_ISREG(st.st_mode) && !file__read_at(fd, magic, sizeof(magic), 0))
		for (size_t i = 0; i < ARRAY_SIZE(magics); i++)
			found |= !memcmp(magic, magics[i], sizeof(magic));
	close(fd);
	return found;
}

/* A recorder has made the files, and written nothing yet. */
static bool is_still_empty(int folder)
{
	int fd = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *entry;
	struct stat st;
	bool empty = dir && !faccessat(folder, "data", F_OK, AT_SYMLINK_NOFOLLOW);

	while (empty && (entry = readdir(dir)))
		empty = *entry->d_name == '.' ||
		        (!fstatat(folder, entry->d_name, &st, AT_SYMLINK_NOFOLLOW) &&
		         S_ISREG(st.st_mode) && !st.st_size);
	if (dir)
		closedir(dir);
	return empty;
}

/* A folder that `record --threads` or `--kcore` made, with nothing else in it. */
static bool is_recording_folder(const char *path)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	bool found = fd >= 0 && !each_entry(fd, NULL, false) &&
	             (is_recording_file(fd, "data") || is_still_empty(fd));

	if (fd >= 0)
		close(fd);
	return found;
}

/*
 * May what lies at @path be moved away, or (older than that) removed? Recordings may, and empty
 * files, in which nothing can be lost.
 */
static bool is_replaceable(const char *path, const struct stat *st)
{
	if (S_ISDIR(st->st_mode))
		return is_recording_folder(path);
	return S_ISREG(st->st_mode) && (!st->st_size || is_recording_file(AT_FDCWD, path));
}

int writer_output__empty(int folder)
{
	int ret = each_entry(folder, NULL, false);

	return ret ? ret : each_entry(folder, NULL, true);
}

static int remove_folder(const char *path)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	int ret = fd < 0 ? -errno : writer_output__empty(fd);

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

/* A link that was moved there with its name leads to what is not touched. */
static int check_old(const char *old, struct error *err)
{
	struct stat st;

	if (lstat(old, &st) || S_ISLNK(st.st_mode) || is_replaceable(old, &st))
		return 0;
	error__set(err, -EEXIST, "cannot move the older recording to", old,
	           access(old, R_OK) ? "what lies there cannot be read, so it may be no recording"
	                             : "what lies there is not a recording");
	return error__advise(err, "move '%s' away, or give another file name: perf record -o FILE",
	                     old);
}

static int remove_old(const char *old, struct error *err)
{
	int ret = check_old(old, err);

	if (ret)
		return ret;
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
	int flags;    /* of open() */
	bool move;    /* what is there goes to PATH.old */
	bool empty;   /* an empty folder of ours is there: it becomes the recording's */
	bool given;   /* a descriptor by its name: there is nothing to be moved or removed */
	char *target; /* a link of ours leads there; owned */
};

/* Only where nobody can put it back is another user's file moved away. */
static int check_foreign(const char *path, const struct stat *st, struct error *err)
{
	if (output_file__in_our_folder(path))
		return 0;
	error__set(err, -EPERM, "cannot write over", path, "it belongs to another user (uid %u)",
	           (unsigned)st->st_uid);
	return error__advise(err, "give another file name: perf record -o FILE");
}

static int refuse_others(const char *path, const struct stat *st, struct error *err)
{
	if (S_ISDIR(st->st_mode))
		error__set(err, -EISDIR, "cannot write", path,
		           "it is a folder, and not (only) a recording");
	else if (!S_ISREG(st->st_mode))
		error__set(err, -EINVAL, "cannot write", path, "not a regular file");
	else
		error__set(err, -EEXIST, "cannot write over", path, "it is not a recording");
	return error__advise(err, "%sgive another file name: perf record -o FILE",
	                     S_ISREG(st->st_mode) ? "remove it first, or " : "");
}

static bool is_empty_folder(const char *path)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC), nr = 0;
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);

	if (!dir)
		return false;
	while (nr < 3 && readdir(dir)) /* "." and ".." */
		nr++;
	closedir(dir);
	return nr < 3;
}

static int look_at_file(struct look *look, const char *path, const struct stat *st, bool folder,
                        struct error *err)
{
	bool is_folder = S_ISDIR(st->st_mode), foreign = st->st_uid != geteuid();
	bool unreadable = foreign && access(path, R_OK);

	if (S_ISCHR(st->st_mode) && !folder) { /* /dev/null */
		look->flags = O_RDWR | O_CLOEXEC;
		return 0;
	}
	if (is_folder && folder && !foreign && is_empty_folder(path)) {
		look->empty = true;
		return 0;
	}
	if (foreign && S_ISREG(st->st_mode) && check_foreign(path, st, err))
		return -EPERM;
	if (!is_replaceable(path, st) && !(S_ISREG(st->st_mode) && unreadable))
		return refuse_others(path, st, err);
	if (!foreign && !folder && !is_folder && !st->st_size && !is_being_written(path)) {
		look->flags &= ~O_EXCL;
		return 0;
	}
	look->flags = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
	look->move = true;
	return foreign ? check_foreign(path, st, err) : 0;
}

/* What is at the end of a link; only a recording's link gets another name. */
static int look_behind(struct look *look, const char *path, const struct output_path *found,
                       bool folder, struct error *err)
{
	int ret = 0;

	look->given = found->proc;
	look->flags |= found->proc ? 0 : O_NOFOLLOW;
	look->move = folder; /* dangling: a file is made at its target */
	if (found->there) {
		look->move = false;
		ret = look_at_file(look, path, &found->st, folder, err);
	}
	if (!ret && found->proc && look->move) {
		ret = error__set(err, -EINVAL, "cannot create a recording", path,
		                 "it leads to an open file, whose name is not known");
		error__advise(err, "give the name: perf record -o FILE");
	}
	if (!ret && !look->move && !found->proc)
		look->target = xstrdup(found->path);
	return ret;
}

/* Decide by what lies at the path. */
static int look_at(struct look *look, const char *path, bool folder, struct error *err)
{
	struct output_path found;
	int ret = output_path__find(&found, path, err);

	*look = (struct look){ .flags = O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC };
	if (!ret && (found.proc || strcmp(found.path, path))) {
		ret = look_behind(look, path, &found, folder, err);
	} else if (!ret && found.there) { /* else open() tells of anything worse */
		look->flags |= O_NOFOLLOW;
		ret = look_at_file(look, path, &found.st, folder, err);
	}
	free(found.path);
	return ret;
}

/* ---- making it ---- */

int writer_output__add(int folder, const char *name)
{
	int fd = openat(folder, name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);

	return fd < 0 ? -errno : fd;
}

int writer_output__add_kernel_folder(int folder)
{
	int fd = mkdirat(folder, KERNEL_FOLDER, 0700)
	                 ? -1
	                 : openat(folder, KERNEL_FOLDER,
	                          O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

	return fd < 0 ? -errno : fd;
}

static int make_folder(struct writer_output *output, const char *path, bool empty)
{
	struct stat st;
	int ret;

	if (mkdir(path, 0700) && (errno != EEXIST || !empty))
		return errno == EEXIST ? -EAGAIN : -errno;
	output->folder = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (output->folder < 0 || fstat(output->folder, &st))
		return -errno;
	if (st.st_uid != geteuid()) /* another one was put into the place of ours */
		return -EPERM;
	if (empty && fchmod(output->folder, 0700))
		return -errno;
	output->fd = writer_output__add(output->folder, "data");
	if (output->fd >= 0)
		return 0;
	ret = output->fd;
	if (!empty)
		rmdir(path);
	return ret == -EEXIST ? -EPERM : ret;
}

/* -EAGAIN: others were there first, look again. */
static int make(struct writer_output *output, const char *path, const struct look *look,
                bool folder)
{
	struct stat st;
	int ret = 0;

	output->given = look->given;
	if (folder)
		ret = make_folder(output, path, look->empty);
	else
		output->fd = open(look->target ? look->target : path, look->flags, 0600);
	if (!ret && output->fd < 0)
		ret = errno == EEXIST ? -EAGAIN : -errno;
	if (!ret && fstat(output->fd, &st))
		ret = -errno;
	/* A file that was there, or at the end of a link: is it what we looked at? */
	if (!ret && S_ISREG(st.st_mode) && st.st_uid != geteuid())
		ret = -EAGAIN;
	/* A file system without locks is none the worse for it. */
	if (!ret && S_ISREG(st.st_mode) && flock(output->fd, LOCK_EX | LOCK_NB) &&
	    errno == EWOULDBLOCK)
		ret = -EAGAIN;
	/* Again: with the lock nobody else writes. */
	if (!ret && S_ISREG(st.st_mode) && (fstat(output->fd, &st) || st.st_size))
		ret = -EAGAIN;
	if (!ret)
		return 0;
	if (output->fd >= 0)
		close(output->fd);
	if (output->folder >= 0)
		close(output->folder);
	return ret;
}

static int check_name(const char *path, struct error *err)
{
	size_t len = strlen(path);

	if (!len)
		return error__set(err, -ENOENT, "cannot create a recording", NULL,
		                  "the name of the file is empty");
	if (path[len - 1] != '/')
		return 0;
	error__set(err, -EISDIR, "cannot create a recording", path,
	           "a name that ends in '/' is a folder's");
	return error__advise(err, "give a file name: perf record -o FILE");
}

int writer_output__make(struct writer_output *output, const char *path, bool folder,
                        struct error *err)
{
	struct look look;
	bool moved = false;
	int ret = check_name(path, err);

	*output = (struct writer_output){ .fd = -1, .folder = -1, .beside.at = -1 };
	if (ret)
		return ret;
	for (int tries = 0; tries < TRIES; tries++) {
		*output = (struct writer_output){ .fd = -1, .folder = -1, .beside.at = -1 };
		ret = look_at(&look, path, folder, err);
		if (!ret && look.move)
			ret = move_away(path, err);
		if (ret == -EAGAIN)
			continue;
		if (ret)
			return ret;
		moved |= look.move;
		ret = make(output, path, &look, folder);
		output->moved = moved;
		free(look.target);
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

static int open_beside(struct writer_output *output, const char *path, struct error *err)
{
	int ret;

	output->beside.at = new_file__open_folder(path);
	if (output->beside.at < 0 || new_file__open(&output->beside, output->beside.at)) {
		if (output->beside.at >= 0)
			close(output->beside.at);
		return writer_output__make(output, path, false, err);
	}
	output->fd = fcntl(output->beside.fd, F_DUPFD_CLOEXEC, 0);
	if (output->fd >= 0)
		return 0;
	ret = error__set(err, -errno, "cannot create", path, NULL);
	new_file__finish(&output->beside, text__basename(path), false, ret);
	close(output->beside.at);
	output->beside.at = -1;
	return ret;
}

int writer_output__make_beside(struct writer_output *output, const char *path, struct error *err)
{
	char *old = xasprintf("%s.old", path);
	struct look look = { .move = false };
	int ret = check_name(path, err);

	*output = (struct writer_output){ .fd = -1, .folder = -1, .beside.at = -1 };
	if (!ret)
		ret = look_at(&look, path, false, err);
	if (!ret && look.move)
		ret = check_old(old, err);
	free(old);
	if (!ret && (look.given || !(look.flags & O_CREAT))) /* a descriptor, a device */
		ret = writer_output__make(output, path, false, err);
	else if (!ret)
		ret = open_beside(output, look.target ? look.target : path, err);
	if (ret)
		free(look.target);
	else
		output->target = look.target;
	return ret;
}

int writer_output__end_beside(struct writer_output *output, const char *path, bool keep,
                              struct error *err)
{
	struct look look = { .move = false };
	int ret = keep ? look_at(&look, path, false, err) : -ECANCELED;

	free(look.target);
	if (!ret && look.move)
		ret = move_away(path, err);
	if (ret == -EAGAIN)
		ret = 0;
	int end = new_file__finish(&output->beside, text__basename(path), false, ret);

	close(output->beside.at);
	output->beside.at = -1;
	if (!ret && end)
		ret = error__set(err, end, "cannot create", path, NULL);
	return keep ? ret : 0;
}

bool writer_output__is_at(int fd, const char *path)
{
	struct stat own, there;

	return fstat(fd, &own) == 0 && stat(path, &there) == 0 && own.st_dev == there.st_dev &&
	       own.st_ino == there.st_ino;
}
