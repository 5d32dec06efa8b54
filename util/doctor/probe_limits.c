// SPDX-License-Identifier: GPL-2.0-or-later
/* Limits: memory, files, rates, depths. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "util/counter/ring.h"
#include "util/doctor/doctor_private.h"

/* A ring as record maps it by default, given back at once. 0 or a negative errno. */
static int try_ring(struct doctor *doctor, u64 size)
{
	struct perf_event_attr attr = doctor__attr(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_DUMMY);
	size_t len = size + sysconf(_SC_PAGESIZE);
	int ret = 0;
	int fd = doctor->opener.open(doctor->opener.ctx, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
	void *ring;

	if (fd < 0)
		return fd;
	ring = mmap(NULL, len, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (ring == MAP_FAILED)
		ret = -errno;
	else
		munmap(ring, len);
	close(fd);
	return ret;
}

static void prove_budget(const struct access *access, struct finding *finding)
{
	unsigned long long kb = access__ring_kb(access, access->nr_cpus);
	char budget[128];

	if (access__ring_budget_kb(access) == ~0ull)
		finding__prove(finding, "%u rings of any size: %s", access->nr_cpus,
		               access->paranoid == -1     ? "kernel.perf_event_paranoid is -1"
		               : access->memlock == ~0ull ? "RLIMIT_MEMLOCK is unlimited"
		                                          : "CAP_IPC_LOCK");
	else
		finding__prove(finding, "%u rings of at most %llu KB: %s", access->nr_cpus, kb,
		               access__ring_budget_text(access, budget, sizeof(budget)));
}

void probe__rings(struct doctor *doctor, struct finding *finding)
{
	const struct access *access = opener__access(&doctor->opener);
	struct refused_open refused = { .need = ACCESS_OWN, .own_refused = true };
	u64 size;

	rings__size(NULL, &size, NULL);
	refused.code = try_ring(doctor, size);
	prove_budget(access, finding);
	if (!refused.code)
		return;
	finding__fail(finding, FACILITY_REFUSED);
	if (doctor__own_refused(doctor))
		refusal__of_open(&finding->reason, access, &refused);
	else if (refused.code == -EPERM)
		refusal__rings(&finding->reason, access, size / 1024, 1);
	else
		finding__because(finding, FACILITY_REFUSED, strerror(-refused.code), "");
}

#define FILES_OF_PERF 20 /* perf itself: output, libraries' files, signals */

void probe__open_files(struct doctor *doctor, struct finding *finding)
{
	const struct access *access = opener__access(&doctor->opener);
	u64 rest = access->files_hard > FILES_OF_PERF ? access->files_hard - FILES_OF_PERF : 0;
	struct refusal reason;

	refusal__files(&reason, access);
	finding__prove(finding, "%s (now %llu): %llu events on each of %u CPUs", reason.cause,
	               (unsigned long long)access->files,
	               (unsigned long long)rest / access->nr_cpus, access->nr_cpus);
	if (rest >= 4ull * access->nr_cpus)
		return;
	finding->reason = reason;
	finding__fail(finding, FACILITY_REFUSED);
}

#define DEFAULT_RATE 4000 /* of record */

void probe__sample_rate(struct doctor *doctor, struct finding *finding)
{
	int rate = doctor__setting(doctor, "/proc/sys/kernel/perf_event_max_sample_rate");
	char cause[100];

	if (rate == ACCESS_UNKNOWN) {
		finding__prove(finding, "no /proc/sys/kernel/perf_event_max_sample_rate");
		return;
	}
	finding__prove(finding, "kernel.perf_event_max_sample_rate is %d", rate);
	if (rate >= DEFAULT_RATE)
		return;
	snprintf(cause, sizeof(cause),
	         "kernel.perf_event_max_sample_rate is %d: below the default of record, %d", rate,
	         DEFAULT_RATE);
	finding__because(finding, FACILITY_REFUSED, cause,
	                 "sysctl kernel.perf_event_max_sample_rate=100000");
}

void probe__cpu_time(struct doctor *doctor, struct finding *finding)
{
	int percent = doctor__setting(doctor, "/proc/sys/kernel/perf_cpu_time_max_percent");

	if (percent == ACCESS_UNKNOWN)
		finding__prove(finding, "no /proc/sys/kernel/perf_cpu_time_max_percent");
	else if (percent == 0 || percent >= 100)
		finding__prove(finding,
		               "kernel.perf_cpu_time_max_percent is %d: the kernel never "
		               "lowers the rate",
		               percent);
	else
		finding__prove(finding, "kernel.perf_cpu_time_max_percent is %d", percent);
}

void probe__stack_depth(struct doctor *doctor, struct finding *finding)
{
	int frames = doctor__setting(doctor, "/proc/sys/kernel/perf_event_max_stack");
	int contexts =
	        doctor__setting(doctor, "/proc/sys/kernel/perf_event_max_contexts_per_stack");

	if (frames == ACCESS_UNKNOWN) {
		finding__prove(finding, "no /proc/sys/kernel/perf_event_max_stack: 127 frames");
		return;
	}
	finding__prove(finding,
	               "kernel.perf_event_max_stack is %d frames, "
	               "kernel.perf_event_max_contexts_per_stack %d",
	               frames, contexts);
	snprintf(finding->reason.fix, sizeof(finding->reason.fix),
	         "sysctl kernel.perf_event_max_stack=%lld", frames < 512 ? 1024 : frames * 2ll);
}

void probe__nmi_watchdog(struct doctor *doctor, struct finding *finding)
{
	int on = doctor__setting(doctor, "/proc/sys/kernel/nmi_watchdog");

	if (on == ACCESS_UNKNOWN) {
		finding__prove(finding, "no /proc/sys/kernel/nmi_watchdog");
		return;
	}
	finding__prove(finding, "kernel.nmi_watchdog is %d", on);
	if (on)
		finding__because(
		        finding, FACILITY_REFUSED,
		        "kernel.nmi_watchdog is 1: one hardware counter of each CPU is taken",
		        "sysctl kernel.nmi_watchdog=0");
}
