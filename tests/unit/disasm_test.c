// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/disasm/disasm.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/unit/unit.h"

/* The texts are those of GNU objdump 2.40. */
struct row {
	const char *bytes; /* in hex */
	const char *text;
};

static struct disasm *start(u16 machine, bool intel)
{
	const struct disasm_options options = { .machine = machine,
		                                .is64 = machine != EM_386,
		                                .intel = intel };
	struct error err = ERROR_INIT;
	struct disasm *disasm = disasm__new(&options, &err);

	if (!disasm) {
		CHECK_EQ(err.code, -95); /* EOPNOTSUPP */
		CHECK(*err.advice);
		unit__skip("built without capstone");
	}
	return disasm;
}

static u32 parse(const char *hex, u8 *bytes)
{
	u32 nr = 0;
	unsigned byte;

	for (; sscanf(hex, "%2x", &byte) == 1; hex += 2 + (hex[2] == ' '))
		bytes[nr++] = (u8)byte;
	return nr;
}

static void check_rows(u16 machine, bool intel, const struct row *rows, u32 nr)
{
	struct disasm *disasm = start(machine, intel);
	struct insn insn;
	u8 bytes[32];

	for (u32 i = 0; disasm && i < nr; i++) {
		u32 size = parse(rows[i].bytes, bytes);

		CHECK_EQ(disasm__next(disasm, bytes, size, 0x1000, &insn), size);
		CHECK_STR(insn.text, rows[i].text);
	}
	disasm__delete(disasm);
}

TEST(disasm_writes_x86_as_objdump_does)
{
	static const struct row rows[] = {
		{ "41 89 f8", "mov    %edi,%r8d" },
		{ "c7 07 01 00 00 00", "movl   $0x1,(%rdi)" },
		{ "66 0f 1f 44 00 00", "nopw   0x0(%rax,%rax,1)" },
		{ "66 2e 0f 1f 84 00 00 00 00 00", "cs nopw 0x0(%rax,%rax,1)" },
		{ "66 90", "xchg   %ax,%ax" },
		{ "f3 48 ab", "rep stos %rax,%es:(%rdi)" },
		{ "a4", "movsb  %ds:(%rsi),%es:(%rdi)" },
		{ "48 c7 c0 ff ff ff ff", "mov    $0xffffffffffffffff,%rax" },
		{ "64 48 8b 04 25 28 00 00 00", "mov    %fs:0x28,%rax" },
		{ "d1 e0", "shl    %eax" },
		{ "d3 38", "sarl   %cl,(%rax)" },
		{ "0f b6 07", "movzbl (%rdi),%eax" },
		{ "48 98", "cltq" },
		{ "f3 0f 1e fa", "endbr64" },
		{ "c3", "ret" },
		{ "f3 c3", "repz ret" },
		{ "55", "push   %rbp" },
		{ "3e ff e0", "notrack jmp *%rax" },
		{ "ff 25 01 00 00 00", "jmp    *0x1(%rip)" },
		{ "7e 4a", "jle    104c" },
		{ "e8 fb ff ff ff", "call   1000" },
		{ "66 48 0f 6e c0", "movq   %rax,%xmm0" },
		{ "f2 48 0f 2a c0", "cvtsi2sd %rax,%xmm0" },
		{ "f2 0f 2a 00", "cvtsi2sdl (%rax),%xmm0" },
		{ "d9 c0", "fld    %st(0)" },
		{ "de c9", "fmulp  %st,%st(1)" },
		{ "df e9", "fucomip %st(1),%st" },
		{ "91", "xchg   %eax,%ecx" },
		{ "f0 0f b1 0a", "lock cmpxchg %ecx,(%rdx)" },
		{ "66 0f 3a 44 ca 11", "pclmulhqhqdq %xmm2,%xmm1" },
		{ "62 e1 7e 2a 6f 16", "vmovdqu32 (%rsi),%ymm18{%k2}" },
		{ "66 4c 0f 38 f6 e0", "adcx   %rax,%r12" },
		{ "f3 4c 0f 38 f6 e0", "adox   %rax,%r12" },
		{ "0f 38 cb ca", "sha256rnds2 %xmm0,%xmm2,%xmm1" },
		{ "ec", "in     (%dx),%al" },
		{ "ef", "out    %eax,(%dx)" },
		{ "cf", "iret" },
		{ "ca 5c 9b", "lret   $0x9b5c" },
		{ "f1", "int1" },
		{ "df c0", "ffreep %st(0)" },
		{ "9b d9 7c 24 02", "fstcw  0x2(%rsp)" },
		{ "9b df e0", "fstsw  %ax" },
		{ "9b db e2", "fclex" },
		{ "d9 7c 24 02", "fnstcw 0x2(%rsp)" },
		{ "9b", "fwait" },
		{ "0f 01 ee", "rdpkru" },
		{ "0f 01 ef", "wrpkru" },
		{ "0f 01 e8", "serialize" },
	};

	check_rows(EM_X86_64, false, rows, ARRAY_SIZE(rows));
}

/* What capstone 4 does not know. */
TEST(disasm_writes_masks_and_vectors)
{
	static const struct row rows[] = {
		{ "c4 e1 fb 92 cb", "kmovq  %rbx,%k1" },
		{ "c5 7b 93 c0", "kmovd  %k0,%r8d" },
		{ "c4 e1 f8 98 c0", "kortestq %k0,%k0" },
		{ "c4 e1 ec 46 d2", "kxnorq %k2,%k2,%k2" },
		{ "62 f2 7e 49 26 d8", "vptestnmb %zmm0,%zmm0,%k3{%k1}" },
		{ "62 f3 6d 22 3e 0f 04", "vpcmpnequb (%rdi),%ymm18,%k1{%k2}" },
		{ "62 e3 75 20 25 67 03 de", "vpternlogd $0xde,0x60(%rdi),%ymm17,%ymm20" },
		{ "62 f2 7d 48 78 14 0f", "vpbroadcastb (%rdi,%rcx,1),%zmm2" },
		{ "62 f1 65 48 72 cb 10", "vprold $0x10,%zmm3,%zmm3" },
		{ "62 b3 fd af 00 c0 00", "vpermq $0x0,%ymm16,%ymm0{%k7}{z}" },
	};

	check_rows(EM_X86_64, false, rows, ARRAY_SIZE(rows));
}

TEST(disasm_writes_intel_syntax)
{
	static const struct row rows[] = {
		{ "03 14 8f", "add    edx,DWORD PTR [rdi+rcx*4]" },
		{ "8d 86 00 00 fc ff", "lea    eax,[rsi-0x40000]" },
		{ "64 48 8b 04 25 28 00 00 00", "mov    rax,QWORD PTR fs:0x28" },
		{ "f3 48 ab", "rep stos QWORD PTR es:[rdi],rax" },
		{ "48 d1 fa", "sar    rdx,1" },
		{ "91", "xchg   ecx,eax" },
		{ "48 8d 05 4e f6 ff ff", "lea    rax,[rip+0xfffffffffffff64e]" },
		{ "0f 38 cb ca", "sha256rnds2 xmm1,xmm2,xmm0" },
		{ "ec", "in     al,dx" },
	};

	check_rows(EM_X86_64, true, rows, ARRAY_SIZE(rows));
}

TEST(disasm_writes_i386)
{
	static const struct row rows[] = {
		{ "65 a1 14 00 00 00", "mov    %gs:0x14,%eax" },
		{ "8d b4 26 00 00 00 00", "lea    0x0(%esi,%eiz,1),%esi" },
		{ "ff 74 24 04", "push   0x4(%esp)" },
		{ "83 c0 ff", "add    $0xffffffff,%eax" },
	};

	check_rows(EM_386, false, rows, ARRAY_SIZE(rows));
}

TEST(disasm_writes_arm64_as_objdump_does)
{
	static const struct row rows[] = {
		{ "f0 7b bf a9", "stp\tx16, x30, [sp, #-16]!" },
		{ "11 fe 47 f9", "ldr\tx17, [x16, #4088]" },
		{ "10 22 00 91", "add\tx16, x16, #0x8" },
		{ "00 00 80 52", "mov\tw0, #0x0                   \t// #0" },
		{ "1f 20 03 d5", "nop" },
		{ "5f 24 03 d5", "bti\tc" },
		{ "00 ec 7c 92", "and\tx0, x0, #0xfffffffffffffff0" },
		{ "80 87 5e f8", "ldr\tx0, [x28], #-24" },
		{ "21 00 80 1a", "csel\tw1, w1, w0, eq\t// eq = none" },
		{ "40 01 00 54", "b.eq\t1028" },
		{ "00 00 00 00", "udf\t#0" },
		{ "80 04 18 6e", "mov\tv0.d[1], v4.d[0]" },
		{ "40 98 20 4e", "cmeq\tv0.16b, v2.16b, #0" },
		{ "00 a4 20 2f", "uxtl\tv0.2d, v0.2s" },
		{ "1f 40 00 f1", "cmp\tx0, #0x10" },
		{ "41 fc e0 08", "casalb\tw0, w1, [x2]" },
		{ "82 fc 60 48", "caspal\tx0, x1, x2, x3, [x4]" },
		{ "20 80 a0 38", "swpab\tw0, w0, [x1]" },
		{ "20 10 20 b8", "ldclr\tw0, w0, [x1]" },
		{ "3f 00 20 f8", "stadd\tx0, [x1]" },
	};

	check_rows(EM_AARCH64, false, rows, ARRAY_SIZE(rows));
}

TEST(disasm_tells_where_jumps_and_operands_lead)
{
	static const struct {
		const char *bytes;
		u8 kind;
		u64 target;
		bool names, refers;
	} rows[] = {
		{ "7e 4a", INSN_JUMP, 0x104c, true, false },
		{ "e8 fb ff ff ff", INSN_CALL, 0x1000, true, false },
		{ "c3", INSN_RETURN, 0, false, false },
		{ "48 8d 3d 74 2e 00 00", INSN_OTHER, 0x3e7b, false, true },
		{ "ff e0", INSN_JUMP, 0, false, false },
	};
	struct disasm *disasm = start(EM_X86_64, false);
	struct insn insn;
	u8 bytes[32];

	for (u32 i = 0; disasm && i < ARRAY_SIZE(rows); i++) {
		u32 size = parse(rows[i].bytes, bytes);

		disasm__next(disasm, bytes, size, 0x1000, &insn);
		CHECK_EQ(insn.kind, rows[i].kind);
		CHECK_EQ(insn.target, rows[i].target);
		CHECK_EQ(insn.names, rows[i].names);
		CHECK_EQ(insn.refers, rows[i].refers);
	}
	disasm__delete(disasm);
}

/* What cannot be decoded, and what is cut: never more bytes than there are, always some. */
TEST(disasm_goes_on_after_what_it_does_not_know)
{
	static const u8 unknown[] = { 0x06, 0xc3 };
	static const u8 newer[] = { 0xc4, 0xe2, 0x7d, 0x5a, 0x19, 0xc3 };
	static const u8 cut[] = { 0x48, 0xc7, 0xc0, 0xff };
	struct disasm *disasm = start(EM_X86_64, false);
	struct insn insn;

	if (!disasm)
		return;
	CHECK_EQ(disasm__next(disasm, unknown, 2, 0, &insn), 1);
	CHECK(!insn.known);
	CHECK_STR(insn.text, "(bad)");
	CHECK_EQ(disasm__next(disasm, newer, sizeof(newer), 0, &insn), 5);
	CHECK(!insn.known);
	CHECK_STR(insn.text, ".byte  0xc4,0xe2,0x7d,0x5a,0x19");
	for (u32 size = 1; size <= sizeof(cut); size++) {
		CHECK_EQ(disasm__next(disasm, cut, size, 0, &insn), 1);
		CHECK(!insn.known);
	}
	disasm__delete(disasm);
	disasm = start(EM_AARCH64, false);
	for (u32 size = 1; size < 4; size++)
		CHECK_EQ(disasm__next(disasm, cut, size, 0, &insn), size);
	disasm__delete(disasm);
}

/* Any bytes at all, in every machine. */
TEST(disasm_takes_any_bytes)
{
	static const u16 machines[] = { EM_X86_64, EM_386, EM_AARCH64 };
	u64 state = 1;
	u8 bytes[4096];

	for (u32 m = 0; m < ARRAY_SIZE(machines); m++) {
		struct disasm *disasm = start(machines[m], m & 1);
		struct insn insn;

		if (!disasm)
			return;
		for (u32 i = 0; i < sizeof(bytes); i++) {
			state = state * 6364136223846793005ull + 1442695040888963407ull;
			bytes[i] = (u8)(state >> 56);
		}
		for (u32 at = 0; at < sizeof(bytes);) {
			u32 size = disasm__next(disasm, bytes + at, sizeof(bytes) - at, at, &insn);

			CHECK(size > 0 && size <= sizeof(bytes) - at);
			CHECK(strlen(insn.text) > 0 && strlen(insn.text) < INSN_TEXT);
			at += size ? size : 1;
		}
		disasm__delete(disasm);
	}
}

TEST(disasm_refuses_other_machines)
{
	const struct disasm_options options = { .machine = EM_S390 };
	struct error err = ERROR_INIT;

	CHECK(!disasm__new(&options, &err));
	CHECK_EQ(err.code, -95);
	CHECK(strstr(err.advice, "--objdump"));
}

/* ---- as objdump ---- */

#define LINE_SIZE 4096

/* Of "  11d0:\t41 89 f8 \tmov ...": the bytes; NULL: no such line, else the text. */
static char *parse_line(char *line, u16 machine, u64 *addr, u8 *bytes, u32 *nr)
{
	char *at, *tab;

	*addr = strtoull(line, &at, 16);
	if (at == line || strncmp(at, ":\t", 2) != 0 || !(tab = strchr(at + 2, '\t')))
		return NULL;
	*tab = '\0';
	if (machine == EM_AARCH64) {
		u32 word = (u32)strtoul(at + 2, NULL, 16);

		memcpy(bytes, &word, *nr = 4);
	} else {
		*nr = parse(at + 2, bytes);
	}
	tab[1 + strcspn(tab + 1, "\n")] = '\0';
	return tab + 1;
}

/* Without names, which are no matter of ours, and without blanks at the end. */
static void cut(char *text)
{
	char *name = strstr(text, " <"), *address = strstr(text, "        # ");

	if (name)
		*name = '\0';
	if (address)
		*address = '\0';
	for (size_t len = strlen(text); len && text[len - 1] == ' ';)
		text[--len] = '\0';
}

/*
 * PERF_DISASM_TEXT: what `objdump -d -w` printed, of PERF_DISASM_MACHINE (EM_*). At least 99.5 % of
 * the instructions have the same text here; the others are printed.
 */
TEST(disasm_agrees_with_objdump_on_text)
{
	const char *path = getenv("PERF_DISASM_TEXT"), *number = getenv("PERF_DISASM_MACHINE");
	u16 machine = number ? (u16)atoi(number) : 0;
	FILE *lines = path ? fopen(path, "r") : NULL;
	char line[LINE_SIZE];
	u32 nr, nr_all = 0, nr_same = 0;
	u8 bytes[LINE_SIZE];
	u64 addr;

	if (!lines) {
		CHECK(!path);
		unit__skip("PERF_DISASM_TEXT is not set");
		return;
	}
	struct disasm *disasm = start(machine, getenv("PERF_DISASM_INTEL"));

	while (disasm && fgets(line, sizeof(line), lines)) {
		char *text = parse_line(line, machine, &addr, bytes, &nr);
		struct insn insn;

		if (!text || !nr)
			continue;
		disasm__next(disasm, bytes, nr, addr, &insn);
		cut(text);
		cut(insn.text);
		nr_all++;
		if (insn.size == nr && !strcmp(insn.text, text))
			nr_same++;
		else
			printf("%llx: '%s', not '%s'\n", (unsigned long long)addr, insn.text, text);
	}
	printf("%u of %u instructions are the same\n", nr_same, nr_all);
	CHECK(nr_all > 0 && nr_same * 1000ull >= nr_all * 995ull);
	disasm__delete(disasm);
	fclose(lines);
}
