// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/record/look.h"

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

struct look {
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

static void add_event(struct look *look, const struct evsel *like)
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
		.sample_freq = LOOK_FREQUENCY,
		.disabled = 1,
		.inherit = like->attr.inherit,
		.exclude_kernel = like->attr.exclude_kernel,
		.exclude_hv = 1,
		.exclude_callchain_kernel = 1,
		.sample_id_all = 1,
	};

	evlist__add(&look->list, &attr, "cpu-clock");
	evsel__set_text(&look->list.evsels[0]->cgroup, like->cgroup);
	look->list.evsels[0]->cgroup_fd = like->cgroup_fd;
}

struct look *look__new(struct opener *opener, const struct evsel *like, const struct cpu_map *cpus,
                       const struct thread_map *threads, struct error *err)
{
	struct look *look = xcalloc(1, sizeof(*look));
	int ret;

	look->cpus = cpus;
	look->threads = threads;
	out__init(&look->copy, -1);
	add_event(look, like);
	struct evsel *evsel = look->list.evsels[0];

	ret = evsel__open(opener, &look->list, evsel, cpus, threads, err);
	if (!ret)
		ret = evsel__read_ids(evsel);
	if (!ret)
		ret = rings__map(&look->rings, &look->list, cpus, threads, RING_SIZE, err);
	sample_layout__init(&look->layout, &evsel->attr);
	if (!ret)
		look->live = live_unwind__new(&look->list, UINT64_MAX, write_nothing, NULL, err);
	if (look->live)
		return look;
	look__delete(look);
	return NULL;
}

void look__delete(struct look *look)
{
	if (!look)
		return;
	live_unwind__delete(look->live);
	rings__unmap(&look->rings);
	/* The folder of a cgroup belongs to the event that is measured. */
	for (u32 i = 0; i < look->list.nr; i++)
		evsel__set_text(&look->list.evsels[i]->cgroup, NULL);
	evlist__exit(&look->list);
	u64map__exit(&look->maps_of_pid);
	out__exit(&look->copy);
	free(look);
}

static struct live_chains *chains_of(const struct look *look)
{
	return live_unwind__chains(look->live);
}

int look__start(struct look *look)
{
	live_chains__start_pilot(chains_of(look));
	return evsel__enable(look->list.evsels[0]);
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
static bool tell_maps(struct look *look, s32 pid)
{
	struct thread_map map = THREAD_MAP_INIT;
	struct synth synth;
	u32 hash = hash_maps(pid);

	if (!hash)
		return false;
	if (look->maps_of_pid.used > SEEN_MAX)
		u64map__exit(&look->maps_of_pid);
	u32 *known = u64map__at(&look->maps_of_pid, (u32)pid);

	if (*known == hash)
		return true;
	*known = hash;
	thread_map__add(&map, pid);
	synth__init(&synth, &look->list, tell, look->live);
	synth.data_maps = true;
	synth__tasks(&synth, &map);
	synth__exit(&synth);
	thread_map__exit(&map);
	return true;
}

static void take_sample(struct look *look, const struct record *record, struct live_batch *batch)
{
	const struct ring_span span = { record->data, record->size };
	struct sample sample;

	if (record->type != PERF_RECORD_SAMPLE ||
	    sample__decode(&look->layout, record, false, &sample) || !tell_maps(look, sample.pid))
		return;
	live_batch__add(batch, &span);
	look->wanted--;
}

/* As many stacks as are wanted; the rest of the ring is thrown away. */
static void read_ring(struct look *look, struct ring *ring, struct live_batch *batch)
{
	struct ring_span spans[2];
	u64 len = ring__read(ring, spans);
	const u8 *data = spans[0].data;
	struct record record;

	if (spans[1].len && look->wanted) {
		look->copy.len = 0;
		out__mem(&look->copy, spans[0].data, spans[0].len);
		out__mem(&look->copy, spans[1].data, spans[1].len);
		data = (const u8 *)look->copy.buf;
	}
	for (u64 at = 0; look->wanted && record__take(data + at, len - at, &record);
	     at += record.size)
		take_sample(look, &record, batch);
	ring__consume(ring, len);
}

/* Another ring comes first each time. */
static void read_rings(struct look *look)
{
	struct live_batch *batch = live_unwind__batch(look->live);

	look->wanted = look->suspicious ? AT_ONCE : 1;
	for (u32 i = 0; i < look->rings.nr; i++)
		read_ring(look, &look->rings.rings[(look->next_ring + i) % look->rings.nr], batch);
	look->next_ring++;
	live_unwind__submit(look->live, batch);
}

/* ---- what follows ---- */

/* The new pilot hears of all processes again. */
static void start_pilot(struct look *look)
{
	live_chains__start_pilot(chains_of(look));
	u64map__exit(&look->maps_of_pid);
}

static bool judge(struct look *look, struct pilot_choice *choice)
{
	const struct pilot *pilot = live_chains__pilot(chains_of(look));
	bool suspicious = look->suspicious;

	if (pilot__nr(pilot) < PILOT_STACKS &&
	    (suspicious || pilot__nr_against(pilot) < SUSPICIOUS))
		return false;
	if (suspicious) {
		pilot__choose(pilot, choice);
		if (choice->mode == CHAIN_DWARF)
			return true;
		pilot_choice__exit(choice);
	}
	look->suspicious = !suspicious && pilot__nr_against(pilot) >= SUSPICIOUS;
	start_pilot(look);
	return false;
}

bool look__step(struct look *look, u64 now_ms, struct pilot_choice *choice)
{
	if (now_ms - look->stepped_ms < LOOK_MS)
		return false;
	look->stepped_ms = now_ms;
	live_unwind__drain(look->live);
	if (judge(look, choice))
		return true;
	read_rings(look);
	return false;
}
