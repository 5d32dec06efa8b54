// SPDX-License-Identifier: GPL-2.0-or-later
/* C++ and Rust names. */
#include <libiberty/demangle.h>

int main(void)
{
	return cplus_demangle("_Z1fv", DMGL_GNU_V3) == NULL;
}
