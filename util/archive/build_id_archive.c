// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/archive/build_id_archive.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/buildid/build_id_cache_private.h"
#include "util/lib/alloc.h"
#include "util/lib/tar.h"
#include "util/lib/text.h"

/* ---- packing ---- */

static struct tar_member member_of(enum tar_type type, const char *name, const struct stat *st)
{
	return (struct tar_member){
		.type = type,
		.name = name,
		.target = "",
		.size = type == TAR_FILE ? st->st_size : 0,
		.mode = st->st_mode,
		.uid = st->st_uid,
		.gid = st->st_gid,
		.mtime = max_u64(st->st_mtime, 0),
	};
}

/* Plain files only: there is nothing else in the folder of an object. */
static int pack_file(int to, int at, const char *folder, const char *name)
{
	int fd = openat(at, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC), ret = 0;
	struct stat st;

	if (fd < 0)
		return errno == ELOOP || errno == ENXIO ? 0 : -errno;
	if (fstat(fd, &st)) {
		ret = -errno;
	} else if (S_ISREG(st.st_mode)) {
		char *path = xasprintf("%s%s", folder, name);
		struct tar_member member = member_of(TAR_FILE, path, &st);

		ret = tar__write_file(to, &member, fd);
		free(path);
	}
	close(fd);
	return ret;
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

static int not_dots(const struct dirent *entry)
{
	return strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
}

/* @folder: "usr/bin/ls/ID/", which is open as @at. */
static int pack_folder(int to, int at, const char *folder)
{
	struct dirent **entries;
	struct stat st;
	int nr, ret = fstat(at, &st) ? -errno : 0;

	if (!ret) {
		struct tar_member member = member_of(TAR_DIR, folder, &st);

		ret = tar__write_header(to, &member);
	}
	nr = ret ? 0 : scandirat(at, ".", &entries, not_dots, by_name);
	if (nr < 0)
		return -errno;
	for (int i = 0; i < nr; i++) {
		if (!ret)
			ret = pack_file(to, at, folder, entries[i]->d_name);
		free(entries[i]);
	}
	if (nr > 0 || !ret)
		free(entries);
	return ret;
}

static int pack_link(int to, int at, const char *hex, const char *target)
{
	char *name = xasprintf(".build-id/%.2s/%s", hex, hex + 2);
	struct stat st;
	int ret = fstatat(at, hex + 2, &st, AT_SYMLINK_NOFOLLOW) ? -errno : 0;

	if (!ret) {
		struct tar_member member = member_of(TAR_SYMLINK, name, &st);

		member.target = target;
		ret = tar__write_header(to, &member);
	}
	free(name);
	return ret;
}

int build_id_archive__pack(int fd, const char *dir, const struct build_id *id)
{
	char hex[BUILD_ID_HEX_SIZE], link[PATH_MAX];
	const char *name;
	int links = build_id_cache__open_links(dir, build_id__hex(id, hex));
	int ret = links < 0 ? links : build_id_cache__read_link(links, hex, link, &name);

	if (!ret) {
		name += *name == '/';
		char *folder = xasprintf("%s/%s/", name, hex),
		     *target = xasprintf("../../%s/%s", name, hex);
		int at = build_id_cache__enter(dir, folder, false);

		ret = at < 0 ? at : pack_link(fd, links, hex, target);
		if (!ret)
			ret = pack_folder(fd, at, folder);
		if (at >= 0)
			close(at);
		free(target);
		free(folder);
	}
	if (links >= 0)
		close(links);
	return ret;
}

int build_id_archive__end(int fd)
{
	return tar__write_end(fd);
}

/* ---- unpacking ---- */

struct unpacking {
	struct tar_reader reader;
	const char *dir;
	u32 nr;
};

/* "./usr/bin/ls/ID/" -> "usr/bin/ls/ID"; false: it leads elsewhere, or is no name. Shortens @name.
 */
static bool tidy_name(char **name)
{
	size_t len;

	while (text__starts_with(*name, "./"))
		*name += 2 + strspn(*name + 2, "/");
	len = strlen(*name);
	while (len && (*name)[len - 1] == '/')
		(*name)[--len] = '\0';
	for (const char *part = *name; *part;) {
		size_t size = strcspn(part, "/");

		if (!size || (size == 1 && *part == '.') || (size == 2 && !strncmp(part, "..", 2)))
			return false;
		part += size;
		part += *part == '/';
	}
	return true;
}

/* Cut "usr/bin/ls/ID/elf" into the folder and the file; the folder's last part is a build-id. */
static bool cut_file(char *path, const char **file)
{
	char *slash = strrchr(path, '/');
	struct build_id id;

	if (!slash)
		return false;
	*slash = '\0';
	*file = slash + 1;
	const char *last = text__basename(path);

	return last != path && build_id__parse(last, strlen(last), &id);
}

static ssize_t read_member(void *ctx, void *buf, size_t size)
{
	return tar_reader__read(ctx, buf, size);
}

static int unpack_file(struct unpacking *u, char *name)
{
	struct cache_source source = {
		.read = read_member,
		.ctx = &u->reader,
		.mode = u->reader.member.mode & (text__starts_with(name, "[") ? 0600 : 0755),
	};
	const char *file;

	if (!cut_file(name, &file))
		return -EINVAL;
	int at = build_id_cache__enter(u->dir, name, true);
	int ret = at < 0 ? at : build_id_cache__make_file(at, file, &source);

	if (at >= 0)
		close(at);
	return ret;
}

/* A second name of a file that was unpacked before. */
static int unpack_hardlink(struct unpacking *u, char *name)
{
	char *target = u->reader.target;
	const char *file, *old;
	int at, from, ret = 0;

	if (!tidy_name(&target) || !cut_file(target, &old) || !cut_file(name, &file))
		return -EINVAL;
	at = build_id_cache__enter(u->dir, name, true);
	from = at < 0 ? at : build_id_cache__enter(u->dir, target, false);
	if (from < 0)
		ret = from;
	else if (linkat(from, old, at, file, 0) && errno != EEXIST)
		ret = -errno;
	if (from >= 0)
		close(from);
	if (at >= 0)
		close(at);
	return ret;
}

static int unpack_symlink(struct unpacking *u, const char *name)
{
	const char *rest = name + strlen(".build-id/"), *object;
	char hex[BUILD_ID_HEX_SIZE], link[PATH_MAX], *path;
	size_t len = strlen(name);
	struct build_id id;

	if (!text__starts_with(name, ".build-id/") || len < 10 + 4 || rest[2] != '/' ||
	    len - 11 >= sizeof(hex) || strlen(u->reader.target) >= sizeof(link))
		return -EINVAL;
	memcpy(hex, rest, 2);
	memcpy(hex + 2, rest + 3, strlen(rest + 3) + 1);
	memcpy(link, u->reader.target, strlen(u->reader.target) + 1);
	if (!build_id__parse(hex, strlen(hex), &id) ||
	    !build_id_cache__name_of_link(link, hex, &object))
		return -EINVAL;
	path = (char *)object + (*object == '/');
	if (!*path || !tidy_name(&path))
		return -EINVAL;
	u->nr++;
	return build_id_cache__make_link(u->dir, object, hex);
}

static int unpack_dir(struct unpacking *u, const char *name)
{
	int at = build_id_cache__enter(u->dir, name, true);

	if (at < 0)
		return at;
	close(at);
	return 0;
}

static int unpack_member(struct unpacking *u)
{
	char *name = u->reader.name;

	if (!tidy_name(&name))
		return -EINVAL;
	switch (u->reader.member.type) {
	case TAR_DIR:
		return unpack_dir(u, name);
	case TAR_FILE:
		return unpack_file(u, name);
	case TAR_SYMLINK:
		return unpack_symlink(u, name);
	case TAR_HARDLINK:
		return unpack_hardlink(u, name);
	case TAR_OTHER:
		break;
	}
	return -EINVAL;
}

int build_id_archive__unpack(int fd, const char *dir, u32 *nr, struct error *err)
{
	struct unpacking *u = xcalloc(1, sizeof(*u));
	int ret;

	u->dir = dir;
	tar_reader__init(&u->reader, fd);
	while ((ret = tar_reader__next(&u->reader)) > 0) {
		char *shown = xstrdup(u->reader.name);

		ret = unpack_member(u);
		if (ret == -EINVAL)
			error__set(err, ret, "cannot unpack", shown,
			           "it is not a member of an archive of a build-id cache");
		else if (ret && ret != -EBADMSG)
			error__set(err, ret, "cannot unpack", shown, "%s: %s", dir, strerror(-ret));
		free(shown);
		if (ret)
			break;
	}
	if (ret == -EBADMSG)
		error__set(err, ret, "cannot unpack", NULL,
		           "the archive is damaged or cut off, or it is not one");
	*nr = u->nr;
	free(u);
	return ret;
}
