// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/export/convert_chain.h"

#include <stdlib.h>
#include <string.h>

#include "util/format/sample.h"
#include "util/lib/alloc.h"
#include "util/stream/unwound.h"

#define FRAMES_MAX 4096 /* of the user's part; a record has room for twice as many */

struct convert_chain {
	const struct session *session;
	struct resolver *resolver;
	struct unwound *unwound;
	u8 record[CHAIN_RECORD_MAX];
};

struct convert_chain *convert_chain__new(const struct session *session,
                                         const struct symbol_config *objects,
                                         struct resolver *resolver, enum unwind_style style)
{
	struct unwound *unwound = unwound__open(session, objects, resolver, FRAMES_MAX, style);

	if (!unwound)
		return NULL;
	struct convert_chain *convert = xcalloc(1, sizeof(*convert));

	convert->session = session;
	convert->resolver = resolver;
	convert->unwound = unwound;
	return convert;
}

void convert_chain__delete(struct convert_chain *convert)
{
	if (!convert)
		return;
	unwound__delete(convert->unwound);
	free(convert);
}

u32 convert_chain__take(struct convert_chain *convert, const struct evsel *evsel,
                        const struct record *record, const struct sample *sample,
                        struct health *health, const u8 **out)
{
	const struct sample_layout *layout = perf_data__layout(convert->session->data, evsel);
	struct moment when = session__moment(convert->session, record, sample->time);
	struct sample joined = *sample;
	struct unwound_end end;

	if (!chain_record__converts(layout->sample_type))
		return 0;
	const struct task *task = resolver__task(convert->resolver, sample->pid, sample->tid, when);

	if (!task || !unwound__join(convert->unwound, &joined, layout, task, when, &end))
		return 0;
	health__add(health, &(struct health_entry){ .evsel = evsel->idx,
	                                            .end = end.verdict.end,
	                                            .where = end.verdict.dso,
	                                            .nr = 1 });
	*out = convert->record;
	return chain_record__write(convert->record, record, sample, layout, &joined.chain,
	                           end.by == ROW_END_BY_PILOT ? CHAIN_TOLD_PILOT : CHAIN_TOLD,
	                           end.verdict.end);
}
