/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The definitions that the build-id cache keeps of an object, in its file "probes", in the layout
 * of Linux's perf:
 *
 *	#probe_ls:e=main argc			of perf probe --cache --add; or without its name
 *	p:probe_ls/e /bin/ls:0x1200 argc=%di	what it became: one or more such lines
 *	%sdt_web:begin=begin			a static probe point: see util/sdt/sdt.h
 *
 * Anybody may have written it: lines that are neither are dropped.
 */
#ifndef PERF_UTIL_PROBE_PROBE_CACHE_H
#define PERF_UTIL_PROBE_PROBE_CACHE_H

#include "util/buildid/build_id_cache.h"
#include "util/lib/alloc.h"
#include "util/lib/error.h"

struct probe_cache_entry {
	char *text; /* "probe_ls:e=main argc" */
	bool is_sdt;
	char **lines; /* for uprobe_events or kprobe_events */
	u32 nr;
	size_t cap;
};

struct probe_cache {
	char *path; /* of the file */
	struct probe_cache_entry *entries;
	u32 nr;
	size_t cap;
};

/* What the cache @dir has of the object: no entries if there is no file. */
void probe_cache__open(struct probe_cache *cache, const char *dir, const struct build_id *id);
void probe_cache__exit(struct probe_cache *cache);

/* Append the entries in @text. */
void probe_cache__parse(struct probe_cache *cache, const char *text);

/* Replace the definition with the same name, or the same @text if it has none, or append it. */
void probe_cache__put(struct probe_cache *cache, const char *text, const char *const *lines,
                      u32 nr);

void probe_cache__remove(struct probe_cache *cache, u32 at);

/* Has the entry this name (globs; @group NULL: any)? Definitions without one have none. */
bool probe_cache_entry__is_called(const struct probe_cache_entry *entry, const char *group,
                                  const char *event);

/* Replace the file. 0 or a negative errno with @err. */
int probe_cache__save(const struct probe_cache *cache, struct error *err);

#endif
