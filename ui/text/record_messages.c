// SPDX-License-Identifier: GPL-2.0-or-later
#include "ui/text/record_messages.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "ui/term/diag.h"
#include "util/analysis/losses.h"
#include "util/bpf_filter/evlist_filter.h"
#include "util/counter/id_check.h"
#include "util/counter/shared_ids.h"
#include "util/counter/targets.h"
#include "util/event/refusal.h"
#include "util/lib/text.h"
#include "util/probe/probe_events.h"

static void say_when(const struct switch_output *when, const char *text)
{
	if (when->by_signal)
		fprintf(stderr, "switch-output with SIGUSR2 signal\n");
	if (when->size)
		fprintf(stderr, "switch-output with %s size threshold\n", text);
	if (when->seconds)
		fprintf(stderr, "switch-output with %s time threshold (%llu seconds)\n", text,
		        (unsigned long long)when->seconds);
}

static void say_writers(const struct thread_masks *masks)
{
	char maps[128], cpus[128];

	if (masks->nr)
		fprintf(stderr, "nr_threads: %u\n", masks->nr);
	for (u32 i = 0; i < masks->nr; i++)
		fprintf(stderr, "thread_masks[%u]: rings of CPUs %s, runs on CPUs %s\n", i,
		        cpu_map__format(&masks->masks[i].maps, maps, sizeof(maps)),
		        cpu_map__format(&masks->masks[i].affinity, cpus, sizeof(cpus)));
}

void record_messages__opening(struct recording *recording, struct record_loudness *say,
                              const struct record_manner *manner)
{
	static const char *const affinities[] = { "SYS", "NODE", "CPU" };

	opener_text__tell(&recording->found.opener, &say->calls, say->events || say->verbose > 1);
	if (!say->verbose)
		return;
	say_when(manner->when, manner->when_text);
	say_writers(&recording->wish.masks);
	fprintf(stderr, "nr_cblocks: %u\naffinity: %s\nmmap flush: %llu\ncomp level: %d\n",
	        manner->aio, affinities[recording->wish.affinity],
	        (unsigned long long)max_u64(recording->wish.flush, 1), recording->wish.compression);
	if (!manner->controlled)
		fprintf(stderr, "Control descriptor is not initialized\n");
	if (say->verbose > 2)
		fprintf(stderr, "perf record opening and mmapping events\n");
}

void record_messages__started(const struct record_loudness *say)
{
	if (say->verbose > 2)
		fprintf(stderr, "perf record has started\n");
}

/* Filters that nothing can pass. */
static void say_void_filters(const struct evlist *list)
{
	s32 last_cpu = cpu_map__last_possible();

	for (u32 i = 0; i < list->nr; i++) {
		struct error why = ERROR_INIT;

		if (evsel__filter_drops_all(list->evsels[i], last_cpu, &why))
			diag__warning(&why);
	}
}

void record_messages__start(const struct recording *recording, const struct record_loudness *say)
{
	if (!say->quiet && recording->found.fell_back) {
		struct refusal reason;

		refusal__no_counters(&reason);
		diag__say_warning("cannot sample 'cycles': %s; using cpu-clock", reason.cause);
	}
	u32 left_out = thread_masks__nr_left_out(&recording->wish.masks, &recording->wish.cpus);

	if (!say->quiet && recording->wish.masks.nr && left_out)
		diag__say_warning("%u of %u CPUs have no writer thread: what happens there is not "
		                  "recorded\nname them in --threads, or use --threads=cpu",
		                  left_out, recording->wish.cpus.nr);
	if (!say->quiet)
		say_void_filters(&recording->wish.evlist);
	if (!say->verbose)
		return;
	fprintf(stderr, "mmap size %lluB\n",
	        (unsigned long long)(recording->wish.ring_size + sysconf(_SC_PAGESIZE)));
	if (say->verbose > 2)
		fprintf(stderr, "perf record done opening and mmapping events\n");
	for (u32 i = 0; i < recording->found.opener.nr_notes; i++)
		diag__line("%s", recording->found.opener.notes[i]);
	if (recording->wish.sources.tracefs.mounted)
		fprintf(stderr, "tracefs was not mounted: mounted it on %s\n",
		        recording->wish.sources.tracefs.path);
}

void record_messages__missing(const struct recording *recording, const struct record_loudness *say)
{
	const struct evsel *first = recording->wish.evlist.evsels[0];
	struct error stays = ERROR_INIT;

	if (recording->found.opener.user_only && !say->quiet)
		diag__say_warning("recording user space only: %s\n%s",
		                  recording->found.opener.user_only_reason.cause,
		                  recording->found.opener.user_only_reason.advice);
	if (!recording->wish.config.system_wide && !recording->wish.config.no_inherit &&
	    !say->quiet && evlist__probes_stay(&recording->wish.evlist, &stays))
		diag__warning(&stays);
	if (recording->probes.trouble.code && !say->quiet) {
		diag__say_warning("static probe points are recorded without their arguments:");
		diag__warning(&recording->probes.trouble);
	}
	if (recording->probes.nr_left_out == 1 && !say->quiet)
		diag__say_warning("%s", recording->probes.left_out);
	else if (recording->probes.nr_left_out && !say->quiet)
		diag__say_warning("%u arguments of static probe points are left out; the first: %s",
		                  recording->probes.nr_left_out, recording->probes.left_out);
	if (recording->found.kernel_hidden.code && !first->attr.exclude_kernel && !say->quiet)
		diag__warning(&recording->found.kernel_hidden);
	if (recording->found.modules_hidden.code && !first->attr.exclude_kernel && say->verbose)
		diag__warning(&recording->found.modules_hidden);
	if (recording->found.nr_cache_troubles && say->verbose)
		diag__warning(&recording->found.cache_trouble);
}

static void say_dump(const struct recording *recording)
{
	diag__line("[ perf record: Dump %s ]", recording__last_name(recording));
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

u64 record_messages__lost(const struct recording *recording)
{
	return max_u64(recording->found.pass.lost, recording->found.lost_by_counters);
}

/* What was unwound while it was recorded, and what was not. */
static void say_unwound(const struct live_counts *unwound)
{
	u64 nr = unwound->nr_unwound + unwound->nr_kept;

	if (!nr)
		return;
	fprintf(stderr, "[ perf record: Unwound %llu of %llu stacks while recording ]\n",
	        (unsigned long long)unwound->nr_unwound, (unsigned long long)nr);
	if (unwound->nr_kept)
		diag__say_warning(
		        "unwinding fell behind: %llu samples (%.1f %%) keep a copy of their "
		        "stack, to be unwound by who reads the file\n"
		        "sample less often (-F), let more wait (--unwind-live=256M), or "
		        "afterwards: perf inject --convert-callchain",
		        (unsigned long long)unwound->nr_kept, 100.0 * unwound->nr_kept / nr);
}

static double percent(u64 part, u64 all)
{
	return all ? 100.0 * part / all : 0;
}

static const char *depth_text(char *text, size_t size, u32 depth)
{
	snprintf(text, size, depth == UINT32_MAX ? "more than was copied" : "%u bytes of stack",
	         depth);
	return text;
}

/* -v: what each program's stacks said. */
static void say_programs(const struct call_graph_choice *choice)
{
	const struct call_graph_object *object = choice->objects;
	char depth[48], name[256];

	for (u32 i = 0; i < choice->nr_programs; i++) {
		const struct call_graph_tally *tally = &choice->programs[i].tally;

		fprintf(stderr,
		        "auto: %s: %llu stacks; all callers by frame pointers %.1f %%, by unwinding "
		        "%.1f %%; 99 %% need %s\n",
		        text__printable(name, sizeof(name), choice->programs[i].name),
		        (unsigned long long)tally->nr, percent(tally->pointers, tally->nr),
		        percent(tally->unwound, tally->nr),
		        depth_text(depth, sizeof(depth), tally->depth));
		for (; object < choice->objects + choice->nr_objects && object->program == i;
		     object++)
			fprintf(stderr,
			        "auto:   %s: %llu frames; around them %llu of %llu functions keep a "
			        "frame pointer\n",
			        text__printable(name, sizeof(name), object->name),
			        (unsigned long long)object->frames,
			        (unsigned long long)object->framed,
			        (unsigned long long)object->functions);
	}
}

/* What --call-graph auto has become, and why. */
static void say_choice(const struct recording *recording, const struct record_loudness *say)
{
	const struct call_graph_choice *choice = &recording->found.choice;
	const struct call_graph_tally *all = &choice->tally;

	if (recording->wish.config.chains != CHAIN_AUTO)
		return;
	if (choice->mode == CHAIN_AUTO) {
		fprintf(stderr,
		        "[ perf record: Call graphs: it ended within the pilot, in which all "
		        "stacks are unwound ]\n");
		return;
	}
	if (say->verbose)
		say_programs(choice);
	if (choice->mode == CHAIN_FP)
		fprintf(stderr, "[ perf record: Call graphs: fp; ");
	else
		fprintf(stderr, "[ perf record: Call graphs: dwarf,%u; ", choice->stack_size);
	fprintf(stderr, "frame pointers show all callers of %.1f %% of %llu stacks%s ]\n",
	        percent(all->pointers, all->nr), (unsigned long long)all->nr,
	        choice->functions_speak_against ? ", but few functions around keep one" : "");
	if (say->verbose && choice->mode == CHAIN_FP && recording->found.not_looking.code)
		diag__warning(&recording->found.not_looking);
	if (recording->found.changed.mode == CHAIN_AUTO)
		return;
	all = &recording->found.changed.tally;
	if (say->verbose)
		say_programs(&recording->found.changed);
	fprintf(stderr,
	        "[ perf record: Call graphs: then dwarf,%u; frame pointers showed all callers of "
	        "%.1f %% of %llu stacks ]\n",
	        recording->found.changed.stack_size, percent(all->pointers, all->nr),
	        (unsigned long long)all->nr);
}

/* Of how many is known where they were counted: not of streams and packed recordings. */
static void say_lost(const struct build_id_pass *pass, u64 lost)
{
	char share[32] = "";

	if (!lost)
		return;
	if (pass->counted)
		snprintf(share, sizeof(share), " (%.2f %%)",
		         losses__percent(lost, pass->nr_samples));
	diag__say_warning("lost %llu events%s: the rings were full; perf report --losses shows "
	                  "when\n"
	                  "sample less often (-F, -c), or give larger rings: -m 2M",
	                  (unsigned long long)lost, share);
}

/* What the kernel threw away because the user wished so; also when that was nothing. */
static void say_filtered(const struct recording *recording)
{
	const struct evlist *list = &recording->wish.evlist;

	for (u32 i = 0; i < list->nr; i++)
		if (evsel__has_sample_filter(list->evsels[i]))
			diag__line("[ perf record: %llu samples of '%s' did not pass its filter ]",
			           (unsigned long long)recording__nr_filtered(recording, i),
			           list->evsels[i]->name);
}

/* What it does counts; where that cannot be seen, which one it is. */
static bool kernel_shares_ids(void)
{
	int shared = id_check__are_shared();
	struct utsname kernel;

	return shared >= 0 ? shared : !uname(&kernel) && shared_ids__are_of(kernel.release);
}

/* Whose a sample is cannot be told of all events: see shared_ids.h. */
static void say_shared_ids(const struct recording *recording)
{
	const struct build_id_pass *pass = &recording->found.pass;
	const struct evlist *list = &recording->wish.evlist;
	const u64 *samples = NULL;
	char *names;
	u32 from = 0;

	/* When switching, the pass knows the last file only. */
	if (!recording->wish.switching && pass->nr_events == list->nr)
		samples = pass->samples_of;
	while ((names = shared_ids__next(list, samples, &from))) {
		if (kernel_shares_ids())
			diag__say_warning(
			        "which samples belong to which of %s cannot be told: this kernel "
			        "gives samples of software events of one kind the id of one of "
			        "them\nmake a recording of its own for each",
			        names);
		free(names);
	}
}

/* Why a probe in a program has no samples, if that is known. */
static void say_stale_probes(const struct recording *recording)
{
	const struct build_id_pass *pass = &recording->found.pass;
	const struct evlist *list = &recording->wish.evlist;
	struct error stale = ERROR_INIT;

	if (recording->wish.switching || pass->nr_events != list->nr || recording->found.packed_out)
		return; /* how many there are was not counted */
	for (u32 i = 0; i < list->nr; i++)
		if (evsel__is_tracepoint(list->evsels[i]) && !pass->samples_of[i] &&
		    probe_events__is_stale(list->evsels[i], &stale))
			diag__warning(&stale);
}

void record_messages__result(const struct recording *recording, const struct record_loudness *say)
{
	const struct build_id_pass *pass = &recording->found.pass;
	u64 lost = record_messages__lost(recording);
	char samples[40] = "", packed[80] = "";

	if (say->quiet)
		return;
	fprintf(stderr, "[ perf record: Woken up %llu times to write data ]\n",
	        (unsigned long long)recording__nr_woken(recording));
	say_lost(pass, lost);
	say_filtered(recording);
	say_shared_ids(recording);
	say_stale_probes(recording);
	say_choice(recording, say);
	if (recording->wish.config.unwind_live || recording->found.choice.mode == CHAIN_AUTO)
		say_unwound(&recording->found.unwound);
	if (recording__last_name(recording))
		say_dump(recording);
	if (recording->found.gone)
		diag__say_warning("'%s' was removed or renamed while it was written",
		                  recording->wish.output);
	if (recording->found.found_at)
		diag__say_warning("another recording was started as '%s' meanwhile: this one is "
		                  "'%s' now",
		                  recording->wish.output, recording->found.found_at);
	if (pass->nr_samples)
		snprintf(samples, sizeof(samples), " (%llu samples)",
		         (unsigned long long)pass->nr_samples);
	if (recording->found.packed_out)
		snprintf(packed, sizeof(packed), ", compressed (original %.3f MB, ratio is %.3f)",
		         recording->found.packed_in / 1048576.0, recording__ratio(recording));
	diag__line("[ perf record: Captured and wrote %.3f MB %s%s%s%s ]",
	           recording->found.data_size / 1048576.0, recording->wish.output,
	           recording__last_name(recording) ? ".<timestamp>" : "", samples, packed);
}
