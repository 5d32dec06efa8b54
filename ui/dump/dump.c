// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The common part of each record's dump: its offset, its bytes, the beginning of its line. The
 * bytes are most of the output, so they are formatted without printf.
 */
#include "ui/dump/dump_private.h"

#include <stdio.h>
#include <stdlib.h>

#include "ui/dump/record_text.h"
#include "util/format/sample.h"
#include "util/lib/alloc.h"
#include "util/reader/features.h"

#define ROW       16 /* bytes in a line */
#define ROW_WIDTH (10 + 3 * ROW + 2 + ROW + 1)

/* ---- bytes ---- */

static const char hex_digits[] = "0123456789abcdef";

static char *put_row(char *p, const u8 *bytes, unsigned nr, unsigned at)
{
	memcpy(p, ".  ", 3);
	p += 3;
	for (int shift = 12; shift >= 0; shift -= 4)
		*p++ = hex_digits[at >> shift & 15];
	*p++ = ':';
	*p++ = ' ';
	for (unsigned i = 0; i < nr; i++) {
		p[0] = ' ';
		p[1] = hex_digits[bytes[i] >> 4];
		p[2] = hex_digits[bytes[i] & 15];
		p += 3;
	}
	memset(p, ' ', 3 * (ROW - nr) + 2);
	p += 3 * (ROW - nr) + 2;
	for (unsigned i = 0; i < nr; i++)
		p[i] = bytes[i] >= 0x20 && bytes[i] < 0x7f ? bytes[i] : '.';
	memset(p + nr, ' ', ROW - nr);
	p[ROW] = '\n';
	return p + ROW + 1;
}

static void print_bytes(struct out *out, const u8 *bytes, unsigned size)
{
	out__str(out, ".\n. ... raw event: size ");
	out__dec(out, size, 0);
	out__str(out, " bytes\n");
	for (unsigned at = 0; at < size; at += ROW) {
		char *p = out__room(out, ROW_WIDTH);

		out->len += put_row(p, bytes + at, size - at < ROW ? size - at : ROW, at) - p;
	}
	out__char(out, '\n');
}

/* ---- the beginning ---- */

/* "\n0x108@perf.data [0x50]: event: 69" */
static void print_offset(struct dump *dump, const struct record *record)
{
	struct out *out = dump->out;

	out__char(out, '\n');
	record_text__hex(out, record->offset);
	out__mem(out, dump->path, dump->path_len);
	record_text__hex(out, record->size);
	out__str(out, "]: event: ");
	out__sdec(out, (s32)record->type);
	out__char(out, '\n');
}

/* CPU and time, as far as the file's events have them, then the place again. */
static void print_stamp(struct dump *dump, const struct record *record, const struct sample *sample)
{
	struct out *out = dump->out;

	if (dump->no_trailers && record->type != PERF_RECORD_SAMPLE) {
		out__str(out, "-1 -1 ");
	} else {
		if (dump->any_type & PERF_SAMPLE_CPU) {
			out__dec(out, sample->cpu, 0);
			out__char(out, ' ');
		}
		if (dump->any_type & PERF_SAMPLE_TIME) {
			out__dec(out, sample->time, 0);
			out__char(out, ' ');
		}
	}
	record_text__hex(out, record->offset);
	out__str(out, " [");
	record_text__hex(out, record->size);
	out__str(out, "]: ");
}

/* What cannot be told of a record. */
static void print_problem(struct dump *dump, const struct record *record, const char *what)
{
	const char *name = record__type_name(record->type);

	out__str(dump->out, "PERF_RECORD_");
	out__str(dump->out, name ? name : "UNKNOWN");
	out__str(dump->out, what);
}

void dump__unhandled(struct dump *dump, const struct record *record)
{
	print_problem(dump, record, ": unhandled!\n");
}

/* ---- thread and dso ---- */

void dump__where(struct out *out, const struct session *session, struct resolver *resolver,
                 const struct task *task, const struct sample *sample, struct moment when)
{
	const char *dso = "<not found>";
	struct place place;

	if (!task)
		return;
	out__str(out, " ... thread: ");
	out__name(out, strtab__get(&session->strings, task->comm));
	out__char(out, ':');
	out__sdec(out, task->tid);
	out__str(out, "\n ...... dso: ");
	if (sample->cpumode != PERF_RECORD_MISC_KERNEL &&
	    sample->cpumode != PERF_RECORD_MISC_USER) {
		dso = "[hypervisor]";
	} else {
		resolver__place(resolver, task, sample->cpumode, sample->ip, when, &place);
		if (place.loc.dso != ID_NONE)
			dso = strtab__get(&session->strings,
			                  dsos__at(&session->dsos, place.loc.dso)->name);
	}
	out__name(out, dso);
	out__char(out, '\n');
}

/* A sample that stands for several is several to those who use it. */
static void print_where(struct dump *dump, const struct record *record, const struct evsel *evsel,
                        const struct sample *sample)
{
	const struct session *session = dump->session;
	const struct sample_layout *layout = perf_data__layout(session->data, evsel);
	struct moment when = session__moment(session, record, sample->time);
	const struct task *task = resolver__task(dump->resolver, sample->pid, sample->tid, when);
	struct read_part part;

	if (!layout->has_counts) {
		dump__where(dump->out, session, dump->resolver, task, sample, when);
		return;
	}
	for (u64 i = 0; i < sample->read.nr; i++)
		if (last_reads__part(&dump->reads, session->data, layout, sample, i, &part) &&
		    part.evsel)
			dump__where(dump->out, session, dump->resolver, task, sample, when);
}

/* ---- a record ---- */

static bool print_sample(struct dump *dump, const struct record *record)
{
	const struct session *session = dump->session;
	const struct evsel *evsel = perf_data__find_evsel(session->data, record);
	struct sample sample;

	if (!evsel ||
	    sample__decode(perf_data__layout(session->data, evsel), record, dump->swap, &sample)) {
		print_stamp(dump, record, &(struct sample){ .cpu = ~0u, .time = ~0ull });
		return false;
	}
	print_stamp(dump, record, &sample);
	dump__sample(dump, evsel, record, &sample);
	if (!dump->script)
		print_where(dump, record, evsel, &sample);
	return true;
}

static bool print_kernel(struct dump *dump, const struct record *record)
{
	const struct session *session = dump->session;
	const struct evsel *evsel = perf_data__find_evsel(session->data, record);
	struct sample trailer = { .cpu = ~0u, .time = ~0ull, .id = ~0ull };
	int ret;

	if (!evsel)
		evsel = session->evlist->evsels[0];
	ret = sample__decode_trailer(perf_data__layout(session->data, evsel), record, dump->swap,
	                             &trailer);
	print_stamp(dump, record, &trailer);
	return !ret && dump__kernel(dump, record, &trailer);
}

static bool print_own(struct dump *dump, const struct record *record)
{
	print_stamp(dump, record, &(struct sample){ .time = 0 });
	return dump__own(dump, record);
}

void dump__record(struct dump *dump, const struct record *record)
{
	bool good;

	print_offset(dump, record);
	print_bytes(dump->out, record->data, record->size);
	if (!record__type_name(record->type)) {
		print_stamp(dump, record, &(struct sample){ .time = 0 });
		print_problem(dump, record, ": unknown\n");
		dump->counts.nr_unknown++;
		return;
	}
	if (record->type == PERF_RECORD_SAMPLE)
		good = print_sample(dump, record);
	else if (record->type < RECORD_HEADER_ATTR)
		good = print_kernel(dump, record);
	else
		good = print_own(dump, record);
	if (good)
		return;
	print_problem(dump, record, ": broken\n");
	dump->counts.nr_broken++;
}

/* ---- life ---- */

struct dump *dump__new(const struct session *session, struct session_symbols *symbols,
                       struct out *out, unsigned flags)
{
	const struct evlist *list = session->evlist;
	struct dump *dump = xcalloc(1, sizeof(*dump));
	struct out path;

	dump->session = session;
	dump->symbols = symbols;
	dump->out = out;
	dump->swap = perf_data__swapped(session->data);
	dump->script = flags & DUMP_SCRIPT;
	dump->no_trailers = !list->nr || !list->evsels[0]->attr.sample_id_all;
	for (u32 i = 0; i < list->nr; i++)
		dump->any_type |= list->evsels[i]->attr.sample_type;
	if (dump->no_trailers)
		out__str(out, "WARNING: No sample_id_all support, falling back to unordered "
		              "processing\n");
	dump->arch = perf_data__arch(session->data);
	dump->resolver = resolver__new(session->host, &session->dsos);
	out__init(&path, -1);
	out__char(&path, '@');
	out__name(&path, perf_data__path(session->data));
	out__str(&path, " [");
	dump->path_len = min_u64(path.len, sizeof(dump->path));
	memcpy(dump->path, out__take(&path), dump->path_len);
	out__exit(&path);
	return dump;
}

void dump__forget(struct dump *dump)
{
	resolver__forget(dump->resolver);
}

void dump__delete(struct dump *dump)
{
	if (!dump)
		return;
	last_reads__exit(&dump->reads);
	resolver__delete(dump->resolver);
	free(dump);
}

const struct dump_counts *dump__counts(const struct dump *dump)
{
	return &dump->counts;
}
