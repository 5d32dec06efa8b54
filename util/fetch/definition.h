/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Parses the text that defines a probe, and the one that selects source lines. The grammar is in
 * Documentation/perf-probe.txt; blanks stand between place and arguments, and in names of functions
 * (place_text.h).
 *
 * A backslash takes the meaning from the character behind it. Nothing here looks into files: that a
 * function exists is the finder's to say (finder.h).
 */
#ifndef PERF_UTIL_FETCH_DEFINITION_H
#define PERF_UTIL_FETCH_DEFINITION_H

#include "util/lib/alloc.h"
#include "util/lib/error.h"
#include "util/lib/types.h"

/* Where in the code. Texts are NULL where none was given. */
struct probe_place {
	char *function; /* a name, or a glob of names */
	char *file;     /* the end of a path */
	char *lazy;     /* a glob of source lines, in which blanks do not count */
	u64 offset;     /* from the function's entry, in bytes */
	u64 address;
	u32 line;       /* with a function: from its line on; else in the file */
	u32 max_active; /* %returnN: calls at the same time that are watched; 0: the kernel's
	                   default */
	bool has_line, has_offset, is_return, is_absolute;
};

/* A step from a variable to a part of it: ->name, .name or [index]. */
struct probe_field {
	char *name; /* NULL: an index */
	s64 index;
	bool by_pointer;
};

struct probe_arg {
	char *name;     /* as given; NULL: probe_arg__name() makes one */
	char *variable; /* NULL: @text is for the kernel */
	char *text;     /* without the name: "o->b.c[2]:u8", "%di", "+8($retval):string" */
	struct probe_field *fields;
	u32 nr_fields;
	size_t cap_fields;
	char *type; /* NULL: by the debug information */
	bool user;  /* @user: in the memory of the process */
};

struct probe_definition {
	char *text; /* all of it */
	char *group, *event;
	char *provider, *point; /* %sdt_PROVIDER:POINT; provider NULL: any */
	char *cached; /* %GROUP:POINT of the build-id cache, not a static point: the group, or NULL
	               */
	struct probe_place place;
	struct probe_arg *args;
	u32 nr_args;
	size_t cap_args;
	struct arena texts;
};

/* 0, or -EINVAL with @err. Always to be freed by probe_definition__exit(). */
int probe_definition__parse(struct probe_definition *def, const char *text, struct error *err);
void probe_definition__exit(struct probe_definition *def);

/* Does one of the arguments, or the place, need debug information? */
bool probe_definition__wants_dwarf(const struct probe_definition *def);

/* The place as messages show it: "main+4", "f%return", "@t.c:12". malloc'ed. */
char *probe_place__text(const struct probe_place *place);

/*
 * The whole definition as the build-id cache keeps it, malloc'ed; @group: of a named one that has
 * none.
 */
char *probe_definition__cache_text(const struct probe_definition *def, const char *group);

/* The name of an argument that has none, malloc'ed; NULL: the kernel numbers it. */
char *probe_arg__name(const struct probe_arg *arg);

/* FUNC[@SRC][:LINE[+NUM|-LINE2]] or SRC[:LINE...]: which lines are shown. */
struct probe_lines {
	char *function, *file; /* one of them, or both */
	u32 start, end;        /* end UINT32_MAX: as far as it goes */
};

/* 0, or -EINVAL with @err. Both texts are malloc'ed. */
int probe_lines__parse(struct probe_lines *lines, const char *text, struct error *err);
void probe_lines__exit(struct probe_lines *lines);

/* May it be the name of an event or a group? */
bool probe_name__is_sound(const char *name);

#endif
