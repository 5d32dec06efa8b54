// SPDX-License-Identifier: GPL-2.0-or-later
/* A second opinion on call chains. The library itself is loaded when somebody asks for it. */
#define UNW_REMOTE_ONLY
#include <libunwind.h>

int main(void)
{
	return sizeof(unw_accessors_t) == 0;
}
