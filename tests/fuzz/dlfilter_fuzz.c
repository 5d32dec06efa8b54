// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What a filter of perf script --dlfilter is told of the samples of a perf.data file of any bytes:
 * it reads all of a sample, and asks all that it may. The filter is a shared object of a few lines,
 * made by the compiler, which calls back into here; without a compiler there is nothing to do.
 */
#include <dlfcn.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "include/perf/perf_dlfilter.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/perf_data.h"
#include "tests/unit/elf_builder.h"
#include "ui/script/script.h"
#include "util/lib/alloc.h"
#include "util/lib/temp_dir.h"

static const char source[] =
        "void *perf_dlfilter_fns[128];\n"
        "int (*judge)(const void *sample, void *ctx);\n"
        "int start(void **data, void *ctx) { return !data || !ctx; }\n"
        "int filter_event_early(void *data, const void *s, void *ctx) { return judge(s, ctx); }\n"
        "int filter_event(void *data, const void *s, void *ctx) { return judge(s, ctx); }\n"
        "int stop(void *data, void *ctx) { return data || !ctx; }\n";

/* What is the same in all runs: the filter, and a root with an object in it. */
static struct world {
	char *root, *path;
	const struct perf_dlfilter_fns *fns; /* NULL: there is no compiler */
} world;

static void touch_text(const char *text)
{
	if (text)
		fuzz__touch(text, strlen(text));
}

static void touch_place(const struct perf_dlfilter_al *al)
{
	if (!al)
		return;
	FUZZ_CHECK(al->size == sizeof(*al));
	touch_text(al->dso);
	touch_text(al->sym);
	touch_text(al->comm);
	fuzz__touch(al->buildid, al->buildid_size);
	FUZZ_CHECK(!al->sym || (al->dso && al->sym_start + al->symoff == al->addr));
	FUZZ_CHECK(!al->buildid_size || al->dso);
}

static void touch_sample(const struct perf_dlfilter_sample *sample)
{
	FUZZ_CHECK(sample->size == sizeof(*sample));
	fuzz__touch(sample->raw_data, sample->raw_size);
	fuzz__touch(sample->brstack, sample->brstack_nr * sizeof(*sample->brstack));
	fuzz__touch(sample->raw_callchain, sample->raw_callchain_nr * sizeof(__u64));
	touch_text(sample->event);
}

/* Places by address, as a filter asks that knows all of the structure or its beginning. */
static void ask_addresses(const struct perf_dlfilter_sample *sample, void *ctx)
{
	struct perf_dlfilter_al whole = { .size = sizeof(whole) }, *part;
	u32 size = offsetof(struct perf_dlfilter_al, addr);

	if (!world.fns->resolve_address(ctx, sample->addr, &whole))
		touch_place(&whole);
	part = xmalloc(size); /* of its size, so that what is written behind it is seen */
	part->size = size;
	if (!world.fns->resolve_address(ctx, sample->ip, part))
		FUZZ_CHECK(part->size == size);
	part->size = 4;
	FUZZ_CHECK(world.fns->resolve_address(ctx, sample->ip, part) == -1);
	free(part);
}

static void ask_code(const struct perf_dlfilter_sample *sample, void *ctx)
{
	u8 bytes[24];
	u32 number = 0;
	const u8 *insn = world.fns->insn(ctx, &number);

	if (insn)
		fuzz__touch(insn, number);
	touch_text(world.fns->srcline(ctx, &number));
	s32 len = world.fns->object_code(ctx, sample->ip, bytes, sizeof(bytes));

	FUZZ_CHECK(len == -1 || (len > 0 && len <= (s32)sizeof(bytes)));
	fuzz__touch(bytes, max_u64(len, 0) % (sizeof(bytes) + 1));
}

/* Keeps every second sample. */
static int judge(const void *seen, void *ctx)
{
	const struct perf_dlfilter_sample *sample = seen;
	const struct perf_event_attr *attr = world.fns->attr(ctx);
	int nr = -1;

	touch_sample(sample);
	touch_place(world.fns->resolve_ip(ctx));
	touch_place(world.fns->resolve_addr(ctx));
	ask_addresses(sample, ctx);
	ask_code(sample, ctx);
	FUZZ_CHECK(attr && attr->size);
	world.fns->args(ctx, &nr);
	FUZZ_CHECK(!nr);
	return sample->ip & 1;
}

static void remove_world(void)
{
	temp_dir__remove(world.root);
	free(world.path);
}

static void make_filter(void)
{
	char *c = xasprintf("%s.c", world.path);
	char *command = xasprintf("cc -shared -fPIC -o %s %s >/dev/null 2>&1", world.path, c);

	fuzz__write(c, source, strlen(source));
	void *handle = system(command) ? NULL : dlopen(world.path, RTLD_NOW | RTLD_LOCAL);

	if (handle) { /* perf, which opens it again, gets the same one */
		*(void **)dlsym(handle, "judge") = (void *)judge;
		world.fns = dlsym(handle, "perf_dlfilter_fns");
	}
	free(command);
	free(c);
}

/* The object that the recordings of perf_data.h name, with a symbol where their samples are. */
static void make_object(void)
{
	static const char *const dirs[] = { "/usr", "/usr/bin", "/usr/bin/true" };
	struct elf_builder e = { .is64 = true, .build_id_size = 20 };

	elf_builder__symbol(&e, "f", STB_GLOBAL, STT_FUNC, 0, 40);
	elf_builder__build(&e);
	for (u32 i = 0; i < ARRAY_SIZE(dirs); i++) {
		char *path = xasprintf("%s%s", world.root, dirs[i]);

		if (i < 2)
			FUZZ_CHECK(!mkdir(path, 0700));
		else
			fuzz__write(path, e.image.data, e.image.len);
		free(path);
	}
	elf_builder__exit(&e);
}

static void make_world(void)
{
	if (world.root)
		return;
	world.root = temp_dir__make("perf-fuzz", NULL);
	FUZZ_CHECK(world.root);
	world.path = xasprintf("%s/filter.so", world.root);
	atexit(remove_world);
	make_object();
	make_filter();
}

static void print(const struct session *session)
{
	struct symbol_config config = { .symfs = world.root, .no_live_kernel = true };
	struct session_symbols *symbols = session_symbols__new(&session->dsos, &config);
	struct script_options options = { .max_stack = 127, .dlfilter = world.path };
	struct error err = ERROR_INIT;
	struct out out;

	script_fields__init(&options.fields);
	out__init(&out, -1);
	struct script *script = script__new(session, symbols, &options, &out, &err);

	FUZZ_CHECK(script || err.code < 0);
	if (script) {
		while (script__next(script))
			out.len = 0;
		FUZZ_CHECK(!script__end(script, &err)); /* what fails in there is caught by perf */
	}
	script__delete(script);
	out__exit(&out);
	session_symbols__delete(symbols);
}

int LLVMFuzzerTestOneInput(const u8 *bytes, size_t size)
{
	struct session session;

	make_world();
	if (!world.fns || session__open(&session, fuzz__file(bytes, size), PERF_DATA_FORCE, NULL))
		return 0;
	if (!session__scan(&session, NULL))
		print(&session);
	session__close(&session);
	return 0;
}

static void add_data_samples(void (*add)(const void *data, size_t size))
{
	u64 type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ADDR;
	struct perf_event_attr attr = built_attr(type);
	struct built_sample s = { .pid = 100, .tid = 100, .time = 1 };
	struct file_builder f;

	attr.config = PERF_COUNT_SW_PAGE_FAULTS; /* whose addr is a place */
	file_builder__init(&f, false);
	file_builder__event(&f, &attr, NULL, 0);
	builder__comm(&f.data, type, &s, "prog");
	builder__mmap2(&f.data, type, &s, 2, ELF_TEXT_VADDR, ELF_TEXT_SIZE, ELF_TEXT_OFFSET,
	               "/usr/bin/true");
	builder__mmap2(&f.data, type, &s, 2 | PERF_RECORD_MISC_MMAP_DATA, 0x600000, 0x1000, 0,
	               "/usr/bin/true");
	for (u32 i = 0; i < 8; i++) {
		s.time++;
		s.ip = ELF_TEXT_VADDR + 8 * i;
		s.addr = i % 2 ? 0x600010 : ELF_TEXT_VADDR + i;
		builder__sample(&f.data, type, 2, &s);
	}
	fuzz__add_file(&f, add);
}

void fuzz__seeds(void (*add)(const void *data, size_t size))
{
	add_data_samples(add);
	fuzz__perf_data_seeds(add);
}
