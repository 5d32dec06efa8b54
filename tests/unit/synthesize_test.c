// SPDX-License-Identifier: GPL-2.0-or-later
/* Records made from a /proc of the test's own. */
#include "tests/unit/unit.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "util/event/cgroup.h"
#include "util/format/record.h"
#include "util/lib/alloc.h"
#include "util/synthesize/synthesize.h"

struct sunk {
	u8 *bytes;
	size_t len, cap;
	int answer;
};

static int sink(void *ctx, const void *data, size_t len)
{
	struct sunk *sunk = ctx;

	array__reserve(&sunk->bytes, &sunk->cap, sunk->len + len, 1);
	memcpy(sunk->bytes + sunk->len, data, len);
	sunk->len += len;
	return sunk->answer;
}

static void make_evlist(struct evlist *list)
{
	struct perf_event_attr attr = { .type = PERF_TYPE_SOFTWARE, .size = 128 };

	attr.sample_id_all = 1;
	attr.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME;
	*list = (struct evlist){ .nr = 0 };
	evsel__add_id(evlist__add(list, &attr, "cpu-clock"), 77);
}

static void put_under(const char *path, const char *text)
{
	char *full = xasprintf("%s/%s", unit__tmpdir(), path);
	int fd;

	for (char *slash = full + strlen(unit__tmpdir()) + 1; (slash = strchr(slash, '/'));
	     slash++) {
		*slash = '\0';
		mkdir(full, 0700);
		*slash = '/';
	}
	fd = open(full, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	CHECK_EQ(write(fd, text, strlen(text)), strlen(text));
	close(fd);
	free(full);
}

/* Record number @n in the sink; data NULL when there are fewer. */
static struct record nth(const struct sunk *sunk, u32 n)
{
	struct record r = { 0 };
	size_t at = 0;

	for (u32 i = 0; at < sunk->len; i++, at += r.size) {
		r.data = sunk->bytes + at;
		r.type = load_u32(r.data, false);
		r.misc = load_u16(r.data + 4, false);
		r.size = load_u16(r.data + 6, false);
		if (i == n)
			return r;
	}
	r.data = NULL;
	return r;
}

static const char stat_7[] = "7 (a ) (b) S 3 7 7 0 -1 4194560";
static const char stat_9[] = "9 (worker) S 3 7 7 0 -1 4194560";
static const char maps_7[] =
        "00400000-00401000 r--p 00000000 fe:00 11                         /bin/seven\n"
        "00401000-00403000 r-xp 00001000 fe:00 11                         /bin/seven\n"
        "00501000-00502000 r-xp 00000000 00:00 0 \n"
        "00601000-00602000 r-xs 00000000 fe:1f 5                          /tmp/a\\012b (deleted)\n"
        "odd line\n"
        "00701000-00702000 rw-p 00000000 00:00 0                          [heap]\n";

static void make_proc(void)
{
	put_under("proc/7/stat", stat_7);
	put_under("proc/7/status", "Name:\ta\nUmask:\t0022\nTgid:\t7\nPid:\t7\n");
	put_under("proc/7/maps", maps_7);
	put_under("proc/7/task/7/stat", stat_7);
	put_under("proc/7/task/9/stat", stat_9);
	put_under("proc/9/stat", stat_9); /* as in a real /proc: reachable, but not listed */
	put_under("proc/9/status", "Name:\tw\nTgid:\t7\n");
	put_under("proc/9/maps", maps_7);
	put_under("proc/sys/x", "");
}

TEST(synth_describes_tasks_and_their_maps)
{
	struct thread_map threads = THREAD_MAP_INIT;
	struct sunk sunk = { 0 };
	struct evlist list;
	struct synth synth;
	struct record r;

	make_evlist(&list);
	make_proc();
	synth__init(&synth, &list, sink, &sunk);
	synth.root = unit__tmpdir();
	thread_map__add(&threads, 7);
	thread_map__add(&threads, 12345); /* gone */
	thread_map__add(&threads, 9);
	synth__tasks(&synth, &threads);
	CHECK_EQ(synth__exit(&synth), 0);

	r = nth(&sunk, 0);
	struct comm_record comm;
	CHECK_EQ(r.type, PERF_RECORD_COMM);
	CHECK_EQ(comm_record__decode(&r, false, &comm), 0);
	CHECK_STR(comm.name, "a ) (b");
	CHECK_EQ(r.size, 8 + 8 + 8 + 16);
	CHECK_EQ(load_u64(r.data + r.size - 8, false), 0); /* trailer */
	struct mmap_record map;
	r = nth(&sunk, 1);
	CHECK_EQ(r.type, PERF_RECORD_MMAP2);
	CHECK_EQ(r.misc, PERF_RECORD_MISC_USER);
	CHECK_EQ(mmap_record__decode(&r, false, &map), 0);
	CHECK_EQ(map.start, 0x401000);
	CHECK_EQ(map.len, 0x2000);
	CHECK_EQ(map.pgoff, 0x1000);
	CHECK_EQ(map.maj, 0xfe);
	CHECK_EQ(map.ino, 11);
	CHECK_EQ(map.prot, 5);
	CHECK_EQ(map.flags, 2);
	CHECK_STR(map.name, "/bin/seven");
	r = nth(&sunk, 2);
	CHECK_EQ(mmap_record__decode(&r, false, &map), 0);
	CHECK_STR(map.name, "//anon");
	r = nth(&sunk, 3);
	CHECK_EQ(mmap_record__decode(&r, false, &map), 0);
	CHECK_STR(map.name, "/tmp/a\nb (deleted)");
	CHECK_EQ(map.flags, 1);
	CHECK_EQ(map.min, 0x1f);
	r = nth(&sunk, 4); /* the other thread: same maps, not said twice */
	CHECK_EQ(comm_record__decode(&r, false, &comm), 0);
	CHECK_EQ(comm.pid, 7);
	CHECK_EQ(comm.tid, 9);
	CHECK(!nth(&sunk, 5).data);
	free(sunk.bytes);
	thread_map__exit(&threads);
	evlist__exit(&list);
}

TEST(synth_describes_all_tasks_with_forks)
{
	struct sunk sunk = { 0 };
	struct evlist list;
	struct synth synth;
	struct task_record task;
	u32 nr_forks = 0, nr_maps = 0, nr_data = 0;

	make_evlist(&list);
	make_proc();
	CHECK_EQ(system("true"), 0);
	char *nine = xasprintf("rm -r %s/proc/9", unit__tmpdir());
	CHECK_EQ(system(nine), 0);
	free(nine);
	synth__init(&synth, &list, sink, &sunk);
	synth.root = unit__tmpdir();
	synth.data_maps = true;
	CHECK_EQ(synth__all_tasks(&synth, NULL), 0);
	CHECK_EQ(synth__exit(&synth), 0);
	for (u32 i = 0; nth(&sunk, i).data; i++) {
		struct record r = nth(&sunk, i);

		nr_maps += r.type == PERF_RECORD_MMAP2;
		nr_data += r.type == PERF_RECORD_MMAP2 && r.misc & 0x2000;
		if (r.type != PERF_RECORD_FORK)
			continue;
		CHECK_EQ(r.misc, 0x2000);
		CHECK_EQ(task_record__decode(&r, false, &task), 0);
		CHECK_EQ(task.pid, 7);
		CHECK_EQ(task.ppid, nr_forks ? 7 : 3);
		CHECK_EQ(task.tid, nr_forks ? 9 : 7);
		nr_forks++;
	}
	CHECK_EQ(nr_forks, 2);
	CHECK_EQ(nr_maps, 5);
	CHECK_EQ(nr_data, 2);
	free(sunk.bytes);
	evlist__exit(&list);
}

TEST(synth_describes_the_kernel_and_modules)
{
	struct sunk sunk = { 0 };
	struct evlist list;
	struct synth synth;
	struct utsname name;
	struct mmap_record map;
	struct record r;
	struct error err = ERROR_INIT;

	make_evlist(&list);
	uname(&name);
	synth__init(&synth, &list, sink, &sunk);
	synth.root = unit__tmpdir();
	CHECK_EQ(synth__kernel_map(&synth, &err), -ENOENT);
	put_under("proc/kallsyms", "0000000000000000 A cpu\n0000000000000000 T _text\n");
	CHECK_EQ(synth__kernel_map(&synth, &err), -EACCES);
	put_under("proc/kallsyms", "ffffffff81000000 T _textual\nffffffff81000000 T _text\n"
	                           "ffffffff81000040 t _text_x\nffffffff81209988 T _etext\n");
	CHECK_EQ(synth__kernel_map(&synth, &err), 0);
	CHECK_EQ(synth__modules(&synth, &err), 0); /* a kernel without modules */
	put_under("proc/modules", "drm_kms_helper 4096 0 - Live 0xffffffffc0001000\n"
	                          "lost 8192 1 x, Live 0xffffffffc0003000\n"
	                          "hidden 8192 1 x, Live 0x0000000000000000\n");
	char *dep = xasprintf("lib/modules/%s/modules.dep", name.release);
	put_under(dep, "kernel/a/other.ko:\nkernel/b/drm-kms-helper.ko.xz: kernel/a/other.ko\n");
	free(dep);
	CHECK_EQ(synth__modules(&synth, &err), -EACCES);
	CHECK_EQ(synth__exit(&synth), 0);

	r = nth(&sunk, 0);
	CHECK_EQ(r.type, PERF_RECORD_MMAP);
	CHECK_EQ(r.misc, PERF_RECORD_MISC_KERNEL);
	CHECK_EQ(mmap_record__decode(&r, false, &map), 0);
	CHECK_STR(map.name, "[kernel.kallsyms]_text");
	CHECK_EQ(map.start, 0xffffffff81000000);
	CHECK_EQ(map.len, 0x209988);
	CHECK_EQ(map.pgoff, 0xffffffff81000000);
	CHECK_EQ(map.pid, 0xffffffff);
	r = nth(&sunk, 1);
	CHECK_EQ(mmap_record__decode(&r, false, &map), 0);
	char *want = xasprintf("/lib/modules/%s/kernel/b/drm-kms-helper.ko.xz", name.release);
	CHECK_STR(map.name, want);
	CHECK_EQ(map.len, 4096);
	free(want);
	r = nth(&sunk, 2);
	CHECK_EQ(mmap_record__decode(&r, false, &map), 0);
	CHECK_STR(map.name, "[lost]");
	CHECK(!nth(&sunk, 3).data);
	free(sunk.bytes);
	evlist__exit(&list);
}

TEST(synth_describes_the_recording)
{
	struct sunk sunk = { 0 };
	struct evlist list;
	struct synth synth;
	struct cpu_map cpus = CPU_MAP_INIT;
	struct thread_map threads = THREAD_MAP_INIT;
	struct record r;

	make_evlist(&list);
	struct evsel *evsel = list.evsels[0];
	evsel__add_id(evsel, 78);
	evsel__set_text(&evsel->unit, "msec");
	evsel->scale = 1e-6;
	evsel->nr_cpus = 3;
	evsel->nr_threads = 1;
	evsel->fds = xcalloc(3, sizeof(int));
	evsel->fds[0] = open("/dev/null", O_RDONLY);
	evsel->fds[1] = -1;
	evsel->fds[2] = open("/dev/null", O_RDONLY);
	cpu_map__add(&cpus, 1);
	cpu_map__add(&cpus, 2);
	cpu_map__add(&cpus, 9);
	thread_map__add(&threads, 5);
	synth__init(&synth, &list, sink, &sunk);
	synth__id_index(&synth, &list, &cpus, &threads);
	synth__event_updates(&synth, &list, false);
	synth__thread_map(&synth, &threads);
	synth__cpu_map(&synth, &cpus);
	cpus.nr = 2;
	synth__cpu_map(&synth, &cpus);
	synth__finished_init(&synth);
	evsel->attr.sample_type |= PERF_SAMPLE_IDENTIFIER;
	synth__lost_samples(&synth, evsel, 78, 6, 4, 0);
	CHECK_EQ(synth__exit(&synth), 0);

	r = nth(&sunk, 0);
	CHECK_EQ(r.type, RECORD_ID_INDEX);
	CHECK_EQ(r.size, 16 + 2 * 32);
	CHECK_EQ(load_u64(r.data + 16 + 32, false), 78);
	CHECK_EQ(load_u64(r.data + 16 + 40, false), 2); /* ring */
	CHECK_EQ(load_u64(r.data + 16 + 48, false), 9); /* cpu */
	CHECK_EQ(load_u64(r.data + 16 + 56, false), 5); /* tid */
	r = nth(&sunk, 1);
	CHECK_EQ(r.type, RECORD_EVENT_UPDATE);
	CHECK_EQ(r.size, 48);
	CHECK_STR((const char *)r.data + 24, "msec");
	CHECK_EQ(nth(&sunk, 2).size, 48);
	CHECK_EQ(nth(&sunk, 3).type, RECORD_THREAD_MAP);
	r = nth(&sunk, 4);
	CHECK_EQ(load_u16(r.data + 8, false), 0); /* 1, 2, 9: a list */
	CHECK_EQ(load_u16(r.data + 10, false), 3);
	r = nth(&sunk, 5);
	CHECK_EQ(load_u16(r.data + 8, false), 2); /* 1, 2: a range */
	CHECK_EQ(nth(&sunk, 6).type, RECORD_FINISHED_INIT);
	CHECK_EQ(nth(&sunk, 6).size, 8);
	r = nth(&sunk, 7);
	CHECK_EQ(load_u64(r.data + 8, false), 4);
	CHECK_EQ(load_u64(r.data + r.size - 8, false), 78);
	free(sunk.bytes);
	cpu_map__exit(&cpus);
	thread_map__exit(&threads);
	evlist__exit(&list);
}

/* Which event lost them, readers know by the trailer: that of its own layout. */
TEST(synth_losses_of_an_event_have_its_own_trailer)
{
	struct sunk sunk = { 0 };
	struct evlist list;
	struct synth synth;
	struct record r;

	make_evlist(&list);
	list.evsels[0]->attr.sample_type |= PERF_SAMPLE_CPU | PERF_SAMPLE_IDENTIFIER;
	struct perf_event_attr attr = list.evsels[0]->attr;

	attr.sample_type &= ~(u64)PERF_SAMPLE_CPU;
	const struct evsel *second = evlist__add(&list, &attr, "page-faults");

	synth__init(&synth, &list, sink, &sunk);
	synth__lost_samples(&synth, second, 78, 6, 4, 0);
	synth__lost_samples(&synth, list.evsels[0], 77, 6, 5, 0);
	CHECK_EQ(synth__exit(&synth), 0);
	r = nth(&sunk, 0);
	u16 without = r.size;
	CHECK_EQ(load_u64(r.data + r.size - 8, false), 78);
	r = nth(&sunk, 1);
	CHECK_EQ(r.size, without + 8);
	CHECK_EQ(load_u64(r.data + r.size - 8, false), 77);
	CHECK_EQ(load_u64(r.data + r.size - 16, false), 6);
	free(sunk.bytes);
	evlist__exit(&list);
}

/* CPUs far apart: bits take less room than a list. */
TEST(synth_cpu_masks_and_full_trailers)
{
	struct sunk sunk = { 0 };
	struct evlist list;
	struct synth synth;
	struct cpu_map cpus = CPU_MAP_INIT;
	struct record r;

	make_evlist(&list);
	struct evsel *evsel = list.evsels[0];

	for (s32 cpu = 0; cpu < 100; cpu += 2)
		cpu_map__add(&cpus, cpu);
	evsel->attr.sample_type |= PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU;
	synth__init(&synth, &list, sink, &sunk);
	synth__cpu_map(&synth, &cpus);
	synth__lost_samples(&synth, evsel, 78, 6, 4, 0);
	evsel->attr.sample_id_all = 0;
	synth__lost_samples(&synth, evsel, 78, 6, 5, 0);
	CHECK_EQ(synth__exit(&synth), 0);
	r = nth(&sunk, 0);
	CHECK_EQ(r.size, 8 + 8 + 16);
	CHECK_EQ(load_u16(r.data + 8, false), 1); /* a mask of two words, 8 bytes each */
	CHECK_EQ(load_u16(r.data + 10, false), 2);
	CHECK_EQ(load_u16(r.data + 12, false), 8);
	CHECK_EQ(load_u64(r.data + 16, false), 0x5555555555555555);
	CHECK_EQ(load_u64(r.data + 24, false), 0x555555555);
	r = nth(&sunk, 1);
	CHECK_EQ(r.size, 16 + 5 * 8);                       /* TID, TIME, ID, STREAM_ID, CPU */
	CHECK_EQ(load_u64(r.data + 16, false), UINT64_MAX); /* of no task */
	CHECK_EQ(load_u64(r.data + r.size - 24, false), 78);
	CHECK_EQ(load_u64(r.data + r.size - 8, false), 6);
	CHECK_EQ(nth(&sunk, 2).size, 16);
	free(sunk.bytes);
	cpu_map__exit(&cpus);
	evlist__exit(&list);
}

TEST(synth_kernels_without_text_and_records_that_are_too_long)
{
	struct sunk sunk = { 0 };
	struct evlist list;
	struct synth synth;
	struct mmap_record map;
	struct error err = ERROR_INIT;
	char *name = xcalloc(70000, 1);

	memset(name, 'x', 69999);
	make_evlist(&list);
	synth__init(&synth, &list, sink, &sunk);
	synth.root = unit__tmpdir();
	synth__comm(&synth, 1, 1, name); /* cannot be said in 16 bits: no record */
	put_under("proc/kallsyms", "ffffffff81000000 T startup_64\nno line\nffff T\n");
	CHECK_EQ(synth__kernel_map(&synth, &err), -ENOENT);
	CHECK(strstr(err.cause, "_text"));
	put_under("proc/kallsyms", "ffffffff81000000 T _stext\n");
	CHECK_EQ(synth__kernel_map(&synth, &err), 0); /* an end that nobody knows */
#if defined(__x86_64__) || defined(__i386__)
	put_under("proc/iomem",
	          "00000000-00000fff : Reserved\n  01000000-01400000 : Kernel code\n");
	CHECK_EQ(synth__kernel_map(&synth, &err), 0);
#endif
	CHECK_EQ(synth__exit(&synth), 0);
	struct record r = nth(&sunk, 0);

	CHECK_EQ(mmap_record__decode(&r, false, &map), 0);
	CHECK_STR(map.name, "[kernel.kallsyms]_stext");
	CHECK_EQ(map.start + map.len, ~0ull);
#if defined(__x86_64__) || defined(__i386__)
	r = nth(&sunk, 1);
	CHECK_EQ(mmap_record__decode(&r, false, &map), 0);
	CHECK_EQ(map.len, 0x400001);
#endif
	free(name);
	free(sunk.bytes);
	evlist__exit(&list);
}

TEST(synth_keeps_the_first_error)
{
	struct sunk sunk = { .answer = -ENOSPC };
	struct evlist list;
	struct synth synth;

	make_evlist(&list);
	synth__init(&synth, &list, sink, &sunk);
	for (int i = 0; i < 20000; i++)
		synth__comm(&synth, i, i, "someone");
	CHECK_EQ(synth.error, -ENOSPC);
	CHECK(sunk.len < 300000); /* asked once */
	CHECK_EQ(synth__exit(&synth), -ENOSPC);
	free(sunk.bytes);
	evlist__exit(&list);
}

TEST(synth_describes_namespaces)
{
	static const char *const kinds[] = { "net", "uts", "ipc", "pid", "user", "mnt", "cgroup" };
	struct sunk sunk = { 0 };
	struct evlist list;
	struct synth synth;
	char path[64];

	make_evlist(&list);
	for (u32 i = 0; i < ARRAY_SIZE(kinds) - 1; i++) { /* an old kernel: no cgroup */
		snprintf(path, sizeof(path), "proc/7/task/9/ns/%s", kinds[i]);
		put_under(path, "");
	}
	synth__init(&synth, &list, sink, &sunk);
	synth.root = unit__tmpdir();
	synth__namespaces(&synth, 7, 9);
	synth__namespaces(&synth, 7, 12345); /* gone */
	CHECK_EQ(synth__exit(&synth), 0);

	struct record r = nth(&sunk, 0);
	CHECK_EQ(r.type, PERF_RECORD_NAMESPACES);
	CHECK(r.size >= 24 + 7 * 16);
	CHECK_EQ(load_u32(r.data + 8, false), 7);
	CHECK_EQ(load_u32(r.data + 12, false), 9);
	CHECK_EQ(load_u64(r.data + 16, false), 7);
	for (u32 i = 0; i < ARRAY_SIZE(kinds); i++) {
		char *full = xasprintf("%s/proc/7/task/9/ns/%s", unit__tmpdir(), kinds[i]);
		struct stat st = { 0 };

		CHECK_EQ(stat(full, &st), i < ARRAY_SIZE(kinds) - 1 ? 0 : -1);
		CHECK_EQ(load_u64(r.data + 24 + 16 * i, false), st.st_dev);
		CHECK_EQ(load_u64(r.data + 32 + 16 * i, false), st.st_ino);
		free(full);
	}
	CHECK(!nth(&sunk, 1).data);
	evlist__exit(&list);
	free(sunk.bytes);
}

/* Of this system: files of a test's own have no handles like those of cgroups. */
TEST(synth_describes_cgroups)
{
	char *mount_point = cgroup__mount_point("", NULL);
	struct sunk sunk = { 0 };
	struct evlist list;
	struct synth synth;
	struct record r;
	u32 nr = 0, found = 0;

	if (!mount_point) {
		unit__skip("no cgroups are mounted");
		return;
	}
	make_evlist(&list);
	synth__init(&synth, &list, sink, &sunk);
	synth__cgroups(&synth);
	CHECK_EQ(synth__exit(&synth), 0);
	for (; (r = nth(&sunk, nr)).data; nr++) {
		const char *name = (const char *)r.data + 16;
		char *path = xasprintf("%s%s", mount_point, name);
		struct stat st;

		CHECK_EQ(r.type, PERF_RECORD_CGROUP);
		CHECK(name[0] == '/' && memchr(name, '\0', r.size - 16));
		if (!stat(path, &st)) { /* others may go meanwhile */
			CHECK_EQ(load_u64(r.data + 8, false), st.st_ino);
			found++;
		}
		free(path);
	}
	if (!nr)
		unit__skip("cgroups have no ids here");
	else
		CHECK(found && !strcmp((const char *)nth(&sunk, 0).data + 16, "/"));
	free(mount_point);
	evlist__exit(&list);
	free(sunk.bytes);
}

/* Words of 8 bytes behind the header of record @n. */
static void check_words(const struct sunk *sunk, u32 n, u32 type, const u64 *words, u32 nr)
{
	const struct record r = nth(sunk, n);

	CHECK(r.data);
	CHECK_EQ(r.type, type);
	CHECK_EQ(r.misc, 0);
	CHECK_EQ(r.size, 8 + 8 * nr);
	for (u32 i = 0; i < nr; i++)
		CHECK_EQ(load_u64(r.data + 8 + 8 * i, false), words[i]);
}

TEST(synth_tells_what_was_counted)
{
	struct sunk sunk = { 0 };
	struct evlist list;
	struct synth synth;

	make_evlist(&list);
	synth__init(&synth, &list, sink, &sunk);
	synth__stat_config(&synth, &(struct synth_stat_config){ 2, 100, 1 });
	synth__stat(&synth, &(struct synth_stat){ 77, -1, 3, 1000, 20, 10 });
	synth__stat(&synth, &(struct synth_stat){ 78, 5, 0, ~0ULL, 1, 0 });
	synth__stat_round(&synth, false, 100000000);
	synth__stat_round(&synth, true, 1ULL << 40);
	CHECK_EQ(synth__exit(&synth), 0);

	/* Settings are pairs, tag and value: how counts are put together, interval, scale. */
	check_words(&sunk, 0, RECORD_STAT_CONFIG, (u64[]){ 3, 0, 2, 1, 100, 2, 1 }, 7);
	check_words(&sunk, 1, RECORD_STAT, (u64[]){ 77, 3ULL << 32 | 0xffffffff, 1000, 20, 10 }, 5);
	check_words(&sunk, 2, RECORD_STAT, (u64[]){ 78, 5, ~0ULL, 1, 0 }, 5);
	check_words(&sunk, 3, RECORD_STAT_ROUND, (u64[]){ 0, 100000000 }, 2);
	check_words(&sunk, 4, RECORD_STAT_ROUND, (u64[]){ 1, 1ULL << 40 }, 2);
	CHECK(!nth(&sunk, 5).data);
	free(sunk.bytes);
	evlist__exit(&list);
}
