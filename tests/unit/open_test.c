// SPDX-License-Identifier: GPL-2.0-or-later
/* The opening of counters against kernels that are played: 3.10 to the newest, with and without
 * a PMU, with and without permission. */
#include "util/counter/open.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "tests/unit/unit.h"
#include "util/event/parse.h"
#include "util/lib/alloc.h"

#define VERSION(major, minor) ((major)*100 + (minor))
#define NEWEST                VERSION(7, 0)

struct kernel {
	int version;
	bool no_pmu;        /* hardware events: ENOENT */
	bool no_kernel;     /* perf_event_paranoid 2 and no privilege */
	bool no_cpus;       /* whole CPUs: EACCES */
	bool no_guest_bits; /* a PMU that refuses exclude_guest */
	u32 max_precise;
	int gone_tid;   /* this thread has ended */
	int refuse_all; /* a negative errno for every call */
	u32 nr_opened;
	struct perf_event_attr last; /* of the last good call */
	int last_group;
	unsigned long last_flags;
};

struct feature {
	int since;
	bool used;
};

static bool knows(const struct kernel *kernel, const struct perf_event_attr *attr,
                  unsigned long flags)
{
	const struct feature features[] = {
		{ VERSION(6, 0), attr->read_format & PERF_FORMAT_LOST },
		{ VERSION(5, 12), attr->sample_type & PERF_SAMPLE_WEIGHT_STRUCT },
		{ VERSION(5, 12), attr->build_id },
		{ VERSION(5, 11), attr->sample_type & PERF_SAMPLE_CODE_PAGE_SIZE },
		{ VERSION(5, 11), attr->sample_type & PERF_SAMPLE_DATA_PAGE_SIZE },
		{ VERSION(5, 8), attr->text_poke },
		{ VERSION(5, 7), attr->cgroup },
		{ VERSION(5, 7), attr->branch_sample_type & PERF_SAMPLE_BRANCH_HW_INDEX },
		{ VERSION(5, 1), attr->bpf_event },
		{ VERSION(5, 1), attr->ksymbol },
		{ VERSION(4, 12), attr->namespaces },
		{ VERSION(4, 8), attr->sample_max_stack },
		{ VERSION(4, 7), attr->write_backward },
		{ VERSION(4, 3), attr->context_switch },
		{ VERSION(4, 1), attr->use_clockid },
		{ VERSION(3, 16), attr->comm_exec },
		{ VERSION(3, 16), attr->mmap2 },
		{ VERSION(3, 14), flags & PERF_FLAG_FD_CLOEXEC },
		{ VERSION(3, 12), attr->sample_type & PERF_SAMPLE_IDENTIFIER },
		{ VERSION(3, 2), attr->exclude_guest || attr->exclude_host },
	};

	for (size_t i = 0; i < ARRAY_SIZE(features); i++)
		if (features[i].used && kernel->version < features[i].since)
			return false;
	return true;
}

static int play(void *ctx, struct perf_event_attr *attr, pid_t pid, int cpu, int group_fd,
                unsigned long flags)
{
	struct kernel *kernel = ctx;

	if (kernel->refuse_all)
		return kernel->refuse_all;
	if (!knows(kernel, attr, flags))
		return -EINVAL;
	if (kernel->no_guest_bits && attr->exclude_guest)
		return -EINVAL;
	if (kernel->no_kernel && !attr->exclude_kernel)
		return -EACCES;
	if (kernel->no_cpus && pid < 0)
		return -EACCES;
	if (kernel->gone_tid && pid == kernel->gone_tid)
		return -ESRCH;
	if (kernel->no_pmu && attr->type == PERF_TYPE_HARDWARE)
		return -ENOENT;
	if (attr->precise_ip > kernel->max_precise)
		return -EOPNOTSUPP;
	(void)cpu;
	kernel->nr_opened++;
	kernel->last = *attr;
	kernel->last_group = group_fd;
	kernel->last_flags = flags;
	return open("/dev/null", O_RDONLY | O_CLOEXEC);
}

/* A list of events, a fake kernel under it. */
struct scene {
	struct kernel kernel;
	struct opener opener;
	struct evlist list;
	struct cpu_map cpus;
	struct thread_map threads;
	struct error err;
};

static void scene__init(struct scene *s, const char *events)
{
	struct event_sources sources = EVENT_SOURCES_INIT;

	*s = (struct scene){ .kernel = { .version = NEWEST, .max_precise = 3 } };
	opener__init(&s->opener);
	s->opener.open = play;
	s->opener.ctx = &s->kernel;
	s->opener.has_access = true; /* an ordinary user's, whoever runs this test */
	s->opener.access = (struct access){ .paranoid = 2, .uid = 1000 };
	CHECK_EQ(evlist__parse(&s->list, &sources, events, &s->err), 0);
	cpu_map__add(&s->cpus, CPU_ANY);
	thread_map__add(&s->threads, 1000);
	event_sources__exit(&sources);
}

static void scene__exit(struct scene *s)
{
	evlist__exit(&s->list);
	opener__exit(&s->opener);
	cpu_map__exit(&s->cpus);
	thread_map__exit(&s->threads);
}

static int scene__open(struct scene *s)
{
	return evlist__open(&s->opener, &s->list, &s->cpus, &s->threads, &s->err);
}

/* What record asks for, as far as kernels differ. */
static void ask_for_everything(struct perf_event_attr *attr)
{
	attr->read_format = PERF_FORMAT_ID | PERF_FORMAT_LOST;
	attr->sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_WEIGHT_STRUCT |
	                    PERF_SAMPLE_CODE_PAGE_SIZE | PERF_SAMPLE_DATA_PAGE_SIZE;
	attr->branch_sample_type = PERF_SAMPLE_BRANCH_HW_INDEX;
	attr->build_id = attr->text_poke = attr->cgroup = 1;
	attr->bpf_event = attr->ksymbol = attr->namespaces = attr->write_backward = 1;
	attr->context_switch = attr->use_clockid = attr->comm_exec = attr->mmap2 = 1;
	attr->clockid = 1;
	attr->sample_id_all = 1;
	attr->sample_max_stack = 10;
}

TEST(open_gives_up_exactly_what_each_kernel_lacks)
{
	static const struct {
		int version;
		u32 missing;
	} rows[] = {
		{ NEWEST, 0 },
		{ VERSION(6, 0), 0 },
		{ VERSION(5, 19), OPEN_NO_READ_LOST },
		{ VERSION(5, 11), OPEN_NO_READ_LOST | OPEN_NO_WEIGHT_STRUCT | OPEN_NO_BUILD_ID },
		{ VERSION(5, 6), OPEN_NO_READ_LOST | OPEN_NO_WEIGHT_STRUCT | OPEN_NO_BUILD_ID |
		                         OPEN_NO_CODE_PAGE_SIZE | OPEN_NO_DATA_PAGE_SIZE |
		                         OPEN_NO_TEXT_POKE | OPEN_NO_CGROUP |
		                         OPEN_NO_BRANCH_HW_IDX },
		{ VERSION(4, 9), OPEN_NO_READ_LOST | OPEN_NO_WEIGHT_STRUCT | OPEN_NO_BUILD_ID |
		                         OPEN_NO_CODE_PAGE_SIZE | OPEN_NO_DATA_PAGE_SIZE |
		                         OPEN_NO_TEXT_POKE | OPEN_NO_CGROUP |
		                         OPEN_NO_BRANCH_HW_IDX | OPEN_NO_BPF_EVENT |
		                         OPEN_NO_KSYMBOL | OPEN_NO_NAMESPACES },
		{ VERSION(3, 10), OPEN_NO_READ_LOST | OPEN_NO_WEIGHT_STRUCT | OPEN_NO_BUILD_ID |
		                          OPEN_NO_CODE_PAGE_SIZE | OPEN_NO_DATA_PAGE_SIZE |
		                          OPEN_NO_TEXT_POKE | OPEN_NO_CGROUP |
		                          OPEN_NO_BRANCH_HW_IDX | OPEN_NO_BPF_EVENT |
		                          OPEN_NO_KSYMBOL | OPEN_NO_NAMESPACES | OPEN_NO_MAX_STACK |
		                          OPEN_NO_WRITE_BACKWARD | OPEN_NO_CONTEXT_SWITCH |
		                          OPEN_NO_CLOCKID | OPEN_NO_COMM_EXEC | OPEN_NO_MMAP2 |
		                          OPEN_NO_CLOEXEC | OPEN_NO_IDENTIFIER },
	};
	struct scene s;

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		scene__init(&s, "cpu-clock,faults");
		s.kernel.version = rows[i].version;
		ask_for_everything(&s.list.evsels[0]->attr);
		ask_for_everything(&s.list.evsels[1]->attr);
		CHECK_EQ(scene__open(&s), 0);
		CHECK_EQ(s.opener.missing, rows[i].missing);
		CHECK_EQ(s.opener.nr_notes, __builtin_popcount(rows[i].missing));
		/* attr tells what the kernel got, for the file's header. */
		CHECK_EQ(s.list.evsels[1]->attr.bpf_event, !(rows[i].missing & OPEN_NO_BPF_EVENT));
		CHECK_EQ(!!(s.list.evsels[0]->attr.sample_type & PERF_SAMPLE_WEIGHT),
		         !!(rows[i].missing & OPEN_NO_WEIGHT_STRUCT));
		CHECK_EQ(s.list.evsels[0]->attr.exclude_guest, 1);
		scene__exit(&s);
	}
}

TEST(open_learns_once)
{
	struct scene s;
	u64 calls;

	scene__init(&s, "cpu-clock,faults,cs");
	s.kernel.version = VERSION(3, 10);
	for (u32 i = 0; i < 3; i++)
		ask_for_everything(&s.list.evsels[i]->attr);
	CHECK_EQ(evsel__open(&s.opener, &s.list, s.list.evsels[0], &s.cpus, &s.threads, &s.err), 0);
	calls = s.opener.nr_calls;
	CHECK_EQ(evsel__open(&s.opener, &s.list, s.list.evsels[1], &s.cpus, &s.threads, &s.err), 0);
	CHECK_EQ(evsel__open(&s.opener, &s.list, s.list.evsels[2], &s.cpus, &s.threads, &s.err), 0);
	CHECK_EQ(s.opener.nr_calls, calls + 2);
	scene__exit(&s);
}

TEST(open_does_not_blame_a_kernel_for_its_pmu)
{
	struct scene s;

	scene__init(&s, "cycles");
	s.kernel.no_guest_bits = true;
	ask_for_everything(&s.list.evsels[0]->attr);
	CHECK_EQ(scene__open(&s), 0);
	CHECK_EQ(s.opener.missing, OPEN_NO_EXCLUDE_GUEST);
	CHECK_EQ(s.kernel.last.exclude_guest, 0);
	CHECK(s.kernel.last.bpf_event && (s.kernel.last.read_format & PERF_FORMAT_LOST));
	CHECK_EQ(s.opener.nr_notes, 1);
	CHECK(s.opener.notes && strstr(s.opener.notes[0], "exclude_guest"));
	scene__exit(&s);
}

TEST(open_that_fails_leaves_no_trace)
{
	struct scene s;
	struct perf_event_attr before;

	scene__init(&s, "cs,cycles:pp");
	ask_for_everything(&s.list.evsels[1]->attr);
	s.kernel.no_pmu = true;
	before = s.list.evsels[1]->attr;
	CHECK_EQ(scene__open(&s), -ENOENT);
	CHECK(!s.list.evsels[0]->fds && !s.list.evsels[1]->fds);
	CHECK(!memcmp(&before, &s.list.evsels[1]->attr, sizeof(before)));
	CHECK_STR(s.list.evsels[1]->name, "cycles:pp");
	CHECK_EQ(s.opener.missing, 0);
	CHECK_EQ(s.opener.nr_notes, 0);
	CHECK(strstr(s.err.cause, "no hardware counters"));
	scene__exit(&s);
}

TEST(open_knows_no_pmu_from_an_event_the_pmu_lacks)
{
	struct scene s;

	scene__init(&s, "bus-cycles");
	s.kernel.refuse_all = -ENOENT;
	CHECK_EQ(scene__open(&s), -ENOENT);
	CHECK(strstr(s.err.cause, "no hardware counters"));
	scene__exit(&s);
}

TEST(open_falls_back_to_the_clock_when_asked)
{
	struct scene s;

	scene__init(&s, "cycles:u,instructions");
	s.kernel.no_pmu = true;
	CHECK_EQ(evsel__open(&s.opener, &s.list, s.list.evsels[0], &s.cpus, &s.threads, &s.err),
	         -ENOENT);
	CHECK(!evsel__fall_back_to_clock(s.list.evsels[0], -EACCES));
	CHECK(!evsel__fall_back_to_clock(s.list.evsels[1], -ENOENT));
	CHECK(evsel__fall_back_to_clock(s.list.evsels[0], -ENOENT));
	CHECK_STR(s.list.evsels[0]->name, "cpu-clock:u");
	CHECK_EQ(s.list.evsels[0]->attr.type, PERF_TYPE_SOFTWARE);
	CHECK(s.list.evsels[0]->attr.exclude_kernel);
	CHECK_EQ(evsel__open(&s.opener, &s.list, s.list.evsels[0], &s.cpus, &s.threads, &s.err), 0);
	scene__exit(&s);
}

TEST(open_counts_user_space_for_a_user)
{
	struct scene s;

	scene__init(&s, "cycles,cs,cpu-clock:ppp,faults:k,faults/period=1/");
	s.kernel.no_kernel = true;
	for (u32 i = 0; i < 5; i++) {
		struct evsel *evsel = s.list.evsels[i];
		int ret = evsel__open(&s.opener, &s.list, evsel, &s.cpus, &s.threads, &s.err);

		CHECK_EQ(ret, i == 3 ? -EACCES : 0); /* what was asked for is the kernel */
	}
	CHECK_STR(s.list.evsels[0]->name, "cycles:u");
	CHECK_STR(s.list.evsels[1]->name, "cs:u");
	CHECK_STR(s.list.evsels[2]->name, "cpu-clock:pppu");
	CHECK_STR(s.list.evsels[3]->name, "faults:k");
	CHECK_STR(s.list.evsels[4]->name, "faults/period=1/u");
	CHECK(s.list.evsels[0]->attr.exclude_kernel && s.list.evsels[0]->attr.exclude_hv);
	CHECK(s.opener.user_only);
	CHECK_EQ(s.opener.nr_notes, 1);
	scene__exit(&s);
}

TEST(open_does_not_make_a_tracepoint_count_nothing)
{
	struct scene s;

	scene__init(&s, "cs");
	s.kernel.no_kernel = true;
	s.list.evsels[0]->attr.type = PERF_TYPE_TRACEPOINT;
	CHECK_EQ(scene__open(&s), -EACCES);
	CHECK_EQ(s.list.evsels[0]->attr.exclude_kernel, 0);
	CHECK_STR(s.list.evsels[0]->name, "cs");
	CHECK(!s.opener.user_only);
	scene__exit(&s);
}

TEST(open_on_an_old_kernel_for_a_user)
{
	struct scene s;

	scene__init(&s, "cycles");
	s.kernel.version = VERSION(4, 9);
	s.kernel.no_kernel = true;
	ask_for_everything(&s.list.evsels[0]->attr);
	CHECK_EQ(scene__open(&s), 0);
	CHECK_STR(s.list.evsels[0]->name, "cycles:u");
	CHECK(s.opener.missing & OPEN_NO_BPF_EVENT);
	scene__exit(&s);
}

TEST(open_on_an_old_kernel_without_pmu_says_so)
{
	struct scene s;

	scene__init(&s, "cycles");
	s.kernel.version = VERSION(4, 9);
	s.kernel.no_pmu = true;
	ask_for_everything(&s.list.evsels[0]->attr);
	CHECK_EQ(scene__open(&s), -ENOENT);
	scene__exit(&s);
}

TEST(open_tells_who_may_not)
{
	struct scene s;

	scene__init(&s, "cycles");
	s.kernel.no_cpus = true;
	s.threads.tids[0] = THREAD_ALL;
	s.cpus.cpus[0] = 0;
	CHECK_EQ(scene__open(&s), -EACCES);
	CHECK(strstr(s.err.cause, "whole CPUs"));
	CHECK(strstr(s.err.cause, "perf_event_paranoid is 2"));
	CHECK(strstr(s.err.advice, "CAP_PERFMON"));
	CHECK(strstr(s.err.advice, "sysctl kernel.perf_event_paranoid=0"));
	CHECK_STR(s.list.evsels[0]->name, "cycles");
	CHECK_EQ(s.list.evsels[0]->attr.exclude_kernel, 0);
	scene__exit(&s);
}

TEST(open_lowers_precision_only_of_the_highest)
{
	struct scene s;

	scene__init(&s, "cycles:P,cycles:ppp");
	s.kernel.max_precise = 1;
	CHECK_EQ(evsel__open(&s.opener, &s.list, s.list.evsels[0], &s.cpus, &s.threads, &s.err), 0);
	CHECK_EQ(s.list.evsels[0]->attr.precise_ip, 1);
	CHECK_EQ(s.opener.nr_notes, 1);
	CHECK_EQ(s.opener.missing, 0);
	CHECK_EQ(evsel__open(&s.opener, &s.list, s.list.evsels[1], &s.cpus, &s.threads, &s.err),
	         -EOPNOTSUPP);
	CHECK(strstr(s.err.cause, "precise level 3"));
	CHECK_EQ(s.list.evsels[1]->attr.precise_ip, 3);
	scene__exit(&s);
}

TEST(open_leaves_out_threads_that_have_ended)
{
	struct scene s;

	scene__init(&s, "cs,faults");
	thread_map__add(&s.threads, 1001);
	thread_map__add(&s.threads, 1002);
	s.kernel.gone_tid = 1001;
	CHECK_EQ(scene__open(&s), 0);
	CHECK(s.list.evsels[0]->fds[0] >= 0 && s.list.evsels[0]->fds[2] >= 0);
	CHECK_EQ(s.list.evsels[0]->fds[1], -1);
	s.threads.nr = 1;
	s.threads.tids[0] = 1001;
	CHECK_EQ(scene__open(&s), -ESRCH);
	CHECK(strstr(s.err.cause, "no such process or thread (1001)"));
	scene__exit(&s);
}

TEST(open_gives_members_their_leader)
{
	struct scene s;

	scene__init(&s, "{cs,faults}");
	CHECK_EQ(scene__open(&s), 0);
	CHECK_EQ(s.kernel.last_group, s.list.evsels[0]->fds[0]);
	CHECK(s.kernel.last_flags & PERF_FLAG_FD_CLOEXEC);
	evsel__close(s.list.evsels[0]);
	CHECK_EQ(evsel__open(&s.opener, &s.list, s.list.evsels[1], &s.cpus, &s.threads, &s.err),
	         -ENOENT);
	scene__exit(&s);
}

TEST(open_keeps_to_the_cpus_of_the_source)
{
	struct scene s;

	scene__init(&s, "cs");
	evsel__set_text(&s.list.evsels[0]->pmu_cpus, "1,3");
	CHECK_EQ(scene__open(&s), -EINVAL);
	CHECK(strstr(s.err.advice, "-a"));
	cpu_map__exit(&s.cpus);
	cpu_map__add(&s.cpus, 0);
	s.threads.tids[0] = THREAD_ALL;
	CHECK_EQ(scene__open(&s), -ENODEV);
	cpu_map__add(&s.cpus, 1);
	cpu_map__add(&s.cpus, 2);
	cpu_map__add(&s.cpus, 3);
	CHECK_EQ(scene__open(&s), 0);
	CHECK_EQ(s.kernel.nr_opened, 2);
	CHECK_EQ(s.list.evsels[0]->fds[0], -1);
	CHECK(s.list.evsels[0]->fds[1] >= 0 && s.list.evsels[0]->fds[3] >= 0);
	scene__exit(&s);
}

/* The PMU of an arm64 or a hybrid machine names its CPUs, too, but counts tasks on them. */
TEST(open_counts_tasks_on_the_cpus_of_a_core_source)
{
	struct scene s;

	scene__init(&s, "cs");
	evsel__set_text(&s.list.evsels[0]->pmu_cpus, "0-1");
	s.list.evsels[0]->of_core_pmu = true;
	CHECK_EQ(scene__open(&s), 0);
	CHECK(s.list.evsels[0]->fds[0] >= 0);
	scene__exit(&s);
}

TEST(open_raises_the_limit_of_files_once)
{
	struct rlimit old, limit;
	struct scene s;

	CHECK_EQ(getrlimit(RLIMIT_NOFILE, &old), 0);
	limit = old;
	limit.rlim_cur = old.rlim_max > 64 ? 64 : old.rlim_max;
	scene__init(&s, "cs");
	if (setrlimit(RLIMIT_NOFILE, &limit) || limit.rlim_cur == limit.rlim_max) {
		unit__skip("cannot lower the limit of open files");
	} else {
		s.kernel.refuse_all = -EMFILE;
		CHECK_EQ(scene__open(&s), -EMFILE);
		CHECK_EQ(s.opener.nr_calls, 2);
		CHECK(s.opener.raised_fds);
		CHECK_EQ(getrlimit(RLIMIT_NOFILE, &limit), 0);
		CHECK_EQ(limit.rlim_cur, old.rlim_max);
		CHECK_STR(s.err.what, "Too many events are opened.");
		CHECK(strstr(s.err.advice, "Try again after reducing the number of events."));
	}
	setrlimit(RLIMIT_NOFILE, &old);
	scene__exit(&s);
}

TEST(open_explains_each_refusal)
{
	static const struct {
		const char *event;
		int code;
		u64 sample_type, period;
		const char *cause;
	} rows[] = {
		{ "cpu-clock", -EOPNOTSUPP, PERF_SAMPLE_BRANCH_STACK, 1,
		  "PMU Hardware doesn't support sampling/overflow-interrupts." },
		{ "cycles", -EOPNOTSUPP, 0, 1000,
		  "PMU Hardware doesn't support sampling/overflow-interrupts." },
		{ "mem:0x1001/8:w", -EINVAL, 0, 0, "cannot watch 8 bytes at 0x1001" },
		{ "mem:0x1000:w", -ENOSPC, 0, 0, "breakpoint registers" },
		{ "cycles", -EBUSY, 0, 0, "in use by someone else" },
		{ "cs", -ENOSYS, 0, 0, "no perf_event_open system call" },
		{ "cs", -EOVERFLOW, 0, 0, "kernel.perf_event_max_stack" },
		{ "cs", -EINVAL, 0, 0, "combination of settings" },
		{ "cs", -EIO, 0, 0, "Input/output error" },
	};
	struct scene s;

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		scene__init(&s, rows[i].event);
		s.kernel.refuse_all = rows[i].code;
		s.list.evsels[0]->attr.sample_type = rows[i].sample_type;
		s.list.evsels[0]->attr.sample_period = rows[i].period;
		CHECK_EQ(scene__open(&s), rows[i].code);
		CHECK(strstr(s.err.cause, rows[i].cause));
		CHECK_STR(s.err.subject, rows[i].event);
		scene__exit(&s);
	}
}

/* One refusal, several reasons: the evidence decides. */
TEST(open_tells_a_filter_from_the_paranoid_level)
{
	struct scene s;

	scene__init(&s, "cs");
	s.opener.access.seccomp = 2;
	s.kernel.refuse_all = -EPERM; /* user space of ourselves, too: level 2 would allow it */
	CHECK_EQ(scene__open(&s), -EPERM);
	CHECK(strstr(s.err.cause, "a seccomp filter answers perf_event_open with EPERM"));
	scene__exit(&s);

	scene__init(&s, "cs:k");
	s.opener.access.seccomp = 2; /* a filter is there, but lets user space pass */
	s.kernel.no_kernel = true;
	CHECK_EQ(scene__open(&s), -EACCES);
	CHECK(strstr(s.err.cause, "the kernel may not be measured: "
	                          "kernel.perf_event_paranoid is 2"));
	scene__exit(&s);

	scene__init(&s, "cs:k");
	s.opener.access.paranoid = 3;
	s.kernel.refuse_all = -EACCES;
	CHECK_EQ(scene__open(&s), -EACCES);
	CHECK(strstr(s.err.cause, "no event is allowed to users: kernel.perf_event_paranoid is 3"));
	scene__exit(&s);
}

static int always(void *ctx, struct perf_event_attr *attr, pid_t pid, int cpu, int group_fd,
                  unsigned long flags)
{
	(void)attr, (void)pid, (void)cpu, (void)group_fd, (void)flags;
	return *(int *)ctx;
}

TEST(open_is_refused_what_stays_interrupted)
{
	struct scene s;
	int answer = -EINTR;

	scene__init(&s, "cycles:u");
	s.opener.open = always;
	s.opener.ctx = &answer;
	CHECK_EQ(scene__open(&s), -EINTR);
	scene__exit(&s);
}

TEST(open_knows_kernels_that_hand_events_of_children_on)
{
	struct opener opener;
	int answer = -EINVAL;

	opener__init(&opener);
	opener.open = always;
	opener.ctx = &answer;
	CHECK(!opener__reads_children(&opener));
	answer = open("/dev/null", O_RDONLY);
	CHECK(opener__reads_children(&opener));
	opener__exit(&opener);
}
