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
static bool is_recording_folder(const struct dir_entry *entry)
{
	int fd = openat(entry->at, entry->name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	bool found = fd >= 0 && !each_entry(fd, NULL, false) &&
	             (is_recording_file(fd, "data") || is_still_empty(fd));

	if (fd >= 0)
		close(fd);
	return found;
}

/*
 * May what lies there be moved away, or (older than that) removed? Recordings may, and empty
 * files, in which nothing can be lost.
 */
static bool is_replaceable(const struct dir_entry *entry, const struct stat *st)
{
	if (S_ISDIR(st->st_mode))
		return is_recording_folder(entry);
	return S_ISREG(st->st_mode) && (!st->st_size || is_recording_file(entry->at, entry->name));
}

int writer_output__empty(int folder)
{
	int ret = each_entry(folder, NULL, false);

	return ret ? ret : each_entry(folder, NULL, true);
}

static int remove_folder(int at, const char *name)
{
	int fd = openat(at, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	int ret = fd < 0 ? -errno : writer_output__empty(fd);

	if (fd >= 0)
		close(fd);
	if (!ret && unlinkat(at, name, AT_REMOVEDIR))
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

/* Does somebody write to the recording (a file or folder) just now? */
static bool is_being_written(const struct dir_entry *entry)
{
	const int flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;
	int fd = openat(entry->at, entry->name, flags), folder = fd;
	struct stat st;
	bool locked = false;

	if (fd >= 0 && fstat(fd, &st) == 0 && S_ISDIR(st.st_mode)) {
		fd = openat(folder, "data", flags);
		close(folder);
	}
	if (fd >= 0) {
		locked = is_locked(fd);
		close(fd);
	}
	return locked;
}

/* PATH.old of PATH */
static void entry_of_old(struct dir_entry *old, const struct dir_entry *entry)
{
	*old = (struct dir_entry){ .at = fcntl(entry->at, F_DUPFD_CLOEXEC, 0),
		                   .name = xasprintf("%s.old", entry->name),
		                   .path = xasprintf("%s.old", entry->path) };
}

/* A link that was moved there with its name leads to what is not touched. */
static int check_old(const struct dir_entry *old, struct error *err)
{
	struct stat st;

	if (fstatat(old->at, old->name, &st, AT_SYMLINK_NOFOLLOW) || S_ISLNK(st.st_mode) ||
	    is_replaceable(old, &st))
		return 0;
	error__set(err, -EEXIST, "cannot move the older recording to", old->path,
	           faccessat(old->at, old->name, R_OK, 0)
	                   ? "what lies there cannot be read, so it may be no recording"
	                   : "what lies there is not a recording");
	return error__advise(err, "move '%s' away, or give another file name: perf record -o FILE",
	                     old->path);
}

/* As check_old(), and nobody writes to it. */
static int check_old_is_done(const struct dir_entry *old, struct error *err)
{
	int ret = check_old(old, err);

	if (ret || !is_being_written(old))
		return ret;
	error__set(err, -EBUSY, "cannot remove", old->path,
	           "another perf record writes to it just now");
	return error__advise(err, "give another file name: perf record -o FILE");
}

static int remove_old(const struct dir_entry *old, struct error *err)
{
	int ret = check_old_is_done(old, err);

	if (ret)
		return ret;
	if (unlinkat(old->at, old->name, 0))
		ret = errno == EISDIR ? remove_folder(old->at, old->name) : -errno;
	if (!ret || ret == -ENOENT || ret == -ENAMETOOLONG)
		return 0;
	error__set(err, ret, "cannot remove", old->path, NULL);
	return error__advise(err, "remove '%s' by hand", old->path);
}

/* @name is that of the recording, or of an older one, in the folder of @entry. */
static int rename_to(const struct dir_entry *entry, const char *name, const char *to)
{
	int at = entry->at, ret = renameat2(at, name, at, to, RENAME_NOREPLACE) ? -errno : 0;

	if (ret != -EINVAL && ret != -ENOSYS)
		return ret;
	/* A file system that cannot promise it. */
	if (faccessat(at, to, F_OK, AT_SYMLINK_NOFOLLOW) == 0)
		return -EEXIST;
	return renameat(at, name, at, to) ? -errno : 0;
}

/* Give PATH.old another name, as *aside; if none can be had remove it. Or find none: NULL. */
static int put_aside(const struct dir_entry *old, char **aside, struct error *err)
{
	char *name = xasprintf("%s.%d", old->name, (int)getpid());
	int ret = check_old_is_done(old, err);

	if (!ret && !rename_to(old, old->name, name)) {
		*aside = name;
		return 0;
	}
	free(name);
	return ret ? ret : remove_old(old, err);
}

/* @aside: NULL, or where the name goes that PATH.old got; it is NULL then: there was none. */
static int move_away(const struct dir_entry *entry, char **aside, struct error *err)
{
	struct dir_entry old;
	int ret;

	entry_of_old(&old, entry);
	ret = aside && !*aside ? put_aside(&old, aside, err) : remove_old(&old, err);
	if (!ret && renameat(entry->at, entry->name, old.at, old.name)) {
		ret = error__set(err, -errno, "cannot rename the older recording", entry->path,
		                 NULL);
		error__advise(err, "move it away, or give another file name: perf record -o FILE");
	}
	dir_entry__exit(&old);
	return ret == -ENOENT ? -EAGAIN : ret; /* somebody else has just moved it */
}

/* Undo move_away(), as far as names are free; frees @aside. */
static void move_back(const struct dir_entry *entry, bool moved, char *aside)
{
	struct dir_entry old;

	entry_of_old(&old, entry);
	if (moved)
		rename_to(&old, old.name, entry->name); /* else it keeps the name that it has */
	if (aside)
		rename_to(&old, aside, old.name);
	dir_entry__exit(&old);
	free(aside);
}

/* ---- looking at the place ---- */

struct look {
	struct output_path found;
	const struct dir_entry *entry; /* where the file is made: of @found */
	int flags;                     /* of openat() */
	bool move;                     /* what is there goes to PATH.old */
	bool empty; /* an empty folder of ours is there: it becomes the recording's */
};

/* Only where nobody can put it back is another user's file moved away. */
static int check_foreign(const struct output_path *found, struct error *err)
{
	if (dir_entry__is_ours_alone(&found->given))
		return 0;
	error__set(err, -EPERM, "cannot write over", found->given.path,
	           "it belongs to another user (uid %u)", (unsigned)found->st.st_uid);
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

static bool is_empty_folder(const struct dir_entry *entry)
{
	int fd = openat(entry->at, entry->name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	int nr = 0;

	if (!dir)
		return false;
	while (nr < 3 && readdir(dir)) /* "." and ".." */
		nr++;
	closedir(dir);
	return nr < 3;
}

/* Something exists: at the path, or at the end of a link. */
static int look_at_file(struct look *look, bool folder, struct error *err)
{
	const struct output_path *found = &look->found;
	const struct dir_entry *end = &found->end;
	const struct stat *st = &found->st;
	bool is_folder = S_ISDIR(st->st_mode), foreign = st->st_uid != geteuid();
	bool unreadable = foreign && faccessat(end->at, end->name, R_OK, 0);

	if (S_ISCHR(st->st_mode) && !folder) { /* /dev/null */
		look->flags &= ~(O_CREAT | O_EXCL);
		return 0;
	}
	if (is_folder && folder && !foreign && !found->link && is_empty_folder(end)) {
		look->empty = true;
		return 0;
	}
	if (foreign && S_ISREG(st->st_mode) && check_foreign(found, err))
		return -EPERM;
	if (!is_replaceable(end, st) && !(S_ISREG(st->st_mode) && unreadable))
		return refuse_others(found->given.path, st, err);
	/* A file with other names is not ours alone, whoever gave it this one. */
	if (!foreign && !folder && !is_folder && !st->st_size && st->st_nlink == 1 &&
	    !is_being_written(end)) {
		look->flags &= ~O_EXCL;
		return 0;
	}
	look->move = true;
	return foreign ? check_foreign(found, err) : 0;
}

/* Decide by what lies there. Of links only that of a recording gets another name. */
static int decide(struct look *look, bool folder, struct error *err)
{
	const struct output_path *found = &look->found;
	int ret = 0;

	look->flags = O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | (found->proc ? 0 : O_NOFOLLOW);
	if (found->there)
		ret = look_at_file(look, folder, err);
	else
		look->move = folder && found->link; /* dangling: a file is made at its target */
	if (ret || !found->proc || !look->move)
		return ret;
	error__set(err, -EINVAL, "cannot create a recording", found->given.path,
	           "it leads to an open file, whose name is not known");
	return error__advise(err, "give the name: perf record -o FILE");
}

/* Free look->found, unless it failed. */
static int look_at(struct look *look, const char *path, bool folder, struct error *err)
{
	int ret;

	*look = (struct look){ .move = false };
	ret = output_path__find(&look->found, path, err);
	if (ret)
		return ret;
	ret = decide(look, folder, err);
	look->entry = look->move ? &look->found.given : &look->found.end;
	if (ret)
		output_path__exit(&look->found);
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

static int make_folder(struct writer_output *output, const struct look *look)
{
	const struct dir_entry *entry = look->entry;
	struct stat st;
	int ret;

	if (mkdirat(entry->at, entry->name, 0700) && (errno != EEXIST || !look->empty))
		return errno == EEXIST ? -EAGAIN : -errno;
	output->folder =
	        openat(entry->at, entry->name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (output->folder < 0 || fstat(output->folder, &st))
		return -errno;
	if (st.st_uid != geteuid()) /* another one was put into the place of ours */
		return -EPERM;
	if (look->empty && fchmod(output->folder, 0700))
		return -errno;
	output->fd = writer_output__add(output->folder, "data");
	if (output->fd >= 0)
		return 0;
	ret = output->fd;
	if (!look->empty)
		unlinkat(entry->at, entry->name, AT_REMOVEDIR);
	return ret == -EEXIST ? -EPERM : ret;
}

/* -EAGAIN: others were there first, look again. */
static int make(struct writer_output *output, const struct look *look, bool folder)
{
	struct stat st;
	int ret = 0;

	if (folder)
		ret = make_folder(output, look);
	else
		output->fd = openat(look->entry->at, look->entry->name, look->flags, 0600);
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

static int cannot_create(const char *path, int code, struct error *err)
{
	error__set(err, code, "cannot create", path,
	           code == -EAGAIN ? "others take the name" : NULL);
	if (code == -EACCES || code == -EROFS)
		error__advise(err, "choose a writable place: perf record -o /tmp/perf.data");
	return code;
}

/* Once. -EAGAIN: look again. output->moved and ->aside are those of all tries so far. */
static int try_to_make(struct writer_output *output, const char *path, bool folder,
                       struct error *err)
{
	struct writer_output new = WRITER_OUTPUT_NONE;
	struct look look;
	int ret = look_at(&look, path, folder, err);

	if (ret)
		return ret;
	if (look.move)
		ret = move_away(&look.found.given, &output->aside, err);
	if (!ret) {
		output->moved |= look.move;
		ret = make(&new, &look, folder);
		if (ret)
			cannot_create(path, ret, err);
	}
	if (ret && ret != -EAGAIN)
		move_back(&look.found.given, output->moved, output->aside);
	if (ret) {
		output_path__exit(&look.found);
		return ret;
	}
	new.where = look.found;
	new.where.link &= !look.move;
	new.moved = output->moved;
	new.aside = output->aside;
	new.kept = look.found.there && !look.move;
	*output = new;
	return 0;
}

int writer_output__make(struct writer_output *output, const char *path, bool folder,
                        struct error *err)
{
	int ret = check_name(path, err);

	*output = WRITER_OUTPUT_NONE;
	if (ret)
		return ret;
	for (int tries = 0; tries < TRIES; tries++) {
		ret = try_to_make(output, path, folder, err);
		if (ret != -EAGAIN)
			return ret;
	}
	free(output->aside); /* what others do to the name goes on: it stays where it is */
	return cannot_create(path, ret, err);
}

int writer_output__make_beside(struct writer_output *output, const char *path, struct error *err)
{
	struct dir_entry old;
	struct look look;
	int ret = check_name(path, err);

	*output = WRITER_OUTPUT_NONE;
	if (!ret)
		ret = look_at(&look, path, false, err);
	if (ret)
		return ret;
	output->where = look.found;
	entry_of_old(&old, &look.found.end);
	if (look.move)
		ret = check_old(&old, err);
	dir_entry__exit(&old);
	/* Not for a descriptor, or a device; nor where no file can be made. */
	if (!ret && !look.found.proc && look.flags & O_CREAT &&
	    !new_file__open(&output->beside, look.found.end.at)) {
		output->fd = fcntl(output->beside.fd, F_DUPFD_CLOEXEC, 0);
		if (output->fd >= 0)
			return 0;
		ret = error__set(err, -errno, "cannot create", path, NULL);
		new_file__finish(&output->beside, look.found.end.name, false, ret);
	}
	output_path__exit(&output->where);
	return ret ? ret : writer_output__make(output, path, false, err);
}

int writer_output__end_beside(struct writer_output *output, bool keep, struct error *err)
{
	struct look look = { .found = output->where };
	struct output_path *found = &look.found;
	int ret = keep ? 0 : -ECANCELED;

	/* What is there by now, in the folder that was found. */
	found->given = found->end;
	found->there = !fstatat(found->end.at, found->end.name, &found->st, AT_SYMLINK_NOFOLLOW);
	if (keep)
		ret = decide(&look, false, err);
	if (!ret && look.move)
		ret = move_away(&found->end, NULL, err);
	if (ret == -EAGAIN)
		ret = 0;
	int end = new_file__finish(&output->beside, found->end.name, false, ret);

	output->beside.at = -1;
	if (!ret && end)
		ret = error__set(err, end, "cannot create", found->end.path, NULL);
	return keep ? ret : 0;
}

static bool is_at(int fd, const struct dir_entry *entry, const char *name)
{
	struct stat own, there;

	return fstat(fd, &own) == 0 && fstatat(entry->at, name, &there, 0) == 0 &&
	       own.st_dev == there.st_dev && own.st_ino == there.st_ino;
}

int writer_output__find(const struct writer_output *output, struct dir_entry *found)
{
	int fd = output->folder >= 0 ? output->folder : output->fd;
	const struct dir_entry *given = &output->where.given;

	entry_of_old(found, given);
	if (is_at(fd, given, given->name)) {
		dir_entry__exit(found);
		dir_entry__copy(found, given);
	} else if (!is_at(fd, found, found->name)) {
		dir_entry__exit(found);
		return -ESTALE;
	}
	return 0;
}

int writer_output__rename(struct writer_output *output, const char *path)
{
	struct dir_entry *given = &output->where.given, found;
	int ret = writer_output__find(output, &found);

	if (ret)
		return ret;
	ret = rename_to(&found, found.name, text__basename(path));
	dir_entry__exit(&found);
	if (ret)
		return ret;
	free(given->name);
	free(given->path);
	given->name = xstrdup(text__basename(path));
	given->path = xstrdup(path);
	output->moved = false;
	return 0;
}

static void remove_made(const struct writer_output *output)
{
	int flags = output->folder >= 0 ? AT_REMOVEDIR : 0;
	struct dir_entry found;

	if (output->where.link) { /* which stays */
		if (is_at(output->fd, &output->where.end, output->where.end.name))
			unlinkat(output->where.end.at, output->where.end.name, 0);
	} else if (!writer_output__find(output, &found)) {
		unlinkat(found.at, found.name, flags);
		dir_entry__exit(&found);
	}
}

void writer_output__settle(struct writer_output *output)
{
	struct dir_entry aside;

	if (!output->aside)
		return;
	dir_entry__copy(&aside, &output->where.given);
	free(aside.name);
	aside.name = output->aside;
	output->aside = NULL;
	remove_old(&aside, NULL);
	dir_entry__exit(&aside);
}

void writer_output__undo(struct writer_output *output)
{
	const struct output_path *where = &output->where;
	struct stat st;

	int ret = output->folder < 0 ? 0 : writer_output__empty(output->folder);

	if (!ret && !output->kept)
		remove_made(output);
	else if (!ret && output->folder >= 0)
		ret = fchmod(output->folder, where->st.st_mode & 07777);
	else if (!ret && !fstat(output->fd, &st) && st.st_size)
		ret = ftruncate(output->fd, 0);
	move_back(&where->given, output->moved, output->aside);
	output->aside = NULL;
}
