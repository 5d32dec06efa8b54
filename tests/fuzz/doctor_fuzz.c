// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The small files of /proc and /sys that decide about rights, and every probe of the
 * doctor over them: what comes out must be fit for a terminal and for JSON.
 */
#include <errno.h>
#include <string.h>

#include "tests/fuzz/fuzz.h"
#include "ui/text/doctor.h"
#include "util/doctor/doctor.h"

/* Each that is read. */
static const char *const files[] = {
	"/proc/self/status",
	"/proc/self/uid_map",
	"/proc/cpuinfo",
	"/proc/kallsyms",
	"/proc/filesystems",
	"/proc/sys/kernel/perf_event_paranoid",
	"/proc/sys/kernel/kptr_restrict",
	"/proc/sys/kernel/perf_event_mlock_kb",
	"/proc/sys/kernel/perf_event_max_sample_rate",
	"/proc/sys/kernel/perf_cpu_time_max_percent",
	"/proc/sys/kernel/perf_event_max_stack",
	"/proc/sys/kernel/sched_schedstats",
	"/proc/sys/kernel/nmi_watchdog",
	"/proc/sys/kernel/yama/ptrace_scope",
	"/sys/kernel/security/lockdown",
	"/sys/kernel/security/lsm",
	"/sys/devices/system/clocksource/clocksource0/current_clocksource",
	"/sys/bus/event_source/devices/kprobe/type",
	"/sys/bus/event_source/devices/uprobe/type",
	"/run/systemd/container",
};

static int refuse(void *ctx, struct perf_event_attr *attr, pid_t pid, int cpu, int group_fd,
                  unsigned long flags)
{
	(void)cpu;
	(void)group_fd;
	(void)flags;
	FUZZ_CHECK(attr->disabled);
	return pid < 0 ? -EACCES : *(const int *)ctx;
}

static void check_text(const char *text, size_t size)
{
	FUZZ_CHECK(strnlen(text, size) < size);
	for (; *text; text++)
		FUZZ_CHECK((u8)*text >= 0x20 && *text != 0x7f);
}

static void probe_all(struct doctor *doctor)
{
	struct finding finding;
	struct doctor_report report = { .findings = &finding, .nr = 1 };
	struct out out;

	out__init(&out, -1);
	for (u32 i = 0; i < doctor__nr(); i++) {
		doctor__probe(doctor, doctor__facility(i), &finding);
		check_text(finding.proof, sizeof(finding.proof));
		check_text(finding.reason.cause, sizeof(finding.reason.cause));
		check_text(finding.reason.fix, sizeof(finding.reason.fix));
		FUZZ_CHECK(finding.state == FACILITY_WORKS || finding.reason.cause[0]);
		doctor_report__print(&report, &out);
		doctor_report__print_json(&report, &out);
	}
	fuzz__touch(out__take(&out), out.len);
	out__exit(&out);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	static const int codes[] = { -EPERM, -ENOSYS, -ENOENT, -EACCES };
	static const char *root;
	int code = codes[size % ARRAY_SIZE(codes)];
	struct doctor doctor;

	if (!root)
		root = fuzz__folder(files, ARRAY_SIZE(files));
	fuzz__fill(data, size);
	doctor__init(&doctor, root);
	doctor.opener.open = refuse;
	doctor.opener.ctx = &code;
	probe_all(&doctor);
	doctor__exit(&doctor);
	return 0;
}

void fuzz__seeds(void (*add)(const void *data, size_t size))
{
	static const char *const texts[] = {
		"2\n",
		"-1\n",
		"Name:\tperf\nCapEff:\t000001ffffffffff\nCapBnd:\t0000000000000000\nSeccomp:\t2\n",
		"Name:\tperf\nCapEff:\t0\nCapBnd:\t1ffffffffff\nSeccomp:\t0\n",
		"         0     100000      65536\n",
		"none integrity [confidentiality]\n",
		"nodev\ttracefs\n",
		"0000000000000000 D fixed\nffffffff81000000 T _text\n",
		"capability,yama,apparmor",
		"docker\033[2J\n",
	};

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
		add(texts[i], strlen(texts[i]));
}
