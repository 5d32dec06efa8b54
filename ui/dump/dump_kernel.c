// SPDX-License-Identifier: GPL-2.0-or-later
/* Records of the kernel other than samples. */
#include "ui/dump/dump_private.h"
#include "ui/dump/record_text.h"
#include "util/format/sample.h"

static struct cursor body_of(const struct dump *dump, const struct record *r)
{
	return cursor__make(r->data + RECORD_HEADER_SIZE, r->size - RECORD_HEADER_SIZE, dump->swap);
}

static bool print_lost(struct dump *dump, const struct record *r)
{
	struct cursor c = body_of(dump, r);
	u64 id = cursor__u64(&c), lost = cursor__u64(&c);

	if (!c.failed)
		out__printf(dump->out, "PERF_RECORD_LOST: id:%llu: lost:%llu\n",
		            (unsigned long long)id, (unsigned long long)lost);
	return !c.failed;
}

static bool print_lost_samples(struct dump *dump, const struct record *r,
                               const struct sample *trailer)
{
	struct cursor c = body_of(dump, r);
	u64 lost = cursor__u64(&c);

	if (!c.failed)
		out__printf(dump->out, "PERF_RECORD_LOST_SAMPLES: id:%llu: lost samples :%llu\n",
		            (unsigned long long)trailer->id, (unsigned long long)lost);
	return !c.failed;
}

/* What a thread's counter had when the thread ended. */
static bool print_read(struct dump *dump, const struct record *r)
{
	static const struct {
		u64 bit;
		const char *text;
	} fields[] = {
		{ PERF_FORMAT_TOTAL_TIME_ENABLED, "... time enabled : " },
		{ PERF_FORMAT_TOTAL_TIME_RUNNING, "... time running : " },
		{ PERF_FORMAT_ID, "... id           : " },
		{ PERF_FORMAT_LOST, "... lost         : " },
	};
	const struct evsel *evsel = perf_data__find_evsel(dump->session->data, r);
	struct cursor c = body_of(dump, r);
	u32 pid = cursor__u32(&c), tid = cursor__u32(&c);
	u64 format = evsel ? evsel->attr.read_format : 0, value = cursor__u64(&c);

	if (c.failed || !evsel)
		return false;
	out__printf(dump->out, "PERF_RECORD_READ: %d %d ", (s32)pid, (s32)tid);
	out__name(dump->out, evsel->name);
	out__printf(dump->out, " %llu\n", (unsigned long long)value);
	for (unsigned i = 0; i < ARRAY_SIZE(fields); i++) {
		if (!(format & fields[i].bit))
			continue;
		value = cursor__u64(&c);
		if (c.failed) {
			out__str(dump->out, "... cut\n");
			return true;
		}
		out__str(dump->out, fields[i].text);
		out__dec(dump->out, value, 0);
		out__char(dump->out, '\n');
	}
	if (dump->script)
		out__str(dump->out, ": unhandled!\n");
	return true;
}

/* ---- changes of the kernel's code ---- */

static void print_code(struct out *out, const char *which, const u8 *bytes, unsigned nr)
{
	enum { ROW = 16 };

	for (unsigned i = 0; i < nr; i++) {
		if (i % ROW == 0) {
			out__str(out, "            ");
			out__str(out, which);
			out__str(out, " bytes:");
		}
		out__char(out, ' ');
		out__hex0(out, bytes[i], 2);
		if (i % ROW == ROW - 1 || i + 1 == nr)
			out__char(out, '\n');
	}
}

static void print_symbol(struct out *out, const struct session *session,
                         struct session_symbols *symbols, u64 addr, struct moment when)
{
	struct map_hit hit;
	u32 symbol = ID_NONE;
	u64 vaddr;

	if (symbols && machine__find_map(session->host, ID_NONE, true, addr, when, &hit) &&
	    hit.dso != ID_NONE)
		symbol = session_symbols__find(symbols, hit.dso, addr, &vaddr);
	if (symbol == ID_NONE)
		return;
	out__name(out, session_symbols__name(symbols, hit.dso, symbol));
	out__str(out, "+0x");
	out__hex(out, vaddr - session_symbols__symbol(symbols, hit.dso, symbol)->start, 0);
}

bool dump__text_poke(struct out *out, const struct session *session,
                     struct session_symbols *symbols, const struct record *r, struct moment when)
{
	struct cursor c = cursor__make(r->data + RECORD_HEADER_SIZE, r->size - RECORD_HEADER_SIZE,
	                               perf_data__swapped(session->data));
	u64 addr = cursor__u64(&c);
	u16 old_len = cursor__u16(&c), new_len = cursor__u16(&c);
	const u8 *old = cursor__bytes(&c, old_len), *new = cursor__bytes(&c, new_len);

	if (c.failed)
		return false;
	out__printf(out, "PERF_RECORD_TEXT_POKE %llx ", (unsigned long long)addr);
	print_symbol(out, session, symbols, addr, when);
	out__printf(out, " old len %u new len %u\n", old_len, new_len);
	print_code(out, "Old", old, old_len);
	print_code(out, "New", new, new_len);
	return true;
}

bool dump__kernel(struct dump *dump, const struct record *r, const struct sample *trailer)
{
	switch (r->type) {
	case PERF_RECORD_LOST:
		return print_lost(dump, r);
	case PERF_RECORD_LOST_SAMPLES:
		return print_lost_samples(dump, r, trailer);
	case PERF_RECORD_READ:
		return print_read(dump, r);
	case PERF_RECORD_TEXT_POKE:
		return dump__text_poke(dump->out, dump->session, dump->symbols, r,
		                       session__moment(dump->session, r, trailer->time));
	case PERF_RECORD_THROTTLE:
	case PERF_RECORD_UNTHROTTLE:
		if (!dump->script) {
			dump__unhandled(dump, r);
			return true;
		}
		/* Script takes these, and nobody ends the line. */
		out__str(dump->out, r->type == PERF_RECORD_THROTTLE ? "PERF_RECORD_THROTTLE"
		                                                    : "PERF_RECORD_UNTHROTTLE");
		return true;
	case RECORD_CALLCHAIN_DEFERRED:
		dump__unhandled(dump, r);
		return true;
	}
	if (!record_text__print(dump->out, r, dump->swap))
		return false;
	if (r->type != PERF_RECORD_NAMESPACES || dump->out->buf[dump->out->len - 1] == ']')
		out__char(dump->out, '\n');
	return true;
}
