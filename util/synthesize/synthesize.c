// SPDX-License-Identifier: GPL-2.0-or-later
/* Records about the recording itself, and the kernel's map. Tasks: synthesize_tasks.c. */
#include "util/synthesize/synthesize.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "arch/arch.h"
#include "util/event/refusal.h"
#include "util/format/record.h"
#include "util/lib/alloc.h"
#include "util/lib/file.h"
#include "util/lib/strtab.h"
#include "util/lib/text.h"
#include "util/synthesize/synthesize_local.h"

#define FLUSH_SIZE (64 * 1024)
#define MAX_RECORD 65528 /* a size that fits into 16 bits, multiple of 8 */

static u16 trailer_size(const struct perf_event_attr *attr)
{
	static const u64 fields[] = { PERF_SAMPLE_TID, PERF_SAMPLE_TIME,
		                      PERF_SAMPLE_ID,  PERF_SAMPLE_STREAM_ID,
		                      PERF_SAMPLE_CPU, PERF_SAMPLE_IDENTIFIER };
	u16 size = 0;

	for (u32 i = 0; attr->sample_id_all && i < ARRAY_SIZE(fields); i++)
		size += attr->sample_type & fields[i] ? 8 : 0;
	return size;
}

void synth__init(struct synth *synth, const struct evlist *evlist,
                 int (*flush)(void *ctx, const void *data, size_t len), void *ctx)
{
	*synth = (struct synth){
		.flush = flush, .ctx = ctx, .root = "", .maps = true, .bpf = synth__system_bpf
	};
	out__init(&synth->out, -1);
	synth->trailer_size = trailer_size(&evlist->evsels[0]->attr);
}

int synth__flush(struct synth *synth)
{
	if (!synth->error && synth->out.len)
		synth->error = synth->flush(synth->ctx, synth->out.buf, synth->out.len);
	synth->out.len = 0;
	return synth->error;
}

int synth__exit(struct synth *synth)
{
	int ret = synth__flush(synth);

	out__exit(&synth->out);
	return ret;
}

void synth__begin(struct synth *synth, u32 type, u16 misc)
{
	u16 head[2] = { misc, 0 };

	if (synth->out.len >= FLUSH_SIZE)
		synth__flush(synth);
	synth->at = synth->out.len;
	synth__u32(synth, type);
	out__mem(&synth->out, head, sizeof(head));
}

void synth__u32(struct synth *synth, u32 value)
{
	out__mem(&synth->out, &value, sizeof(value));
}

void synth__u64(struct synth *synth, u64 value)
{
	out__mem(&synth->out, &value, sizeof(value));
}

void synth__text(struct synth *synth, const char *s)
{
	out__mem(&synth->out, s, strlen(s) + 1);
}

void synth__end(struct synth *synth)
{
	struct out *out = &synth->out;
	size_t size;
	u32 type;
	u16 size16;

	out__fill(out, 0, -(out->len - synth->at) & 7);
	memcpy(&type, out->buf + synth->at, sizeof(type));
	if (type < RECORD_HEADER_ATTR)
		out__fill(out, 0, synth->trailer_size);
	size = out->len - synth->at;
	if (size > MAX_RECORD) { /* cannot be said: better no record than a wrong one */
		out->len = synth->at;
		return;
	}
	size16 = size;
	memcpy(out->buf + synth->at + 6, &size16, sizeof(size16));
}

bool synth__map_build_id(struct synth *synth, s32 pid, const char *path, u64 ino)
{
	u8 field[24] = { 0 };
	u16 misc;

	if (synth->build_id)
		field[0] = synth->build_id(pid, path, ino, field + 4);
	if (!field[0])
		return false;
	memcpy(&misc, synth->out.buf + synth->at + 4, sizeof(misc));
	misc |= PERF_RECORD_MISC_MMAP_BUILD_ID;
	memcpy(synth->out.buf + synth->at + 4, &misc, sizeof(misc));
	out__mem(&synth->out, field, sizeof(field));
	return true;
}

/* A map of the kernel or a module: MMAP2 only when its build-id is wanted, as 6.1 writes it. */
static void put_kernel_range(struct synth *synth, u64 start, u64 size, u64 pgoff, const char *name)
{
	bool wide = synth->build_id;

	synth__begin(synth, wide ? PERF_RECORD_MMAP2 : PERF_RECORD_MMAP, PERF_RECORD_MISC_KERNEL);
	synth__u32(synth, -1);
	synth__u32(synth, 0);
	synth__u64(synth, start);
	synth__u64(synth, size);
	synth__u64(synth, pgoff);
	if (wide) {
		if (!synth__map_build_id(synth, -1, name, 0))
			out__fill(&synth->out, 0, 24);
		synth__u64(synth, 0); /* protection and flags */
	}
	synth__text(synth, name);
	synth__end(synth);
}

/* ---- about the recording ---- */

#define IDS_PER_RECORD 2000 /* 32 bytes each; a record ends at 65,535 bytes */

struct id_entry {
	u64 id, idx, cpu, tid;
};

static void put_ids(struct synth *synth, const struct id_entry *entries, size_t nr)
{
	for (size_t done = 0; done < nr; done += IDS_PER_RECORD) {
		size_t n = min_u64(nr - done, IDS_PER_RECORD);

		synth__begin(synth, RECORD_ID_INDEX, 0);
		synth__u64(synth, n);
		out__mem(&synth->out, entries + done, n * sizeof(*entries));
		synth__end(synth);
	}
}

/* idx is the ring that the counter writes to: one per CPU, or without CPUs one per thread. */
void synth__id_index(struct synth *synth, const struct evlist *evlist, const struct cpu_map *cpus,
                     const struct thread_map *threads)
{
	struct id_entry *entries = NULL;
	size_t nr = 0, cap = 0;

	for (u32 i = 0; i < evlist->nr; i++) {
		const struct evsel *evsel = evlist->evsels[i];
		u32 id = 0;

		for (u32 at = 0; evsel->fds && at < evsel->nr_cpus * evsel->nr_threads; at++) {
			u32 cpu = at / evsel->nr_threads, thread = at % evsel->nr_threads;
			bool any_cpu = evsel->nr_cpus == 1 && cpus->cpus[0] == CPU_ANY;

			if (evsel->fds[at] < 0 || id >= evsel->nr_ids)
				continue;
			array__reserve(&entries, &cap, nr + 1, sizeof(*entries));
			entries[nr++] = (struct id_entry){
				.id = evsel->ids[id++],
				.idx = any_cpu ? thread : cpu,
				.cpu = (s64)cpus->cpus[cpu],
				.tid = (s64)threads->tids[thread],
			};
		}
	}
	put_ids(synth, entries, nr);
	free(entries);
}

void synth__event_updates(struct synth *synth, const struct evlist *evlist, bool names)
{
	enum { UPDATE_UNIT, UPDATE_SCALE, UPDATE_NAME };

	for (u32 i = 0; i < evlist->nr; i++) {
		const struct evsel *evsel = evlist->evsels[i];

		if (!evsel->nr_ids)
			continue;
		if (evsel->unit[0]) {
			synth__begin(synth, RECORD_EVENT_UPDATE, 0);
			synth__u64(synth, UPDATE_UNIT);
			synth__u64(synth, evsel->ids[0]);
			/* 6.1 leaves room for the largest of the fixed payloads: 16 bytes. */
			out__mem(&synth->out, evsel->unit, strlen(evsel->unit));
			out__fill(&synth->out, 0, 17);
			synth__end(synth);
		}
		if (evsel->scale != 1.0) {
			synth__begin(synth, RECORD_EVENT_UPDATE, 0);
			synth__u64(synth, UPDATE_SCALE);
			synth__u64(synth, evsel->ids[0]);
			out__mem(&synth->out, &evsel->scale, sizeof(evsel->scale));
			out__fill(&synth->out, 0, 16);
			synth__end(synth);
		}
		if (names) {
			synth__begin(synth, RECORD_EVENT_UPDATE, 0);
			synth__u64(synth, UPDATE_NAME);
			synth__u64(synth, evsel->ids[0]);
			out__mem(&synth->out, evsel->name, strlen(evsel->name));
			out__fill(&synth->out, 0, 17);
			synth__end(synth);
		}
	}
}

#define THREADS_PER_RECORD 2700 /* 24 bytes each */
#define COMM_SIZE          16

static void read_comm(const struct synth *synth, s32 tid, char comm[COMM_SIZE])
{
	char *path = xasprintf("%s/proc/%d/comm", synth->root, tid), text[COMM_SIZE + 1];
	int len = file__read_text(path, text, sizeof(text));

	if (len > 0)
		memcpy(comm, text, min_u64(len, COMM_SIZE - 1));
	free(path);
}

void synth__thread_map(struct synth *synth, const struct thread_map *threads)
{
	for (u32 done = 0; done < threads->nr; done += THREADS_PER_RECORD) {
		u32 n = min_u64(threads->nr - done, THREADS_PER_RECORD);

		synth__begin(synth, RECORD_THREAD_MAP, 0);
		synth__u64(synth, n);
		for (u32 i = done; i < done + n; i++) {
			char comm[COMM_SIZE] = ""; /* of a recording: left out, as in 6.1 */

			synth__u64(synth, (s64)threads->tids[i]);
			if (synth->thread_names && threads->tids[i] > 0)
				read_comm(synth, threads->tids[i], comm);
			out__mem(&synth->out, comm, sizeof(comm));
		}
		synth__end(synth);
	}
}

enum { CPU_MAP_LIST, CPU_MAP_MASK, CPU_MAP_RANGE };

static void put_u16(struct synth *synth, u16 value)
{
	out__mem(&synth->out, &value, sizeof(value));
}

static void put_cpu_mask(struct synth *synth, const struct cpu_map *cpus)
{
	u32 words = cpus->cpus[cpus->nr - 1] / 64 + 1;
	u64 *mask = xcalloc(words, sizeof(*mask));

	for (u32 i = 0; i < cpus->nr; i++)
		mask[cpus->cpus[i] / 64] |= 1ull << cpus->cpus[i] % 64;
	put_u16(synth, CPU_MAP_MASK);
	put_u16(synth, words);
	put_u16(synth, sizeof(*mask));
	out__fill(&synth->out, 0, 2);
	out__mem(&synth->out, mask, words * sizeof(*mask));
	free(mask);
}

static void put_cpu_list(struct synth *synth, const struct cpu_map *cpus)
{
	put_u16(synth, CPU_MAP_LIST);
	put_u16(synth, cpus->nr);
	for (u32 i = 0; i < cpus->nr; i++)
		put_u16(synth, cpus->cpus[i]);
}

void synth__cpu_map(struct synth *synth, const struct cpu_map *cpus)
{
	s32 first = cpus->cpus[0], last = cpus->cpus[cpus->nr - 1];

	synth__begin(synth, RECORD_CPU_MAP, 0);
	if (first == CPU_ANY) {
		put_cpu_list(synth, cpus);
	} else if ((u32)(last - first) == cpus->nr - 1 && last < 0x10000) {
		put_u16(synth, CPU_MAP_RANGE);
		put_u16(synth, 0); /* "any" does not belong to it */
		put_u16(synth, first);
		put_u16(synth, last);
	} else if (cpus->nr * sizeof(u16) <= (last / 64 + 1u) * sizeof(u64) + 4) {
		put_cpu_list(synth, cpus);
	} else {
		put_cpu_mask(synth, cpus);
	}
	synth__end(synth);
}

void synth__finished_init(struct synth *synth)
{
	synth__begin(synth, RECORD_FINISHED_INIT, 0);
	synth__end(synth);
}

/*
 * The only synthesized record whose trailer says something, and so has the layout of its own event:
 * which counter lost them, and on which CPU. Of no task, all-ones: so readers know that the CPU is
 * told (Linux's perf leaves it 0).
 */
void synth__lost_samples(struct synth *synth, const struct evsel *evsel, u64 id, s32 cpu, u64 lost,
                         u16 misc)
{
	const struct {
		u64 field, value;
	} trailer[] = {
		{ PERF_SAMPLE_TID, UINT64_MAX }, { PERF_SAMPLE_TIME, 0 },
		{ PERF_SAMPLE_ID, id },          { PERF_SAMPLE_STREAM_ID, 0 },
		{ PERF_SAMPLE_CPU, (u32)cpu },   { PERF_SAMPLE_IDENTIFIER, id },
	};
	const u16 of_others = synth->trailer_size;

	synth__begin(synth, PERF_RECORD_LOST_SAMPLES, misc);
	synth__u64(synth, lost);
	for (u32 i = 0; evsel->attr.sample_id_all && i < ARRAY_SIZE(trailer); i++)
		if (evsel->attr.sample_type & trailer[i].field)
			synth__u64(synth, trailer[i].value);
	synth->trailer_size = 0;
	synth__end(synth);
	synth->trailer_size = of_others;
}

/* ---- the kernel ---- */

/* A symbol's line "ADDRESS TYPE NAME" in kallsyms text; 0: not there. */
static u64 kallsyms_value(const char *text, const char *name, bool *found)
{
	size_t len = strlen(name);

	*found = false;
	for (const char *line = text; *line; line += strcspn(line, "\n"), line += *line == '\n') {
		char *end;
		u64 value = strtoull(line, &end, 16);

		if (end == line || end[0] != ' ' || !end[1] || end[2] != ' ' ||
		    strncmp(end + 3, name, len) || (end[3 + len] && end[3 + len] != '\n'))
			continue;
		*found = true;
		return value;
	}
	return 0;
}

/*
 * How far the kernel's text goes. On x86 the "Kernel code" resource is exactly _text to _etext
 * and costs one small file; kallsyms has _etext behind 100,000 lines, which cost more than the
 * rest of a short recording.
 */
static u64 text_size_from_iomem(const struct synth *synth)
{
	char *path, *text, *line, *at;
	u64 size = 0;
	size_t len;

	if (!arch__here()->iomem_has_text)
		return 0;
	path = xasprintf("%s/proc/iomem", synth->root);
	text = file__read_all(path, 1 << 20, &len);
	free(path);
	at = text ? strstr(text, " : Kernel code") : NULL;
	if (at) {
		unsigned long long start, end;

		for (line = at; line > text && line[-1] != '\n'; line--)
			;
		if (sscanf(line, " %llx-%llx", &start, &end) == 2 && end > start)
			size = end - start + 1;
	}
	free(text);
	return size;
}

#define KALLSYMS_HEAD (64 * 1024) /* the first symbols of the text lie in it */
#define KALLSYMS_MAX  (256u << 20)

static u64 text_end_from_kallsyms(const char *path)
{
	size_t len;
	char *text = file__read_all(path, KALLSYMS_MAX, &len);
	bool found = false;
	u64 end = text ? kallsyms_value(text, "_etext", &found) : 0;

	free(text);
	return found ? end : 0;
}

static void put_kernel_map(struct synth *synth, u64 start, u64 end, const char *symbol)
{
	char name[64];

	snprintf(name, sizeof(name), "[kernel.kallsyms]%s", symbol);
	/* pgoff: the symbol's address, from which readers relocate */
	put_kernel_range(synth, start, end - start, start, name);
}

int synth__kernel_map(struct synth *synth, struct error *err)
{
	char *path = xasprintf("%s/proc/kallsyms", synth->root);
	char *head = xmalloc(KALLSYMS_HEAD);
	const char *symbol = "_text";
	bool found = false;
	u64 start = 0, size, end = 0;
	int ret = file__read_text(path, head, KALLSYMS_HEAD);

	if (ret < 0) {
		error__set(err, ret, "cannot read", path, NULL);
		goto out;
	}
	start = kallsyms_value(head, symbol, &found);
	if (!found) {
		symbol = "_stext";
		start = kallsyms_value(head, symbol, &found);
	}
	if (!found) {
		ret = error__set(err, -ENOENT, "no kernel names", path, "no _text in it");
		goto out;
	}
	if (!start) {
		struct access access;
		struct refusal reason;

		access__read(&access, synth->root);
		refusal__kallsyms(&reason, &access);
		ret = refusal__to_error(&reason, -EACCES, "no kernel names", path, err);
		goto out;
	}
	size = text_size_from_iomem(synth);
	end = size ? start + size : text_end_from_kallsyms(path);
	put_kernel_map(synth, start, end > start ? end : ~0ull, symbol);
	ret = 0;
out:
	free(head);
	free(path);
	return ret;
}

/* ---- modules ---- */

struct module {
	u64 start, size;
	char *path;
};

struct modules {
	struct strtab names; /* id - 1 is the index in modules */
	struct module *modules;
	size_t nr, cap;
};

/* "drm-kms-helper.ko.xz" -> "drm_kms_helper", as the kernel calls it. */
static void module_name(char *name, size_t size, const char *path)
{
	size_t len = 0;

	for (const char *p = text__basename(path); *p && *p != '.' && len + 1 < size; p++)
		name[len++] = *p == '-' ? '_' : *p;
	name[len] = '\0';
}

/* "NAME SIZE REFS USERS STATE ADDRESS"; false: the address is hidden or the line is odd. */
static bool add_module(struct modules *list, const char *line)
{
	char name[256];
	unsigned long long size, start;

	if (sscanf(line, "%255s %llu %*s %*s %*s %llx", name, &size, &start) != 3 || !start)
		return false;
	if (strtab__find(&list->names, name) != ID_NONE)
		return true;
	strtab__add(&list->names, name);
	array__reserve(&list->modules, &list->cap, list->nr + 1, sizeof(*list->modules));
	list->modules[list->nr++] = (struct module){ .start = start, .size = size };
	return true;
}

/* modules.dep names the file of each module: "kernel/fs/ext4/ext4.ko.xz: ..." */
static void find_module_files(const struct synth *synth, struct modules *list)
{
	struct utsname name;
	char *path, *text, *line, *next;
	size_t len;

	if (uname(&name) < 0)
		return;
	path = xasprintf("%s/lib/modules/%s/modules.dep", synth->root, name.release);
	text = file__read_all(path, 64 << 20, &len);
	free(path);
	for (line = text; line && *line; line = next) {
		char module[256];
		u32 id;

		next = line + strcspn(line, "\n");
		if (*next)
			*next++ = '\0';
		line[strcspn(line, ":")] = '\0';
		module_name(module, sizeof(module), line);
		id = strtab__find(&list->names, module);
		if (id == ID_NONE || id == 0 || list->modules[id - 1].path)
			continue;
		list->modules[id - 1].path =
		        line[0] == '/' ? xstrdup(line)
		                       : xasprintf("/lib/modules/%s/%s", name.release, line);
	}
	free(text);
}

static void put_module(struct synth *synth, const struct module *module, const char *name)
{
	char *path = module->path ? xstrdup(module->path) : xasprintf("[%s]", name);

	put_kernel_range(synth, module->start, module->size, 0, path);
	free(path);
}

int synth__modules(struct synth *synth, struct error *err)
{
	char *path = xasprintf("%s/proc/modules", synth->root), *text, *line, *next;
	struct modules list = { .nr = 0 };
	bool hidden = false;
	size_t len;

	text = file__read_all(path, 16 << 20, &len);
	free(path);
	if (!text)
		return errno == ENOENT ? 0
		                       : error__set(err, -errno, "cannot read modules", "", NULL);
	strtab__init(&list.names);
	for (line = text; *line; line = next) {
		next = line + strcspn(line, "\n");
		if (*next)
			*next++ = '\0';
		hidden |= !add_module(&list, line);
	}
	if (list.nr)
		find_module_files(synth, &list);
	for (size_t i = 0; i < list.nr; i++) {
		put_module(synth, &list.modules[i], strtab__get(&list.names, i + 1));
		free(list.modules[i].path);
	}
	free(list.modules);
	strtab__exit(&list.names);
	free(text);
	return hidden ? error__set(err, -EACCES, "module addresses are not readable", "", NULL) : 0;
}

/* ---- what `stat record` writes ---- */

void synth__stat_config(struct synth *synth, const struct synth_stat_config *config)
{
	const u64 values[] = { config->aggregation, config->interval_ms, config->scale };

	synth__begin(synth, RECORD_STAT_CONFIG, 0);
	synth__u64(synth, ARRAY_SIZE(values));
	for (u32 i = 0; i < ARRAY_SIZE(values); i++) {
		synth__u64(synth, i);
		synth__u64(synth, values[i]);
	}
	synth__end(synth);
}

void synth__stat(struct synth *synth, const struct synth_stat *stat)
{
	synth__begin(synth, RECORD_STAT, 0);
	synth__u64(synth, stat->id);
	synth__u32(synth, stat->cpu);
	synth__u32(synth, stat->thread);
	synth__u64(synth, stat->value);
	synth__u64(synth, stat->enabled);
	synth__u64(synth, stat->running);
	synth__end(synth);
}

void synth__stat_round(struct synth *synth, bool final, u64 ns)
{
	synth__begin(synth, RECORD_STAT_ROUND, 0);
	synth__u64(synth, final);
	synth__u64(synth, ns);
	synth__end(synth);
}
