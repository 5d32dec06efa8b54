/* SPDX-License-Identifier: GPL-2.0-or-later */
/* `perf annotate --stdio`, --stdio2: a function as text, in the layouts of Linux's perf 6.1. */
#ifndef PERF_UI_TEXT_ANNOTATE_STDIO_H
#define PERF_UI_TEXT_ANNOTATE_STDIO_H

#include "ui/text/annotate_cycles.h"
#include "util/annotate/annotation.h"
#include "util/annotate/code_names.h"
#include "util/annotate/source_files.h"
#include "util/lib/out.h"

/* What a percentage is of, and what is counted. */
struct percent_type {
	bool global; /* of the whole event, else of the function */
	bool hits;   /* samples, else periods */
};

struct annotate_style {
	struct percent_type percent;
	bool show_samples, show_period; /* instead of percentages */
	bool raw;                       /* the bytes, too */
	bool source;                    /* source lines, if they are found */
	bool print_line; /* -l: a summary by line, and the lines of hot instructions */
	bool full_paths;
	bool verbose; /* the same summary, and addresses with samples */
	bool labels;  /* --stdio2: labels and arrows for jumps, names for addresses */
	bool colored;
	/* With labels: */
	enum { LABEL_TARGETS, LABEL_CALLS, LABEL_ALL } label; /* which instructions have one */
	bool addresses;           /* labels are addresses, else offsets */
	bool nr_jumps;            /* how many jumps lead to it, in front of the label */
	bool line_numbers;        /* in front of the lines of source */
	bool places;              /* the file and line of code that begins there */
	enum cycles_shown cycles; /* if annotate_text.cycles are there */
};

/* What a line of the text is, for who shows it on a screen. */
struct annotate_mark {
	size_t at; /* where the line begins, in text that is kept in memory */
	enum insn_kind kind;
	u64 addr;
	bool ends;      /* what stands behind it is not what comes next */
	u64 target;     /* of a jump within the function; else 0 */
	char *callee;   /* of a call, or a jump out of it; NULL: not known */
	double percent; /* the largest of its columns */
};

struct annotate_marks {
	struct annotate_mark *list; /* a member for each instruction */
	u32 nr;
	size_t cap;
	int cycles_width; /* of columns with cycles in front of the labels; 0: there are none */
	char *note;       /* what the text lacks, malloc'ed; or NULL */
};

void annotate_marks__exit(struct annotate_marks *marks);

struct annotate_text {
	struct out *out;
	const struct hists *hists;
	struct code_names *code_names;
	struct code_files *files;
	struct source_files *sources;
	struct annotate_style style;
	struct annotate_marks *marks; /* to be added to; or NULL */
	struct code_cycles *cycles;   /* or NULL */
	char *last_line;              /* the last one that was put behind an instruction (-l) */
};

/* "cpu-clock", "anon group { cycles, instructions }", "a, b" for events put side by side. */
void annotate_text__events(struct out *out, const struct hists *hists,
                           const struct annotation_column *columns, u32 nr);

/* Print @annotation, which stands at its beginning. 0 or a negative errno with @err. */
int annotate_stdio__print(struct annotate_text *text, struct annotation *annotation,
                          struct error *err);

/* The part of @whole that a percentage is computed from, by @type. */
u64 percent_type__part(const struct percent_type *type, const struct annotation_weight *weight);
u64 percent_type__whole(const struct percent_type *type, const struct annotation_column *column);

#endif
