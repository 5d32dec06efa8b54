// SPDX-License-Identifier: GPL-2.0-or-later
#include "ui/text/comparison_text.h"

#include <math.h>
#include <stdio.h>

#include "util/lib/json.h"

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

static void print_value(const struct comparison_figure *figure, double value, struct out *out)
{
	if (figure->supported)
		out__printf(out, " %15.*f", figure->decimals, value * figure->scale);
	else
		out__printf(out, " %15s", "<not supported>");
}

static void print_row(const struct comparison_text *text, u32 command, u32 at, struct out *out)
{
	const struct comparison_figure *figure = &text->figures[at];
	struct comparison_result result = comparison__result(text->comparison, command, at);

	out__right(out, figure->name, 24);
	out__char(out, ' ');
	out__left(out, figure->unit, 4);
	print_value(figure, result.reference, out);
	print_value(figure, result.median, out);
	if (result.has_ratio)
		out__printf(out, " %11.4f", result.ratio);
	if (result.has_interval)
		out__printf(out, "  [%.4f, %.4f]", result.low, result.high);
	if (result.verdict == COMPARISON_LESS || result.verdict == COMPARISON_MORE)
		out__printf(out, "  %s", verdict_word(figure, result.verdict));
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
	for (u32 command = 1; command < c->nr_commands; command++) {
		out__printf(out, "%29s %15s %15c  median %c/A  [99 %% interval]\n", "", "A",
		            letter(command), letter(command));
		for (u32 figure = 0; figure < c->nr_figures; figure++)
			print_row(text, command, figure, out);
		out__char(out, '\n');
	}
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

void comparison_text__csv(const struct comparison_text *text, struct out *out)
{
	const struct comparison *c = text->comparison;
	const char *s = text->separator;

	for (u32 i = c->nr_figures; i < c->nr_figures * c->nr_commands; i++) {
		const struct comparison_figure *figure = &text->figures[i % c->nr_figures];
		struct comparison_result result =
		        comparison__result(c, i / c->nr_figures, i % c->nr_figures);

		out__printf(out, "%c%s", letter(i / c->nr_figures), s);
		out__field(out, figure->name, s);
		out__printf(out, "%s%s%s", s, figure->unit, s);
		if (figure->supported)
			out__printf(out, "%f%s%f", result.reference * figure->scale, s,
			            result.median * figure->scale);
		else
			out__printf(out, "<not supported>%s<not supported>", s);
		out__str(out, s);
		if (result.has_ratio)
			out__printf(out, "%f", result.ratio);
		out__str(out, s);
		if (result.has_interval)
			out__printf(out, "%f%s%f", result.low, s, result.high);
		else
			out__str(out, s);
		out__printf(out, "%s%u%s%s\n", s, c->nr_rounds, s,
		            verdict_word(figure, result.verdict));
	}
}

static void print_member(struct out *out, const char *name, bool has, double value)
{
	out__printf(out, "\"%s\" : ", name);
	if (has && isfinite(value))
		out__printf(out, "%.9g, ", value);
	else
		out__str(out, "null, ");
}

void comparison_text__json(const struct comparison_text *text, struct out *out)
{
	const struct comparison *c = text->comparison;

	for (u32 i = c->nr_figures; i < c->nr_figures * c->nr_commands; i++) {
		const struct comparison_figure *figure = &text->figures[i % c->nr_figures];
		u32 command = i / c->nr_figures;
		struct comparison_result result = comparison__result(c, command, i % c->nr_figures);

		out__str(out, "{\"event\" : ");
		json__string(out, figure->name);
		out__str(out, ", \"unit\" : ");
		json__string(out, figure->unit);
		out__str(out, ", \"reference\" : ");
		json__string(out, text->commands[0]);
		out__str(out, ", \"command\" : ");
		json__string(out, text->commands[command]);
		out__str(out, ", ");
		print_member(out, "reference-median", figure->supported,
		             result.reference * figure->scale);
		print_member(out, "median", figure->supported, result.median * figure->scale);
		print_member(out, "ratio", result.has_ratio, result.ratio);
		print_member(out, "ratio-low", result.has_interval, result.low);
		print_member(out, "ratio-high", result.has_interval, result.high);
		out__printf(
		        out,
		        "\"confidence\" : %.2f, \"rounds\" : %u, \"warm-up-rounds\" : %u, "
		        "\"reference-outliers\" : %u, \"outliers\" : %u, \"verdict\" : \"%s\"}\n",
		        COMPARISON_CONFIDENCE, c->nr_rounds, c->nr_warm_up,
		        result.nr_reference_outliers, result.nr_outliers,
		        verdict_word(figure, result.verdict));
	}
}
