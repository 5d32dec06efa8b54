// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/stat/comparison.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "util/lib/alloc.h"

#define WARM_UP_MAX   3
#define WARM_UP_SHARE 0.05 /* above the median; less is not worth a word */
#define FAR_OUT       3
#define FIRST_LOOK    10 /* rounds */

static struct series *series_of(const struct comparison *c, u32 command, u32 figure)
{
	return &c->series[(size_t)command * c->nr_figures + figure];
}

void comparison__init(struct comparison *c, u32 nr_commands, u32 nr_figures)
{
	*c = (struct comparison){ .nr_commands = nr_commands,
		                  .nr_figures = nr_figures,
		                  .next_look = FIRST_LOOK };
	c->series = xcalloc((size_t)nr_commands * nr_figures, sizeof(*c->series));
}

void comparison__exit(struct comparison *c)
{
	for (u32 i = 0; i < c->nr_commands * c->nr_figures; i++)
		series__exit(&c->series[i]);
	free(c->series);
	*c = (struct comparison){ .nr_commands = 0 };
}

void comparison__add(struct comparison *c, u32 command, u32 figure, double value)
{
	series__add(series_of(c, command, figure), value);
}

/* Where a round was cut short (^C) it has no part. */
void comparison__end_round(struct comparison *c)
{
	c->nr_rounds++;
}

u32 comparison__drop_warm_up(struct comparison *c, u32 figure)
{
	u32 most = 0;

	for (u32 command = 0; command < c->nr_commands && !c->nr_warm_up; command++) {
		u32 nr = series__warm_up(series_of(c, command, figure), WARM_UP_SHARE, WARM_UP_MAX);

		most = nr > most ? nr : most;
	}
	for (u32 i = 0; most && i < c->nr_commands * c->nr_figures; i++) {
		struct series *series = &c->series[i];

		series->nr -= most;
		memmove(series->values, series->values + most,
		        series->nr * sizeof(*series->values));
	}
	c->nr_rounds -= most;
	c->nr_warm_up += most;
	return c->nr_warm_up;
}

/* The rounds in which it was counted. */
static struct series counted(const struct comparison *c, u32 command, u32 figure)
{
	const struct series *all = series_of(c, command, figure);
	struct series series = { .nr = 0 };

	for (u32 i = 0; i < c->nr_rounds && i < all->nr; i++)
		if (!isnan(all->values[i]))
			series__add(&series, all->values[i]);
	return series;
}

static struct series log_ratios(const struct comparison *c, u32 command, u32 figure)
{
	const struct series *of = series_of(c, command, figure), *by = series_of(c, 0, figure);
	struct series series = { .nr = 0 };

	for (u32 i = 0; i < c->nr_rounds && i < of->nr && i < by->nr; i++)
		if (of->values[i] > 0 && by->values[i] > 0)
			series__add(&series, log(of->values[i] / by->values[i]));
	return series;
}

static void judge(struct comparison_result *result)
{
	result->seen = fmax(fabs(result->high - 1), fabs(result->low - 1));
	result->verdict = result->high < 1  ? COMPARISON_LESS
	                  : result->low > 1 ? COMPARISON_MORE
	                                    : COMPARISON_ALIKE;
}

struct comparison_result comparison__result(const struct comparison *c, u32 command, u32 figure)
{
	struct comparison_result result = { .verdict = COMPARISON_NONE };
	struct series own = counted(c, command, figure), first = counted(c, 0, figure);
	struct series ratios = log_ratios(c, command, figure);
	struct interval interval = { 0, 0 };
	double centre = 0;

	result.median = series__median(&own);
	result.reference = series__median(&first);
	result.nr_outliers = series__outliers(&own, FAR_OUT);
	result.nr_reference_outliers = series__outliers(&first, FAR_OUT);
	if (ratios.nr) {
		result.has_ratio = true;
		result.has_interval =
		        series__centre(&ratios, COMPARISON_CONFIDENCE, &centre, &interval);
		result.ratio = exp(centre);
	}
	if (result.has_interval) {
		result.low = exp(interval.low);
		result.high = exp(interval.high);
		judge(&result);
	}
	series__exit(&own);
	series__exit(&first);
	series__exit(&ratios);
	return result;
}

bool comparison__is_precise(const struct comparison *c, u32 figure, double precision)
{
	for (u32 command = 1; command < c->nr_commands; command++) {
		struct comparison_result result = comparison__result(c, command, figure);

		if (!result.has_interval || (result.high - result.low) / 2 > precision)
			return false;
	}
	return true;
}

double comparison__times_narrower(const struct comparison *c, u32 figure, u32 than)
{
	double least = INFINITY;

	for (u32 command = 1; command < c->nr_commands; command++) {
		struct comparison_result narrow = comparison__result(c, command, figure);
		struct comparison_result wide = comparison__result(c, command, than);

		if (!narrow.has_interval || !wide.has_interval || !(narrow.high > narrow.low))
			return 0;
		least = fmin(least, (wide.high - wide.low) / (narrow.high - narrow.low));
	}
	return isfinite(least) ? least : 0;
}

bool comparison__may_stop(struct comparison *c, u32 figure, double precision)
{
	if (c->nr_rounds < c->next_look)
		return false;
	c->next_look = c->nr_rounds + (c->nr_rounds + 7) / 8;
	return comparison__is_precise(c, figure, precision);
}
