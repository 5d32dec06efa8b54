// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/export/bundle.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/lib/alloc.h"
#include "util/lib/out.h"
#include "util/lib/workers.h"
#include "util/profile/profile.h"
#include "util/symbol/code.h"
#include "util/symindex/symbol_bundle.h"

/* No report shows more frames. */
#define MAX_STACK 65535

/* The places in one dso that the profile has. */
struct addresses {
	u64 *addrs;
	u32 nr;
	size_t cap;
};

struct bundling {
	const struct session *session;
	struct session_symbols *symbols;
	struct addresses *addresses; /* by dso */
};

static void add_address(struct addresses *addresses, u64 addr)
{
	array__reserve(&addresses->addrs, &addresses->cap, addresses->nr + 1,
	               sizeof(*addresses->addrs));
	addresses->addrs[addresses->nr++] = addr;
}

/* Each place, and the one before: a caller's is what the call returns to. */
static void find_addresses(struct bundling *b, const struct profile *profile)
{
	for (u32 i = 0; i < profile->nr_locs; i++) {
		const struct loc *loc = &profile->locs[i];

		if (loc->dso == ID_NONE)
			continue;
		add_address(&b->addresses[loc->dso], loc->addr);
		if (loc->addr)
			add_address(&b->addresses[loc->dso], loc->addr - 1);
	}
}

static int compare_addrs(const void *a, const void *b)
{
	u64 x = *(const u64 *)a, y = *(const u64 *)b;

	return (x > y) - (x < y);
}

/* From addresses of the dso to those of its table, sorted. */
static void translate(struct bundling *b, u32 dso)
{
	struct addresses *addresses = &b->addresses[dso];

	for (u32 i = 0; i < addresses->nr; i++)
		session_symbols__find(b->symbols, dso, addresses->addrs[i], &addresses->addrs[i]);
	qsort(addresses->addrs, addresses->nr, sizeof(*addresses->addrs), compare_addrs);
}

static void load(struct bundling *b)
{
	u32 nr = 0, nr_dsos = b->session->dsos.nr, *dsos = xcalloc(nr_dsos, sizeof(*dsos));
	struct source_wish *wishes = xcalloc(nr_dsos, sizeof(*wishes));

	for (u32 i = 0; i < nr_dsos; i++) {
		if (!b->addresses[i].nr)
			continue;
		session_symbols__want(b->symbols, i, b->addresses[i].addrs, b->addresses[i].nr);
		dsos[nr++] = i;
	}
	session_symbols__load(b->symbols, dsos, nr, workers__default());
	for (u32 i = 0; i < nr; i++) {
		const struct addresses *addresses = &b->addresses[dsos[i]];

		translate(b, dsos[i]);
		wishes[i] = (struct source_wish){ dsos[i], addresses->nr, addresses->addrs };
	}
	session_symbols__load_source(b->symbols, wishes, nr, workers__default());
	free(wishes);
	free(dsos);
}

static void write_dso(const struct bundling *b, u32 dso, struct symbol_bundle_writer *writer)
{
	const struct addresses *addresses = &b->addresses[dso];
	const struct symtab *table = session_symbols__table(b->symbols, dso);
	struct debug_info *source = session_symbols__source(b->symbols, dso);
	const struct dso *object = dsos__at(&b->session->dsos, dso);
	struct symtab part;

	/* An object that was read and has no names (it has segments) says so on other machines. */
	if (!table->nr && !table->nr_segments && debug_info__empty(source))
		return;
	symtab__part(table, addresses->addrs, addresses->nr, &part);
	symbol_bundle__add(writer, object, strtab__get(b->session->dsos.strings, object->name),
	                   &part, debug_info__empty(source) ? NULL : source);
	symtab__exit(&part);
}

/* The code of the functions that were hit, as far as it is in files. */
static void write_code(const struct bundling *b, u32 dso, struct code_files *files,
                       struct code_bundle_writer *writer)
{
	const struct addresses *addresses = &b->addresses[dso];
	const struct dso *object = dsos__at(&b->session->dsos, dso);
	const char *name = strtab__get(b->session->dsos.strings, object->name);
	const struct symtab *table = session_symbols__table(b->symbols, dso);
	struct error unused = ERROR_INIT;
	u32 last = ID_NONE;

	for (u32 i = 0; i < addresses->nr; i++) {
		u32 id = symtab__find(table, addresses->addrs[i]);
		struct code code;

		if (id == ID_NONE || id == last || table->symbols[id].data)
			continue;
		last = id; /* addresses are sorted */
		if (code_files__read(files, dso, table->symbols[id].start, table->symbols[id].end,
		                     &code, &unused))
			continue;
		struct code_bundle_entry entry = { .start = code.start,
			                           .size = code.size,
			                           .key = symbol_bundle__key(object),
			                           .id_size = object->build_id_size,
			                           .machine = code.machine.machine,
			                           .is64 = code.machine.is64,
			                           .big_endian = code.machine.big_endian };

		memcpy(entry.id, object->build_id, object->build_id_size);
		snprintf(entry.section, sizeof(entry.section), "%s", code.section);
		if (!code.relocated) /* the names of what a module calls are in its file only */
			code_bundle__add(writer, &entry, name, code.bytes);
		code__exit(&code);
	}
}

static void write_all(struct bundling *b, const struct profile *profile, struct out *out,
                      struct bundle_result *result)
{
	struct out symbols;
	struct symbol_bundle_writer writer = { .out = &symbols };
	struct code_bundle_writer code = { .out = out };
	struct code_files *files = code_files__new(b->symbols, b->session);
	u32 nr = b->session->dsos.nr;

	out__init(&symbols, -1);
	b->addresses = xcalloc(nr, sizeof(*b->addresses));
	find_addresses(b, profile);
	load(b);
	for (u32 i = 0; i < nr; i++) {
		if (b->addresses[i].nr) {
			write_dso(b, i, &writer);
			write_code(b, i, files, &code);
		}
		free(b->addresses[i].addrs);
	}
	free(b->addresses);
	code_files__delete(files);
	symbol_bundle__end(&writer);
	code_bundle__end(&code);
	out__mem(out, symbols.buf, symbols.len);
	out__exit(&symbols);
	result->nr_objects = writer.nr;
	result->nr_left_out = writer.nr_left_out;
	result->bytes = out->len;
}

static void note_gone(void *ctx, const struct dso *dso, const struct error *error)
{
	struct bundle_result *result = ctx;

	(void)dso;
	if (error->code != -ENOENT && error->code != -ESTALE)
		return;
	if (!result->nr_gone++)
		snprintf(result->first_gone, sizeof(result->first_gone), "%s", error->subject);
}

static bool has_copied_stacks(const struct evlist *evlist)
{
	for (u32 i = 0; i < evlist->nr; i++)
		if (evlist->evsels[i]->attr.sample_type & PERF_SAMPLE_STACK_USER)
			return true;
	return false;
}

int bundle__put_into(const char *path, const struct symbol_config *config,
                     struct bundle_result *result, struct error *err)
{
	struct symbol_config objects = *config;
	const struct profile_options options = {
		.chains = true,
		.max_stack = MAX_STACK,
		.workers = workers__default(),
		.objects = &objects,
	};
	struct session session;
	struct profile profile;
	struct out out;
	int ret = session__open(&session, path, 0, err);

	*result = (struct bundle_result){ .bytes = 0 };
	if (ret)
		return ret;
	ret = profile__scan_and_build(&profile, &session, &options, err);
	if (!ret) {
		struct bundling b = { .session = &session };

		objects.no_live_kernel = !session__kernel_is_live(&session);
		b.symbols = session_symbols__new(&session.dsos, &objects);
		out__init(&out, -1);
		write_all(&b, &profile, &out, result);
		session_symbols__problems(b.symbols, note_gone, result);
		result->needs_files = has_copied_stacks(session.evlist);
		ret = symbol_bundle__append(path, &out, err);
		out__exit(&out);
		session_symbols__delete(b.symbols);
		profile__exit(&profile);
	}
	session__close(&session);
	return ret;
}
