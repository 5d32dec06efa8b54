// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The first walk over a file. Samples are only counted and their threads noted, with a few
 * compares each: everything that costs (ids, threads) is remembered from the last one.
 */
#include "util/machine/session.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/utsname.h>

#include "util/format/sample.h"
#include "util/lib/alloc.h"
#include "util/reader/features.h"
#include "util/reader/reads.h"

#define KERNEL_NAME    "[kernel.kallsyms]"
#define KNOWN_THREADS  256
#define FIRST_SAMPLES  1000 /* one of them must be what the events' descriptions say ... */
#define FEW_SAMPLES    4    /* ... or of all, where there are at least so many */
#define BUILD_ID_AT    12   /* of a BUILD_ID record: behind header and pid */
#define BUILD_ID_NAME  36
#define BUILD_ID_SIZED 0x8000 /* misc: the byte behind the id is its length */
#define BUILD_ID_OLD   20     /* length of ids without that mark */

struct scan {
	struct session *session;
	bool swap;
	u64 last_time; /* of the last record that had one */
	const struct session_watch *watch;
	struct error *err;
	bool watching; /* this block */
	bool changes;  /* this block had records that change what samples mean */
	/* What the last round promised, and the next will; see ordered.h. */
	u64 promised, next_promise;

	/* The id that the last sample carried, and whose it is. */
	u8 id_at; /* where all samples have their id; 0: there is no such place */
	u64 id;
	const struct evsel *evsel; /* NULL: ask */
	const struct sample_layout *layout;
	struct last_reads reads;
	u32 nr_disagreeing; /* samples so far, none of which agrees with its event */
	bool agrees;        /* one did */

	struct {
		s32 pid, tid;
	} known[KNOWN_THREADS]; /* noted already */
};

/* ---- samples ---- */

static void note_thread(struct scan *scan, s32 pid, s32 tid)
{
	u32 slot = ((u32)tid ^ (u32)pid << 3) % KNOWN_THREADS;

	if (likely(scan->known[slot].pid == pid && scan->known[slot].tid == tid))
		return;
	scan->known[slot].pid = pid;
	scan->known[slot].tid = tid;
	machine__note_sample_thread(scan->session->host, pid, tid);
}

/* False if the sample belongs to no event. */
static bool find_event(struct scan *scan, const struct record *record)
{
	struct session *session = scan->session;
	u64 id = 0;

	if (scan->id_at && record->size >= scan->id_at + 8)
		id = load_u64(record->data + scan->id_at, scan->swap);
	if (likely(scan->evsel && scan->id == id && (scan->id_at || session->evlist->nr == 1)))
		return true;
	scan->evsel = perf_data__find_evsel(session->data, record);
	if (!scan->evsel)
		return false;
	scan->id = id;
	scan->layout = perf_data__layout(session->data, scan->evsel);
	return true;
}

static void note_broken(struct scan *scan, const struct record *record)
{
	scan->session->stats.nr_broken++;
	broken_records__add(&scan->session->broken, record);
}

/* In the order of the file, which is that of time for the samples of one counter. */
static void scan_counts(struct scan *scan, const struct record *record, const struct sample *sample)
{
	struct session_stats *stats = &scan->session->stats;
	struct read_part part;

	if (!sample->read.nr)
		note_broken(scan, record);
	for (u64 i = 0; i < sample->read.nr; i++) {
		if (!last_reads__part(&scan->reads, scan->session->data, scan->layout, sample, i,
		                      &part))
			continue;
		if (part.evsel)
			stats->samples_of[part.evsel->idx]++;
		else
			stats->nr_unknown_id++;
	}
}

static void check_promise(struct session *session, u64 time)
{
	if (unlikely(time < session->relied))
		session->broken_promise = true;
}

static void scan_sample(struct scan *scan, const struct record *record)
{
	struct session_stats *stats = &scan->session->stats;
	struct sample sample;

	stats->nr_records[PERF_RECORD_SAMPLE]++;
	if (unlikely(!find_event(scan, record))) {
		stats->nr_unknown_id++;
		return;
	}
	if (unlikely(sample__decode_fast(scan->layout, record, scan->swap, &sample))) {
		note_broken(scan, record);
		if (scan->watching)
			scan->watch->sample(scan->watch->ctx, scan->evsel, NULL,
			                    (struct moment){ 0 });
		return;
	}
	if (scan->watching)
		scan->watch->sample(scan->watch->ctx, scan->evsel, &sample,
		                    session__moment(scan->session, record, sample.time));
	if (unlikely(scan->layout->has_counts))
		scan_counts(scan, record, &sample);
	else
		stats->samples_of[scan->evsel->idx]++;
	if (unlikely(sample.cpumode > PERF_RECORD_MISC_HYPERVISOR))
		stats->nr_guest_samples++;
	note_thread(scan, sample.pid, sample.tid);
	if (!scan->layout->time || sample.time == UINT64_MAX) {
		check_promise(scan->session, 0);
		return;
	}
	check_promise(scan->session, sample.time);
	scan->last_time = sample.time;
	stats->first_time = min_u64(stats->first_time, sample.time);
	stats->last_time = max_u64(stats->last_time, sample.time);
}

/* ---- side-band records ---- */

/* What the walk knows of a record that is no sample. */
struct side {
	const struct record *record;
	struct sample trailer;
	u32 evsel;
	struct moment when;
};

/*
 * The trailer, and the moment it gives. Where trailers of this event have no time but others do, a
 * record takes the time of the last one that had it; @body_time is what FORK and EXIT carry
 * themselves.
 */
static int read_trailer(struct scan *scan, struct side *side, u64 body_time)
{
	struct session *session = scan->session;
	const struct evsel *evsel = perf_data__find_evsel(session->data, side->record);

	if (!evsel)
		evsel = session->evlist->evsels[0];
	const struct sample_layout *layout = perf_data__layout(session->data, evsel);
	int ret = sample__decode_trailer(layout, side->record, scan->swap, &side->trailer);

	if (ret)
		return ret;
	u64 time = 0;

	if (layout->t_time)
		time = side->trailer.time;
	else
		time = body_time ? body_time : scan->last_time;
	side->evsel = evsel->idx;
	side->when = session__moment(session, side->record, time);
	if (side->when.time)
		scan->last_time = side->when.time;
	return 0;
}

static struct dso *dso_at(struct session *session, u32 dso)
{
	return &session->dsos.dsos[dso];
}

/*
 * The kernel's map is its .text, but code of .init.text lies behind: start_kernel and its callers
 * are at the root of each idle task's stack. No map of modules or programs is that near.
 */
#define KERNEL_INIT_REACH (64ull << 20)

/* As recorded: of the process that it names. */
static struct map_info map_of(const struct side *side, const struct mmap_record *map, u32 dso)
{
	return (struct map_info){
		.when = side->when,
		.pid = map->pid,
		.tid = map->tid,
		.start = map->start,
		.len = map->len,
		.pgoff = map->pgoff,
		.dso = dso,
		.prot = map->prot,
		.data = map->is_data,
	};
}

/*
 * A guest's kernel: one dso for each guest, as its build-id is not known. Samples in it name the
 * process that runs the guest.
 */
static void scan_guest_kernel(struct scan *scan, struct side *side, const struct mmap_record *map)
{
	struct session *session = scan->session;
	const char *end = map->name[0] == '[' ? strchr(map->name, ']') : NULL;
	/* Behind the bracket stands the reference symbol, as for the host's kernel. */
	char *name =
	        end ? xasprintf("%.*s", (int)(end + 1 - map->name), map->name) : xstrdup(map->name);
	u32 dso = dsos__get(&session->dsos, name, DSO_GUEST_KERNEL, -1, NULL, 0);
	struct map_info info = map_of(side, map, dso);

	free(name);
	info.pid = guest_kernel__pid(map->pid);
	info.tid = 0;
	info.data = false;
	machine__map(session->host, &info);
}

/* "[kernel.kallsyms]_text": the kernel itself, and the symbol whose address pgoff is. */
static u32 kernel_dso(struct session *session, const struct mmap_record *map)
{
	const u8 *id = map->has_build_id ? map->build_id : NULL;
	bool kernel = !strncmp(map->name, KERNEL_NAME, strlen(KERNEL_NAME));
	u32 number = dsos__get(&session->dsos, kernel ? KERNEL_NAME : map->name,
	                       kernel ? DSO_KERNEL : DSO_MODULE, -1, id, map->build_id_size);
	struct dso *dso = dso_at(session, number);

	dso->text_start = map->start;
	dso->text_end = map->len > UINT64_MAX - map->start ? UINT64_MAX : map->start + map->len;
	if (kernel && map->name[strlen(KERNEL_NAME)]) {
		dso->text_pgoff = map->pgoff;
		dso->ref_symbol = strtab__add(&session->strings, map->name + strlen(KERNEL_NAME));
	}
	return number;
}

static u32 user_dso(struct session *session, const struct mmap_record *map)
{
	enum dso_kind kind = dso_kind__of_map(map->name);
	struct dso_inode inode = { map->maj, map->min, map->ino };

	/* Data of no file has no code in it that a perf-PID.map could name. */
	if (kind == DSO_ANON && map->is_data)
		kind = DSO_UNKNOWN;
	if (kind != DSO_USER)
		return dsos__get(&session->dsos, map->name, kind, map->pid, NULL, 0);
	return dsos__get_file(&session->dsos, map->name, map->pid, &inode,
	                      map->has_build_id ? map->build_id : NULL, map->build_id_size);
}

/* Of the part that is code. */
static void note_size(struct session *session, u32 number, const struct mmap_record *map)
{
	struct dso *dso = dso_at(session, number);

	if (!map->is_data && map->len > dso->mapped)
		dso->mapped = map->len;
}

static int scan_mmap(struct scan *scan, struct side *side)
{
	struct session *session = scan->session;
	u8 cpumode = side->record->misc & PERF_RECORD_MISC_CPUMODE_MASK;
	struct mmap_record map;
	int ret = mmap_record__decode(side->record, scan->swap, &map);

	if (!ret)
		ret = read_trailer(scan, side, 0);
	if (ret)
		return ret;
	if (cpumode == PERF_RECORD_MISC_KERNEL) {
		u32 dso = kernel_dso(session, &map);

		note_size(session, dso, &map);
		if (dso_at(session, dso)->kind == DSO_KERNEL &&
		    map.len < UINT64_MAX - KERNEL_INIT_REACH - map.start)
			map.len += KERNEL_INIT_REACH;
		struct map_info info = map_of(side, &map, dso);

		info.pid = -1;
		info.data = false;
		machine__map(session->host, &info);
		return 0;
	}
	if (cpumode > PERF_RECORD_MISC_HYPERVISOR) {
		session->stats.nr_guest_maps++;
		if (cpumode == PERF_RECORD_MISC_GUEST_KERNEL && (s32)map.pid >= 0)
			scan_guest_kernel(scan, side, &map);
		return 0;
	}
	if ((s32)map.pid == -1) /* a task that was gone: nobody has this pid */
		return 0;
	struct map_info info = map_of(side, &map, user_dso(session, &map));

	note_size(session, info.dso, &map);
	machine__map(session->host, &info);
	return 0;
}

static int scan_comm(struct scan *scan, struct side *side)
{
	struct session *session = scan->session;
	struct comm_record comm;
	int ret = comm_record__decode(side->record, scan->swap, &comm);

	if (!ret)
		ret = read_trailer(scan, side, 0);
	if (!ret)
		machine__comm(session->host, side->when, comm.pid, comm.tid,
		              strtab__add(&session->strings, comm.name), comm.exec);
	return ret;
}

static int scan_task(struct scan *scan, struct side *side)
{
	struct machine *host = scan->session->host;
	struct task_record task;
	int ret = task_record__decode(side->record, scan->swap, &task);

	if (!ret)
		ret = read_trailer(scan, side, task.time);
	if (ret)
		return ret;
	if (side->record->type == PERF_RECORD_FORK)
		machine__fork(host, side->when, task.pid, task.ppid, task.tid, task.ptid,
		              !(side->record->misc & PERF_RECORD_MISC_FORK_EXEC));
	else
		machine__exit(host, side->when, task.pid, task.tid);
	return 0;
}

static int scan_ksymbol(struct scan *scan, struct side *side)
{
	struct session *session = scan->session;
	struct ksymbol_record symbol;
	int ret = ksymbol_record__decode(side->record, scan->swap, &symbol);

	if (!ret)
		ret = read_trailer(scan, side, 0);
	if (ret)
		return ret;
	if (symbol.flags & PERF_RECORD_KSYMBOL_FLAGS_UNREGISTER) {
		machine__unmap_kernel(session->host, side->when, symbol.addr, symbol.len);
		return 0;
	}
	u32 number = dsos__get(&session->dsos, symbol.name, DSO_BPF, -1, NULL, 0);
	struct dso *dso = dso_at(session, number);

	dso->text_start = symbol.addr;
	dso->text_end = symbol.addr + min_u64(symbol.len, UINT64_MAX - symbol.addr);
	machine__map(session->host, &(struct map_info){ .when = side->when,
	                                                .pid = -1,
	                                                .start = symbol.addr,
	                                                .len = symbol.len,
	                                                .dso = number,
	                                                .prot = PROT_EXEC });
	return 0;
}

static int scan_lost(struct scan *scan, struct side *side)
{
	struct session_stats *stats = &scan->session->stats;
	bool samples = side->record->type == PERF_RECORD_LOST_SAMPLES;
	struct cursor c = cursor__make(side->record->data + RECORD_HEADER_SIZE,
	                               side->record->size - RECORD_HEADER_SIZE, scan->swap);

	if (!samples)
		cursor__u64(&c); /* id */
	u64 lost = cursor__u64(&c);

	if (c.failed || read_trailer(scan, side, 0))
		return -EBADMSG;
	if (samples) {
		stats->lost_samples += lost;
		stats->lost_samples_of[side->evsel] += lost;
	} else {
		stats->lost += lost;
	}
	return 0;
}

/* ---- build-ids, told when all dsos are known ---- */

struct told_build_id {
	u32 name;
	u8 size;
	u8 id[20];
};

static int scan_build_id(struct scan *scan, const struct record *record)
{
	struct session *session = scan->session;
	u8 cpumode = record->misc & PERF_RECORD_MISC_CPUMODE_MASK;
	struct cursor c = cursor__make(record->data, record->size, scan->swap);
	struct told_build_id told = { .size = BUILD_ID_OLD };

	cursor__bytes(&c, BUILD_ID_AT);
	const u8 *id = cursor__bytes(&c, BUILD_ID_NAME - BUILD_ID_AT);
	const char *name = cursor__str(&c, cursor__left(&c));

	if (c.failed)
		return -EBADMSG;
	if (cpumode > PERF_RECORD_MISC_HYPERVISOR)
		return 0;
	if (record->misc & BUILD_ID_SIZED)
		told.size = id[sizeof(told.id)];
	if (told.size > sizeof(told.id))
		return -EBADMSG;
	memcpy(told.id, id, sizeof(told.id));
	told.name = strtab__add(&session->strings, name);
	array__reserve(&session->told, &session->told_cap, session->nr_told + 1,
	               sizeof(*session->told));
	session->told[session->nr_told++] = told;
	return 0;
}

static void tell_build_id(void *ctx, const struct build_id_entry *entry)
{
	struct session *session = ctx;

	if (entry->cpumode <= PERF_RECORD_MISC_HYPERVISOR)
		dsos__set_build_id(&session->dsos, entry->name, entry->id, entry->size);
}

/* Those in the stream (perf inject -b) first, then the header's. */
static void tell_build_ids(struct session *session)
{
	for (u32 i = 0; i < session->nr_told; i++) {
		const struct told_build_id *told = &session->told[i];

		dsos__set_build_id(&session->dsos, strtab__get(&session->strings, told->name),
		                   told->id, told->size);
	}
	free(session->told);
	session->told = NULL;
	session->nr_told = session->told_cap = 0;
	perf_data__build_ids(session->data, tell_build_id, session);
}

/* ---- the walk ---- */

/* The record begins with the process whose samples mean something else from now on. */
static void note_change(struct scan *scan, const struct record *record)
{
	u32 pid = load_u32(record->data + sizeof(struct perf_event_header), scan->swap);

	scan->changes = true;
	if (scan->watch)
		scan->watch->change(scan->watch->ctx, pid);
}

/* A record that is for the machine, by its function. */
static int feed(struct scan *scan, struct side *side, int (*by)(struct scan *, struct side *))
{
	int ret = by(scan, side);

	if (!ret)
		check_promise(scan->session, side->when.time);
	return ret;
}

static void scan_side(struct scan *scan, const struct record *record)
{
	struct side side = { .record = record };
	int ret = 0;

	if (!record__body_fits(record, scan->swap)) {
		note_broken(scan, record);
		return;
	}
	switch (record->type) {
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2:
		note_change(scan, record);
		ret = feed(scan, &side, scan_mmap);
		break;
	case PERF_RECORD_COMM:
		note_change(scan, record);
		ret = feed(scan, &side, scan_comm);
		break;
	case PERF_RECORD_FORK:
	case PERF_RECORD_EXIT:
		if (record->type == PERF_RECORD_FORK)
			note_change(scan, record);
		ret = feed(scan, &side, scan_task);
		break;
	case PERF_RECORD_KSYMBOL:
		scan->changes = true;
		ret = feed(scan, &side, scan_ksymbol);
		break;
	case PERF_RECORD_LOST:
	case PERF_RECORD_LOST_SAMPLES:
		ret = scan_lost(scan, &side);
		break;
	case PERF_RECORD_NAMESPACES:
	case PERF_RECORD_CGROUP:
		ret = cgroup_names__learn(&scan->session->cgroups, record, scan->swap);
		break;
	case RECORD_BUILD_ID:
		ret = scan_build_id(scan, record);
		break;
	case RECORD_FINISHED_ROUND:
		scan->promised = scan->next_promise;
		scan->next_promise = scan->session->stats.last_time;
		break;
	}
	if (ret)
		note_broken(scan, record);
}

/*
 * Where no sample is what its event's description says it is the descriptions that are wrong, and
 * what would be shown is made up.
 */
static int refuse_events(const struct scan *scan)
{
	error__set(scan->err, -EBADMSG, "cannot read", perf_data__path(scan->session->data),
	           "its samples are not what its event descriptions say: one or the other is "
	           "damaged");
	return -EBADMSG;
}

/* No sample did so far. False: that were too many. */
static bool may_agree(struct scan *scan, const struct record *record)
{
	scan->agrees = perf_data__sample_agrees(scan->session->data, record);
	return scan->agrees || ++scan->nr_disagreeing < FIRST_SAMPLES;
}

static int scan_block(void *ctx, const struct data_block *block)
{
	struct scan *scan = ctx;
	struct session_stats *stats = &scan->session->stats;

	scan->changes = false;
	scan->session->nr_walked = block->index + 1;
	if (scan->session->broken_promise && scan->watch)
		return 0; /* all of it will be read again */
	u64 promised = scan->promised;

	for (struct record r = { 0 }; data_block__next(block, scan->swap, &r);) {
		if (likely(r.type == PERF_RECORD_SAMPLE)) {
			if (unlikely(!scan->agrees) && !may_agree(scan, &r))
				return refuse_events(scan);
			scan_sample(scan, &r);
		} else if (r.type < RECORD_TYPE_MAX && record__type_name(r.type)) {
			stats->nr_records[r.type]++;
			scan_side(scan, &r);
		} else {
			stats->nr_unknown++;
		}
	}
	if (scan->watch)
		scan->watching = scan->watch->block(scan->watch->ctx, block->index, scan->changes);
	if (scan->watch && scan->watch->round && scan->promised > promised &&
	    !scan->session->broken_promise)
		scan->watch->round(scan->watch->round_ctx, scan->promised);
	return 0;
}

/* One place for the id in all samples lets the last one's event be used again unasked. */
static void prepare(struct scan *scan)
{
	struct session *session = scan->session;

	for (u32 i = 0; i < session->evlist->nr; i++) {
		const struct sample_layout *layout =
		        perf_data__layout(session->data, session->evlist->evsels[i]);
		u8 at = layout->identifier ? layout->identifier : layout->id;

		if (!i)
			scan->id_at = at;
		else if (at != scan->id_at)
			scan->id_at = 0;
	}
	if (session->evlist->nr == 1)
		scan->id_at = 0; /* whatever it says */
	/* Empty slots hold a pair that belongs into another slot, so it is found in none. */
	for (u32 i = 0; i < KNOWN_THREADS; i++)
		scan->known[i].tid = i + 1;
}

static void sum_damages(struct session *session)
{
	u32 nr;
	const struct data_damage *damages = perf_data__damages(session->data, &nr);

	session->stats.nr_damages = nr;
	session->stats.damaged_bytes = 0;
	for (u32 i = 0; i < nr; i++)
		session->stats.damaged_bytes += damages[i].size;
}

/* What the walk took in, made fit for questions; true where answers are not what they were. */
static bool settle(struct session *session)
{
	bool changed;

	tell_build_ids(session);
	if (perf_data__is_live(session->data))
		changed = machine__settle(session->host);
	else
		changed = machine__finish(session->host);
	sum_damages(session);
	return changed;
}

static void end_walk(struct session *session)
{
	if (!session->scan)
		return;
	last_reads__exit(&session->scan->reads);
	free(session->scan);
	session->scan = NULL;
}

static void begin_scan(struct scan *scan, struct session *session,
                       const struct session_watch *watch, struct error *err)
{
	*scan = (struct scan){ .session = session,
		               .swap = perf_data__swapped(session->data),
		               .watch = watch,
		               .err = err };
	prepare(scan);
}

/* What has a number (strings, dsos) would get it again. */
void session__restart(struct session *session)
{
	struct session_stats *stats = &session->stats;
	u64 *samples_of = stats->samples_of, *lost_samples_of = stats->lost_samples_of;
	size_t size = session->evlist->nr * sizeof(u64);

	memset(samples_of, 0, size);
	memset(lost_samples_of, 0, size);
	*stats = (struct session_stats){ .first_time = UINT64_MAX,
		                         .samples_of = samples_of,
		                         .lost_samples_of = lost_samples_of };
	broken_records__exit(&session->broken);
	session->broken = (struct broken_records){ .nr = 0 };
	session->nr_told = 0;
	session->relied = 0;
	session->forgot = false;
	machine__delete(session->host);
	session->host = machine__new(&session->strings);
}

/* The blocks that were walked. */
static int walk_again(struct session *session, struct error *err)
{
	struct block_buffer buffer = { 0 };
	struct data_block block;
	int ret = 0;

	for (u32 i = 0; !ret && i < perf_data__nr_blocks(session->data); i++) {
		ret = perf_data__read_block(session->data, i, &buffer, &block);
		if (ret)
			error__set(err, ret, "cannot read again", perf_data__path(session->data),
			           NULL);
		else
			ret = scan_block(session->scan, &block);
	}
	free(buffer.buf);
	return ret;
}

/* Without a watch, as its promise was broken. */
static int scan_again(struct session *session, struct error *err)
{
	session__restart(session);
	last_reads__exit(&session->scan->reads);
	begin_scan(session->scan, session, NULL, err);
	return walk_again(session, err);
}

int session__scan_watched(struct session *session, const struct session_watch *watch,
                          struct error *err)
{
	struct scan *scan = session->scan = xcalloc(1, sizeof(*scan));

	begin_scan(scan, session, watch, err);
	int ret = session->was_walked ? walk_again(session, err)
	                              : perf_data__walk(session->data, scan_block, scan, err);

	session->was_walked = true;
	if (!ret && session->broken_promise)
		ret = scan_again(session, err);
	if (!ret && !scan->agrees && scan->nr_disagreeing >= FEW_SAMPLES &&
	    !perf_data__is_live(session->data))
		ret = refuse_events(scan);
	settle(session);
	if (!perf_data__is_live(session->data))
		end_walk(session);
	return ret;
}

u64 session__last_time(const struct session *session)
{
	return session->scan ? session->scan->last_time : 0;
}

int session__more(struct session *session, bool *changed, struct error *err)
{
	int ret = perf_data__more(session->data, err);

	*changed = false;
	if (ret <= 0)
		return ret;
	session->scan->err = err;
	ret = perf_data__walk_on(session->data, scan_block, session->scan, err);
	*changed = settle(session);
	return ret ? ret : 1;
}

static bool differs(const struct session *session, unsigned feature, const char *here)
{
	const char *there = perf_data__feature_string(session->data, feature);

	return there && *there && strcmp(there, here) != 0;
}

bool session__kernel_is_live(const struct session *session)
{
	struct utsname here;

	for (u32 i = 0; i < session->dsos.nr; i++)
		if (session->dsos.dsos[i].kind == DSO_KERNEL && session->dsos.dsos[i].build_id_size)
			return true;
	if (uname(&here))
		return false;
	return !differs(session, FEATURE_OSRELEASE, here.release) &&
	       !differs(session, FEATURE_ARCH, here.machine) &&
	       !differs(session, FEATURE_HOSTNAME, here.nodename);
}

/* Does an event have TIME, and all of them trailers? */
static bool times_are_told(const struct evlist *evlist)
{
	bool time = false;

	for (u32 i = 0; i < evlist->nr; i++) {
		time |= (evlist->evsels[i]->attr.sample_type & PERF_SAMPLE_TIME) != 0;
		if (!evlist->evsels[i]->attr.sample_id_all)
			return false;
	}
	return time;
}

int session__open(struct session *session, const char *path, unsigned flags, struct error *err)
{
	*session = (struct session){ .stats.first_time = UINT64_MAX };
	session->data = perf_data__open(path, flags, err);
	if (!session->data)
		return err ? err->code : -EINVAL;
	session->evlist = perf_data__evlist(session->data);
	session->by_offset = !times_are_told(session->evlist);
	strtab__init(&session->strings);
	cgroup_names__init(&session->cgroups);
	dsos__init(&session->dsos, &session->strings);
	session->host = machine__new(&session->strings);
	session->stats.samples_of = xcalloc(session->evlist->nr, sizeof(u64));
	session->stats.lost_samples_of = xcalloc(session->evlist->nr, sizeof(u64));
	return 0;
}

void session__close(struct session *session)
{
	if (!session->data)
		return;
	end_walk(session);
	machine__delete(session->host);
	dsos__exit(&session->dsos);
	strtab__exit(&session->strings);
	cgroup_names__exit(&session->cgroups);
	broken_records__exit(&session->broken);
	free(session->told);
	free(session->stats.samples_of);
	free(session->stats.lost_samples_of);
	perf_data__close(session->data);
	*session = (struct session){ .data = NULL };
}

bool session__has_chains(const struct session *session)
{
	for (u32 i = 0; i < session->evlist->nr; i++)
		if (session->evlist->evsels[i]->attr.sample_type & PERF_SAMPLE_CALLCHAIN)
			return true;
	return false;
}
