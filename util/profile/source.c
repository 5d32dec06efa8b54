// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/profile/source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/lib/alloc.h"
#include "util/lib/out.h"
#include "util/lib/text.h"

void source__load(const struct names *names, const struct profile *profile, const bool *used,
                  const u64 *vaddrs, unsigned workers)
{
	u32 nr_dsos = names->session->dsos.nr, nr = 0;
	struct source_wish *wishes = xcalloc(nr_dsos, sizeof(*wishes));
	u32 *nr_of = xcalloc(nr_dsos, sizeof(*nr_of)), *wish_of = xcalloc(nr_dsos, sizeof(u32));

	for (u32 i = 0; i < profile->nr_locs; i++)
		if (profile->locs[i].dso != ID_NONE && (!used || used[i]))
			nr_of[profile->locs[i].dso]++;
	for (u32 dso = 0; dso < nr_dsos; dso++) {
		if (!nr_of[dso])
			continue;
		wishes[nr].dso = dso;
		wishes[nr].addrs = xrealloc(NULL, nr_of[dso], sizeof(u64));
		wish_of[dso] = nr++;
	}
	for (u32 i = 0; i < profile->nr_locs; i++) {
		if (profile->locs[i].dso == ID_NONE || (used && !used[i]))
			continue;
		struct source_wish *wish = &wishes[wish_of[profile->locs[i].dso]];

		wish->addrs[wish->nr++] = vaddrs[i];
	}
	session_symbols__load_source(names->symbols, wishes, nr, workers);
	for (u32 i = 0; i < nr; i++)
		free(wishes[i].addrs);
	free(wishes);
	free(wish_of);
	free(nr_of);
}

static u32 add_text(struct source *source, struct out *text)
{
	const char *s = out__take(text);
	u32 id = strtab__intern(&source->texts, s, text->len);

	text->len = 0;
	return id;
}

/* Nothing is known of the source. */
static void say_address(const struct names *names, const struct sym *sym, const struct loc *loc,
                        u64 vaddr, struct out *text)
{
	if (sym__named(sym)) {
		out__name(text, session_symbols__name(names->symbols, sym->dso, sym->index));
		out__char(text, '+');
		out__dec(text, vaddr - sym->addr, 0);
		return;
	}
	out__name(text,
	          loc->dso == ID_NONE
	                  ? names__dso(names, sym->dso_name)
	                  : strtab__get(&names->session->strings,
	                                dsos__at(&names->session->dsos, loc->dso)->short_name));
	out__char(text, '[');
	out__hex(text, loc->dso == ID_NONE ? loc->addr : vaddr, 0);
	out__char(text, ']');
}

static void describe(struct source *source, const struct names *names,
                     const struct profile *profile, u32 loc, u64 vaddr, bool full, struct out *text)
{
	const struct loc *at = &profile->locs[loc];
	struct debug_info *info =
	        at->dso != ID_NONE ? session_symbols__source(names->symbols, at->dso) : NULL;
	struct source_frame frame = { .file = ID_NONE };

	if (info && !debug_info__frames(info, vaddr, &frame, 1))
		frame.file = ID_NONE;
	if (frame.file == ID_NONE) {
		say_address(names, &names->syms[names->sym_of_loc[loc]], at, vaddr, text);
		source->line_of_loc[loc] = add_text(source, text);
		source->file_of_loc[loc] = 0;
		return;
	}
	const char *path = debug_info__text(info, frame.file);

	out__name(text, full ? path : text__basename(path));
	source->file_of_loc[loc] = strtab__intern(&source->texts, out__take(text), text->len);
	out__char(text, ':');
	out__dec(text, frame.line, 0);
	source->line_of_loc[loc] = add_text(source, text);
}

void source__init(struct source *source, const struct names *names, const struct profile *profile,
                  unsigned flags, unsigned workers)
{
	u64 *vaddrs = xcalloc(profile->nr_locs, sizeof(*vaddrs));
	struct out text;

	strtab__init(&source->texts);
	source->line_of_loc = xcalloc(profile->nr_locs, sizeof(u32));
	source->file_of_loc = xcalloc(profile->nr_locs, sizeof(u32));
	for (u32 i = 0; i < profile->nr_locs; i++)
		if (profile->locs[i].dso != ID_NONE)
			session_symbols__find(names->symbols, profile->locs[i].dso,
			                      profile->locs[i].addr, &vaddrs[i]);
	source__load(names, profile, NULL, vaddrs, workers);
	out__init(&text, -1);
	for (u32 i = 0; i < profile->nr_locs; i++)
		describe(source, names, profile, i, vaddrs[i], flags & SOURCE_FULL_PATH, &text);
	out__exit(&text);
	free(vaddrs);
}

void source__exit(struct source *source)
{
	strtab__exit(&source->texts);
	free(source->line_of_loc);
	free(source->file_of_loc);
}
