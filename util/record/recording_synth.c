// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/record/recording_synth.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "util/elf/build_id.h"
#include "util/lib/alloc.h"
#include "util/lib/text.h"

/* See struct synth. A file that was replaced since it was mapped has another inode. */
static u8 build_id_of_map(s32 pid, const char *path, u64 ino, u8 data[static 20])
{
	struct build_id id = { 0 };
	struct stat st;

	if (pid != -1) {
		char *file = xasprintf("/proc/%d/root%s", pid, path);

		if (!stat(file, &st) && S_ISREG(st.st_mode) && st.st_ino == ino)
			build_id__of_file(file, &id);
		free(file);
	} else if (text__starts_with(path, "[kernel.kallsyms]")) {
		build_id__of_kernel(&id);
	} else {
		char name[128];

		snprintf(name, sizeof(name), "%.120s", text__basename(path));
		name[strcspn(name, ".]")] = '\0';
		for (char *p = name; (p = strchr(p, '-'));)
			*p = '_';
		build_id__of_module(name + (name[0] == '['), &id);
	}
	memcpy(data, id.data, sizeof(id.data));
	return id.size;
}

void recording__init_synth(struct recording *recording, struct synth *synth)
{
	synth__init(synth, &recording->wish.evlist, ring_drain__tell, &recording->run->drain);
	synth->namespaces = recording->wish.config.namespaces;
	synth->maps = recording->wish.synth & SYNTH_MMAP;
	synth->build_id = recording->wish.config.build_id_mmap ? build_id_of_map : NULL;
	synth->data_maps = recording->wish.config.data ||
	                   recording->wish.config.chains == CHAIN_DWARF ||
	                   recording->wish.config.chains == CHAIN_AUTO;
}

static int end_synth(struct recording *recording, struct synth *synth, struct error *err)
{
	int ret = synth__exit(synth);

	return ret ? error__set(err, ret, "cannot write", recording->wish.output, NULL) : 0;
}

void recording__put_watched(const struct recording *recording, struct synth *synth)
{
	struct thread_map map = THREAD_MAP_INIT;

	for (u32 i = 0; i < recording->wish.threads.nr; i++)
		thread_map__add(&map, recording->wish.threads.tids[i]);
	thread_map__add_descendants(&map);
	synth__tasks(synth, &map);
	thread_map__exit(&map);
}

int recording__parse_synth(struct recording *recording, const char *text, struct error *err)
{
	static const struct {
		const char *name;
		u32 what;
	} words[] = {
		{ "no", 0 },
		{ "all", SYNTH_ALL },
		{ "task", SYNTH_TASK },
		{ "mmap", SYNTH_TASK | SYNTH_MMAP },
		{ "cgroup", SYNTH_CGROUP },
	};
	char *list = xstrdup(text), *save = NULL, *word = strtok_r(list, ",", &save);
	int ret = 0;

	recording->wish.synth = 0;
	do {
		u32 i = 0;

		while (i < ARRAY_SIZE(words) && (!word || strcmp(words[i].name, word)))
			i++;
		if (i < ARRAY_SIZE(words))
			recording->wish.synth |= words[i].what;
		else
			ret = error__set(err, -EINVAL, "invalid synth option", word ? word : "",
			                 "it must be one of no, all, task, mmap, cgroup");
		word = strtok_r(NULL, ",", &save);
	} while (word && !ret);
	free(list);
	return ret;
}

/* In the order of Linux's perf 6.1. */
static int put_existing(struct recording *recording, struct synth *synth, bool again,
                        struct error *err)
{
	struct evlist *list = &recording->wish.evlist;
	int ret = 0;

	synth__id_index(synth, list, &recording->wish.cpus, &recording->wish.threads);
	synth__kernel_map(synth, &recording->found.kernel_hidden);
	synth__modules(synth, &recording->found.modules_hidden);
	synth__event_updates(synth, list, recording->wish.config.stream);
	synth__thread_map(synth, &recording->wish.threads);
	synth__cpu_map(synth, &recording->wish.cpus);
	if (!recording->wish.config.no_bpf_event)
		synth__bpf_programs(synth);
	if (recording->wish.config.cgroups && recording->wish.synth & SYNTH_CGROUP)
		synth__cgroups(synth);
	if (!(recording->wish.synth & SYNTH_TASK))
		;
	else if (recording->wish.config.system_wide)
		ret = synth__all_tasks(synth, err);
	else if (again)
		recording__put_watched(recording, synth);
	else if (recording->wish.config.attached)
		synth__tasks(synth, &recording->wish.threads);
	return ret;
}

int recording__synthesize_head(struct recording *recording, bool again, struct error *err)
{
	struct synth synth;
	int ret = 0, end_ret;

	recording__init_synth(recording, &synth);
	if (!recording->wish.tail_synthesis)
		ret = put_existing(recording, &synth, again, err);
	if (recording->wish.workload && !again) {
		synth__comm(&synth, recording->wish.workload, recording->wish.workload,
		            "perf-exec");
		if (synth.namespaces)
			synth__namespaces(&synth, recording->wish.workload,
			                  recording->wish.workload);
	}
	synth__finished_init(&synth);
	end_ret = end_synth(recording, &synth, err);
	return ret ? ret : end_ret;
}

int recording__synthesize_tail(struct recording *recording, struct error *err)
{
	struct synth synth;
	int ret, end_ret;

	if (!recording->wish.tail_synthesis)
		return 0;
	recording__init_synth(recording, &synth);
	ret = put_existing(recording, &synth, true, err);
	end_ret = end_synth(recording, &synth, err);
	return ret ? ret : end_ret;
}

int recording__tell_ids(struct recording *recording)
{
	struct synth synth;

	recording__init_synth(recording, &synth);
	synth__id_index(&synth, &recording->wish.evlist, &recording->wish.cpus,
	                &recording->wish.threads);
	return synth__exit(&synth);
}
