// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/unit/unit.h"

#include <stdlib.h>

#include "tests/unit/elf_builder.h"
#include "util/lib/alloc.h"
#include "util/sdt/sdt.h"

#define SITE   (ELF_TEXT_VADDR + 0x120)
#define OFFSET "0x1120" /* in the file */

struct point {
	const char *provider, *name, *args;
	u64 location, semaphore;
};

static void add_note(struct elf_builder *e, const struct point *point)
{
	struct builder *b = &e->extra;
	const char *const texts[] = { point->provider, point->name, point->args };
	u64 numbers[] = { point->location, 0, point->semaphore };
	u32 size = 3 * (e->is64 ? 8 : 4);

	for (unsigned i = 0; i < 3; i++)
		size += strlen(texts[i]) + 1;
	builder__u32(b, sizeof("stapsdt"));
	builder__u32(b, size);
	builder__u32(b, 3);
	builder__bytes(b, "stapsdt", sizeof("stapsdt"));
	for (unsigned i = 0; i < 3; i++)
		if (e->is64)
			builder__u64(b, numbers[i]);
		else
			builder__u32(b, numbers[i]);
	for (unsigned i = 0; i < 3; i++)
		builder__bytes(b, texts[i], strlen(texts[i]) + 1);
	builder__zero(b, -size & 3);
}

/* The text for an object whose notes are in e->extra, which is used up; malloc'ed. */
static char *text_of(struct elf_builder *e, const char *path)
{
	struct sdt_probes probes;
	struct elf_file elf;
	struct out out;

	e->extra_name = ".note.stapsdt";
	elf_builder__build(e);
	CHECK_EQ(elf_file__open_memory(&elf, e->image.data, e->image.len), 0);
	sdt_probes__read(&probes, &elf);
	elf_file__close(&elf);
	out__init(&out, -1);
	sdt_probes__write(&probes, path, &out);
	char *text = xstrdup(out__take(&out));

	out__exit(&out);
	sdt_probes__exit(&probes);
	elf_builder__exit(e);
	return text;
}

static void check_args(const char *args, const char *want)
{
	struct elf_builder e = { .is64 = true };
	struct point point = { "p", "n", args, SITE, 0 };

	add_note(&e, &point);
	char *text = text_of(&e, "/bin/x");
	char *all = xasprintf("%%sdt_p:n=n\np:sdt_p/n /bin/x:" OFFSET "%s\n", want);

	CHECK_STR(text, all);
	free(all);
	free(text);
}

TEST(sdt_arguments_in_the_kernels_words)
{
	check_args("", "");
	check_args("8@%rax -8@%rdi 4@%eax 2@%ax -1@%al 1@%bh", " arg1=%ax:u64 arg2=%di:s64 "
	                                                       "arg3=%ax:u32 arg4=%ax:u16 "
	                                                       "arg5=%ax:s8 arg6=%bx:u8");
	check_args("8@%r8 4@%r8d 2@%r15w 1@%r9b 1@%sil 8@%rip", " arg1=%r8:u64 arg2=%r8:u32 "
	                                                        "arg3=%r15:u16 arg4=%r9:u8 "
	                                                        "arg5=%si:u8 arg6=%rip:u64");
	check_args("8@(%rax) -4@-20(%rbp) 4@+8(%rdx)", " arg1=+0(%ax):u64 arg2=-20(%bp):s32 "
	                                               "arg3=+8(%dx):u32");
	check_args("%rcx  4f@%xmm1 ", " arg1=%cx arg2=%xmm1:u32");
	/* What cannot be fetched keeps its number; unknown sizes have no type. */
	check_args("4@$5 8@x(%rip) 8@8(%rax,%rbx,4) 8@%fs:0 8@ -(%rax) 8@%rbx 3@%rax 16@%rax @%rax",
	           " arg7=%bx:u64 arg8=%ax arg9=%ax arg10=%ax");
	check_args("8@%nothing 8@% 8@%a 8@1234 8@-8(%rsp 8@(%rsp)) 8@99999999999999999999(%rsp)",
	           "");
}

static void check_probe_args(u16 machine, const char *args, const char *want)
{
	const struct sdt_probe probe = { .args = args };
	struct out out;

	out__init(&out, -1);
	sdt_probe__write_args(&probe, machine, &out);
	CHECK_STR(out__take(&out), want);
	out__exit(&out);
}

TEST(sdt_arguments_of_probes)
{
	check_probe_args(EM_X86_64, "8@%rax -4@-20(%rbp) -4@$7 8@$-1 4f@%xmm1 8@x(%rip) 1@%sil",
	                 " arg1=%ax:u64 arg2=-20(%bp):s32 arg3=\\7:s32 arg4=\\-1:u64 arg7=%si:u8");
	check_probe_args(EM_X86_64, "4@$ 4@$x 4@$1x 4@7 8@$99999999999999999999", "");
	check_probe_args(EM_AARCH64, "8@x0 -4@w13 8@sp 8@[x19] 4@[sp, 12] -2@[x29,-8] 4@5 1@-3",
	                 " arg1=%x0:u64 arg2=%x13:s32 arg3=%sp:u64 arg4=+0(%x19):u64 "
	                 "arg5=+12(%sp):u32 arg6=-8(%x29):s16 arg7=\\5:u32 arg8=\\-3:u8");
	check_probe_args(EM_AARCH64, "8@x 8@x999 8@[x1 8@[x1,] 8@[x1,x2] 4@q0 8@[x1, lsl] 8@x3y",
	                 "");
	check_probe_args(EM_RISCV, "8@a0", "");
}

TEST(sdt_of_every_class_and_order)
{
	for (unsigned i = 0; i < 4; i++) {
		struct elf_builder e = { .is64 = i & 1, .swap = i & 2 };
		struct point point = { "prov", "name", "", SITE, ELF_TEXT_VADDR + 8 };

		e.extra.swap = e.swap;
		add_note(&e, &point);
		char *text = text_of(&e, "/x");

		CHECK_STR(text, "%sdt_prov:name=name\n"
		                "p:sdt_prov/name /x:" OFFSET "(0x1008)\n");
		free(text);
	}
}

TEST(sdt_locations_of_one_name_are_together)
{
	static const struct point points[] = {
		{ "p", "a", "1@%al", SITE, 0 },
		{ "p", "b", "", SITE, 0 },
		{ "p", "a", "", SITE + 1, 0 },
		{ "q", "a", "", SITE, 0 },
	};
	struct elf_builder e = { .is64 = true };

	for (unsigned i = 0; i < ARRAY_SIZE(points); i++)
		add_note(&e, &points[i]);
	char *text = text_of(&e, "/x");

	CHECK_STR(text, "%sdt_p:a=a\np:sdt_p/a /x:0x1120 arg1=%ax:u8\np:sdt_p/a /x:0x1121\n"
	                "%sdt_p:b=b\np:sdt_p/b /x:0x1120\n%sdt_q:a=a\np:sdt_q/a /x:0x1120\n");
	free(text);
}

TEST(sdt_leaves_out_what_no_event_can_be)
{
	static const struct point points[] = {
		{ "", "a", "", SITE, 0 },       { "p", "", "", SITE, 0 },
		{ "p-q", "a", "", SITE, 0 },    { "p", "a b", "", SITE, 0 },
		{ "p", "1", "", SITE, 0 },      { "p", "a\n%sdt_x:y=y", "", SITE, 0 },
		{ "p", "out", "", 1 << 30, 0 }, { "p", "semaphore_out", "", SITE, 1 << 30 },
		{ "p", "good", "", SITE, 0 },
	};
	struct elf_builder e = { .is64 = true }, f = { .is64 = true };

	for (unsigned i = 0; i < ARRAY_SIZE(points); i++)
		add_note(&e, &points[i]);
	char *text = text_of(&e, "/x");

	CHECK_STR(text, "%sdt_p:good=good\np:sdt_p/good /x:" OFFSET "\n");
	free(text);
	add_note(&f, &points[ARRAY_SIZE(points) - 1]);
	text = text_of(&f, "/x\n%sdt_a:b=b");
	CHECK_STR(text, "");
	free(text);
}

static void tell(void *ctx, const struct sdt_event *event)
{
	struct out *out = ctx;

	out__printf(out, "%s|%s|%u\n", event->name, event->location, event->nr);
}

TEST(sdt_events_of_a_file)
{
	static const char text[] = "#PERF\n"
	                           "%sdt_p:a=a\np:sdt_p/a /x:0x1120 arg1=%ax:u8\np:sdt_p/a /x:0x1\n"
	                           "%sdt_p:b=b\n%sdt_p:c=c\np:sdt_p/c /y\n"
	                           "%probe_p:d=d\np:probe_p/d /x\n"
	                           "%sdt_p:=\n%sdt_p=x\n%sdt_p:x:y=x\n%sdt_p:e e=e\n%sdt_p:f\n"
	                           "%sdt_p:cut=c";
	struct out out;

	out__init(&out, -1);
	sdt_events__parse(text, tell, &out);
	CHECK_STR(out__take(&out), "sdt_p:a|/x:0x1120 arg1=%ax:u8|0\nsdt_p:a|/x:0x1|1\n"
	                           "sdt_p:b||0\nsdt_p:c|/y|0\n");
	out__exit(&out);
}

TEST(sdt_locations)
{
	static const struct {
		const char *text, *path;
		u64 offset, semaphore;
	} rows[] = {
		{ "/bin/x:0x1120 arg1=%ax:u8", "/bin/x", 0x1120, 0 },
		{ "/bin/x:0x1120(0x3010)", "/bin/x", 0x1120, 0x3010 },
		{ "/a b:0x1(c:0x2:0x30(0x4) arg1=-20(%bp):s32", "/a b:0x1(c:0x2", 0x30, 4 },
		{ "", NULL, 0, 0 },
		{ ":0x1", NULL, 0, 0 },
		{ "/bin/x:1120", NULL, 0, 0 },
		{ "/bin/x:0x1120(0x30", NULL, 0, 0 },
		{ "/bin/x:0x112y", NULL, 0, 0 },
		{ "/bin/x:0x", NULL, 0, 0 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		u64 offset = 0, semaphore = 0;
		char *path = sdt_location__parse(rows[i].text, &offset, &semaphore);

		CHECK_STR(path ? path : "", rows[i].path ? rows[i].path : "");
		CHECK_EQ(offset, rows[i].offset);
		CHECK_EQ(semaphore, rows[i].semaphore);
		free(path);
	}
}
