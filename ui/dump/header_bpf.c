// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include "ui/dump/header.h"
#include "util/reader/bpf_info.h"

/* The kernel's symbol: bpf_prog_TAG_NAME, NAME being "F" for parts whose name only BTF has. */
static void symbol(const struct header_feature *f, const struct bpf_info *p, u32 i, u32 nr)
{
	char name[BPF_OBJ_NAME_LEN + 1] = "F";
	size_t name_at = BPF_INFO(name);
	const u8 *tag = bpf_info__element(p, BPF_INFO(prog_tags), i, BPF_TAG_SIZE);
	const u8 *addr = bpf_info__element(p, BPF_INFO(jited_ksyms), i, 8);
	const u8 *len = bpf_info__element(p, BPF_INFO(jited_func_lens), i, 4);

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
	struct bpf_info p;

	if (!bpf_info__next(&p, f->c))
		return;
	u32 nr = bpf_info__u32(&p, BPF_INFO(nr_jited_ksyms));

	out__printf(f->out, "# bpf_prog_info %u:", bpf_info__u32(&p, BPF_INFO(id)));
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
