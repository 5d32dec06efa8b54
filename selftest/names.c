// SPDX-License-Identifier: GPL-2.0-or-later
/* Names of addresses: in this program, the kernel, the vdso, and code made at run time. */
#include <errno.h>
#include <inttypes.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <time.h>

#include "selftest/programs.h"
#include "selftest/tests.h"
#include "util/lib/alloc.h"
#include "util/symbol/session_symbols.h"
#include "util/symtab/demangle.h"
#include "util/symtab/kallsyms.h"
#include "util/symtab/perf_map.h"
#include "util/symtab/symtab_elf.h"

/* ---- this program ---- */

static int first_object(struct dl_phdr_info *info, size_t size, void *ctx)
{
	(void)size;
	*(u64 *)ctx = info->dlpi_addr;
	return 1;
}

/* The function at run-time address @at must have @name. */
static enum verdict expect_name(struct selftest *test, const struct symtab *table, const void *at,
                                const char *name)
{
	u64 load = 0;
	u32 index;
	const char *found;

	dl_iterate_phdr(first_object, &load);
	index = symtab__find(table, (uintptr_t)at - load);
	found = index == ID_NONE ? "(nothing)" : table->symbols[index].name;
	selftest__say(test, "the function at %p is %s", at, found);
	EXPECT(test, !strcmp(found, name), "the function '%s' is called '%s'", name, found);
	return SELFTEST_OK;
}

static enum verdict check_table(struct selftest *test, const struct symtab *table)
{
	selftest__say(test, "%u symbols in %s", table->nr, table->path ? table->path : "?");
	for (u32 i = 0; i < table->nr; i++) {
		const struct symbol *symbol = &table->symbols[i];

		selftest__detail(test, " %" PRIx64 "-%" PRIx64 " %c %s", symbol->start, symbol->end,
		                 symbol->binding, symbol->name);
		EXPECT(test, symbol->start <= symbol->end, "'%s' ends before it starts",
		       symbol->name);
		EXPECT(test, !i || symbol[-1].start < symbol->start, "'%s' is out of order",
		       symbol->name);
	}
	return SELFTEST_OK;
}

static enum verdict check_own_names(struct selftest *test, const struct symtab *table)
{
	enum verdict verdict;

	verdict = expect_name(test, table, (void *)(uintptr_t)test_symbols, "test_symbols");
	if (verdict == SELFTEST_OK)
		verdict =
		        expect_name(test, table, (void *)(uintptr_t)selftest__say, "selftest__say");
	if (verdict == SELFTEST_OK)
		verdict = expect_name(
		        test, table, (void *)(uintptr_t)program__find("leafloop")->run, "leafloop");
	return verdict;
}

static enum verdict check_object(struct selftest *test, const char *path, bool own)
{
	struct symtab table = { .nr = 0 };
	struct object_file_request request = { .path = path,
		                               .symfs = "",
		                               .debug_dir = "/usr/lib/debug" };
	enum verdict verdict;

	if (symtab__load_elf(&table, &request))
		verdict = selftest__fail_error(test, &table.error);
	else
		verdict = check_table(test, &table);
	if (verdict == SELFTEST_OK && own)
		verdict = check_own_names(test, &table);
	symtab__exit(&table);
	return verdict;
}

enum verdict test_symbols(struct selftest *test)
{
	enum verdict verdict = check_object(test, "/proc/self/exe", true);

	return verdict == SELFTEST_OK && test->dso ? check_object(test, test->dso, false) : verdict;
}

/* ---- the kernel ---- */

#define KALLSYMS "/proc/kallsyms"

struct tally {
	u32 nr, nr_wrong;
	char first_wrong[200];
};

/*
 * A line of the list, read here a second time: its address must be the start of a symbol. Not
 * always of that name, because several names may share an address.
 */
static void check_line(struct tally *tally, const struct symtab *table, const char *line)
{
	char type, name[400], module[100];
	u64 addr;
	int fields = sscanf(line, "%" SCNx64 " %c %399s %99s", &addr, &type, name, module);
	u32 index;

	if (fields != 3 || !strchr("tTwW", type)) /* code of the kernel itself */
		return;
	index = symtab__find(table, addr);
	tally->nr++;
	if (index != ID_NONE && table->symbols[index].start == addr)
		return;
	if (!tally->nr_wrong++)
		snprintf(tally->first_wrong, sizeof(tally->first_wrong), "%.100s at %" PRIx64, name,
		         addr);
}

static enum verdict compare_kallsyms(struct selftest *test, const struct symtab *table)
{
	FILE *file = fopen(KALLSYMS, "re");
	struct tally tally = { .nr = 0 };
	char line[600];

	if (!file)
		return selftest__skip(test, KALLSYMS ": %s", strerror(errno));
	while (fgets(line, sizeof(line), file))
		check_line(&tally, table, line);
	fclose(file);
	selftest__say(test, "%u functions in the list, %u symbols in the table", tally.nr,
	              table->nr);
	EXPECT(test, tally.nr > 100, "the kernel lists only %u functions", tally.nr);
	EXPECT(test, !tally.nr_wrong, "%u functions are not found at their address, first %s",
	       tally.nr_wrong, tally.first_wrong);
	return SELFTEST_OK;
}

enum verdict test_kallsyms(struct selftest *test)
{
	struct symtab table = { .nr = 0 };
	struct kallsyms_target target = { .symtab = &table };
	struct kallsyms_request request = { .path = KALLSYMS, .targets = &target, .nr = 1 };
	int ret = kallsyms__load(&request);
	enum verdict verdict;

	if (ret == -EPERM || ret == -EACCES || ret == -ENOENT)
		verdict = selftest__skip_error(test, &table.error);
	else if (ret)
		verdict = selftest__fail_error(test, &table.error);
	else
		verdict = compare_kallsyms(test, &table);
	symtab__exit(&table);
	return verdict;
}

/* ---- the vdso ---- */

enum verdict test_vdso(struct selftest *test)
{
	struct symbol_config config = { .symfs = "", .demangle = true };
	const struct symtab *table;
	struct session_symbols *symbols;
	struct strtab strings;
	struct dsos dsos;
	u32 dso, nr_time = 0, nr_bad = 0;
	u64 vaddr;

	if (!getauxval(AT_SYSINFO_EHDR))
		return selftest__skip(test, "this kernel gives its programs no vdso");
	strtab__init(&strings);
	dsos__init(&dsos, &strings);
	dso = dsos__get(&dsos, "[vdso]", DSO_VDSO, -1, NULL, 0);
	symbols = session_symbols__new(&dsos, &config);
	table = session_symbols__table(symbols, dso);
	for (u32 i = 0; i < table->nr; i++) {
		const struct symbol *symbol = &table->symbols[i];

		selftest__say(test, "%" PRIx64 " %s", symbol->start, symbol->name);
		nr_time += strstr(symbol->name, "gettime") != NULL;
		nr_bad += session_symbols__find(symbols, dso, symbol->start, &vaddr) != i;
	}
	session_symbols__delete(symbols);
	dsos__exit(&dsos);
	strtab__exit(&strings);
	EXPECT(test, nr_time, "the vdso has no function whose name has gettime in it");
	EXPECT(test, !nr_bad, "%u functions of the vdso are not found at their address", nr_bad);
	return SELFTEST_OK;
}

/* ---- code made at run time ---- */

enum verdict test_perf_map(struct selftest *test)
{
	static const struct {
		u64 addr;
		const char *name;
	} wanted[] = {
		{ 0x1000, "first" },     { 0x10ff, "first" },  { 0x1100, "(nothing)" },
		{ 0x2000, "a name" },    { 0x2080, "a name" }, { 0x3000, "LFoo;::bar(I)V" },
		{ 0x0fff, "(nothing)" },
	};
	char *path = xasprintf("%s/perf-1.map", test->dir);
	struct symtab table = { .nr = 0 };
	enum verdict verdict = SELFTEST_OK;
	FILE *file = fopen(path, "we");
	int ret;

	if (file) {
		fputs("1000 100 first\n2000 100 a name\nno line\n3000 10 LFoo;::bar(I)V\n", file);
		fclose(file);
	}
	ret = symtab__load_perf_map(&table, path);
	if (ret)
		verdict = selftest__fail_error(test, &table.error);
	for (size_t i = 0; i < ARRAY_SIZE(wanted) && !ret && verdict == SELFTEST_OK; i++) {
		u32 index = symtab__find(&table, wanted[i].addr);
		const char *name = index == ID_NONE ? "(nothing)" : table.symbols[index].name;

		selftest__say(test, "%#" PRIx64 ": %s", wanted[i].addr, name);
		if (strcmp(name, wanted[i].name))
			verdict = selftest__fail(test, "%#" PRIx64 " is '%s', not '%s'",
			                         wanted[i].addr, name, wanted[i].name);
	}
	symtab__exit(&table);
	free(path);
	return verdict;
}

/* ---- linker names ---- */

enum verdict test_demangle(struct selftest *test)
{
	static const struct {
		const char *from, *to; /* NULL: it is no such name */
	} names[] = {
		{ "_ZN3foo3barEi", "foo::bar" },
		{ "_ZNSt6vectorIiSaIiEE9push_backERKi",
		  "std::vector<int, std::allocator<int> >::push_back" },
		{ "_ZN4core3fmt9Formatter3pad17h0123456789abcdefE", "core::fmt::Formatter::pad" },
		{ "_RNvC7mycrate3foo", "mycrate::foo" },
		{ "main", NULL },
		{ "_Z", NULL },
	};

#ifndef HAVE_DEMANGLE
	return selftest__skip(test, "not compiled in");
#endif
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		char *got = demangle(names[i].from);
		bool same = got && names[i].to ? !strcmp(got, names[i].to) : !got && !names[i].to;

		selftest__say(test, "%s: %s", names[i].from, got ? got : "(stays)");
		if (!same)
			selftest__fail(test, "'%s' is '%s', not '%s'", names[i].from,
			               got ? got : "(stays)",
			               names[i].to ? names[i].to : "(stays)");
		free(got);
		if (!same)
			return SELFTEST_FAIL;
	}
	return SELFTEST_OK;
}
