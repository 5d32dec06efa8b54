// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A loaded BPF program as bpf(2) describes it: how many functions it has, and its types, any bytes.
 * As the kernel does, no more is written than there was said to be room for; what is said to be
 * there may be more. The records made of it can be read, with a name for each function.
 */
#include <fcntl.h>
#include <linux/bpf.h>
#include <linux/btf.h>
#include <linux/perf_event.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/fuzz.h"
#include "tests/unit/builder.h"
#include "util/format/record.h"
#include "util/synthesize/synthesize.h"

/* The head of an input; the types follow. */
struct told {
	u32 nr_symbols, nr_infos, info_size;
	u32 btf_size; /* that is claimed; 0: the true one */
	u64 addr;     /* of the first function */
	u32 types[4]; /* of the functions, over and over */
};

static struct kernel {
	struct told told;
	const u8 *btf;
	u32 btf_size;
	int btf_fd;
	u64 nr_symbols, nr_loaded; /* of the records */
} kernel;

static int tell_types(struct bpf_btf_info *info)
{
	u32 room = info->btf ? info->btf_size : 0;

	if (room)
		memcpy((void *)(uintptr_t)info->btf, kernel.btf, min_u64(room, kernel.btf_size));
	info->btf_size = kernel.told.btf_size ? kernel.told.btf_size : kernel.btf_size;
	return 0;
}

static void tell_functions(const struct bpf_prog_info *room)
{
	const struct told *told = &kernel.told;
	u32 nr = min_u64(told->nr_symbols, room->nr_jited_ksyms);
	u32 nr_infos = min_u64(told->nr_infos, room->nr_func_info);

	for (u32 i = 0; room->jited_ksyms && i < nr; i++) {
		((u64 *)(uintptr_t)room->jited_ksyms)[i] = told->addr + i;
		((u32 *)(uintptr_t)room->jited_func_lens)[i] = i;
		memset((u8 *)(uintptr_t)room->prog_tags + i * BPF_TAG_SIZE, i, BPF_TAG_SIZE);
	}
	for (u32 i = 0; room->func_info && i < nr_infos; i++)
		memcpy((u8 *)(uintptr_t)room->func_info + (u64)i * room->func_info_rec_size + 4,
		       &told->types[i % ARRAY_SIZE(told->types)], sizeof(u32));
}

static int tell_program(struct bpf_prog_info *info)
{
	tell_functions(info);
	info->id = 5;
	info->btf_id = kernel.btf_size > 0;
	info->nr_jited_ksyms = kernel.told.nr_symbols;
	info->nr_func_info = kernel.told.nr_infos;
	info->func_info_rec_size = kernel.told.info_size;
	memset(info->name, 'n', sizeof(info->name));
	return 0;
}

static int fake_bpf(int command, union bpf_attr *attr)
{
	void *info = (void *)(uintptr_t)attr->info.info;
	int fd;

	switch (command) {
	case BPF_PROG_GET_NEXT_ID:
		attr->next_id = 5;
		return attr->start_id ? -1 : 0;
	case BPF_OBJ_GET_INFO_BY_FD:
		return (int)attr->info.bpf_fd == kernel.btf_fd ? tell_types(info)
		                                               : tell_program(info);
	default:
		fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
		kernel.btf_fd = command == BPF_BTF_GET_FD_BY_ID ? fd : kernel.btf_fd;
		return fd;
	}
}

static int check_records(void *ctx, const void *data, size_t len)
{
	const u8 *at = data, *end = at + len;
	struct ksymbol_record symbol;

	(void)ctx;
	for (u16 size; at < end; at += size) {
		size = load_u16(at + 6, false);
		FUZZ_CHECK(size >= sizeof(struct perf_event_header) && size <= end - at);
		struct record r = { .data = at, .type = load_u32(at, false), .size = size };

		kernel.nr_loaded += r.type == PERF_RECORD_BPF_EVENT;
		if (r.type != PERF_RECORD_KSYMBOL)
			continue;
		FUZZ_CHECK(!ksymbol_record__decode(&r, false, &symbol));
		FUZZ_CHECK(!strncmp(symbol.name, "bpf_prog_", 9));
		kernel.nr_symbols++;
	}
	return 0;
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct perf_event_attr attr = { .type = PERF_TYPE_SOFTWARE, .size = sizeof(attr) };
	struct evlist list = { .nr = 0 };
	struct synth synth;

	if (size < sizeof(kernel.told))
		return 0;
	kernel = (struct kernel){ .btf = data + sizeof(kernel.told),
		                  .btf_size = size - sizeof(kernel.told),
		                  .btf_fd = -1 };
	memcpy(&kernel.told, data, sizeof(kernel.told));
	evlist__add(&list, &attr, "cpu-clock");
	synth__init(&synth, &list, check_records, NULL);
	synth.bpf = fake_bpf;
	synth__bpf_programs(&synth);
	FUZZ_CHECK(!synth__exit(&synth));
	FUZZ_CHECK(!kernel.nr_symbols == !kernel.nr_loaded);
	FUZZ_CHECK(kernel.nr_symbols <= kernel.told.nr_symbols);
	evlist__exit(&list);
	return 0;
}

static void add_type(struct builder *b, u32 name, u32 kind, u32 nr, u32 tail_words)
{
	builder__u32(b, name);
	builder__u32(b, kind << 24 | nr);
	builder__u32(b, 1);
	builder__zero(b, tail_words * 4);
}

/* One type of each length, then the functions "outer" and "inner": 9 and 10. */
static void add_types(struct builder *b)
{
	static const struct {
		u8 kind, nr, words;
	} types[] = { { BTF_KIND_INT, 0, 1 },     { BTF_KIND_PTR, 0, 0 },
		      { BTF_KIND_ARRAY, 0, 3 },   { BTF_KIND_STRUCT, 2, 6 },
		      { BTF_KIND_ENUM, 3, 6 },    { BTF_KIND_FUNC_PROTO, 1, 2 },
		      { BTF_KIND_DATASEC, 1, 3 }, { 19, 1, 3 } };
	size_t head = b->len, from = head + sizeof(struct btf_header);

	builder__u16(b, BTF_MAGIC);
	builder__u16(b, 1);
	builder__u32(b, sizeof(struct btf_header));
	builder__zero(b, sizeof(struct btf_header) - 8);
	for (unsigned i = 0; i < ARRAY_SIZE(types); i++)
		add_type(b, 0, types[i].kind, types[i].nr, types[i].words);
	add_type(b, 1, BTF_KIND_FUNC, 0, 0);
	add_type(b, 7, BTF_KIND_FUNC, 0, 0);
	builder__set_u32(b, head + offsetof(struct btf_header, type_len), b->len - from);
	builder__set_u32(b, head + offsetof(struct btf_header, str_off), b->len - from);
	builder__set_u32(b, head + offsetof(struct btf_header, str_len), 13);
	builder__bytes(b, "\0outer\0inner", 13);
}

void fuzz__seeds(void (*add)(const void *data, size_t size))
{
	static const struct told programs[] = {
		{ .nr_symbols = 2,
		  .nr_infos = 2,
		  .info_size = 8,
		  .addr = 1 << 20,
		  .types = { 9, 10, 3, 99 } },
		{ .nr_symbols = 6,
		  .nr_infos = 3,
		  .info_size = 16,
		  .addr = 7,
		  .types = { 10, 9, 0, 1 } },
		{ .nr_symbols = 5000,
		  .nr_infos = 2000,
		  .info_size = 64,
		  .addr = 1,
		  .types = { 9 } },
		{ .nr_symbols = 2, .nr_infos = 2, .info_size = 4, .btf_size = 1 << 16, .addr = 1 },
		{ .nr_symbols = 1, .addr = 1 },
		{ .nr_symbols = 1 },
		{ .nr_symbols = 0 },
	};

	for (u32 i = 0; i < ARRAY_SIZE(programs); i++) {
		struct builder b = { .len = 0 };

		builder__bytes(&b, &programs[i], sizeof(programs[i]));
		if (i != 4)
			add_types(&b);
		add(b.data, b.len);
		builder__exit(&b);
	}
}
