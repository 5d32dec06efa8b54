// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/fetch/kernel_args.h"

#include <elf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/unit.h"

/* Is the last argument of "f ARG" taken? "": it is; else why not. */
static const char *checked(const char *arg, struct kernel_rules rules)
{
	static struct error err;
	struct probe_definition def;
	char *text = xasprintf("f %s", arg);
	int ret = probe_definition__parse(&def, text, NULL);

	err = (struct error)ERROR_INIT;
	CHECK_EQ(ret, 0);
	ret = ret ? ret : kernel_arg__check(&def.args[def.nr_args - 1], &rules, &err);
	probe_definition__exit(&def);
	free(text);
	CHECK_EQ(ret, *err.cause ? -EINVAL : 0);
	return err.cause;
}

#define PROGRAM ((struct kernel_rules){ .machine = EM_X86_64, .of_program = true })
#define KERNEL  ((struct kernel_rules){ .machine = EM_X86_64 })

TEST(kernel_args_of_kernels_and_programs)
{
	static const char *const both[] = {
		"%di",
		"%flags:u8",
		"%orig_ax",
		"$stack",
		"$stack12:x16",
		"$comm",
		"$comm:string",
		"\\5",
		"\\-0x5:s8",
		"+8(%si):u64",
		"-8(%si)",
		"+0(+8(%si)):string",
		"+u0(%si):ustring",
		"@0x100:s8",
		"@100",
		"%di:b3@2/32",
		"+0(%di):s32[64]",
		"+0(%di):string[2]",
		"%di:char",
		"v",
		"v:u",
		"v:s8",
		"v:b3@29/32",
		"v:char[8]",
		"v:string",
		"v:ustring",
		"v->a[2]:x64",
	};
	static const char *const neither[] = {
		"%zz",
		"%rdi",
		"%",
		"%x0",
		"$foo",
		"$stackx",
		"$retval",
		"$",
		"$comm:u8",
		"\\x",
		"\\",
		"\\5x",
		"+8",
		"+8(%di",
		"+x(%di)",
		"+8(%di))",
		"+8(+8(%zz))",
		"+8($foo)",
		"+8()",
		"@",
		"@1x",
		"%di:q8",
		"%di:",
		"%di:u",
		"%di:u128",
		"%di:u7",
		"%di:b0@2/32",
		"%di:b31@2/32",
		"%di:b3@2/24",
		"%di:b3@2",
		"%di:b3",
		"%di:b3@2/32x",
		"%di:u8:u8",
		"+0(%di):s32[0]",
		"+0(%di):s32[65]",
		"+0(%di):s32[]",
		"+0(%di):s32[x]",
		"+0(%di):s32[4",
		"+0(%di):s32[4]x",
		"%di:string",
		"%di:u8[2]",
		"$stack:string",
		"v:q8",
		"v:s32[0]",
		"v:s32[99]",
		"v:floats",
		"v:u[3]",
		"v:b9@0/8",
	};

	for (u32 i = 0; i < ARRAY_SIZE(both); i++) {
		CHECK_STR(checked(both[i], PROGRAM), "");
		CHECK_STR(checked(both[i], KERNEL), "");
	}
	for (u32 i = 0; i < ARRAY_SIZE(neither); i++) {
		CHECK(*checked(neither[i], PROGRAM));
		CHECK(*checked(neither[i], KERNEL));
	}
}

TEST(kernel_args_of_one_of_them)
{
	static const char *const kernels[] = { "@jiffies",   "@jiffies+8:u32", "@a-4",
		                               "$arg1",      "$arg12:u8",      "%di:symbol",
		                               "%di:symstr", "+0(%di):%pd",    "v:symbol" };

	for (u32 i = 0; i < ARRAY_SIZE(kernels); i++) {
		CHECK_STR(checked(kernels[i], KERNEL), "");
		CHECK(*checked(kernels[i], PROGRAM));
	}
	CHECK_STR(checked("@+0x40:u8", PROGRAM), "");
	CHECK_STR(checked("@+-0x40", PROGRAM), "");
	CHECK(*checked("@+0x40:u8", KERNEL));
	CHECK(*checked("@a+", KERNEL));
	CHECK(*checked("@+x", PROGRAM));
	CHECK(*checked("$arg0", KERNEL));
	CHECK_STR(checked("$retval", (struct kernel_rules){ EM_X86_64, true, true }), "");
	CHECK(*checked("$retval:string", (struct kernel_rules){ EM_X86_64, true, true }));
}

TEST(kernel_args_registers_of_machines)
{
	static const struct {
		u32 machine;
		const char *own, *other;
	} all[] = { { EM_386, "%ds", "%x0" },
		    { EM_AARCH64, "%x30", "%di" },
		    { EM_AARCH64, "%lr", "%x31" },
		    { EM_RISCV, "%a0", "%r8" } };

	for (u32 i = 0; i < ARRAY_SIZE(all); i++) {
		const struct kernel_rules rules = { .machine = all[i].machine, .of_program = true };

		CHECK_STR(checked(all[i].own, rules), "");
		CHECK(*checked(all[i].other, rules));
	}
	/* Of one whose registers are not known the kernel has the say. */
	CHECK_STR(checked("%gpr3", (struct kernel_rules){ EM_PPC64, true, false }), "");
}
