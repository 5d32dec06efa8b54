// SPDX-License-Identifier: GPL-2.0-or-later
/* Can events be counted? Each kind of event is opened, disabled, and closed again. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "util/bpf_filter/bpf_filters.h"
#include "util/bpf_filter/filter_pins.h"
#include "util/doctor/doctor_private.h"
#include "util/lib/text.h"

static const char *errno_name(int code)
{
	const char *name = strerrorname_np(-code);

	return name ? name : "an unknown error";
}

/* What a try of @what gave, and the reason for a refusal; the caller has looked for "absent". */
static void judge(struct doctor *doctor, struct finding *finding, const char *what,
                  enum access_need need, pid_t other, int ret)
{
	struct refused_open refused = { .code = ret, .need = need, .other = other };

	if (!ret) {
		finding__prove(finding, "perf_event_open(%s) opens", what);
		return;
	}
	finding__prove(finding, "perf_event_open(%s) gives %s", what, errno_name(ret));
	if (ret != -EACCES && ret != -EPERM && ret != -ENOSYS) {
		finding__because(finding, FACILITY_ABSENT, strerror(-ret), "");
		return;
	}
	refused.own_refused = doctor__own_refused(doctor);
	refusal__of_open(&finding->reason, opener__access(&doctor->opener), &refused);
	finding__fail(finding, FACILITY_REFUSED);
}

void probe__software(struct doctor *doctor, struct finding *finding)
{
	struct perf_event_attr attr = doctor__attr(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK);

	attr.sample_period = 1000000;
	judge(doctor, finding, "cpu-clock:u, this process", ACCESS_OWN, 0,
	      doctor__try(doctor, &attr, 0));
}

static bool is_virtual(const struct doctor *doctor)
{
	char text[4096]; /* the flags of the first CPU */

	return doctor__read(doctor, "/proc/cpuinfo", text, sizeof(text)) > 0 &&
	       strstr(text, " hypervisor");
}

void probe__cpu_counters(struct doctor *doctor, struct finding *finding)
{
	static const char *const sources[] = { "cpu", "cpu_core", "armv8_pmuv3", "armv8_pmuv3_0" };
	struct perf_event_attr attr = doctor__attr(PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES);
	const char *source = NULL;
	int ret = doctor__try(doctor, &attr, 0);
	char path[96];

	for (size_t i = 0; !source && i < ARRAY_SIZE(sources); i++) {
		snprintf(path, sizeof(path), "/sys/bus/event_source/devices/%s", sources[i]);
		if (doctor__exists(doctor, path))
			source = sources[i];
	}
	judge(doctor, finding, "cycles:u", ACCESS_OWN, 0, ret);
	if (finding->state != FACILITY_ABSENT)
		return;
	refusal__no_counters(&finding->reason);
	finding__prove(finding,
	               "perf_event_open(cycles:u) gives %s; %s%s in "
	               "/sys/bus/event_source/devices%s",
	               errno_name(ret), source ? "but there is " : "no cpu", source ? source : "",
	               is_virtual(doctor) ? "; hypervisor in /proc/cpuinfo" : "");
}

void probe__kernel(struct doctor *doctor, struct finding *finding)
{
	struct perf_event_attr attr = doctor__attr(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK);

	attr.exclude_kernel = 0;
	attr.exclude_user = 1;
	attr.sample_period = 1000000;
	judge(doctor, finding, "cpu-clock:k, this process", ACCESS_KERNEL, 0,
	      doctor__try(doctor, &attr, 0));
}

void probe__system_wide(struct doctor *doctor, struct finding *finding)
{
	struct perf_event_attr attr = doctor__attr(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK);

	judge(doctor, finding, "cpu-clock:u, a whole CPU", ACCESS_CPUS, 0,
	      doctor__try(doctor, &attr, -1));
}

/* Process 1 stands for all of them: it is root's, in the first namespace. */
void probe__other_processes(struct doctor *doctor, struct finding *finding)
{
	struct perf_event_attr attr = doctor__attr(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK);
	struct stat st = { 0 };

	judge(doctor, finding, "task-clock:u, process 1", ACCESS_OWN, 1,
	      doctor__try(doctor, &attr, 1));
	if (finding->state == FACILITY_WORKS && !stat("/proc/1", &st) &&
	    st.st_uid == opener__access(&doctor->opener)->uid && st.st_uid)
		finding__prove(finding, "process 1 is our own user's: there may be no other here");
}

void probe__breakpoints(struct doctor *doctor, struct finding *finding)
{
	struct perf_event_attr attr = doctor__attr(PERF_TYPE_BREAKPOINT, 0);
	char watched;
	int ret;

	attr.bp_type = 2; /* HW_BREAKPOINT_W */
	attr.bp_addr = (unsigned long)&watched;
	attr.bp_len = 1;
	ret = doctor__try(doctor, &attr, 0);
	if (ret == -ENOSPC) {
		finding__prove(finding, "perf_event_open(mem:) gives ENOSPC");
		finding__because(finding, FACILITY_REFUSED,
		                 "all breakpoint registers of the CPU are in use", "");
		return;
	}
	judge(doctor, finding, "mem:ADDR/1:wu, this process", ACCESS_OWN, 0, ret);
}

/*
 * A tracepoint that every kernel has, by the id that tracefs tells. Without an id the reason is
 * that of tracefs.
 */
static void try_tracepoint(struct doctor *doctor, struct finding *finding, bool raw)
{
	struct perf_event_attr attr = doctor__attr(PERF_TYPE_TRACEPOINT, 0);
	char path[512];
	int id;

	probe__tracefs(doctor, finding);
	if (!doctor->tracefs || finding->state != FACILITY_WORKS)
		return;
	snprintf(path, sizeof(path), "%.400s/events/sched/sched_switch/id", doctor->tracefs);
	id = access__setting("", path);
	if (id == ACCESS_UNKNOWN) {
		finding__prove(finding, "%s cannot be read", path);
		finding__because(finding, FACILITY_ABSENT,
		                 "this kernel has no sched:sched_switch (CONFIG_TRACEPOINTS)", "");
		return;
	}
	attr.config = id;
	attr.exclude_kernel = 0;
	attr.sample_type = raw ? PERF_SAMPLE_RAW : 0;
	attr.sample_period = raw;
	if (raw)
		judge(doctor, finding, "sched:sched_switch with its fields, a whole CPU",
		      ACCESS_TRACEPOINT, 0, doctor__try(doctor, &attr, -1));
	else
		judge(doctor, finding, "sched:sched_switch, this process", ACCESS_KERNEL, 0,
		      doctor__try(doctor, &attr, 0));
}

void probe__function_event(struct doctor *doctor, struct finding *finding, int id)
{
	struct perf_event_attr attr = doctor__attr(PERF_TYPE_TRACEPOINT, id);

	attr.exclude_kernel = 0;
	attr.sample_type = PERF_SAMPLE_RAW;
	attr.sample_period = 1;
	attr.exclude_callchain_user = 1;
	judge(doctor, finding, "ftrace:function, a whole CPU", ACCESS_TRACEPOINT, 0,
	      doctor__try(doctor, &attr, -1));
}

void probe__tracepoints(struct doctor *doctor, struct finding *finding)
{
	try_tracepoint(doctor, finding, false);
}

void probe__raw_tracepoints(struct doctor *doctor, struct finding *finding)
{
	try_tracepoint(doctor, finding, true);
}

/*
 * A probe that cannot be: permission is checked first, so that EINVAL or ENOENT means "you may",
 * and nothing was made.
 */
static void try_probe(struct doctor *doctor, struct finding *finding, const char *source,
                      const char *option, const char *target)
{
	const struct access *access = opener__access(&doctor->opener);
	struct perf_event_attr attr;
	char path[96], cause[96];
	int type, ret;

	/* Said when a probe is really made, behind the checks that answer ours. */
	if (!strcmp(source, "kprobe") && !strcmp(access->lockdown, "confidentiality")) {
		finding__prove(finding, "/sys/kernel/security/lockdown is %s", access->lockdown);
		refusal__locked_down(&finding->reason);
		finding__fail(finding, FACILITY_REFUSED);
		return;
	}
	snprintf(path, sizeof(path), "/sys/bus/event_source/devices/%s/type", source);
	type = doctor__setting(doctor, path);
	finding__prove(finding, "%s is %d", path, type);
	if (type == ACCESS_UNKNOWN) {
		snprintf(cause, sizeof(cause), "this kernel has no %ss (%s)", source, option);
		finding__prove(finding, "no /sys/bus/event_source/devices/%s", source);
		finding__because(finding, FACILITY_ABSENT, cause, "");
		return;
	}
	attr = doctor__attr(type, 0);
	attr.exclude_kernel = 0;
	attr.config1 = (unsigned long)target; /* the function or the file */
	ret = doctor__try(doctor, &attr, -1);
	finding__prove(finding, "%s is %d; perf_event_open(a %s nowhere) gives %s", path, type,
	               source, ret ? errno_name(ret) : "a counter");
	if (ret != -EACCES && ret != -EPERM && ret != -ENOSYS)
		return;
	if (ret == -ENOSYS || access__may_all(access) ||
	    (access->seccomp == 2 && doctor__own_refused(doctor)))
		judge(doctor, finding, source, ACCESS_OWN, 0, ret);
	else
		refusal__needs_cap(&finding->reason, access, "probes are for privileged users",
		                   "CAP_PERFMON");
	finding__fail(finding, FACILITY_REFUSED);
}

void probe__kprobes(struct doctor *doctor, struct finding *finding)
{
	try_probe(doctor, finding, "kprobe", "CONFIG_KPROBE_EVENTS", "perf_doctor_has_no_such_fn");
}

void probe__uprobes(struct doctor *doctor, struct finding *finding)
{
	try_probe(doctor, finding, "uprobe", "CONFIG_UPROBE_EVENTS", NULL);
}

/* The deed: a filter on a counter of this process, and one page fault that it throws away. */
void probe__sample_filters(struct doctor *doctor, struct finding *finding)
{
	struct perf_event_attr attr = doctor__attr(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS);
	struct error err = ERROR_INIT;
	bool pinned = false;
	int ret;

	judge(doctor, finding, "page-faults:u, this process", ACCESS_OWN, 0,
	      doctor__try(doctor, &attr, 0));
	if (finding->state != FACILITY_WORKS)
		return;
	if (*doctor->root) { /* of a machine that is made up */
		finding__prove(finding, "not tried");
		finding__because(finding, FACILITY_ABSENT, "only this machine can be asked", "");
		return;
	}
	ret = bpf_filters__try(&pinned, &err);
	if (!ret) {
		finding__prove(finding, "a page fault of this process was filtered out%s",
		               pinned ? " by the program in " FILTER_PINS : "");
		return;
	}
	finding__prove(finding, "filtering a page fault of this process gives %s", errno_name(ret));
	finding__because(finding,
	                 ret == -EPERM || ret == -EACCES ? FACILITY_REFUSED : FACILITY_ABSENT,
	                 err.cause,
	                 ret == -EPERM     ? "perf record --setup-filter pin"
	                 : ret == -EACCES  ? "chmod o+x " FILTER_BPF_FS
	                 : ret == -ENOEXEC ? FILTER_JIT_ON
	                                   : "");
}
