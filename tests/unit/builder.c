// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/unit/builder.h"

#include <byteswap.h>
#include <stdlib.h>
#include <string.h>

void builder__exit(struct builder *b)
{
	free(b->data);
	*b = (struct builder){ .swap = b->swap };
}

void builder__bytes(struct builder *b, const void *data, size_t len)
{
	if (!len)
		return;
	if (b->len + len > b->cap) {
		b->cap = (b->len + len) * 2;
		b->data = realloc(b->data, b->cap);
		BUG_ON(!b->data);
	}
	if (data)
		memcpy(b->data + b->len, data, len);
	else
		memset(b->data + b->len, 0, len);
	b->len += len;
}

void builder__zero(struct builder *b, size_t len)
{
	builder__bytes(b, NULL, len);
}

void builder__u8(struct builder *b, u8 value)
{
	builder__bytes(b, &value, 1);
}

void builder__u16(struct builder *b, u16 value)
{
	value = b->swap ? bswap_16(value) : value;
	builder__bytes(b, &value, 2);
}

void builder__u32(struct builder *b, u32 value)
{
	value = b->swap ? bswap_32(value) : value;
	builder__bytes(b, &value, 4);
}

void builder__u64(struct builder *b, u64 value)
{
	value = b->swap ? bswap_64(value) : value;
	builder__bytes(b, &value, 8);
}

void builder__set_u16(struct builder *b, size_t at, u16 value)
{
	value = b->swap ? bswap_16(value) : value;
	memcpy(b->data + at, &value, 2);
}

void builder__set_u32(struct builder *b, size_t at, u32 value)
{
	value = b->swap ? bswap_32(value) : value;
	memcpy(b->data + at, &value, 4);
}

void builder__set_u64(struct builder *b, size_t at, u64 value)
{
	value = b->swap ? bswap_64(value) : value;
	memcpy(b->data + at, &value, 8);
}

void builder__text(struct builder *b, const char *s)
{
	size_t len = strlen(s) + 1;

	builder__bytes(b, s, len);
	builder__zero(b, -len % 8);
}

void builder__feature_string(struct builder *b, const char *s)
{
	size_t len = strlen(s) + 1;

	builder__u32(b, len + -len % 64);
	builder__bytes(b, s, len);
	builder__zero(b, -len % 64);
}

size_t builder__begin(struct builder *b, u32 type, u16 misc)
{
	size_t start = b->len;

	builder__u32(b, type);
	builder__u16(b, misc);
	builder__u16(b, 0);
	return start;
}

void builder__end(struct builder *b, size_t start)
{
	BUG_ON(b->len - start > 65535);
	builder__set_u16(b, start + 6, b->len - start);
}

/*
 * The word of bit-fields. The other byte order numbers them from the top, and a field of several
 * bits keeps its highest bit first.
 */
static u64 flag_word(const struct perf_event_attr *attr, bool swap)
{
	u64 native, mirrored = 0;

	memcpy(&native, (const u8 *)attr + 40, 8);
	if (!swap)
		return native;
	for (int i = 0; i < 64; i++)
		if (i != 15 && i != 16 && native >> i & 1)
			mirrored |= 1ull << (63 - i);
	mirrored |= (u64)(attr->precise_ip >> 1 & 1) << (63 - 15);
	return mirrored | (u64)(attr->precise_ip & 1) << (63 - 16);
}

void builder__attr(struct builder *b, const struct perf_event_attr *attr, size_t size)
{
	struct builder a = { .swap = b->swap };

	builder__u32(&a, attr->type);
	builder__u32(&a, attr->size);
	builder__u64(&a, attr->config);
	builder__u64(&a, attr->sample_period);
	builder__u64(&a, attr->sample_type);
	builder__u64(&a, attr->read_format);
	builder__u64(&a, flag_word(attr, b->swap));
	builder__u32(&a, attr->wakeup_events);
	builder__u32(&a, attr->bp_type);
	builder__u64(&a, attr->config1);
	builder__u64(&a, attr->config2);
	builder__u64(&a, attr->branch_sample_type);
	builder__u64(&a, attr->sample_regs_user);
	builder__u32(&a, attr->sample_stack_user);
	builder__u32(&a, attr->clockid);
	builder__u64(&a, attr->sample_regs_intr);
	builder__u32(&a, attr->aux_watermark);
	builder__u16(&a, attr->sample_max_stack);
	builder__u16(&a, 0);
	builder__u32(&a, attr->aux_sample_size);
	builder__u32(&a, 0);
	builder__u64(&a, attr->sig_data);
	if (size > a.len)
		builder__zero(&a, size - a.len);
	builder__bytes(b, a.data, size);
	builder__exit(&a);
}

void builder__sample(struct builder *b, u64 type, u16 misc, const struct built_sample *s)
{
	size_t at = builder__begin(b, PERF_RECORD_SAMPLE, misc);

	if (type & PERF_SAMPLE_IDENTIFIER)
		builder__u64(b, s->id);
	if (type & PERF_SAMPLE_IP)
		builder__u64(b, s->ip);
	if (type & PERF_SAMPLE_TID) {
		builder__u32(b, s->pid);
		builder__u32(b, s->tid);
	}
	if (type & PERF_SAMPLE_TIME)
		builder__u64(b, s->time);
	if (type & PERF_SAMPLE_ADDR)
		builder__u64(b, s->addr);
	if (type & PERF_SAMPLE_ID)
		builder__u64(b, s->id);
	if (type & PERF_SAMPLE_STREAM_ID)
		builder__u64(b, s->stream_id);
	if (type & PERF_SAMPLE_CPU) {
		builder__u32(b, s->cpu);
		builder__u32(b, 0);
	}
	if (type & PERF_SAMPLE_PERIOD)
		builder__u64(b, s->period);
	for (u64 i = 0; type & PERF_SAMPLE_READ && i < s->nr_read; i++)
		builder__u64(b, s->read[i]);
	if (type & PERF_SAMPLE_CALLCHAIN) {
		builder__u64(b, s->nr_chain);
		for (u64 i = 0; i < s->nr_chain; i++)
			builder__u64(b, s->chain[i]);
	}
	builder__end(b, at);
}

void builder__trailer(struct builder *b, u64 type, const struct built_sample *s)
{
	if (type & PERF_SAMPLE_TID) {
		builder__u32(b, s->pid);
		builder__u32(b, s->tid);
	}
	if (type & PERF_SAMPLE_TIME)
		builder__u64(b, s->time);
	if (type & PERF_SAMPLE_ID)
		builder__u64(b, s->id);
	if (type & PERF_SAMPLE_STREAM_ID)
		builder__u64(b, s->stream_id);
	if (type & PERF_SAMPLE_CPU) {
		builder__u32(b, s->cpu);
		builder__u32(b, 0);
	}
	if (type & PERF_SAMPLE_IDENTIFIER)
		builder__u64(b, s->id);
}

void builder__comm(struct builder *b, u64 trailer_type, const struct built_sample *s,
                   const char *name)
{
	size_t at = builder__begin(b, PERF_RECORD_COMM, 0);

	builder__u32(b, s->pid);
	builder__u32(b, s->tid);
	builder__text(b, name);
	builder__trailer(b, trailer_type, s);
	builder__end(b, at);
}

void builder__mmap2(struct builder *b, u64 trailer_type, const struct built_sample *s, u16 misc,
                    u64 start, u64 len, u64 pgoff, const char *name)
{
	size_t at = builder__begin(b, PERF_RECORD_MMAP2, misc);

	builder__u32(b, s->pid);
	builder__u32(b, s->tid);
	builder__u64(b, start);
	builder__u64(b, len);
	builder__u64(b, pgoff);
	builder__u32(b, s->maj);
	builder__u32(b, s->min);
	builder__u64(b, s->ino);
	builder__u64(b, 5); /* generation */
	builder__u32(b, 5); /* PROT_READ | PROT_EXEC */
	builder__u32(b, 2); /* MAP_PRIVATE */
	builder__text(b, name);
	builder__trailer(b, trailer_type, s);
	builder__end(b, at);
}

void builder__task(struct builder *b, u64 trailer_type, const struct built_sample *s, u32 type,
                   u32 ppid, u32 ptid)
{
	size_t at = builder__begin(b, type, 0);

	builder__u32(b, s->pid);
	builder__u32(b, ppid);
	builder__u32(b, s->tid);
	builder__u32(b, ptid);
	builder__u64(b, s->time);
	builder__trailer(b, trailer_type, s);
	builder__end(b, at);
}

void file_builder__init(struct file_builder *f, bool swap)
{
	*f = (struct file_builder){
		.swap = swap,
		.header_size = 104,
		.attr_size = 128,
		.data_size = ~0ull,
	};
	f->attrs.swap = f->ids.swap = f->data.swap = swap;
}

void file_builder__exit(struct file_builder *f)
{
	builder__exit(&f->attrs);
	builder__exit(&f->ids);
	builder__exit(&f->data);
	for (unsigned i = 0; i < 256; i++)
		builder__exit(&f->features[i]);
}

void file_builder__event(struct file_builder *f, const struct perf_event_attr *attr, const u64 *ids,
                         u32 nr_ids)
{
	u64 base = f->header_size == 72 ? 72 : 104;

	struct perf_event_attr sized = *attr;

	sized.size = min_u64(attr->size, f->attr_size);
	builder__attr(&f->attrs, &sized, f->attr_size);
	builder__u64(&f->attrs, base + f->ids.len);
	builder__u64(&f->attrs, nr_ids * 8ull);
	for (u32 i = 0; i < nr_ids; i++)
		builder__u64(&f->ids, ids[i]);
}

struct builder *file_builder__feature(struct file_builder *f, unsigned feature)
{
	f->has_feature[feature] = true;
	f->features[feature].swap = f->swap;
	return &f->features[feature];
}

static void append_features(const struct file_builder *f, struct builder *out)
{
	u64 at = out->len;

	for (unsigned i = 0; i < 256; i++)
		at += f->has_feature[i] ? 16 : 0;
	for (unsigned i = 0; i < 256; i++) {
		if (!f->has_feature[i])
			continue;
		builder__u64(out, at);
		builder__u64(out, f->features[i].len);
		at += f->features[i].len;
	}
	for (unsigned i = 0; i < 256; i++)
		if (f->has_feature[i])
			builder__bytes(out, f->features[i].data, f->features[i].len);
}

void file_builder__finish(const struct file_builder *f, struct builder *out)
{
	u64 base = f->header_size == 72 ? 72 : 104;
	u64 bits[4] = { 0 };

	*out = (struct builder){ .swap = f->swap };
	builder__u64(out, 0x32454c4946524550ull);
	builder__u64(out, f->header_size);
	builder__u64(out, f->attr_size + 16);
	builder__u64(out, base + f->ids.len);
	builder__u64(out, f->attrs.len);
	builder__u64(out, base + f->ids.len + f->attrs.len);
	builder__u64(out, f->not_closed ? 0 : f->data_size != ~0ull ? f->data_size : f->data.len);
	builder__u64(out, 0);
	builder__u64(out, 0);
	for (unsigned i = 0; i < 256; i++)
		bits[i / 64] |= (u64)f->has_feature[i] << i % 64;
	for (unsigned i = 0; base == 104 && i < 4; i++)
		builder__u64(out, bits[i]);
	builder__bytes(out, f->ids.data, f->ids.len);
	builder__bytes(out, f->attrs.data, f->attrs.len);
	builder__bytes(out, f->data.data, f->data.len);
	if (!f->not_closed)
		append_features(f, out);
}

struct perf_event_attr built_attr(u64 sample_type)
{
	return (struct perf_event_attr){
		.type = PERF_TYPE_SOFTWARE,
		.size = 128,
		.config = PERF_COUNT_SW_CPU_CLOCK,
		.sample_period = 1000,
		.sample_type = sample_type,
		.sample_id_all = 1,
	};
}
