// SPDX-License-Identifier: GPL-2.0-or-later
/* Records that perf itself writes (types from 64 on). */
#include "ui/dump/dump_private.h"

#include <stdlib.h>

#include "util/lib/alloc.h"

static struct cursor body_of(const struct dump *dump, const struct record *r)
{
	return cursor__make(r->data + RECORD_HEADER_SIZE, r->size - RECORD_HEADER_SIZE, dump->swap);
}

static void print_u64(struct out *out, const char *label, u64 value)
{
	out__str(out, label);
	out__dec(out, value, 0);
}

static void print_name(struct dump *dump, const struct record *r)
{
	out__str(dump->out, "PERF_RECORD_");
	out__str(dump->out, record__type_name(r->type));
}

/* Who uses a record in Linux's perf depends on the command; where nobody does it says so. */
static void end_unused(struct dump *dump)
{
	if (!dump->script)
		out__str(dump->out, ": unhandled!\n");
}

static bool print_id_index(struct dump *dump, const struct record *r)
{
	struct cursor c = body_of(dump, r), more;
	u64 nr = cursor__u64(&c);

	if (c.failed || nr > cursor__left(&c) / 32)
		return false;
	print_u64(dump->out, "PERF_RECORD_ID_INDEX nr: ", nr);
	out__char(dump->out, '\n');
	/* A newer perf adds which guest each belongs to. */
	more = cursor__make(c.pos + nr * 32, cursor__left(&c) - nr * 32, dump->swap);
	bool has_more = cursor__left(&more) >= nr * 16;

	for (u64 i = 0; i < nr; i++) {
		print_u64(dump->out, " ... id: ", cursor__u64(&c));
		print_u64(dump->out, "  idx: ", cursor__u64(&c));
		out__str(dump->out, "  cpu: ");
		out__sdec(dump->out, (s64)cursor__u64(&c));
		out__str(dump->out, "  tid: ");
		out__sdec(dump->out, (s64)cursor__u64(&c));
		if (has_more) {
			out__str(dump->out, "  machine_pid: ");
			out__sdec(dump->out, (s64)cursor__u64(&more));
			out__str(dump->out, "  vcpu: ");
			out__sdec(dump->out, (s64)cursor__u64(&more));
		}
		out__char(dump->out, '\n');
	}
	return true;
}

static bool print_thread_map(struct dump *dump, const struct record *r)
{
	struct cursor c = body_of(dump, r);
	u64 nr = cursor__u64(&c);

	if (c.failed || nr > cursor__left(&c) / 24)
		return false;
	print_u64(dump->out, "PERF_RECORD_THREAD_MAP nr: ", nr);
	out__str(dump->out, nr > 1 ? " threads: " : " thread: ");
	for (u64 i = 0; i < nr; i++) {
		out__str(dump->out, i ? ", " : "");
		out__sdec(dump->out, (s32)cursor__u64(&c));
		cursor__bytes(&c, 16); /* comm */
	}
	out__char(dump->out, '\n');
	end_unused(dump);
	return true;
}

/* ---- lists of CPUs ---- */

enum { CPUS_LIST, CPUS_MASK, CPUS_RANGE };

/* The CPUs as ranges, in the order in which they come. */
struct cpu_ranges {
	struct out *out;
	s32 first, last; /* of the range that is not printed yet */
	bool any, pending;
};

static void end_range(struct cpu_ranges *ranges)
{
	if (!ranges->pending)
		return;
	out__str(ranges->out, ranges->any ? "," : "");
	out__sdec(ranges->out, ranges->first);
	if (ranges->last != ranges->first) {
		out__char(ranges->out, '-');
		out__sdec(ranges->out, ranges->last);
	}
	ranges->any = true;
	ranges->pending = false;
}

static void add_cpu(struct cpu_ranges *ranges, s32 cpu)
{
	if (ranges->pending && ranges->last >= 0 && cpu == ranges->last + 1) {
		ranges->last = cpu;
		return;
	}
	end_range(ranges);
	ranges->first = ranges->last = cpu;
	ranges->pending = true;
}

static void print_mask(struct cpu_ranges *ranges, struct cursor *c)
{
	u16 nr = cursor__u16(c), word = cursor__u16(c);

	if (word == 8)
		cursor__u32(c); /* the words are aligned in the record */
	for (u32 i = 0; i < nr && !c->failed; i++) {
		u64 bits = word == 8 ? cursor__u64(c) : cursor__u32(c);

		for (int bit = 0; bits; bit++, bits >>= 1)
			if (bits & 1)
				add_cpu(ranges, i * word * 8 + bit);
	}
}

/* False: of an unknown kind. A list that is cut sets c->failed. */
static bool print_cpus(struct out *out, struct cursor *c)
{
	struct cpu_ranges ranges = { .out = out };
	u16 type = cursor__u16(c);

	if (type == CPUS_LIST) {
		for (u16 nr = cursor__u16(c); nr && !c->failed; nr--) {
			u16 cpu = cursor__u16(c);

			if (!c->failed)
				add_cpu(&ranges, cpu == UINT16_MAX ? -1 : cpu);
		}
	} else if (type == CPUS_MASK) {
		print_mask(&ranges, c);
	} else if (type == CPUS_RANGE) {
		bool any = cursor__u8(c);

		cursor__u8(c);
		u16 first = cursor__u16(c), last = cursor__u16(c);

		if (any)
			add_cpu(&ranges, -1);
		for (u32 cpu = first; cpu <= last && !c->failed; cpu++)
			add_cpu(&ranges, cpu);
	} else {
		return false;
	}
	end_range(&ranges);
	return true;
}

static bool print_cpu_map(struct dump *dump, const struct record *r)
{
	struct cursor c = body_of(dump, r);

	out__str(dump->out, "PERF_RECORD_CPU_MAP: ");
	if (!print_cpus(dump->out, &c))
		out__str(dump->out, "failed to get cpumap from event");
	else if (c.failed)
		out__str(dump->out, " (cut)");
	out__char(dump->out, '\n');
	end_unused(dump);
	return true;
}

/* ---- counts ---- */

static bool print_stat_config(struct dump *dump, const struct record *r)
{
	enum { AGGR_MODE, INTERVAL, SCALE, NR_KNOWN };
	struct cursor c = body_of(dump, r);
	u64 nr = cursor__u64(&c), known[NR_KNOWN] = { 0 };

	if (c.failed || nr > cursor__left(&c) / 16)
		return false;
	for (u64 i = 0; i < nr; i++) {
		u64 tag = cursor__u64(&c), value = cursor__u64(&c);

		if (tag < NR_KNOWN)
			known[tag] = value;
	}
	out__printf(dump->out,
	            "PERF_RECORD_STAT_CONFIG\n... aggr_mode %d\n... scale     %d\n"
	            "... interval  %u\n",
	            (int)known[AGGR_MODE], (int)known[SCALE], (unsigned)known[INTERVAL]);
	end_unused(dump);
	return true;
}

static bool print_stat(struct dump *dump, const struct record *r)
{
	struct cursor c = body_of(dump, r);
	u64 id = cursor__u64(&c);
	s32 cpu = cursor__u32(&c), thread = cursor__u32(&c);
	u64 value = cursor__u64(&c), enabled = cursor__u64(&c), running = cursor__u64(&c);

	if (c.failed)
		return false;
	out__printf(dump->out, "PERF_RECORD_STAT\n... id %llu, cpu %d, thread %d\n",
	            (unsigned long long)id, cpu, thread);
	out__printf(dump->out, "... value %llu, enabled %llu, running %llu\n",
	            (unsigned long long)value, (unsigned long long)enabled,
	            (unsigned long long)running);
	end_unused(dump);
	return true;
}

static bool print_stat_round(struct dump *dump, const struct record *r)
{
	enum { FINAL = 1 };
	struct cursor c = body_of(dump, r);
	u64 type = cursor__u64(&c), time = cursor__u64(&c);

	if (c.failed)
		return false;
	out__printf(dump->out, "PERF_RECORD_STAT_ROUND\n... time %llu, type %s\n",
	            (unsigned long long)time, type == FINAL ? "FINAL" : "INTERVAL");
	end_unused(dump);
	return true;
}

/* ---- what is told about events and the clock ---- */

static bool print_event_update(struct dump *dump, const struct record *r)
{
	enum { UNIT, SCALE, NAME, CPUS };
	struct cursor c = body_of(dump, r);
	u64 type = cursor__u64(&c), id = cursor__u64(&c), bits;
	struct out *out = dump->out;
	double scale;

	if (c.failed)
		return false;
	out__printf(out, "PERF_RECORD_EVENT_UPDATE\n... id:    %llu\n", (unsigned long long)id);
	if (type == UNIT || type == NAME) {
		out__str(out, type == UNIT ? "... unit:  " : "... name:  ");
		out__name(out, cursor__str(&c, cursor__left(&c)));
	} else if (type == SCALE) {
		bits = cursor__u64(&c);
		memcpy(&scale, &bits, sizeof(scale));
		out__printf(out, "... scale: %f", scale);
	} else if (type == CPUS) {
		out__str(out, "... ");
		if (!print_cpus(out, &c))
			out__str(out, "failed");
	} else {
		out__str(out, "... unknown type");
	}
	out__str(out, c.failed ? " (cut)\n" : "\n");
	return true;
}

static bool print_time_conv(struct dump *dump, const struct record *r)
{
	struct cursor c = body_of(dump, r);
	u64 shift = cursor__u64(&c), mult = cursor__u64(&c), zero = cursor__u64(&c);

	if (c.failed)
		return false;
	out__printf(dump->out,
	            "PERF_RECORD_TIME_CONV\n... Time Shift      %llu\n... Time Muliplier  %llu\n"
	            "... Time Zero       %llu\n",
	            (unsigned long long)shift, (unsigned long long)mult, (unsigned long long)zero);
	u64 cycles = cursor__u64(&c), mask = cursor__u64(&c);
	u8 cap_zero = cursor__u8(&c), cap_short = cursor__u8(&c);

	if (!c.failed) /* since 5.10 */
		out__printf(dump->out,
		            "... Time Cycles     %llu\n... Time Mask       %#llx\n"
		            "... Cap Time Zero   %u\n... Cap Time Short  %u\n",
		            (unsigned long long)cycles, (unsigned long long)mask, cap_zero,
		            cap_short);
	out__str(dump->out, ": unhandled!\n");
	return true;
}

/* ---- hardware traces ---- */

static bool print_auxtrace_info(struct dump *dump, const struct record *r)
{
	struct cursor c = body_of(dump, r);
	u32 type = cursor__u32(&c);

	if (!c.failed)
		out__printf(dump->out, "PERF_RECORD_AUXTRACE_INFO type: %u\n", type);
	return !c.failed;
}

static bool print_auxtrace(struct dump *dump, const struct record *r)
{
	struct cursor c = body_of(dump, r);
	u64 size = cursor__u64(&c), offset = cursor__u64(&c), reference = cursor__u64(&c);
	u32 idx = cursor__u32(&c), tid = cursor__u32(&c), cpu = cursor__u32(&c);

	if (c.failed)
		return false;
	out__printf(dump->out,
	            "PERF_RECORD_AUXTRACE size: %#llx  offset: %#llx  ref: %#llx  idx: %u  tid: %d"
	            "  cpu: %d\n",
	            (unsigned long long)size, (unsigned long long)offset,
	            (unsigned long long)reference, idx, (s32)tid, (s32)cpu);
	return true;
}

struct auxtrace_error {
	u32 type, code, cpu, pid, tid, format, machine_pid, vcpu;
	u64 ip, time;
	const char *text;
};

static bool read_auxtrace_error(struct cursor *c, struct auxtrace_error *e)
{
	*e = (struct auxtrace_error){ .type = cursor__u32(c) };
	e->code = cursor__u32(c);
	e->cpu = cursor__u32(c);
	e->pid = cursor__u32(c);
	e->tid = cursor__u32(c);
	e->format = cursor__u32(c);
	e->ip = cursor__u64(c);
	if (!e->format) { /* the oldest has no time */
		e->text = cursor__str(c, min_u64(cursor__left(c), 64));
		return !c->failed;
	}
	e->time = cursor__u64(c);
	e->text = cursor__str(c, min_u64(cursor__left(c), 64));
	if (e->format >= 2 && cursor__left(c) >= 8) {
		e->machine_pid = cursor__u32(c);
		e->vcpu = cursor__u32(c);
	}
	return !c->failed;
}

static bool print_auxtrace_error(struct dump *dump, const struct record *r)
{
	enum { ITRACE = 1, NSEC_PER_SEC = 1000000000 };
	struct cursor c = body_of(dump, r);
	struct auxtrace_error e;

	if (!dump->script) {
		dump__unhandled(dump, r);
		return true;
	}
	if (!read_auxtrace_error(&c, &e))
		return false;
	out__str(dump->out, "PERF_RECORD_AUXTRACE_ERROR ");
	out__str(dump->out, e.type == ITRACE ? "instruction trace" : "unknown AUX");
	out__printf(dump->out, " error type %u time ", e.type);
	if (e.time)
		out__printf(dump->out, "%llu.%09llu", (unsigned long long)(e.time / NSEC_PER_SEC),
		            (unsigned long long)(e.time % NSEC_PER_SEC));
	else
		out__char(dump->out, '0');
	if (e.machine_pid)
		out__printf(dump->out, " machine_pid %d vcpu %d", (s32)e.machine_pid, (s32)e.vcpu);
	out__printf(dump->out, " cpu %d pid %d tid %d ip %#llx code %u: ", (s32)e.cpu, (s32)e.pid,
	            (s32)e.tid, (unsigned long long)e.ip, e.code);
	out__name(dump->out, e.text);
	out__char(dump->out, '\n');
	return true;
}

/* Of records that script uses for itself it shows the name only, and nobody ends the line. */
static bool is_taken_by_script(u32 type)
{
	return type == RECORD_STAT_CONFIG || type == RECORD_STAT || type == RECORD_STAT_ROUND;
}

bool dump__own(struct dump *dump, const struct record *r)
{
	if (dump->script && is_taken_by_script(r->type)) {
		print_name(dump, r);
		return true;
	}
	switch (r->type) {
	case RECORD_ID_INDEX:
		return print_id_index(dump, r);
	case RECORD_THREAD_MAP:
		return print_thread_map(dump, r);
	case RECORD_CPU_MAP:
		return print_cpu_map(dump, r);
	case RECORD_STAT_CONFIG:
		return print_stat_config(dump, r);
	case RECORD_STAT:
		return print_stat(dump, r);
	case RECORD_STAT_ROUND:
		return print_stat_round(dump, r);
	case RECORD_EVENT_UPDATE:
		return print_event_update(dump, r);
	case RECORD_TIME_CONV:
		return print_time_conv(dump, r);
	case RECORD_AUXTRACE_INFO:
		return print_auxtrace_info(dump, r);
	case RECORD_AUXTRACE:
		return print_auxtrace(dump, r);
	case RECORD_AUXTRACE_ERROR:
		return print_auxtrace_error(dump, r);
	case RECORD_HEADER_ATTR:
	case RECORD_EVENT_TYPE:
	case RECORD_TRACING_DATA:
	case RECORD_BUILD_ID:
	case RECORD_HEADER_FEATURE:
	case RECORD_FINISHED_ROUND:
		print_name(dump, r);
		if (r->type == RECORD_FINISHED_ROUND) /* nobody ends the others' lines */
			out__char(dump->out, '\n');
		return true;
	default:
		dump__unhandled(dump, r);
		return true;
	}
}
