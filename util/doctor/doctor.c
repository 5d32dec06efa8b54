// SPDX-License-Identifier: GPL-2.0-or-later
/* The table of facilities, and what all probes share. */
#include "util/doctor/doctor.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "util/doctor/doctor_private.h"
#include "util/event/tracefs.h"
#include "util/lib/alloc.h"
#include "util/lib/file.h"
#include "util/lib/text.h"

#define MEASURING "Measuring"
#define KERNEL    "The kernel's names and tracers"
#define RIGHTS    "Rights"
#define LIMITS    "Limits"
#define FILES     "Files and this build"

static const struct facility facilities[] = {
	{ MEASURING, "software-events", "clocks, faults and switches of your own processes",
	  "measure your own programs", "only reading recordings that others made",
	  probe__software },
	{ MEASURING, "cpu-counters", "cycles, instructions, cache misses: counters of the CPU",
	  "use hardware counters",
	  "cpu-clock samples time; no cycles, no cache misses, no -b, no --call-graph lbr",
	  probe__cpu_counters },
	{ MEASURING, "kernel", "what the kernel does for your processes", "look into the kernel",
	  "user space is measured, the kernel's share is missing", probe__kernel },
	{ MEASURING, "system-wide", "whole CPUs, whoever runs there (-a, -C)",
	  "watch the whole system (-a)", "single commands, and own processes with -p",
	  probe__system_wide },
	{ MEASURING, "other-processes", "running processes of other users (-p, -t, -u)",
	  "attach to processes of other users (-p)", "own processes with -p",
	  probe__other_processes },
	{ MEASURING, "breakpoints", "accesses to an address (-e mem:ADDR)",
	  "watch addresses (-e mem:)", "everything but -e mem:", probe__breakpoints },
	{ MEASURING, "tracepoints", "counts of the kernel's tracepoints for your own processes",
	  "count tracepoints", "software events; uprobes where they work", probe__tracepoints },
	{ MEASURING, "raw-tracepoints", "the fields of tracepoints of the whole system",
	  "record tracepoints with their fields (-a)",
	  "counting tracepoints with perf stat where that works", probe__raw_tracepoints },
	{ MEASURING, "kprobes", "events anywhere in the kernel's code",
	  "probe the kernel (perf probe)", "the kernel's own tracepoints", probe__kprobes },
	{ MEASURING, "uprobes", "events anywhere in programs and libraries",
	  "probe programs (perf probe -x, -e sdt_...)", "tracepoints, breakpoints, a debugger",
	  probe__uprobes },
	{ MEASURING, "sample-filters",
	  "samples thrown away by the kernel, by BPF (record --filter)",
	  "filter samples (--filter)",
	  "filters of tracepoints; filters of report and script, on all samples",
	  probe__sample_filters },

	{ KERNEL, "tracefs", "the kernel's list of tracepoints and their formats", NULL,
	  "software events and CPU counters; tracepoints have no names", probe__tracefs },
	{ KERNEL, "ftrace", "the kernel's function tracer",
	  "record the calls of kernel functions (-e ftrace:function)",
	  "sampling the kernel, tracepoints", probe__ftrace },
	{ KERNEL, "kallsyms", "names of kernel addresses", "name kernel functions",
	  "kernel samples are counted as a whole; --kallsyms FILE or --vmlinux FILE in report",
	  probe__kallsyms },
	{ KERNEL, "vmlinux", "the kernel with debug information", "name kernel source lines",
	  "functions have names by kallsyms; lines and variables of the kernel are missing",
	  probe__vmlinux },
	{ KERNEL, "bpf", "the list of loaded BPF programs", "name BPF programs",
	  "addresses in BPF programs stay numbers", probe__bpf },
	{ KERNEL, "schedstats", "the times of sched:sched_stat_* tracepoints", NULL,
	  "sched_switch and sched_wakeup, from which waiting can be computed", probe__schedstats },
	{ KERNEL, "clocks", "clocks that records can be stamped with (-k)", NULL,
	  "the kernel's own clock", probe__clocks },

	{ RIGHTS, "paranoid",
	  "what users without rights may measure: -1 all, 0 no data of tracepoints, 1 nor whole "
	  "CPUs, 2 nor the kernel, 3 and 4 (Debian, Ubuntu) nothing",
	  NULL, "what the level says", probe__paranoid },
	{ RIGHTS, "capabilities", "rights of this process, above the paranoid level", NULL,
	  "what the paranoid level leaves to everybody", probe__capabilities },
	{ RIGHTS, "seccomp", "a filter of system calls around this process", NULL,
	  "only reading recordings that others made", probe__seccomp },
	{ RIGHTS, "lockdown", "the kernel's protection from root", NULL,
	  "events, tracepoints and uprobes; no kprobes, no function tracer, no registers (-I)",
	  probe__lockdown },
	{ RIGHTS, "user-namespace", "whether root is root outside of its namespace", NULL,
	  "what the paranoid level leaves to everybody", probe__user_namespace },
	{ RIGHTS, "container", "hints that this is a container", NULL,
	  "other processes and their files may be invisible here", probe__container },
	{ RIGHTS, "ptrace-scope", "kernel.yama.ptrace_scope: who may attach a debugger", NULL,
	  "-p only reads, and is not bound by it", probe__ptrace_scope },

	{ LIMITS, "rings", "memory that the kernel writes records to", "record samples",
	  "counting (perf stat)", probe__rings },
	{ LIMITS, "open-files", "one for each event, CPU and task", NULL, "fewer events",
	  probe__open_files },
	{ LIMITS, "sample-rate", "the highest -F", NULL, "sampling at a lower rate",
	  probe__sample_rate },
	{ LIMITS, "cpu-time", "how much time sampling may take before the kernel lowers the rate",
	  NULL, "everything", probe__cpu_time },
	{ LIMITS, "stack-depth", "the longest call chain that the kernel records", NULL,
	  "chains are cut there; --call-graph dwarf has its own limit", probe__stack_depth },
	{ LIMITS, "nmi-watchdog", "it occupies one hardware counter of each CPU", NULL,
	  "everything, with one counter less", probe__nmi_watchdog },

	{ FILES, "buildid-cache", "copies of measured programs for later reports", NULL,
	  "report works as long as the programs are not replaced (record -N)",
	  probe__build_id_cache },
	{ FILES, "disk", "room for perf.data in this folder", NULL, "record -o in another folder",
	  probe__disk },
	{ FILES, "debuginfod", "a server of debug files", NULL,
	  "debug files of installed packages are used", probe__debuginfod },
	{ FILES, "features", "libraries that this perf was built with", NULL, "everything else",
	  probe__features },
};

u32 doctor__nr(void)
{
	return ARRAY_SIZE(facilities);
}

const struct facility *doctor__facility(u32 index)
{
	return &facilities[index];
}

const char *finding__state(const struct finding *finding)
{
	static const char *const names[] = { "works", "refused", "absent" };
	static const char *const settings[] = { "ok", "limits you", "absent" };

	return (finding->facility->can ? names : settings)[finding->state];
}

void doctor__init(struct doctor *doctor, const char *root)
{
	const char *env = getenv("PERF_TRACEFS_DIR");
	char *mounts = xasprintf("%s/proc/self/mounts", root);

	*doctor = (struct doctor){ .root = root };
	opener__init(&doctor->opener);
	access__read(&doctor->opener.access, root);
	doctor->opener.has_access = true;
	doctor->tracefs = env && *env ? xstrdup(env) : tracefs__find_mount(mounts);
	free(mounts);
}

void doctor__exit(struct doctor *doctor)
{
	opener__exit(&doctor->opener);
	free(doctor->tracefs);
}

void doctor__probe(struct doctor *doctor, const struct facility *facility, struct finding *finding)
{
	*finding = (struct finding){ .facility = facility, .state = FACILITY_WORKS };
	facility->probe(doctor, finding);
}

/* ---- for the probes ---- */

void finding__prove(struct finding *finding, const char *fmt, ...)
{
	char text[sizeof(finding->proof)];
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	text__printable(finding->proof, sizeof(finding->proof), text);
}

void finding__fail(struct finding *finding, enum facility_state state)
{
	finding->state = state;
}

void finding__because(struct finding *finding, enum facility_state state, const char *cause,
                      const char *fix)
{
	struct refusal *reason = &finding->reason;

	finding->state = state;
	text__printable(reason->cause, sizeof(reason->cause), cause);
	snprintf(reason->fix, sizeof(reason->fix), "%s", fix);
	snprintf(reason->advice, sizeof(reason->advice), "%s", fix);
}

int doctor__read(const struct doctor *doctor, const char *path, char *buf, size_t size)
{
	char full[512];

	snprintf(full, sizeof(full), "%s%s", doctor->root, path);
	return file__read_text(full, buf, size);
}

int doctor__setting(const struct doctor *doctor, const char *path)
{
	return access__setting(doctor->root, path);
}

bool doctor__exists(const struct doctor *doctor, const char *path)
{
	char full[512];

	snprintf(full, sizeof(full), "%s%s", doctor->root, path);
	return access(full, F_OK) == 0;
}

struct perf_event_attr doctor__attr(u32 type, u64 config)
{
	return (struct perf_event_attr){
		.type = type,
		.config = config,
		.size = PERF_ATTR_SIZE_VER1, /* has what kprobes and uprobes need */
		.disabled = 1,
		.exclude_kernel = 1,
		.exclude_hv = 1,
	};
}

int doctor__try(struct doctor *doctor, struct perf_event_attr *attr, pid_t pid)
{
	struct cpu_map online = CPU_MAP_INIT;
	int cpu = CPU_ANY, fd;

	if (pid < 0) {
		cpu = cpu_map__online(&online, NULL) || !online.nr ? 0 : online.cpus[0];
		cpu_map__exit(&online);
	}
	fd = doctor->opener.open(doctor->opener.ctx, attr, pid, cpu, -1, PERF_FLAG_FD_CLOEXEC);
	if (fd < 0)
		return fd;
	close(fd);
	return 0;
}

bool doctor__own_refused(struct doctor *doctor)
{
	struct perf_event_attr attr = doctor__attr(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK);
	int ret = doctor__try(doctor, &attr, 0);

	return ret == -EACCES || ret == -EPERM || ret == -ENOSYS;
}
