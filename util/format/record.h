/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Record types of the kernel and of perf.data, and decoders for records. Kernel types are 1-22
 * (linux/perf_event.h); perf's own start at 64. A decoder reads a record that lies wholly in a
 * block, with bounds checks, in either byte order. A record whose fields do not fit its size gives
 * -EBADMSG; the caller counts it as broken and uses no part of it.
 */
#ifndef PERF_UTIL_FORMAT_RECORD_H
#define PERF_UTIL_FORMAT_RECORD_H

#include <linux/perf_event.h>

#include "util/event/evsel.h"
#include "util/lib/cursor.h"
#include "util/lib/types.h"

#define RECORD_HEADER_SIZE 8

/* Record types made by perf itself (not by the kernel). */
enum perf_record_type {
	RECORD_HEADER_ATTR = 64,
	RECORD_EVENT_TYPE = 65,
	RECORD_TRACING_DATA = 66,
	RECORD_BUILD_ID = 67,
	RECORD_FINISHED_ROUND = 68,
	RECORD_ID_INDEX = 69,
	RECORD_AUXTRACE_INFO = 70,
	RECORD_AUXTRACE = 71,
	RECORD_AUXTRACE_ERROR = 72,
	RECORD_THREAD_MAP = 73,
	RECORD_CPU_MAP = 74,
	RECORD_STAT_CONFIG = 75,
	RECORD_STAT = 76,
	RECORD_STAT_ROUND = 77,
	RECORD_EVENT_UPDATE = 78,
	RECORD_TIME_CONV = 79,
	RECORD_HEADER_FEATURE = 80,
	RECORD_COMPRESSED = 81,
	RECORD_FINISHED_INIT = 82,
	RECORD_COMPRESSED2 = 83,
	RECORD_BPF_METADATA = 84,
	RECORD_SCHEDSTAT_CPU = 85,
	RECORD_SCHEDSTAT_DOMAIN = 86,
	RECORD_TYPE_MAX = 87,
};

#define RECORD_CALLCHAIN_DEFERRED 22 /* newer than the build machine's kernel headers */

/*
 * Causes of a loss, where our recorder knows more than that the ring was full. They are misc bits
 * that no kernel sets. WRITER_BEHIND (LOST): the loss is due to a slow write to the file. DISK_FULL
 * (LOST_SAMPLES): the disk was full. LAST_BEHIND (LOST_SAMPLES): a slow write caused the last loss
 * of a ring, which no LOST reports because nothing followed it there.
 */
#define RECORD_MISC_WRITER_BEHIND (1u << 13)
#define RECORD_MISC_DISK_FULL     (1u << 13)
#define RECORD_MISC_LAST_BEHIND   (1u << 14)

/* One record in place: @data points at its 8-byte header; offset identifies it in the session. */
struct record {
	const u8 *data;
	u32 type;
	u16 misc;
	u16 size;   /* header included */
	u64 offset; /* in the file (or stream) */
};

/* The record at @data, in this machine's byte order. False: not all of it is in the @left bytes. */
static inline bool record__take(const u8 *data, size_t left, struct record *record)
{
	if (left < RECORD_HEADER_SIZE)
		return false;
	*record = (struct record){ .data = data,
		                   .type = load_u32(data, false),
		                   .misc = load_u16(data + 4, false),
		                   .size = load_u16(data + 6, false) };
	return record->size >= RECORD_HEADER_SIZE && record->size <= left;
}

const char *record__type_name(u32 type); /* "MMAP2", "FINISHED_ROUND"; NULL when unknown */

/* The smallest valid size of such a record, without a trailer; 0: not known. */
u16 record__min_size(u32 type);

/*
 * Bytes after an AUXTRACE or TRACING_DATA record that belong to it; 0 for other types, ~0 when the
 * record is malformed.
 */
u64 record__payload_size(const u8 *record, u32 type, u16 size, bool swap);

/* Side-band records, decoded. Strings point into the record. All return 0 or -EBADMSG. */
struct mmap_record {
	u32 pid, tid;
	u64 start, len, pgoff;
	bool has_build_id, is_data; /* misc bits 14 (MMAP2) and 13 */
	u8 build_id_size;
	u8 build_id[20];
	u32 maj, min;
	u64 ino, ino_generation;
	u32 prot, flags; /* MMAP: PROT_EXEC or 0 by is_data */
	const char *name;
};

struct task_record { /* FORK and EXIT */
	u32 pid, ppid, tid, ptid;
	u64 time;
};

struct comm_record {
	u32 pid, tid;
	bool exec;
	const char *name;
};

struct ksymbol_record {
	u64 addr;
	u32 len;
	u16 type, flags;
	const char *name;
};

int mmap_record__decode(const struct record *record, bool swap, struct mmap_record *out);
int task_record__decode(const struct record *record, bool swap, struct task_record *out);
int comm_record__decode(const struct record *record, bool swap, struct comm_record *out);
int ksymbol_record__decode(const struct record *record, bool swap, struct ksymbol_record *out);

#endif
