// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/unit/unit.h"

#include <stdio.h>

#include "util/machine/dsos.h"

static struct strtab strings;
static struct dsos dsos;

static void set_up(void)
{
	strtab__init(&strings);
	dsos__init(&dsos, &strings);
}

static void tear_down(void)
{
	dsos__exit(&dsos);
	strtab__exit(&strings);
}

static u32 get(const char *name, enum dso_kind kind)
{
	return dsos__get(&dsos, name, kind, -1, NULL, 0);
}

static const char *short_name(u32 dso)
{
	return strtab__get(&strings, dsos__at(&dsos, dso)->short_name);
}

TEST(dsos_one_name_is_one_dso)
{
	set_up();
	CHECK_EQ(get("/bin/true", DSO_USER), 0);
	CHECK_EQ(get("/bin/false", DSO_USER), 1);
	CHECK_EQ(get("/bin/true", DSO_USER), 0);
	CHECK_EQ(get("/bin/true", DSO_MODULE), 2); /* another kind */
	CHECK_EQ(dsos.nr, 3);
	CHECK_STR(strtab__get(&strings, dsos__at(&dsos, 0)->name), "/bin/true");
	CHECK_EQ(dsos__at(&dsos, 0)->pid, -1);
	tear_down();
}

TEST(dsos_ids_in_order_of_first_use_for_many)
{
	char name[32];

	set_up();
	for (int turn = 0; turn < 2; turn++)
		for (u32 i = 0; i < 5000; i++) {
			snprintf(name, sizeof(name), "/lib/%u.so", i);
			CHECK_EQ(get(name, DSO_USER), i);
		}
	CHECK_EQ(dsos.nr, 5000);
	tear_down();
}

TEST(dsos_known_build_ids_tell_files_of_one_name_apart)
{
	const u8 a[20] = { 1 }, b[20] = { 2 };

	set_up();
	CHECK_EQ(dsos__get(&dsos, "/bin/x", DSO_USER, -1, a, 20), 0);
	CHECK_EQ(dsos__get(&dsos, "/bin/x", DSO_USER, -1, b, 20), 1);
	CHECK_EQ(dsos__get(&dsos, "/bin/x", DSO_USER, -1, NULL, 0), 2);
	CHECK_EQ(dsos__get(&dsos, "/bin/x", DSO_USER, -1, a, 20), 0);
	CHECK_EQ(dsos__get(&dsos, "/bin/x", DSO_USER, -1, a, 16), 3);
	CHECK_EQ(dsos__get(&dsos, "/bin/x", DSO_USER, -1, b, 200), 2); /* no size that can be */
	CHECK(!memcmp(dsos__at(&dsos, 1)->build_id, b, 20));
	CHECK_EQ(dsos__at(&dsos, 3)->build_id_size, 16);
	tear_down();
}

TEST(dsos_set_build_id_goes_to_all_of_that_name_that_lack_one)
{
	const u8 a[20] = { 1 }, b[20] = { 2 };

	set_up();
	u32 user = get("/x", DSO_USER), module = get("/x", DSO_MODULE);
	u32 other = get("/y", DSO_USER);
	u32 known = dsos__get(&dsos, "/x", DSO_USER, -1, b, 20);

	dsos__set_build_id(&dsos, "/x", a, 20);
	dsos__set_build_id(&dsos, "/never-seen", a, 20);
	CHECK_EQ(dsos__at(&dsos, user)->build_id_size, 20);
	CHECK_EQ(dsos__at(&dsos, user)->build_id[0], 1);
	CHECK_EQ(dsos__at(&dsos, module)->build_id[0], 1);
	CHECK_EQ(dsos__at(&dsos, other)->build_id_size, 0);
	CHECK_EQ(dsos__at(&dsos, known)->build_id[0], 2);
	/* The first that was told stays; the dso is found with and without its id. */
	dsos__set_build_id(&dsos, "/x", b, 20);
	CHECK_EQ(dsos__at(&dsos, user)->build_id[0], 1);
	CHECK_EQ(get("/x", DSO_USER), user);
	CHECK_EQ(dsos__get(&dsos, "/x", DSO_USER, -1, a, 20), user);
	CHECK_EQ(dsos__get(&dsos, "/x", DSO_USER, -1, b, 20), known);
	/* A size that cannot be is not believed. */
	dsos__set_build_id(&dsos, "/y", a, 21);
	CHECK_EQ(dsos__at(&dsos, other)->build_id_size, 0);
	tear_down();
}

TEST(dsos_of_one_name_and_several_inodes_are_several)
{
	const struct dso_inode one = { 8, 1, 7 }, two = { 8, 1, 8 }, disk = { 8, 2, 7 },
	                       none = { 0 };
	const u8 a[20] = { 1 }, b[20] = { 2 };

	set_up();
	u32 first = dsos__get_file(&dsos, "/x", 10, &one, NULL, 0);

	CHECK_EQ(dsos__get_file(&dsos, "/x", 11, &one, NULL, 0), first);
	CHECK_EQ(dsos__at(&dsos, first)->mapped_by, 10);
	u32 second = dsos__get_file(&dsos, "/x", 12, &two, NULL, 0);
	u32 third = dsos__get_file(&dsos, "/x", 12, &disk, NULL, 0);

	CHECK(second != first && third != first && third != second);
	/* Not told: a dso of its own. With a build-id the inode does not matter. */
	CHECK(dsos__get_file(&dsos, "/x", 12, &none, NULL, 0) > third);
	u32 with_id = dsos__get_file(&dsos, "/x", 12, &one, a, 20);

	CHECK_EQ(dsos__get_file(&dsos, "/x", 12, &two, a, 20), with_id);
	CHECK_EQ(dsos__get_file(&dsos, "/x (deleted)", 1, &one, NULL, 0),
	         dsos__get_file(&dsos, "/x (deleted)", 1, &two, NULL, 0));
	/* The header's id is that of the file whose maps told it, not of other inodes. */
	dsos__set_build_id(&dsos, "/x", a, 20);
	CHECK_EQ(dsos__at(&dsos, first)->build_id_size, 0);
	CHECK_EQ(dsos__at(&dsos, second)->build_id_size, 0);
	dsos__set_build_id(&dsos, "/x", b, 20);
	CHECK_EQ(dsos__at(&dsos, first)->build_id[0], 2);
	CHECK_EQ(dsos__at(&dsos, third)->build_id[0], 2);
	tear_down();
}

TEST(dsos_anonymous_memory_is_a_dso_per_process)
{
	set_up();
	u32 a = dsos__get(&dsos, "//anon", DSO_ANON, 7, NULL, 0);

	CHECK_EQ(dsos__get(&dsos, "[heap]", DSO_ANON, 7, NULL, 0), a);
	CHECK(dsos__get(&dsos, "//anon", DSO_ANON, 8, NULL, 0) != a);
	CHECK_STR(strtab__get(&strings, dsos__at(&dsos, a)->name), "/tmp/perf-7.map");
	CHECK_STR(short_name(a), "[JIT] tid 7");
	CHECK_EQ(dsos__at(&dsos, a)->pid, 7);
	/* The pid means nothing for files. */
	CHECK_EQ(dsos__get(&dsos, "/f", DSO_USER, 1, NULL, 0),
	         dsos__get(&dsos, "/f", DSO_USER, 2, NULL, 0));
	tear_down();
}

TEST(dsos_short_names)
{
	set_up();
	CHECK_STR(short_name(get("/usr/bin/gcc", DSO_USER)), "gcc");
	CHECK_STR(short_name(get("nothing", DSO_USER)), "nothing");
	CHECK_STR(short_name(get("/odd/", DSO_USER)), "/odd/");
	CHECK_STR(short_name(get("[kernel.kallsyms]", DSO_KERNEL)), "[kernel.kallsyms]");
	CHECK_STR(short_name(get("[vdso]", DSO_VDSO)), "[vdso]");
	CHECK_STR(short_name(get("[foo_mod]", DSO_MODULE)), "[foo_mod]");
	CHECK_STR(short_name(get("/lib/modules/6.1/net/nf-tables.ko.xz", DSO_MODULE)),
	          "[nf_tables]");
	CHECK_STR(short_name(get("/lib/modules/6.1/x.ko", DSO_MODULE)), "[x]");
	CHECK_STR(short_name(get("/lib/modules/6.1/x.koala", DSO_MODULE)), "x.koala");
	CHECK_STR(short_name(get("bpf_prog_12ab_main", DSO_BPF)), "bpf_prog_12ab_main");
	tear_down();
}

TEST(dsos_short_name_of_a_module_with_an_endless_name)
{
	char name[600] = "/lib/";

	set_up();
	memset(name + 5, 'a', 500);
	strcpy(name + 505, ".ko");
	CHECK_STR(short_name(get(name, DSO_MODULE)), name + 5);
	tear_down();
}

TEST(dsos_kind_of_map_names)
{
	static const struct {
		const char *name;
		enum dso_kind kind;
	} table[] = {
		{ "/usr/bin/gcc", DSO_USER },
		{ "/tmp/x (deleted)", DSO_USER },
		{ "/memfd:jit (deleted)", DSO_USER },
		{ "//toolong", DSO_USER },
		{ "[uprobes]", DSO_USER },
		{ "/dev/shm/x", DSO_USER },
		{ "[vdso]", DSO_VDSO },
		{ "[vsyscall]", DSO_VSYSCALL },
		{ "//anon", DSO_ANON },
		{ "/dev/zero", DSO_ANON },
		{ "/dev/zero (deleted)", DSO_ANON },
		{ "/anon_hugepage (deleted)", DSO_ANON },
		{ "/SYSV00000000 (deleted)", DSO_ANON },
		{ "[heap]", DSO_ANON },
		{ "[stack]", DSO_ANON },
		{ "[stack:44]", DSO_ANON },
		{ "", DSO_ANON },
	};

	for (size_t i = 0; i < ARRAY_SIZE(table); i++)
		CHECK_EQ(dso_kind__of_map(table[i].name), table[i].kind);
}

/* A map of open addressing that forgets a key loses others: telling an id must not cost one. */
TEST(dsos_told_build_ids_reach_every_name)
{
	static const u8 id[20] = { 1 };
	char name[32];

	set_up();
	for (int i = 0; i < 1000; i++) {
		snprintf(name, sizeof(name), "/lib/%d.so", i);
		get(name, DSO_USER);
	}
	for (int i = 0; i < 1000; i++) {
		snprintf(name, sizeof(name), "/lib/%d.so", i);
		dsos__set_build_id(&dsos, name, id, sizeof(id));
	}
	for (u32 i = 0; i < dsos.nr; i++)
		CHECK_EQ(dsos__at(&dsos, i)->build_id_size, 20);
	tear_down();
}
