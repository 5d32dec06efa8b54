// SPDX-License-Identifier: GPL-2.0-or-later
/* perf report on a terminal: what its browser shows about a row or a recording. */
#include "builtin-report.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ui/dump/header.h"
#include "ui/script/script.h"
#include "ui/term/diag.h"
#include "ui/text/health_table.h"
#include "ui/text/report_problems.h"
#include "ui/tui/report_browser.h"
#include "util/lib/alloc.h"
#include "util/lib/file.h"
#include "util/lib/text.h"

#define COMMAND_LINE_MAX (8u << 20)
#define SAMPLES_MAX      100000      /* that are listed */
#define SAMPLES_TEXT     (64u << 20) /* bytes of them */

/* What is browsed. */
struct browsed {
	const struct session *session;
	struct profile *profile;
	bool begun; /* what was judged first has been told */
};

/* Of the recording that is browsed; NULL until they are asked for. */
static struct code_cycles *code_cycles;

bool report__browses(void)
{
	return !report.stdio && !report.instead && !report.json && !report.callers_callees &&
	       !report.blocks && report.nr_inputs < 2 && !report.threads && !report.header &&
	       !report.header_only && !report.list_keys && !report.style.separator && curses__can();
}

/* The events that stand side by side with that of @entry, itself first. Returns their number. */
static u32 columns_of(const struct view *view, const struct hist_entry *entry, u32 *evsels)
{
	u32 evsel = view->hists.groups[entry->group].evsel;
	u32 nr = hists__nr_members(&view->hists, evsel);

	for (u32 i = 0; i < nr; i++)
		evsels[i] = evsel + i;
	return nr;
}

/* For the last line, which is short. */
static void note_sources(const struct source_files *sources, struct annotate_marks *marks)
{
	struct error err = ERROR_INIT;

	if (source_files__missing(sources, &err))
		marks->note = xasprintf("no source %s: %s", text__basename(err.subject), err.cause);
	else if (source_files__changed(sources, &err))
		marks->note = xasprintf("source %s: %s", text__basename(err.subject), err.cause);
}

/* Those of branches, for the first that asks. */
static int read_cycles(const struct session *session, const struct annotate_style *style,
                       struct annotate_text *text, struct error *err)
{
	int ret = 0;

	if (!style->cycles)
		return 0;
	if (perf_data__is_live(session->data))
		return error__set(err, -EOPNOTSUPP, "cycles of branches", NULL,
		                  "they are read from recordings, and perf top makes none: "
		                  "perf record -b, perf report");
	if (!code_cycles)
		ret = code_cycles__new(&code_cycles, session, &report.view.hists.filter, err);
	text->cycles = code_cycles;
	return ret;
}

int report__print_code(void *ctx, struct view *view, u32 id, const struct annotate_style *style,
                       struct out *out, struct annotate_marks *marks, struct error *err)
{
	const struct session *session = ctx;
	const struct hist_entry *entry = &view->hists.entries[id];
	u32 *evsels = xcalloc(session->evlist->nr, sizeof(*evsels));
	u32 nr = columns_of(view, entry, evsels);
	struct annotation annotation;
	struct annotate_text text = {
		.out = out,
		.hists = &view->hists,
		.files = code_files__new(view->names->symbols, session),
		.code_names =
		        code_names__new(&session->dsos, symbol_options__config(&report.symbols)),
		.sources = source_files__new(report.code.prefix, report.code.prefix_strip),
		.style = *style,
		.marks = marks,
	};
	int ret = read_cycles(session, style, &text, err);

	if (!ret)
		ret = annotation__init(&annotation, &view->hists, entry, evsels, nr, text.files,
		                       &report.code.code, err);
	if (!ret) {
		ret = annotate_stdio__print(&text, &annotation, err);
		annotation__exit(&annotation);
		note_sources(text.sources, marks);
	}
	free(text.last_line);
	code_names__delete(text.code_names);
	source_files__delete(text.sources);
	code_files__delete(text.files);
	free(evsels);
	return ret;
}

static int print_samples(void *ctx, struct view *view, const struct sample_filter *filter,
                         const char *fields, struct out *out, struct error *err)
{
	const struct session *session = ctx;
	struct script_options options = {
		.filter = *filter,
		.max_stack = report.max_stack,
		.inlines = report.inline_frames,
		.unwind_style = report.unwind_style,
	};

	script_fields__init(&options.fields);
	if (fields && script_fields__parse(&options.fields, fields, err))
		return err->code;
	struct script *script = script__new(session, view->names->symbols, &options, out, err);

	if (!script)
		return err->code;
	while (script__nr_printed(script) < SAMPLES_MAX && out->len < SAMPLES_TEXT &&
	       script__next(script))
		;
	if (!script__nr_printed(script))
		out__str(out, "no sample passes\n");
	else if (script__next(script))
		out__printf(out, "these are not all: perf script -i %s has them\n",
		            perf_data__path(session->data));
	script__delete(script);
	return 0;
}

static int print_map(void *ctx, u32 dso, struct out *out, struct error *err)
{
	const struct session *session = ((const struct browsed *)ctx)->session;
	struct symbol_config config = *symbol_options__config(&report.symbols);

	config.index_max = 0; /* they have parts of tables */
	config.bundle = NULL;
	struct session_symbols *symbols = session_symbols__new(&session->dsos, &config);
	const struct symtab *table = session_symbols__table(symbols, dso);
	int ret = 0;

	for (u32 i = 0; i < table->nr; i++) {
		const struct symbol *symbol = &table->symbols[i];

		out__printf(out, "%16" PRIx64 " %16" PRIx64 " %c %s\n", symbol->start, symbol->end,
		            symbol->binding, session_symbols__name(symbols, dso, i));
	}
	if (!table->nr && table->error.code)
		ret = (*err = table->error).code;
	else if (!table->nr)
		ret = error__set(err, -ENOENT, "the file has no symbols", NULL, NULL);
	session_symbols__delete(symbols);
	return ret;
}

static void print_header(void *ctx, struct out *out)
{
	const struct session *session = ((const struct browsed *)ctx)->session;

	header__print(out, session->data, true);
}

void report__print_text(void *ctx, struct view *view, struct out *out)
{
	struct report_style style = report.style;

	(void)ctx;
	style.colored = style.terminal = style.sums_noise = false;
	report_stdio__print(out, view, &style);
}

/* How whole the file is, and the lines that stand in the head of the text, side by side: of what
 * passes the filters. */
static void print_health(void *ctx, struct view *view, struct out *out)
{
	struct browsed *browsed = ctx;
	const char *suffers = report_problems__in_short(browsed->session->data);
	struct loss_view lost = report.style.lost;
	struct out head = { .fd = -1 };

	if (suffers)
		out__printf(out, "%s  ", suffers);
	lost.filtered = hist_options__filter(&view->options.hists);
	loss_table__print_summary(&head, browsed->session, &lost);
	if (browsed->begun)
		report__judge(browsed->session, browsed->profile, view->names,
		              &view->options.hists);
	browsed->begun = true;
	health_table__print_summary(&head, &browsed->profile->health, browsed->session);
	for (const char *line = out__take(&head); *line;) {
		size_t len = strcspn(line, "\n");

		if (len > 2) { /* "# text" */
			out__mem(out, line + 2, len - 2);
			out__str(out, "  ");
		}
		line += len + (line[len] == '\n');
	}
	out__exit(&head);
}

static void judge_again(void *ctx, struct view *view)
{
	(void)ctx;
	if (view->confidence)
		report__judge_again(
		        (struct report_view *)((char *)view - offsetof(struct report_view, view)));
}

static bool is_recording(const char *path)
{
	char magic[8];
	int fd = file__open_plain(path);
	bool is = fd >= 0 && !file__read_at(fd, magic, sizeof(magic), 0) &&
	          (!memcmp(magic, "PERFILE2", 8) || !memcmp(magic, "2ELIFREP", 8));

	if (fd >= 0)
		close(fd);
	return is;
}

static int is_shown(const struct dirent *entry)
{
	return entry->d_name[0] != '.' && is_recording(entry->d_name);
}

static void list_files(void *ctx, struct name_list *files)
{
	struct dirent **entries;
	int nr = scandir(".", &entries, is_shown, alphasort);

	(void)ctx;
	for (int i = 0; i < nr; i++) {
		name_list__add(files, entries[i]->d_name);
		free(entries[i]);
	}
	if (nr >= 0)
		free(entries);
}

/* Begin again with the same options and another file. Returns only if that cannot be done. */
static void go_on_with(char *path)
{
	struct error err = ERROR_INIT;
	char *none = xstrdup("--no-input"), *input = xasprintf("--input=%s", path);
	size_t len = 0, nr = 0;
	char *words = file__read_all("/proc/self/cmdline", COMMAND_LINE_MAX, &len);
	char **argv = xcalloc(len + 3, sizeof(*argv));
	bool said = false;

	for (char *at = words; at && at < words + len; at += strlen(at) + 1) {
		if (!strcmp(at, "--") && !said) {
			argv[nr++] = none; /* not a sum with the one before */
			argv[nr++] = input;
			said = true;
		}
		argv[nr++] = at;
	}
	if (!said) {
		argv[nr++] = none;
		argv[nr] = input;
	}
	if (words)
		execv("/proc/self/exe", argv);
	error__set(&err, -errno, "cannot browse", path, "%s", strerror(errno));
	diag__warning(&err);
	free(argv);
	free(words);
	free(none);
	free(input);
	free(path);
}

int report__browse(const struct session *session, struct profile *profile, struct view *view)
{
	struct browsed browsed = { .session = session, .profile = profile };
	const struct report_texts texts = {
		.ctx = &browsed,
		.code = { (void *)session, report__print_code, print_samples, report.code.style },
		.header = print_header,
		.report = report__print_text,
		.map = print_map,
		.list_files = list_files,
		.changed = judge_again,
		.health = print_health,
		.said = diag__said,
	};
	struct error err = ERROR_INIT;
	struct tui tui = { .terminal = NULL };
	report.colors.none = !color__wanted(report.color);
	int ret = curses__open(&tui.terminal, &report.colors, &err);

	if (ret) {
		diag__warning(&err);
		return ret;
	}
	diag__hold(true);
	char *next = report_browser__run(&tui, view, &texts);

	curses__close(tui.terminal);
	code_cycles__delete(code_cycles);
	code_cycles = NULL;
	diag__hold(false);
	canvas__exit(&tui.canvas);
	if (next)
		go_on_with(next);
	return 0;
}
