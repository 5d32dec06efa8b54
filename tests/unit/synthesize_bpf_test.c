// SPDX-License-Identifier: GPL-2.0-or-later
/* BPF programs that were loaded before, told by a bpf(2) of the test's own. */
#include "tests/unit/unit.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/bpf.h>
#include <linux/btf.h>
#include <stdlib.h>
#include <unistd.h>

#include "tests/unit/builder.h"
#include "util/format/record.h"
#include "util/lib/alloc.h"
#include "util/synthesize/synthesize.h"

#define FUNC_STEP 16 /* bytes of a func_info entry: the newer kernels' */

/*
 * What the kernel has: program 5 with one function and no types, 9 with two functions and types,
 * 11 that ends before it can be opened, 12 whose addresses are hidden, 13 that tells nothing.
 */
static struct {
	struct builder btf;
	u32 outer, inner; /* ids of these functions in the types */
	int fds[16];      /* fds[program], fds[0] of the types */
} kernel;

static const u32 programs[] = { 5, 9, 11, 12, 13 };

static void add_type(u32 name, u32 kind, u32 vlen, u32 tail_words)
{
	builder__u32(&kernel.btf, name);
	builder__u32(&kernel.btf, kind << 24 | vlen);
	builder__u32(&kernel.btf, 1);
	builder__zero(&kernel.btf, tail_words * 4);
}

/* Types of all sizes, then the two functions. */
static void make_btf(void)
{
	static const struct {
		u8 kind, vlen, words;
	} types[] = { { BTF_KIND_INT, 0, 1 },
		      { BTF_KIND_PTR, 0, 0 },
		      { BTF_KIND_ARRAY, 0, 3 },
		      { BTF_KIND_STRUCT, 2, 6 },
		      { BTF_KIND_ENUM, 3, 6 },
		      { BTF_KIND_FWD, 0, 0 },
		      { BTF_KIND_FUNC_PROTO, 1, 2 },
		      { BTF_KIND_DATASEC, 1, 3 },
		      { 16, 0, 0 },
		      { 17, 0, 1 },
		      { 19, 1, 3 } };
	struct builder *b = &kernel.btf;

	builder__u16(b, BTF_MAGIC);
	builder__u16(b, 1);
	builder__u32(b, sizeof(struct btf_header));
	builder__zero(b, 16); /* offsets and lengths */
	for (unsigned i = 0; i < ARRAY_SIZE(types); i++)
		add_type(0, types[i].kind, types[i].vlen, types[i].words);
	kernel.outer = ARRAY_SIZE(types) + 1;
	kernel.inner = kernel.outer + 1;
	add_type(1, BTF_KIND_FUNC, 0, 0);
	add_type(7, BTF_KIND_FUNC, 0, 0);
	u32 types_len = b->len - sizeof(struct btf_header);

	builder__bytes(b, "\0outer\0inner", 13);
	builder__set_u32(b, 12, types_len);
	builder__set_u32(b, 16, types_len);
	builder__set_u32(b, 20, 13);
}

static int open_one(u32 at)
{
	int fd = open("/dev/null", O_RDONLY | O_CLOEXEC);

	for (unsigned i = 0; i < ARRAY_SIZE(kernel.fds); i++)
		if (kernel.fds[i] == fd) /* of one that was closed meanwhile */
			kernel.fds[i] = -1;
	return kernel.fds[at] = fd;
}

static int tell_btf(struct bpf_btf_info *info)
{
	if (info->btf)
		memcpy((void *)(uintptr_t)info->btf, kernel.btf.data,
		       min_u64(info->btf_size, kernel.btf.len));
	info->btf_size = kernel.btf.len;
	return 0;
}

static int tell_program(struct bpf_prog_info *info, u32 id)
{
	u32 nr = id == 9 ? 2 : 1;

	if (id == 13)
		return -1;
	for (u32 i = 0; info->jited_ksyms && i < nr; i++) {
		((u64 *)(uintptr_t)info->jited_ksyms)[i] =
		        id == 12 ? 0 : 0xc0000000 + id * 4096 + i;
		((u32 *)(uintptr_t)info->jited_func_lens)[i] = 100 + i;
		memset((u8 *)(uintptr_t)info->prog_tags + i * BPF_TAG_SIZE, 0xa0 + i, BPF_TAG_SIZE);
	}
	for (u32 i = 0; info->func_info && i < nr; i++)
		memcpy((u8 *)(uintptr_t)info->func_info + i * FUNC_STEP + 4,
		       i ? &kernel.inner : &kernel.outer, 4);
	info->id = id;
	strcpy(info->name, "plain");
	info->nr_jited_ksyms = info->nr_jited_func_lens = info->nr_prog_tags = nr;
	info->nr_func_info = id == 9 ? nr : 0;
	info->func_info_rec_size = id == 9 ? FUNC_STEP : 0;
	info->btf_id = id == 9;
	memset(info->tag, id, sizeof(info->tag));
	return 0;
}

static int fake_bpf(int command, union bpf_attr *attr)
{
	void *info = (void *)(uintptr_t)attr->info.info;

	switch (command) {
	case BPF_PROG_GET_NEXT_ID:
		for (unsigned i = 0; i < ARRAY_SIZE(programs); i++)
			if (programs[i] > attr->start_id) {
				attr->next_id = programs[i];
				return 0;
			}
		return -1;
	case BPF_PROG_GET_FD_BY_ID:
		return attr->prog_id == 11 ? -1 : open_one(attr->prog_id);
	case BPF_BTF_GET_FD_BY_ID:
		return open_one(0);
	case BPF_OBJ_GET_INFO_BY_FD:
		if ((int)attr->info.bpf_fd == kernel.fds[0])
			return tell_btf(info);
		for (u32 id = 1; id < ARRAY_SIZE(kernel.fds); id++)
			if ((int)attr->info.bpf_fd == kernel.fds[id])
				return tell_program(info, id);
	}
	CHECK(false);
	return -1;
}

struct told {
	char names[256]; /* of the KSYMBOL records, a blank behind each */
	u32 nr_loaded;
};

static int look(void *ctx, const void *data, size_t len)
{
	struct told *told = ctx;
	const u8 *p = data, *end = p + len;
	struct ksymbol_record symbol;

	for (u16 size; p < end; p += size) {
		size = load_u16(p + 6, false);
		struct record r = { .data = p, .type = load_u32(p, false), .size = size };

		told->nr_loaded += r.type == PERF_RECORD_BPF_EVENT;
		if (r.type != PERF_RECORD_KSYMBOL)
			continue;
		CHECK_EQ(ksymbol_record__decode(&r, false, &symbol), 0);
		CHECK_EQ(symbol.addr >> 16, 0xc000);
		CHECK(symbol.len >= 100);
		strcat(told->names, symbol.name);
		strcat(told->names, " ");
	}
	return 0;
}

static struct told tell(void)
{
	struct perf_event_attr attr = { .type = PERF_TYPE_SOFTWARE, .size = 128 };
	struct evlist list = { .nr = 0 };
	struct told told = { .nr_loaded = 0 };
	struct synth synth;

	memset(kernel.fds, -1, sizeof(kernel.fds));
	evlist__add(&list, &attr, "cpu-clock");
	synth__init(&synth, &list, look, &told);
	synth.bpf = fake_bpf;
	synth__bpf_programs(&synth);
	CHECK_EQ(synth__exit(&synth), 0);
	evlist__exit(&list);
	return told;
}

#define TAG0 "a0a0a0a0a0a0a0a0"
#define TAG1 "a1a1a1a1a1a1a1a1"

TEST(synth_bpf_programs_by_the_names_of_their_types)
{
	make_btf();
	struct told told = tell();

	CHECK_STR(told.names,
	          "bpf_prog_" TAG0 "_plain bpf_prog_" TAG0 "_outer bpf_prog_" TAG1 "_inner ");
	CHECK_EQ(told.nr_loaded, 2);
	builder__exit(&kernel.btf);
	kernel.btf = (struct builder){ .len = 0 };
}

/* As the kernel names functions whose types say nothing. */
TEST(synth_bpf_programs_whose_types_make_no_sense)
{
	static const struct {
		u16 at;
		u32 value;
	} damages[] = {
		{ 0, 0x1eb9e },        /* magic */
		{ 4, ~0u },            /* header size */
		{ 12, 1u << 30 },      /* types */
		{ 20, 1u << 30 },      /* strings */
		{ 16, 0xffffff00 },    /* where strings are */
		{ 24 + 4, 31u << 24 }, /* a kind nobody knows */
		{ 12, 24 },            /* types end early */
		{ 20, 0 },             /* no strings */
	};

	for (unsigned i = 0; i < ARRAY_SIZE(damages); i++) {
		make_btf();
		builder__set_u32(&kernel.btf, damages[i].at, damages[i].value);
		CHECK_STR(tell().names,
		          "bpf_prog_" TAG0 "_plain bpf_prog_" TAG0 "_F bpf_prog_" TAG1 "_F ");
		builder__exit(&kernel.btf);
		kernel.btf = (struct builder){ .len = 0 };
	}
}
