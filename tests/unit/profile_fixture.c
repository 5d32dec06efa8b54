// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/unit/profile_fixture.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/cfi_builder.h"
#include "tests/unit/elf_builder.h"
#include "tests/unit/test_file.h"
#include "tests/unit/unit.h"

#define FUNCTION_SIZE 16

/* They are behind a..z. */
static const char *const long_names[] = { "main", "_start", "clone3" };

static unsigned index_of(const char *name)
{
	for (unsigned i = 0; i < ARRAY_SIZE(long_names); i++)
		if (!strncmp(name, long_names[i], strlen(long_names[i])))
			return 26 + i;
	return name[0] - 'a';
}

u64 fixture__addr(const char *name)
{
	const char *plus = strchr(name, '+');

	if (name[0] == '?')
		return strtoull(name + 1, NULL, 16);
	return FIXTURE_START + index_of(name) * FUNCTION_SIZE +
	       (plus ? strtoull(plus + 1, NULL, 10) : 0);
}

/* The unwind tables: see the header. */
static struct builder make_tables(void)
{
	static const u8 framed[] = { 0x0e, 16, 0x86, 2, 0x0d, 6 }, frameless[] = { 0x0e, 32 };
	struct cfi_builder tables = { .eh = true, .is64 = true };

	cfi_builder__common(&tables);
	for (unsigned i = 0; i < 26 + ARRAY_SIZE(long_names); i++) {
		u64 start = ELF_TEXT_VADDR + i * FUNCTION_SIZE;

		if (i == index_of("n"))
			cfi_builder__function(&tables, start, FUNCTION_SIZE, frameless,
			                      sizeof(frameless));
		else if (i != index_of("u"))
			cfi_builder__function(&tables, start, FUNCTION_SIZE, framed,
			                      sizeof(framed));
	}
	return tables.out;
}

static void write_elf(struct fixture *f)
{
	struct elf_builder e = { .is64 = true, .extra = make_tables(), .extra_name = ".eh_frame" };
	char name[2] = "a";

	for (; name[0] <= 'z'; name[0]++)
		elf_builder__symbol(&e, name, STB_GLOBAL, STT_FUNC, index_of(name) * FUNCTION_SIZE,
		                    FUNCTION_SIZE);
	for (unsigned i = 0; i < ARRAY_SIZE(long_names); i++)
		elf_builder__symbol(&e, long_names[i], STB_GLOBAL, STT_FUNC,
		                    index_of(long_names[i]) * FUNCTION_SIZE, FUNCTION_SIZE);
	f->elf = elf_builder__write(&e, "prog");
	elf_builder__exit(&e);
}

void fixture__init(struct fixture *f)
{
	struct perf_event_attr attr = built_attr(FIXTURE_TYPE);

	*f = (struct fixture){
		.last = { .pid = FIXTURE_PID, .tid = FIXTURE_PID, .time = 1000 },
		.misc = PERF_RECORD_MISC_USER,
		.options = { .chains = true, .cpu = true, .max_stack = 127 },
		.names_flags = NAMES_SYMBOLS,
	};
	file_builder__init(&f->file, false);
	file_builder__event(&f->file, &attr, NULL, 0);
	write_elf(f);
	builder__comm(&f->file.data, FIXTURE_TYPE, &f->last, "prog");
	builder__mmap2(&f->file.data, FIXTURE_TYPE, &f->last, PERF_RECORD_MISC_USER, FIXTURE_START,
	               ELF_TEXT_SIZE, ELF_TEXT_OFFSET, f->elf);
}

void fixture__raw_sample(struct fixture *f, u64 ip, const u64 *chain, u64 nr, u64 period)
{
	f->last.time += 10;
	f->last.ip = ip;
	f->last.period = period;
	f->last.chain = chain;
	f->last.nr_chain = nr;
	builder__sample(&f->file.data, FIXTURE_TYPE, f->misc, &f->last);
}

void fixture__sample(struct fixture *f, const char *chain, u64 period)
{
	u64 callers_first[64], chain_of_record[65];
	char *copy = strdup(chain), *save = NULL;
	u64 nr = 0;

	for (char *name = strtok_r(copy, ";", &save); name && nr < ARRAY_SIZE(callers_first);
	     name = strtok_r(NULL, ";", &save))
		callers_first[nr++] = fixture__addr(name);
	chain_of_record[0] = PERF_CONTEXT_USER;
	for (u64 i = 0; i < nr; i++)
		chain_of_record[nr - i] = callers_first[i];
	fixture__raw_sample(f, nr ? callers_first[nr - 1] : 0, chain_of_record, nr ? nr + 1 : 0,
	                    period);
	free(copy);
}

void fixture__some_samples(struct fixture *f)
{
	fixture__sample(f, "main;f;g", 40);
	fixture__sample(f, "main;f", 20);
	fixture__sample(f, "main;h;g", 10);
	f->last.pid = f->last.tid = 200;
	builder__comm(&f->file.data, FIXTURE_TYPE, &f->last, "other");
	fixture__sample(f, "?7;?9", 5);
}

void fixture__profile(struct fixture *f, unsigned workers)
{
	static const struct symbol_config config = { .symfs = "", .demangle = true };
	struct error err = ERROR_INIT;

	CHECK_EQ(session__open(&f->session, file_builder__write(&f->file, "perf.data"), 0, &err),
	         0);
	f->options.workers = workers;
	CHECK_EQ(profile__scan_and_build(&f->profile, &f->session, &f->options, &err), 0);
	f->symbols = session_symbols__new(&f->session.dsos, &config);
	names__init(&f->names, &f->profile, &f->session, f->symbols, f->names_flags, 1);
	chains__init(&f->chains, &f->profile);
	f->built = true;
}

void fixture__exit(struct fixture *f)
{
	if (f->built) {
		chains__exit(&f->chains);
		names__exit(&f->names);
		session_symbols__delete(f->symbols);
		profile__exit(&f->profile);
		session__close(&f->session);
	}
	file_builder__exit(&f->file);
	free(f->elf);
}

static const char *entry_name(const struct hists *hists, const struct hist_entry *entry)
{
	const struct sort_keys *keys = &hists->options.keys;
	const char *name;

	if (sort_keys__has(keys, &key_symbol)) {
		name = sym__name(hists->names, hist_entry__sym(hists, entry));
		return name ? name : "?";
	}
	for (u32 i = 0; i < keys->nr; i++) {
		const struct key *key = keys->list[i].key;
		struct cell cell;

		if (key != &key_dso && (key != &key_comm || sort_keys__has(keys, &key_dso)))
			continue;
		key->cell(&hists->data, &keys->list[i], hist_entry__subject(hists, entry, key),
		          NULL, &cell);
		return cell.text;
	}
	return "";
}

const char *fixture__entries(const struct fixture *f, const struct hists *hists)
{
	static char text[4096];
	int len = 0;

	(void)f;
	text[0] = '\0';
	for (u32 i = 0; i < hists->nr_entries; i++) {
		const struct hist_entry *entry = &hists->entries[i];

		if (!entry->hidden)
			len += snprintf(text + len, sizeof(text) - len, "%llu/%llu %s\n",
			                (unsigned long long)entry->period,
			                (unsigned long long)entry->total_period,
			                entry_name(hists, entry));
	}
	return text;
}
