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
	check_args("8@%rax -8@%rdi 4@%eax 2@%ax -1@%al 1@%bh -1@%ch",
	           " arg1=%ax:u64 arg2=%di:s64 "
	           "arg3=%ax:u32 arg4=%ax:u16 "
	           "arg5=%ax:s8 arg6=%bx:b8@8/16");
	check_args("8@%r8 4@%r8d 2@%r15w 1@%r9b 1@%sil 8@%rip", " arg1=%r8:u64 arg2=%r8:u32 "
	                                                        "arg3=%r15:u16 arg4=%r9:u8 "
	                                                        "arg5=%si:u8 arg6=%ip:u64");
	check_args("8@(%rax) -4@-20(%rbp) 4@+8(%rdx)", " arg1=+0(%ax):u64 arg2=-20(%bp):s32 "
	                                               "arg3=+8(%dx):u32");
	check_args("%rcx  4f@%xmm1 4f@(%rcx) ", " arg1=%cx arg3=+0(%cx):u32");
	/* What cannot be fetched keeps its number; unknown sizes have no type. */
	check_args("4@$5 8@x(%rip) 8@8(%rax,%rbx,4) 8@%fs:0 8@ -(%rax) 8@%rbx 3@%rax 16@%rax @%rax",
	           " arg7=%bx:u64 arg8=%ax arg9=%ax arg10=%ax");
	check_args("8@%nothing 8@% 8@%a 8@1234 8@-8(%rsp 8@(%rsp)) 8@99999999999999999999(%rsp)",
	           "");
}

static bool find_place(void *ctx, const struct sdt_probe *probe, const char *name, u64 *place)
{
	(void)ctx;
	(void)probe;
	*place = 0x4000;
	return !strcmp(name, "x") || !strcmp(name, "x.0");
}

static const struct sdt_symbols symbols = { find_place, NULL };

/* Each argument by itself: what is written of it, or the reason why nothing is. */
struct form {
	const char *arg, *want, *why;
};

static void check_forms(u16 machine, const struct form *forms, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		const struct sdt_probe probe = { "p", "n", .args = forms[i].arg };
		const char *why = forms[i].why;
		char *want = xasprintf("%s%s", why ? "" : " arg1=", forms[i].want);
		char *reason = why ? xasprintf("argument 1 of 'p:n' is left out: '%s': %s\n",
		                               forms[i].arg, why)
		                   : xstrdup("");
		struct out out, refused;

		out__init(&out, -1);
		out__init(&refused, -1);
		sdt_probe__write_args(&probe, machine, &symbols, &out, &refused);
		CHECK_STR(out__take(&out), want);
		CHECK_STR(out__take(&refused), reason);
		out__exit(&out);
		out__exit(&refused);
		free(want);
		free(reason);
	}
}

static const char damaged[] = "it is damaged";
static const char no_register[] = "it names no register that probes see";
static const char vector[] = "probes do not see registers of vectors and floating point";
static const char indexed[] = "probes add no more than a number to a register";
static const char of_symbol[] = "probes do not know the addresses of symbols";
static const char unknown[] = "the file has no data of this name, or several";
static const char thread[] = "it is of each thread by itself";
static const char too_large[] = "its number is too large";
static const char unclear[] = "a number without $ is a constant or an address";
static const char relative[] = "it is relative to an instruction that is not known";
static const char no_sign[] = "probes read the upper byte of a register without its sign";

static const struct form x86_registers[] = {
	{ "8@%rax", "%ax:u64", 0 },    { "-8@%rbx", "%bx:s64", 0 },
	{ "8@%rcx", "%cx:u64", 0 },    { "8@%rdx", "%dx:u64", 0 },
	{ "8@%rsi", "%si:u64", 0 },    { "8@%rdi", "%di:u64", 0 },
	{ "8@%rbp", "%bp:u64", 0 },    { "8@%rsp", "%sp:u64", 0 },
	{ "8@%r8", "%r8:u64", 0 },     { "-8@%r15", "%r15:s64", 0 },
	{ "8@%rip", "%ip:u64", 0 },    { "4@%eax", "%ax:u32", 0 },
	{ "-4@%ebp", "%bp:s32", 0 },   { "4@%r8d", "%r8:u32", 0 },
	{ "-4@%r13d", "%r13:s32", 0 }, { "2@%ax", "%ax:u16", 0 },
	{ "-2@%di", "%di:s16", 0 },    { "2@%r9w", "%r9:u16", 0 },
	{ "1@%al", "%ax:u8", 0 },      { "-1@%bl", "%bx:s8", 0 },
	{ "1@%sil", "%si:u8", 0 },     { "-1@%bpl", "%bp:s8", 0 },
	{ "1@%spl", "%sp:u8", 0 },     { "1@%r10b", "%r10:u8", 0 },
	{ "1@%ah", "%ax:b8@8/16", 0 }, { "-1@%dh", "", no_sign },
	{ "%rcx", "%cx", 0 },          { "@%rcx", "%cx", 0 },
	{ "16@%rcx", "%cx", 0 },       { "3@%rcx", "%cx", 0 },
	{ "4f@%eax", "%ax:u32", 0 },   { "8f@%xmm0", "", vector },
	{ "32@%ymm15", "", vector },   { "64@%zmm31", "", vector },
	{ "8@%mm1", "", vector },      { "10@%st(1)", "", vector },
	{ "8@%st", "", vector },       { "8@%k1", "", vector },
	{ "8@%r7", "", no_register },  { "8@%r16", "", no_register },
	{ "8@%r99", "", no_register }, { "8@%r1", "", no_register },
	{ "8@%r", "", no_register },   { "8@%", "", no_register },
	{ "8@%ral", "", no_register }, { "2@%axl", "", no_register },
	{ "8@%cr3", "", no_register }, { "8@%rax+1", "", no_register },
};

TEST(sdt_x86_registers)
{
	check_forms(EM_X86_64, x86_registers, ARRAY_SIZE(x86_registers));
}

static const struct form x86_others[] = {
	{ "8@(%rax)", "+0(%ax):u64", 0 },
	{ "-4@-20(%rbp)", "-20(%bp):s32", 0 },
	{ "2@16(%rsp)", "+16(%sp):u16", 0 },
	{ "-1@+3(%r12)", "+3(%r12):s8", 0 },
	{ "8@0x10(%rdi)", "+16(%di):u64", 0 },
	{ "4@-4+20(%rbp)", "+16(%bp):u32", 0 },
	{ "4@8+4-32(%ebx)", "-20(%bx):u32", 0 },
	{ "4@2147483647(%rax)", "+2147483647(%ax):u32", 0 },
	{ "4@2147483648(%rax)", "", too_large },
	{ "4@-2147483649(%rax)", "", too_large },
	{ "8@99999999999999999999(%rsp)", "", too_large },
	{ "8@(%rax,%rbx)", "", indexed },
	{ "8@8(%rax,%rbx,4)", "", indexed },
	{ "8@(,%rax,8)", "", indexed },
	{ "4@x(,%rax,4)", "", indexed },
	{ "4@x(%rax)", "", indexed },
	{ "4@x(%rip)", "@+0x4000:u32", 0 },
	{ "-8@x+8(%rip)", "@+0x4008:s64", 0 },
	{ "2@8+x-4(%rip)", "@+0x4004:u16", 0 },
	{ "1@x.0(%rip)", "@+0x4000:u8", 0 },
	{ "4@x", "@+0x4000:u32", 0 },
	{ "4@x-4", "@+0x3ffc:u32", 0 },
	{ "x(%rip)", "@+0x4000", 0 },
	{ "4@.LC0(%rip)", "", unknown },
	{ "4@-x(%rip)", "", damaged },
	{ "4@x+x(%rip)", "", damaged },
	{ "4@8(%rip)", "", relative },
	{ "8@x@GOTPCREL(%rip)", "", of_symbol },
	{ "x@GOTPCREL(%rip)", "", of_symbol },
	{ "8@x@gottpoff(%rip)", "", thread },
	{ "4@%fs:x@tpoff", "", thread },
	{ "4@%fs:0", "", thread },
	{ "4@%fs:-4(%rax)", "", thread },
	{ "4@%gs:(%rax)", "", thread },
	{ "4@$5", "\\5:u32", 0 },
	{ "-4@$-7", "\\-7:s32", 0 },
	{ "8@$0x7f", "\\127:u64", 0 },
	{ "1@$-1", "\\-1:u8", 0 },
	{ "$9", "\\9", 0 },
	{ "8@$18446744073709551615", "\\-1:u64", 0 },
	{ "8@$99999999999999999999", "", too_large },
	{ "8@$x", "", of_symbol },
	{ "8@$x+8", "", of_symbol },
	{ "4@7", "", unclear },
	{ "4@$", "", damaged },
	{ "4@$1x", "", damaged },
	{ "4@", "", damaged },
	{ "4@$-", "", damaged },
	{ "8@-8(%rsp", "", damaged },
	{ "8@(%rsp))", "", damaged },
	{ "8@(%rsp)x", "", damaged },
	{ "8@(rsp)", "", damaged },
	{ "8@(", "", damaged },
	{ "8@()", "", damaged },
	{ "8@-(%rax)", "", damaged },
	{ "8@(%al)x", "", damaged },
	{ "8@(%ah)", "", no_register },
	{ "8@(%xmm0)", "", no_register },
};

TEST(sdt_x86_memory_and_constants)
{
	check_forms(EM_X86_64, x86_others, ARRAY_SIZE(x86_others));
}

static const struct form arm64_forms[] = {
	{ "8@x0", "%x0:u64", 0 },
	{ "-8@x9", "%x9:s64", 0 },
	{ "4@w10", "%x10:u32", 0 },
	{ "-4@w30", "%x30:s32", 0 },
	{ "2@w1", "%x1:u16", 0 },
	{ "-2@w2", "%x2:s16", 0 },
	{ "1@w3", "%x3:u8", 0 },
	{ "-1@w4", "%x4:s8", 0 },
	{ "8@sp", "%sp:u64", 0 },
	{ "4@wsp", "%sp:u32", 0 },
	{ "8@fp", "%x29:u64", 0 },
	{ "8@lr", "%x30:u64", 0 },
	{ "x5", "%x5", 0 },
	{ "16@x5", "%x5", 0 },
	{ "4@wzr", "\\0:u32", 0 },
	{ "-8@xzr", "\\0:s64", 0 },
	{ "8@[x0]", "+0(%x0):u64", 0 },
	{ "-4@[x0, 16]", "+16(%x0):s32", 0 },
	{ "4@[sp, 8]", "+8(%sp):u32", 0 },
	{ "8@[sp]", "+0(%sp):u64", 0 },
	{ "-2@[x29,-8]", "-8(%x29):s16", 0 },
	{ "1@[x19, #-256]", "-256(%x19):u8", 0 },
	{ "-1@[x28, 0xfff]", "+4095(%x28):s8", 0 },
	{ "8f@[x1, 8]", "+8(%x1):u64", 0 },
	{ "[x1]", "+0(%x1)", 0 },
	{ "4@5", "\\5:u32", 0 },
	{ "-4@-3", "\\-3:s32", 0 },
	{ "-4@#-3", "\\-3:s32", 0 },
	{ "8@0x10", "\\16:u64", 0 },
	{ "8@99999999999999999999", "", too_large },
	{ "8@[x0, 2147483648]", "", too_large },
	{ "8@[x1, x2]", "", indexed },
	{ "8@[x1, x2, lsl 3]", "", indexed },
	{ "8@[x1, w2, sxtw]", "", indexed },
	{ "8@[x1, #:lo12:x]", "", of_symbol },
	{ "8@[x1, :lo12:x]", "", of_symbol },
	{ "8@a_symbol", "", of_symbol },
	{ "8@.LANCHOR0+8", "", of_symbol },
	{ "4f@s0", "", vector },
	{ "8f@d31", "", vector },
	{ "16@q7", "", vector },
	{ "16@v7", "", vector },
	{ "8@x31", "", no_register },
	{ "8@w31", "", no_register },
	{ "8@x999", "", no_register },
	{ "8@x01", "", no_register },
	{ "8@x3y", "", no_register },
	{ "8@x", "", no_register },
	{ "8@", "", no_register },
	{ "8@[w31]", "", no_register },
	{ "8@[x1", "", damaged },
	{ "8@[x1,]", "", damaged },
	{ "8@[x1, 8]!", "", damaged },
	{ "8@[x1],8", "", damaged },
	{ "8@[", "", no_register },
	{ "4@5x", "", damaged },
	{ "4@#", "", damaged },
};

TEST(sdt_arm64_arguments)
{
	check_forms(EM_AARCH64, arm64_forms, ARRAY_SIZE(arm64_forms));
}

static void check_all(u16 machine, const char *args, const char *want, const char *why)
{
	const struct sdt_probe probe = { "p", "n", .args = args };
	struct out out, refused;

	out__init(&out, -1);
	out__init(&refused, -1);
	sdt_probe__write_args(&probe, machine, &symbols, &out, &refused);
	CHECK_STR(out__take(&out), want);
	CHECK_STR(out__take(&refused), why);
	out__exit(&out);
	out__exit(&refused);
}

TEST(sdt_refused_arguments_keep_their_number)
{
	check_all(EM_X86_64, " 8@%rax  4f@%xmm1 8@$-1 8@y\1(%rip) 1@%sil ",
	          " arg1=%ax:u64 arg3=\\-1:u64 arg5=%si:u8",
	          "argument 2 of 'p:n' is left out: '4f@%xmm1': probes do not see registers of "
	          "vectors and floating point\n"
	          "argument 4 of 'p:n' is left out: '8@y?(%rip)': it is damaged\n");
	check_all(EM_386, "4@%eax 4@8(%ebp)", " arg1=%ax:u32 arg2=+8(%bp):u32", "");
	check_all(EM_AARCH64, "8@[x0, 8] 4@[x1, x2] -4@[x29, -4]",
	          " arg1=+8(%x0):u64 arg3=-4(%x29):s32",
	          "argument 2 of 'p:n' is left out: '4@[x1, x2]': probes add no more than a number "
	          "to a register\n");
	check_all(EM_AARCH64, "8@x0 8@[x1", " arg1=%x0:u64",
	          "argument 2 of 'p:n' is left out: '8@[x1': it is damaged\n");
	check_all(EM_RISCV, "8@a0", "",
	          "argument 1 of 'p:n' is left out: '8@a0': the arguments of this architecture are "
	          "not known\n");
}

TEST(sdt_arm64_in_the_cache)
{
	struct elf_builder e = { .is64 = true, .machine = EM_AARCH64 };
	struct point point = { "p", "n", "8@x0 4@5 -4@[sp, 12] 8@d0", SITE, 0 };

	add_note(&e, &point);
	char *text = text_of(&e, "/x");

	CHECK_STR(text, "%sdt_p:n=n\np:sdt_p/n /x:" OFFSET " arg1=%x0:u64 arg3=+12(%sp):s32\n");
	free(text);
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
