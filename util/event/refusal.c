// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/event/refusal.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/event/tracefs.h"
#include "util/lib/text.h"

#define RING_MAX_KB (1u << 20) /* of one ring: what -m takes */

static void set(char *to, size_t size, const char *fmt, ...) PRINTF_LIKE(3, 4);

/* Names of modules, maps and paths come from outside: nothing of them reaches a terminal raw. */
static void set(char *to, size_t size, const char *fmt, ...)
{
	char text[256];
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	text__printable(to, size, text);
}

#define CAUSE(...)  set(reason->cause, sizeof(reason->cause), __VA_ARGS__)
#define ADVICE(...) set(reason->advice, sizeof(reason->advice), __VA_ARGS__)
#define FIX(...)    set(reason->fix, sizeof(reason->fix), __VA_ARGS__)

int refusal__to_error(const struct refusal *reason, int code, const char *what, const char *subject,
                      struct error *err)
{
	error__set(err, code, what, subject, "%s", reason->cause);
	error__advise(err, "%s", reason->advice);
	return code;
}

static const char *code_name(int code)
{
	return code == -EPERM ? "EPERM" : code == -ENOSYS ? "ENOSYS" : "EACCES";
}

/* ---- perf_event_open ---- */

/*
 * The highest paranoid level at which everybody may. Debian's 3 and Ubuntu's 4 refuse all; on a
 * kernel that knows neither, ACCESS_OWN opens and nobody asks for its reason.
 */
static int highest_level(enum access_need need)
{
	static const int levels[] = {
		[ACCESS_OWN] = 2,  [ACCESS_KERNEL] = 1,      [ACCESS_PHYSICAL] = 1,
		[ACCESS_CPUS] = 0, [ACCESS_TRACEPOINT] = -1,
	};

	return levels[need];
}

static bool level_allows(const struct access *access, enum access_need need)
{
	if (access__may_all(access))
		return true;
	return access->paranoid == ACCESS_UNKNOWN || access->paranoid <= highest_level(need);
}

/* Whose the missing right is: ends the sentence of the cause and begins that of the advice. */
static void explain_level(struct refusal *reason, const struct access *access,
                          enum access_need need)
{
	static const char *const what[] = {
		[ACCESS_OWN] = "no event is allowed to users",
		[ACCESS_KERNEL] = "the kernel may not be measured",
		[ACCESS_PHYSICAL] = "physical addresses (phys_addr in a filter, --phys-data) are "
		                    "for privileged users",
		[ACCESS_CPUS] = "whole CPUs are for privileged users",
		[ACCESS_TRACEPOINT] = "the data of tracepoints is for privileged users",
	};
	u64 perfmon = 1ull << ACCESS_CAP_PERFMON, admin = 1ull << ACCESS_CAP_SYS_ADMIN;

	FIX("sysctl kernel.perf_event_paranoid=%d", highest_level(need));
	if (access->user_ns && access->caps & (perfmon | admin)) {
		CAUSE("%s: kernel.perf_event_paranoid is %d, and the capabilities of a user "
		      "namespace (uid_map %s) do not count",
		      what[need], access->paranoid, access->uid_map);
		ADVICE("run outside of the namespace as root, or there: %s", reason->fix);
	} else if (access->uid == 0 && !(access->bounding & (perfmon | admin))) {
		CAUSE("%s: kernel.perf_event_paranoid is %d, and CAP_PERFMON was taken from this "
		      "root",
		      what[need], access->paranoid);
		ADVICE("start the container with CAP_PERFMON, or on the host: %s", reason->fix);
	} else {
		CAUSE("%s: kernel.perf_event_paranoid is %d, and this process has no CAP_PERFMON",
		      what[need], access->paranoid);
		ADVICE("run as root, give CAP_PERFMON, or: %s", reason->fix);
	}
}

static void explain_filter(struct refusal *reason, int code)
{
	CAUSE("a seccomp filter answers perf_event_open with %s (Seccomp: 2 in /proc/self/status)",
	      code_name(code));
	FIX("docker run --cap-add PERFMON IMAGE");
	ADVICE("a filter stays until its process ends: start perf outside of it, or allow "
	       "perf_event_open there, as: %s",
	       reason->fix);
}

/* perf_event_open itself is missing or does nothing at all for us, whatever the level. */
static void explain_closed(struct refusal *reason, const struct access *access, int code)
{
	if (access->seccomp == 2) {
		explain_filter(reason, code);
	} else if (code == -ENOSYS && access->paranoid == ACCESS_UNKNOWN) {
		CAUSE("this kernel has no perf_event_open system call "
		      "(no /proc/sys/kernel/perf_event_paranoid)");
		ADVICE("it needs CONFIG_PERF_EVENTS");
	} else if (code == -ENOSYS) {
		CAUSE("there is no perf_event_open system call here: a sandbox that plays a "
		      "kernel?");
		ADVICE("run perf outside of the sandbox");
	} else {
		CAUSE("a security module answers perf_event_open with %s (%s)", code_name(code),
		      access->lsm[0] ? access->lsm : "/sys/kernel/security/lsm cannot be read");
		ADVICE("its log says more: dmesg | grep -i -e avc -e apparmor");
	}
}

static void explain_process(struct refusal *reason, const struct access *access, pid_t pid)
{
	char path[32];
	struct stat st;

	set(path, sizeof(path), "/proc/%d", pid);
	FIX("setcap cap_perfmon,cap_sys_ptrace=ep $(command -v perf)");
	ADVICE("run as root, or give perf CAP_PERFMON and CAP_SYS_PTRACE: %s", reason->fix);
	if (!stat(path, &st) && st.st_uid != access->uid)
		CAUSE("process %d belongs to user %u, and this process has no CAP_SYS_PTRACE", pid,
		      st.st_uid);
	else
		CAUSE("process %d is protected: it has other rights than this user, or is not "
		      "dumpable",
		      pid);
}

void refusal__of_open(struct refusal *reason, const struct access *access,
                      const struct refused_open *refused)
{
	enum access_need need = refused->own_refused ? ACCESS_OWN : refused->need;

	*reason = (struct refusal){ .fix = "" };
	if (refused->code == -ENOSYS)
		explain_closed(reason, access, refused->code);
	else if (!level_allows(access, need))
		explain_level(reason, access, need);
	else if (refused->other && !refused->own_refused && !access__may_all(access))
		explain_process(reason, access, refused->other);
	else
		explain_closed(reason, access, refused->code);
}

void refusal__needs_cap(struct refusal *reason, const struct access *access, const char *what,
                        const char *cap)
{
	char small[32];
	size_t i;

	*reason = (struct refusal){ .fix = "" };
	for (i = 0; cap[i] && i < sizeof(small) - 1; i++)
		small[i] = tolower((unsigned char)cap[i]);
	small[i] = '\0';
	if (access->user_ns) {
		CAUSE("%s: the capabilities of a user namespace (uid_map %s) do not count", what,
		      access->uid_map);
		ADVICE("run outside of the namespace as root");
		return;
	}
	CAUSE("%s: this process has no %s", what, cap);
	FIX("setcap %s=ep $(command -v perf)", small);
	ADVICE("run as root, or: %s", reason->fix);
}

void refusal__no_counters(struct refusal *reason)
{
	*reason = (struct refusal){ .fix = "" };
	CAUSE("this machine has no hardware counters (virtual machine?)");
	ADVICE("cpu-clock shows where time goes without them");
}

/* ---- tracefs ---- */

void refusal__tracefs_absent(struct refusal *reason, bool known)
{
	*reason = (struct refusal){ .fix = "" };
	if (!known) {
		CAUSE("this kernel has no tracefs (/proc/filesystems)");
		ADVICE("it needs CONFIG_TRACING");
		return;
	}
	FIX("mount -t tracefs nodev " TRACEFS_DEFAULT_MOUNT);
	CAUSE("tracefs is not mounted");
	ADVICE("as root: %s", reason->fix);
}

void refusal__locked_down(struct refusal *reason)
{
	*reason = (struct refusal){ .fix = "" };
	CAUSE("the kernel is locked down (confidentiality in /sys/kernel/security/lockdown)");
	ADVICE("only another boot changes it: lockdown=integrity, or Secure Boot off");
}

void refusal__tracefs_unreadable(struct refusal *reason, const struct access *access,
                                 const char *path, int code)
{
	*reason = (struct refusal){ .fix = "" };
	if (code != -EACCES && code != -EPERM) {
		CAUSE("%s", strerror(-code));
	} else if (code == -EPERM && !strcmp(access->lockdown, "confidentiality")) {
		refusal__locked_down(reason);
	} else {
		/* Since 5.16 its files, too, are for owner and group only: mode alone is not
		 * enough. */
		FIX("mount -o remount,mode=750,gid=%u %.60s", (unsigned)getegid(), path);
		CAUSE("tracefs is for root, and this is user %u (Permission denied)", access->uid);
		ADVICE("run as root, or let this group in: %s", reason->fix);
	}
}

void refusal__function_tracer(struct refusal *reason, const struct access *access, int code)
{
	*reason = (struct refusal){ .fix = "" };
	if (!strcmp(access->lockdown, "confidentiality")) {
		refusal__locked_down(reason);
	} else if (code == -ENODEV) {
		CAUSE("the kernel has switched its function tracer off, after an error of its own");
		ADVICE("dmesg | grep -i ftrace tells which; only another boot brings it back");
	} else if (code == -EPERM || code == -EACCES) {
		CAUSE("the kernel refuses its function tracer with %s, to root, too",
		      code_name(code));
		ADVICE("nothing here changes that: sampling (-e cpu-clock:k) and tracepoints show "
		       "what the kernel does");
	} else {
		CAUSE("the kernel's function tracer answers: %s", strerror(-code));
	}
}

/* ---- kernel names ---- */

void refusal__kallsyms(struct refusal *reason, const struct access *access)
{
	bool may = access__has_cap(access, ACCESS_CAP_SYSLOG);
	const char *whose = access->user_ns ? "the capabilities of a user namespace do not count"
	                                    : "this process has no CAP_SYSLOG";

	*reason = (struct refusal){ .fix = "" };
	if (access->kptr_restrict >= 2) {
		FIX("sysctl kernel.kptr_restrict=%d", may ? 1 : 0);
		CAUSE("kernel addresses are hidden from everybody: kernel.kptr_restrict is %d",
		      access->kptr_restrict);
	} else if (access->kptr_restrict == 1) {
		FIX("sysctl kernel.kptr_restrict=0");
		CAUSE("kernel addresses are hidden: kernel.kptr_restrict is 1, and %s", whose);
	} else {
		FIX("sysctl kernel.perf_event_paranoid=1");
		CAUSE("kernel addresses are hidden: kernel.perf_event_paranoid is %d, and %s",
		      access->paranoid, whose);
	}
	ADVICE("%s: %s", may ? "make it less strict" : "run as root, or", reason->fix);
}

/* ---- limits ---- */

const char *access__ring_budget_text(const struct access *access, char *buf, size_t size)
{
	snprintf(buf, size, "kernel.perf_event_mlock_kb %d x %u CPUs + RLIMIT_MEMLOCK %llu KB",
	         access->mlock_kb, access->nr_cpus, (unsigned long long)access->memlock / 1024);
	return buf;
}

u64 access__ring_kb(const struct access *access, u32 nr)
{
	u64 budget = access__ring_budget_kb(access), page_kb = sysconf(_SC_PAGESIZE) / 1024;
	u64 each = nr ? budget / nr : 0;

	if (budget == ~0ull || each > RING_MAX_KB)
		return RING_MAX_KB;
	if (each < 2 * page_kb)
		return 0;
	return 1ull << (63 - __builtin_clzll(each - page_kb)); /* less the control page */
}

void refusal__rings(struct refusal *reason, const struct access *access, u64 kb, u32 nr)
{
	u64 page_kb = sysconf(_SC_PAGESIZE) / 1024, fits = access__ring_kb(access, nr);
	char budget[128];

	*reason = (struct refusal){ .fix = "" };
	FIX("sysctl kernel.perf_event_mlock_kb=%llu",
	    (unsigned long long)((kb + page_kb) * nr + access->nr_cpus - 1) / access->nr_cpus);
	CAUSE("%u rings of %llu KB are more memory than this user may lock: %s", nr,
	      (unsigned long long)kb, access__ring_budget_text(access, budget, sizeof(budget)));
	if (fits && fits < kb)
		ADVICE("use a smaller -m (%lluK fits), or: %s", (unsigned long long)fits,
		       reason->fix);
	else /* the budget is of the user, not of this perf */
		ADVICE("end other perfs of this user, or: %s", reason->fix);
}

void refusal__files(struct refusal *reason, const struct access *access)
{
	*reason = (struct refusal){ .fix = "" };
	FIX("prlimit --pid $$ --nofile=65536");
	CAUSE("the limit of open files (ulimit -n) is %llu",
	      (unsigned long long)access->files_hard);
	ADVICE("raise it for this shell, as root: %s", reason->fix);
}
