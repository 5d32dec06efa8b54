// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Names of record types, and the decoding of side-band records. Every field goes through a
 * cursor over exactly the record's bytes. Names must be NUL-ended inside the record; the trailer
 * behind them is not looked at here (sample__decode_trailer).
 */
#include "util/format/record.h"
#include "util/format/sample.h"

#include <errno.h>

static const char *const type_names[RECORD_TYPE_MAX] = {
	[PERF_RECORD_MMAP] = "MMAP",
	[PERF_RECORD_LOST] = "LOST",
	[PERF_RECORD_COMM] = "COMM",
	[PERF_RECORD_EXIT] = "EXIT",
	[PERF_RECORD_THROTTLE] = "THROTTLE",
	[PERF_RECORD_UNTHROTTLE] = "UNTHROTTLE",
	[PERF_RECORD_FORK] = "FORK",
	[PERF_RECORD_READ] = "READ",
	[PERF_RECORD_SAMPLE] = "SAMPLE",
	[PERF_RECORD_MMAP2] = "MMAP2",
	[PERF_RECORD_AUX] = "AUX",
	[PERF_RECORD_ITRACE_START] = "ITRACE_START",
	[PERF_RECORD_LOST_SAMPLES] = "LOST_SAMPLES",
	[PERF_RECORD_SWITCH] = "SWITCH",
	[PERF_RECORD_SWITCH_CPU_WIDE] = "SWITCH_CPU_WIDE",
	[PERF_RECORD_NAMESPACES] = "NAMESPACES",
	[PERF_RECORD_KSYMBOL] = "KSYMBOL",
	[PERF_RECORD_BPF_EVENT] = "BPF_EVENT",
	[PERF_RECORD_CGROUP] = "CGROUP",
	[PERF_RECORD_TEXT_POKE] = "TEXT_POKE",
	[PERF_RECORD_AUX_OUTPUT_HW_ID] = "AUX_OUTPUT_HW_ID",
	[RECORD_CALLCHAIN_DEFERRED] = "CALLCHAIN_DEFERRED",
	[RECORD_HEADER_ATTR] = "ATTR",
	[RECORD_EVENT_TYPE] = "EVENT_TYPE",
	[RECORD_TRACING_DATA] = "TRACING_DATA",
	[RECORD_BUILD_ID] = "BUILD_ID",
	[RECORD_FINISHED_ROUND] = "FINISHED_ROUND",
	[RECORD_ID_INDEX] = "ID_INDEX",
	[RECORD_AUXTRACE_INFO] = "AUXTRACE_INFO",
	[RECORD_AUXTRACE] = "AUXTRACE",
	[RECORD_AUXTRACE_ERROR] = "AUXTRACE_ERROR",
	[RECORD_THREAD_MAP] = "THREAD_MAP",
	[RECORD_CPU_MAP] = "CPU_MAP",
	[RECORD_STAT_CONFIG] = "STAT_CONFIG",
	[RECORD_STAT] = "STAT",
	[RECORD_STAT_ROUND] = "STAT_ROUND",
	[RECORD_EVENT_UPDATE] = "EVENT_UPDATE",
	[RECORD_TIME_CONV] = "TIME_CONV",
	[RECORD_HEADER_FEATURE] = "FEATURE",
	[RECORD_COMPRESSED] = "COMPRESSED",
	[RECORD_FINISHED_INIT] = "FINISHED_INIT",
	[RECORD_COMPRESSED2] = "COMPRESSED2",
	[RECORD_BPF_METADATA] = "BPF_METADATA",
	[RECORD_SCHEDSTAT_CPU] = "SCHEDSTAT_CPU",
	[RECORD_SCHEDSTAT_DOMAIN] = "SCHEDSTAT_DOMAIN",
};

const char *record__type_name(u32 type)
{
	return type < RECORD_TYPE_MAX ? type_names[type] : NULL;
}

/* Without trailer. */
static const u8 min_sizes[RECORD_TYPE_MAX] = {
	[PERF_RECORD_MMAP] = 48,
	[PERF_RECORD_LOST] = 24,
	[PERF_RECORD_COMM] = 24,
	[PERF_RECORD_EXIT] = 32,
	[PERF_RECORD_THROTTLE] = 32,
	[PERF_RECORD_UNTHROTTLE] = 32,
	[PERF_RECORD_FORK] = 32,
	[PERF_RECORD_READ] = 24,
	[PERF_RECORD_SAMPLE] = 16,
	[PERF_RECORD_MMAP2] = 80,
	[PERF_RECORD_AUX] = 32,
	[PERF_RECORD_ITRACE_START] = 16,
	[PERF_RECORD_LOST_SAMPLES] = 16,
	[PERF_RECORD_SWITCH] = 8,
	[PERF_RECORD_SWITCH_CPU_WIDE] = 16,
	[PERF_RECORD_NAMESPACES] = 24,
	[PERF_RECORD_KSYMBOL] = 32,
	[PERF_RECORD_BPF_EVENT] = 24,
	[PERF_RECORD_CGROUP] = 24,
	[PERF_RECORD_TEXT_POKE] = 24,
	[PERF_RECORD_AUX_OUTPUT_HW_ID] = 16,
	[RECORD_CALLCHAIN_DEFERRED] = 24,
	[RECORD_HEADER_ATTR] = 72,
	[RECORD_TRACING_DATA] = 12, /* newer perfs pad it */
	[RECORD_BUILD_ID] = 40,
	[RECORD_FINISHED_ROUND] = 8,
	[RECORD_ID_INDEX] = 16,
	[RECORD_AUXTRACE_INFO] = 16,
	[RECORD_AUXTRACE] = 48,
	[RECORD_AUXTRACE_ERROR] = 48,
	[RECORD_THREAD_MAP] = 16,
	[RECORD_CPU_MAP] = 16,
	[RECORD_STAT_CONFIG] = 16,
	[RECORD_STAT] = 48,
	[RECORD_STAT_ROUND] = 24,
	[RECORD_EVENT_UPDATE] = 32,
	[RECORD_TIME_CONV] = 32,
	[RECORD_HEADER_FEATURE] = 16,
	[RECORD_COMPRESSED] = 9,
	[RECORD_FINISHED_INIT] = 8,
	[RECORD_COMPRESSED2] = 17,
};

u16 record__min_size(u32 type)
{
	return type < RECORD_TYPE_MAX ? min_sizes[type] : 0;
}

/* Everything behind the header. */
static struct cursor body(const struct record *record, bool swap)
{
	return cursor__make(record->data + RECORD_HEADER_SIZE, record->size - RECORD_HEADER_SIZE,
	                    swap);
}

/* The name that starts here and ends somewhere before the record's end. */
static const char *name_at(struct cursor *c)
{
	return cursor__str(c, cursor__left(c));
}

static int verdict(const struct cursor *c)
{
	return c->failed ? -EBADMSG : 0;
}

u64 record__payload_size(const u8 *record, u32 type, u16 size, bool swap)
{
	if (type == RECORD_AUXTRACE)
		return size < 48 ? ~0ull : load_u64(record + 8, swap);
	if (type == RECORD_TRACING_DATA)
		return size < 12 ? ~0ull : round_up_u64(load_u32(record + 8, swap), 8);
	return 0;
}

/* Device, inode and generation; or, marked in misc since Linux 5.12, the file's build-id. */
static void decode_mmap2_identity(struct cursor *c, const struct record *record,
                                  struct mmap_record *out)
{
	if (!(record->misc & PERF_RECORD_MISC_MMAP_BUILD_ID)) {
		out->maj = cursor__u32(c);
		out->min = cursor__u32(c);
		out->ino = cursor__u64(c);
		out->ino_generation = cursor__u64(c);
		return;
	}
	u8 size = cursor__u8(c);

	cursor__bytes(c, 3);
	const u8 *id = cursor__bytes(c, sizeof(out->build_id));

	if (!id || size > sizeof(out->build_id)) {
		c->failed = true;
		return;
	}
	out->has_build_id = size > 0;
	out->build_id_size = size;
	memcpy(out->build_id, id, size);
}

int mmap_record__decode(const struct record *record, bool swap, struct mmap_record *out)
{
	struct cursor c = body(record, swap);

	*out = (struct mmap_record){ .is_data = record->misc & PERF_RECORD_MISC_MMAP_DATA };
	out->pid = cursor__u32(&c);
	out->tid = cursor__u32(&c);
	out->start = cursor__u64(&c);
	out->len = cursor__u64(&c);
	out->pgoff = cursor__u64(&c);
	if (record->type == PERF_RECORD_MMAP2) {
		decode_mmap2_identity(&c, record, out);
		out->prot = cursor__u32(&c);
		out->flags = cursor__u32(&c);
	} else {
		out->prot = out->is_data ? 0 : 4 /* PROT_EXEC */;
	}
	out->name = name_at(&c);
	return verdict(&c);
}

int task_record__decode(const struct record *record, bool swap, struct task_record *out)
{
	struct cursor c = body(record, swap);

	out->pid = cursor__u32(&c);
	out->ppid = cursor__u32(&c);
	out->tid = cursor__u32(&c);
	out->ptid = cursor__u32(&c);
	out->time = cursor__u64(&c);
	return verdict(&c);
}

int comm_record__decode(const struct record *record, bool swap, struct comm_record *out)
{
	struct cursor c = body(record, swap);

	out->pid = cursor__u32(&c);
	out->tid = cursor__u32(&c);
	out->exec = record->misc & PERF_RECORD_MISC_COMM_EXEC;
	out->name = name_at(&c);
	return verdict(&c);
}

int ksymbol_record__decode(const struct record *record, bool swap, struct ksymbol_record *out)
{
	struct cursor c = body(record, swap);

	out->addr = cursor__u64(&c);
	out->len = cursor__u32(&c);
	out->type = cursor__u16(&c);
	out->flags = cursor__u16(&c);
	out->name = name_at(&c);
	return verdict(&c);
}
