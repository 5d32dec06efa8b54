// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/export/profile_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "util/elf/build_id.h"
#include "util/lib/alloc.h"
#include "util/lib/hash.h"
#include "util/lib/out.h"
#include "util/lib/sort.h"
#include "util/writer/writer.h"

#define BUFFER_SIZE (256 * 1024)
/* Where objects get their addresses: no kernel maps code there by itself. */
#define FIRST_ADDRESS 0x10000000000ull
#define GRANULE       0x10000
#define CHAIN_MAX     4096 /* words; the 16 bits of a record's size allow for no more */
#define NO_CPU        UINT16_MAX

/* An object as the samples see it. */
struct object {
	u64 end;   /* behind the last place in it that is named */
	u64 start; /* its address; of memory without a file where it truly lies */
	u64 first; /* memory without a file: the first place */
};

struct profile_file {
	const struct profile *profile;
	const struct session *session;
	struct data_writer *writer;
	struct evlist evlist;
	struct object *objects; /* by dso */
	struct out buffer;      /* whole records */
	size_t record;          /* where the one at work begins */
	struct u64map told;     /* (process, dso) whose map was written */
	u64 time;
	u64 sample_type;
	u32 *nodes; /* of the chain at work, leaf first */
	struct build_id_entry *ids;
	u32 nr_ids;
	int error;
};

/* ---- records ---- */

static void put_u32(struct profile_file *f, u32 value)
{
	out__mem(&f->buffer, &value, sizeof(value));
}

static void put_u64(struct profile_file *f, u64 value)
{
	out__mem(&f->buffer, &value, sizeof(value));
}

/* With its NUL and zeros up to 8 bytes. */
static void put_text(struct profile_file *f, const char *text)
{
	static const char zeros[8];
	size_t len = strlen(text);

	out__mem(&f->buffer, text, len);
	out__mem(&f->buffer, zeros, 8 - len % 8);
}

static void begin(struct profile_file *f, u32 type, u16 misc)
{
	struct perf_event_header header = { .type = type, .misc = misc };

	f->record = f->buffer.len;
	out__mem(&f->buffer, &header, sizeof(header));
}

static void flush(struct profile_file *f)
{
	if (!f->error && f->buffer.len)
		f->error = data_writer__append_bytes(f->writer, f->buffer.buf, f->buffer.len);
	f->buffer.len = 0;
}

static void end(struct profile_file *f)
{
	u16 size = f->buffer.len - f->record;

	memcpy(f->buffer.buf + f->record + offsetof(struct perf_event_header, size), &size,
	       sizeof(size));
	if (f->buffer.len >= BUFFER_SIZE)
		flush(f);
}

static u64 id_of(const struct profile_file *f, u32 evsel)
{
	return f->evlist.evsels[evsel]->ids[0];
}

/* The trailer of a record that is no sample. */
static void end_told(struct profile_file *f, s32 pid, s32 tid)
{
	put_u32(f, pid);
	put_u32(f, tid);
	put_u64(f, ++f->time);
	if (f->sample_type & PERF_SAMPLE_CPU)
		put_u64(f, 0);
	put_u64(f, id_of(f, 0));
	end(f);
}

static void put_comm(struct profile_file *f, const struct thread *thread, u32 comm)
{
	begin(f, PERF_RECORD_COMM, 0);
	put_u32(f, thread->pid);
	put_u32(f, thread->tid);
	put_text(f, strtab__get(&f->session->strings, comm));
	end_told(f, thread->pid, thread->tid);
}

static void put_map(struct profile_file *f, s32 pid, u16 misc, u64 start, u64 len, u64 pgoff,
                    const char *name)
{
	bool kernel = misc == PERF_RECORD_MISC_KERNEL;

	begin(f, PERF_RECORD_MMAP, misc);
	put_u32(f, pid);
	put_u32(f, kernel ? 0 : pid);
	put_u64(f, start);
	put_u64(f, len);
	put_u64(f, pgoff);
	put_text(f, name);
	end_told(f, pid, kernel ? 0 : pid);
}

/* ---- objects ---- */

static bool has_file_offsets(enum dso_kind kind)
{
	return kind == DSO_USER || kind == DSO_VDSO || kind == DSO_VSYSCALL;
}

static void place_objects(struct profile_file *f)
{
	const struct profile *profile = f->profile;
	const struct dsos *dsos = &f->session->dsos;
	u64 next = FIRST_ADDRESS;

	f->objects = xcalloc(dsos->nr + 1, sizeof(*f->objects));
	for (u32 i = 0; i < dsos->nr; i++)
		f->objects[i].first = UINT64_MAX;
	for (u32 i = 0; i < profile->nr_locs; i++) {
		const struct loc *loc = &profile->locs[i];
		struct object *object = loc->dso == ID_NONE ? NULL : &f->objects[loc->dso];

		if (!object)
			continue;
		object->first = min_u64(object->first, loc->addr);
		object->end = max_u64(object->end, loc->addr + 1);
	}
	for (u32 i = 0; i < dsos->nr; i++) {
		struct object *object = &f->objects[i];

		if (!object->end || !has_file_offsets(dsos__at(dsos, i)->kind))
			continue;
		object->start = next;
		object->first = 0;
		object->end = round_up_u64(object->end, GRANULE);
		next += object->end + GRANULE;
	}
}

static u64 address_of(const struct profile_file *f, u32 loc)
{
	const struct loc *l = &f->profile->locs[loc];

	return l->addr + (l->dso == ID_NONE ? 0 : f->objects[l->dso].start);
}

static void put_kernel_object(struct profile_file *f, const struct dso *dso)
{
	const char *name = strtab__get(&f->session->strings, dso->name);
	u64 len = dso->text_end - dso->text_start;
	char *with_symbol;

	if (dso->kind == DSO_BPF) {
		begin(f, PERF_RECORD_KSYMBOL, 0);
		put_u64(f, dso->text_start);
		put_u32(f, len);
		put_u32(f, 1); /* the type BPF, no flags */
		put_text(f, name);
		end_told(f, 0, 0);
		return;
	}
	with_symbol = xasprintf("%s%s", name, strtab__get(&f->session->strings, dso->ref_symbol));
	put_map(f, -1, PERF_RECORD_MISC_KERNEL, dso->text_start, len, dso->text_pgoff, with_symbol);
	free(with_symbol);
}

static void put_kernel(struct profile_file *f)
{
	const struct dsos *dsos = &f->session->dsos;

	for (u32 i = 0; i < dsos->nr; i++) {
		const struct dso *dso = dsos__at(dsos, i);
		bool kernel =
		        dso->kind == DSO_KERNEL || dso->kind == DSO_MODULE || dso->kind == DSO_BPF;

		if (kernel && (f->objects[i].end || dso->kind == DSO_KERNEL))
			put_kernel_object(f, dso);
	}
}

/* The map of the object that @loc lies in, unless this process has it already. */
static void tell_object(struct profile_file *f, const struct thread *thread, u32 loc)
{
	u32 dso = f->profile->locs[loc].dso;
	const struct dso *d = dso == ID_NONE ? NULL : dsos__at(&f->session->dsos, dso);

	if (!d || !(has_file_offsets(d->kind) || d->kind == DSO_ANON))
		return;
	u32 *told = u64map__at(&f->told, (u64)(u32)thread->pid << 32 | dso);
	const struct object *object = &f->objects[dso];

	if (*told == thread->instance)
		return;
	*told = thread->instance;
	put_map(f, thread->pid, PERF_RECORD_MISC_USER, object->start + object->first,
	        object->end - object->first, d->kind == DSO_ANON ? object->first : 0,
	        d->kind == DSO_ANON ? "//anon" : strtab__get(&f->session->strings, d->name));
}

/* ---- samples ---- */

/* Where the chain goes on in another part of the address space: as the kernel marks it. */
static u64 context_of(u8 cpumode)
{
	switch (cpumode) {
	case PERF_RECORD_MISC_KERNEL:
		return PERF_CONTEXT_KERNEL;
	case PERF_RECORD_MISC_GUEST_KERNEL:
		return PERF_CONTEXT_GUEST_KERNEL;
	case PERF_RECORD_MISC_GUEST_USER:
		return PERF_CONTEXT_GUEST_USER;
	case PERF_RECORD_MISC_HYPERVISOR:
		return PERF_CONTEXT_HV;
	}
	return PERF_CONTEXT_USER;
}

/* The words of the chain that ends with @node; with the frames to f->nodes. */
static u64 collect_chain(struct profile_file *f, u32 node, u32 *nr)
{
	const struct profile *profile = f->profile;
	int mode = -1;
	u64 words = 0;

	*nr = 0;
	for (; node != NODE_ROOT && words + 2 <= CHAIN_MAX; node = profile->nodes[node].parent) {
		u8 cpumode = profile->locs[profile->nodes[node].loc].cpumode;

		words += 1 + (cpumode != mode);
		mode = cpumode;
		f->nodes[(*nr)++] = node;
	}
	return words;
}

static void put_chain(struct profile_file *f, u32 node)
{
	const struct profile *profile = f->profile;
	u32 nr;
	int mode = -1;

	put_u64(f, collect_chain(f, node, &nr));
	for (u32 i = 0; i < nr; i++) {
		u32 loc = profile->nodes[f->nodes[i]].loc;

		if (profile->locs[loc].cpumode != mode)
			put_u64(f, context_of(profile->locs[loc].cpumode));
		mode = profile->locs[loc].cpumode;
		put_u64(f, address_of(f, loc));
	}
}

static void put_sample(struct profile_file *f, const struct row *row, u64 period)
{
	const struct thread *thread = machine__thread(f->session->host, row->thread);

	begin(f, PERF_RECORD_SAMPLE, f->profile->locs[row->leaf_loc].cpumode);
	put_u64(f, id_of(f, row->evsel));
	put_u64(f, address_of(f, row->leaf_loc));
	put_u32(f, thread->pid);
	put_u32(f, thread->tid);
	put_u64(f, ++f->time);
	if (f->sample_type & PERF_SAMPLE_CPU)
		put_u64(f, row->cpu == NO_CPU ? 0 : row->cpu);
	put_u64(f, period);
	if (f->sample_type & PERF_SAMPLE_CALLCHAIN)
		put_chain(f, row->node);
	end(f);
}

static void put_row(struct profile_file *f, const struct row *row)
{
	const struct thread *thread = machine__thread(f->session->host, row->thread);
	u64 each = row->period / row->count, more = row->period % row->count;

	tell_object(f, thread, row->leaf_loc);
	for (u32 node = row->node; node != NODE_ROOT; node = f->profile->nodes[node].parent)
		tell_object(f, thread, f->profile->nodes[node].loc);
	for (u64 i = 0; i < row->count && !f->error; i++)
		put_sample(f, row, each + (i < more));
}

/* Thread by thread, and of each comm by comm, as they follow each other. */
static void put_rows(struct profile_file *f)
{
	const struct profile *profile = f->profile;
	struct keyed *order = xcalloc(profile->nr_rows, sizeof(*order));
	u64 last = UINT64_MAX;

	for (u64 i = 0; i < profile->nr_rows; i++)
		order[i] =
		        (struct keyed){ (u64)profile->rows[i].thread << 32 | profile->rows[i].comm,
			                i };
	keyed__sort(order, profile->nr_rows);
	for (u64 i = 0; i < profile->nr_rows; i++) {
		const struct row *row = &profile->rows[order[i].value];

		if (order[i].key != last)
			put_comm(f, machine__thread(f->session->host, row->thread), row->comm);
		last = order[i].key;
		put_row(f, row);
	}
	free(order);
}

/* ---- header ---- */

static u64 sample_type_of(const struct profile *profile)
{
	u64 type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
	           PERF_SAMPLE_PERIOD;

	if (profile->nr_nodes > 1)
		type |= PERF_SAMPLE_CALLCHAIN;
	for (u64 i = 0; i < profile->nr_rows; i++)
		if (profile->rows[i].cpu != NO_CPU)
			return type | PERF_SAMPLE_CPU;
	return type;
}

/* The events, with samples of what a profile knows. */
static void copy_events(struct profile_file *f)
{
	const struct evlist *from = f->session->evlist;

	for (u32 i = 0; i < from->nr; i++) {
		const struct evsel *old = from->evsels[i];
		struct perf_event_attr attr = old->attr;

		attr.size = EVSEL_ATTR_SIZE;
		attr.sample_type = f->sample_type;
		attr.read_format = 0;
		attr.sample_id_all = 1;
		attr.branch_sample_type = attr.sample_regs_user = attr.sample_regs_intr = 0;
		attr.sample_stack_user = 0;
		struct evsel *evsel = evlist__add(&f->evlist, &attr, old->name);

		evsel__add_id(evsel, i + 1);
		evsel__set_text(&evsel->group_name, old->group_name);
		evsel->leader = old->leader;
		evsel->nr_members = old->nr_members;
	}
	evlist__set_units(&f->evlist);
}

/* Of a file that is what was mapped, as far as its inode tells. */
static struct build_id read_id(const struct dso *dso, const char *path)
{
	struct build_id id = build_id__of_bytes(dso->build_id, dso->build_id_size);
	struct stat st;

	if (!id.size && dso->kind == DSO_USER && !stat(path, &st) && st.st_ino == dso->inode.ino &&
	    build_id__of_file(path, &id))
		id.size = 0;
	return id;
}

static void collect_ids(struct profile_file *f)
{
	const struct dsos *dsos = &f->session->dsos;

	f->ids = xcalloc(dsos->nr + 1, sizeof(*f->ids));
	for (u32 i = 0; i < dsos->nr; i++) {
		const struct dso *dso = dsos__at(dsos, i);
		const char *name = strtab__get(&f->session->strings, dso->name);
		struct build_id id = { .size = 0 };

		if (dso->kind == DSO_KERNEL && !dso->build_id_size)
			build_id__of_kernel(&id);
		else if (f->objects[i].end)
			id = read_id(dso, name);
		if (!id.size)
			continue;
		struct build_id_entry *entry = &f->ids[f->nr_ids++];

		*entry = (struct build_id_entry){ .pid = -1,
			                          .cpumode = dso->kind == DSO_USER
			                                             ? PERF_RECORD_MISC_USER
			                                             : PERF_RECORD_MISC_KERNEL,
			                          .size = id.size,
			                          .name = name };
		memcpy(entry->id, id.data, id.size);
	}
}

static int write_all(struct profile_file *f, const struct profile_file_options *options,
                     struct error *err)
{
	struct feature_source source = { .root = "",
		                         .version = options->version,
		                         .evlist = &f->evlist,
		                         .words = options->words,
		                         .nr_words = options->nr_words,
		                         .build_ids_wanted = true };
	int ret = data_writer__start(f->writer, &f->evlist, err);

	if (ret)
		return ret;
	put_kernel(f);
	put_rows(f);
	flush(f);
	if (f->error)
		return error__set(err, f->error, "cannot write the samples", NULL, NULL);
	collect_ids(f);
	source.build_ids = f->ids;
	source.nr_build_ids = f->nr_ids;
	source.first_sample = 1;
	source.last_sample = f->time;
	ret = data_writer__finish(f->writer, &source, err);
	if (!ret && data_writer__dropped_samples(f->writer))
		ret = error__set(err, -ENOSPC, "cannot write all samples", NULL, NULL);
	return ret ? ret : data_writer__put(f->writer, err);
}

static int check(const struct profile *profile, struct error *err)
{
	if (profile->nr_sample_keys)
		return error__set(
		        err, -EOPNOTSUPP, "cannot write a recording", NULL,
		        "rows are told apart by what only samples have (trace, weight ...)");
	if (!profile->nr_rows)
		return error__set(err, -ENODATA, "cannot write a recording", NULL,
		                  "there is no sample yet");
	return 0;
}

int profile_file__write(const struct profile *profile, const struct session *session,
                        const char *path, const struct profile_file_options *options,
                        struct error *err)
{
	struct profile_file f = { .profile = profile,
		                  .session = session,
		                  .sample_type = sample_type_of(profile) };
	int ret = check(profile, err);

	if (ret)
		return ret;
	f.writer = data_writer__new_beside(path, err);
	if (!f.writer)
		return err->code;
	out__init(&f.buffer, -1);
	f.nodes = xcalloc(CHAIN_MAX, sizeof(*f.nodes));
	place_objects(&f);
	copy_events(&f);
	ret = write_all(&f, options, err);
	out__exit(&f.buffer);
	u64map__exit(&f.told);
	evlist__exit(&f.evlist);
	free(f.objects);
	free(f.nodes);
	free(f.ids);
	data_writer__delete(f.writer);
	return ret;
}
