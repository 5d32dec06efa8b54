// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tasks and their maps, from /proc. A folder /proc/PID is opened once and everything in it is
 * reached through that descriptor: so the files are those of one process, even if the pid is
 * given to another meanwhile.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "util/format/record.h"
#include "util/lib/alloc.h"
#include "util/lib/hash.h"
#include "util/lib/text.h"
#include "util/synthesize/synthesize_local.h"

#define MISC_FORK_SYNTHESIZED 0x2000
#define MISC_MMAP_DATA        0x2000

static ssize_t read_at(int folder, const char *name, char *buf, size_t size)
{
	int fd = openat(folder, name, O_RDONLY | O_CLOEXEC);
	ssize_t len;

	if (fd < 0)
		return -errno;
	do
		len = read(fd, buf, size - 1);
	while (len < 0 && errno == EINTR);
	len = len < 0 ? -errno : len;
	close(fd);
	if (len >= 0)
		buf[len] = '\0';
	return len;
}

struct task {
	s32 pid, tid, ppid;
	char comm[16]; /* as the kernel keeps it: kworkers show more in /proc */
};

/* stat: "TID (COMM) STATE PPID ..."; the comm may hold blanks and brackets. */
static bool read_stat(int folder, const char *name, struct task *task)
{
	char buf[512], *open, *close;

	if (read_at(folder, name, buf, sizeof(buf)) <= 0)
		return false;
	open = strchr(buf, '(');
	close = strrchr(buf, ')');
	if (!open || !close || close < open || sscanf(close + 1, " %*c %d", &task->ppid) != 1)
		return false;
	*close = '\0';
	snprintf(task->comm, sizeof(task->comm), "%s", open + 1);
	return true;
}

void synth__comm(struct synth *synth, s32 pid, s32 tid, const char *comm)
{
	synth__begin(synth, PERF_RECORD_COMM, 0);
	synth__u32(synth, pid);
	synth__u32(synth, tid);
	synth__text(synth, comm);
	synth__end(synth);
}

static void put_fork(struct synth *synth, const struct task *task)
{
	s32 parent = task->pid == task->tid ? task->ppid : task->pid;

	synth__begin(synth, PERF_RECORD_FORK, MISC_FORK_SYNTHESIZED);
	synth__u32(synth, task->pid);
	synth__u32(synth, parent);
	synth__u32(synth, task->tid);
	synth__u32(synth, parent);
	synth__u64(synth, 0); /* time */
	synth__end(synth);
}

/* ---- maps ---- */

struct map_line {
	u64 start, end, pgoff, ino;
	u32 maj, min, prot, flags;
	const char *name; /* into the line; "" for none */
};

/* A hexadecimal number and the one character that must follow it. */
static bool take_hex(const char **p, char then, u64 *value)
{
	u64 v = 0;
	const char *start = *p;

	for (;; ++*p) {
		char c = **p;

		if (c >= '0' && c <= '9')
			v = v << 4 | (c - '0');
		else if (c >= 'a' && c <= 'f')
			v = v << 4 | (c - 'a' + 10);
		else
			break;
	}
	*value = v;
	return *p > start && *(*p)++ == then;
}

/* "START-END rwxp PGOFF MAJ:MIN INODE    NAME" */
static bool parse_map(const char *p, struct map_line *map)
{
	u64 maj, min;
	char *end;

	if (!take_hex(&p, '-', &map->start) || !take_hex(&p, ' ', &map->end) || strlen(p) < 5)
		return false;
	map->prot = (p[0] == 'r' ? PROT_READ : 0) | (p[1] == 'w' ? PROT_WRITE : 0) |
	            (p[2] == 'x' ? PROT_EXEC : 0);
	map->flags = p[3] == 's' ? MAP_SHARED : MAP_PRIVATE;
	p += 5;
	if (!take_hex(&p, ' ', &map->pgoff) || !take_hex(&p, ':', &maj) || !take_hex(&p, ' ', &min))
		return false;
	map->maj = maj;
	map->min = min;
	map->ino = strtoull(p, &end, 10);
	if (end == p)
		return false;
	map->name = end + strspn(end, " ");
	return true;
}

/* The kernel writes a newline in a name as \012; the records it makes itself have it raw. */
static void put_map_name(struct synth *synth, const char *name)
{
	const char *escape;

	if (!name[0] || text__starts_with(name, "/anon_hugepage"))
		name = "//anon";
	while ((escape = strstr(name, "\\012"))) {
		out__mem(&synth->out, name, escape - name);
		out__char(&synth->out, '\n');
		name = escape + 4;
	}
	synth__text(synth, name);
}

static void put_map(struct synth *synth, s32 pid, const struct map_line *map)
{
	bool exec = map->prot & PROT_EXEC;

	if (!exec && !(synth->data_maps && map->prot & PROT_READ))
		return;
	synth__begin(synth, PERF_RECORD_MMAP2, PERF_RECORD_MISC_USER | (exec ? 0 : MISC_MMAP_DATA));
	synth__u32(synth, pid);
	synth__u32(synth, pid);
	synth__u64(synth, map->start);
	synth__u64(synth, map->end - map->start);
	synth__u64(synth, map->pgoff);
	if (map->name[0] != '/' || !synth__map_build_id(synth, pid, map->name, map->ino)) {
		synth__u32(synth, map->maj);
		synth__u32(synth, map->min);
		synth__u64(synth, map->ino);
		synth__u64(synth, 0); /* generation: /proc does not say */
	}
	synth__u32(synth, map->prot);
	synth__u32(synth, map->flags);
	put_map_name(synth, map->name);
	synth__end(synth);
}

#define MAPS_BUFFER (64 * 1024)

static void put_maps_of_fd(struct synth *synth, s32 pid, int fd)
{
	char *buf = xmalloc(MAPS_BUFFER);
	size_t len = 0;

	for (;;) {
		ssize_t n = read(fd, buf + len, MAPS_BUFFER - 1 - len);
		char *line = buf, *newline;

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			break;
		len += n;
		buf[len] = '\0';
		while ((newline = memchr(line, '\n', buf + len - line))) {
			struct map_line map;

			*newline = '\0';
			if (parse_map(line, &map))
				put_map(synth, pid, &map);
			line = newline + 1;
		}
		len -= line - buf;
		memmove(buf, line, len);
		if (len == MAPS_BUFFER - 1) /* no path is that long */
			break;
	}
	free(buf);
}

static void put_maps(struct synth *synth, s32 pid, int folder)
{
	int fd = synth->maps ? openat(folder, "maps", O_RDONLY | O_CLOEXEC) : -1;

	if (fd < 0) /* gone, or not ours to look at */
		return;
	put_maps_of_fd(synth, pid, fd);
	close(fd);
}

/* ---- tasks ---- */

static bool parse_id(const char *name, s32 *id)
{
	u64 value;

	if (name[0] < '1' || name[0] > '9' || text__parse_u64(name, &value) || value > INT32_MAX)
		return false;
	*id = value;
	return true;
}

/* Threads other than the main one, each by fn. */
static void each_thread(struct synth *synth, const struct task *leader, int folder,
                        void (*fn)(struct synth *synth, const struct task *task))
{
	int fd = openat(folder, "task", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);

	if (!dir) {
		if (fd >= 0)
			close(fd);
		return;
	}
	for (struct dirent *entry; (entry = readdir(dir));) {
		struct task task = { .pid = leader->pid };
		char name[300];

		if (!parse_id(entry->d_name, &task.tid) || task.tid == leader->pid)
			continue;
		snprintf(name, sizeof(name), "%s/stat", entry->d_name);
		if (read_stat(dirfd(dir), name, &task))
			fn(synth, &task);
	}
	closedir(dir);
}

/* In the order of PERF_RECORD_NAMESPACES. */
void synth__namespaces(struct synth *synth, s32 pid, s32 tid)
{
	static const char *const names[] = { "net", "uts", "ipc", "pid", "user", "mnt", "cgroup" };
	char *path = xasprintf("%s/proc/%d/task/%d/ns", synth->root, pid, tid);
	int folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	free(path);
	if (folder < 0)
		return;
	synth__begin(synth, PERF_RECORD_NAMESPACES, 0);
	synth__u32(synth, pid);
	synth__u32(synth, tid);
	synth__u64(synth, ARRAY_SIZE(names));
	for (u32 i = 0; i < ARRAY_SIZE(names); i++) {
		struct stat st = { 0 };

		if (fstatat(folder, names[i], &st, 0)) /* the kernel has none of that kind */
			st.st_dev = st.st_ino = 0;
		synth__u64(synth, st.st_dev);
		synth__u64(synth, st.st_ino);
	}
	synth__end(synth);
	close(folder);
}

static void put_fork_and_comm(struct synth *synth, const struct task *task)
{
	put_fork(synth, task);
	if (synth->namespaces)
		synth__namespaces(synth, task->pid, task->tid);
	synth__comm(synth, task->pid, task->tid, task->comm);
}

static void put_process(struct synth *synth, s32 pid, int folder)
{
	struct task task = { .pid = pid, .tid = pid };

	if (!read_stat(folder, "stat", &task))
		return;
	put_fork_and_comm(synth, &task);
	put_maps(synth, pid, folder);
	each_thread(synth, &task, folder, put_fork_and_comm);
}

int synth__all_tasks(struct synth *synth, struct error *err)
{
	char *path = xasprintf("%s/proc", synth->root);
	DIR *dir = opendir(path);
	int ret = dir ? 0 : error__set(err, -errno, "cannot open", path, NULL);

	free(path);
	if (!dir)
		return ret;
	for (struct dirent *entry; !synth->error && (entry = readdir(dir));) {
		int folder;
		s32 pid;

		if (!parse_id(entry->d_name, &pid))
			continue;
		folder = openat(dirfd(dir), entry->d_name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		if (folder < 0)
			continue;
		put_process(synth, pid, folder);
		close(folder);
	}
	closedir(dir);
	return 0;
}

/* Whose thread is it? 0: gone. */
static s32 read_tgid(int folder)
{
	char buf[4096], *line;
	s32 pid;

	if (read_at(folder, "status", buf, sizeof(buf)) <= 0)
		return 0;
	line = strstr(buf, "\nTgid:");
	return line && sscanf(line, "\nTgid: %d", &pid) == 1 ? pid : 0;
}

/* One thread of a list; its process's maps with the first one. */
static void put_thread(struct synth *synth, s32 tid, struct u64map *done)
{
	char *path = xasprintf("%s/proc/%d", synth->root, tid);
	int folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct task task = { .tid = tid };
	u32 *maps_done;

	free(path);
	if (folder < 0)
		return;
	task.pid = read_tgid(folder);
	if (task.pid && read_stat(folder, "stat", &task)) {
		synth__comm(synth, task.pid, tid, task.comm);
		if (synth->namespaces)
			synth__namespaces(synth, task.pid, tid);
		maps_done = u64map__at(done, task.pid);
		if (*maps_done == ID_NONE)
			put_maps(synth, task.pid, folder);
		*maps_done = 1;
	}
	close(folder);
}

void synth__tasks(struct synth *synth, const struct thread_map *threads)
{
	struct u64map done = U64MAP_INIT; /* processes whose maps are written */

	for (u32 i = 0; i < threads->nr && !synth->error; i++)
		put_thread(synth, threads->tids[i], &done);
	u64map__exit(&done);
}
