// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/unit/unit.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "tests/unit/index_source.h"
#include "tests/unit/test_file.h"
#include "util/dwarf/debug_info_private.h"
#include "util/elf/elf_file.h"
#include "util/lib/alloc.h"
#include "util/lib/hash.h"
#include "util/lib/out.h"
#include "util/symindex/object_index.h"
#include "util/symtab/symtab_elf.h"

static u64 random_state = 1;

static u64 random_below(u64 n)
{
	random_state = hash__u64(random_state + 0x9e3779b97f4a7c15ull);
	return random_state % n;
}

/* Nested, overlapping and lonely symbols in [0, 4096). */
static void make_table(struct symtab *table, u32 nr)
{
	*table = (struct symtab){ .source = SYMTAB_ELF };
	for (u32 i = 0; i < nr; i++) {
		u64 start = random_below(4000), size = random_below(8) ? random_below(64) : 600;
		char name[32];

		snprintf(name, sizeof(name), "f%u", i);
		symtab__add(table, start, start + size,
		            arena__strndup(&table->arena, name, strlen(name)),
		            "glwu"[random_below(4)]);
		table->symbols[table->nr - 1].data = random_below(2);
	}
	symtab__fixup(table);
}

/* Of a name, which is a number behind a letter; NULL: it has none. */
static const char *readable_form(const char *name)
{
	static const char *const forms[] = { NULL, "a::b(int)", "", "main" };

	return forms[atoi(name + 1) % ARRAY_SIZE(forms)];
}

static const char *name_at(const struct symtab *table, u64 addr)
{
	u32 i = symtab__find(table, addr);

	return i == ID_NONE ? "" : table->symbols[i].name;
}

static void check_same(const struct symtab *a, const struct symtab *b, u64 addr)
{
	u32 i = symtab__find(a, addr), j = symtab__find(b, addr);

	CHECK_STR(name_at(a, addr), name_at(b, addr));
	if (i != ID_NONE && j != ID_NONE)
		CHECK_EQ(a->symbols[i].data, b->symbols[j].data);
}

static void check_part(const struct symtab *whole, const struct symtab *part, const u64 *asked,
                       u32 nr)
{
	for (u32 i = 0; i < nr; i++)
		CHECK(symtab__knows(part, asked[i]));
	for (u64 addr = 0; addr < 5000; addr++)
		if (symtab__knows(part, addr))
			check_same(part, whole, addr);
}

TEST(symtab_part_answers_as_the_whole)
{
	for (unsigned round = 0; round < 50; round++) {
		struct symtab whole, part, again;
		u64 asked[20], at = 0;

		make_table(&whole, 1 + random_below(120));
		for (unsigned i = 0; i < ARRAY_SIZE(asked); i++)
			asked[i] = at += random_below(400);
		symtab__part(&whole, asked, ARRAY_SIZE(asked), &part);
		check_part(&whole, &part, asked, ARRAY_SIZE(asked));
		CHECK(part.nr <= ARRAY_SIZE(asked));
		symtab__part(&part, asked, ARRAY_SIZE(asked), &again); /* a part of a part */
		check_part(&whole, &again, asked, ARRAY_SIZE(asked));
		symtab__exit(&again);
		symtab__exit(&part);
		symtab__exit(&whole);
	}
}

TEST(symtab_part_of_nothing_knows_nothing)
{
	struct symtab whole, part;

	make_table(&whole, 10);
	symtab__part(&whole, NULL, 0, &part);
	CHECK(!symtab__knows(&part, whole.symbols[0].start));
	CHECK(symtab__knows(&whole, 1u << 30));
	symtab__exit(&part);
	symtab__exit(&whole);
}

/* The bytes of an index with @table and @source. */
static struct out write_index(const struct symtab *table, struct debug_info *source)
{
	struct object_index index = {
		.id = { .size = 20, .data = { 1, 2, 3 } },
		.name = "/usr/bin/x",
		.key = 0x1234567890ull,
		.table = (struct symtab *)table,
		.source = source,
	};
	struct readable_names names = { .cap = 0 };
	struct out out;

	for (u32 i = 0; table && i < table->nr; i++)
		if (readable_form(table->symbols[i].name))
			readable_names__add(&names, table->symbols[i].name,
			                    readable_form(table->symbols[i].name));
	for (u32 i = 0; table && i < table->nr; i++)
		readable_names__add(&names, table->symbols[i].name, "\33[2J told once is enough");
	readable_names__add(&names, "of another object", "is not kept");
	index.readable = &names;
	file_trail__note(&index.trail, "/");
	file_trail__note(&index.trail, "/nonexistent");
	out__init(&out, -1);
	object_index__write(&index, &out);
	file_trail__exit(&index.trail);
	readable_names__exit(&names);
	return out;
}

/* Out of a copy that lies by itself. */
static int read_index(struct object_index *index, const void *bytes, size_t len)
{
	return object_index__read(index, memcpy(xmalloc(len), bytes, len), len);
}

static void check_same_table(const struct symtab *a, const struct symtab *b)
{
	CHECK_EQ(a->nr, b->nr);
	CHECK_EQ(a->source, b->source);
	CHECK_EQ(a->overlaps, b->overlaps);
	CHECK_EQ(a->nr_pieces, b->nr_pieces);
	CHECK_EQ(!a->pieces, !b->pieces);
	for (u32 i = 0; i < a->nr && i < b->nr; i++) {
		CHECK_EQ(a->symbols[i].start, b->symbols[i].start);
		CHECK_EQ(a->symbols[i].end, b->symbols[i].end);
		CHECK_EQ(a->symbols[i].binding, b->symbols[i].binding);
		CHECK_EQ(a->symbols[i].data, b->symbols[i].data);
		CHECK_STR(a->symbols[i].name, b->symbols[i].name);
	}
}

static void check_readable(const struct object_index *index)
{
	const struct symtab *table = index->table;
	struct readable_names names = { .cap = 0 };
	u32 nr = 0;

	for (u32 i = 0; i < table->nr; i++) {
		const char *name = table->symbols[i].name;
		const char *readable = object_index__readable(index, name);
		char elsewhere[32];

		CHECK(!readable == !readable_form(name));
		if (readable)
			CHECK_STR(readable, readable_form(name));
		nr += !!readable;
		snprintf(elsewhere, sizeof(elsewhere), "%s", name);
		CHECK(!object_index__readable(index, elsewhere));
		CHECK(!object_index__readable(index, name + 1));
	}
	object_index__copy_readable(index, &names);
	CHECK_EQ(readable_names__nr(&names), nr);
	readable_names__exit(&names);
}

TEST(object_index_brings_tables_back)
{
	static const u64 asked[] = { 5, 700, 2000, 4500 };
	struct symtab tables[3];

	make_table(&tables[0], 100);
	make_table(&tables[1], 100);
	symtab__part(&tables[1], asked, ARRAY_SIZE(asked), &tables[2]);
	symtab__exit(&tables[0]);
	make_table(&tables[0], 0);
	tables[1].path = xstrdup("/usr/lib/debug/x");
	tables[1].segments = xcalloc(1, sizeof(struct segment));
	tables[1].segments[0] = (struct segment){ 0x1000, 0x2000, 0x401000 };
	tables[1].nr_segments = 1;
	for (unsigned i = 0; i < ARRAY_SIZE(tables); i++) {
		struct out out = write_index(&tables[i], NULL);
		struct object_index index;

		CHECK_EQ(read_index(&index, out.buf, out.len), 0);
		CHECK(!index.source && index.table && index.id.size == 20 && index.id.data[2] == 3);
		CHECK_STR(index.name, "/usr/bin/x");
		CHECK_EQ(index.key, 0x1234567890ull);
		CHECK(file_trail__holds(&index.trail));
		if (index.table)
			check_same_table(&tables[i], index.table);
		check_readable(&index);
		if (i == 1)
			CHECK(symtab__vaddr_of_offset(index.table, 0x1010) == 0x401010);
		object_index__exit(&index);
		out__exit(&out);
	}
	for (unsigned i = 0; i < ARRAY_SIZE(tables); i++)
		symtab__exit(&tables[i]);
}

static const u64 default_damages = 10000;

/* Damaged bytes were read: then it is the source that is damaged, and nothing of it is believed. */
static bool is_harmless(struct object_index *index, const struct symtab *table)
{
	bool harmless = index->table && index->table->nr == table->nr &&
	                !strcmp(index->name, "/usr/bin/x") && index->key == 0x1234567890ull;

	for (u32 i = 0; harmless && i < table->nr; i++)
		harmless = index->table->symbols[i].start == table->symbols[i].start &&
		           index->table->symbols[i].end == table->symbols[i].end &&
		           !strcmp(index->table->symbols[i].name, table->symbols[i].name);
	return harmless && object_index__read_source(index) == -EBADMSG && !index->source;
}

/* No damaged index is believed: PERF_INDEX_DAMAGES and PERF_INDEX_SEED say how many are tried. */
TEST(object_index_is_not_believed_when_damaged)
{
	const char *count = getenv("PERF_INDEX_DAMAGES"), *seed = getenv("PERF_INDEX_SEED");
	u64 nr = count ? strtoull(count, NULL, 0) : default_damages, tried = 0, nr_read = 0;
	struct debug_info *source = index_source__make();
	struct object_index index;
	struct symtab table;

	random_state = seed ? strtoull(seed, NULL, 0) : 1;
	make_table(&table, 20);
	struct out out = write_index(&table, source);
	u8 *copy = xmalloc(out.len + 64);

	for (u64 i = 0; i < nr; i++) {
		size_t len = out.len, times = 1 + random_below(8);

		memcpy(copy, out.buf, out.len);
		if (!random_below(4)) /* cut, or more than there was */
			len = random_below(2) ? random_below(out.len) : out.len + random_below(64);
		memset(copy + out.len, random_below(256), 64);
		for (size_t k = 0; k < times; k++) {
			u8 *at = &copy[random_below(random_below(2) ? 64 : out.len)];

			*at = random_below(3) ? *at ^ 1u << random_below(8) : random_below(256);
		}
		if (!random_below(4)) { /* of all else nothing but this */
			size_t at = random_below(out.len);

			memcpy(copy, out.buf, out.len);
			copy[at] ^= 1u << random_below(8);
		}
		if (len == out.len && !memcmp(copy, out.buf, len))
			continue;
		tried++;
		if (read_index(&index, copy, len))
			continue;
		nr_read++;
		if (!is_harmless(&index, &table))
			unit__fail(__FILE__, __LINE__, "damage %llu is believed",
			           (unsigned long long)i);
		object_index__exit(&index);
	}
	for (size_t len = 0; len < out.len; len++)
		CHECK(read_index(&index, out.buf, len));
	CHECK(tried > nr / 2 && nr_read > 0 && nr_read < nr / 4);
	free(copy);
	out__exit(&out);
	symtab__exit(&table);
	debug_info__delete(source);
}

/* ---- source ---- */

#ifdef HAVE_LIBDW
static const char source[] = "volatile int sink;\n"
                             "static inline __attribute__((always_inline)) void inner(int x)\n"
                             "{\n\tif (x)\n\t\tsink = x;\n}\n"
                             "__attribute__((noinline)) void first(int x)\n"
                             "{\n\tsink++;\n\tinner(x + 1);\n\tsink++;\n}\n"
                             "__attribute__((noinline)) void second(int x)\n"
                             "{\n\tsink += 2;\n\tinner(x + 2);\n\tinner(sink);\n}\n"
                             "int main(void)\n{\n\tfirst(1);\n\tsecond(2);\n\treturn 0;\n}\n";

static char *build(const char *flags)
{
	char *path = xasprintf("%s/prog", unit__tmpdir());
	char *command = xasprintf("cd %s && gcc -O2 %s -o prog prog.c >/dev/null 2>&1",
	                          unit__tmpdir(), flags);

	free(write_test_file("prog.c", source, sizeof(source) - 1));
	if (system(command)) {
		free(path);
		path = NULL;
	}
	free(command);
	return path;
}

static struct symbol find_symbol(const char *path, const char *name)
{
	struct object_file_request request = { .path = path, .symfs = "" };
	struct symtab table = { .source = SYMTAB_NONE };
	struct symbol symbol = { .start = 0 };

	symtab__load_elf(&table, &request);
	for (u32 i = 0; i < table.nr; i++)
		if (!strcmp(table.symbols[i].name, name))
			symbol = table.symbols[i];
	symtab__exit(&table);
	return symbol;
}

static const char *describe(struct debug_info *info, u64 addr, char *buf, size_t size)
{
	struct source_frame frames[SOURCE_FRAMES_MAX];
	u32 nr = debug_info__frames(info, addr, frames, SOURCE_FRAMES_MAX);
	size_t len = 0;

	*buf = '\0';
	for (u32 i = 0; i < nr && len < size; i++)
		len += snprintf(
		        buf + len, size - len, "%s %s:%u;",
		        frames[i].function == ID_NONE ? "?"
		                                      : debug_info__text(info, frames[i].function),
		        frames[i].file == ID_NONE ? "?" : debug_info__text(info, frames[i].file),
		        frames[i].line);
	return buf;
}

static void check_same_source(struct debug_info *a, struct debug_info *b, u64 start, u64 end)
{
	char one[1024], two[1024];

	for (u64 addr = start; addr < end; addr++)
		CHECK_STR(describe(b, addr, two, sizeof(two)), describe(a, addr, one, sizeof(one)));
}

static void read_source(struct debug_info *info, struct object_index *index)
{
	struct out out = write_index(NULL, info);

	CHECK_EQ(read_index(index, out.buf, out.len), 0);
	CHECK(!index->source && !index->table);
	CHECK_EQ(object_index__read_source(index), 0);
	CHECK(index->source);
	out__exit(&out);
}

static void check_ways(const char *flags)
{
	char *path = build(flags), text[1024];
	struct object_index index, second;

	if (!path) {
		unit__skip("no gcc");
		return;
	}
	struct debug_info *asked = debug_info__open(path), *info = debug_info__open(path);
	struct symbol one = find_symbol(path, "first"), two = find_symbol(path, "second");
	struct symbol start = find_symbol(path, "_start"), entry = find_symbol(path, "main");

	/* One address of a function is asked for: all of it is kept, and nothing else. */
	debug_info__load(asked, (u64[]){ one.start + 3, start.start }, 2);
	read_source(asked, &index);
	CHECK(index.source->known.nr_extents == 2);
	check_same_source(info, index.source, one.start, one.end);
	CHECK(!*describe(index.source, start.start, text, sizeof(text)));
	CHECK(!index.source->listed); /* DWARF was not looked at so far */
	/* What else is asked comes from the file, and is kept together with the first. */
	check_same_source(info, index.source, two.start, two.end);
	CHECK(index.source->listed);
	read_source(index.source, &second);
	CHECK_EQ(second.source->known.nr_extents, 3);
	check_same_source(info, second.source, one.start, one.end);
	check_same_source(info, second.source, two.start, two.end);
	CHECK(!second.source->listed);
	/* The file is another one since: nothing more is said. */
	CHECK(!unlink(path));
	CHECK(!*describe(second.source, entry.start, text, sizeof(text)));
	check_same_source(info, second.source, one.start, one.end);
	object_index__exit(&second);
	object_index__exit(&index);
	debug_info__delete(asked);
	debug_info__delete(info);
	free(path);
}

TEST(object_index_keeps_functions_whole)
{
	check_ways("-g");
}

TEST(object_index_keeps_functions_in_sections_of_their_own)
{
	check_ways("-g -ffunction-sections -Wl,--gc-sections");
}

TEST(object_index_keeps_functions_of_split_units)
{
	check_ways("-gdwarf-5 -gsplit-dwarf");
}
#endif

/* Nothing is known of a file without DWARF: that, too, need not be found out again. */
TEST(object_index_knows_that_there_is_no_source)
{
	struct debug_info *info = debug_info__open(NULL);
	struct source_frame frame;
	struct object_index index;
	struct out out;

	CHECK_EQ(debug_info__frames(info, 0x1000, &frame, 1), 0);
	out = write_index(NULL, info);
	CHECK_EQ(read_index(&index, out.buf, out.len), 0);
	CHECK_EQ(object_index__read_source(&index), 0);
	CHECK(index.source && !index.source->path);
	CHECK_EQ(debug_info__frames(index.source, 0x1000, &frame, 1), 0);
	CHECK_EQ(debug_info__frames(index.source, 0x2000, &frame, 1), 0);
	object_index__exit(&index);
	out__exit(&out);
	debug_info__delete(info);
}
