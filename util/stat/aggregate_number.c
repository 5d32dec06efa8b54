// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/stat/aggregate_number.h"

static const struct {
	enum aggregate_mode mode;
	u8 old, newer;
} numbers[] = {
	{ AGGREGATE_CPU, 0, 0 },  { AGGREGATE_GLOBAL, 1, 1 }, { AGGREGATE_SOCKET, 2, 2 },
	{ AGGREGATE_DIE, 3, 3 },  { AGGREGATE_CORE, 4, 6 },   { AGGREGATE_THREAD, 5, 7 },
	{ AGGREGATE_NODE, 7, 9 },
};

u64 aggregate_number(enum aggregate_mode mode)
{
	for (size_t i = 0; i < ARRAY_SIZE(numbers); i++)
		if (numbers[i].mode == mode)
			return numbers[i].old;
	return 1;
}

bool aggregate_of_number(u64 number, bool newer, enum aggregate_mode *mode)
{
	for (size_t i = 0; i < ARRAY_SIZE(numbers); i++)
		if ((newer ? numbers[i].newer : numbers[i].old) == number) {
			*mode = numbers[i].mode;
			return true;
		}
	return false;
}
