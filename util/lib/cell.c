// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/lib/cell.h"

#include <stdio.h>

#define NS_PER_S 1000000000ull

const char *cell__print(const struct cell *cell, char *buf)
{
	u64 rest = cell->number % NS_PER_S;

	switch (cell->kind) {
	case CELL_NONE:
	case CELL_EMPTY:
		return "";
	case CELL_TEXT:
	case CELL_MARK:
		return cell->text;
	case CELL_NUMBER:
		snprintf(buf, CELL_TEXT_SIZE, "%llu", (unsigned long long)cell->number);
		break;
	case CELL_SIGNED:
		snprintf(buf, CELL_TEXT_SIZE, "%lld", (long long)cell->integer);
		break;
	case CELL_REAL:
		if (cell->decimals < 0)
			snprintf(buf, CELL_TEXT_SIZE, "%.*g", -cell->decimals, cell->real);
		else
			snprintf(buf, CELL_TEXT_SIZE, "%.*f", cell->decimals, cell->real);
		break;
	case CELL_PERCENT:
		snprintf(buf, CELL_TEXT_SIZE, "%.2f%%",
		         cell->whole ? 100.0 * (double)cell->part / (double)cell->whole : 0.0);
		break;
	case CELL_RANGE:
		snprintf(buf, CELL_TEXT_SIZE, "%.2f-%.2f%%", cell->low, cell->high);
		break;
	case CELL_TIME:
		for (int i = cell->decimals; i < 9; i++)
			rest /= 10;
		snprintf(buf, CELL_TEXT_SIZE, "%llu.%0*llu",
		         (unsigned long long)(cell->number / NS_PER_S), cell->decimals,
		         (unsigned long long)rest);
		break;
	}
	return buf;
}
