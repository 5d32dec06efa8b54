// SPDX-License-Identifier: GPL-2.0-or-later
/* Formats of tracepoints. */
#include <event-parse.h>

int main(void)
{
	return tep_alloc() == NULL;
}
