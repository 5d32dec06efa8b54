// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Records are copied through a buffer, whole and unchanged unless they are merged. Everything is
 * looked up in the timeline that the session's walk has made, so each sample can be handled when it
 * comes.
 */
#include "util/export/inject.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "util/analysis/sampled_dsos.h"
#include "util/archive/build_id_cache_add.h"
#include "util/buildid/build_id_cache.h"
#include "util/export/convert_chain.h"
#include "util/export/sched_merge.h"
#include "util/format/ends.h"
#include "util/format/sample.h"
#include "util/jit/jit_elf.h"
#include "util/stream/stream.h"
#include "util/symtab/mapped_file.h"
#include "util/writer/pipe_write.h"

#define BUFFER_SIZE    (256 * 1024)
#define BUILD_ID_HEAD  36 /* header 8, pid 4, id 20, length 1, zeros 3 */
#define BUILD_ID_STEP  64 /* names are filled up to multiples of it */
#define BUILD_ID_MAX   0x8000
#define MAP_INODE      40 /* where a MMAP2 record has device, inode and generation */
#define MAP_INODE_SIZE 24

struct inject {
	struct session *session;
	const struct inject_options *options;
	struct inject_counts *counts;
	struct error *err;
	struct data_writer *writer;
	struct stream *stream;
	struct sched_merge *sched; /* NULL: not asked for */
	u8 *converted;             /* the last sample that was; NULL: none are */
	struct out buffer;         /* whole records */
	bool *done;                /* by dso */
	bool *hit;                 /* by dso, for map_build_ids: samples fell into it; else NULL */
	u32 nr_done;
	struct build_id_entry *entries; /* of the new header */
	size_t nr_entries, entries_cap;
	u32 next_map; /* of the JIT maps: the first not yet written */
	int error;
};

/* ---- output ---- */

static int flush(struct inject *x)
{
	if (!x->error && x->buffer.len)
		x->error = data_writer__append_bytes(x->writer, x->buffer.buf, x->buffer.len);
	x->buffer.len = 0;
	return x->error;
}

static void put(struct inject *x, const void *record, size_t size)
{
	out__mem(&x->buffer, record, size);
	if (x->buffer.len >= BUFFER_SIZE)
		flush(x);
}

/* ---- build-ids ---- */

/* The header's list: the first one of an object stays, but a known one goes over all others. */
static void add_entry(struct inject *x, const struct build_id_entry *entry, bool replace)
{
	for (size_t i = 0; i < x->nr_entries; i++) {
		if (strcmp(x->entries[i].name, entry->name) ||
		    (!replace && memcmp(x->entries[i].id, entry->id, sizeof(entry->id))))
			continue;
		if (replace)
			x->entries[i] = *entry;
		return;
	}
	array__reserve(&x->entries, &x->entries_cap, x->nr_entries + 1, sizeof(*x->entries));
	x->entries[x->nr_entries++] = *entry;
}

static void keep_entry(void *ctx, const struct build_id_entry *entry)
{
	struct inject *x = ctx;

	array__reserve(&x->entries, &x->entries_cap, x->nr_entries + 1, sizeof(*x->entries));
	x->entries[x->nr_entries++] = *entry;
}

static void inject_build_id(struct inject *x, const char *name, const struct build_id *id,
                            u8 cpumode, bool known)
{
	size_t padded = round_up_u64(strlen(name) + 1, BUILD_ID_STEP);
	struct perf_event_header header = { .type = RECORD_BUILD_ID, .misc = cpumode };
	struct build_id_entry entry = { -1, cpumode, id->size, { 0 }, name };
	u8 head[BUILD_ID_HEAD] = { 0 };
	s32 pid = -1;

	if (padded > BUILD_ID_MAX)
		return;
	header.size = BUILD_ID_HEAD + padded;
	memcpy(head, &header, sizeof(header));
	memcpy(head + 8, &pid, sizeof(pid));
	memcpy(head + 12, id->data, id->size);
	memcpy(entry.id, id->data, id->size);
	put(x, head, sizeof(head));
	out__mem(&x->buffer, name, strlen(name));
	memset(out__room(&x->buffer, padded), 0, padded - strlen(name));
	x->buffer.len += padded - strlen(name);
	x->counts->nr_injected++;
	add_entry(x, &entry, known);
}

/* What was told for it, what the recording says, what its file says if it is still that file. */
static bool find_build_id(const struct inject *x, const struct dso *dso, const char *name,
                          struct build_id *id, bool *known)
{
	const struct build_id *told = known_ids__find(&x->options->known, name);

	*known = told;
	if (told) {
		*id = *told;
		return id->size == sizeof(id->data); /* as 6.1: of this length or none */
	}
	id->size = dso->build_id_size;
	memcpy(id->data, dso->build_id, sizeof(id->data));
	if (id->size)
		return true;
	if (name[0] != '/' || name[1] == '/' ||
	    mapped_file__check(name, &dso->inode) == MAPPED_FILE_OTHER)
		return false;
	return !build_id__of_file(name, id) && id->size;
}

/* Once for each object. */
static void inject_dso(struct inject *x, u32 dso_id, u8 cpumode)
{
	const struct dso *dso = dsos__at(&x->session->dsos, dso_id);
	const char *name = strtab__get(&x->session->strings, dso->name);
	struct build_id id;
	bool known;

	if (dso_id >= x->nr_done || x->done[dso_id])
		return;
	x->done[dso_id] = true;
	if (find_build_id(x, dso, name, &id, &known))
		inject_build_id(x, name, &id, cpumode, known);
	else if (x->options->no_build_id)
		x->options->no_build_id(x->options->ctx, name);
}

/* Its task may be another than that of the record (sched_merge.h). */
static void before_sample(struct inject *x, const struct sample *sample, struct moment when)
{
	struct resolver *resolver = stream__resolver(x->stream);
	const struct task *task = resolver__task(resolver, sample->pid, sample->tid, when);
	struct place place;

	if (!task)
		return;
	resolver__place(resolver, task, sample->cpumode, sample->ip, when, &place);
	if (place.loc.dso != ID_NONE)
		inject_dso(x, place.loc.dso, sample->cpumode);
}

/* ID_NONE: the kernel's own map has no file; one with a build-id inside needs no other. */
static u32 dso_of_map(struct inject *x, const struct record *record)
{
	struct mmap_record map;

	if (mmap_record__decode(record, false, &map) || map.has_build_id || map.name[0] == '\0' ||
	    !strncmp(map.name, "[kernel", 7))
		return ID_NONE;
	struct dso_inode inode = { map.maj, map.min, map.ino };
	struct dsos *dsos = &x->session->dsos;
	enum dso_kind kind = dso_kind__of_map(map.name);

	if ((s32)map.pid == -1)
		kind = DSO_MODULE;
	if (kind == DSO_ANON)
		return ID_NONE;
	return kind == DSO_USER ? dsos__get_file(dsos, map.name, map.pid, &inode, NULL, 0)
	                        : dsos__get(dsos, map.name, kind, map.pid, NULL, 0);
}

/* The record with a build-id where device and inode were; false: it stays as it is. */
static bool put_map_with_build_id(struct inject *x, const struct record *record)
{
	struct perf_event_header header;
	u8 middle[MAP_INODE_SIZE] = { 0 };
	u32 dso = record->type == PERF_RECORD_MMAP2 ? dso_of_map(x, record) : ID_NONE;
	struct build_id id;
	bool known;

	if (dso == ID_NONE || dso >= x->nr_done || (x->hit && !x->hit[dso]))
		return false;
	const struct dso *found = dsos__at(&x->session->dsos, dso);

	if (!find_build_id(x, found, strtab__get(&x->session->strings, found->name), &id, &known))
		return false;
	memcpy(&header, record->data, sizeof(header));
	header.misc |= PERF_RECORD_MISC_MMAP_BUILD_ID;
	middle[0] = id.size;
	memcpy(middle + 4, id.data, id.size);
	put(x, &header, sizeof(header));
	put(x, record->data + sizeof(header), MAP_INODE - sizeof(header));
	put(x, middle, sizeof(middle));
	put(x, record->data + MAP_INODE + sizeof(middle),
	    record->size - MAP_INODE - sizeof(middle));
	x->counts->nr_injected++;
	return true;
}

/* ---- JIT code ---- */

/* What stands behind a record of this recording: who, when; of any event. */
static void put_trailer(struct inject *x, const struct jit_map *map)
{
	const struct evsel *evsel = x->session->evlist->evsels[0];
	const struct sample_layout *layout = perf_data__layout(x->session->data, evsel);
	u64 id = evsel->nr_ids ? evsel->ids[0] : 0;
	u32 task[2] = { map->pid, map->tid };
	size_t size = layout->trailer_size;
	u8 *end = (u8 *)out__room(&x->buffer, size) + size;

	memset(end - size, 0, size);
	if (layout->t_tid)
		memcpy(end - layout->t_tid, task, sizeof(task));
	if (layout->t_time)
		memcpy(end - layout->t_time, &map->time, sizeof(map->time));
	if (layout->t_id)
		memcpy(end - layout->t_id, &id, sizeof(id));
	if (layout->t_stream_id)
		memcpy(end - layout->t_stream_id, &id, sizeof(id));
	if (layout->t_identifier)
		memcpy(end - layout->t_identifier, &id, sizeof(id));
	x->buffer.len += size;
}

static void put_map(struct inject *x, const struct jit_map *map)
{
	const struct jit_file *file = &x->options->jit->files[map->file];
	const struct evsel *evsel = x->session->evlist->evsels[0];
	size_t name = strlen(file->path) + 1, padded = round_up_u64(name, 8);
	struct {
		struct perf_event_header header;
		u32 pid, tid;
		u64 start, len, pgoff;
		u32 maj, min;
		u64 ino, generation;
		u32 prot, flags;
	} fixed = { { .type = PERF_RECORD_MMAP2, .misc = PERF_RECORD_MISC_USER } };
	size_t size =
	        sizeof(fixed) + padded + perf_data__layout(x->session->data, evsel)->trailer_size;

	if (size > UINT16_MAX)
		return;
	fixed.header.size = size;
	fixed.pid = map->pid;
	fixed.tid = map->tid;
	fixed.start = map->start;
	fixed.len = map->len;
	fixed.pgoff = JIT_ELF_TEXT;
	fixed.maj = file->inode.maj;
	fixed.min = file->inode.min;
	fixed.ino = file->inode.ino;
	fixed.prot = PROT_READ | PROT_EXEC;
	fixed.flags = MAP_PRIVATE;
	put(x, &fixed, sizeof(fixed));
	out__mem(&x->buffer, file->path, name);
	memset(out__room(&x->buffer, padded - name), 0, padded - name);
	x->buffer.len += padded - name;
	put_trailer(x, map);
	x->counts->nr_maps++;
}

/* Those that were made up to @time. */
static void put_maps_until(struct inject *x, u64 time)
{
	const struct jit_maps *jit = x->options->jit;

	while (jit && x->next_map < jit->nr_maps && jit->maps[x->next_map].time <= time)
		put_map(x, &jit->maps[x->next_map++]);
}

/* The functions that samples fell into are kept as recorded programs are. */
static void keep_jit_files(struct inject *x)
{
	const struct jit_maps *jit = x->options->jit;

	for (u32 i = 0; jit && i < jit->nr_files; i++) {
		const struct jit_file *file = &jit->files[i];
		struct build_id_entry entry = {
			-1, PERF_RECORD_MISC_USER, file->id.size, { 0 }, file->path
		};

		if (!file->hit)
			continue;
		memcpy(entry.id, file->id.data, file->id.size);
		add_entry(x, &entry, false);
		if (x->options->cache_dir)
			build_id_cache__add(x->options->cache_dir, file->path, -1, &file->id,
			                    CACHE_ELF, NULL);
	}
}

/* ---- records ---- */

static void take_sample(struct inject *x, const struct record *record)
{
	const struct stream_sample *s = stream__sample(x->stream);
	const u8 *merged = NULL;
	bool in_jit = false;
	u32 size = 0;

	x->counts->nr_samples++;
	if (!s) {
		put(x, record->data, record->size); /* others may know better */
		return;
	}
	if (x->options->jit) {
		u64 time = s->sample->time;

		put_maps_until(x, time == UINT64_MAX ? 0 : time);
		in_jit = jit_maps__hit(x->options->jit, s->sample->pid, s->sample->ip, s->when);
	}
	bool taken = x->sched &&
	             sched_merge__take(x->sched, s->evsel, s->sample, record, &merged, &size);

	if (taken && !merged)
		return;
	if (x->options->build_ids && !x->options->all_build_ids && !in_jit)
		before_sample(x, s->sample, s->when);
	if (!merged && x->converted) {
		size = convert_chain__write(x->converted, record, s, &x->counts->health);
		merged = x->converted;
	}
	if (size)
		put(x, merged, size);
	else
		put(x, record->data, record->size);
}

/* What a stream says in front of its data is written by pipe_form__begin(). */
static bool is_head(u32 type)
{
	return type == RECORD_HEADER_ATTR || type == RECORD_EVENT_TYPE ||
	       type == RECORD_HEADER_FEATURE || type == RECORD_TRACING_DATA;
}

/* Damage that was said: in a copy, behind other records, it might unpack to anything. */
static bool is_still_packed(u32 type)
{
	return type == RECORD_COMPRESSED || type == RECORD_COMPRESSED2;
}

/* A whole copy gets an end of its own. */
static bool is_end(const struct record *record)
{
	return record->type == RECORD_FINISHED_ROUND && record->misc == ENDS_MISC;
}

/* Write the JIT maps that come before @record. True: it must not go on itself. */
static bool passes_by_jit(struct inject *x, const struct record *record)
{
	const struct sample_layout *layout =
	        perf_data__layout(x->session->data, x->session->evlist->evsels[0]);
	struct sample trailer;
	struct mmap_record map;

	if (record->type >= RECORD_HEADER_ATTR ||
	    sample__decode_trailer(layout, record, false, &trailer) || trailer.time == UINT64_MAX)
		return false;
	put_maps_until(x, trailer.time);
	return (record->type == PERF_RECORD_MMAP || record->type == PERF_RECORD_MMAP2) &&
	       !mmap_record__decode(record, false, &map) &&
	       jit_maps__hides(x->options->jit, map.pid, map.name, trailer.time);
}

static void take_record(struct inject *x, const struct record *record)
{
	if (record->type == PERF_RECORD_SAMPLE) {
		take_sample(x, record);
		return;
	}
	if (is_head(record->type) || is_still_packed(record->type) || is_end(record))
		return;
	if (record->type == RECORD_AUXTRACE) {
		x->error = error__set(x->err, -EOPNOTSUPP, "cannot rewrite",
		                      perf_data__path(x->session->data),
		                      "it holds AUX area data, which this perf does not move");
		return;
	}
	if (!record__type_name(record->type)) {
		x->counts->nr_dropped++;
		return;
	}
	if (x->options->jit && passes_by_jit(x, record))
		return;
	if (x->options->all_build_ids &&
	    (record->type == PERF_RECORD_MMAP || record->type == PERF_RECORD_MMAP2)) {
		u32 dso = dso_of_map(x, record);

		if (dso != ID_NONE)
			inject_dso(x, dso, record->misc & PERF_RECORD_MISC_CPUMODE_MASK);
	}
	if ((x->options->map_build_ids || x->options->all_map_build_ids) &&
	    put_map_with_build_id(x, record))
		return;
	put(x, record->data, record->size);
}

static int run_records(struct inject *x)
{
	const struct record *record;

	while (!x->error && (record = stream__record(x->stream)))
		take_record(x, record);
	put_maps_until(x, UINT64_MAX);
	flush(x);
	keep_jit_files(x);
	return stream__error(x->stream, x->error ? NULL : x->err);
}

/* ---- header ---- */

/* All attrs of a file have one size: one that this perf knows and that 6.1 takes. */
static void level_attrs(struct evlist *evlist)
{
	u32 size = PERF_ATTR_SIZE_VER0;

	for (u32 i = 0; i < evlist->nr; i++)
		size = max_u64(size, evlist->evsels[i]->attr.size);
	for (u32 i = 0; i < evlist->nr; i++)
		evlist->evsels[i]->attr.size = min_u64(size, sizeof(struct perf_event_attr));
}

static int write_all(struct inject *x, struct feature_source *source, bool stream)
{
	int ret = stream ? pipe_form__begin(x->writer, source, x->err)
	                 : data_writer__start(x->writer, source->evlist, x->err);

	if (ret)
		return ret;
	ret = run_records(x);
	source->build_ids = x->entries;
	source->nr_build_ids = x->nr_entries;
	source->build_ids_wanted = x->nr_entries > 0;
	source->incomplete = ret || x->error || !perf_data__is_whole(x->session->data);
	int finished =
	        x->error == -EOPNOTSUPP ? x->error : data_writer__finish(x->writer, source, x->err);

	if (x->error)
		return x->error;
	/* A recorder gives up its last samples for the header on a full disk; a copy is whole or
	 * none. */
	if (!ret && !finished && data_writer__dropped_samples(x->writer))
		return error__set(x->err, -ENOSPC, "cannot write all samples", NULL, NULL);
	return ret ? ret : finished;
}

/* 0, or a negative errno with the error; as for the next. */
static int open_stream(struct inject *x)
{
	const struct inject_options *options = x->options;
	bool by_sample = options->build_ids && !options->all_build_ids;
	const struct stream_options how = {
		.order = options->sched_stat || options->jit || by_sample ? STREAM_AS_INJECT
		                                                          : STREAM_FILE,
		.need = STREAM_ALL,
		.flags = options->chains ? STREAM_TASKS | STREAM_REJECTED : 0,
		.objects = options->chains,
		.max_stack = CONVERT_MAX_STACK,
		.unwind_style = options->unwind_style,
	};

	if (options->chains && !unwound__in_session(x->session))
		return error__set(x->err, -ENODATA, "no copies of stacks in",
		                  perf_data__path(x->session->data),
		                  "it was not recorded with --call-graph dwarf");
	x->stream = stream__new(x->session, &how, x->err);
	if (!x->stream)
		return x->err && x->err->code ? x->err->code : -EIO;
	if (options->chains)
		convert_chain__ask(x->stream, x->session);
	return 0;
}

static int open_writer(struct inject *x, const char *path)
{
	x->writer = path ? data_writer__new_beside(path, x->err)
	                 : data_writer__new_stream(dup(STDOUT_FILENO), "standard output");
	if (x->writer)
		return 0;
	return x->err && x->err->code ? x->err->code : -EIO;
}

static void init(struct inject *x)
{
	struct session *session = x->session;

	level_attrs(session->evlist);
	perf_data__build_ids(session->data, keep_entry, x);
	x->nr_done = session->dsos.nr;
	x->done = xcalloc(x->nr_done + 1, sizeof(*x->done));
	if (x->options->map_build_ids && !x->options->all_map_build_ids) {
		x->hit = xcalloc(x->nr_done + 1, sizeof(*x->hit));
		session__find_sampled_dsos(session, 0, x->hit);
	}
	if (x->options->chains)
		x->converted = xcalloc(1, CHAIN_RECORD_MAX);
	if (x->options->sched_stat)
		x->sched = sched_merge__new(session->data);
}

static void cleanup(struct inject *x)
{
	out__exit(&x->buffer);
	sched_merge__delete(x->sched);
	stream__delete(x->stream);
	free(x->converted);
	free(x->done);
	free(x->hit);
	free(x->entries);
	data_writer__delete(x->writer);
}

int inject__run(struct session *session, const char *path, const struct inject_options *options,
                const char *const *words, u32 nr_words, const char *version,
                struct inject_counts *counts, struct error *err)
{
	struct inject x = { session, options, counts, err };
	bool copy_words = !path && perf_data__is_pipe_form(session->data);
	struct feature_source source = {
		.root = "",
		.version = version,
		.evlist = session->evlist,
		.words = words,
		.nr_words = copy_words ? 0 : nr_words,
		.copy_from = session->data,
	};

	*counts = (struct inject_counts){ 0 };
	if (perf_data__swapped(session->data))
		return error__set(err, -EOPNOTSUPP, "cannot rewrite",
		                  perf_data__path(session->data),
		                  "it is of a machine with the other byte order");
	out__init(&x.buffer, -1);
	int ret = open_stream(&x);

	if (!ret)
		ret = open_writer(&x, path);
	if (!ret) {
		init(&x);
		ret = write_all(&x, &source, !path);
	}
	if (!ret)
		ret = data_writer__put(x.writer, err);
	cleanup(&x);
	return ret;
}
