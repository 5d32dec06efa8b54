// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/reader/bpf_info.h"

#include <stdio.h>
#include <string.h>

#include "util/lib/text.h"
#include "util/reader/feature_cursor.h"
#include "util/reader/features.h"

bool bpf_info__next(struct bpf_info *program, struct cursor *c)
{
	*program = (struct bpf_info){ .swap = c->swap };
	program->info_len = cursor__u32(c);
	program->data_len = cursor__u32(c);
	cursor__u64(c); /* which arrays are there */
	program->info = cursor__bytes(c, program->info_len);
	program->data = cursor__bytes(c, program->data_len);
	return !c->failed;
}

u32 bpf_info__u32(const struct bpf_info *program, size_t at)
{
	return at + 4 <= program->info_len ? load_u32(program->info + at, program->swap) : 0;
}

static u64 info_u64(const struct bpf_info *program, size_t at)
{
	return at + 8 <= program->info_len ? load_u64(program->info + at, program->swap) : 0;
}

const u8 *bpf_info__element(const struct bpf_info *program, size_t at, u32 i, u32 size)
{
	u64 offset = info_u64(program, at);

	if (offset > program->data_len || (i + 1ull) * size > program->data_len - offset)
		return NULL;
	return program->data + offset + (u64)i * size;
}

/* "bpf_prog_0123456789abcdef" */
static bool has_tag(const char *name, const u8 *tag)
{
	char start[sizeof("bpf_prog_") + 2 * BPF_TAG_SIZE] = "bpf_prog_";

	for (u32 i = 0; i < BPF_TAG_SIZE; i++)
		snprintf(start + strlen(start), 3, "%02x", tag[i]);
	return text__starts_with(name, start);
}

/* The code of all functions is in a row. */
static const u8 *code_of_function(const struct bpf_info *program, const char *name, u64 addr,
                                  u32 *size)
{
	u32 nr = bpf_info__u32(program, BPF_INFO(nr_jited_ksyms));
	u32 nr_bytes = bpf_info__u32(program, BPF_INFO(jited_prog_len));
	const u8 *code = bpf_info__element(program, BPF_INFO(jited_prog_insns), 0, nr_bytes);
	u32 offset = 0;

	for (u32 i = 0; code && i < nr; i++) {
		const u8 *start = bpf_info__element(program, BPF_INFO(jited_ksyms), i, 8);
		const u8 *len = bpf_info__element(program, BPF_INFO(jited_func_lens), i, 4);
		const u8 *tag = bpf_info__element(program, BPF_INFO(prog_tags), i, BPF_TAG_SIZE);

		if (!start || !len || !tag)
			break;
		*size = load_u32(len, program->swap);
		if (*size > nr_bytes - offset)
			break;
		if (*size && load_u64(start, program->swap) == addr && has_tag(name, tag))
			return code + offset;
		offset += *size;
	}
	return NULL;
}

const u8 *bpf_info__code(const struct perf_data *data, const char *name, u64 addr, u32 *size)
{
	struct cursor c = perf_data__feature_cursor(data, FEATURE_BPF_PROG_INFO);
	struct bpf_info program;
	const u8 *code = NULL;

	for (u32 nr = cursor__u32(&c); nr && !code && bpf_info__next(&program, &c); nr--)
		code = code_of_function(&program, name, addr, size);
	return code;
}
