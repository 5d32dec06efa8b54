// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * perf annotate: session -> profile -> names -> entries -> the code of each, with its samples.
 * Options: builtin-annotate-options.c.
 */
#include "builtin-annotate.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ui/json/annotate_json.h"
#include "ui/options/report_filters.h"
#include "ui/term/diag.h"
#include "ui/term/interrupt.h"
#include "ui/term/pager.h"
#include "ui/term/progress.h"
#include "ui/text/report_problems.h"
#include "util/lib/alloc.h"
#include "util/lib/workers.h"
#include "util/symtab/kernel.h"

struct annotating {
	struct out *out;
	const struct session *session;
	struct hists *hists;
	struct code_files *files;
	struct annotate_text text;
	u32 nr_shown, nr_missing;
	u32 nr_below, nr_unnamed; /* entries: below --percent-limit, without a symbol */
	u32 nr_cut;               /* functions that are longer than their file */
	u64 nr_unknown;           /* instructions */
	bool *said;               /* by dso: why its code is missing */
};

/* The events that stand side by side with @evsel, itself first. Returns their number. */
static u32 columns_of(const struct annotating *a, const struct evsel *evsel, u32 *evsels)
{
	const struct evlist *evlist = a->session->evlist;
	u32 nr = 0;

	evsels[nr++] = evsel->idx;
	for (u32 i = 0; i < evlist->nr; i++) {
		if (i != evsel->idx && a->hists->events[i].count + a->hists->events[i].nr_entries &&
		    (annotate.group || evlist->evsels[i]->leader == evsel->idx))
			evsels[nr++] = i;
		else if (i != evsel->idx && evsel->nr_members > 1 &&
		         evlist->evsels[i]->leader == evsel->idx)
			evsels[nr++] = i;
	}
	return nr;
}

/* One line for each object whose code is missing, not for each function. */
static void say_missing(struct annotating *a, const struct annotation *annotation,
                        const struct error *error)
{
	u32 dso = annotation->sym ? annotation->sym->dso : ID_NONE;

	a->nr_missing++;
	if (annotate.quiet || annotate.skip_missing)
		return;
	if (dso != ID_NONE && a->said[dso] && !annotate.verbose && !annotate.symbol)
		return;
	if (dso != ID_NONE)
		a->said[dso] = true;
	diag__warning(error);
}

static int annotate_entry(struct annotating *a, const struct hist_entry *entry, const u32 *evsels,
                          u32 nr_evsels, struct error *err)
{
	struct annotation annotation;
	struct error missing = ERROR_INIT;
	int ret = annotation__init(&annotation, a->hists, entry, evsels, nr_evsels, a->files,
	                           &annotate.shown.code, &missing);

	if (ret == -EOPNOTSUPP && !disasm__engine() && !annotate.shown.code.objdump) {
		*err = missing;
		return ret;
	}
	if (ret) {
		say_missing(a, &annotation, &missing);
		return 0;
	}
	ret = annotate.json ? annotate_json__print(&a->text, &annotation, a->nr_shown, err)
	                    : annotate_stdio__print(&a->text, &annotation, err);
	a->nr_shown++;
	a->nr_cut += annotation.code.nr_missing > 0;
	a->nr_unknown += annotation.nr_unknown;
	annotation__exit(&annotation);
	return ret;
}

static bool below_limit(const struct hist_entry *entry, const struct hist_event *event)
{
	return event->period && 100.0 * entry->period < annotate.percent_limit * event->period;
}

static int annotate_event(struct annotating *a, const struct evsel *evsel, struct error *err)
{
	const struct hist_event *event = &a->hists->events[evsel->idx];
	u32 *evsels = xcalloc(a->session->evlist->nr, sizeof(*evsels));
	u32 nr = columns_of(a, evsel, evsels);
	int ret = 0;

	for (u32 i = 0; i < event->nr_entries && !ret && !a->out->error; i++) {
		const struct hist_entry *entry = &a->hists->entries[event->first_entry + i];

		const struct sym *sym = hist_entry__sym(a->hists, entry);

		if (entry->hidden)
			continue;
		/* Addresses without a symbol are no functions: perf report counts them. */
		if (!sym || !sym__named(sym))
			a->nr_unnamed++;
		else if (below_limit(entry, event))
			a->nr_below++;
		else
			ret = annotate_entry(a, entry, evsels, nr, err);
	}
	free(evsels);
	return ret;
}

static int annotate_events(struct annotating *a, struct error *err)
{
	const struct evlist *evlist = a->session->evlist;
	int ret = 0;

	for (u32 i = 0; i < evlist->nr && !ret; i++) {
		const struct evsel *evsel = evlist->evsels[i];

		/* Members of groups are columns of their leader. */
		if (evsel->leader != i || (annotate.group && i && a->nr_shown + a->nr_missing))
			continue;
		ret = annotate_event(a, evsel, err);
	}
	return ret;
}

/* Code without its source, where it was wanted, or with another one. */
static void say_sources(const struct annotating *a)
{
	struct error err = ERROR_INIT;

	if (source_files__missing(a->text.sources, &err)) {
		error__advise(&err, "--prefix=DIR looks for it below another folder, --no-source "
		                    "does without");
		diag__warning(&err);
	}
	if (source_files__changed(a->text.sources, &err)) {
		error__advise(&err, "--prefix=DIR looks below another folder, with what was built");
		diag__warning(&err);
	}
}

static void say_problems(const struct annotating *a, const struct profile *profile)
{
	if (annotate.quiet)
		return;
	say_sources(a);
	report_problems__say(a->session, profile, a->hists->names->symbols, NULL, annotate.verbose);
	report_filters__say(a->hists);
	if (!a->nr_shown && !a->nr_missing && a->nr_below)
		diag__say_warning("no function has %g %% of the samples (--percent-limit)",
		                  annotate.percent_limit);
	else if (!a->nr_shown && !a->nr_missing && a->nr_unnamed)
		diag__say_warning("no sample is in a function that has a name; perf report lists "
		                  "their addresses");
	if (a->nr_unknown)
		diag__say_warning("%llu instructions could not be decoded by %s; "
		                  "--objdump=PATH lets another program do it",
		                  (unsigned long long)a->nr_unknown,
		                  annotate.shown.code.objdump ? annotate.shown.code.objdump
		                                              : disasm__engine());
	if (a->nr_cut)
		diag__say_warning("%u functions are shown in part: their files end before them",
		                  a->nr_cut);
	if (a->nr_missing && !a->nr_shown && !annotate.symbol)
		diag__say_warning("none of %u functions could be annotated", a->nr_missing);
}

/* Name the functions, with @flags of enum names_flags, and annotate those that are asked for. */
static int annotate_named(struct annotating *a, const struct profile *profile,
                          struct session_symbols *symbols, unsigned flags, struct error *err)
{
	struct chains chains;
	struct names names;
	struct hists hists;

	progress__say("naming functions");
	names__init(&names, profile, a->session, symbols, flags, workers__default());
	chains__init(&chains, profile);
	hists__init(&hists, &chains, &names, &annotate.hists);
	progress__stop();
	a->hists = &hists;
	a->text.hists = &hists;
	int ret = annotate_events(a, err);

	if (!(flags & NAMES_USER) || a->nr_shown + a->nr_missing) {
		out__flush(a->out);
		say_problems(a, profile);
	}
	hists__exit(&hists);
	names__exit(&names);
	return ret;
}

/*
 * The kernel's list of symbols is long. Where one function is asked for, and the kernel's code is
 * nowhere, the list is read only if no program has that function, to say what is missing.
 */
static int annotate_functions(struct annotating *a, const struct profile *profile,
                              struct session_symbols *symbols, struct error *err)
{
	const struct symbol_config *config = session_symbols__config(symbols);
	bool later =
	        annotate.symbol && !config->bundle && !kernel__has_code(&a->session->dsos, config);
	int ret = 0;

	if (later)
		ret = annotate_named(a, profile, symbols, NAMES_SYMBOLS | NAMES_USER, err);
	if (!ret && !(a->nr_shown + a->nr_missing))
		ret = annotate_named(a, profile, symbols, NAMES_SYMBOLS, err);
	return ret;
}

/* Of branches, which --stdio2 shows where they were recorded. */
static int read_cycles(struct annotating *a, struct error *err)
{
	if (!a->text.style.labels || annotate.json || !code_cycles__recorded(a->session))
		return 0;
	a->text.style.cycles = CYCLES_AVERAGE;
	return code_cycles__new(&a->text.cycles, a->session, &annotate.hists.filter, err);
}

static int annotate_profile(struct session *session, const struct profile *profile,
                            struct session_symbols *symbols, struct out *out, struct error *err)
{
	const struct symbol_config *config = symbol_options__config(&annotate.symbols);
	struct annotating a = {
		.out = out,
		.session = session,
		.files = code_files__new(symbols, session),
		.text = { .out = out,
		          .code_names = code_names__new(&session->dsos, config),
		          .sources = source_files__new(annotate.shown.prefix,
		                                       annotate.shown.prefix_strip),
		          .style = annotate.shown.style },
		.said = xcalloc(session->dsos.nr, sizeof(bool)),
	};

	a.text.files = a.files;
	if (annotate.json)
		annotate_json__begin(out);
	int ret = read_cycles(&a, err);

	if (!ret)
		ret = annotate_functions(&a, profile, symbols, err);
	if (annotate.json)
		annotate_json__end(out);
	if (!ret && !a.nr_shown && profile->nr_rows)
		ret = 1;
	free(a.said);
	free(a.text.last_line);
	code_cycles__delete(a.text.cycles);
	code_names__delete(a.text.code_names);
	source_files__delete(a.text.sources);
	code_files__delete(a.files);
	return ret;
}

static int run(struct session *session, struct out *out, struct error *err)
{
	const struct profile_options options = {
		.max_stack = 127,
		.workers = workers__default(),
		.filter = annotate.hists.filter,
	};
	struct profile profile;
	int ret = accepted__check(&annotate.accepted, session, err);

	if (!ret && annotate.hists.filter.cpu_set)
		ret = report_problems__need_cpus(session, err);
	if (!ret)
		ret = profile__scan_and_build(&profile, session, &options, err);
	if (ret)
		return ret;
	struct session_symbols *symbols = symbol_options__start(&annotate.symbols, session);

	ret = annotate_profile(session, &profile, symbols, out, err);
	if (!profile.nr_rows && !annotate.quiet)
		diag__say_warning("the '%s' data has no samples%s", annotate.input,
		                  annotate.hists.filter.cpu_set ? " that pass -C" : "");
	symbol_options__end(&annotate.symbols, symbols, annotate.verbose);
	profile__exit(&profile);
	return ret;
}

static int annotate_file(struct out *out)
{
	struct error err = ERROR_INIT;
	struct session session;

	if (!annotate.quiet && !pager__is_on())
		progress__start("reading the recording");
	interrupt__leave_first(annotate.input);
	int ret =
	        session__open(&session, annotate.input, annotate.force ? PERF_DATA_FORCE : 0, &err);

	interrupt__back();
	if (!ret) {
		progress__read(session.data);
		ret = run(&session, out, &err);
		progress__stop();
		session__close(&session);
	}
	progress__stop();
	if (ret < 0)
		diag__error(&err);
	return ret < 0 ? EXIT_ERROR : ret;
}

/* -D: what perf report prints. */
static int dump(void)
{
	const char *argv[] = { "report", "-D", "-i", annotate.input, NULL, NULL };

	if (annotate.force)
		argv[4] = "--force";
	return cmd_report(annotate.force ? 5 : 4, argv);
}

int cmd_annotate(int argc, const char **argv)
{
	struct out out;
	int ret = annotate__parse_options(argc, argv);

	if (!ret && annotate.dump) {
		ret = dump();
	} else if (!ret) {
		out__init(&out, STDOUT_FILENO);
		ret = annotate_file(&out);
		out__exit(&out);
		if (!ret && diag__cannot_write(out.error, "cannot write the annotation", NULL))
			ret = 1;
	}
	annotate__free_options();
	return ret;
}
