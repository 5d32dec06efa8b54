/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Inside the build-id cache: entering its folders, making its files and links.
 */
#ifndef PERF_UTIL_BUILDID_BUILD_ID_CACHE_PRIVATE_H
#define PERF_UTIL_BUILDID_BUILD_ID_CACHE_PRIVATE_H

#include <sys/types.h>

#include "util/buildid/build_id_cache.h"

/* "elf", "kallsyms", "vdso", "probes". */
const char *build_id_cache__file_name(enum build_id_cache_kind kind);

/*
 * Enter the folder @path ("/usr/bin/ls", "[vdso]/ID", ".build-id/ab") below the cache's root @dir,
 * part by part: links are not followed, ".." is refused, folders of other users are not used. With
 * @make missing folders are made. Folders with addresses of the kernel ("[kernel.kallsyms]/ID") are
 * for their owner alone: new ones are made so, and those that we own are changed. A descriptor or a
 * negative errno.
 */
int build_id_cache__enter(const char *dir, const char *path, bool make);

/* Where the bytes of a new file come from: memory, a function, or a descriptor. */
struct cache_source {
	const void *data;                                   /* NULL: not memory */
	size_t size;                                        /* of data */
	ssize_t (*read)(void *ctx, void *buf, size_t size); /* bytes, 0 at the end, -errno */
	void *ctx;
	int fd; /* used without data and read */
	mode_t mode;
	enum build_id_cache_kind kind;
};

/* Make @name in the folder @at, complete or not at all. Already there is fine. */
int build_id_cache__make_file(int at, const char *name, const struct cache_source *source);

/* DIR/.build-id/XX/REST -> ../../PATH/ID. Already there is fine, wherever it leads. */
int build_id_cache__make_link(const char *dir, const char *path, const char *hex);

/* Open the folder with the link of @hex. */
int build_id_cache__open_links(const char *dir, const char *hex);

/*
 * Read the link of @hex in that folder: *name ("/usr/bin/ls", "[vdso]") then points into @link.
 * -EPERM: it is no link of a cache.
 */
int build_id_cache__read_link(int at, const char *hex, char *link, const char **name);

/* The same for the text of a link, which is modified. */
bool build_id_cache__name_of_link(char *link, const char *hex, const char **name);

#endif
