// SPDX-License-Identifier: GPL-2.0-or-later
#include "ui/options/unwind_option.h"

int unwind_option__parse(const struct option *option, const char *arg, bool unset,
                         struct error *err)
{
	enum unwind_style *style = option->value;

	*style = UNWIND_NATIVE;
	return unset ? 0 : unwind_style__find(arg, style, err);
}
