// SPDX-License-Identifier: GPL-2.0-or-later
/* Symbols of separate debug files, call frame information, lines. */
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwelf.h>

int main(void)
{
	return dwarf_begin(-1, DWARF_C_READ) != NULL;
}
