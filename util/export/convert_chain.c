// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/export/convert_chain.h"

#include "util/format/sample.h"

void convert_chain__ask(struct stream *stream, const struct session *session)
{
	for (u32 i = 0; i < session->evlist->nr; i++) {
		const struct evsel *evsel = session->evlist->evsels[i];
		u64 type = perf_data__layout(session->data, evsel)->sample_type;

		if (chain_record__converts(type))
			stream__set_need(stream, evsel, STREAM_ALL_AND_CHAIN);
	}
}

u32 convert_chain__write(u8 *out, const struct record *record, const struct stream_sample *s,
                         struct health *health)
{
	struct sample recorded = *s->sample;
	enum chain_form form = s->end.by == ROW_END_BY_PILOT ? CHAIN_TOLD_PILOT : CHAIN_TOLD;

	if (!s->unwound || !chain_record__converts(s->layout->sample_type))
		return 0;
	recorded.chain = s->recorded;
	health__add(health, &(struct health_entry){ .evsel = s->evsel->idx,
	                                            .end = s->end.verdict.end,
	                                            .where = s->end.verdict.dso,
	                                            .nr = 1 });
	return chain_record__write(out, record, &recorded, s->layout, &s->sample->chain, form,
	                           s->end.verdict.end);
}
