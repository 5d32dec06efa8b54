// SPDX-License-Identifier: GPL-2.0-or-later
#include "ui/record_messages.h"

#include <stdio.h>

#include "ui/diag.h"
#include "util/event/attr_fields.h"
#include "util/event/reason.h"

static void say_attr_field(void *ctx, const char *name, const char *value)
{
	(void)ctx;
	fprintf(stderr, "  %-32s %s\n", name, value);
}

/* -vv: the events as the kernel took them. */
static void say_attrs(const struct evlist *list)
{
	for (u32 i = 0; i < list->nr; i++) {
		fprintf(stderr, "%s: perf_event_attr:\n", list->evsels[i]->name);
		attr__fields(&list->evsels[i]->attr, say_attr_field, NULL);
	}
}

void record_messages__start(const struct recording *recording, const struct record_loudness *say)
{
	if (!say->quiet && recording->fell_back) {
		struct reason reason;

		reason__no_counters(&reason);
		diag__say_warning("cannot sample 'cycles': %s; using cpu-clock", reason.cause);
	}
	if (say->events || say->verbose > 1)
		say_attrs(&recording->evlist);
	if (!say->verbose)
		return;
	for (u32 i = 0; i < recording->opener.nr_notes; i++)
		fprintf(stderr, "%s\n", recording->opener.notes[i]);
	if (recording->sources.tracefs.mounted)
		fprintf(stderr, "tracefs was not mounted: mounted it on %s\n",
		        recording->sources.tracefs.path);
}

void record_messages__missing(const struct recording *recording, const struct record_loudness *say)
{
	const struct evsel *first = recording->evlist.evsels[0];

	if (recording->opener.user_only && !say->quiet)
		diag__say_warning("recording user space only: %s\n%s",
		                  recording->opener.user_only_reason.cause,
		                  recording->opener.user_only_reason.advice);
	if (recording->kernel_hidden.code && !first->attr.exclude_kernel && !say->quiet)
		diag__warning(&recording->kernel_hidden);
	if (recording->modules_hidden.code && !first->attr.exclude_kernel && say->verbose)
		diag__warning(&recording->modules_hidden);
	if (recording->nr_cache_troubles && say->verbose)
		diag__warning(&recording->cache_trouble);
}

static void say_dump(const struct recording *recording)
{
	fprintf(stderr, "[ perf record: Dump %s ]\n", recording__last_name(recording));
}

void record_messages__switched(const struct recording *recording, const struct record_loudness *say,
                               u64 woken)
{
	if (say->quiet || !recording__last_name(recording))
		return;
	fprintf(stderr, "[ perf record: dump data: Woken up %llu times ]\n",
	        (unsigned long long)woken);
	say_dump(recording);
}

void record_messages__result(const struct recording *recording, const struct record_loudness *say)
{
	const struct build_id_pass *pass = &recording->pass;
	u64 lost = max_u64(pass->lost, recording->lost_by_counters);

	if (say->quiet)
		return;
	fprintf(stderr, "[ perf record: Woken up %llu times to write data ]\n",
	        (unsigned long long)recording->recorder.nr_woken);
	if (lost)
		diag__say_warning("lost %llu events: the rings were full\n"
		                  "sample less often (-F, -c), or give larger rings: -m 2M",
		                  (unsigned long long)lost);
	if (recording__last_name(recording))
		say_dump(recording);
	fprintf(stderr, "[ perf record: Captured and wrote %.3f MB %s%s",
	        recording->data_size / 1048576.0, recording->output,
	        recording->nr_names ? ".<timestamp>" : "");
	if (pass->nr_samples)
		fprintf(stderr, " (%llu samples)", (unsigned long long)pass->nr_samples);
	fprintf(stderr, " ]\n");
}
