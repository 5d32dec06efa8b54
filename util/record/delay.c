// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/record/delay.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/lib/alloc.h"
#include "util/lib/text.h"

#define MAX_MS (1000ull * 1000 * 86400) /* a thousand days */

void record_delay__exit(struct record_delay *delay)
{
	free(delay->steps);
	*delay = (struct record_delay){ .nr = 0 };
}

static void add_step(struct record_delay *delay, u64 at_ms, bool enable)
{
	array__reserve(&delay->steps, &delay->cap, delay->nr + 1, sizeof(*delay->steps));
	delay->steps[delay->nr++] = (struct delay_step){ at_ms, enable };
}

/* "10-20" */
static int add_span(struct record_delay *delay, char *span, struct error *err)
{
	u64 last = delay->nr ? delay->steps[delay->nr - 1].at_ms : 0, start, end;
	char *dash = strchr(span, '-');

	if (dash)
		*dash = '\0';
	if (!dash || text__parse_u64(span, &start) || text__parse_u64(dash + 1, &end) ||
	    end > MAX_MS) {
		if (dash)
			*dash = '-';
		return error__set(err, -EINVAL, "cannot use the range", span,
		                  "not START-END in milliseconds");
	}
	*dash = '-';
	if (start >= end)
		return error__set(err, -EINVAL, "cannot use the range", span,
		                  "its end is not after its start");
	if (start < last)
		return error__set(err, -EINVAL, "cannot use the range", span,
		                  "the one before ends at %llu ms", (unsigned long long)last);
	add_step(delay, start, true);
	add_step(delay, end, false);
	return 0;
}

int record_delay__parse(struct record_delay *delay, const char *text, struct error *err)
{
	char *list, *save = NULL;
	int ret = 0;
	u64 ms;

	record_delay__exit(delay);
	if (!strcmp(text, "-1")) {
		delay->never = true;
		return 0;
	}
	if (!text__parse_u64(text, &ms) && ms <= MAX_MS) {
		if (ms)
			add_step(delay, ms, true);
		return 0;
	}
	if (!strchr(text, '-') || text[0] == '-') {
		error__set(err, -EINVAL, "-D wants milliseconds", text, "%s", "");
		return error__advise(err, "for example: -D 1000, -D -1, -D 10-20,30-40");
	}
	list = xstrdup(text);
	for (char *span = strtok_r(list, ",", &save); span && !ret;
	     span = strtok_r(NULL, ",", &save))
		ret = add_span(delay, span, err);
	free(list);
	return ret;
}

bool record_delay__delays(const struct record_delay *delay)
{
	return delay->never || delay->nr;
}

const struct delay_step *record_delay__next(const struct record_delay *delay)
{
	return delay->next < delay->nr ? &delay->steps[delay->next] : NULL;
}

const struct delay_step *record_delay__take(struct record_delay *delay, u64 ms)
{
	const struct delay_step *step = record_delay__next(delay);

	if (!step || step->at_ms > ms)
		return NULL;
	delay->next++;
	return step;
}
