// SPDX-License-Identifier: GPL-2.0-or-later
/* The rights of this process, and the container or namespace around it. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "util/doctor/doctor_private.h"

/* What a level leaves to those without rights. */
static const char *level_meaning(int level)
{
	static const char *const meanings[] = {
		"users may measure everything",
		"users get no data of tracepoints",
		"users may not measure whole CPUs",
		"users may measure user space of their own processes only",
		"users may measure nothing (Debian's level)",
		"users may measure nothing (Ubuntu's level)",
	};

	return meanings[level < -1 ? 0 : level > 4 ? 5 : level + 1];
}

void probe__paranoid(struct doctor *doctor, struct finding *finding)
{
	const struct access *access = opener__access(&doctor->opener);
	char cause[200];

	if (access->paranoid == ACCESS_UNKNOWN) {
		finding__prove(finding, "no /proc/sys/kernel/perf_event_paranoid");
		finding__because(finding, FACILITY_ABSENT,
		                 "this kernel has no perf events, or hides the file", "");
		return;
	}
	finding__prove(finding, "kernel.perf_event_paranoid is %d%s", access->paranoid,
	               access__may_all(access) ? ", and CAP_PERFMON lifts it" : "");
	if (access__may_all(access) || access->paranoid < 0)
		return;
	snprintf(cause, sizeof(cause), "kernel.perf_event_paranoid is %d: %s", access->paranoid,
	         level_meaning(access->paranoid));
	finding__because(finding, FACILITY_REFUSED, cause,
	                 access->paranoid > 1 ? "sysctl kernel.perf_event_paranoid=1"
	                                      : "sysctl kernel.perf_event_paranoid=-1");
}

void probe__capabilities(struct doctor *doctor, struct finding *finding)
{
	static const struct {
		enum access_cap cap;
		const char *name;
	} caps[] = {
		{ ACCESS_CAP_PERFMON, "CAP_PERFMON" },
		{ ACCESS_CAP_SYS_ADMIN, "CAP_SYS_ADMIN" },
		{ ACCESS_CAP_SYS_PTRACE, "CAP_SYS_PTRACE" },
		{ ACCESS_CAP_SYSLOG, "CAP_SYSLOG" },
		{ ACCESS_CAP_IPC_LOCK, "CAP_IPC_LOCK" },
		{ ACCESS_CAP_BPF, "CAP_BPF" },
	};
	const struct access *access = opener__access(&doctor->opener);
	char text[200] = "";

	for (size_t i = 0; i < ARRAY_SIZE(caps); i++) {
		size_t len = strlen(text);

		if (access__has_cap(access, caps[i].cap))
			snprintf(text + len, sizeof(text) - len, " %s", caps[i].name);
	}
	finding__prove(finding, "CapEff is %llx:%s%s", (unsigned long long)access->caps,
	               text[0] ? text : " none that perf needs",
	               access->user_ns ? " (in a user namespace)" : "");
	if (access__may_all(access))
		return;
	if (access->user_ns)
		finding__because(finding, FACILITY_REFUSED,
		                 "the capabilities of a user namespace do not count", "");
	else
		finding__because(finding, FACILITY_REFUSED, "this process has no CAP_PERFMON",
		                 "setcap cap_perfmon,cap_sys_ptrace,cap_syslog=ep "
		                 "$(command -v perf)");
}

void probe__seccomp(struct doctor *doctor, struct finding *finding)
{
	const struct access *access = opener__access(&doctor->opener);
	struct perf_event_attr attr = doctor__attr(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK);
	struct refused_open refused = { .need = ACCESS_OWN, .own_refused = true };

	if (access->seccomp == ACCESS_UNKNOWN) {
		finding__prove(finding, "no Seccomp line in /proc/self/status");
		return;
	}
	finding__prove(finding, "Seccomp: %d in /proc/self/status%s", access->seccomp,
	               access->seccomp ? "" : ": no filter");
	refused.code = access->seccomp ? doctor__try(doctor, &attr, 0) : 0;
	if (refused.code == -EPERM || refused.code == -EACCES || refused.code == -ENOSYS) {
		refusal__of_open(&finding->reason, access, &refused);
		if (strstr(finding->reason.cause, "seccomp"))
			finding__fail(finding, FACILITY_REFUSED);
		else /* something else says no before the filter does */
			finding->reason = (struct refusal){ .fix = "" };
	} else if (access->seccomp) {
		finding__prove(finding, "Seccomp: 2 in /proc/self/status: the filter lets "
		                        "perf_event_open pass");
	}
}

void probe__lockdown(struct doctor *doctor, struct finding *finding)
{
	const char *mode = opener__access(&doctor->opener)->lockdown;

	finding__prove(finding, "/sys/kernel/security/lockdown %s%s",
	               mode[0] ? "is " : "is not there", mode);
	if (!strcmp(mode, "confidentiality")) {
		refusal__locked_down(&finding->reason);
		finding__fail(finding, FACILITY_REFUSED);
	}
}

void probe__user_namespace(struct doctor *doctor, struct finding *finding)
{
	const struct access *access = opener__access(&doctor->opener);

	finding__prove(finding, "uid_map is %s%s", access->uid_map[0] ? access->uid_map : "unknown",
	               access->user_ns ? "" : ": the first user namespace");
	if (!access->user_ns)
		return;
	finding__because(finding, FACILITY_REFUSED,
	                 "root of a user namespace has no rights outside of it, where perf's "
	                 "events live",
	                 "");
	snprintf(finding->reason.advice, sizeof(finding->reason.advice),
	         "run outside of the namespace");
}

void probe__container(struct doctor *doctor, struct finding *finding)
{
	const char *name = opener__access(&doctor->opener)->container;

	finding__prove(finding, "%s%s", name[0] ? "this looks like one: " : "nothing hints at one",
	               name);
}

void probe__ptrace_scope(struct doctor *doctor, struct finding *finding)
{
	int scope = doctor__setting(doctor, "/proc/sys/kernel/yama/ptrace_scope");

	if (scope == ACCESS_UNKNOWN)
		finding__prove(finding, "no /proc/sys/kernel/yama/ptrace_scope: users may attach "
		                        "to their own processes");
	else
		finding__prove(finding,
		               "kernel.yama.ptrace_scope is %d: it binds debuggers, not "
		               "-p of perf, which only reads",
		               scope);
}
