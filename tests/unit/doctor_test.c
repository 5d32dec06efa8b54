// SPDX-License-Identifier: GPL-2.0-or-later
/* The doctor on machines that are played: a folder for /proc and /sys, a function for the kernel.
 */
#include "util/doctor/doctor.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "tests/unit/test_file.h"
#include "tests/unit/unit.h"
#include "ui/text/doctor.h"
#include "util/lib/json.h"

struct played {
	int all, hardware, kernel, cpus, others, probes; /* negative errnos, 0: opens */
	u32 nr_enabled;                                  /* counters that were asked to run */
};

#define PROBE_TYPE 9

static int play(void *ctx, struct perf_event_attr *attr, pid_t pid, int cpu, int group_fd,
                unsigned long flags)
{
	struct played *played = ctx;

	(void)cpu;
	(void)group_fd;
	(void)flags;
	played->nr_enabled += !attr->disabled;
	if (played->all)
		return played->all;
	if (attr->type == PROBE_TYPE)
		return played->probes;
	if (attr->type == PERF_TYPE_HARDWARE && played->hardware)
		return played->hardware;
	if (!attr->exclude_kernel && played->kernel)
		return played->kernel;
	if (pid < 0 && played->cpus)
		return played->cpus;
	if (pid > 0 && played->others)
		return played->others;
	return open("/dev/null", O_RDONLY | O_CLOEXEC);
}

static void put(const char *name, const char *text)
{
	free(write_test_file(name, text, strlen(text)));
}

static const struct facility *facility(const char *name)
{
	for (u32 i = 0; i < doctor__nr(); i++)
		if (!strcmp(doctor__facility(i)->name, name))
			return doctor__facility(i);
	unit__fail(__FILE__, __LINE__, "no facility '%s'", name);
	return doctor__facility(0);
}

static struct finding probe(struct played *played, const char *name)
{
	struct finding finding;
	struct doctor doctor;

	doctor__init(&doctor, unit__tmpdir());
	doctor.opener.open = play;
	doctor.opener.ctx = played;
	doctor__probe(&doctor, facility(name), &finding);
	doctor__exit(&doctor);
	CHECK_EQ(played->nr_enabled, 0);
	return finding;
}

TEST(doctor_has_names_for_all_and_none_twice)
{
	for (u32 i = 0; i < doctor__nr(); i++) {
		const struct facility *f = doctor__facility(i);

		CHECK(f->group && f->meaning && f->without && f->probe);
		CHECK(facility(f->name) == f);
	}
}

TEST(doctor_tells_what_is_refused_and_why)
{
	struct played user = { 0, -ENOENT, -EACCES, -EACCES, -EACCES, -EACCES, 0 };
	struct finding f;

	put("proc/sys/kernel/perf_event_paranoid", "2\n");
	put("proc/self/status", "Name:\tperf\nCapEff:\t0\nCapBnd:\t1ffffffffff\nSeccomp:\t0\n");
	put("proc/cpuinfo", "flags\t\t: fpu vme hypervisor lahf_lm\n");
	put("sys/bus/event_source/devices/uprobe/type", "9\n");
	CHECK_EQ(probe(&user, "software-events").state, FACILITY_WORKS);
	f = probe(&user, "cpu-counters");
	CHECK_EQ(f.state, FACILITY_ABSENT);
	CHECK(strstr(f.reason.cause, "no hardware counters"));
	CHECK(strstr(f.proof, "gives ENOENT") && strstr(f.proof, "hypervisor in /proc/cpuinfo"));
	f = probe(&user, "kernel");
	CHECK_EQ(f.state, FACILITY_REFUSED);
	CHECK(strstr(f.reason.cause, "the kernel may not be measured"));
	CHECK_STR(f.reason.fix, "sysctl kernel.perf_event_paranoid=1");
	f = probe(&user, "system-wide");
	CHECK_STR(f.reason.fix, "sysctl kernel.perf_event_paranoid=0");
	f = probe(&user, "uprobes");
	CHECK_EQ(f.state, FACILITY_REFUSED);
	CHECK(strstr(f.reason.cause, "probes are for privileged users"));
	f = probe(&user, "kprobes");
	CHECK_EQ(f.state, FACILITY_ABSENT);
	CHECK(strstr(f.proof, "no /sys/bus/event_source/devices/kprobe"));
	f = probe(&user, "paranoid");
	CHECK_EQ(f.state, FACILITY_REFUSED);
	CHECK(strstr(f.reason.cause, "user space of their own processes only"));
	user.probes = -EINVAL; /* it may; only this one was none */
	CHECK_EQ(probe(&user, "uprobes").state, FACILITY_WORKS);
}

TEST(doctor_finds_a_filter_behind_everything)
{
	static const char *const names[] = { "software-events", "cpu-counters", "kernel",
		                             "system-wide",     "breakpoints",  "rings",
		                             "seccomp" };
	struct played closed = { .all = -ENOSYS };

	put("proc/sys/kernel/perf_event_paranoid", "-1\n");
	put("proc/self/status", "Name:\tperf\nCapEff:\t1ffffffffff\nSeccomp:\t2\n");
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		struct finding f = probe(&closed, names[i]);

		CHECK_EQ(f.state, FACILITY_REFUSED);
		CHECK(strstr(f.reason.cause, "a seccomp filter"));
	}
	closed.all = 0;
	CHECK_EQ(probe(&closed, "seccomp").state, FACILITY_WORKS);
}

TEST(doctor_reads_the_settings)
{
	struct played root = { 0 };
	struct finding f;

	put("proc/kallsyms", "0000000000000000 D fixed\n0000000000000000 T _text\n");
	put("proc/self/status", "Name:\tperf\nCapEff:\t1ffffffffff\nSeccomp:\t0\n");
	put("proc/sys/kernel/kptr_restrict", "2\n");
	put("proc/sys/kernel/sched_schedstats", "0\n");
	put("proc/sys/kernel/nmi_watchdog", "1\n");
	put("proc/sys/kernel/perf_event_max_sample_rate", "1000\n");
	put("proc/sys/kernel/perf_event_max_stack", "127\n");
	put("proc/sys/kernel/perf_event_max_contexts_per_stack", "8\n");
	put("proc/sys/kernel/yama/ptrace_scope", "1\n");
	put("sys/kernel/security/lockdown", "none integrity [confidentiality]\n");
	put("proc/filesystems", "nodev\ttracefs\n");
	f = probe(&root, "kallsyms");
	CHECK_EQ(f.state, FACILITY_REFUSED);
	CHECK(strstr(f.reason.cause, "kernel.kptr_restrict is 2"));
	put("proc/kallsyms", "0000000000000000 D fixed\nffffffff81000000 T _text\n");
	CHECK_EQ(probe(&root, "kallsyms").state, FACILITY_WORKS);
	f = probe(&root, "schedstats");
	CHECK_EQ(f.state, FACILITY_ABSENT);
	CHECK_STR(f.reason.fix, "sysctl kernel.sched_schedstats=1");
	f = probe(&root, "nmi-watchdog");
	CHECK_EQ(f.state, FACILITY_REFUSED);
	CHECK_STR(f.reason.fix, "sysctl kernel.nmi_watchdog=0");
	f = probe(&root, "sample-rate");
	CHECK_EQ(f.state, FACILITY_REFUSED);
	CHECK(strstr(f.reason.cause, "is 1000: below"));
	f = probe(&root, "stack-depth");
	CHECK(strstr(f.proof, "127 frames") && strstr(f.proof, "per_stack 8"));
	CHECK(strstr(probe(&root, "ptrace-scope").proof, "ptrace_scope is 1"));
	CHECK_EQ(probe(&root, "lockdown").state, FACILITY_REFUSED);
	f = probe(&root, "kprobes");
	CHECK_EQ(f.state, FACILITY_REFUSED);
	CHECK(strstr(f.reason.cause, "the kernel is locked down"));
	put("sys/kernel/security/lockdown", "none [integrity] confidentiality\n");
	CHECK_EQ(probe(&root, "lockdown").state, FACILITY_WORKS);
}

/* Nothing of a file may reach the terminal raw, or end the JSON. */
TEST(doctor_prints_hostile_text_harmlessly)
{
	struct played root = { 0 };
	struct finding f;
	struct doctor_report report = { .findings = &f, .nr = 1 };
	struct out out;

	put("run/systemd/container", "a\"b\\\033[2Jc\n");
	f = probe(&root, "container");
	CHECK(!strchr(f.proof, '\033'));
	out__init(&out, -1);
	doctor_report__print_json(&report, &out);
	CHECK(strstr(out__take(&out),
	             "this looks like one: a\\\"b\\\\?[2Jc (/run/systemd/container)"));
	out__exit(&out);
}

TEST(json_strings_are_valid_whatever_comes)
{
	static const struct {
		const char *text, *json;
	} rows[] = {
		{ NULL, "null" },
		{ "", "\"\"" },
		{ "a\"\\\n\x7f", "\"a\\\"\\\\\\u000a\\u007f\"" },
		{ "\xc3\xa4\xe2\x82\xac\xf0\x9f\x90\xa7",
		  "\"\xc3\xa4\xe2\x82\xac\xf0\x9f\x90\xa7\"" },
		{ "\xc2\x9b\xc2\xa0\xe2\x80\xaex\xe2\x81\xa9\xe2\x81\xaa",
		  "\"\\u009b\xc2\xa0\\u202ex\\u2069\xe2\x81\xaa\"" },
		{ "\xff.\xc0\x80.\xed\xa0\x80",
		  "\"\\ufffd.\\ufffd\\ufffd.\\ufffd\\ufffd\\ufffd\"" },
		{ "cut\xe2\x82", "\"cut\\ufffd\\ufffd\"" },
		{ "\xf4\x90\x80\x80", "\"\\ufffd\\ufffd\\ufffd\\ufffd\"" },
	};
	struct out out;

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		out__init(&out, -1);
		json__string(&out, rows[i].text);
		CHECK_STR(out__take(&out), rows[i].json);
		out__exit(&out);
	}
}
