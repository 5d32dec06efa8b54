// SPDX-License-Identifier: GPL-2.0-or-later
/* What the kernel exposes: tracefs, names, tracers, statistics, clocks. */
#include <errno.h>
#include <fcntl.h>
#include <linux/bpf.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "util/doctor/doctor_private.h"
#include "util/elf/build_id.h"
#include "util/event/tracefs.h"
#include "util/lib/file.h"

/* For root that is no hindrance: tracefs__open() mounts it. */
static void probe_unmounted(struct doctor *doctor, struct finding *finding)
{
	const struct access *access = opener__access(&doctor->opener);
	char path[512];
	bool known;

	snprintf(path, sizeof(path), "%s/proc/filesystems", doctor->root);
	known = tracefs__is_known(path);
	finding__prove(finding, "no tracefs in /proc/self/mounts");
	if (known && access->uid == 0 && access__has_cap(access, ACCESS_CAP_SYS_ADMIN)) {
		finding__prove(finding, "not mounted: perf does that, on %s, when it needs it",
		               TRACEFS_DEFAULT_MOUNT);
		return;
	}
	refusal__tracefs_absent(&finding->reason, known);
	finding__fail(finding, FACILITY_ABSENT);
}

void probe__tracefs(struct doctor *doctor, struct finding *finding)
{
	char path[512];
	int fd;

	if (!doctor->tracefs) {
		probe_unmounted(doctor, finding);
		return;
	}
	snprintf(path, sizeof(path), "%.400s/events", doctor->tracefs);
	fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0) {
		refusal__tracefs_unreadable(&finding->reason, opener__access(&doctor->opener),
		                            doctor->tracefs, -errno);
		finding__prove(finding, "open(%s) gives %s", path, strerrorname_np(errno));
		finding__fail(finding, FACILITY_REFUSED);
		return;
	}
	close(fd);
	finding__prove(finding, "%s opens", path);
}

static int read_tracefs(const struct doctor *doctor, const char *name, char *buf, size_t size)
{
	char path[512];

	snprintf(path, sizeof(path), "%.400s/%s", doctor->tracefs, name);
	return file__read_text(path, buf, size);
}

static int write_file(int dir, const char *name, const char *text)
{
	int fd = openat(dir, name, O_WRONLY | O_TRUNC | O_CLOEXEC);
	int ret = fd < 0 ? -errno : 0;

	if (!ret && write(fd, text, strlen(text)) < 0)
		ret = -errno;
	if (fd >= 0)
		close(fd);
	return ret;
}

/*
 * `echo function > current_tracer` in the instance @dir, of one function if that can be said, so
 * that the kernel has little to patch.
 */
static int trace_in(int dir)
{
	int ret;

	write_file(dir, "set_ftrace_filter", "schedule");
	ret = write_file(dir, "current_tracer", "function");
	write_file(dir, "current_tracer", "nop");
	return ret;
}

/* In an instance of our own, which lives that long: 0, or what the kernel answers. */
static int try_instance(const char *tracefs)
{
	char path[512];
	sigset_t all, before;
	int dir, ret;

	snprintf(path, sizeof(path), "%.400s/instances/perf-doctor-%d", tracefs, getpid());
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before); /* or ^C would leave it there */
	ret = mkdir(path, 0700) ? -errno : 0;
	if (!ret) {
		dir = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		ret = dir < 0 ? -errno : trace_in(dir);
		if (dir >= 0)
			close(dir);
		rmdir(path);
	}
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return ret;
}

/* The deed: is tracing begun, and may its filter be opened? False when the finding says no. */
static bool traces_functions(struct doctor *doctor, struct finding *finding)
{
	const char *deed = "'function' in current_tracer of an instance";
	int ret = try_instance(doctor->tracefs), fd;
	char path[512];

	if (ret == -ENOENT)
		ret = 0; /* before Linux 3.10 there are no instances: there is more to be asked */
	if (!ret) {
		snprintf(path, sizeof(path), "%.400s/set_ftrace_filter", doctor->tracefs);
		deed = path;
		fd = open(path, O_RDONLY | O_CLOEXEC);
		ret = fd < 0 && errno != ENOENT ? -errno : 0;
		if (fd >= 0)
			close(fd);
	}
	if (!ret)
		return true;
	finding__prove(finding, "%s gives %s", deed, strerrorname_np(-ret));
	refusal__function_tracer(&finding->reason, opener__access(&doctor->opener), ret);
	finding__fail(finding, FACILITY_REFUSED);
	return false;
}

/* What tracefs knows of the event; without one there is nothing for perf to record. */
static void try_function_event(struct doctor *doctor, struct finding *finding)
{
	char path[512];
	int id;

	snprintf(path, sizeof(path), "%.400s/events/ftrace/function/id", doctor->tracefs);
	id = access__setting("", path);
	if (id == ACCESS_UNKNOWN) {
		finding__prove(finding, "%s cannot be read", path);
		finding__because(finding, FACILITY_ABSENT, "this kernel has no ftrace:function",
		                 "");
		return;
	}
	probe__function_event(doctor, finding, id);
}

void probe__ftrace(struct doctor *doctor, struct finding *finding)
{
	char tracers[256];
	int ret;

	probe__tracefs(doctor, finding);
	if (!doctor->tracefs || finding->state != FACILITY_WORKS)
		return;
	ret = read_tracefs(doctor, "available_tracers", tracers, sizeof(tracers));
	if (ret < 0) {
		finding__prove(finding, "reading %s/available_tracers gives %s", doctor->tracefs,
		               strerrorname_np(-ret));
		refusal__tracefs_unreadable(&finding->reason, opener__access(&doctor->opener),
		                            doctor->tracefs, ret);
		finding__fail(finding, FACILITY_REFUSED);
		return;
	}
	finding__prove(finding, "available_tracers: %s", tracers);
	if (!strstr(tracers, "function"))
		finding__because(finding, FACILITY_ABSENT,
		                 "this kernel has no function tracer (CONFIG_FUNCTION_TRACER)", "");
	else if (!doctor__setting(doctor, "/proc/sys/kernel/ftrace_enabled"))
		finding__because(finding, FACILITY_REFUSED, "kernel.ftrace_enabled is 0",
		                 "sysctl kernel.ftrace_enabled=1");
	else if (traces_functions(doctor, finding))
		try_function_event(doctor, finding);
}

/* The list begins with variables of CPUs, which may lie at 0: look for any address. */
static bool shows_addresses(const char *text)
{
	for (const char *line = text; line && *line;) {
		if (strspn(line, "0") != strcspn(line, " "))
			return true;
		line = strchr(line, '\n');
		line += line != NULL;
	}
	return false;
}

void probe__kallsyms(struct doctor *doctor, struct finding *finding)
{
	static const size_t size = 64 * 1024;
	char *text = malloc(size);
	int len = text ? doctor__read(doctor, "/proc/kallsyms", text, size) : -ENOMEM;

	if (len <= 0) {
		finding__prove(finding, "/proc/kallsyms: %s", len ? strerror(-len) : "empty");
		finding__because(finding, FACILITY_ABSENT,
		                 "the kernel does not list its symbols (CONFIG_KALLSYMS)", "");
	} else if (shows_addresses(text)) {
		finding__prove(finding, "/proc/kallsyms shows addresses");
	} else {
		finding__prove(finding, "/proc/kallsyms shows zeros for addresses");
		refusal__kallsyms(&finding->reason, opener__access(&doctor->opener));
		finding__fail(finding, FACILITY_REFUSED);
	}
	free(text);
}

/* How to install it, where the kernel is known to be of a package; else "". */
static const char *package_of_debug(const struct doctor *doctor, const char *release, char *buf,
                                    size_t size)
{
	char path[200];

	buf[0] = '\0';
	snprintf(path, sizeof(path), "/var/lib/dpkg/info/linux-image-%.80s.list", release);
	if (doctor__exists(doctor, path))
		snprintf(buf, size, "apt install linux-image-%.80s-%s", release,
		         doctor__exists(doctor, "/etc/lsb-release") ? "dbgsym" : "dbg");
	else if (doctor__exists(doctor, "/etc/fedora-release"))
		snprintf(buf, size, "dnf debuginfo-install kernel-core-%.80s", release);
	return buf;
}

void probe__vmlinux(struct doctor *doctor, struct finding *finding)
{
	static const char *const paths[] = {
		"/usr/lib/debug/boot/vmlinux-%s",
		"/usr/lib/debug/lib/modules/%s/vmlinux",
		"/lib/modules/%s/build/vmlinux",
		"/boot/vmlinux-%s",
	};
	struct build_id id, own = { 0 };
	char path[200], hex[BUILD_ID_HEX_SIZE], full[600], fix[128];
	struct utsname name;

	uname(&name);
	build_id__of_kernel(&own);
	build_id__hex(&own, hex);
	for (size_t i = 0; i < ARRAY_SIZE(paths); i++) {
		snprintf(path, sizeof(path), paths[i], name.release);
		snprintf(full, sizeof(full), "%s%s", doctor->root, path);
		if (!build_id__of_file(full, &id) && own.size && build_id__equal(&id, &own)) {
			finding__prove(finding, "%s has the running kernel's build-id %.12s", path,
			               hex);
			return;
		}
	}
	finding__prove(finding,
	               "no vmlinux with build-id %.12s for %s in /usr/lib/debug, "
	               "/lib/modules, /boot",
	               own.size ? hex : "(unknown)", name.release);
	finding__because(finding, FACILITY_ABSENT,
	                 "the running kernel's debug information is not installed",
	                 package_of_debug(doctor, name.release, fix, sizeof(fix)));
}

/* Asks for the first program of the list; gives an id, loads nothing. */
void probe__bpf(struct doctor *doctor, struct finding *finding)
{
	union bpf_attr attr;
	long ret;

	memset(&attr, 0, sizeof(attr));
	ret = syscall(SYS_bpf, BPF_PROG_GET_NEXT_ID, &attr, sizeof(attr));
	if (!ret || errno == ENOENT) {
		finding__prove(finding, "bpf(BPF_PROG_GET_NEXT_ID) gives %s",
		               ret ? "none loaded" : "an id");
		return;
	}
	finding__prove(finding, "bpf(BPF_PROG_GET_NEXT_ID) gives %s", strerrorname_np(errno));
	if (errno == ENOSYS) {
		finding__because(finding, FACILITY_ABSENT, "this kernel has no BPF", "");
		return;
	}
	refusal__needs_cap(&finding->reason, opener__access(&doctor->opener),
	                   "the list of BPF programs is for privileged users", "CAP_SYS_ADMIN");
	finding__fail(finding, FACILITY_REFUSED);
}

void probe__schedstats(struct doctor *doctor, struct finding *finding)
{
	int value = doctor__setting(doctor, "/proc/sys/kernel/sched_schedstats");

	if (value == ACCESS_UNKNOWN) {
		finding__prove(finding, "no /proc/sys/kernel/sched_schedstats");
		finding__because(finding, FACILITY_ABSENT,
		                 "this kernel keeps no such times (CONFIG_SCHEDSTATS)", "");
		return;
	}
	finding__prove(finding, "kernel.sched_schedstats is %d", value);
	if (!value)
		finding__because(finding, FACILITY_ABSENT, "kernel.sched_schedstats is 0",
		                 "sysctl kernel.sched_schedstats=1");
}

void probe__clocks(struct doctor *doctor, struct finding *finding)
{
	static const struct {
		clockid_t id;
		const char *name;
	} clocks[] = {
		{ CLOCK_MONOTONIC, "mono" }, { CLOCK_MONOTONIC_RAW, "raw" },
		{ CLOCK_BOOTTIME, "boot" },  { CLOCK_REALTIME, "real" },
		{ CLOCK_TAI, "tai" },
	};
	char source[64], names[64] = "";
	struct timespec ts;

	doctor__read(doctor, "/sys/devices/system/clocksource/clocksource0/current_clocksource",
	             source, sizeof(source));
	for (size_t i = 0; i < ARRAY_SIZE(clocks); i++)
		if (!clock_getres(clocks[i].id, &ts)) {
			size_t len = strlen(names);

			snprintf(names + len, sizeof(names) - len, "%s%s", len ? " " : "",
			         clocks[i].name);
		}
	finding__prove(finding, "%s; the clock source is %s", names,
	               source[0] ? source : "unknown");
}
