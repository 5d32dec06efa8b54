// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/record/call_graph_watch.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "arch/arch.h"
#include "util/counter/ring.h"
#include "util/lib/alloc.h"
#include "util/lib/hash.h"
#include "util/record/live_unwind.h"
#include "util/synthesize/synthesize.h"

#define COPY_SIZE  32768
#define RING_SIZE  (512u << 10)
#define SUSPICIOUS 2  /* stacks that speak against frame pointers */
#define AT_ONCE    16 /* stacks, when there is a suspicion */
#define SEEN_MAX   4096

struct call_graph_watch {
	struct evlist list; /* one event */
	const struct cpu_map *cpus;
	const struct thread_map *threads;
	struct rings rings;
	struct sample_layout layout;
	struct live_unwind *live;
	struct u64map maps_of_pid; /* hash of what was told */
	struct out copy;           /* of a ring whose records wrap */
	u64 stepped_ms;
	u32 next_ring;
	u32 wanted; /* stacks of this step */
	bool suspicious;
};

static int write_nothing(void *ctx, const u8 *records, size_t len, bool round)
{
	(void)ctx, (void)records, (void)len, (void)round;
	return 0;
}

static void add_event(struct call_graph_watch *watch, const struct evsel *like)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = EVSEL_ATTR_SIZE,
		.config = PERF_COUNT_SW_CPU_CLOCK,
		.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
		               PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_REGS_USER |
		               PERF_SAMPLE_STACK_USER,
		.sample_regs_user = arch__here()->dwarf_registers,
		.sample_stack_user = COPY_SIZE,
		.sample_max_stack = like->attr.sample_max_stack,
		.freq = 1,
		.sample_freq = CALL_GRAPH_WATCH_FREQUENCY,
		.disabled = 1,
		.inherit = like->attr.inherit,
		.exclude_kernel = like->attr.exclude_kernel,
		.exclude_hv = 1,
		.exclude_callchain_kernel = 1,
		.sample_id_all = 1,
	};

	evlist__add(&watch->list, &attr, "cpu-clock");
	evsel__set_text(&watch->list.evsels[0]->cgroup, like->cgroup);
	watch->list.evsels[0]->cgroup_fd = like->cgroup_fd;
}

struct call_graph_watch *call_graph_watch__new(struct opener *opener, const struct evsel *like,
                                               const struct cpu_map *cpus,
                                               const struct thread_map *threads, struct error *err)
{
	struct call_graph_watch *watch = xcalloc(1, sizeof(*watch));
	int ret;

	watch->cpus = cpus;
	watch->threads = threads;
	out__init(&watch->copy, -1);
	add_event(watch, like);
	struct evsel *evsel = watch->list.evsels[0];

	ret = evsel__open(opener, &watch->list, evsel, cpus, threads, err);
	if (!ret)
		ret = evsel__read_ids(evsel);
	if (!ret)
		ret = rings__map(&watch->rings, &watch->list, cpus, threads, RING_SIZE, err);
	sample_layout__init(&watch->layout, &evsel->attr);
	if (!ret)
		watch->live = live_unwind__new(&watch->list, UINT64_MAX, write_nothing, NULL, err);
	if (watch->live)
		return watch;
	call_graph_watch__delete(watch);
	return NULL;
}

void call_graph_watch__delete(struct call_graph_watch *watch)
{
	if (!watch)
		return;
	live_unwind__delete(watch->live);
	rings__unmap(&watch->rings);
	/* The folder of a cgroup belongs to the event that is measured. */
	for (u32 i = 0; i < watch->list.nr; i++)
		evsel__set_text(&watch->list.evsels[i]->cgroup, NULL);
	evlist__exit(&watch->list);
	u64map__exit(&watch->maps_of_pid);
	out__exit(&watch->copy);
	free(watch);
}

static struct live_chains *chains_of(const struct call_graph_watch *watch)
{
	return live_unwind__chains(watch->live);
}

int call_graph_watch__start(struct call_graph_watch *watch)
{
	live_chains__start_pilot(chains_of(watch));
	return evsel__enable(watch->list.evsels[0]);
}

/* ---- one stack ---- */

static int tell(void *ctx, const void *records, size_t len)
{
	live_unwind__tell(ctx, records, len);
	return 0;
}

/* Of what /proc says is mapped; 0: nothing, the process is gone. */
static u32 hash_maps(s32 pid)
{
	char path[64], part[4096];
	u64 hash = 0;
	ssize_t len;

	snprintf(path, sizeof(path), "/proc/%d/maps", pid);
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return 0;
	while ((len = read(fd, part, sizeof(part))) > 0)
		hash = hash__add(hash, hash__bytes(part, len));
	close(fd);
	return hash ? (u32)(hash & INT32_MAX) | 1 : 0;
}

/* What is mapped in the process, unless that was told. False: it is gone. */
static bool tell_maps(struct call_graph_watch *watch, s32 pid)
{
	struct thread_map map = THREAD_MAP_INIT;
	struct synth synth;
	u32 hash = hash_maps(pid);

	if (!hash)
		return false;
	if (watch->maps_of_pid.used > SEEN_MAX)
		u64map__exit(&watch->maps_of_pid);
	u32 *known = u64map__at(&watch->maps_of_pid, (u32)pid);

	if (*known == hash)
		return true;
	*known = hash;
	thread_map__add(&map, pid);
	synth__init(&synth, &watch->list, tell, watch->live);
	synth.data_maps = true;
	synth__tasks(&synth, &map);
	synth__exit(&synth);
	thread_map__exit(&map);
	return true;
}

static void take_sample(struct call_graph_watch *watch, const struct record *record,
                        struct live_batch *batch)
{
	const struct ring_span span = { record->data, record->size };
	struct sample sample;

	if (record->type != PERF_RECORD_SAMPLE ||
	    sample__decode(&watch->layout, record, false, &sample) || !tell_maps(watch, sample.pid))
		return;
	live_batch__add(batch, &span);
	watch->wanted--;
}

/* As many stacks as are wanted; the rest of the ring is thrown away. */
static void read_ring(struct call_graph_watch *watch, struct ring *ring, struct live_batch *batch)
{
	struct ring_span spans[2];
	u64 len = ring__read(ring, spans);
	const u8 *data = spans[0].data;
	struct record record;

	if (spans[1].len && watch->wanted) {
		watch->copy.len = 0;
		out__mem(&watch->copy, spans[0].data, spans[0].len);
		out__mem(&watch->copy, spans[1].data, spans[1].len);
		data = (const u8 *)watch->copy.buf;
	}
	for (u64 at = 0; watch->wanted && record__take(data + at, len - at, &record);
	     at += record.size)
		take_sample(watch, &record, batch);
	ring__consume(ring, len);
}

/* Another ring comes first each time. */
static void read_rings(struct call_graph_watch *watch)
{
	struct live_batch *batch = live_unwind__batch(watch->live);

	watch->wanted = watch->suspicious ? AT_ONCE : 1;
	for (u32 i = 0; i < watch->rings.nr; i++)
		read_ring(watch, &watch->rings.rings[(watch->next_ring + i) % watch->rings.nr],
		          batch);
	watch->next_ring++;
	live_unwind__submit(watch->live, batch);
}

/* ---- what follows ---- */

/* The new pilot hears of all processes again. */
static void start_pilot(struct call_graph_watch *watch)
{
	live_chains__start_pilot(chains_of(watch));
	u64map__exit(&watch->maps_of_pid);
}

static bool judge(struct call_graph_watch *watch, struct call_graph_choice *choice)
{
	const struct call_graph_pilot *pilot = live_chains__pilot(chains_of(watch));
	bool suspicious = watch->suspicious;

	if (call_graph_pilot__nr(pilot) < CALL_GRAPH_STACKS &&
	    (suspicious || call_graph_pilot__nr_against(pilot) < SUSPICIOUS))
		return false;
	if (suspicious) {
		call_graph_pilot__choose(pilot, choice);
		if (choice->mode == CHAIN_DWARF)
			return true;
		call_graph_choice__exit(choice);
	}
	watch->suspicious = !suspicious && call_graph_pilot__nr_against(pilot) >= SUSPICIOUS;
	start_pilot(watch);
	return false;
}

bool call_graph_watch__step(struct call_graph_watch *watch, u64 now_ms,
                            struct call_graph_choice *choice)
{
	if (now_ms - watch->stepped_ms < CALL_GRAPH_WATCH_MS)
		return false;
	watch->stepped_ms = now_ms;
	live_unwind__drain(watch->live);
	if (judge(watch, choice))
		return true;
	read_rings(watch);
	return false;
}
