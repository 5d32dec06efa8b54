// SPDX-License-Identifier: GPL-2.0-or-later
/* -D: texts to steps, and steps in time. */
#include "tests/unit/unit.h"

#include <errno.h>

#include "util/record/delay.h"

TEST(record_delay_takes_milliseconds_and_ranges)
{
	static const struct {
		const char *text;
		bool delays;
		u32 nr;
	} good[] = { { "0", false, 0 },
		     { "-1", true, 0 },
		     { "1000", true, 1 },
		     { "0-5", true, 2 },
		     { "10-20,20-30,40-41", true, 6 } };
	struct record_delay delay = { .nr = 0 };

	for (u32 i = 0; i < ARRAY_SIZE(good); i++) {
		CHECK_EQ(record_delay__parse(&delay, good[i].text, NULL), 0);
		CHECK_EQ(record_delay__delays(&delay), good[i].delays);
		CHECK_EQ(delay.nr, good[i].nr);
		CHECK_EQ(delay.never, i == 1);
	}
	record_delay__exit(&delay);
}

TEST(record_delay_refuses_what_has_no_meaning)
{
	static const char *const bad[] = {
		"",       "x",     "-2",   "5-",          "5-5",  "7-5",
		"10-20,", "1-2,3", "-5-7", "10-20,15-30", "1-2x", "99999999999999999999"
	};
	struct record_delay delay = { .nr = 0 };

	for (u32 i = 0; i < ARRAY_SIZE(bad); i++) {
		struct error err = ERROR_INIT;
		int ret = record_delay__parse(&delay, bad[i], &err);

		if (i == 6) /* a comma at the end is nothing */
			CHECK_EQ(ret, 0);
		else
			CHECK(ret == -EINVAL && err.code == -EINVAL);
	}
	record_delay__exit(&delay);
}

TEST(record_delay_gives_each_step_once_when_it_is_due)
{
	struct record_delay delay = { .nr = 0 };
	const struct delay_step *step;

	CHECK_EQ(record_delay__parse(&delay, "10-20,20-30", NULL), 0);
	CHECK(!record_delay__take(&delay, 9));
	CHECK_EQ(record_delay__next(&delay)->at_ms, 10);
	step = record_delay__take(&delay, 10);
	CHECK(step && step->enable);
	CHECK(!record_delay__take(&delay, 19));
	/* Late: all that is due, in order. */
	step = record_delay__take(&delay, 25);
	CHECK(step && !step->enable && step->at_ms == 20);
	step = record_delay__take(&delay, 25);
	CHECK(step && step->enable && step->at_ms == 20);
	CHECK(!record_delay__take(&delay, 25));
	CHECK(record_delay__take(&delay, 30));
	CHECK(!record_delay__next(&delay));
	record_delay__exit(&delay);
}
