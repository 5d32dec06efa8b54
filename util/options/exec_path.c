// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/options/exec_path.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/lib/alloc.h"
#include "util/options/install_dirs.h"

const char *exec_path__dir(const char *option)
{
	const char *env = getenv("PERF_EXEC_PATH");

	if (option && *option)
		return option;
	return env && *env ? env : install_dirs__exec();
}

/* Can somebody else than root and the user decide what is there? */
static int check_owner(const char *what, const char *path, struct error *err)
{
	struct stat st;

	if (stat(path, &st))
		return error__set(err, -errno, what, path, NULL);
	if (st.st_uid && st.st_uid != geteuid())
		return error__set(err, -EPERM, what, path, "it belongs to user %u",
		                  (unsigned)st.st_uid);
	if (!(st.st_mode & 022) || (S_ISDIR(st.st_mode) && (st.st_mode & S_ISVTX)))
		return 0;
	error__set(err, -EPERM, what, path, "others may write to it (mode %03o)",
	           (unsigned)st.st_mode & 0777);
	return error__advise(err, "make it yours alone: chmod go-w %.200s", path);
}

static bool is_program(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISREG(st.st_mode) && !access(path, X_OK);
}

/* The program in one folder, checked. NULL with @err unset: it is not there. */
static char *find_in(const char *dir, size_t len, const char *name, struct error *err)
{
	char *folder = xasprintf("%.*s", (int)len, dir);
	char *path = xasprintf("%s/perf-%s", folder, name);
	int ret = -ENOENT;

	if (is_program(path)) {
		ret = check_owner("will not run a program of the folder", folder, err);
		if (!ret)
			ret = check_owner("will not run", path, err);
	}
	free(folder);
	if (!ret)
		return path;
	free(path);
	return NULL;
}

char *exec_path__find(const char *dir, const char *path, const char *name, struct error *err)
{
	char *found;

	if (!*name || strchr(name, '/'))
		return NULL;
	found = find_in(dir, strlen(dir), name, err);
	while (!found && !err->code && path && *path) {
		size_t len = strcspn(path, ":");

		if (path[0] == '/')
			found = find_in(path, len, name, err);
		path += len + (path[len] == ':');
	}
	return found;
}

int exec_path__run(const char **argv, struct error *err)
{
	const char *dir = exec_path__dir(NULL), *path = getenv("PATH");
	char self[512], *program = exec_path__find(dir, path, argv[0], err), *longer;
	ssize_t len = readlink("/proc/self/exe", self, sizeof(self) - 1);

	if (!program)
		return err->code ? err->code : -ENOENT;
	while (len > 0 && self[len - 1] != '/')
		len--;
	longer = xasprintf("%s:%.*s:%s", dir, len > 1 ? (int)len - 1 : 1, len > 0 ? self : "/",
	                   path ? path : "/usr/bin:/bin");
	setenv("PATH", longer, 1);
	free(longer);
	argv[0] = program;
	execv(program, (char *const *)argv);
	error__set(err, -errno, "cannot run", program, NULL);
	free(program);
	return err->code;
}
