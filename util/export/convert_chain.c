// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/export/convert_chain.h"

#include <stdlib.h>
#include <string.h>

#include "util/lib/alloc.h"
#include "util/profile/unwound.h"

#define RECORD_MAX (UINT16_MAX & ~7u)
#define FRAMES_MAX 4096 /* of the user's part; a record has room for twice as many */

struct convert_chain {
	const struct session *session;
	struct resolver *resolver;
	struct unwound *unwound;
	u8 record[RECORD_MAX];
};

struct convert_chain *convert_chain__new(const struct session *session,
                                         const struct symbol_config *objects,
                                         struct resolver *resolver)
{
	struct unwound *unwound = unwound__open(session, objects, resolver, FRAMES_MAX);

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

static bool converts(u64 sample_type)
{
	const u64 need = PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER;

	return (sample_type & need) == need;
}

/* The registers and the stack, which lie side by side in a record. */
struct stretch {
	const u8 *from, *to;
};

static struct stretch copies_in(const struct sample *sample, const struct sample_layout *layout)
{
	u64 regs = sample->user_abi ? __builtin_popcountll(layout->regs_user) * 8 : 0;

	return (struct stretch){
		.from = sample->stack - 8 - regs - 8, /* size of the stack, registers, their ABI */
		.to = sample->stack + sample->stack_size + (sample->stack_size ? 8 : 0),
	};
}

/* The record with @chain in the place of the old one, and without what it was made of. */
static u32 write_record(struct convert_chain *convert, const struct record *record,
                        const struct u64_span *old, const struct u64_span *chain,
                        const struct stretch *copies)
{
	const u8 *behind = old->data + old->nr * 8, *end = record->data + record->size;
	size_t before = old->data - 8 - record->data, between = copies->from - behind,
	       after = end - copies->to;
	u64 nr = min_u64(chain->nr, (RECORD_MAX - 8 - before - between - after) / 8);
	struct perf_event_header header;
	u8 *at = convert->record;

	memcpy(at, record->data, before);
	at += before;
	memcpy(at, &nr, 8);
	at += 8;
	memcpy(at, chain->data, nr * 8);
	at += nr * 8;
	memcpy(at, behind, between);
	at += between;
	memcpy(at, copies->to, after);
	at += after;
	memcpy(&header, record->data, sizeof(header));
	header.size = at - convert->record;
	memcpy(convert->record, &header, sizeof(header));
	return header.size;
}

u32 convert_chain__take(struct convert_chain *convert, const struct evsel *evsel,
                        const struct record *record, const struct sample *sample,
                        struct health *health, const u8 **out)
{
	const struct sample_layout *layout = perf_data__layout(convert->session->data, evsel);
	struct moment when = session__moment(convert->session, record, sample->time);
	struct sample joined = *sample;
	struct unwound_end end;

	if (!converts(layout->sample_type))
		return 0;
	const struct task *task = resolver__task(convert->resolver, sample->pid, sample->tid, when);
	const struct stretch copies = copies_in(sample, layout);

	if (task && unwound__join(convert->unwound, &joined, layout, task, when, &end))
		health__add(health, &(struct health_entry){ .evsel = evsel->idx,
		                                            .end = end.verdict.end,
		                                            .where = end.verdict.dso,
		                                            .nr = 1 });
	*out = convert->record;
	return write_record(convert, record, &sample->chain, &joined.chain, &copies);
}

void convert_chain__attr(struct perf_event_attr *attr)
{
	if (!converts(attr->sample_type))
		return;
	attr->sample_type &= ~(u64)(PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER);
	attr->sample_regs_user = 0;
	attr->sample_stack_user = 0;
	attr->exclude_callchain_user = 0;
}
