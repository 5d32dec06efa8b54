// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * BPF programs that are loaded already: where their machine code lies and what it is called, as the
 * kernel itself reports it for programs loaded later. Costs one system call when there are none.
 * Not every user may list them; then there are no records, and no error.
 */
#include <linux/bpf.h>
#include <linux/btf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "util/format/record.h"
#include "util/lib/alloc.h"
#include "util/lib/cursor.h"
#include "util/synthesize/synthesize_local.h"

#define MAX_FUNCTIONS 1024 /* the kernel's own limit is 256 a program */
#define MAX_BTF       (16u << 20)
#define MAX_CODE      (64u << 20)
#define NAME_SIZE     256

struct program {
	struct bpf_prog_info info;
	u64 *addrs; /* info.nr_jited_ksyms each */
	u32 *lens;
	u8 (*tags)[BPF_TAG_SIZE];
	u8 *func_info;
	u8 *btf; /* NULL: none */
	u32 btf_size;
};

/* The default of synth->bpf. */
int synth__system_bpf(int command, union bpf_attr *attr)
{
	return syscall(__NR_bpf, command, attr, sizeof(*attr));
}

static bool next_program(const struct synth *synth, u32 *id)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.start_id = *id;
	if (synth->bpf(BPF_PROG_GET_NEXT_ID, &attr) < 0)
		return false;
	*id = attr.next_id;
	return true;
}

static int open_by_id(const struct synth *synth, int command, u32 id)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.prog_id = id; /* the same place as btf_id */
	return synth->bpf(command, &attr);
}

static bool get_info(const struct synth *synth, int fd, void *info, u32 size)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.info.bpf_fd = fd;
	attr.info.info_len = size;
	attr.info.info = (u64)(uintptr_t)info;
	return synth->bpf(BPF_OBJ_GET_INFO_BY_FD, &attr) == 0;
}

/* The types of the program's source, which have the full names of its functions. */
static void read_btf(const struct synth *synth, struct program *program)
{
	struct bpf_btf_info info = { 0 };
	int fd = program->info.btf_id
	                 ? open_by_id(synth, BPF_BTF_GET_FD_BY_ID, program->info.btf_id)
	                 : -1;

	if (fd < 0)
		return;
	if (get_info(synth, fd, &info, sizeof(info)) && info.btf_size && info.btf_size <= MAX_BTF) {
		program->btf_size = info.btf_size;
		program->btf = xcalloc(1, info.btf_size);
		info = (struct bpf_btf_info){ .btf = (u64)(uintptr_t)program->btf,
			                      .btf_size = program->btf_size };
		if (!get_info(synth, fd, &info, sizeof(info)))
			program->btf_size = 0;
	}
	close(fd);
}

/* How many bytes follow the three words of a type of this kind; -1: not known. */
static s64 btf_tail(u32 kind, u32 vlen)
{
	switch (kind) {
	case BTF_KIND_INT:
	case BTF_KIND_VAR:
	case 17: /* DECL_TAG */
		return 4;
	case BTF_KIND_ARRAY:
		return 12;
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
	case BTF_KIND_DATASEC:
	case 19: /* ENUM64 */
		return 12 * (s64)vlen;
	case BTF_KIND_ENUM:
	case BTF_KIND_FUNC_PROTO:
		return 8 * (s64)vlen;
	case BTF_KIND_PTR:
	case BTF_KIND_FWD:
	case BTF_KIND_TYPEDEF:
	case BTF_KIND_VOLATILE:
	case BTF_KIND_CONST:
	case BTF_KIND_RESTRICT:
	case BTF_KIND_FUNC:
	case 16: /* FLOAT */
	case 18: /* TYPE_TAG */
		return 0;
	default:
		return -1;
	}
}

/* The name of type @id; NULL when the BTF has none or makes no sense. */
static const char *btf_name(const struct program *program, u32 id)
{
	struct cursor types, all = cursor__make(program->btf, program->btf_size, false);
	const struct btf_header *head = cursor__bytes(&all, sizeof(*head));
	u64 size = program->btf_size;

	if (!head || head->magic != BTF_MAGIC ||
	    (u64)head->hdr_len + head->type_off + head->type_len > size ||
	    (u64)head->hdr_len + head->str_off + head->str_len > size)
		return NULL;
	types = cursor__make(program->btf + head->hdr_len + head->type_off, head->type_len, false);
	for (u32 at = 1; cursor__left(&types); at++) {
		u32 name = cursor__u32(&types), info = cursor__u32(&types);
		s64 tail = btf_tail(BTF_INFO_KIND(info), BTF_INFO_VLEN(info));
		const char *strings = (char *)program->btf + head->hdr_len + head->str_off;

		cursor__u32(&types);
		if (types.failed || tail < 0)
			return NULL;
		if (at == id)
			return name < head->str_len &&
			                       memchr(strings + name, 0, head->str_len - name)
			               ? strings + name
			               : NULL;
		cursor__bytes(&types, tail);
	}
	return NULL;
}

static const char *function_name(const struct program *program, u32 i)
{
	u32 step = program->info.func_info_rec_size;
	const char *name = NULL;

	if (program->btf && program->func_info && i < program->info.nr_func_info)
		name = btf_name(program, load_u32(program->func_info + (u64)i * step + 4, false));
	if (name && name[0])
		return name;
	return program->info.nr_jited_ksyms > 1 ? "F" : program->info.name; /* as the kernel does */
}

static void put_function(struct synth *synth, const struct program *program, u32 i)
{
	static const char digits[] = "0123456789abcdef";
	char tag[2 * BPF_TAG_SIZE + 1] = "", name[NAME_SIZE];
	const char *own = function_name(program, i);

	for (u32 j = 0; j < BPF_TAG_SIZE; j++) {
		tag[2 * j] = digits[program->tags[i][j] >> 4];
		tag[2 * j + 1] = digits[program->tags[i][j] & 15];
	}
	snprintf(name, sizeof(name), "bpf_prog_%s%s%s", tag, own[0] ? "_" : "", own);
	synth__begin(synth, PERF_RECORD_KSYMBOL, 0);
	synth__u64(synth, program->addrs[i]);
	synth__u32(synth, program->lens[i]);
	synth__u32(synth, PERF_RECORD_KSYMBOL_TYPE_BPF); /* and 16 bits of flags: none */
	synth__text(synth, name);
	synth__end(synth);
}

static void put_loaded(struct synth *synth, const struct program *program)
{
	synth__begin(synth, PERF_RECORD_BPF_EVENT, 0);
	synth__u32(synth, PERF_BPF_EVENT_PROG_LOAD); /* and 16 bits of flags: none */
	synth__u32(synth, program->info.id);
	out__mem(&synth->out, program->info.tag, sizeof(program->info.tag));
	synth__end(synth);
}

/* Sizes first, then with room for the arrays. False: gone, hidden, or not compiled. */
static bool read_program(const struct synth *synth, int fd, struct program *program)
{
	struct bpf_prog_info sizes = { 0 }, *info = &program->info;
	u32 nr, nr_infos, step;

	if (!get_info(synth, fd, &sizes, sizeof(sizes)))
		return false;
	nr = min_u64(sizes.nr_jited_ksyms, MAX_FUNCTIONS);
	nr_infos = min_u64(sizes.nr_func_info, MAX_FUNCTIONS);
	step = sizes.func_info_rec_size;
	program->addrs = xcalloc(nr + 1, sizeof(*program->addrs));
	program->lens = xcalloc(nr + 1, sizeof(*program->lens));
	program->tags = xcalloc(nr + 1, sizeof(*program->tags));
	if (step >= 8 && step <= 64 && nr_infos)
		program->func_info = xcalloc(nr_infos, step);
	info->nr_jited_ksyms = info->nr_jited_func_lens = info->nr_prog_tags = nr;
	info->jited_ksyms = (u64)(uintptr_t)program->addrs;
	info->jited_func_lens = (u64)(uintptr_t)program->lens;
	info->prog_tags = (u64)(uintptr_t)program->tags;
	if (program->func_info) {
		info->nr_func_info = nr_infos;
		info->func_info_rec_size = step;
		info->func_info = (u64)(uintptr_t)program->func_info;
	}
	if (!nr || !get_info(synth, fd, info, sizeof(*info)))
		return false;
	info->nr_jited_ksyms = min_u64(info->nr_jited_ksyms, nr);
	info->nr_func_info = program->func_info ? min_u64(info->nr_func_info, nr_infos) : 0;
	return info->nr_jited_ksyms > 0 && program->addrs[0];
}

static void put_program(struct synth *synth, int fd)
{
	struct program program = { .addrs = NULL };

	if (read_program(synth, fd, &program)) {
		program.info.name[sizeof(program.info.name) - 1] = '\0';
		read_btf(synth, &program);
		for (u32 i = 0; i < program.info.nr_jited_ksyms; i++)
			put_function(synth, &program, i);
		put_loaded(synth, &program);
	}
	free(program.addrs);
	free(program.lens);
	free(program.tags);
	free(program.func_info);
	free(program.btf);
}

void synth__bpf_programs(struct synth *synth)
{
	for (u32 id = 0; next_program(synth, &id);) {
		int fd = open_by_id(synth, BPF_PROG_GET_FD_BY_ID, id);

		if (fd < 0) /* gone meanwhile */
			continue;
		put_program(synth, fd);
		close(fd);
	}
}

/* ---- their code ---- */

/* What is kept of a program: arrays, whose numbers of elements and places its information has. */
static const struct {
	u16 nr_at, pointer_at; /* offsets of the fields */
	u8 size;               /* of an element */
	u8 bit;                /* its number in the file's list of arrays */
} kept[] = {
	{ offsetof(struct bpf_prog_info, jited_prog_len),
	  offsetof(struct bpf_prog_info, jited_prog_insns), 1, 0 },
	{ offsetof(struct bpf_prog_info, nr_jited_ksyms),
	  offsetof(struct bpf_prog_info, jited_ksyms), 8, 3 },
	{ offsetof(struct bpf_prog_info, nr_jited_func_lens),
	  offsetof(struct bpf_prog_info, jited_func_lens), 4, 4 },
	{ offsetof(struct bpf_prog_info, nr_prog_tags), offsetof(struct bpf_prog_info, prog_tags),
	  BPF_TAG_SIZE, 8 },
};

/* Of array @i in @info. */
static u32 nr_elements(const struct bpf_prog_info *info, u32 i)
{
	u32 nr;

	memcpy(&nr, (const u8 *)info + kept[i].nr_at, sizeof(nr));
	return nr;
}

/* Give @to the numbers of elements that @from has, and the arrays' places from @base on. */
static void place_arrays(struct bpf_prog_info *to, const struct bpf_prog_info *from, u64 base)
{
	for (u32 i = 0; i < ARRAY_SIZE(kept); i++) {
		u32 nr = nr_elements(from, i);

		memcpy((u8 *)to + kept[i].nr_at, &nr, sizeof(nr));
		memcpy((u8 *)to + kept[i].pointer_at, &base, sizeof(base));
		base += round_up_u64((u64)nr * kept[i].size, 8);
	}
}

/* False: it is gone, hidden, not compiled, or was changed meanwhile. */
static bool put_code(const struct synth *synth, int fd, struct out *out)
{
	struct bpf_prog_info sizes = { 0 }, info = { 0 };
	u64 len = 0, arrays = 0;

	if (!get_info(synth, fd, &sizes, sizeof(sizes)) || !sizes.jited_prog_len)
		return false;
	for (u32 i = 0; i < ARRAY_SIZE(kept); i++) {
		len += round_up_u64((u64)nr_elements(&sizes, i) * kept[i].size, 8);
		arrays |= 1ull << kept[i].bit;
	}
	if (len > MAX_CODE)
		return false;
	u8 *data = xcalloc(1, len);

	place_arrays(&info, &sizes, (u64)(uintptr_t)data);
	bool good = get_info(synth, fd, &info, sizeof(info)) && info.jited_prog_insns;

	for (u32 i = 0; i < ARRAY_SIZE(kept); i++)
		good &= nr_elements(&info, i) == nr_elements(&sizes, i);
	if (good) {
		u32 lens[2] = { sizeof(info), (u32)len };

		/* Other arrays are not kept. */
		info.xlated_prog_len = info.nr_map_ids = info.nr_func_info = info.nr_line_info =
		        info.nr_jited_line_info = 0;
		info.xlated_prog_insns = info.map_ids = info.func_info = info.line_info =
		        info.jited_line_info = 0;
		place_arrays(&info, &sizes, 0);
		out__mem(out, lens, sizeof(lens));
		out__mem(out, &arrays, sizeof(arrays));
		out__mem(out, &info, sizeof(info));
		out__mem(out, data, len);
	}
	free(data);
	return good;
}

void synth__bpf_code(struct out *out, int (*bpf)(int command, union bpf_attr *attr))
{
	const struct synth synth = { .bpf = bpf ? bpf : synth__system_bpf };
	struct out programs;
	u32 nr = 0;

	out__init(&programs, -1);
	for (u32 id = 0; next_program(&synth, &id);) {
		int fd = open_by_id(&synth, BPF_PROG_GET_FD_BY_ID, id);

		if (fd < 0)
			continue;
		nr += put_code(&synth, fd, &programs);
		close(fd);
	}
	out__mem(out, &nr, sizeof(nr));
	out__mem(out, programs.buf, programs.len);
	out__exit(&programs);
}
