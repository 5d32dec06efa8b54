/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Configuration files, in the format of git and Linux's perf.
 *
 *	# comment, also with ;
 *	[report]			section; [call-graph] [a "Sub Section"] [a.b]
 *		sort_order = comm,dso	variable: report.sort_order
 *		title = "  kept  " \	quotes keep blanks, a backslash joins lines;
 *			and \"so on\"	escapes are \" \\ \t \n \b
 *
 * Names of sections and variables are case-insensitive (kept in lower case), names of subsections
 * are not. A variable must have a value, which may be empty. Outside quotes a run of blanks is one
 * blank. Source of the format: perf-config(1) and git-config(1), checked against Linux's perf 6.1.
 *
 * A configuration file can name programs to run (pager.*), so one that belongs to somebody else, or
 * that everybody can write to, is not read.
 */
#ifndef PERF_UTIL_OPTIONS_CONFIG_H
#define PERF_UTIL_OPTIONS_CONFIG_H

#include "util/lib/alloc.h"
#include "util/lib/error.h"
#include "util/options/options.h"

enum config_source {
	CONFIG_SYSTEM = 1u << 0, /* perfconfig of the installation */
	CONFIG_USER = 1u << 1,   /* ~/.perfconfig, or the file that PERF_CONFIG names */
};

struct config_entry {
	const char *name, *value; /* "report.sort_order"; the value is never NULL */
	const char *file;         /* the file it is in */
	u32 line;
	enum config_source source;
	size_t start, end; /* its bytes in the file: from the name to the end of its last line */
};

struct config {
	struct config_entry *entries; /* in the order they were read */
	size_t nr, cap;
	struct arena arena; /* the texts */
};

#define CONFIG_INIT                                                                                \
	{                                                                                          \
		.arena = ARENA_INIT                                                                \
	}

void config__exit(struct config *config);

/*
 * Add the variables of @text, the content of @file. At the first mistake: -EINVAL with its line and
 * the reason in @err; the variables before it are kept.
 */
int config__parse(struct config *config, const char *text, size_t len, const char *file,
                  enum config_source source, struct error *err);

/*
 * Read one file. 0, also when it does not exist; -EPERM: it belongs to somebody else; -EFBIG: above
 * 1 MB; or as config__parse().
 */
int config__read(struct config *config, const char *file, enum config_source source,
                 struct error *err);

/*
 * The file of @source, malloc'ed; NULL: none (no HOME, or turned off by PERF_CONFIG_NOSYSTEM,
 * PERF_CONFIG_NOGLOBAL). PERF_CONFIG, if set, is the user's file and the only one.
 */
char *config__file(enum config_source source);

/*
 * The variable @name; if read several times, the last one. '-' and '_' are equal in names, because
 * Linux's perf has both kinds, and its manual page mixes them. NULL: not set.
 */
const struct config_entry *config__find(const struct config *config, const char *name);

/*
 * The text of @file with @name set to @value, malloc'ed. The last line that sets @name is changed,
 * or one is added to its section; all else stays as it was. NULL with @err filled when the text has
 * a mistake, or @name is not valid.
 */
char *config__edit(const char *text, size_t len, const char *file, const char *name,
                   const char *value, struct error *err);

/* config__edit() on a file, which may be new: replaced atomically, or not at all. */
int config__write(const char *file, const char *name, const char *value, struct error *err);

/* True: true, yes, on, a number other than 0. False: false, no, off, 0, "". 0 or -EINVAL. */
int config__bool(const char *value, bool *result);

/*
 * Apply the variables to a command: @keys is a table as for options__parse(), whose long names are
 * variable names. 0, or a negative errno with file, line and reason in @err.
 */
int config__apply(const struct config *config, const struct option *keys, struct error *err);

#endif
