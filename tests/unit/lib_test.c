// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/unit/unit.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/unit/test_file.h"
#include "util/lib/cursor.h"
#include "util/lib/direct_map.h"
#include "util/lib/error.h"
#include "util/lib/file.h"
#include "util/lib/hash.h"
#include "util/lib/out.h"
#include "util/lib/strtab.h"
#include "util/lib/text.h"
#include "util/lib/workers.h"

TEST(strtab_gives_equal_text_one_id)
{
	struct strtab tab;
	char text[16];

	strtab__init(&tab);
	CHECK_EQ(strtab__add(&tab, ""), 0);
	for (int i = 0; i < 3000; i++) {
		snprintf(text, sizeof(text), "name%d", i % 1000);
		CHECK_EQ(strtab__add(&tab, text), 1 + i % 1000);
	}
	CHECK_EQ(strtab__intern(&tab, "name7-and-more", 5), 8);
	CHECK_STR(strtab__get(&tab, 8), "name7");
	CHECK_EQ(strtab__find(&tab, "name7-"), ID_NONE);
	strtab__exit(&tab);
}

TEST(strtab_gives_ids_of_what_it_forgot_again)
{
	struct strtab tab;
	u8 used[1001] = { 0 };
	char text[32];

	strtab__init(&tab);
	for (int round = 0; round < 3; round++)
		for (u32 i = 1; i <= 1000; i++) {
			snprintf(text, sizeof(text), "round%d-%u", round * (i % 2), i);
			u32 id = strtab__add(&tab, text);

			CHECK(id && id <= 1000);
			CHECK_STR(strtab__get(&tab, id), text);
			used[id] = i % 2 == 0;
			if (i == 1000)
				strtab__keep(&tab, used);
		}
	CHECK_EQ(tab.nr, 1001);
	CHECK_EQ(strtab__find(&tab, ""), 0);
	CHECK_EQ(strtab__find(&tab, "round2-1"), ID_NONE);
	CHECK_STR(strtab__get(&tab, strtab__find(&tab, "round0-2")), "round0-2");
	strtab__exit(&tab);
}

TEST(u64map_keeps_what_was_put)
{
	struct u64map map = U64MAP_INIT;

	CHECK_EQ(u64map__get(&map, 5), ID_NONE);
	for (u64 i = 0; i < 10000; i++)
		*u64map__at(&map, i << 32) = i;
	for (u64 i = 0; i < 10000; i++)
		CHECK_EQ(u64map__get(&map, i << 32), i);
	CHECK_EQ(u64map__get(&map, 1), ID_NONE);
	*u64map__at(&map, ~0ull) = 7;
	CHECK_EQ(u64map__get(&map, ~0ull), 7);
	u64map__exit(&map);
}

struct known {
	u64 key;
	u64 value;
};

TEST(direct_map_keeps_the_last_of_each_place)
{
	const size_t size = sizeof(struct known);
	struct direct_map map;
	u32 nr_kept = 0;

	direct_map__init(&map, 32768, size);
	CHECK_EQ(((struct known *)direct_map__at(&map, 7, size))->key, 0);
	CHECK_EQ(map.nr, 1);
	for (u64 key = 1; key <= 40000; key++)
		*(struct known *)direct_map__make(&map, key, size) = (struct known){ key, ~key };
	for (u64 key = 1; key <= 40000; key++) {
		const struct known *known = direct_map__at(&map, key, size);

		if (known->key == key && known->value == ~key)
			nr_kept++;
		else
			CHECK_EQ(known->key, key + 32768);
	}
	CHECK_EQ(nr_kept, 32768);
	CHECK_EQ(map.nr, 32768 + 1);
	direct_map__clear(&map);
	CHECK_EQ(((struct known *)direct_map__at(&map, 40000, size))->key, 0);
	CHECK_EQ(((struct known *)direct_map__at(&map, 0, size))->key, 0);
	direct_map__exit(&map);
}

TEST(cursor_never_reads_past_its_end)
{
	const u8 bytes[] = { 1, 2, 3, 4, 5, 'a', 0 };
	struct cursor c = cursor__make(bytes, sizeof(bytes), false);

	CHECK_EQ(cursor__u32(&c), 0x04030201);
	CHECK_EQ(cursor__u32(&c), 0);
	CHECK(c.failed);
	c = cursor__make(bytes, sizeof(bytes), true);
	CHECK_EQ(cursor__u32(&c), 0x01020304);
	CHECK_EQ(cursor__u8(&c), 5);
	CHECK_STR(cursor__str(&c, 2), "a");
	CHECK(!c.failed);
	c = cursor__make("abc", 3, false);
	CHECK_STR(cursor__str(&c, 3), "");
	CHECK(c.failed);
}

TEST(out_formats_as_printf_does)
{
	struct out out;
	char want[256];
	static const u64 values[] = { 0, 9, 10, 99, 100, 12345, 99999999, ~0ull };

	for (unsigned i = 0; i < ARRAY_SIZE(values); i++) {
		unsigned long long v = values[i];

		out__init(&out, -1);
		out__dec(&out, v, 7);
		out__dec0(&out, v, 5);
		out__hex(&out, v, 16);
		out__hex0(&out, v, 3);
		snprintf(want, sizeof(want), "%7llu%05llu%16llx%03llx", v, v, v, v);
		CHECK_STR(out__take(&out), want);
		out__exit(&out);
	}
	out__init(&out, -1);
	out__percent(&out, 1, 3, 2, 8);
	out__sdec(&out, -42);
	out__name(&out, "a\033[31m\n");
	out__right(&out, "b\tc", 4);
	out__left(&out, "d\177", 3);
	out__char(&out, '|');
	CHECK_STR(out__take(&out), "   33.33-42a?[31m? b?cd? |");
	out__exit(&out);
}

/* Shares of all sizes, and those that lie between two hundredths: as printf prints them. */
TEST(out_percent_is_printf)
{
	u64 seed = 1;
	struct out out;

	out__init(&out, -1);
	for (unsigned i = 0; i < 300000; i++) {
		u64 whole, part;
		char want[64];

		seed = hash__u64(seed + i);
		whole = i % 3 ? seed >> seed % 64 : 20000u << i % 8; /* whole / 20000: a half */
		part = i % 3 ? hash__u64(seed) >> seed % 61 : (2 * (i / 24) + 1) << i % 8;
		snprintf(want, sizeof(want), "%8.2f",
		         whole ? 100.0 * (double)part / (double)whole : 0.0);
		out.len = 0;
		out__percent(&out, part, whole, 2, 8);
		CHECK_STR(out__take(&out), want);
	}
	out__exit(&out);
}

TEST(a_field_is_quoted_where_it_would_not_be_one)
{
	static const struct {
		const char *text, *separator, *want;
	} rows[] = {
		{ "a b", ",", "a b" },
		{ "a,b", ",", "\"a,b\"" },
		{ "a,b", ";", "a,b" },
		{ "\"a", ",", "\"\"\"a\"" },
		{ "a\"b", ",", "a\"b" },
		{ "a\",\"b\033", ",", "\"a\"\",\"\"b?\"" },
		{ "a::b:", "::", "\"a::b:\"" },
		{ "", ",", "" },
		{ "a", "", "a" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct out out;

		out__init(&out, -1);
		out__field(&out, rows[i].text, rows[i].separator);
		CHECK_STR(out__take(&out), rows[i].want);
		out__exit(&out);
	}
}

/* Each byte at each place of names of each length, against what is asked byte by byte. */
TEST(no_control_character_of_a_name_is_printed)
{
	char name[32], want[32];
	struct out out;

	out__init(&out, -1);
	for (unsigned len = 1; len <= 26; len++)
		for (unsigned at = 0; at < len; at++)
			for (unsigned c = 1; c < 256; c++) {
				memset(name, 'n', len);
				name[at] = c;
				name[len] = '\0';
				memcpy(want, name, sizeof(want));
				want[at] = c < 0x20 || (c >= 0x7f && c < 0xa0) ? '?' : c;
				out__name(&out, name);
				CHECK_STR(out__take(&out), want);
				out.len = 0;
				CHECK_EQ(text__is_printable(name, len), want[at] == name[at]);
			}
	out__exit(&out);
	CHECK(text__is_printable("", 0));
	CHECK(text__is_printable("\xc3\xa4 \xa0\xff~ ", 7));
	CHECK(!text__is_printable("1234567\n", 8));
	CHECK(text__is_printable("1234567\n", 7));
}

TEST(error_text_has_all_parts_and_no_control_characters)
{
	struct error err = ERROR_INIT;
	char buf[1024];

	CHECK_EQ(error__set(&err, -ENOENT, "cannot open", "a\nb", NULL), -ENOENT);
	CHECK_STR(error__text(&err, buf, sizeof(buf)),
	          "cannot open 'a?b': No such file or directory");
	error__advise(&err, "try %s", "this");
	CHECK_STR(error__text(&err, buf, sizeof(buf)),
	          "cannot open 'a?b': No such file or directory\ntry this");
	CHECK_EQ(error__set(NULL, -EINVAL, "x", NULL, NULL), -EINVAL);
}

TEST(text_masks_what_terminals_act_on)
{
	static const char *const names[][2] = {
		{ "a\033[31m\n\x7f", "a?[31m??" },
		{ "gr\xc3\xb6\xc3\x9f"
		  "e",
		  "gr\xc3\xb6\xc3\x9f"
		  "e" },
		{ "c1 \xc2\x9b"
		  "31m",
		  "c1 ??31m" },
		{ "c1 \x9b"
		  "31m\x85",
		  "c1 ?31m?" },
		{ "\xc2\xa0 \xe4 \xff", "\xc2\xa0 \xe4 \xff" },
		{ "\xf0\x9f\x98\x80", "\xf0\x9f\x98\x80" },
		{ "\xe2\x9b", "\xe2?" },
		{ "\xe2\x80\xaa\xe2\x80\xaby\xe2\x81\xa6\xe2\x81\xa9", "??????y??????" },
		{ "\xe2\x80\xa9\xe2\x80\xaf.\xe2\x81\xa5\xe2\x81\xaa",
		  "\xe2\x80\xa9\xe2\x80\xaf.\xe2\x81\xa5\xe2\x81\xaa" },
		{ "main\xe2\x80\xaeniam", "main???niam" },
		{ "", "" },
	};
	char text[32], cut[5];
	struct out out;

	for (unsigned i = 0; i < ARRAY_SIZE(names); i++) {
		CHECK_STR(text__printable(text, sizeof(text), names[i][0]), names[i][1]);
		out__init(&out, -1);
		out__name(&out, names[i][0]);
		CHECK_STR(out__take(&out), names[i][1]);
		out__exit(&out);
	}
	CHECK_STR(text__printable(cut, sizeof(cut), "a\033c\033e"), "a?c?");
}
TEST(text_parses_whole_numbers_only)
{
	u64 v = 1;

	CHECK_EQ(text__parse_u64("0x10", &v), 0);
	CHECK_EQ(v, 16);
	CHECK_EQ(text__parse_u64("12k", &v), -EINVAL);
	CHECK_EQ(text__parse_u64("-1", &v), -EINVAL);
	CHECK_EQ(text__parse_u64("", &v), -EINVAL);
	CHECK_EQ(text__parse_u64("99999999999999999999", &v), -ERANGE);
	CHECK_EQ(v, 16);
}

TEST(text_glob_matches_like_a_shell)
{
	CHECK(text__glob("sched:*", "sched:sched_switch"));
	CHECK(text__glob("*a*b*", "xxaxxbxx"));
	CHECK(text__glob("[a-c]?[!x]", "bzy"));
	CHECK(!text__glob("[a-c]?[!x]", "bzx"));
	CHECK(!text__glob("abc", "abcd"));
	CHECK(!text__glob("", "a"));
	CHECK(text__glob("*", ""));
}

TEST(text_distance_counts_edits)
{
	CHECK_EQ(text__distance("cycles", "cycles"), 0);
	CHECK_EQ(text__distance("cycels", "cycles"), 1);
	CHECK_EQ(text__distance("", "abc"), 3);
	CHECK_EQ(text__distance("recrod", "report"), 3);
}

static void count_worker(void *ctx, unsigned worker)
{
	__atomic_fetch_add((unsigned *)ctx, worker + 1, __ATOMIC_RELAXED);
}

TEST_WITH_THREADS(workers_run_each_once)
{
	unsigned sum = 0;

	workers__run(7, count_worker, &sum);
	CHECK_EQ(sum, 28);
}

TEST(file_is_read_at_an_offset_or_ends_before)
{
	char *path = write_test_file("at", "0123456789", 10), buf[8];
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	CHECK_EQ(file__read_at(fd, buf, 4, 3), 0);
	CHECK(!memcmp(buf, "3456", 4));
	CHECK_EQ(file__read_at(fd, buf, 4, 6), 0);
	CHECK_EQ(file__read_at(fd, buf, 4, 7), -ENODATA);
	CHECK_EQ(file__read_at(fd, buf, 0, 1000), 0);
	CHECK_EQ(file__read_at(fd, buf, 1, UINT64_MAX), -ENODATA);
	close(fd);
	CHECK_EQ(file__read_at(-1, buf, 1, 0), -EBADF);
	free(path);
}
