// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Listing and removal. The links of .build-id are the index; each is checked before use, because a
 * link may lead anywhere. Removal keeps the folders above the object's own that become empty, as
 * Linux's perf does: others may be adding to them.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "util/buildid/build_id_cache_private.h"
#include "util/elf/build_id.h"
#include "util/lib/alloc.h"
#include "util/lib/temp_dir.h"
#include "util/lib/text.h"

bool build_id_cache__name_of_link(char *link, const char *hex, const char **name)
{
	static const char up[] = "../..";
	char *last = strrchr(link, '/');

	if (!text__starts_with(link, "../../") || !last || strcmp(last + 1, hex) != 0)
		return false;
	*last = '\0';
	if (last - link < (ssize_t)sizeof(up))
		return false;
	*name = link + strlen(up);
	*name += (*name)[1] == '['; /* "[vdso]", but "/usr/bin/ls" */
	return true;
}

int build_id_cache__read_link(int at, const char *hex, char *link, const char **name)
{
	ssize_t len = readlinkat(at, hex + 2, link, PATH_MAX - 1);

	if (len < 0)
		return errno == EINVAL ? -EPERM : -errno;
	link[len] = '\0';
	return build_id_cache__name_of_link(link, hex, name) ? 0 : -EPERM;
}

int build_id_cache__open_links(const char *dir, const char *hex)
{
	char *folder = xasprintf(".build-id/%.2s", hex);
	int at = build_id_cache__enter(dir, folder, false);

	free(folder);
	return at;
}

/* ---- listing ---- */

struct listing {
	char (*ids)[BUILD_ID_HEX_SIZE];
	u32 nr;
	size_t cap;
};

static int compare_ids(const void *a, const void *b)
{
	return strcmp(a, b);
}

/* The links in one of the 256 folders. */
static void list_folder(struct listing *list, int at, const char *folder)
{
	DIR *dir = fdopendir(at);
	struct dirent *entry;
	struct build_id id;

	if (!dir) {
		close(at);
		return;
	}
	while ((entry = readdir(dir))) {
		char *hex = xasprintf("%s%s", folder, entry->d_name);

		if (build_id__parse(hex, strlen(hex), &id)) {
			array__reserve(&list->ids, &list->cap, list->nr + 1, sizeof(*list->ids));
			memcpy(list->ids[list->nr++], hex, strlen(hex) + 1);
		}
		free(hex);
	}
	closedir(dir);
}

static int list_ids(struct listing *list, const char *dir)
{
	int at = build_id_cache__enter(dir, ".build-id", false);

	if (at < 0)
		return at == -ENOENT ? 0 : at;
	for (unsigned i = 0; i < 256; i++) {
		static const char digits[] = "0123456789abcdef";
		const char folder[] = { digits[i >> 4], digits[i & 15], '\0' };
		int fd = openat(at, folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

		if (fd >= 0)
			list_folder(list, fd, folder);
	}
	close(at);
	if (list->nr)
		qsort(list->ids, list->nr, sizeof(*list->ids), compare_ids);
	return 0;
}

static bool is_valid(const char *dir, const struct build_id *id, const char *name)
{
	enum build_id_cache_kind kind = build_id_cache__kind_of(name);
	char *path = build_id_cache__find(dir, id, kind);
	struct build_id have;
	bool valid = path && kind == CACHE_KALLSYMS;

	if (path && kind == CACHE_ELF)
		valid = !build_id__of_file(path, &have) && build_id__equal(&have, id);
	free(path);
	return valid;
}

static void tell_entry(const char *dir, const char *hex,
                       void (*each)(void *ctx, const struct build_id_cache_entry *entry), void *ctx)
{
	struct build_id_cache_entry entry = { .valid = false };
	char link[PATH_MAX];
	int at = build_id_cache__open_links(dir, hex);

	if (at < 0)
		return;
	if (!build_id_cache__read_link(at, hex, link, &entry.name) &&
	    build_id__parse(hex, strlen(hex), &entry.id)) {
		entry.valid = is_valid(dir, &entry.id, entry.name);
		each(ctx, &entry);
	}
	close(at);
}

int build_id_cache__list(const char *dir,
                         void (*each)(void *ctx, const struct build_id_cache_entry *entry),
                         void *ctx)
{
	struct listing list = { .nr = 0 };
	int ret = list_ids(&list, dir);

	for (u32 i = 0; i < list.nr; i++)
		tell_entry(dir, list.ids[i], each, ctx);
	free(list.ids);
	return ret;
}

/* ---- removing ---- */

/* The folder NAME/HEX; that it is gone already is fine. */
static int remove_folder(const char *dir, const char *name, const char *hex)
{
	int parent = build_id_cache__enter(dir, name, false), ret = parent;

	if (parent >= 0) {
		ret = temp_dir__remove_at(parent, hex);
		close(parent);
	}
	return ret == -ENOENT ? 0 : ret;
}

/* The link of @hex and its folder; with @only just where the link leads to what is called so. */
static int remove_linked(const char *dir, const char *hex, const char *only)
{
	char link[PATH_MAX];
	const char *name;
	int at = build_id_cache__open_links(dir, hex);
	int ret = at < 0 ? at : build_id_cache__read_link(at, hex, link, &name);

	if (!ret && only && strcmp(name, only) != 0)
		ret = -ENOENT;
	if (!ret)
		ret = remove_folder(dir, name, hex);
	if (!ret && unlinkat(at, hex + 2, 0) && errno != ENOENT)
		ret = -errno;
	if (at >= 0)
		close(at);
	return ret;
}

int build_id_cache__remove(const char *dir, const struct build_id *id)
{
	char hex[BUILD_ID_HEX_SIZE];

	return id->size < 2 ? -ENOENT : remove_linked(dir, build_id__hex(id, hex), NULL);
}

int build_id_cache__purge(const char *dir, const char *name)
{
	int at = build_id_cache__enter(dir, name, false), ret = -ENOENT;
	DIR *folder = at < 0 ? NULL : fdopendir(at);
	struct dirent *entry;
	struct build_id id;

	if (!folder) {
		if (at >= 0)
			close(at);
		return at == -ENOTDIR || at >= 0 ? -ENOENT : at;
	}
	while ((entry = readdir(folder))) {
		int one;

		if (!build_id__parse(entry->d_name, strlen(entry->d_name), &id))
			continue;
		one = remove_linked(dir, entry->d_name, name);
		if (one == -ENOENT) /* no link leads to it (any more) */
			one = remove_folder(dir, name, entry->d_name);
		if (ret == -ENOENT || one)
			ret = one;
	}
	closedir(folder);
	return ret;
}
