// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Samples and trailers. The fields up to PERIOD have fixed places for one attr, computed once in
 * a sample_layout; what follows has sizes of its own and is walked with a cursor. The hot path
 * (sample__decode_fast) checks the size once and then loads without looking.
 */
#include "util/format/sample.h"

#include <errno.h>

#include "util/event/evsel.h"

/* Bits newer than the build machine's kernel headers. */

#define FIXED_FIELDS                                                                               \
	(PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ADDR | PERF_SAMPLE_ID | \
	 PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD)

/* Fields of fixed size in the order of the record; a bit not here ends the fixed part. */
static void layout_sample(struct sample_layout *l, u64 type)
{
	u8 at = RECORD_HEADER_SIZE;
	const struct {
		u64 bit;
		u8 *offset;
	} order[] = {
		{ PERF_SAMPLE_IDENTIFIER, &l->identifier },
		{ PERF_SAMPLE_IP, &l->ip },
		{ PERF_SAMPLE_TID, &l->tid },
		{ PERF_SAMPLE_TIME, &l->time },
		{ PERF_SAMPLE_ADDR, &l->addr },
		{ PERF_SAMPLE_ID, &l->id },
		{ PERF_SAMPLE_STREAM_ID, &l->stream_id },
		{ PERF_SAMPLE_CPU, &l->cpu },
		{ PERF_SAMPLE_PERIOD, &l->period },
	};

	for (unsigned i = 0; i < ARRAY_SIZE(order); i++) {
		if (!(type & order[i].bit))
			continue;
		*order[i].offset = at;
		at += 8;
	}
	l->fixed_size = at;
}

/* Backwards from the record's end. */
static void layout_trailer(struct sample_layout *l, u64 type)
{
	u8 at = 0;
	const struct {
		u64 bit;
		u8 *offset;
	} order[] = {
		{ PERF_SAMPLE_IDENTIFIER, &l->t_identifier },
		{ PERF_SAMPLE_CPU, &l->t_cpu },
		{ PERF_SAMPLE_STREAM_ID, &l->t_stream_id },
		{ PERF_SAMPLE_ID, &l->t_id },
		{ PERF_SAMPLE_TIME, &l->t_time },
		{ PERF_SAMPLE_TID, &l->t_tid },
	};

	for (unsigned i = 0; i < ARRAY_SIZE(order); i++) {
		if (!(type & order[i].bit))
			continue;
		at += 8;
		*order[i].offset = at;
	}
	l->trailer_size = at;
}

void sample_layout__init(struct sample_layout *layout, const struct perf_event_attr *attr)
{
	*layout = (struct sample_layout){
		.sample_type = attr->sample_type,
		.read_format = attr->read_format,
		.branch_type = attr->branch_sample_type,
		.regs_user = attr->sample_regs_user,
		.regs_intr = attr->sample_regs_intr,
		.default_period = attr->freq ? 1 : attr->sample_period,
	};
	layout->has_rest =
	        attr->sample_type &
	        (PERF_SAMPLE_RAW | PERF_SAMPLE_BRANCH_STACK | PERF_SAMPLE_REGS_USER |
	         PERF_SAMPLE_STACK_USER | PERF_SAMPLE_WEIGHT | PERF_SAMPLE_DATA_SRC |
	         PERF_SAMPLE_TRANSACTION | PERF_SAMPLE_REGS_INTR | PERF_SAMPLE_PHYS_ADDR |
	         PERF_SAMPLE_AUX | PERF_SAMPLE_CGROUP | PERF_SAMPLE_DATA_PAGE_SIZE |
	         PERF_SAMPLE_CODE_PAGE_SIZE | PERF_SAMPLE_WEIGHT_STRUCT);
	layout->chain_alone = attr->sample_type & PERF_SAMPLE_CALLCHAIN &&
	                      !(attr->sample_type &
	                        ~(PERF_SAMPLE_CALLCHAIN | FIXED_FIELDS | PERF_SAMPLE_IDENTIFIER));
	layout->only_raw =
	        layout->has_rest &&
	        !(attr->sample_type & ~(PERF_SAMPLE_RAW | FIXED_FIELDS | PERF_SAMPLE_IDENTIFIER));
	layout->has_counts =
	        attr->sample_type & PERF_SAMPLE_READ && attr->read_format & PERF_FORMAT_ID;
	layout->counts_by_thread =
	        layout->has_counts && attr->inherit && attr->sample_type & PERF_SAMPLE_TID;
	layout_sample(layout, attr->sample_type);
	if (attr->sample_id_all)
		layout_trailer(layout, attr->sample_type);
}

static inline __attribute__((always_inline)) void
load_fixed(const struct sample_layout *l, const u8 *p, bool swap, struct sample *s)
{
	s->ip = l->ip ? load_u64(p + l->ip, swap) : 0;
	s->pid = l->tid ? load_u32(p + l->tid, swap) : ~0u;
	s->tid = l->tid ? load_u32(p + l->tid + 4, swap) : ~0u;
	s->time = l->time ? load_u64(p + l->time, swap) : ~0ull;
	s->addr = l->addr ? load_u64(p + l->addr, swap) : 0;
	s->id = l->identifier ? load_u64(p + l->identifier, swap)
	        : l->id       ? load_u64(p + l->id, swap)
	                      : ~0ull;
	s->stream_id = l->stream_id ? load_u64(p + l->stream_id, swap) : ~0ull;
	s->cpu = l->cpu ? load_u32(p + l->cpu, swap) : ~0u;
	s->period = l->period ? load_u64(p + l->period, swap) : l->default_period;
}

/* READ: a value, or (with GROUP) a list of them. */
static void read_values(struct cursor *c, u64 format, struct sample *s)
{
	bool group = format & PERF_FORMAT_GROUP;

	s->read.nr = group ? cursor__u64(c) : 1;
	if (!group)
		s->read.values = c->pos; /* then enabled and running stand behind the value */
	s->read.stride = 8;
	if (!group)
		cursor__u64(c);
	s->read.enabled = format & PERF_FORMAT_TOTAL_TIME_ENABLED ? cursor__u64(c) : 0;
	s->read.running = format & PERF_FORMAT_TOTAL_TIME_RUNNING ? cursor__u64(c) : 0;
	if (group)
		s->read.values = c->pos;
	u8 at = group ? 8 : c->pos - s->read.values;

	s->read.id_at = s->read.lost_at = 0;
	if (format & PERF_FORMAT_ID) {
		s->read.id_at = at;
		at += 8;
	}
	if (format & PERF_FORMAT_LOST) {
		s->read.lost_at = at;
		at += 8;
	}
	s->read.stride = at;
	if (!group)
		cursor__bytes(c, at - (c->pos - s->read.values));
	else if (s->read.nr > cursor__left(c) / at)
		c->failed = true;
	else
		cursor__bytes(c, s->read.nr * at);
}

static struct u64_span span(struct cursor *c, u64 nr)
{
	struct u64_span result = { .data = c->pos, .nr = nr };

	if (nr > cursor__left(c) / 8)
		c->failed = true;
	if (c->failed)
		return (struct u64_span){ .nr = 0 };
	c->pos += nr * 8;
	return result;
}

/* Branch records, with the two optional parts around them. */
static void read_branches(struct cursor *c, const struct sample_layout *l, struct sample *s)
{
	u64 nr = cursor__u64(c);

	if (l->branch_type & PERF_SAMPLE_BRANCH_HW_INDEX)
		s->branch_hw_idx = cursor__u64(c);
	if (nr > cursor__left(c) / 24) {
		c->failed = true;
		return;
	}
	s->branches = span(c, nr * 3);
	if (l->branch_type & BRANCH_COUNTERS)
		s->branch_counters = span(c, nr);
}

static struct u64_span read_regs(struct cursor *c, u64 mask, u64 *abi)
{
	*abi = cursor__u64(c);
	return *abi ? span(c, __builtin_popcountll(mask)) : (struct u64_span){ .nr = 0 };
}

/* Size, the copied bytes, and how many of them the kernel could really copy. */
static void read_stack(struct cursor *c, struct sample *s)
{
	s->stack_size = cursor__u64(c);
	s->stack = c->pos;
	if (!s->stack_size)
		return;
	s->stack = cursor__bytes(c, s->stack_size);
	s->stack_dyn_size = cursor__u64(c);
	if (s->stack_dyn_size > s->stack_size)
		c->failed = true;
}

/* The weight as one number in either form: var1 | var2 << 32 | var3 << 48. */
static u64 read_weight(struct cursor *c, u64 type)
{
	if (type & PERF_SAMPLE_WEIGHT)
		return cursor__u64(c);
	const u8 *p = cursor__bytes(c, 8);

	/* A struct in memory order: its parts are swapped one by one, their places are fixed
	 * by the writer's byte order. */
	if (!p)
		return 0;
	bool big = c->swap == (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__);
	u64 var1 = load_u32(big ? p + 4 : p, c->swap);
	u64 var2 = load_u16(big ? p + 2 : p + 4, c->swap);
	u64 var3 = load_u16(big ? p : p + 6, c->swap);

	return var1 | var2 << 32 | var3 << 48;
}

/* Whatever follows PERIOD, in order. */
static void read_rest(struct cursor *c, const struct sample_layout *l, struct sample *s)
{
	u64 type = l->sample_type;

	if (type & PERF_SAMPLE_READ)
		read_values(c, l->read_format, s);
	if (type & PERF_SAMPLE_CALLCHAIN)
		s->chain = span(c, cursor__u64(c));
	if (type & PERF_SAMPLE_RAW) {
		s->raw_size = cursor__u32(c);
		s->raw = cursor__bytes(c, s->raw_size);
	}
	if (type & PERF_SAMPLE_BRANCH_STACK)
		read_branches(c, l, s);
	if (type & PERF_SAMPLE_REGS_USER)
		s->user_regs = read_regs(c, l->regs_user, &s->user_abi);
	if (type & PERF_SAMPLE_STACK_USER)
		read_stack(c, s);
	if (type & (PERF_SAMPLE_WEIGHT | PERF_SAMPLE_WEIGHT_STRUCT))
		s->weight = read_weight(c, type);
	s->weight_whole = type & PERF_SAMPLE_WEIGHT;
	if (type & PERF_SAMPLE_DATA_SRC)
		s->data_src = cursor__u64(c);
	if (type & PERF_SAMPLE_TRANSACTION)
		s->transaction = cursor__u64(c);
	if (type & PERF_SAMPLE_REGS_INTR)
		s->intr_regs = read_regs(c, l->regs_intr, &s->intr_abi);
	if (type & PERF_SAMPLE_PHYS_ADDR)
		s->phys_addr = cursor__u64(c);
	if (type & PERF_SAMPLE_CGROUP)
		s->cgroup = cursor__u64(c);
	if (type & PERF_SAMPLE_DATA_PAGE_SIZE)
		s->data_page_size = cursor__u64(c);
	if (type & PERF_SAMPLE_CODE_PAGE_SIZE)
		s->code_page_size = cursor__u64(c);
	if (type & PERF_SAMPLE_AUX) {
		s->aux_size = cursor__u64(c);
		s->aux = cursor__bytes(c, s->aux_size);
	}
}

static bool all_fits(const struct sample_layout *layout, const struct record *record, bool swap)
{
	struct cursor c = cursor__make(record->data + layout->fixed_size,
	                               record->size - layout->fixed_size, swap);
	struct sample ignored;

	read_rest(&c, layout, &ignored);
	return !c.failed;
}

static inline __attribute__((always_inline)) int decode_fixed(const struct sample_layout *layout,
                                                              const struct record *record,
                                                              bool swap, struct sample *sample)
{
	if (unlikely(record->size < layout->fixed_size))
		return -EBADMSG;
	sample->misc = record->misc;
	sample->cpumode = record->misc & PERF_RECORD_MISC_CPUMODE_MASK;
	if (likely(!swap))
		load_fixed(layout, record->data, false, sample);
	else
		load_fixed(layout, record->data, true, sample);
	sample->chain.nr = 0;
	return 0;
}

/* A chain right behind the fixed fields, of a record that has these. */
static int take_chain(const struct sample_layout *layout, const struct record *record, bool swap,
                      struct sample *sample)
{
	const u8 *p = record->data + layout->fixed_size;
	size_t left = record->size - layout->fixed_size;

	if (unlikely(left < sizeof(u64)))
		return -EBADMSG;
	u64 nr = load_u64(p, swap);

	if (unlikely(nr > left / sizeof(u64) - 1))
		return -EBADMSG;
	sample->chain = (struct u64_span){ .data = p + sizeof(u64), .nr = nr };
	return 0;
}

int sample__decode_fast(const struct sample_layout *layout, const struct record *record, bool swap,
                        struct sample *sample)
{
	const u8 *p = record->data;

	if (unlikely(decode_fixed(layout, record, swap, sample)))
		return -EBADMSG;
	if (layout->chain_alone)
		return take_chain(layout, record, swap, sample);
	if (layout->only_raw) {
		size_t left = record->size - layout->fixed_size;

		p += layout->fixed_size;
		return left < sizeof(u32) || load_u32(p, swap) > left - sizeof(u32) ? -EBADMSG : 0;
	}
	if (unlikely(layout->has_rest) && !all_fits(layout, record, swap))
		return -EBADMSG;
	if (!(layout->sample_type & (PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_READ)))
		return 0;

	struct cursor c = { .pos = p + layout->fixed_size, .end = p + record->size, .swap = swap };

	if (layout->sample_type & PERF_SAMPLE_READ)
		read_values(&c, layout->read_format, sample);
	if (layout->sample_type & PERF_SAMPLE_CALLCHAIN)
		sample->chain = span(&c, cursor__u64(&c));
	return c.failed ? -EBADMSG : 0;
}

/* RAW behind all that may stand before it. */
static int find_raw(const struct sample_layout *layout, const struct record *record, bool swap,
                    struct sample *sample)
{
	struct cursor c = cursor__make(record->data + layout->fixed_size,
	                               record->size - layout->fixed_size, swap);

	if (layout->sample_type & PERF_SAMPLE_READ)
		read_values(&c, layout->read_format, sample);
	if (layout->sample_type & PERF_SAMPLE_CALLCHAIN)
		span(&c, cursor__u64(&c));
	sample->raw_size = cursor__u32(&c);
	sample->raw = cursor__bytes(&c, sample->raw_size);
	return c.failed ? -EBADMSG : 0;
}

int sample__decode_raw(const struct sample_layout *layout, const struct record *record, bool swap,
                       struct sample *sample)
{
	int ret;

	if (likely(layout->only_raw)) {
		ret = decode_fixed(layout, record, swap, sample);
		return ret ? ret : find_raw(layout, record, swap, sample);
	}
	sample->raw = NULL;
	sample->raw_size = 0;
	ret = sample__decode_fast(layout, record, swap, sample);
	if (ret || !(layout->sample_type & PERF_SAMPLE_RAW))
		return ret;
	return find_raw(layout, record, swap, sample);
}

/* The bytes that are left behind it, or -EBADMSG. */
static int decode_all(const struct sample_layout *layout, const struct record *record, bool swap,
                      struct sample *sample)
{
	if (record->size < layout->fixed_size)
		return -EBADMSG;
	struct cursor c = cursor__make(record->data + layout->fixed_size,
	                               record->size - layout->fixed_size, swap);

	*sample = (struct sample){
		.misc = record->misc,
		.cpumode = record->misc & PERF_RECORD_MISC_CPUMODE_MASK,
	};
	load_fixed(layout, record->data, swap, sample);
	read_rest(&c, layout, sample);
	return c.failed ? -EBADMSG : (int)cursor__left(&c);
}

int sample__decode(const struct sample_layout *layout, const struct record *record, bool swap,
                   struct sample *sample)
{
	return decode_all(layout, record, swap, sample) < 0 ? -EBADMSG : 0;
}

bool sample__is_exact(const struct sample_layout *layout, const struct record *record, bool swap,
                      struct sample *sample)
{
	const u64 known = (PERF_SAMPLE_WEIGHT_STRUCT << 1) - 1;
	int left = decode_all(layout, record, swap, sample);

	return left == 0 || (left > 0 && (layout->sample_type & (PERF_SAMPLE_AUX | ~known)));
}

int sample__decode_trailer(const struct sample_layout *l, const struct record *record, bool swap,
                           struct sample *s)
{
	const u8 *end = record->data + record->size;

	if (record->size < RECORD_HEADER_SIZE + l->trailer_size)
		return -EBADMSG;
	*s = (struct sample){
		.misc = record->misc,
		.cpumode = record->misc & PERF_RECORD_MISC_CPUMODE_MASK,
		.period = 0,
	};
	s->pid = l->t_tid ? load_u32(end - l->t_tid, swap) : ~0u;
	s->tid = l->t_tid ? load_u32(end - l->t_tid + 4, swap) : ~0u;
	s->time = l->t_time ? load_u64(end - l->t_time, swap) : ~0ull;
	s->id = l->t_identifier ? load_u64(end - l->t_identifier, swap)
	        : l->t_id       ? load_u64(end - l->t_id, swap)
	                        : ~0ull;
	s->stream_id = l->t_stream_id ? load_u64(end - l->t_stream_id, swap) : ~0ull;
	s->cpu = l->t_cpu ? load_u32(end - l->t_cpu, swap) : ~0u;
	return 0;
}

bool sample__context(u64 marker, u8 *cpumode)
{
	switch (marker) {
	case PERF_CONTEXT_HV:
		*cpumode = PERF_RECORD_MISC_HYPERVISOR;
		return true;
	case PERF_CONTEXT_KERNEL:
		*cpumode = PERF_RECORD_MISC_KERNEL;
		return true;
	case PERF_CONTEXT_USER:
		*cpumode = PERF_RECORD_MISC_USER;
		return true;
	case PERF_CONTEXT_GUEST_KERNEL:
		*cpumode = PERF_RECORD_MISC_GUEST_KERNEL;
		return true;
	case PERF_CONTEXT_GUEST:
	case PERF_CONTEXT_GUEST_USER:
		*cpumode = PERF_RECORD_MISC_GUEST_USER;
		return true;
	default:
		return false;
	}
}

u8 sample__mode_of_address(u64 address)
{
	return address >> 63 ? PERF_RECORD_MISC_KERNEL : PERF_RECORD_MISC_USER;
}

u64 sample__weight(const struct sample *sample)
{
	return sample->weight_whole ? sample->weight : (u32)sample->weight;
}

const char *branch_kind__name(unsigned kind)
{
	static const char *const names[] = { "",           "COND",       "UNCOND",   "IND",
		                             "CALL",       "IND_CALL",   "RET",      "SYSCALL",
		                             "SYSRET",     "COND_CALL",  "COND_RET", "ERET",
		                             "IRQ",        "SERROR",     "NO_TX",    "FAULT_ALGN",
		                             "FAULT_DATA", "FAULT_INST", "ARCH_1",   "ARCH_2",
		                             "ARCH_3",     "ARCH_4",     "ARCH_5" };

	return kind < ARRAY_SIZE(names) ? names[kind] : "(null)";
}
