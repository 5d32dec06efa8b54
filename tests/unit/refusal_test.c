// SPDX-License-Identifier: GPL-2.0-or-later
/* The evidence of a machine that is played, and the one cause that is picked from it. */
#include "util/event/refusal.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "tests/unit/test_file.h"
#include "tests/unit/unit.h"
#include "util/event/tracefs.h"
#include "util/lib/alloc.h"

#define ALL_CAPS 0x1ffffffffffull
#define PERFMON  (1ull << ACCESS_CAP_PERFMON)

static void put(const char *name, const char *text)
{
	free(write_test_file(name, text, strlen(text)));
}

TEST(access_reads_a_container)
{
	struct access a;
	char *ns;

	put("proc/sys/kernel/perf_event_paranoid", "-1\n");
	put("proc/sys/kernel/kptr_restrict", "2\n");
	put("proc/sys/kernel/perf_event_mlock_kb", "516\n");
	put("proc/self/status", "Name:\tperf\nCapPrm:\t0\nCapEff:\t0000004000000000\n"
	                        "CapBnd:\t00000000a80425fb\nSeccomp:\t2\nSeccomp_filters:\t1\n");
	put("proc/self/uid_map", "         0     100000      65536\n");
	put("sys/kernel/security/lockdown", "none integrity [confidentiality]\n");
	put("sys/kernel/security/lsm", "capability,yama,apparmor");
	put(".dockerenv", "");
	put("proc/self/ns/x", "");
	ns = xasprintf("%s/proc/self/ns/user", unit__tmpdir());
	CHECK_EQ(symlink("user:[4026531837]", ns), 0);
	access__read(&a, unit__tmpdir());
	CHECK_EQ(a.paranoid, -1);
	CHECK_EQ(a.kptr_restrict, 2);
	CHECK_EQ(a.mlock_kb, 516);
	CHECK_EQ(a.caps, PERFMON);
	CHECK_EQ(a.bounding, 0xa80425fb);
	CHECK_EQ(a.seccomp, 2);
	CHECK_STR(a.uid_map, "0 100000 65536");
	CHECK_STR(a.lockdown, "confidentiality");
	CHECK_STR(a.lsm, "capability,yama,apparmor");
	CHECK_STR(a.container, "docker (/.dockerenv)");
	CHECK(!a.user_ns && access__may_all(&a));
	CHECK(!access__has_cap(&a, ACCESS_CAP_SYS_ADMIN));
	unlink(ns);
	CHECK_EQ(symlink("user:[4026532000]", ns), 0);
	access__read(&a, unit__tmpdir());
	CHECK(a.user_ns && !access__may_all(&a));
	free(ns);
}

TEST(access_of_nothing_is_unknown)
{
	struct access a;

	put("proc/sys/kernel/perf_event_paranoid", "none of your business\n");
	put("proc/self/status", "Seccomp:\t9\n");
	access__read(&a, unit__tmpdir());
	CHECK_EQ(a.paranoid, ACCESS_UNKNOWN);
	CHECK_EQ(a.kptr_restrict, ACCESS_UNKNOWN);
	CHECK_EQ(a.seccomp, ACCESS_UNKNOWN);
	CHECK_EQ(a.caps, 0);
	CHECK_STR(a.lockdown, "");
	CHECK_STR(a.container, "");
	CHECK(!a.user_ns);
}

/* One row for each thing that can refuse perf_event_open. */
TEST(refusal_of_a_refusal_follows_the_evidence)
{
	static const struct {
		struct access access;
		struct refused_open refused;
		const char *cause, *fix;
	} rows[] = {
		{ { .paranoid = 2, .uid = 1, .bounding = ALL_CAPS },
		  { -EACCES, ACCESS_KERNEL, false, 0 },
		  "the kernel may not be measured: kernel.perf_event_paranoid is 2, and this "
		  "process has no CAP_PERFMON",
		  "sysctl kernel.perf_event_paranoid=1" },
		{ { .paranoid = 2, .uid = 1 },
		  { -EACCES, ACCESS_PHYSICAL, false, 1 },
		  "physical addresses (phys_addr in a filter, --phys-data) are for privileged "
		  "users: kernel.perf_event_paranoid is 2, and this process has no CAP_PERFMON",
		  "sysctl kernel.perf_event_paranoid=1" },
		{ { .paranoid = 1, .uid = 65533 },
		  { -EACCES, ACCESS_PHYSICAL, false, 1 },
		  "process 1 belongs to user 0",
		  "setcap cap_perfmon,cap_sys_ptrace=ep $(command -v perf)" },
		{ { .paranoid = 1, .uid = 1 },
		  { -EACCES, ACCESS_CPUS, false, 0 },
		  "whole CPUs are for privileged users: kernel.perf_event_paranoid is 1",
		  "sysctl kernel.perf_event_paranoid=0" },
		{ { .paranoid = 0, .uid = 1 },
		  { -EPERM, ACCESS_TRACEPOINT, false, 0 },
		  "the data of tracepoints is for privileged users",
		  "sysctl kernel.perf_event_paranoid=-1" },
		{ { .paranoid = 4, .uid = 1 },
		  { -EACCES, ACCESS_CPUS, true, 0 },
		  "no event is allowed to users: kernel.perf_event_paranoid is 4",
		  "sysctl kernel.perf_event_paranoid=2" },
		{ { .paranoid = 2, .caps = ALL_CAPS, .user_ns = true, .uid_map = "0 1000 1" },
		  { -EACCES, ACCESS_CPUS, false, 0 },
		  "the capabilities of a user namespace (uid_map 0 1000 1) do not count",
		  "sysctl kernel.perf_event_paranoid=0" },
		{ { .paranoid = 2, .uid = 0 },
		  { -EACCES, ACCESS_CPUS, false, 0 },
		  "CAP_PERFMON was taken from this root",
		  "sysctl kernel.perf_event_paranoid=0" },
		{ { .paranoid = 2, .uid = 1, .seccomp = 2 },
		  { -EPERM, ACCESS_CPUS, true, 0 },
		  "a seccomp filter answers perf_event_open with EPERM",
		  "docker run --cap-add PERFMON IMAGE" },
		{ { .paranoid = 2, .uid = 1, .seccomp = 2 },
		  { -EACCES, ACCESS_CPUS, false, 0 },
		  "whole CPUs are for privileged users",
		  "sysctl kernel.perf_event_paranoid=0" },
		{ { .paranoid = 2, .seccomp = 2, .caps = ALL_CAPS },
		  { -ENOSYS, ACCESS_OWN, true, 0 },
		  "a seccomp filter answers perf_event_open with ENOSYS",
		  "docker run --cap-add PERFMON IMAGE" },
		{ { .paranoid = ACCESS_UNKNOWN, .caps = ALL_CAPS },
		  { -ENOSYS, ACCESS_OWN, true, 0 },
		  "this kernel has no perf_event_open system call",
		  "" },
		{ { .paranoid = 2, .caps = ALL_CAPS },
		  { -ENOSYS, ACCESS_OWN, true, 0 },
		  "a sandbox that plays a kernel",
		  "" },
		{ { .paranoid = 2, .caps = PERFMON, .lsm = "capability,selinux" },
		  { -EACCES, ACCESS_KERNEL, false, 0 },
		  "a security module answers perf_event_open with EACCES (capability,selinux)",
		  "" },
		{ { .paranoid = 2, .uid = 65533 },
		  { -EACCES, ACCESS_OWN, false, 1 },
		  "process 1 belongs to user 0",
		  "setcap cap_perfmon,cap_sys_ptrace=ep $(command -v perf)" },
		{ { .paranoid = -1, .uid = 0 },
		  { -EACCES, ACCESS_OWN, false, 1 },
		  "process 1 is protected",
		  "setcap cap_perfmon,cap_sys_ptrace=ep $(command -v perf)" },
	};
	struct refusal reason;

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		refusal__of_open(&reason, &rows[i].access, &rows[i].refused);
		if (!strstr(reason.cause, rows[i].cause))
			unit__fail(__FILE__, __LINE__, "row %zu: '%s'", i, reason.cause);
		CHECK_STR(reason.fix, rows[i].fix);
		CHECK(reason.advice[0] && strstr(reason.advice, reason.fix));
	}
}

TEST(refusal_shows_no_control_characters)
{
	struct access access = { .paranoid = 2, .caps = PERFMON, .lsm = "a\033[2Jb\nc" };
	struct refused_open refused = { -EACCES, ACCESS_KERNEL, false, 0 };
	struct refusal reason;

	refusal__of_open(&reason, &access, &refused);
	CHECK(strstr(reason.cause, "(a?[2Jb?c)"));
}

TEST(refusal_of_hidden_kernel_addresses)
{
	static const struct {
		struct access access;
		const char *cause, *fix;
	} rows[] = {
		{ { .kptr_restrict = 2, .caps = ALL_CAPS },
		  "kernel addresses are hidden from everybody: kernel.kptr_restrict is 2",
		  "sysctl kernel.kptr_restrict=1" },
		{ { .kptr_restrict = 2 },
		  "kernel addresses are hidden from everybody",
		  "sysctl kernel.kptr_restrict=0" },
		{ { .kptr_restrict = 1 },
		  "kernel.kptr_restrict is 1, and this process has no CAP_SYSLOG",
		  "sysctl kernel.kptr_restrict=0" },
		{ { .kptr_restrict = 0, .paranoid = 3, .caps = ALL_CAPS, .user_ns = true },
		  "kernel.perf_event_paranoid is 3, and the capabilities of a user namespace do "
		  "not count",
		  "sysctl kernel.perf_event_paranoid=1" },
	};
	struct refusal reason;

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		refusal__kallsyms(&reason, &rows[i].access);
		CHECK(strstr(reason.cause, rows[i].cause));
		CHECK_STR(reason.fix, rows[i].fix);
	}
}

TEST(refusal_of_tracefs)
{
	struct access user = { .uid = 1000 }, locked = { .lockdown = "confidentiality" };
	struct refusal reason;
	char *path = write_test_file("fs", "nodev\tproc\nnodev\tdebugfs\n", 25);

	CHECK(!tracefs__is_known(path));
	CHECK(tracefs__is_known("/nonexistent"));
	refusal__tracefs_absent(&reason, false);
	CHECK(strstr(reason.cause, "no tracefs") && !reason.fix[0]);
	refusal__tracefs_absent(&reason, true);
	CHECK_STR(reason.cause, "tracefs is not mounted");
	CHECK_STR(reason.fix, "mount -t tracefs nodev /sys/kernel/tracing");
	refusal__tracefs_unreadable(&reason, &user, "/t", -EACCES);
	CHECK(strstr(reason.cause, "this is user 1000"));
	CHECK(strstr(reason.fix, "mount -o remount,") && strstr(reason.fix, " /t"));
	refusal__tracefs_unreadable(&reason, &locked, "/t", -EPERM);
	CHECK(strstr(reason.cause, "locked down") && !reason.fix[0]);
	refusal__tracefs_unreadable(&reason, &user, "/t", -EIO);
	CHECK_STR(reason.cause, "Input/output error");
	free(path);
}

/* 516 KB are 512 and the control page: one ring of 512 KB for each CPU. */
TEST(refusal_of_rings_knows_what_fits)
{
	struct access a = { .paranoid = 2, .mlock_kb = 516, .nr_cpus = 4 };
	struct refusal reason;

	if (sysconf(_SC_PAGESIZE) != 4096) {
		unit__skip("pages are not of 4 KB");
		return;
	}
	CHECK_EQ(access__ring_budget_kb(&a), 2064);
	CHECK_EQ(access__ring_kb(&a, 4), 512);
	CHECK_EQ(access__ring_kb(&a, 8), 128);
	CHECK_EQ(access__ring_kb(&a, 1000), 0);
	refusal__rings(&reason, &a, 1024, 4);
	CHECK(strstr(reason.cause,
	             "4 rings of 1024 KB are more memory than this user may lock: "
	             "kernel.perf_event_mlock_kb 516 x 4 CPUs + RLIMIT_MEMLOCK 0 KB"));
	CHECK(strstr(reason.advice, "a smaller -m (512K fits)"));
	CHECK_STR(reason.fix, "sysctl kernel.perf_event_mlock_kb=1028");
	refusal__rings(&reason, &a, 512, 4); /* others of this user hold the budget */
	CHECK(strstr(reason.advice, "end other perfs of this user"));
	a.memlock = 8 << 20;
	CHECK_EQ(access__ring_kb(&a, 4), 2048);
	a.caps = ALL_CAPS;
	CHECK_EQ(access__ring_kb(&a, 4), 1 << 20);
	a.user_ns = true;
	CHECK_EQ(access__ring_kb(&a, 4), 2048);
	a.paranoid = -1;
	CHECK_EQ(access__ring_budget_kb(&a), ~0ull);
}

TEST(refusal_of_too_many_files)
{
	struct access a = { .files = 32, .files_hard = 64 };
	struct refusal reason;

	refusal__files(&reason, &a);
	CHECK_STR(reason.cause, "the limit of open files (ulimit -n) is 64");
	CHECK(strstr(reason.advice, reason.fix));
}
