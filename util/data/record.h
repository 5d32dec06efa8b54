/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Records of the perf ABI and of perf.data (kernel types 1-22 from linux/perf_event.h, perf's
 * own types from 64 on), and their decoding. A decoder reads a record that lies wholly in a
 * block, through bounds checks, in either byte order; a record whose inside does not fit its
 * size gives -EBADMSG and is counted by the caller as broken, never believed in part.
 */
#ifndef PERF_UTIL_DATA_RECORD_H
#define PERF_UTIL_DATA_RECORD_H

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
 * Why, where our recorder knows more than that the ring was full. In misc, where no kernel sets
 * these bits: of LOST, while the file took what had been read; of LOST_SAMPLES, the disk was full,
 * or what no LOST tells, as nothing followed it in the ring, was lost while the file took what had
 * been read.
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

/*
 * The record at @data, of this machine's byte order, if that and all of it lies in @left bytes.
 */
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

/* The smallest true size of such a record, without a trailer; 0: not known. */
u16 record__min_size(u32 type);

/*
 * Bytes behind an AUXTRACE or TRACING_DATA record that belong to it; 0 for other types, ~0 when
 * the record makes no sense.
 */
u64 record__payload_size(const u8 *record, u32 type, u16 size, bool swap);

/* Where the fields of one attr's samples and trailers lie; computed once per evsel. */
struct sample_layout {
	u64 sample_type, read_format, branch_type;
	u64 regs_user, regs_intr;
	u64 default_period; /* of samples without PERIOD: the event's fixed period */
	u16 fixed_size;     /* header up to and including PERIOD: present in each sample */
	/* Offsets from the record start of fixed fields; 0: not recorded. */
	u8 identifier, ip, tid, time, addr, id, stream_id, cpu, period;
	/* Trailer of other kernel records (sample_id_all): distance from the record's END; 0: no.
	 */
	u8 t_tid, t_time, t_id, t_stream_id, t_cpu, t_identifier;
	u8 trailer_size;
	/* READ with ids: a sample stands for one of each counted event (util/data/reads.h) ... */
	bool has_counts;
	bool counts_by_thread; /* ... whose counts go on in each thread by itself */
	bool has_rest;         /* parts behind the call chain */
};

void sample_layout__init(struct sample_layout *layout, const struct perf_event_attr *attr);

/* An array of u64 inside a record: unaligned and in the file's byte order. */
struct u64_span {
	const u8 *data;
	u64 nr;
};

static inline u64 u64_span__get(const struct u64_span *span, u64 i, bool swap)
{
	return load_u64(span->data + i * 8, swap);
}

struct sample {
	/* Not recorded: ip and addr 0; time, id, stream_id ~0; period layout->default_period. */
	u64 ip, time, addr, id, stream_id, period;
	u32 pid, tid, cpu; /* all-ones when not recorded */
	u16 misc;
	u8 cpumode; /* PERF_RECORD_MISC_* & 7 */
	/* The rest is filled only where recorded; but for read and chain by sample__decode() only.
	 */
	struct {
		u64 enabled, running;
		u64 nr;            /* 1 without GROUP */
		const u8 *values;  /* nr x (value [id] [lost]) as the file has them */
		u8 stride;         /* bytes per value */
		u8 id_at, lost_at; /* offset in the stride; 0: absent. Without GROUP the
		                    * stride also holds enabled and running. */
	} read;
	struct u64_span chain;
	const u8 *raw;
	u32 raw_size;
	struct u64_span branches;        /* triples (from, to, flags): nr is 3 x branches */
	struct u64_span branch_counters; /* one per branch */
	u64 branch_hw_idx;
	u64 user_abi, intr_abi;
	struct u64_span user_regs, intr_regs;
	const u8 *stack; /* also of size 0: where it would lie */
	u64 stack_size, stack_dyn_size;
	u64 weight; /* WEIGHT_STRUCT: var1 | var2 << 32 | var3 << 48 */
	u64 data_src, transaction, phys_addr, cgroup, data_page_size, code_page_size;
	const u8 *aux;
	u64 aux_size;
};

/*
 * Only the fixed fields, counts (READ) and the chain, for the hot path of reports; the other parts
 * fit the record. 0 or -EBADMSG.
 * The caller has made sure that the record is PERF_RECORD_SAMPLE and of the layout's event.
 */
int sample__decode_fast(const struct sample_layout *layout, const struct record *record, bool swap,
                        struct sample *sample);

/* sample__decode(), and its parts are all of the record; as far as they are known here. */
bool sample__is_exact(const struct sample_layout *layout, const struct record *record, bool swap,
                      struct sample *sample);

/* Everything. 0 or -EBADMSG. */
int sample__decode(const struct sample_layout *layout, const struct record *record, bool swap,
                   struct sample *sample);

/* The trailer of a non-sample kernel record into pid, tid, time, id, stream_id, cpu. */
int sample__decode_trailer(const struct sample_layout *layout, const struct record *record,
                           bool swap, struct sample *sample);

/*
 * A call chain's PERF_CONTEXT_* marker (an entry >= PERF_CONTEXT_MAX): what the entries behind it
 * are, as *cpumode. False, *cpumode untouched, for a marker that is not known here.
 */
bool sample__context(u64 marker, u8 *cpumode);

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
