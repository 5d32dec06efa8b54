/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An annotated function: its instructions one by one, each with the samples of one or more events
 * that fell into it, and its source. Nothing of it is kept, so a function may be of any size.
 */
#ifndef PERF_UTIL_ANNOTATE_ANNOTATION_H
#define PERF_UTIL_ANNOTATE_ANNOTATION_H

#include "util/symbol/code.h"
#include "util/view/hists.h"

struct annotation_weight {
	u64 count, period;
};

/* One event of the function. */
struct annotation_column {
	u32 evsel;
	struct annotation_weight symbol, event; /* of the whole function; of the whole event */
	struct annotation_address {
		u64 addr;
		struct annotation_weight weight;
	} * addresses; /* with samples; ascending */
	u32 nr;
	u32 next; /* of addresses: for annotation__next() */
};

/* How to make the text. */
struct annotation_style {
	bool intel;
	const char *objdump;            /* this program disassembles; NULL: we do */
	const char *disassembler_style; /* for it: -M; or NULL */
};

struct annotation {
	const struct names *names;
	const struct sym *sym;
	const char *name;
	u64 start, end;
	bool hidden; /* filters leave out its entry */
	struct code code;
	struct annotation_column *columns;
	u32 nr_columns;
	u64 nr_unknown; /* instructions that could not be decoded, so far */
	struct debug_info *source;
	/* Private. */
	struct annotation_style style;
	struct annotation_weight *weights; /* of the current instruction, by column */
	struct disasm *disasm;
	struct objdump *objdump;
	u64 at; /* offset of the next instruction */
};

/* An instruction; valid until the next call. */
struct annotation_line {
	struct insn insn;
	const u8 *bytes;
	struct annotation_weight *weights; /* by column */
	u32 nr_frames;                     /* 0: no source is known */
	struct source_frame frame;         /* the innermost: see debug_info__frames() */
};

/*
 * Annotate the function of hists->entries[@entry] with the columns of these events (the entry's own
 * and others, which need not have samples in it). @hists must be sorted by dso and sym. 0, or a
 * negative errno with @err. Exit after success.
 */
int annotation__init(struct annotation *annotation, const struct hists *hists,
                     const struct hist_entry *entry, const u32 *evsels, u32 nr_evsels,
                     struct code_files *files, const struct annotation_style *style,
                     struct error *err);
void annotation__exit(struct annotation *annotation);

/* The next instruction; false: there is none. */
bool annotation__next(struct annotation *annotation, struct annotation_line *line);

/* After the last one: 0, or a negative errno with @err when the program that disassembled failed.
 */
int annotation__end(struct annotation *annotation, struct error *err);

/* Begin again. */
int annotation__rewind(struct annotation *annotation, struct error *err);

#endif
