// SPDX-License-Identifier: GPL-2.0-or-later
#include "ui/tui/samples_browser.h"

#include <stdio.h>

#include "ui/tui/text_browser.h"

void samples_browser__run(struct tui *tui, const struct code_texts *texts, struct view *view,
                          const struct sample_filter *filter, const char *fields, const char *title)
{
	struct out text = { .fd = -1 };
	struct error err = ERROR_INIT;
	char message[512];

	if (!texts->samples) {
		dialog__say(tui, "samples that come in while they are looked at cannot be listed: "
		                 "perf record, then perf script");
		return;
	}
	dialog__show(tui, "reading samples ...");
	if (texts->samples(texts->ctx, view, filter, fields, &text, &err))
		dialog__say(tui, error__text(&err, message, sizeof(message)));
	else
		text_browser__run(tui, title, out__take(&text));
	out__exit(&text);
}

void samples_browser__of_symbol(struct tui *tui, const struct code_texts *texts, struct view *view,
                                const char *name, const char *fields)
{
	struct sample_filter filter = view->options.hists.filter;
	char title[DIALOG_TEXT];

	filter.symbols = (struct name_list){ .names = (char **)&name, .nr = 1 };
	snprintf(title, sizeof(title), "Samples taken in %s", name);
	samples_browser__run(tui, texts, view, &filter, fields, title);
}

void samples_browser__tell_of_engines(struct tui *tui)
{
	dialog__say(tui, "this perf has no engine for scripts in Python or Perl yet; what they "
	                 "would be given is what the other items of r list, and perf script");
}
