// SPDX-License-Identifier: GPL-2.0-or-later
#include <gelf.h>

int main(void)
{
	return elf_version(EV_CURRENT) == EV_NONE;
}
