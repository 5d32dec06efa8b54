/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Static probe points (SDT), which a program's author marked with <sys/sdt.h>. Each is a note
 * "stapsdt" of type 3 in .note.stapsdt with
 *
 *	location, base, semaphore	an address each; base is the address that .stapsdt.base had
 *					then: if it moved since, the other two moved likewise
 *	PROVIDER\0 NAME\0 ARGUMENTS\0	each argument [SIZE@]OPERAND in assembler; signed if
 *					SIZE is below 0
 *
 * The build-id cache has a file "probes" for each object, in the syntax of the kernel's
 * uprobe_events and the layout of Linux's perf:
 *
 *	%sdt_PROVIDER:NAME=NAME
 *	p:sdt_PROVIDER/NAME PATH:0xOFFSET(0xSEMAPHORE) arg1=%di:u64 arg2=-20(%bp):s32
 *
 * with a line p: for each location. Offsets are those in the file.
 */
#ifndef PERF_UTIL_SDT_SDT_H
#define PERF_UTIL_SDT_SDT_H

#include "util/elf/build_id.h"
#include "util/elf/elf_file.h"
#include "util/event/parse.h"
#include "util/lib/out.h"

struct sdt_probe {
	const char *provider, *name; /* both are C identifiers */
	const char *args;            /* as the compiler wrote them */
	u64 offset;                  /* in the file */
	u64 semaphore;               /* offset of its counter in the file; 0: none */
};

/* The probes of one object. */
struct sdt_probes {
	struct sdt_probe *probes; /* in the order of the file */
	u32 nr;
	size_t cap;
	u16 machine; /* the ELF file's */
	void *notes; /* private: holds the strings */
};

/*
 * Read the probes of @elf. Left out are those that are damaged, lie outside of the file's code, or
 * have names that no event can have, and notes of more than 8 MB. Free it with sdt_probes__exit().
 */
void sdt_probes__read(struct sdt_probes *probes, struct elf_file *elf);
void sdt_probes__exit(struct sdt_probes *probes);

/* Where the data of the object's symbols is. */
struct sdt_symbols {
	/*
	 * How far @name is behind where the file's first byte would be mapped, seen from @probe;
	 * false: there is none, or several.
	 */
	bool (*find)(void *ctx, const struct sdt_probe *probe, const char *name, u64 *place);
	void *ctx;
};

/*
 * Write its arguments as the kernel's uprobe_events want them: " arg1=%di:u64 arg2=\\5:s32". What
 * the kernel cannot fetch (sdt_args.h) is left out, but keeps its number; why is written to
 * @refused, a line for each. x86 and arm64.
 */
void sdt_probe__write_args(const struct sdt_probe *probe, u16 machine,
                           const struct sdt_symbols *symbols, struct out *out, struct out *refused);

/*
 * The whole line for uprobe_events, malloc'ed, and so is *refused, which is freed before: "" or
 * the lines of the above.
 */
char *sdt_probe__line(const struct sdt_probe *probe, u16 machine, const struct sdt_symbols *symbols,
                      const char *group, const char *name, const char *path, char **refused);

/*
 * Write the text of a file "probes". Arguments are written if they are registers or memory that one
 * points to; others, and constants, are left out, but keep their number. Nothing is written if
 * @path has control characters.
 */
void sdt_probes__write(const struct sdt_probes *probes, const char *path, struct out *out);

/* A location of an event that a cached object has. */
struct sdt_event {
	const char *name;     /* "sdt_PROVIDER:NAME" */
	const char *location; /* "PATH:0xOFFSET(0xSEMAPHORE) arg1=..."; "": it has none */
	u32 nr;               /* of the location, in the order of the file: 0 is the first */
	const char *path;     /* of the object */
	struct build_id id;
	bool ambiguous; /* another object has it, too */
};

/* Call @each for each location in the text of a file "probes"; other lines are skipped. */
void sdt_events__parse(const char *text, void (*each)(void *ctx, const struct sdt_event *event),
                       void *ctx);

/*
 * Parse a location: returns its path, malloc'ed, and sets the two numbers behind it (*semaphore 0:
 * there is none). NULL: it is no location. Paths may hold anything, colons and blanks too.
 */
char *sdt_location__parse(const char *location, u64 *offset, u64 *semaphore);

/* Call @each for all in the cache @dir, in the order of Linux's perf. 0 or a negative errno. */
int sdt_events__list(const char *dir, void (*each)(void *ctx, const struct sdt_event *event),
                     void *ctx);

/*
 * For event_sources.probe_points (parse.h): calls @each for the cached locations whose file still
 * has the recorded build-id. -ESTALE with @err: another file is there now.
 */
int sdt__probe_points(const char *sys, const char *name,
                      void (*each)(void *ctx, const struct probe_point *point), void *ctx,
                      struct error *err);

#endif
