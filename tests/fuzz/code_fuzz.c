// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The code of an object of any bytes, as perf script prints it: instructions at the addresses of
 * samples and between branches, and the source they came from. The recording is always the same.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/fuzz/fuzz.h"
#include "tests/unit/elf_builder.h"
#include "ui/script/script.h"
#include "util/lib/alloc.h"
#include "util/lib/temp_dir.h"
#include "util/reader/features.h"

#define SAMPLE_TYPE (PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_BRANCH_STACK)
#define NR_SAMPLES  12

static const struct perf_event_attr attr = {
	.type = PERF_TYPE_SOFTWARE,
	.size = 128,
	.config = PERF_COUNT_SW_CPU_CLOCK,
	.sample_period = 1000,
	.sample_type = SAMPLE_TYPE,
	.branch_sample_type = PERF_SAMPLE_BRANCH_ANY,
	.sample_id_all = 1,
};

static const char source[] =
        "volatile int sink;\nint f(int n)\n{\n\tif (n > sink)\n\t\treturn f(n - 1);\n"
        "\treturn n;\n}\n\nvoid _start(void)\n{\n\tsink = f(3);\n}\n";

/* What is the same in all runs: a root with the source, and the recording. */
static struct world {
	char *root, *object, *source, *recording;
} world;

static void remove_world(void)
{
	temp_dir__remove(world.root);
	free(world.object);
	free(world.source);
	free(world.recording);
}

/* Branches from one end of a few instructions to the next beginning, the newest first. */
static void add_sample(struct builder *b, u32 i)
{
	size_t at = builder__begin(b, PERF_RECORD_SAMPLE, 2);

	builder__u64(b, ELF_TEXT_VADDR + 4 * i);
	builder__u32(b, 100);
	builder__u32(b, 100);
	builder__u64(b, 1000 + i);
	builder__u64(b, 3);
	for (u64 k = 3; k > 0; k--) {
		builder__u64(b, ELF_TEXT_VADDR + 16 * k + i);
		builder__u64(b, ELF_TEXT_VADDR + 16 * k + 7 * (i % 5) - 16);
		builder__u64(b, k);
	}
	builder__end(b, at);
}

static void write_recording(void)
{
	struct built_sample s = { .pid = 100, .tid = 100, .time = 1 };
	struct file_builder f;
	struct builder out;

	file_builder__init(&f, false);
	file_builder__event(&f, &attr, NULL, 0);
	builder__feature_string(file_builder__feature(&f, FEATURE_ARCH), "x86_64");
	builder__comm(&f.data, SAMPLE_TYPE, &s, "prog");
	builder__mmap2(&f.data, SAMPLE_TYPE, &s, 2, ELF_TEXT_VADDR, ELF_TEXT_SIZE, ELF_TEXT_OFFSET,
	               "/prog");
	for (u32 i = 0; i < NR_SAMPLES; i++)
		add_sample(&f.data, i);
	file_builder__finish(&f, &out);
	fuzz__write(world.recording, out.data, out.len);
	builder__exit(&out);
	file_builder__exit(&f);
}

static void make_world(void)
{
	if (world.root)
		return;
	world.root = temp_dir__make("perf-fuzz", NULL);
	FUZZ_CHECK(world.root);
	world.object = xasprintf("%s/prog", world.root);
	world.source = xasprintf("%s/s.c", world.root);
	world.recording = xasprintf("%s/data", world.root);
	atexit(remove_world);
	fuzz__write(world.source, source, strlen(source));
	write_recording();
}

static void check_text(const char *text)
{
	for (; *text; text++)
		FUZZ_CHECK((u8)*text >= 0x20 || *text == '\n' || *text == '\t');
}

static void print(const struct session *session, const char *fields)
{
	struct symbol_config config = { .symfs = world.root, .no_live_kernel = true };
	struct session_symbols *symbols = session_symbols__new(&session->dsos, &config);
	struct script_options options = { .max_stack = 127 };
	struct out out;

	script_fields__init(&options.fields);
	FUZZ_CHECK(!script_fields__parse(&options.fields, fields, NULL));
	out__init(&out, -1);
	struct script *script = script__new(session, symbols, &options, &out, NULL);

	FUZZ_CHECK(script);
	while (script__next(script))
		;
	FUZZ_CHECK(script__nr_printed(script) == NR_SAMPLES);
	check_text(out__take(&out));
	script__delete(script);
	out__exit(&out);
	session_symbols__delete(symbols);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct session session;

	make_world();
	fuzz__write(world.object, data, size);
	FUZZ_CHECK(!session__open(&session, world.recording, 0, NULL));
	FUZZ_CHECK(!session__scan(&session, NULL));
	print(&session, "ip,sym,symoff,insn,insnlen,disasm,srcline,srccode");
	print(&session, "ip,brstackinsnlen,srccode,brstackdisasm");
	session__close(&session);
	return 0;
}

/* Of x86: each is decoded from some sample on. */
static const u8 code[] = { 0x55, 0x48, 0x89, 0xe5, 0x90, 0xe8, 0x06, 0x00, 0x00, 0x00, 0x5d, 0xc3,
	                   0x0f, 0x1f, 0x44, 0x00, 0x00, 0x74, 0xf0, 0xeb, 0xee, 0x48, 0x8b, 0x05,
	                   0x10, 0x00, 0x00, 0x00, 0xf3, 0x0f, 0x1e, 0xfa, 0xff, 0x25, 0x00, 0x10,
	                   0x00, 0x00, 0x06, 0xc5, 0xf8, 0x77, 0x0f, 0x05, 0x0f, 0x0b, 0xcc, 0xf4 };

static void add_built(void (*add)(const void *data, size_t size), u16 machine, bool is64)
{
	struct elf_builder e = { .is64 = is64, .machine = machine };

	elf_builder__symbol(&e, "f", STB_GLOBAL, STT_FUNC, 0, 12);
	elf_builder__symbol(&e, "g", STB_GLOBAL, STT_FUNC, 12, 60);
	elf_builder__build(&e);
	memcpy(e.image.data + ELF_TEXT_OFFSET, code, sizeof(code));
	add(e.image.data, e.image.len);
	elf_builder__exit(&e);
}

void fuzz__seeds(void (*add)(const void *data, size_t size))
{
	static u8 bytes[1 << 20];

	add_built(add, 0, true);
	add_built(add, 0, false);
	add_built(add, EM_AARCH64, true);
	make_world();
	char *command = xasprintf(
	        "cd %s && cc -g -O1 -nostdlib -static -o prog s.c >/dev/null 2>&1", world.root);
	FILE *file = system(command) ? NULL : fopen(world.object, "r");

	if (file) {
		add(bytes, fread(bytes, 1, sizeof(bytes), file));
		fclose(file);
	}
	free(command);
}
