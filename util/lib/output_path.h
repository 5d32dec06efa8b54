/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where an output goes: a name in a folder that is held open. The folders on the way are entered
 * one by one, and every link is looked at before it is followed. Whoever owns one of them may put
 * a link into its place later: what is done to the name is done in the folder that was found.
 */
#ifndef PERF_UTIL_LIB_OUTPUT_PATH_H
#define PERF_UTIL_LIB_OUTPUT_PATH_H

#include <sys/stat.h>

#include "util/lib/error.h"

struct dir_entry {
	int at;     /* its folder, for openat(), renameat() and so on; owned, -1: none */
	char *name; /* in that folder; owned */
	char *path; /* for messages only; owned */
};

/* @entry may be empty: { .at = -1 } */
void dir_entry__exit(struct dir_entry *entry);
void dir_entry__copy(struct dir_entry *to, const struct dir_entry *entry);

/* Is the folder ours and writable by nobody else, so that nobody can swap our files? */
bool dir_entry__is_ours_alone(const struct dir_entry *entry);

/* Are links of this owner followed, and things of theirs believed? Root's and our own are. */
bool output_path__is_trusted(const struct stat *st);

struct output_path {
	struct dir_entry given; /* the name itself, which may be a link */
	struct dir_entry end;   /* after all links */
	bool link;              /* they differ */
	bool there;             /* something exists at the end */
	bool proc;      /* it is a /proc link to an open file: can be opened only through it */
	struct stat st; /* of what exists */
};

/*
 * Find the folder of @path, and follow links at @path. These must be owned by root or by us; so
 * must each linked folder on the way, if everybody may write beside that link. 0 or a negative
 * errno with @err and nothing to be freed.
 */
int output_path__find(struct output_path *found, const char *path, struct error *err);
void output_path__exit(struct output_path *found);

#endif
