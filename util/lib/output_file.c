// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/lib/output_file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "util/lib/alloc.h"
#include "util/lib/text.h"

/* ---- what a command reads ---- */

static void add_id(struct file_ids *files, const struct stat *st)
{
	files->mode = files->nr ? files->mode & st->st_mode : st->st_mode;
	array__reserve(&files->ids, &files->cap, files->nr + 1, sizeof(*files->ids));
	files->ids[files->nr++] = (struct file_id){ st->st_dev, st->st_ino };
}

static void add_folder(struct file_ids *files, const char *path)
{
	DIR *folder = opendir(path);
	struct dirent *entry;
	struct stat st;

	while (folder && (entry = readdir(folder)))
		if (!fstatat(dirfd(folder), entry->d_name, &st, 0) && S_ISREG(st.st_mode))
			add_id(files, &st);
	if (folder)
		closedir(folder);
}

void file_ids__add(struct file_ids *files, const char *path)
{
	struct stat st;

	if (strcmp(path, "-") ? stat(path, &st) : fstat(STDIN_FILENO, &st))
		return;
	if (S_ISREG(st.st_mode) || S_ISDIR(st.st_mode))
		add_id(files, &st);
	else
		files->mode = S_IRUSR | S_IWUSR; /* nobody else was to read what comes through it */
	if (S_ISDIR(st.st_mode))
		add_folder(files, path);
}

bool file_ids__has(const struct file_ids *files, const struct stat *st)
{
	for (u32 i = 0; files && i < files->nr; i++)
		if (files->ids[i].dev == st->st_dev && files->ids[i].ino == st->st_ino)
			return true;
	return false;
}

void file_ids__exit(struct file_ids *files)
{
	free(files->ids);
	*files = (struct file_ids){ .ids = NULL };
}

/* ---- what lies there ---- */

static bool is_beside(unsigned flags)
{
	return !(flags & (OUTPUT_FILE_APPEND | OUTPUT_FILE_GROWS));
}

/* May it be written to, or give way? */
static int check_there(const struct output_path *look, const char *path, unsigned flags,
                       const struct file_ids *inputs, struct error *err)
{
	mode_t mode = look->st.st_mode;

	if (file_ids__has(inputs, &look->st)) {
		error__set(err, -EINVAL, "cannot write over", path, "it is the input, too");
		return error__advise(err, "give another file name");
	}
	if (S_ISCHR(mode))
		return 0;
	/* One of /proc is a descriptor that we were given. */
	if (S_ISFIFO(mode) && (look->proc || output_path__is_trusted(&look->st)))
		return 0;
	if (S_ISFIFO(mode))
		return error__set(err, -EPERM, "cannot write to", path,
		                  "it is a pipe of another user (uid %u)",
		                  (unsigned)look->st.st_uid);
	if (S_ISDIR(mode))
		return error__set(err, -EISDIR, "cannot write", path, NULL);
	if (!S_ISREG(mode))
		return error__set(err, -EINVAL, "cannot write", path, "not a regular file");
	if (!(flags & (OUTPUT_FILE_REPLACE | OUTPUT_FILE_APPEND)) && !look->proc)
		return error__set(err, -EEXIST, "cannot create", path, NULL);
	/* Root's new file may take its place where nobody can put it back. */
	if (look->st.st_uid != geteuid() && !look->proc &&
	    (geteuid() || !is_beside(flags) || !dir_entry__is_ours_alone(&look->end))) {
		error__set(err, -EPERM, "cannot write over", path,
		           "it belongs to another user (uid %u)", (unsigned)look->st.st_uid);
		return error__advise(err, "remove it, or give another file name");
	}
	/* A new file could take the place of one that its owner has protected. */
	if (!look->proc && faccessat(look->end.at, look->end.name, W_OK, AT_EACCESS))
		return error__set(err, -errno, "cannot write over", path, NULL);
	return 0;
}

/* ---- beside ---- */

/* The mode of the new file: as the older one's, no more open than @mode. */
static mode_t mode_of_new(const struct output_path *look, mode_t mode)
{
	mode_t mask = umask(0);

	umask(mask);
	return (look->there && look->st.st_uid == geteuid() ? look->st.st_mode & mode
	                                                    : mode & ~mask) &
	       0777;
}

static int open_beside(struct output_file *file, const struct output_path *look, mode_t mode)
{
	int ret = new_file__open(&file->new, file->entry.at);

	if (ret)
		return ret;
	new_file__watch(&file->new);
	file->fd = file->new.fd;
	/* A file system that has no modes keeps its own; it was the owner's alone until here. */
	fchmod(file->fd, mode_of_new(look, mode));
	return 0;
}

/* ---- in place ---- */

static int check_opened(const struct output_file *file, const struct output_path *look,
                        const char *path, struct error *err)
{
	struct stat st;

	if (fstat(file->fd, &st))
		return error__set(err, -errno, "cannot look at", path, NULL);
	if (look->there && (st.st_dev != look->st.st_dev || st.st_ino != look->st.st_ino))
		return error__set(err, -EAGAIN, "cannot write", path,
		                  "another file was put there meanwhile");
	/* Some file systems have owners of their own for what we make. */
	if (S_ISREG(st.st_mode) && st.st_uid != geteuid() && !look->proc && !file->made)
		return error__set(err, -EPERM, "cannot write over", path,
		                  "it belongs to another user (uid %u)", (unsigned)st.st_uid);
	return 0;
}

static int open_in_place(struct output_file *file, const struct output_path *look, const char *path,
                         unsigned flags, mode_t mode, struct error *err)
{
	bool pipe = look->there && S_ISFIFO(look->st.st_mode);  /* waits for its reader */
	bool append = flags & OUTPUT_FILE_APPEND || look->proc; /* others write to it, too */
	int how = O_WRONLY | O_CLOEXEC | O_NOCTTY | (append ? O_APPEND : 0) |
	          (look->there ? 0 : O_CREAT | O_EXCL) | (look->proc ? 0 : O_NOFOLLOW) |
	          (pipe ? 0 : O_NONBLOCK);
	int ret;

	file->in_place = true;
	file->fd = openat(file->entry.at, file->entry.name, how, mode);
	if (file->fd < 0)
		return error__set(err, -errno, "cannot create", path, NULL);
	file->made = !look->there;
	fcntl(file->fd, F_SETFL, how & O_APPEND);
	ret = check_opened(file, look, path, err);
	if (!ret && look->there && S_ISREG(look->st.st_mode) && !append && ftruncate(file->fd, 0))
		ret = error__set(err, -errno, "cannot empty", path, NULL);
	if (ret) {
		close(file->fd);
		file->fd = -1;
		if (file->made)
			unlinkat(file->entry.at, file->entry.name, 0);
	}
	return ret;
}

static int open_it(struct output_file *file, const struct output_path *look, unsigned flags,
                   mode_t mode, const struct file_ids *inputs, struct error *err)
{
	bool regular = !look->there || (S_ISREG(look->st.st_mode) && !look->proc);
	int ret = look->there ? check_there(look, file->path, flags, inputs, err) : 0;

	if (ret)
		return ret;
	dir_entry__copy(&file->entry, &look->end);
	if (regular && is_beside(flags) && !open_beside(file, look, mode))
		return 0;
	return open_in_place(file, look, file->path, flags, mode, err);
}

int output_file__open(struct output_file *file, const char *path, unsigned flags, mode_t mode,
                      const struct file_ids *inputs, struct error *err)
{
	size_t len = strlen(path);
	struct output_path look;
	int ret;

	*file = (struct output_file){ .fd = -1, .path = path, .entry.at = -1 };
	if (!len)
		return error__set(err, -ENOENT, "cannot create the output", NULL,
		                  "the name of the file is empty");
	if (path[len - 1] == '/')
		return error__set(err, -EISDIR, "cannot write", path,
		                  "a name that ends in '/' is a folder's");
	ret = output_path__find(&look, path, err);
	if (ret)
		return ret;
	ret = open_it(file, &look, flags, mode, inputs, err);
	output_path__exit(&look);
	if (ret)
		dir_entry__exit(&file->entry);
	return ret;
}

int output_file__close(struct output_file *file, bool keep)
{
	int ret;

	if (!file->in_place) {
		ret = new_file__finish(&file->new, file->entry.name, false, keep ? 0 : -ECANCELED);
		ret = keep ? ret : 0;
	} else {
		ret = close(file->fd) ? -errno : 0;
		if (file->made && (!keep || ret))
			unlinkat(file->entry.at, file->entry.name, 0);
	}
	dir_entry__exit(&file->entry);
	return ret;
}
