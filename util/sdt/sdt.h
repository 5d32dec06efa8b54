/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Static probe points (SDT): places that a program's author marked with <sys/sdt.h>. Each is a note
 * "stapsdt" of type 3 in .note.stapsdt with
 *
 *	location, base, semaphore	an address each; base is that of .stapsdt.base when the
 *					note was made: moved since, the other two moved likewise
 *	PROVIDER\0 NAME\0 ARGUMENTS\0	each argument [SIZE@]OPERAND in assembler; SIZE below 0:
 *signed
 *
 * The build-id cache has a file "probes" for each object, in the words of the kernel's
 * uprobe_events and laid out as Linux's perf does:
 *
 *	%sdt_PROVIDER:NAME=NAME
 *	p:sdt_PROVIDER/NAME PATH:0xOFFSET(0xSEMAPHORE) arg1=%di:u64 arg2=-20(%bp):s32
 *
 * with a line p: for each place. Offsets are those in the file.
 */
#ifndef PERF_UTIL_SDT_SDT_H
#define PERF_UTIL_SDT_SDT_H

#include "util/elf/build_id.h"
#include "util/elf/elf_file.h"
#include "util/event/parse.h"
#include "util/lib/out.h"

struct sdt_probe {
	const char *provider, *name; /* both are names of C */
	const char *args;            /* as the compiler wrote them */
	u64 offset;                  /* in the file */
	u64 semaphore;               /* of its counter, in the file; 0: none */
};

/* Those of one object. */
struct sdt_probes {
	struct sdt_probe *probes; /* in the order of the file */
	u32 nr;
	size_t cap;
	u16 machine; /* the ELF file's */
	void *notes; /* private: what the strings are in */
};

/*
 * What is damaged, outside of the file's code, or has names that no event can have is left out,
 * and notes of more than 8 MB are. Free it with sdt_probes__exit().
 */
void sdt_probes__read(struct sdt_probes *probes, struct elf_file *elf);
void sdt_probes__exit(struct sdt_probes *probes);

/*
 * The text of a file "probes". Arguments: registers and what they point to, on x86; others (and
 * constants, which say nothing) keep their number but are left out. Nothing is written where @path
 * has control characters.
 */
void sdt_probes__write(const struct sdt_probes *probes, const char *path, struct out *out);

/* A place of an event that a cached object can give. */
struct sdt_event {
	const char *name;     /* "sdt_PROVIDER:NAME" */
	const char *location; /* "PATH:0xOFFSET(0xSEMAPHORE) arg1=..."; "": it has none */
	u32 nr;               /* of the place, in the order of the file: 0 is the first */
	const char *path;     /* of the object */
	struct build_id id;
	bool ambiguous; /* another object has it, too */
};

/* Call @each for each place in a file "probes"; text that is none is passed over. */
void sdt_events__parse(const char *text, void (*each)(void *ctx, const struct sdt_event *event),
                       void *ctx);

/*
 * The path in an event's place, malloc'ed, and the two numbers behind it (@semaphore 0: there is
 * none). NULL: it is no place. Paths may hold anything, colons and blanks too.
 */
char *sdt_location__parse(const char *location, u64 *offset, u64 *semaphore);

/* All in the cache @dir, in the order of Linux's perf. 0 or a negative errno. */
int sdt_events__list(const char *dir, void (*each)(void *ctx, const struct sdt_event *event),
                     void *ctx);

/*
 * For event_sources.probe_points (parse.h): those of the cache, where the file at the path is still
 * the one that was looked at.
 */
int sdt__probe_points(const char *sys, const char *name,
                      void (*each)(void *ctx, const struct probe_point *point), void *ctx,
                      struct error *err);

#endif
