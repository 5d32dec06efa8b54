// SPDX-License-Identifier: GPL-2.0-or-later
/* The second opinion of the unwinder. */
#define UNW_REMOTE_ONLY
#include <libunwind.h>

int main(void)
{
	return unw_create_addr_space(0, 0) == 0;
}
