// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/format/attr_import.h"

#include <byteswap.h>
#include <string.h>

static u8 reverse_bits(u8 b)
{
	b = (b & 0xf0) >> 4 | (b & 0x0f) << 4;
	b = (b & 0xcc) >> 2 | (b & 0x33) << 2;
	return (b & 0xaa) >> 1 | (b & 0x55) << 1;
}

/*
 * Bit-fields are laid out from the other end in the other byte order: byte order stays, bits turn
 * round in each byte. The one field of two bits (precise_ip) turns round with them.
 */
static void swap_flags(struct perf_event_attr *attr)
{
	u8 *flags = (u8 *)attr + offsetof(struct perf_event_attr, read_format) + 8;

	for (int i = 0; i < 8; i++)
		flags[i] = reverse_bits(flags[i]);
	attr->precise_ip = (attr->precise_ip & 1) << 1 | attr->precise_ip >> 1;
}

static void swap_attr(struct perf_event_attr *a)
{
	u32 *words[] = { &a->type,
		         &a->size,
		         &a->wakeup_events,
		         &a->bp_type,
		         &a->sample_stack_user,
		         (u32 *)&a->clockid,
		         &a->aux_watermark,
		         &a->aux_sample_size };
	__u64 *longs[] = { &a->config,
		           &a->sample_period,
		           &a->sample_type,
		           &a->read_format,
		           &a->config1,
		           &a->config2,
		           &a->branch_sample_type,
		           &a->sample_regs_user,
		           &a->sample_regs_intr,
		           &a->sig_data };

	for (unsigned i = 0; i < ARRAY_SIZE(words); i++)
		*words[i] = bswap_32(*words[i]);
	for (unsigned i = 0; i < ARRAY_SIZE(longs); i++)
		*longs[i] = bswap_64(*longs[i]);
	a->sample_max_stack = bswap_16(a->sample_max_stack);
	swap_flags(a);
}

u32 attr__import(struct perf_event_attr *attr, const u8 *bytes, size_t size, bool swap)
{
	u32 unknown = 0;

	memset(attr, 0, sizeof(*attr));
	memcpy(attr, bytes, min_u64(size, sizeof(*attr)));
	for (size_t i = sizeof(*attr); i < size; i++)
		unknown += bytes[i] != 0;
	if (swap)
		swap_attr(attr);
	if (!attr->size)
		attr->size = PERF_ATTR_SIZE_VER0;
	return unknown;
}
