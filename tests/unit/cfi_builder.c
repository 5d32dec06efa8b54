// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/unit/cfi_builder.h"

static u8 or_else(u8 value, u8 fallback)
{
	return value ? value : fallback;
}

/* Fill up to 4 bytes with nothing to do, and set the length. */
static void end(struct builder *out, size_t start)
{
	while (out->len % 4)
		builder__u8(out, 0);
	builder__set_u32(out, start, out->len - start - 4);
}

void cfi_builder__common(struct cfi_builder *b)
{
	struct builder *out = &b->out;
	u8 word = b->is64 ? 8 : 4;

	b->common = out->len;
	builder__u32(out, 0);
	builder__u32(out, b->eh ? 0 : 0xffffffff);
	builder__u8(out, b->address_size ? 4 : 1);
	builder__bytes(out, b->signal ? "zS" : "", b->signal ? 3 : 1);
	if (b->address_size) {
		builder__u8(out, b->address_size);
		builder__u8(out, 0); /* segments */
	}
	builder__u8(out, 1);           /* code_align */
	builder__u8(out, 0x80 - word); /* data_align: -word */
	builder__u8(out, or_else(b->ra, 16));
	if (b->signal)
		builder__u8(out, 0);
	builder__u8(out, 0x0c); /* def_cfa */
	builder__u8(out, or_else(b->sp, 7));
	builder__u8(out, b->sp ? b->slot : word);
	if (!b->ra_in_register) {
		builder__u8(out, 0x80 | or_else(b->ra, 16)); /* offset 1 */
		builder__u8(out, 1);
	}
	end(out, b->common);
}

static void address(struct cfi_builder *b, u64 value)
{
	if (b->is64)
		builder__u64(&b->out, value);
	else
		builder__u32(&b->out, value);
}

void cfi_builder__function(struct cfi_builder *b, u64 start, u64 len, const u8 *program,
                           size_t program_len)
{
	struct builder *out = &b->out;
	size_t at = out->len;

	builder__u32(out, 0);
	builder__u32(out, b->eh ? out->len - b->common : b->common);
	address(b, start);
	address(b, len);
	if (b->signal)
		builder__u8(out, 0);
	if (program_len)
		builder__bytes(out, program, program_len);
	end(out, at);
}

struct cfi_section cfi_builder__section(const struct cfi_builder *b, u16 machine)
{
	return (struct cfi_section){
		.data = b->out.data,
		.size = b->out.len,
		.eh = b->eh,
		.is64 = b->is64,
		.swap = b->out.swap,
		.machine = machine,
	};
}
