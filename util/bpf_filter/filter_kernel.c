// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/bpf_filter/filter_kernel.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "util/bpf_filter/bpf_calls.h"
#include "util/bpf_filter/program.h"
#include "util/event/refusal.h"
#include "util/lib/alloc.h"

#define WHAT     "cannot filter samples"
#define LOG_SIZE (1u << 20)

/* One right is missing, and two are needed. */
static void lacks(struct refusal *reason, const struct access *access, const char *cap)
{
	refusal__needs_cap(reason, access, "loading BPF programs", cap);
	if (!reason->fix[0])
		return;
	snprintf(reason->fix, sizeof(reason->fix),
	         "setcap cap_bpf,cap_perfmon=ep $(command -v perf)");
	snprintf(reason->advice, sizeof(reason->advice), "run as root, or: %s", reason->fix);
}

/* bpf(2) said no: one cause, by what this process and this kernel are. */
static int explain(int code, struct error *err)
{
	struct refusal reason = { .fix = "" };
	struct access access;
	const char *cap = NULL;

	if (code == -ENOSYS) {
		error__set(err, code, WHAT, NULL, "this kernel has no BPF (CONFIG_BPF_SYSCALL)");
		return code;
	}
	if (code != -EPERM && code != -EACCES)
		return error__set(err, code, WHAT, NULL, NULL);
	access__read(&access, "");
	if (!access__has_cap(&access, ACCESS_CAP_SYS_ADMIN))
		cap = !access__has_cap(&access, ACCESS_CAP_BPF)       ? "CAP_BPF"
		      : !access__has_cap(&access, ACCESS_CAP_PERFMON) ? "CAP_PERFMON"
		                                                      : NULL;
	if (cap)
		lacks(&reason, &access, cap);
	else if (strcmp(access.lockdown, "confidentiality") == 0)
		refusal__locked_down(&reason);
	else if (access.seccomp == 2)
		snprintf(reason.cause, sizeof(reason.cause), "a seccomp filter refuses bpf(2)");
	else
		snprintf(reason.cause, sizeof(reason.cause), "bpf(2) gives %s",
		         strerrorname_np(-code));
	return refusal__to_error(&reason, code, WHAT, NULL, err);
}

/* The last line of what the verifier says that is no summary. */
static void last_words(char *log, char *buf, size_t size)
{
	char *rest = NULL;

	*buf = '\0';
	for (char *line = strtok_r(log, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
		if (strncmp(line, "processed ", 10) && strncmp(line, "verification ", 13) &&
		    strncmp(line, "stack depth", 11))
			snprintf(buf, size, "%s", line);
}

static int load_program(struct filter_kernel *kernel, const struct filter_layout *layout,
                        struct error *err)
{
	struct bpf_insn insns[FILTER_PROGRAM_MAX];
	u32 nr = filter_program__make(insns, layout, kernel->map);
	char *log, words[160];

	kernel->program = bpf_call__load(FILTER_NAME, insns, nr, NULL, 0);
	if (kernel->program >= 0)
		return 0;
	if (kernel->program == -EPERM)
		return explain(-EPERM, err);
	log = xcalloc(1, LOG_SIZE);
	kernel->program = bpf_call__load(FILTER_NAME, insns, nr, log, LOG_SIZE);
	last_words(log, words, sizeof(words));
	free(log);
	if (kernel->program >= 0)
		return 0;
	if (!*words)
		return explain(kernel->program, err);
	if (strstr(words, "JIT is required")) {
		error__set(err, -ENOEXEC, WHAT, NULL,
		           "the kernel's compiler for BPF is off (net.core.bpf_jit_enable is 0)");
		return error__advise(err, "as root: " FILTER_JIT_ON);
	}
	error__set(err, kernel->program, WHAT, NULL,
	           "the kernel's verifier refuses the program: %s", words);
	return error__advise(err, "that is a mistake of this perf with this kernel: please report "
	                          "it, with uname -r");
}

static int make_layout(struct filter_layout *layout, struct error *err)
{
	struct btf btf;
	int ret = btf__read(&btf, BTF_OF_KERNEL, err);

	if (ret == -ENOENT) {
		error__set(err, ret, WHAT, NULL,
		           "this kernel does not describe its types (no " BTF_OF_KERNEL ")");
		return error__advise(err, "it needs CONFIG_DEBUG_INFO_BTF");
	}
	if (ret)
		return ret;
	ret = filter_layout__find(layout, &btf, err);
	btf__exit(&btf);
	return ret;
}

int filter_kernel__load(struct filter_kernel *kernel, u32 nr, struct error *err)
{
	struct filter_layout layout;
	int ret;

	*kernel = (struct filter_kernel)FILTER_KERNEL_INIT;
	kernel->map =
	        bpf_call__create_hash(FILTER_NAME, sizeof(u64), sizeof(struct filter_entry), nr);
	if (kernel->map < 0)
		return explain(kernel->map, err);
	ret = make_layout(&layout, err);
	if (!ret)
		ret = load_program(kernel, &layout, err);
	if (ret)
		filter_kernel__close(kernel);
	return ret;
}

void filter_kernel__close(struct filter_kernel *kernel)
{
	if (kernel->program >= 0)
		close(kernel->program);
	if (kernel->map >= 0)
		close(kernel->map);
	*kernel = (struct filter_kernel)FILTER_KERNEL_INIT;
}
