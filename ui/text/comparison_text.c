// SPDX-License-Identifier: GPL-2.0-or-later
#include "ui/text/comparison_text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "ui/text/table.h"

static char letter(u32 command)
{
	return 'A' + command;
}

/* Half the width of the interval, in percent. */
static double half_width(const struct comparison_result *result)
{
	return 50 * (result->high - result->low);
}

static const char *verdict_word(const struct comparison_figure *figure,
                                enum comparison_verdict verdict)
{
	switch (verdict) {
	case COMPARISON_LESS:
		return figure->is_time ? "faster" : "less";
	case COMPARISON_MORE:
		return figure->is_time ? "slower" : "more";
	case COMPARISON_ALIKE:
		return "alike";
	case COMPARISON_NONE:
		break;
	}
	return "unknown";
}

static double percent_of(const struct comparison_result *result)
{
	return 100 * fabs(result->ratio - 1);
}

static struct cell value_of(const struct comparison_figure *figure, double value, int decimals)
{
	return figure->supported ? cell__real(value * figure->scale, decimals)
	                         : cell__mark("<not supported>");
}

static void print_row(const struct comparison_text *text, u32 command, u32 at,
                      const struct table *table, struct out *out)
{
	const struct comparison_figure *figure = &text->figures[at];
	struct comparison_result result = comparison__result(text->comparison, command, at);
	bool differs = result.verdict == COMPARISON_LESS || result.verdict == COMPARISON_MORE;
	const struct cell none = { CELL_NONE };
	char interval[128];

	snprintf(interval, sizeof(interval), "[%.4f, %.4f]", result.low, result.high);
	table__print_row(table, out,
	                 (struct cell[]){
	                         cell__text(figure->name),
	                         cell__text(figure->unit),
	                         value_of(figure, result.reference, figure->decimals),
	                         value_of(figure, result.median, figure->decimals),
	                         result.has_ratio ? cell__real(result.ratio, 4) : none,
	                         result.has_interval ? cell__mark(interval) : none,
	                         differs ? cell__mark(verdict_word(figure, result.verdict)) : none,
	                 });
}

static void print_rows(const struct comparison_text *text, u32 command, struct out *out)
{
	char name[] = { letter(command), '\0' }, ratio[] = "median A/A";
	const struct table_column columns[] = {
		{ NULL, 24, 0, TABLE_RIGHT },  { NULL, 4, 1, TABLE_LEFT },
		{ "A", 15, 1, TABLE_RIGHT },   { name, 15, 1, TABLE_RIGHT },
		{ ratio, 11, 1, TABLE_RIGHT }, { "[99 % interval]", 0, 2, TABLE_LEFT },
		{ NULL, 0, 2, TABLE_LEFT }, /* the verdict */
	};
	struct table table = { columns, ARRAY_SIZE(columns) - 1 };

	ratio[strlen("median ")] = letter(command);
	table__print_heading(&table, out);
	table.nr++;
	for (u32 figure = 0; figure < text->comparison->nr_figures; figure++)
		print_row(text, command, figure, &table, out);
	out__char(out, '\n');
}

static void print_commands(const struct comparison_text *text, struct out *out)
{
	const struct comparison *c = text->comparison;

	out__printf(out, "\n Comparison of %u commands, %u rounds in random order:\n\n",
	            c->nr_commands, c->nr_rounds);
	for (u32 i = 0; i < c->nr_commands; i++) {
		out__printf(out, "   %c: ", letter(i));
		out__name(out, text->commands[i]);
		out__char(out, '\n');
	}
	out__char(out, '\n');
}

static void print_outliers(const struct comparison_text *text, u32 command, u32 nr, struct out *out)
{
	if (nr)
		out__printf(
		        out,
		        " %c: %u of %u runs lie far from the others (a busy machine?); they count "
		        "by their rank only.\n",
		        letter(command), nr, text->comparison->nr_rounds);
}

static void print_verdict(const struct comparison_text *text, u32 command, struct out *out)
{
	const struct comparison_figure *figure = &text->figures[text->headline];
	struct comparison_result result =
	        comparison__result(text->comparison, command, text->headline);
	char name = letter(command);

	out__char(out, ' ');
	if (result.verdict == COMPARISON_NONE) {
		out__printf(out, "Nothing can be said about %c and A: %s\n", name,
		            text->comparison->nr_rounds < COMPARISON_LEAST_ROUNDS
		                    ? "8 rounds are needed at least (-r)"
		                    : "too little was counted");
	} else if (result.verdict == COMPARISON_ALIKE) {
		out__printf(out,
		            "%c and A do not differ in %s; no difference above %.1f %% could have "
		            "been missed\n",
		            name, figure->name, 100 * result.seen);
	} else {
		out__printf(out, "%c is %.1f %% +- %.1f %% %s than A (%s)\n", name,
		            percent_of(&result), half_width(&result),
		            figure->is_time ? verdict_word(figure, result.verdict)
		            : result.verdict == COMPARISON_MORE ? "higher"
		                                                : "lower",
		            figure->name);
	}
}

void comparison_text__table(const struct comparison_text *text, struct out *out)
{
	const struct comparison *c = text->comparison;

	print_commands(text, out);
	for (u32 command = 1; command < c->nr_commands; command++)
		print_rows(text, command, out);
	if (c->nr_warm_up)
		out__printf(out,
		            " The first %u round%s took far longer (warming up) and %s left out.\n",
		            c->nr_warm_up, c->nr_warm_up > 1 ? "s" : "",
		            c->nr_warm_up > 1 ? "are" : "is");
	for (u32 command = 1; command < c->nr_commands; command++) {
		struct comparison_result result = comparison__result(c, command, text->headline);

		if (command == 1)
			print_outliers(text, 0, result.nr_reference_outliers, out);
		print_outliers(text, command, result.nr_outliers, out);
	}
	if (text->narrower)
		out__printf(
		        out,
		        " Judged by %s, whose interval is %.0f times narrower than that of %s.\n",
		        text->figures[text->headline].name, text->narrower, text->figures[0].name);
	for (u32 command = 1; command < c->nr_commands; command++)
		print_verdict(text, command, out);
	out__char(out, '\n');
}

/* Of JSON; -x has a letter for the command before them, and not all. */
static const char *const keys[] = {
	"event",  "unit",           "reference",          "command",    "reference-median",
	"median", "ratio",          "ratio-low",          "ratio-high", "confidence",
	"rounds", "warm-up-rounds", "reference-outliers", "outliers",   "verdict",
};

static struct cell optional(bool has, double value, int decimals)
{
	return has ? cell__real(value, decimals) : cell__mark("");
}

/* A line for each command but the first, and figure. */
static void print_lines(const struct comparison_text *text, bool json, struct out *out)
{
	const struct comparison *c = text->comparison;
	const struct cell none = { CELL_NONE };
	int decimals = json ? -9 : 6;

	for (u32 i = c->nr_figures; i < c->nr_figures * c->nr_commands; i++) {
		const struct comparison_figure *figure = &text->figures[i % c->nr_figures];
		u32 command = i / c->nr_figures;
		struct comparison_result result = comparison__result(c, command, i % c->nr_figures);
		const char name[] = { letter(command), '\0' };
		const struct cell row[1 + ARRAY_SIZE(keys)] = {
			cell__mark(name),
			cell__text(figure->name),
			cell__text(figure->unit),
			json ? cell__text(text->commands[0]) : none,
			json ? cell__text(text->commands[command]) : none,
			value_of(figure, result.reference, decimals),
			value_of(figure, result.median, decimals),
			optional(result.has_ratio, result.ratio, decimals),
			optional(result.has_interval, result.low, decimals),
			optional(result.has_interval, result.high, decimals),
			json ? cell__real(COMPARISON_CONFIDENCE, 2) : none,
			cell__number(c->nr_rounds),
			json ? cell__number(c->nr_warm_up) : none,
			json ? cell__number(result.nr_reference_outliers) : none,
			json ? cell__number(result.nr_outliers) : none,
			cell__text(verdict_word(figure, result.verdict)),
		};

		if (json) {
			out__char(out, '{');
			table__print_members(out, keys, row + 1, ARRAY_SIZE(keys), " : ");
			out__char(out, '}');
		} else {
			table__print_fields(out, row, ARRAY_SIZE(row), text->separator);
		}
		out__char(out, '\n');
	}
}

void comparison_text__csv(const struct comparison_text *text, struct out *out)
{
	print_lines(text, false, out);
}

void comparison_text__json(const struct comparison_text *text, struct out *out)
{
	print_lines(text, true, out);
}
