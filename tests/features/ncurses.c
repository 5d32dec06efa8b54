// SPDX-License-Identifier: GPL-2.0-or-later
/* The browser. */
#include <curses.h>

int main(void)
{
	return curses_version() == NULL;
}
