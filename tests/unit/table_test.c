// SPDX-License-Identifier: GPL-2.0-or-later
/* Rows of cells as columns, as fields and as JSON, to the last blank. */
#include "ui/text/table.h"

#include "tests/unit/unit.h"
#include "ui/term/color.h"

static const struct table_column columns[] = {
	{ "share", 7, 2, TABLE_RIGHT },
	{ "nr", 4, 1, TABLE_RIGHT },
	{ "name", 6, 2, TABLE_LEFT },
	{ "why", 0, 1, TABLE_LEFT },
};

static void check_row(const struct table *table, const struct cell *row, const char *want)
{
	struct out out;

	out__init(&out, -1);
	table__print_row(table, &out, row);
	CHECK_STR(out__take(&out), want);
	out__exit(&out);
}

static void check_heading(const struct table *table, const char *want)
{
	struct out out;

	out__init(&out, -1);
	table__print_heading(table, &out);
	table__print_rules(table, &out);
	CHECK_STR(out__take(&out), want);
	out__exit(&out);
}

static const char *const keys[] = { "a", "b", NULL, "c" };

static void check_members(const struct cell *row, u32 nr, const char *want)
{
	struct out out;

	out__init(&out, -1);
	table__print_members(&out, keys, row, nr, ": ");
	CHECK_STR(out__take(&out), want);
	out__exit(&out);
}

TEST(table_aligns_cells_and_headings)
{
	const struct table table = { columns, 4, .prefix = "# " };

	check_heading(&table, "#   share   nr  name   why\n"
	                      "# ....... ....  ...... \n");
	check_row(&table,
	          (struct cell[]){ cell__percent(1, 8), cell__number(7), cell__text("ab"),
	                           cell__mark("?") },
	          "   12.50%    7  ab     ?\n");
	check_row(&table,
	          (struct cell[]){
	                  cell__mark("?"), cell__signed(-1), { CELL_EMPTY }, { CELL_EMPTY } },
	          "        ?   -1         \n");
}

TEST(table_lets_long_cells_push_the_rest)
{
	const struct table table = { columns, 4 };

	check_row(&table,
	          (struct cell[]){ cell__percent(0, 0), cell__number(123456),
	                           cell__text("ab c d e f"), cell__text("x") },
	          "    0.00% 123456  ab c d e f x\n");
}

TEST(table_leaves_out_what_is_hidden_or_not_there)
{
	struct table_column some[ARRAY_SIZE(columns)];
	const struct table table = { some, 4, .prefix = "#" };
	const struct cell row[] = {
		cell__text("a"), cell__number(7), { CELL_NONE }, cell__text("x")
	};

	memcpy(some, columns, sizeof(some));
	some[0].hidden = true;
	check_heading(&table, "#  nr  name   why\n#....  ...... \n");
	check_row(&table, row, "    7 x\n");
}

TEST(table_is_as_wide_as_its_cells)
{
	struct table_column some[] = { { "PID", 0, 2, TABLE_RIGHT },
		                       { "command", 0, 2, TABLE_LEFT },
		                       { "fixed", 6, 1, TABLE_LEFT, .fixed = true },
		                       { "symbol", 0, 2, TABLE_LEFT, .ragged = true } };
	const struct table table = { some, 4, .prefix = "# " };
	const struct cell wide[] = { cell__signed(-1234), cell__text("a command"),
		                     cell__text("not measured"), cell__text("main (x)") };
	const struct cell narrow[] = { cell__number(1), cell__text("b"), cell__text("c"),
		                       cell__text("d") };

	table__measure_headings(some, 4);
	CHECK_EQ(some[0].width, 3);
	CHECK_EQ(some[1].width, 7);
	table__measure(some, 4, narrow);
	CHECK_EQ(some[0].width, 3);
	table__measure(some, 4, wide);
	check_heading(&table, "#   PID  command   fixed   symbol  \n"
	                      "# .....  ......... ......  ........\n");
	check_row(&table, wide, "  -1234  a command not measured  main (x)\n");
	check_row(&table, narrow, "      1  b         c       d\n");
}

TEST(table_measures_bytes_and_masks_control_characters)
{
	struct table_column some[] = { { "name", 0, 0, TABLE_LEFT },
		                       { "name", 5, 1, TABLE_RIGHT } };
	const struct table table = { some, 2 };

	table__measure(some, 2,
	               (struct cell[]){ cell__text("h\xc3\xa9t\xc3\xa9"), { CELL_EMPTY } });
	CHECK_EQ(some[0].width, 6);
	check_row(&table, (struct cell[]){ cell__text("\x1b[31m"), cell__text("\xc3\xa9\n") },
	          "?[31m    \xc3\xa9?\n");
}

TEST(table_without_columns_or_headings)
{
	const struct table none = { columns, 0, .prefix = "# " };
	const struct table_column bare[] = { { .width = 3, .gap = 1 }, { .gap = 1 } };
	const struct table table = { bare, 2 };

	check_heading(&none, "\n\n");
	check_row(&none, NULL, "\n");
	check_members(NULL, 0, "");
	check_heading(&table, "     \n ... \n");
}

TEST(table_replaces_separators)
{
	static const struct table_column padded[] = {
		{ "Overhead", 8, 2, TABLE_AFTER_BLANK },
		{ "Command", 7, 2, TABLE_LEFT },
		{ "Symbol", 8, 2, TABLE_LEFT, .ragged = true },
	};
	const struct cell row[] = { cell__percent(1, 2), cell__text("a:b"), cell__text("c::d") };
	struct table table = { padded, 3, .prefix = "# ", .separator = ":" };

	check_heading(&table, "# Overhead:Command:Symbol  \n# ........:.......:........\n");
	check_row(&table, row, " 50.00% :a.b    :c..d\n");
	table.separator = "::"; /* stays where it is: it would not be replaced by one dot */
	check_row(&table, row, " 50.00% ::a:b    ::c::d\n");
}

static void check_fields(const struct cell *row, u32 nr, const char *separator, const char *want)
{
	struct out out;

	out__init(&out, -1);
	table__print_fields(&out, row, nr, separator);
	CHECK_STR(out__take(&out), want);
	out__exit(&out);
}

TEST(table_quotes_fields)
{
	const struct cell row[] = {
		cell__text("x,\"y\""), cell__mark("<a,b>"), { CELL_EMPTY },
		{ CELL_NONE },         cell__real(0.5, 6),  cell__text("\x1b")
	};

	check_fields(row, 6, ",", "\"x,\"\"y\"\"\",<a,b>,,0.500000,?");
	check_fields(row, 6, "; ", "x,\"y\"; <a,b>; ; 0.500000; ?");
	check_fields(row + 3, 2, ",", "0.500000");
	check_fields(row, 0, ",", "");
}

TEST(table_colours_percentages)
{
	const struct table table = { columns, 1, .colored = true };

	check_row(&table, (struct cell[]){ cell__percent(1, 2) },
	          "  " COLOR_RED " 50.00%" COLOR_RESET "\n");
}

TEST(table_numbers)
{
	static const struct table_column times[] = { { NULL, 12, 0, TABLE_RIGHT },
		                                     { NULL, 0, 1, TABLE_RIGHT },
		                                     { NULL, 6, 1, TABLE_RIGHT } };
	const struct table table = { times, 3 };

	check_row(&table,
	          (struct cell[]){ cell__time(1000000007, 9), cell__time(1299999999, 1),
	                           cell__real(-2.345, 2) },
	          " 1.000000007 1.2  -2.35\n");
}

TEST(table_members_by_kind)
{
	const struct cell numbers[] = { cell__number(UINT64_MAX), cell__signed(INT64_MIN),
		                        cell__text("no key"), cell__time(5, 9) };
	const struct cell reals[] = {
		cell__percent(1, 3), cell__real(1 / 3.0, -9), { CELL_EMPTY }, cell__real(1 / 0.0, 2)
	};
	const struct cell texts[] = {
		{ CELL_NONE }, cell__mark("?"), { CELL_NONE }, cell__text("a\"\\\n\xff")
	};

	check_members(numbers, 4,
	              "\"a\": 18446744073709551615, \"b\": -9223372036854775808, "
	              "\"c\": 0.000000005");
	check_members(reals, 4, "\"a\": 33.33, \"b\": 0.333333333, \"c\": null");
	check_members(texts, 4, "\"b\": null, \"c\": \"a\\\"\\\\\\u000a\\ufffd\"");
	check_members(&(struct cell){ CELL_EMPTY }, 1, "");
	check_members(&(struct cell){ .kind = CELL_RANGE, .low = 1 / 3.0, .high = 100 }, 1,
	              "\"a\": [0.33, 100.00]");
}

TEST(table_objects_of_an_array)
{
	struct out out;

	out__init(&out, -1);
	for (u32 i = 0; i < 2; i++)
		table__print_object(&out, keys, (struct cell[]){ cell__number(i) }, 1, i);
	CHECK_STR(out__take(&out), "\n  {\"a\": 0},\n  {\"a\": 1}");
	out__exit(&out);
}
