// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * BPF programs that were loaded while recording. A program's information is the kernel's struct
 * bpf_prog_info, in which addresses have been replaced by offsets into the bytes behind it.
 */
#include <linux/bpf.h>

#include "ui/dump/header.h"
#include "util/reader/feature_cursor.h"

struct program {
	const u8 *info, *data;
	u32 info_len, data_len;
	bool swap;
};

static u32 info_u32(const struct program *p, size_t at)
{
	return at + 4 <= p->info_len ? load_u32(p->info + at, p->swap) : 0;
}

static u64 info_u64(const struct program *p, size_t at)
{
	return at + 8 <= p->info_len ? load_u64(p->info + at, p->swap) : 0;
}

/* Element @i of an array that the field at @offset_at points to, or NULL. */
static const u8 *element(const struct program *p, size_t offset_at, u32 i, u32 size)
{
	u64 offset = info_u64(p, offset_at);

	if (offset > p->data_len || (i + 1ull) * size > p->data_len - offset)
		return NULL;
	return p->data + offset + (u64)i * size;
}

/* The kernel's symbol: bpf_prog_TAG_NAME, NAME being "F" for parts whose name only BTF has. */
static void symbol(const struct header_feature *f, const struct program *p, u32 i, u32 nr)
{
	char name[BPF_OBJ_NAME_LEN + 1] = "F";
	size_t name_at = offsetof(struct bpf_prog_info, name);
	const u8 *tag = element(p, offsetof(struct bpf_prog_info, prog_tags), i, BPF_TAG_SIZE);
	const u8 *addr = element(p, offsetof(struct bpf_prog_info, jited_ksyms), i, 8);
	const u8 *len = element(p, offsetof(struct bpf_prog_info, jited_func_lens), i, 4);

	if (!tag || !addr || !len) {
		f->c->failed = true;
		return;
	}
	if (nr == 1 && name_at + BPF_OBJ_NAME_LEN <= p->info_len)
		memcpy(name, p->info + name_at, BPF_OBJ_NAME_LEN);
	out__str(f->out, "bpf_prog_");
	for (unsigned k = 0; k < BPF_TAG_SIZE; k++)
		out__hex0(f->out, tag[k], 2);
	out__char(f->out, '_');
	out__name(f->out, name);
	out__printf(f->out, " addr 0x%llx size %u\n", (unsigned long long)load_u64(addr, p->swap),
	            load_u32(len, p->swap));
}

static void program(const struct header_feature *f)
{
	struct program p = { .swap = f->c->swap };

	p.info_len = cursor__u32(f->c);
	p.data_len = cursor__u32(f->c);
	cursor__u64(f->c); /* which arrays are there */
	p.info = cursor__bytes(f->c, p.info_len);
	p.data = cursor__bytes(f->c, p.data_len);
	if (f->c->failed)
		return;
	u32 nr = info_u32(&p, offsetof(struct bpf_prog_info, nr_jited_ksyms));

	out__printf(f->out,
	            "# bpf_prog_info %u:", info_u32(&p, offsetof(struct bpf_prog_info, id)));
	out__char(f->out, nr == 1 ? ' ' : '\n');
	for (u32 i = 0; i < nr && !f->c->failed; i++) {
		if (nr > 1)
			out__printf(f->out, "# \tsub_prog %u: ", i);
		symbol(f, &p, i, nr);
	}
}

void header__bpf_programs(const struct header_feature *f)
{
	u32 nr = cursor__u32(f->c);

	for (u32 i = 0; i < nr && !f->c->failed; i++)
		program(f);
}

void header__bpf_btf(const struct header_feature *f)
{
	u32 nr = cursor__u32(f->c);

	for (u32 i = 0; i < nr && !f->c->failed; i++) {
		u32 id = cursor__u32(f->c), size = cursor__u32(f->c);

		cursor__bytes(f->c, size);
		out__printf(f->out, "# btf info of id %u\n", id);
	}
}
