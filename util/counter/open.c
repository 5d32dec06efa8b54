// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The ladder. A kernel that does not know a bit of the attr answers EINVAL (or E2BIG) and does not
 * say which one. So the features in use are given up one after another, newest first, until the
 * counter opens; then each one but the last is tried again, because it may have been given up for
 * another's fault (a PMU that refuses exclude_guest on a new kernel). What stays given up is truly
 * missing; it is noted once, and not asked for again by the events that follow.
 *
 * A counter that cannot be opened at all leaves no trace: attr, name and opener are as before.
 */
#include "util/counter/open.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "util/counter/open_error.h"
#include "util/event/event_filter.h"
#include "util/lib/alloc.h"
#include "util/lib/text.h"

struct rung {
	u32 bit;
	const char *feature, *since, *consequence;
};

/* Newest first. */
/* The kernel says so also, and for ever, of a probe that ftrace has on. */
#define INTERRUPTED_MAX 1000

static const struct rung ladder[] = {
	{ OPEN_NO_BRANCH_COUNTERS, "branch counters", "6.8", "branches carry no event counts" },
	{ OPEN_NO_READ_LOST, "read_format LOST", "6.0", "lost samples are not told per counter" },
	{ OPEN_NO_WEIGHT_STRUCT, "sample_type WEIGHT_STRUCT", "5.12", "plain WEIGHT instead" },
	{ OPEN_NO_BUILD_ID, "build-ids in mmap records", "5.12", "they are read from the files" },
	{ OPEN_NO_CODE_PAGE_SIZE, "sample_type CODE_PAGE_SIZE", "5.11", "not recorded" },
	{ OPEN_NO_DATA_PAGE_SIZE, "sample_type DATA_PAGE_SIZE", "5.11", "not recorded" },
	{ OPEN_NO_TEXT_POKE, "text_poke", "5.8", "changes of kernel text are not recorded" },
	{ OPEN_NO_CGROUP, "cgroup records", "5.7", "not recorded" },
	{ OPEN_NO_BRANCH_HW_IDX, "branch hw_idx", "5.7", "branches carry no hardware index" },
	{ OPEN_NO_BPF_EVENT, "bpf_event", "5.1", "BPF programs loaded meanwhile have no names" },
	{ OPEN_NO_KSYMBOL, "ksymbol", "5.1", "kernel code made meanwhile has no names" },
	{ OPEN_NO_NAMESPACES, "namespaces", "4.12", "not recorded" },
	{ OPEN_NO_MAX_STACK, "sample_max_stack", "4.8", "kernel.perf_event_max_stack holds" },
	{ OPEN_NO_WRITE_BACKWARD, "write_backward", "4.7", "no overwrite mode" },
	{ OPEN_NO_CONTEXT_SWITCH, "context_switch", "4.3", "not recorded" },
	{ OPEN_NO_CLOCKID, "use_clockid", "4.1", "the kernel's own clock instead" },
	{ OPEN_NO_COMM_EXEC, "comm_exec", "3.16", "an exec is not told from a new name" },
	{ OPEN_NO_MMAP2, "mmap2", "3.16", "plain mmap records instead" },
	{ OPEN_NO_CLOEXEC, "PERF_FLAG_FD_CLOEXEC", "3.14", "set by fcntl instead" },
	{ OPEN_NO_IDENTIFIER, "sample_type IDENTIFIER", "3.12", "ID instead" },
	{ OPEN_NO_EXCLUDE_GUEST, "exclude_guest", "3.2 (some PMUs never)", "guests count too" },
	{ OPEN_NO_SAMPLE_ID_ALL, "sample_id_all", "2.6.38", "only samples carry time and id" },
};

/* Does @attr (or the flags of the call) use the feature? */
static bool attr_uses(u32 bit, const struct perf_event_attr *attr)
{
	switch (bit) {
	case OPEN_NO_BRANCH_COUNTERS:
		return attr->branch_sample_type & BRANCH_COUNTERS;
	case OPEN_NO_READ_LOST:
		return attr->read_format & PERF_FORMAT_LOST;
	case OPEN_NO_WEIGHT_STRUCT:
		return attr->sample_type & PERF_SAMPLE_WEIGHT_STRUCT;
	case OPEN_NO_BUILD_ID:
		return attr->build_id;
	case OPEN_NO_CODE_PAGE_SIZE:
		return attr->sample_type & PERF_SAMPLE_CODE_PAGE_SIZE;
	case OPEN_NO_DATA_PAGE_SIZE:
		return attr->sample_type & PERF_SAMPLE_DATA_PAGE_SIZE;
	case OPEN_NO_TEXT_POKE:
		return attr->text_poke;
	case OPEN_NO_CGROUP:
		return attr->cgroup || (attr->sample_type & PERF_SAMPLE_CGROUP);
	case OPEN_NO_BRANCH_HW_IDX:
		return attr->branch_sample_type & PERF_SAMPLE_BRANCH_HW_INDEX;
	case OPEN_NO_BPF_EVENT:
		return attr->bpf_event;
	case OPEN_NO_KSYMBOL:
		return attr->ksymbol;
	case OPEN_NO_NAMESPACES:
		return attr->namespaces;
	case OPEN_NO_MAX_STACK:
		return attr->sample_max_stack;
	case OPEN_NO_WRITE_BACKWARD:
		return attr->write_backward;
	case OPEN_NO_CONTEXT_SWITCH:
		return attr->context_switch;
	case OPEN_NO_CLOCKID:
		return attr->use_clockid;
	case OPEN_NO_COMM_EXEC:
		return attr->comm_exec;
	case OPEN_NO_MMAP2:
		return attr->mmap2;
	case OPEN_NO_CLOEXEC:
		return true;
	case OPEN_NO_IDENTIFIER:
		return attr->sample_type & PERF_SAMPLE_IDENTIFIER;
	case OPEN_NO_EXCLUDE_GUEST:
		return attr->exclude_guest || attr->exclude_host;
	case OPEN_NO_SAMPLE_ID_ALL:
		return attr->sample_id_all;
	}
	return false;
}

static void attr_strip(u32 bit, struct perf_event_attr *attr)
{
	switch (bit) {
	case OPEN_NO_BRANCH_COUNTERS:
		attr->branch_sample_type &= ~(u64)BRANCH_COUNTERS;
		break;
	case OPEN_NO_READ_LOST:
		attr->read_format &= ~(u64)PERF_FORMAT_LOST;
		break;
	case OPEN_NO_WEIGHT_STRUCT:
		attr->sample_type &= ~(u64)PERF_SAMPLE_WEIGHT_STRUCT;
		attr->sample_type |= PERF_SAMPLE_WEIGHT;
		break;
	case OPEN_NO_BUILD_ID:
		attr->build_id = 0;
		break;
	case OPEN_NO_CODE_PAGE_SIZE:
		attr->sample_type &= ~(u64)PERF_SAMPLE_CODE_PAGE_SIZE;
		break;
	case OPEN_NO_DATA_PAGE_SIZE:
		attr->sample_type &= ~(u64)PERF_SAMPLE_DATA_PAGE_SIZE;
		break;
	case OPEN_NO_TEXT_POKE:
		attr->text_poke = 0;
		break;
	case OPEN_NO_CGROUP:
		attr->cgroup = 0;
		attr->sample_type &= ~(u64)PERF_SAMPLE_CGROUP;
		break;
	case OPEN_NO_BRANCH_HW_IDX:
		attr->branch_sample_type &= ~(u64)PERF_SAMPLE_BRANCH_HW_INDEX;
		break;
	case OPEN_NO_BPF_EVENT:
		attr->bpf_event = 0;
		break;
	case OPEN_NO_KSYMBOL:
		attr->ksymbol = 0;
		break;
	case OPEN_NO_NAMESPACES:
		attr->namespaces = 0;
		break;
	case OPEN_NO_MAX_STACK:
		attr->sample_max_stack = 0;
		break;
	case OPEN_NO_WRITE_BACKWARD:
		attr->write_backward = 0;
		break;
	case OPEN_NO_CONTEXT_SWITCH:
		attr->context_switch = 0;
		break;
	case OPEN_NO_CLOCKID:
		attr->use_clockid = 0;
		attr->clockid = 0;
		break;
	case OPEN_NO_COMM_EXEC:
		attr->comm_exec = 0;
		break;
	case OPEN_NO_MMAP2:
		attr->mmap2 = 0;
		break;
	case OPEN_NO_IDENTIFIER:
		attr->sample_type &= ~(u64)PERF_SAMPLE_IDENTIFIER;
		attr->sample_type |= PERF_SAMPLE_ID;
		break;
	case OPEN_NO_EXCLUDE_GUEST:
		attr->exclude_guest = attr->exclude_host = 0;
		break;
	case OPEN_NO_SAMPLE_ID_ALL:
		attr->sample_id_all = 0;
		break;
	}
}

/* The soft limit of open files up to the hard one; false when it is there already. */
static bool raise_fd_limit(struct opener *opener)
{
	struct rlimit limit;

	if (opener->raised_fds || getrlimit(RLIMIT_NOFILE, &limit) ||
	    limit.rlim_cur >= limit.rlim_max)
		return false;
	limit.rlim_cur = limit.rlim_max;
	if (setrlimit(RLIMIT_NOFILE, &limit))
		return false;
	opener->raised_fds = true;
	opener__note(opener, xasprintf("raised the limit of open files to %llu",
	                               (unsigned long long)limit.rlim_cur));
	return true;
}

/* @attr without the features in @missing; the kernel may write to its copy (size). */
static int try_open(const struct open_attempt *attempt, u32 missing)
{
	struct opener *opener = attempt->opener;
	unsigned long flags = missing & OPEN_NO_CLOEXEC ? 0 : PERF_FLAG_FD_CLOEXEC;
	pid_t pid = attempt->evsel->cgroup ? attempt->evsel->cgroup_fd : attempt->pid;
	u32 interrupted = 0;
	int fd;

	if (attempt->evsel->cgroup)
		flags |= PERF_FLAG_PID_CGROUP;
	do {
		struct perf_event_attr attr = attempt->evsel->attr;

		for (size_t i = 0; missing && i < ARRAY_SIZE(ladder); i++)
			if (missing & ladder[i].bit)
				attr_strip(ladder[i].bit, &attr);
		attr.size = sizeof(attr);
		if (attempt->evsel->probe_path)
			attr.config1 = (uintptr_t)attempt->evsel->probe_path;
		if (opener->wake_bytes && !attr.watermark && !attr.wakeup_events) {
			attr.watermark = 1;
			attr.wakeup_watermark = opener->wake_bytes;
		}
		opener->nr_calls++;
		fd = opener->open(opener->ctx, &attr, pid, attempt->cpu, attempt->group_fd, flags);
		if (opener->tried)
			opener->tried(opener->tried_ctx,
			              &(struct opener_call){ &attr, pid, attempt->cpu,
			                                     attempt->group_fd, flags, fd });
	} while ((fd == -EINTR && ++interrupted < INTERRUPTED_MAX) ||
	         (fd == -EMFILE && raise_fd_limit(opener)));
	if (fd >= 0 && missing & OPEN_NO_CLOEXEC)
		fcntl(fd, F_SETFD, FD_CLOEXEC);
	return fd;
}

/* Could the code mean "I do not know one of these bits"? */
static bool may_be_unknown(int code)
{
	return code == -EINVAL || code == -E2BIG || code == -EOPNOTSUPP;
}

/*
 * Which of the features stripped by the climb were not to blame? @fd is what opened with all of
 * @missing stripped; returns the counter to use, with *@missing cut down to what it must be.
 */
static int readmit(const struct open_attempt *attempt, u32 before, u32 *missing, int fd)
{
	for (size_t i = ARRAY_SIZE(ladder); i-- > 0;) {
		u32 bit = ladder[i].bit;
		int again;

		if (!(*missing & bit) || (before & bit))
			continue;
		again = try_open(attempt, *missing & ~bit);
		if (again < 0)
			continue;
		*missing &= ~bit;
		close(fd);
		fd = again;
	}
	return fd;
}

static int climb(const struct open_attempt *attempt, int code)
{
	struct opener *opener = attempt->opener;
	u32 missing = opener->missing;
	int fd = code;

	for (size_t i = 0; i < ARRAY_SIZE(ladder) && may_be_unknown(fd); i++) {
		if ((missing & ladder[i].bit) || !attr_uses(ladder[i].bit, &attempt->evsel->attr))
			continue;
		missing |= ladder[i].bit;
		fd = try_open(attempt, missing);
	}
	/* Past the unknown bits something else may be wrong: no such event, no permission. */
	if (fd < 0)
		return may_be_unknown(fd) ? code : fd;
	fd = readmit(attempt, opener->missing, &missing, fd);
	for (size_t i = 0; i < ARRAY_SIZE(ladder); i++)
		if ((missing & ~opener->missing) & ladder[i].bit)
			opener__note(opener,
			             xasprintf("the kernel refuses %s (known since Linux %s): %s",
			                       ladder[i].feature, ladder[i].since,
			                       ladder[i].consequence));
	opener->missing = missing;
	return fd;
}

/* "cycles" -> "cycles:u", "cycles:pp" -> "cycles:ppu", "msr/tsc/" -> "msr/tsc/u" */
static void add_user_modifier(struct evsel *evsel)
{
	bool has_delimiter = strchr(evsel->name, ':') || strchr(evsel->name, '/');
	char *name = xasprintf("%s%su", evsel->name, has_delimiter ? "" : ":");

	evsel__set_name(evsel, name);
	free(name);
}

/*
 * May this event be counted in user space only, when the kernel part is refused? Not a
 * tracepoint: it would open and then stay at 0, as its code runs in the kernel.
 */
static bool can_be_user_only(const struct evsel *evsel)
{
	return !evsel->attr.exclude_kernel && !evsel->attr.exclude_user &&
	       !evsel__is_tracepoint(evsel) && !evsel->probe_path;
}

static void make_user_only(struct evsel *evsel)
{
	evsel->attr.exclude_kernel = 1;
	evsel->attr.exclude_hv = 1;
	add_user_modifier(evsel);
}

void opener__limit(const struct opener *opener, struct evsel *evsel)
{
	if (opener->user_only && can_be_user_only(evsel))
		make_user_only(evsel);
}

static int try_ladder(const struct open_attempt *attempt)
{
	int fd = try_open(attempt, attempt->opener->missing);

	return may_be_unknown(fd) ? climb(attempt, fd) : fd;
}

static int lower_precise(const struct open_attempt *attempt, int code)
{
	struct evsel *evsel = attempt->evsel;
	u64 asked = evsel->attr.precise_ip;

	while (evsel->attr.precise_ip) {
		int fd;

		evsel->attr.precise_ip--;
		fd = evsel->attr.precise_ip ? try_open(attempt, attempt->opener->missing)
		                            : try_ladder(attempt);
		if (fd < 0)
			continue;
		opener__note(attempt->opener,
		             xasprintf("'%s': precise level %u instead of %u", evsel->name,
		                       (u32)evsel->attr.precise_ip, (u32)asked));
		return fd;
	}
	evsel->attr.precise_ip = asked;
	return code;
}

static bool is_permission(int code)
{
	return code == -EACCES || code == -EPERM;
}

/* The kernel part was refused with @code: try user space alone. */
static int try_user_only(const struct open_attempt *attempt, int code)
{
	struct evsel *evsel = attempt->evsel;
	struct opener *opener = attempt->opener;
	struct perf_event_attr attr = evsel->attr;
	char *name = xstrdup(evsel->name);
	int fd;

	make_user_only(evsel);
	fd = try_ladder(attempt);
	if (is_permission(fd)) {
		evsel->attr = attr; /* it was not that */
		evsel__set_name(evsel, name);
		fd = code;
	} else {
		struct refused_open refused = { .code = code, .need = ACCESS_KERNEL };

		opener->user_only = true;
		refusal__of_open(&opener->user_only_reason, opener__access(opener), &refused);
		opener__note(opener, xasprintf("'%s': only user space is measured: %s", name,
		                               opener->user_only_reason.cause));
	}
	free(name);
	return fd;
}

/* The first counter of an evsel: everything may still change. */
static int open_first(const struct open_attempt *attempt)
{
	struct evsel *evsel = attempt->evsel;
	int fd;

	opener__limit(attempt->opener, evsel);
	fd = try_ladder(attempt);
	if (is_permission(fd) && can_be_user_only(evsel))
		fd = try_user_only(attempt, fd);
	if (may_be_unknown(fd) && evsel->precise_max && evsel->attr.precise_ip)
		fd = lower_precise(attempt, fd);
	return fd;
}

/* -1 and 0: no group. Else the leader's counter of the same attempt, or -ENOENT. */
static int group_fd(struct evlist *list, struct evsel *evsel, u32 index, int *fd)
{
	struct evsel *leader = list->evsels[evsel->leader];

	*fd = -1;
	if (leader == evsel)
		return 0;
	if (!leader->fds)
		return -ENOENT;
	*fd = leader->fds[index];
	return 0;
}

struct open_grid {
	struct opener *opener;
	struct evlist *list;
	const struct cpu_map *cpus;
	const struct thread_map *threads;
	u32 nr_open, nr_gone;
};

/* One counter. 0, or a negative errno with @err. */
static int open_one(struct open_grid *grid, struct evsel *evsel, u32 cpu, u32 thread,
                    struct error *err)
{
	u32 index = cpu * grid->threads->nr + thread;
	struct open_attempt attempt = { grid->opener, evsel, grid->threads->tids[thread],
		                        grid->cpus->cpus[cpu], -1 };
	int fd = group_fd(grid->list, evsel, index, &attempt.group_fd);

	if (fd)
		return error__set(err, fd, "cannot open", evsel->name,
		                  "the leader of its group is not open");
	if (evsel->leader != evsel->idx && attempt.group_fd < 0) {
		grid->nr_gone++; /* with its leader's thread */
		return 0;
	}
	fd = grid->nr_open ? try_open(&attempt, grid->opener->missing) : open_first(&attempt);
	if (fd == -ESRCH && attempt.pid > 0) {
		grid->nr_gone++;
		return 0;
	}
	if (fd < 0)
		return open__explain(&attempt, fd, err);
	evsel->fds[index] = fd;
	grid->nr_open++;
	return 0;
}

static int check_pmu_cpus(const struct evsel *evsel, const struct cpu_map *cpus,
                          struct cpu_map *own, struct error *err)
{
	if (!evsel->pmu_cpus)
		return 0;
	if (cpus->nr && cpus->cpus[0] == CPU_ANY) {
		cpu_map__add(own, CPU_ANY);
		if (evsel->of_core_pmu)
			return 0;
		error__set(err, -EINVAL, "cannot open", evsel->name,
		           "it is counted per CPU, not per task");
		return error__advise(err, "measure all CPUs with -a, or some with -C");
	}
	return cpu_map__parse(own, evsel->pmu_cpus, err);
}

static void strip_missing(struct opener *opener, struct evsel *evsel)
{
	for (size_t i = 0; opener->missing && i < ARRAY_SIZE(ladder); i++)
		if ((opener->missing & ladder[i].bit) && attr_uses(ladder[i].bit, &evsel->attr))
			attr_strip(ladder[i].bit, &evsel->attr);
}

static int open_grid(struct open_grid *grid, struct evsel *evsel, struct error *err)
{
	struct cpu_map own = CPU_MAP_INIT;
	int ret = check_pmu_cpus(evsel, grid->cpus, &own, err);

	for (u32 cpu = 0; !ret && cpu < grid->cpus->nr; cpu++) {
		if (evsel->pmu_cpus && cpu_map__index(&own, grid->cpus->cpus[cpu]) < 0)
			continue;
		for (u32 thread = 0; !ret && thread < grid->threads->nr; thread++)
			ret = open_one(grid, evsel, cpu, thread, err);
	}
	cpu_map__exit(&own);
	if (ret || grid->nr_open)
		return ret;
	if (grid->nr_gone) {
		struct open_attempt attempt = { grid->opener, evsel, grid->threads->tids[0],
			                        CPU_ANY };

		return open__explain(&attempt, -ESRCH, err);
	}
	error__set(err, -ENODEV, "cannot open", evsel->name,
	           "its PMU counts on CPU %s only, which is not among those measured",
	           evsel->pmu_cpus ? evsel->pmu_cpus : "");
	return -ENODEV;
}

int evsel__open(struct opener *opener, struct evlist *list, struct evsel *evsel,
                const struct cpu_map *cpus, const struct thread_map *threads, struct error *err)
{
	struct open_grid grid = { opener, list, cpus, threads, 0, 0 };
	struct perf_event_attr attr = evsel->attr;
	char *name = xstrdup(evsel->name);
	u64 nr = (u64)cpus->nr * threads->nr;
	int ret;

	evsel__close(evsel);
	evsel->fds = xrealloc(NULL, nr ? nr : 1, sizeof(*evsel->fds));
	for (u64 i = 0; i < nr; i++)
		evsel->fds[i] = -1;
	evsel->nr_cpus = cpus->nr;
	evsel->nr_threads = threads->nr;
	ret = open_grid(&grid, evsel, err);
	if (ret) {
		evsel__close(evsel);
		evsel->attr = attr;
		evsel__set_name(evsel, name);
	} else {
		strip_missing(opener, evsel);
	}
	free(name);
	return ret;
}

int evlist__open(struct opener *opener, struct evlist *list, const struct cpu_map *cpus,
                 const struct thread_map *threads, struct error *err)
{
	for (u32 i = 0; i < list->nr; i++) {
		int ret = evsel__open(opener, list, list->evsels[i], cpus, threads, err);

		if (!ret)
			continue;
		while (i-- > 0)
			evsel__close(list->evsels[i]);
		return ret;
	}
	return 0;
}

u32 evlist__break_up(struct evlist *list, const struct evsel *evsel)
{
	u32 first = evsel->leader, nr = list->evsels[first]->nr_members;

	if (nr < 2 || !list->evsels[first]->weak_group)
		return 0;
	for (u32 i = first; i < first + nr; i++) {
		struct evsel *member = list->evsels[i];

		evsel__close(member);
		member->leader = i;
		member->nr_members = 1;
	}
	return nr;
}

bool open__not_supported(int code)
{
	return code == -ENOENT || code == -ENODEV || code == -EOPNOTSUPP || code == -ENXIO ||
	       code == -EINVAL || code == -ENOSYS;
}

bool evsel__fall_back_to_clock(struct evsel *evsel, int code)
{
	const char *modifiers = strchr(evsel->name, ':');
	char *name;

	if (evsel->attr.type != PERF_TYPE_HARDWARE ||
	    (evsel->attr.config & 0xffffffff) != PERF_COUNT_HW_CPU_CYCLES ||
	    (code != -ENOENT && code != -ENXIO && code != -ENODEV && code != -EOPNOTSUPP))
		return false;
	evsel->attr.type = PERF_TYPE_SOFTWARE;
	evsel->attr.config = PERF_COUNT_SW_CPU_CLOCK;
	evsel->attr.precise_ip = 0; /* means nothing to a timer */
	evsel->precise_max = false;
	name = xasprintf("cpu-clock%s", modifiers ? modifiers : "");
	evsel__set_name(evsel, name);
	free(name);
	return true;
}

int evsel__read_ids(struct evsel *evsel)
{
	u64 nr = (u64)evsel->nr_cpus * evsel->nr_threads, id;

	evsel->nr_ids = 0;
	for (u64 i = 0; evsel->fds && i < nr; i++) {
		if (evsel->fds[i] < 0)
			continue;
		if (ioctl(evsel->fds[i], PERF_EVENT_IOC_ID, &id))
			return -errno;
		evsel__add_id(evsel, id);
	}
	return 0;
}

static int each_ioctl(struct evsel *evsel, unsigned long request, const void *arg)
{
	u64 nr = (u64)evsel->nr_cpus * evsel->nr_threads;

	for (u64 i = 0; evsel->fds && i < nr; i++)
		if (evsel->fds[i] >= 0 && ioctl(evsel->fds[i], request, arg))
			return -errno;
	return 0;
}

int evsel__enable(struct evsel *evsel)
{
	return each_ioctl(evsel, PERF_EVENT_IOC_ENABLE, NULL);
}

int evsel__disable(struct evsel *evsel)
{
	return each_ioctl(evsel, PERF_EVENT_IOC_DISABLE, NULL);
}

/*
 * It does not like the text. Counts of parentheses and quotes that do not match come as the plain
 * numbers -1 to -3, which only look like errnos.
 */
static bool is_refused_filter(int ret)
{
	return ret == -EINVAL || ret == -EPERM || ret == -ENOENT || ret == -ESRCH;
}

/* For event_filter__explain(): the counters are open, and will not be used. */
static bool takes_filter(void *ctx, const char *part)
{
	return !is_refused_filter(each_ioctl(ctx, PERF_EVENT_IOC_SET_FILTER, part));
}

int evsel__apply_filter(struct evsel *evsel, struct error *err)
{
	int ret = evsel->filter ? each_ioctl(evsel, PERF_EVENT_IOC_SET_FILTER, evsel->filter) : 0;
	struct event_fields fields = { .nr = 0 };
	struct tracefs tracefs = TRACEFS_INIT;

	if (!ret)
		return 0;
	if (!is_refused_filter(ret))
		return error__set(err, ret, "cannot set the filter", evsel->filter, NULL);
	if (evsel->tracepoint)
		event_fields__read(&fields, &tracefs, evsel->tracepoint, NULL);
	event_filter__explain(evsel->filter, evsel->name, &fields, takes_filter, evsel, err);
	event_fields__exit(&fields);
	tracefs__close(&tracefs);
	return -EINVAL;
}
