// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/lib/output_path.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/magic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "util/lib/alloc.h"
#include "util/lib/text.h"

#define LINKS_MAX 40 /* as the kernel's */

void dir_entry__exit(struct dir_entry *entry)
{
	if (entry->at >= 0)
		close(entry->at);
	free(entry->name);
	free(entry->path);
	*entry = (struct dir_entry){ .at = -1 };
}

void dir_entry__copy(struct dir_entry *to, const struct dir_entry *entry)
{
	to->at = fcntl(entry->at, F_DUPFD_CLOEXEC, 0);
	to->name = xstrdup(entry->name);
	to->path = xstrdup(entry->path);
}

bool dir_entry__is_ours_alone(const struct dir_entry *entry)
{
	struct stat st;

	return !fstat(entry->at, &st) && st.st_uid == geteuid() && !(st.st_mode & 022);
}

/* The kernel's fs.protected_* cover only sticky folders, and may be off. */
bool output_path__is_trusted(const struct stat *st)
{
	return st->st_uid == 0 || st->st_uid == geteuid();
}

/* A link of /proc leads to an open file, whatever its text says. */
static bool is_proc(int at)
{
	struct statfs fs;

	return !fstatfs(at, &fs) && fs.f_type == PROC_SUPER_MAGIC;
}

static bool may_all_write(int at)
{
	struct stat st;

	return !fstat(at, &st) && st.st_mode & S_IWOTH;
}

/* What the link that is open as @fd says; malloc'ed, NULL with errno. */
static char *text_of(int fd, unsigned *nr_links)
{
	char text[PATH_MAX];
	ssize_t len = readlinkat(fd, "", text, sizeof(text) - 1);

	if (len >= 0 && ++*nr_links > LINKS_MAX) {
		len = -1;
		errno = ELOOP;
	}
	if (len < 0)
		return NULL;
	text[len] = '\0';
	return xstrdup(text);
}

/* The link, and no other that is put there meanwhile: its descriptor or a negative errno. */
static int open_link(int at, const char *name, struct stat *st)
{
	int fd = openat(at, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);

	if (fd < 0)
		return -errno;
	if (!fstat(fd, st) && S_ISLNK(st->st_mode))
		return fd;
	close(fd);
	return -ENOTDIR;
}

/* @to gets a descriptor; 0 or a negative errno. */
static int open_folder(int at, const char *name, int flags, int *to)
{
	*to = openat(at, name, O_PATH | O_DIRECTORY | O_CLOEXEC | flags);
	return *to < 0 ? -errno : 0;
}

/*
 * One step: the folder @name in @at, or what the link of that name says. A link there that somebody
 * has planted is refused. Elsewhere links belong to who owns the place; in a user namespace that is
 * nobody whom we know.
 */
static int step(int at, const char *name, const char *path, int *folder, char **text,
                unsigned *nr_links, struct error *err)
{
	struct stat st;
	int ret = open_folder(at, name, O_NOFOLLOW, folder), link;

	if (ret != -ENOTDIR && ret != -ELOOP)
		return ret;
	link = open_link(at, name, &st);
	if (link < 0)
		return link;
	if (!output_path__is_trusted(&st) && may_all_write(at)) {
		ret = error__set(err, -EPERM, "cannot write to", path,
		                 "'%s' in it is a symbolic link made by another user (uid %u)",
		                 name, (unsigned)st.st_uid);
		error__advise(err, "give a path that does not lead through it");
	} else if (is_proc(at)) {
		ret = open_folder(at, name, 0, folder);
	} else {
		*text = text_of(link, nr_links);
		ret = *text ? 0 : -errno;
	}
	close(link);
	return ret;
}

/*
 * Enter the folders of @path, from the folder @from on, and come to its last name. 0 or a negative
 * errno, which -EPERM has told about in @err.
 */
static int walk(struct dir_entry *entry, int from, const char *path, unsigned *nr_links,
                struct error *err)
{
	char *rest = xstrdup(path), *name = rest, *text = NULL;
	int at, next, ret = open_folder(from, *path == '/' ? "/" : ".", 0, &at);

	while (!ret) {
		name += strspn(name, "/");
		char *end = name + strcspn(name, "/"), *after = end + strspn(end, "/");

		*end = '\0';
		if (!*after)
			break;
		ret = step(at, name, path, &next, &text, nr_links, err);
		name = after;
		if (!ret && text) {
			name = xasprintf("%s/%s", text, after);
			ret = open_folder(at, *text == '/' ? "/" : ".", 0, &next);
			free(text);
			free(rest);
			text = NULL;
			rest = name;
		}
		if (!ret) {
			close(at);
			at = next;
		}
	}
	if (!ret) {
		entry->at = at;
		entry->name = xstrdup(*name ? name : ".");
	} else if (at >= 0) {
		close(at);
	}
	free(rest);
	return ret;
}

/* The link @fd at the end of the path: go to what it says. */
static int follow(struct output_path *found, int fd, unsigned *nr_links, struct error *err)
{
	struct dir_entry old = found->end;
	const char *base = text__basename(old.path);
	char *text = text_of(fd, nr_links);
	int ret = text ? 0 : -errno;

	found->end = (struct dir_entry){ .at = -1 };
	found->link = true;
	if (!ret)
		ret = walk(&found->end, old.at, text, nr_links, err);
	if (!ret)
		found->end.path =
		        *text == '/' ? xstrdup(text)
		                     : xasprintf("%.*s%s", (int)(base - old.path), old.path, text);
	free(text);
	dir_entry__exit(&old);
	return ret;
}

/* 1: it was a link, look again. */
static int look(struct output_path *found, unsigned *nr_links, struct error *err)
{
	struct dir_entry *end = &found->end;
	int fd = openat(end->at, end->name, O_PATH | O_NOFOLLOW | O_CLOEXEC), ret = 0;

	found->there = fd >= 0 && !fstat(fd, &found->st);
	if (found->there && S_ISLNK(found->st.st_mode)) {
		found->proc = is_proc(end->at);
		if (!output_path__is_trusted(&found->st))
			ret = error__set(err, -EPERM, "cannot write through", found->given.path,
			                 "it is a symbolic link made by another user (uid %u)",
			                 (unsigned)found->st.st_uid);
		else if (found->proc)
			ret = fstatat(end->at, end->name, &found->st, 0) ? -errno : 0;
		else
			ret = follow(found, fd, nr_links, err) ?: 1;
	}
	if (fd >= 0)
		close(fd);
	return ret;
}

int output_path__find(struct output_path *found, const char *path, struct error *err)
{
	struct error why = ERROR_INIT;
	unsigned nr_links = 0;
	int ret;

	*found = (struct output_path){ .given = { .at = -1 }, .end = { .at = -1 } };
	ret = walk(&found->given, AT_FDCWD, path, &nr_links, &why);
	found->given.path = xstrdup(path);
	if (!ret) {
		dir_entry__copy(&found->end, &found->given);
		do
			ret = look(found, &nr_links, &why);
		while (ret > 0);
	}
	if (!ret)
		return 0;
	output_path__exit(found);
	if (why.code && err)
		*err = why;
	else if (!why.code)
		error__set(err, ret, "cannot create", path, NULL);
	if (ret == -EACCES)
		error__advise(err, "choose a writable place, such as /tmp/perf.data");
	return ret;
}

void output_path__exit(struct output_path *found)
{
	dir_entry__exit(&found->given);
	dir_entry__exit(&found->end);
}
