// SPDX-License-Identifier: GPL-2.0-or-later
/* Debug files from a server. The library itself is loaded when somebody asks for one. */
#include <elfutils/debuginfod.h>

int main(void)
{
	return DEBUGINFOD_SONAME[0] == 0;
}
