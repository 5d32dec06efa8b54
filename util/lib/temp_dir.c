// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Everything below the folder is reached from an open descriptor of its parent, so that renames and
 * links made meanwhile cannot lead us out of it.
 */
#include "util/lib/temp_dir.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "util/lib/alloc.h"

#define MAX_DEPTH 32 /* of folders in folders; each level holds a descriptor */

char *temp_dir__make(const char *name, struct error *err)
{
	const char *base = getenv("TMPDIR");
	char *path = xasprintf("%s/%s-XXXXXX", base && base[0] == '/' ? base : "/tmp", name);

	if (mkdtemp(path))
		return path;
	error__set(err, -errno, "cannot make a folder", path, NULL);
	error__advise(err, "set TMPDIR to a folder that you may write to");
	free(path);
	return NULL;
}

static int remove_at(int parent, const char *name, unsigned depth)
{
	int fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *entry;
	int ret = 0;

	if (!dir) {
		ret = -errno;
		if (fd >= 0)
			close(fd);
		return ret;
	}
	while ((entry = readdir(dir))) {
		int one = 0;

		if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, ".."))
			continue;
		if (unlinkat(dirfd(dir), entry->d_name, 0)) {
			one = -errno;
			if ((one == -EISDIR || one == -EPERM) && depth < MAX_DEPTH)
				one = remove_at(dirfd(dir), entry->d_name, depth + 1);
		}
		if (one)
			ret = one;
	}
	closedir(dir);
	if (unlinkat(parent, name, AT_REMOVEDIR) && !ret)
		ret = -errno;
	return ret;
}

int temp_dir__remove_at(int parent, const char *name)
{
	return remove_at(parent, name, 0);
}

int temp_dir__remove(char *path)
{
	int ret = path ? remove_at(AT_FDCWD, path, 0) : 0;

	free(path);
	return ret;
}
