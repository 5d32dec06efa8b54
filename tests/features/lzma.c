// SPDX-License-Identifier: GPL-2.0-or-later
/* Compressed symbol tables (.gnu_debugdata) and modules. */
#include <lzma.h>

int main(void)
{
	return lzma_version_number() == 0;
}
