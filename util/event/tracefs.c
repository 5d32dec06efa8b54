// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/event/tracefs.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/event/refusal.h"
#include "util/lib/alloc.h"
#include "util/lib/file.h"
#include "util/lib/text.h"

#define READ_MAX (256u << 20) /* of one control file; printk_formats is some 100 KB */

/* Mount tables write blanks, tabs, newlines and backslashes of a path as \ooo. */
static void unescape(char *s)
{
	char *to = s;

	while (*s) {
		if (s[0] == '\\' && s[1] >= '0' && s[1] <= '3' && s[2] >= '0' && s[2] <= '7' &&
		    s[3] >= '0' && s[3] <= '7') {
			*to++ = (s[1] - '0') * 64 + (s[2] - '0') * 8 + (s[3] - '0');
			s += 4;
		} else {
			*to++ = *s++;
		}
	}
	*to = '\0';
}

/* The folder of tracepoints below a tracefs or debugfs mount point, or NULL. malloc'ed. */
static char *usable(const char *mount, const char *type)
{
	char *path = xasprintf("%s%s", mount, strcmp(type, "debugfs") ? "" : "/tracing");
	char *events = xasprintf("%s/events", path);
	struct stat st;

	/* EACCES still says where it is; the caller then explains. */
	if (stat(events, &st) && errno != EACCES) {
		free(path);
		path = NULL;
	}
	free(events);
	return path;
}

char *tracefs__find_mount(const char *mounts_path)
{
	FILE *file = fopen(mounts_path, "re");
	char *line = NULL, *found = NULL;
	size_t cap = 0;

	if (!file)
		return NULL;
	while (getline(&line, &cap, file) > 0) {
		char *save, *mount, *type;

		strtok_r(line, " \t", &save); /* the device */
		mount = strtok_r(NULL, " \t", &save);
		type = strtok_r(NULL, " \t", &save);
		if (!mount || !type || (strcmp(type, "tracefs") && strcmp(type, "debugfs")))
			continue;
		if (found && strcmp(type, "tracefs"))
			continue; /* tracefs is preferred, wherever it stands */
		unescape(mount);
		char *path = usable(mount, type);

		if (!path)
			continue;
		free(found);
		found = path;
		if (!strcmp(type, "tracefs"))
			break;
	}
	free(line);
	fclose(file);
	return found;
}

bool tracefs__is_known(const char *filesystems_path)
{
	char buf[8192];

	/* Unreadable: do not claim that it is missing. */
	return file__read_text(filesystems_path, buf, sizeof(buf)) <= 0 ||
	       strstr(buf, "\ttracefs\n");
}

static void not_mounted(struct error *err)
{
	struct refusal reason;

	refusal__tracefs_absent(&reason, tracefs__is_known("/proc/filesystems"));
	refusal__to_error(&reason, -ENOENT, "cannot find the kernel's tracepoints", NULL, err);
}

/* Where it is, mounted if need be. */
static char *find(struct tracefs *tracefs, struct error *err)
{
	const char *env = getenv("PERF_TRACEFS_DIR");
	char *path;

	if (env && *env)
		return xstrdup(env);
	path = tracefs__find_mount("/proc/self/mounts");
	if (path)
		return path;
	/* 4.1 and newer make this folder if they have tracefs. */
	if (!tracefs->no_mount && !geteuid() &&
	    !mount("nodev", TRACEFS_DEFAULT_MOUNT, "tracefs", 0, NULL)) {
		tracefs->mounted = true;
		return xstrdup(TRACEFS_DEFAULT_MOUNT);
	}
	not_mounted(err);
	return NULL;
}

static int explain_access(const struct tracefs *tracefs, int code, const char *path,
                          struct error *err)
{
	struct access access;
	struct refusal reason;

	access__read(&access, "");
	refusal__tracefs_unreadable(&reason, &access, tracefs->path, code);
	return refusal__to_error(&reason, code, "cannot read", path, err);
}

int tracefs__open(struct tracefs *tracefs, struct error *err)
{
	char *events;
	int ret;

	if (tracefs->path)
		return 0;
	tracefs->path = find(tracefs, err);
	if (!tracefs->path)
		return -ENOENT;
	events = xasprintf("%s/events", tracefs->path);
	tracefs->events_fd = open(events, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	ret = tracefs->events_fd < 0 ? explain_access(tracefs, -errno, events, err) : 0;
	free(events);
	if (ret)
		tracefs__close(tracefs);
	return ret;
}

void tracefs__close(struct tracefs *tracefs)
{
	if (tracefs->events_fd >= 0)
		close(tracefs->events_fd);
	free(tracefs->path);
	tracefs->path = NULL;
	tracefs->events_fd = -1;
}

/* Names become paths: one plain component, nothing else. */
static bool is_component(const char *name)
{
	return *name && *name != '.' && !strchr(name, '/') && strlen(name) < 256;
}

int tracefs__event_id(struct tracefs *tracefs, const char *sys, const char *name, struct error *err)
{
	char path[600], full[sizeof(path) + 64], buf[24];
	ssize_t n;
	u64 id;
	int fd, ret = tracefs__open(tracefs, err);

	if (ret)
		return ret;
	snprintf(full, sizeof(full), "%.255s:%.255s", sys, name);
	if (!is_component(sys) || !is_component(name))
		return error__set(err, -ENOENT, "unknown tracepoint", full, "not a name");
	snprintf(path, sizeof(path), "%s/%s/id", sys, name);
	fd = openat(tracefs->events_fd, path, O_RDONLY | O_CLOEXEC);
	if (fd < 0 && (errno == ENOENT || errno == ENOTDIR))
		return error__set(err, -ENOENT, "unknown tracepoint", full,
		                  "there is no events/%s/%s in %s", sys, name, tracefs->path);
	if (fd < 0)
		return explain_access(tracefs, -errno, full, err);
	n = read(fd, buf, sizeof(buf) - 1);
	close(fd);
	while (n > 0 && buf[n - 1] == '\n')
		n--;
	buf[n > 0 ? n : 0] = '\0';
	if (text__parse_u64(buf, &id) || !id || id > INT32_MAX)
		return error__set(err, -EIO, "cannot use tracepoint", full,
		                  "its id file does not hold a number");
	return id;
}

struct names {
	char **names;
	size_t nr, cap;
};

static void names__exit(struct names *names)
{
	for (size_t i = 0; i < names->nr; i++)
		free(names->names[i]);
	free(names->names);
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* As "sys:event" would sort, whatever event: fib6 stands before fib. */
static int compare_systems(const void *a, const void *b)
{
	const char *x = *(char *const *)a, *y = *(char *const *)b;

	while (*x && *x == *y) {
		x++;
		y++;
	}
	return (*x ? (u8)*x : ':') - (*y ? (u8)*y : ':');
}

/* Sorted names of the folders below @relative of @dir_fd that match @glob. */
static int list_folders(int dir_fd, const char *relative, const char *glob, struct names *names)
{
	int fd = openat(dir_fd, relative, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct dirent *entry;
	DIR *dir;

	if (fd < 0)
		return -errno;
	dir = fdopendir(fd);
	if (!dir) {
		close(fd);
		return -ENOMEM;
	}
	while ((entry = readdir(dir))) {
		if (!is_component(entry->d_name) || !text__glob(glob, entry->d_name) ||
		    (entry->d_type != DT_DIR && entry->d_type != DT_UNKNOWN))
			continue;
		array__reserve(&names->names, &names->cap, names->nr + 1, sizeof(*names->names));
		names->names[names->nr++] = xstrdup(entry->d_name);
	}
	closedir(dir);
	if (names->nr)
		qsort(names->names, names->nr, sizeof(*names->names), compare_names);
	return 0;
}

/* The events of one system; adds the calls to *@nr. */
static int each_of_system(struct tracefs *tracefs, const char *sys, const char *glob,
                          int (*fn)(void *ctx, const char *sys, const char *name), void *ctx,
                          int *nr)
{
	/* Only these are folders without an id; looking for all would be most of the work here. */
	bool some_lack_id = !strcmp(sys, "ftrace");
	struct names names = { 0 };
	char path[600];
	int ret = list_folders(tracefs->events_fd, sys, glob, &names);

	for (size_t i = 0; !ret && i < names.nr; i++) {
		snprintf(path, sizeof(path), "%s/%s/id", sys, names.names[i]);
		if (some_lack_id && faccessat(tracefs->events_fd, path, F_OK, 0))
			continue;
		ret = fn(ctx, sys, names.names[i]);
		(*nr)++;
	}
	names__exit(&names);
	return ret;
}

int tracefs__each_event(struct tracefs *tracefs, const char *sys, const char *name,
                        int (*fn)(void *ctx, const char *sys, const char *name), void *ctx,
                        struct error *err)
{
	struct names systems = { 0 };
	int nr = 0, ret = tracefs__open(tracefs, err);

	if (ret)
		return ret;
	ret = list_folders(tracefs->events_fd, ".", sys, &systems);
	if (ret)
		explain_access(tracefs, ret, tracefs->path, err);
	if (systems.nr)
		qsort(systems.names, systems.nr, sizeof(*systems.names), compare_systems);
	for (size_t i = 0; !ret && i < systems.nr; i++) {
		ret = each_of_system(tracefs, systems.names[i], name, fn, ctx, &nr);
		if (ret == -ENOENT || ret == -ENOTDIR)
			ret = 0; /* a module was unloaded meanwhile */
	}
	names__exit(&systems);
	return ret ? ret : nr;
}

int tracefs__each_system(struct tracefs *tracefs, const char *sys,
                         int (*fn)(void *ctx, const char *sys, const char *name), void *ctx,
                         struct error *err)
{
	struct names systems = { 0 };
	int ret = tracefs__open(tracefs, err);

	if (ret)
		return ret;
	ret = list_folders(tracefs->events_fd, ".", sys, &systems);
	if (ret)
		explain_access(tracefs, ret, tracefs->path, err);
	for (size_t i = 0; !ret && i < systems.nr; i++)
		ret = fn(ctx, systems.names[i], NULL);
	if (!ret)
		ret = systems.nr;
	names__exit(&systems);
	return ret;
}

char *tracefs__read(struct tracefs *tracefs, const char *relative, size_t *size, struct error *err)
{
	char *path, *buf = NULL;
	size_t len = 0, cap = 0;
	ssize_t n;
	int fd;

	if (tracefs__open(tracefs, err))
		return NULL;
	path = xasprintf("%s/%s", tracefs->path, relative);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0) {
		explain_access(tracefs, -errno, path, err);
		free(path);
		return NULL;
	}
	/* Sizes of such files are 0 or a lie: read to the end. */
	do {
		array__reserve(&buf, &cap, len + 4096, 1);
		n = read(fd, buf + len, cap - len - 1);
		if (n > 0)
			len += n;
	} while ((n > 0 && len < READ_MAX) || (n < 0 && errno == EINTR));
	if (n < 0) {
		explain_access(tracefs, -errno, path, err);
		free(buf);
		buf = NULL;
	} else {
		buf[len] = '\0';
		*size = len;
	}
	close(fd);
	free(path);
	return buf;
}
