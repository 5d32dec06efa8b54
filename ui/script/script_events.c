// SPDX-License-Identifier: GPL-2.0-or-later
/* The lines of side-band records: --show-task-events, --show-mmap-events and their like. */
#include <errno.h>
#include <stdio.h>

#include "ui/dump/dump.h"
#include "ui/dump/record_text.h"
#include "ui/script/script_private.h"
#include "util/format/sample.h"

bool script_events__wanted(const struct script_options *options, u32 type)
{
	switch (type) {
	case PERF_RECORD_COMM:
	case PERF_RECORD_FORK:
	case PERF_RECORD_EXIT:
		return options->show_task;
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2:
		return options->show_mmap;
	case PERF_RECORD_SWITCH:
	case PERF_RECORD_SWITCH_CPU_WIDE:
		return options->show_switch;
	case PERF_RECORD_LOST:
	case PERF_RECORD_LOST_SAMPLES:
		return options->show_lost;
	case PERF_RECORD_NAMESPACES:
		return options->show_namespaces;
	case PERF_RECORD_CGROUP:
		return options->show_cgroups;
	case PERF_RECORD_KSYMBOL:
	case PERF_RECORD_BPF_EVENT:
		return options->show_bpf;
	case PERF_RECORD_TEXT_POKE:
		return options->show_text_pokes;
	case RECORD_FINISHED_ROUND:
		return options->show_rounds;
	default:
		return false;
	}
}

/* Whose line it is, where the record says so; else the trailer's thread. */
static int record_task(const struct record *r, bool swap, u32 *pid, u32 *tid)
{
	struct comm_record comm;
	struct task_record task;
	struct mmap_record map;
	struct cursor c;
	int ret = 0;

	switch (r->type) {
	case PERF_RECORD_COMM:
		ret = comm_record__decode(r, swap, &comm);
		*pid = comm.pid;
		*tid = comm.tid;
		break;
	case PERF_RECORD_FORK:
	case PERF_RECORD_EXIT:
		ret = task_record__decode(r, swap, &task);
		*pid = task.pid;
		*tid = task.tid;
		break;
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2:
		ret = mmap_record__decode(r, swap, &map);
		*pid = map.pid;
		*tid = map.tid;
		break;
	case PERF_RECORD_NAMESPACES:
		c = cursor__make(r->data + RECORD_HEADER_SIZE, r->size - RECORD_HEADER_SIZE, swap);
		*pid = cursor__u32(&c);
		*tid = cursor__u32(&c);
		ret = c.failed ? -EBADMSG : 0;
		break;
	}
	return ret;
}

static const char *comm_of(const struct script *script, u32 pid, u32 tid, struct moment when)
{
	struct task_hit hit;

	/* The kernel's own maps, or what no task did, without a word about task 0. */
	if ((s32)pid == -1 || !machine__find_task(script->session->host, pid, tid, when, &hit))
		return (s32)pid == -1 || !tid ? "swapper" : "";
	return strtab__get(&script->session->strings, hit.comm);
}

/* Is a task that was not heard of called ":TID" there? */
static bool has_number(u32 type)
{
	return type == PERF_RECORD_KSYMBOL || type == PERF_RECORD_BPF_EVENT ||
	       type == PERF_RECORD_TEXT_POKE || type == PERF_RECORD_SWITCH ||
	       type == PERF_RECORD_SWITCH_CPU_WIDE;
}

static void print_lost(struct out *out, const struct record *r, bool swap)
{
	struct cursor c = cursor__make(r->data, r->size, swap);

	cursor__bytes(&c, RECORD_HEADER_SIZE);
	if (r->type == PERF_RECORD_LOST)
		cursor__u64(&c); /* id */
	out__str(out, r->type == PERF_RECORD_LOST ? "PERF_RECORD_LOST lost "
	                                          : "PERF_RECORD_LOST_SAMPLES lost ");
	out__dec(out, cursor__u64(&c), 0);
}

/* Pid, tid and time of the line: of the trailer, or what the record itself says without one. */
static const struct script_event *line_of(const struct script *script, const struct record *r,
                                          struct sample *sample)
{
	const struct evsel *evsel = perf_data__find_evsel(script->session->data, r);
	const struct script_event *event;

	if (!evsel && script->session->evlist->nr)
		evsel = script->session->evlist->evsels[0];
	event = evsel ? &script->events[evsel->idx] : NULL;
	if (!event || !event->layout ||
	    sample__decode_trailer(event->layout, r, script->swap, sample))
		return NULL;
	return event;
}

void script_events__print(struct script *script, const struct record *r)
{
	struct out *out = script->out;
	const struct script_event *event;
	struct sample sample;
	struct moment when;
	char unheard[16];
	u32 pid, tid;

	if (r->type == RECORD_FINISHED_ROUND) {
		out__str(out, "PERF_RECORD_FINISHED_ROUND\n");
		return;
	}
	event = line_of(script, r, &sample);
	pid = event ? sample.pid : 0;
	tid = event ? sample.tid : 0;
	if (!event || record_task(r, script->swap, &pid, &tid)) {
		script->problems.nr_broken++;
		return;
	}
	when = session__moment(script->session, r, sample.time);
	if (sample.tid == ~0u) { /* no trailer */
		sample.pid = pid;
		sample.tid = tid;
	}
	if (sample.time == ~0ull)
		sample.time = 0;
	const char *comm = comm_of(script, pid, tid, when);

	snprintf(unheard, sizeof(unheard), ":%d", (s32)tid);
	script__prefix(script, event->print, event->chain, &sample, r->type,
	               !*comm && has_number(r->type) ? unheard : comm);
	if (r->type == PERF_RECORD_LOST || r->type == PERF_RECORD_LOST_SAMPLES) {
		print_lost(out, r, script->swap);
	} else if (r->type == PERF_RECORD_TEXT_POKE) {
		if (dump__text_poke(out, script->session, script->symbols, r, when))
			return;
		script->problems.nr_broken++;
	} else {
		record_text__print(out, r, script->swap);
	}
	out__char(out, '\n');
}
