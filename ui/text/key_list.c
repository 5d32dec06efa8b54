// SPDX-License-Identifier: GPL-2.0-or-later
#include "ui/text/key_list.h"

#include "util/profile/key.h"
#include "util/view/fields.h"

#define NAME_WIDTH 20

static void print_line(struct out *out, const char *name, const char *text)
{
	out__str(out, "  ");
	out__left(out, name, NAME_WIDTH);
	out__str(out, text + strspn(text, " "));
	while (out->buf[out->len - 1] == ' ')
		out->len--;
}

static void print_keys(struct out *out, enum key_kind kind)
{
	const struct key *key;

	for (u32 i = 0; (key = sort_keys__table(i)); i++) {
		if (key->kind != kind)
			continue;
		print_line(out, key->name, key->heading);
		if (key->recorded)
			out__printf(out, "   (record %s)", key->recorded);
		out__char(out, '\n');
	}
}

void key_list__print(struct out *out)
{
	static const char *const figures[] = {
		[VIEW_OVERHEAD] = "share of all",
		[VIEW_CHILDREN] = "the same, with what was called from there",
		[VIEW_SYS] = "share that ran in the kernel",
		[VIEW_US] = "share that ran in programs",
		[VIEW_GUEST_SYS] = "share that ran in the kernels of guests",
		[VIEW_GUEST_US] = "share that ran in programs of guests",
		[VIEW_SAMPLES] = "number of samples",
		[VIEW_PERIOD] = "sum of their periods",
		[VIEW_LATENCY] = "share of the time that passed (record --latency)",
	};

	out__str(out, "Keys (a beginning of the name is enough):\n");
	print_keys(out, KEY_PLAIN);
	out__str(out, "\nof branches (-b):\n");
	print_keys(out, KEY_OF_BRANCHES);
	out__str(out, "\nof accesses to memory (--mem-mode):\n");
	print_keys(out, KEY_OF_MEMORY);
	out__str(out, "\nFigures:\n");
	for (u32 i = 0; i < ARRAY_SIZE(figures); i++) {
		const char *name = view_figure__name(i);

		if (!name)
			continue;
		print_line(out, name, figures[i]);
		out__char(out, '\n');
	}
}
