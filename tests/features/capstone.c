// SPDX-License-Identifier: GPL-2.0-or-later
/* Disassembly. */
#include <capstone/capstone.h>

int main(void)
{
	return cs_version(NULL, NULL) == 0;
}
