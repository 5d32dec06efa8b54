// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * perf kmem: record the tracepoints of the kernel's allocators, and sum them up. `record` is perf
 * record with events of its own; `stat` is util/analysis/kmem.h.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "builtin.h"
#include "ui/analysis/kmem_text.h"
#include "ui/options/command_line.h"
#include "ui/options/symbol_options.h"
#include "ui/term/diag.h"
#include "ui/text/report_problems.h"
#include "util/event/tracefs.h"
#include "util/lib/alloc.h"
#include "util/lib/text.h"

#define EXIT_TIME 234 /* as perf script: -EINVAL in eight bits */

static const char *const usage[] = { "perf kmem [<options>] {record|stat} [<options>]", NULL };

/* One of the tables. -l and -s are for the one before them, as with Linux's perf. */
struct wanted {
	bool shown;
	unsigned max_rows;
	enum kmem_key keys[KMEM_KEYS_MAX];
	u32 nr_keys;
	enum kmem_page_key page_keys[KMEM_PAGE_KEYS_MAX];
	u32 nr_page_keys;
};

#define BY_DEFAULT                                                                                 \
	{                                                                                          \
		.keys = { KMEM_FRAG, KMEM_HITS, KMEM_BYTES }, .nr_keys = 3,                        \
		.page_keys = { KMEM_PAGE_BYTES, KMEM_PAGE_HITS }, .nr_page_keys = 2                \
	}

static struct {
	const char *input, *times;
	bool force, slab, page, live, raw_ip;
	bool page_last; /* --page was the last of the two */
	int verbose;
	struct wanted caller, alloc, *last;
	struct symbol_options symbols;
} opts = {
	.caller = BY_DEFAULT,
	.alloc = BY_DEFAULT,
	.symbols = SYMBOL_OPTIONS_INIT,
};

static int parse_allocator(const struct option *option, const char *arg, bool unset,
                           struct error *err)
{
	bool page = !strcmp(option->name, "page");

	(void)arg;
	(void)err;
	*(page ? &opts.page : &opts.slab) = !unset;
	opts.page_last = page != unset;
	return 0;
}

static int parse_table(const struct option *option, const char *arg, bool unset, struct error *err)
{
	(void)arg;
	(void)err;
	opts.last = strcmp(option->name, "caller") ? &opts.alloc : &opts.caller;
	opts.last->shown = !unset;
	return 0;
}

static int parse_lines(const struct option *option, const char *arg, bool unset, struct error *err)
{
	u64 nr = 0;

	(void)option;
	if (!unset && (text__parse_u64(arg, &nr) || nr > UINT32_MAX))
		return error__set(err, -EINVAL, "cannot show lines:", arg, "not a number");
	(opts.last ? opts.last : &opts.alloc)->max_rows = nr;
	return 0;
}

struct key_name {
	const char *name;
	int key;
};

/* "bytes,hit" as keys of @names. 0 or -EINVAL. */
static int parse_keys(const char *text, const struct key_name *names, u32 nr_names,
                      const char *what, const char *known, int *keys, u32 *nr, u32 max,
                      struct error *err)
{
	char *words = xstrdup(text), *save = NULL;
	int ret = 0;

	*nr = 0;
	for (char *word = strtok_r(words, ",", &save); word && !ret;
	     word = strtok_r(NULL, ",", &save)) {
		u32 i = 0;

		while (i < nr_names && strcmp(names[i].name, word) != 0)
			i++;
		if (i == nr_names || *nr == max)
			ret = error__set(err, -EINVAL, what, word, "%s are there", known);
		else
			keys[(*nr)++] = names[i].key;
	}
	free(words);
	return ret;
}

static int parse_page_keys(struct wanted *wanted, const char *text, struct error *err)
{
	static const struct key_name names[] = {
		{ "page", KMEM_PAGE_AT },     { "callsite", KMEM_PAGE_CALLER },
		{ "bytes", KMEM_PAGE_BYTES }, { "hit", KMEM_PAGE_HITS },
		{ "order", KMEM_PAGE_ORDER }, { "migtype", KMEM_PAGE_TYPE },
		{ "gfp", KMEM_PAGE_GFP },
	};
	int keys[KMEM_PAGE_KEYS_MAX], ret;

	ret = parse_keys(text, names, ARRAY_SIZE(names), "Unknown page --sort key:",
	                 "page, callsite, bytes, hit, order, migtype and gfp", keys,
	                 &wanted->nr_page_keys, KMEM_PAGE_KEYS_MAX, err);
	for (u32 i = 0; i < wanted->nr_page_keys; i++)
		wanted->page_keys[i] = keys[i];
	return ret;
}

static int parse_sort(const struct option *option, const char *arg, bool unset, struct error *err)
{
	static const struct key_name names[] = {
		{ "ptr", KMEM_KEY },  { "callsite", KMEM_KEY },       { "bytes", KMEM_BYTES },
		{ "hit", KMEM_HITS }, { "pingpong", KMEM_PING_PONG }, { "frag", KMEM_FRAG },
	};
	struct wanted *wanted = opts.last ? opts.last : &opts.alloc;
	int keys[KMEM_KEYS_MAX], ret;

	(void)option;
	if (unset)
		return error__set(err, -EINVAL, "--no-sort means nothing", NULL, "%s", "");
	if (opts.page_last)
		return parse_page_keys(wanted, arg, err);
	ret = parse_keys(arg, names, ARRAY_SIZE(names),
	                 "Unknown slab --sort key:", "ptr, callsite, bytes, hit, pingpong and frag",
	                 keys, &wanted->nr_keys, KMEM_KEYS_MAX, err);
	for (u32 i = 0; i < wanted->nr_keys; i++)
		wanted->keys[i] = keys[i];
	return ret;
}

static const struct option options[] = {
	OPT_STRING('i', "input", &opts.input, "file", "input file name"),
	OPT_BOOL('f', "force", &opts.force, "read another user's file"),
	OPT_COUNT('v', "verbose", &opts.verbose, "also print what is left out"),
	OPT_CALLBACK(0, "caller", NULL, NULL, "print a table of callers", parse_table,
	             .flags = OPTION_NO_ARG),
	OPT_CALLBACK(0, "alloc", NULL, NULL, "print a table of allocations", parse_table,
	             .flags = OPTION_NO_ARG),
	OPT_CALLBACK('s', "sort", NULL, "key[,key...]",
	             "sort the preceding table by ptr, callsite, bytes, hit, pingpong, frag "
	             "(default: frag,hit,bytes); after --page by page, callsite, bytes, hit, "
	             "order, migtype, gfp (default: bytes,hit)",
	             parse_sort),
	OPT_CALLBACK('l', "line", NULL, "n", "print this many rows of the preceding table",
	             parse_lines),
	OPT_BOOL(0, "raw-ip", &opts.raw_ip, "print callers as addresses, not names"),
	OPT_CALLBACK(0, "slab", NULL, NULL, "analyse the slab allocator (the default)",
	             parse_allocator, .flags = OPTION_NO_ARG),
	OPT_CALLBACK(0, "page", NULL, NULL, "analyse the page allocator", parse_allocator,
	             .flags = OPTION_NO_ARG),
	OPT_BOOL(0, "live", &opts.live, "in tables of --page, show only what was not freed"),
	OPT_STRING(0, "time", &opts.times, "start,stop",
	           "use only this time span; N%/M or A%-B%: a part of the file"),
	OPT_SYMBOL_CACHE(&opts.symbols),
	{ OPTION_END },
};

static unsigned what(void)
{
	unsigned what = opts.slab || !opts.page ? KMEM_SLAB : 0;

	if (opts.page)
		what |= KMEM_PAGE | (opts.live ? KMEM_LIVE : 0);
	if (opts.page && (opts.live || opts.caller.shown || opts.alloc.shown))
		what |= KMEM_PAGE_TABLES;
	return what;
}

/* --- record --- */

/* The events of the table that this kernel has,
            "a,b,c", malloc'ed; NULL with @err: it has none. */
static char *events_here(char missing[256], struct error *err)
{
	struct tracefs tracefs = TRACEFS_INIT;
	const struct trace_handler *table = kmem__handlers(what());
	char *events = xstrdup("");

	for (; table->event; table++) {
		const char *colon = strchr(table->event, ':');
		char *sys = xasprintf("%.*s", (int)(colon - table->event), table->event);
		int id = tracefs__event_id(&tracefs, sys, colon + 1, err);
		char *longer =
		        id > 0 ? xasprintf("%s%s%s", events, *events ? "," : "", table->event)
		               : NULL;
		size_t len = strlen(missing);

		free(sys);
		if (longer) {
			free(events);
			events = longer;
		} else if (id != -ENOENT || !tracefs.path) {
			*events = '\0';
			break; /* tracefs itself */
		} else {
			snprintf(missing + len, 256 - len, "%s%s", len ? ", " : "", table->event);
		}
	}
	tracefs__close(&tracefs);
	if (*events)
		return events;
	free(events);
	return NULL;
}

static int record(int argc, const char **argv)
{
	struct error err = ERROR_INIT;
	char missing[256] = "", *events = events_here(missing, &err);
	/* Of pages callers are known by call chains alone. */
	const char *const before[] = { "record", "-a", "-R", "-c", "1", "-e", events, "-g" };
	const u32 nr_before = ARRAY_SIZE(before) - !opts.page;
	const char **all;
	int ret;

	if (!events) {
		diag__error(&err);
		return EXIT_ERROR;
	}
	if (*missing)
		diag__line("[ perf kmem record: this kernel has no %s ]", missing);
	all = xcalloc(nr_before + argc, sizeof(*all));
	memcpy(all, before, nr_before * sizeof(*all));
	memcpy(all + nr_before, argv + 1, argc * sizeof(*all)); /* and the NULL */
	ret = cmd_record(nr_before + argc - 1, all);
	free(all);
	free(events);
	return ret;
}

/* --- stat --- */

static const char *name_address(void *ctx, u64 addr, char *buf, size_t size)
{
	(void)ctx;
	snprintf(buf, size, "%#llx", (unsigned long long)addr);
	return buf;
}

/* @ctx: the symbols; NULL: addresses are wanted. */
static const char *name_caller(void *ctx, u64 addr, char *buf, size_t size)
{
	u64 offset;
	const char *name = ctx ? session_symbols__kernel_name(ctx, addr, &offset) : NULL;

	if (!name)
		return name_address(NULL, addr, buf, size);
	snprintf(buf, size, "%s+%llx", name, (unsigned long long)offset);
	return buf;
}

/* Of pages: the function alone. */
static const char *name_function(void *ctx, u64 addr, char *buf, size_t size)
{
	u64 offset;
	const char *name = ctx ? session_symbols__kernel_name(ctx, addr, &offset) : NULL;

	if (name)
		snprintf(buf, size, "%s", name);
	else
		snprintf(buf, size, "%llx", (unsigned long long)addr);
	return buf;
}

static void print_page_rows(struct out *out, struct kmem_pages *pages, struct kmem_page_rows *rows,
                            const struct wanted *wanted, struct session_symbols *symbols)
{
	const struct kmem_text text = { name_function, opts.raw_ip ? NULL : symbols, NULL,
		                        wanted->max_rows };
	bool by_page = wanted == &opts.alloc;

	kmem_page_rows__sort(rows, wanted->page_keys, wanted->nr_page_keys,
	                     !by_page    ? KMEM_BY_CALLER
	                     : opts.live ? KMEM_BY_PAGE_DOWN
	                                 : KMEM_BY_PAGE);
	kmem_text__print_page_rows(out, pages, rows, &text, by_page, opts.live);
}

static void print_pages(struct out *out, struct kmem *kmem, struct session_symbols *symbols)
{
	struct kmem_pages *pages = &kmem->pages;

	if (opts.caller.shown || opts.alloc.shown)
		kmem_text__print_gfps(out, pages);
	if (opts.caller.shown)
		print_page_rows(out, pages, &pages->callers, &opts.caller, symbols);
	if (opts.alloc.shown)
		print_page_rows(out, pages, opts.live ? &pages->live : &pages->pages, &opts.alloc,
		                symbols);
	kmem_text__print_pages(out, kmem);
}

static void print(struct out *out, struct kmem *kmem, struct session_symbols *symbols)
{
	const struct kmem_text caller = { name_caller, opts.raw_ip ? NULL : symbols, "Callsite",
		                          opts.caller.max_rows };
	const struct kmem_text alloc = { name_address, NULL, "Alloc Ptr", opts.alloc.max_rows };

	if (opts.caller.shown && what() & KMEM_SLAB) {
		kmem_rows__sort(&kmem->callers, opts.caller.keys, opts.caller.nr_keys);
		kmem_text__print_rows(out, &kmem->callers, &caller);
	}
	if (opts.alloc.shown && what() & KMEM_SLAB) {
		kmem_rows__sort(&kmem->memory, opts.alloc.keys, opts.alloc.nr_keys);
		kmem_text__print_rows(out, &kmem->memory, &alloc);
	}
	if (what() & KMEM_SLAB)
		kmem_text__print_slab(out, kmem);
	if (what() & KMEM_PAGE)
		print_pages(out, kmem, symbols);
}

static int stat_session(struct session *session, struct out *out, struct error *err)
{
	struct read_problems problems = { 0 };
	struct sample_filter filter = { 0 };
	struct session_symbols *symbols;
	struct kmem kmem;
	int ret;

	if (session__scan(session, err))
		return EXIT_ERROR;
	if (opts.times && time_ranges__parse(&filter.times, opts.times, session->stats.first_time,
	                                     session->stats.last_time, err))
		return EXIT_TIME;
	symbols = symbol_options__start(&opts.symbols, session);
	ret = kmem__collect(&kmem, session, what(), symbols, &filter, &problems, err);
	if (!ret)
		print(out, &kmem, symbols);
	out__flush(out);
	report_problems__say_records(session, opts.verbose);
	if (problems.nr_broken > session->stats.nr_broken)
		diag__say_warning(
		        "%llu samples do not hold the fields of their event, and are left out",
		        (unsigned long long)(problems.nr_broken - session->stats.nr_broken));
	kmem__exit(&kmem);
	sample_filter__exit(&filter);
	symbol_options__end(&opts.symbols, symbols, opts.verbose);
	return ret ? EXIT_ERROR : 0;
}

static int stat(void)
{
	struct error err = ERROR_INIT;
	struct session session;
	struct out out;
	int ret = EXIT_ERROR;

	opts.input = perf_data__input(opts.input);
	out__init(&out, STDOUT_FILENO);
	if (!session__open(&session, opts.input, opts.force ? PERF_DATA_FORCE : 0, &err)) {
		ret = stat_session(&session, &out, &err);
		session__close(&session);
	}
	out__exit(&out);
	if (ret)
		diag__error(&err);
	else if (diag__cannot_write(out.error, "cannot write the output", NULL))
		ret = 1;
	return ret;
}

int cmd_kmem(int argc, const char **argv)
{
	struct error err = ERROR_INIT;
	int rest, ret = command_line__parse(argc, argv, usage, options, 0, &rest);

	if (ret)
		return ret;
	argc -= rest;
	argv += rest;
	if (argc && !strcmp(argv[0], "record"))
		return record(argc, argv);
	if (!argc || strcmp(argv[0], "stat") != 0) {
		if (argc)
			error__set(&err, -EINVAL, "unknown word", argv[0],
			           "record or stat is expected here");
		return command_line__usage(argc ? &err : NULL, usage, options, NULL);
	}
	/* Options may stand behind it, too. */
	ret = command_line__parse(argc, argv, usage, options, 0, &rest);
	if (ret)
		return ret;
	if (rest < argc)
		return command_line__refuse_word(argv[rest], "the file is given with -i", usage,
		                                 options, "-i");
	return stat();
}
