/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Decodes PERF_RECORD_SAMPLE, in full or as far as reports need it, and the trailers of other
 * records. Trailers of the other kernel records have some of the same fields.
 */
#ifndef PERF_UTIL_FORMAT_SAMPLE_H
#define PERF_UTIL_FORMAT_SAMPLE_H

#include "util/format/record.h"

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
	/* READ with ids: a sample stands for one of each counted event (util/reader/reads.h) ... */
	bool has_counts;
	bool counts_by_thread; /* ... and each thread counts on its own */
	bool has_rest;         /* parts after the call chain */
	bool only_raw;         /* RAW is all that follows the fixed fields ... */
	bool chain_alone;      /* ... or the call chain is */
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

/* Where the user's part of a chain begins: the index of its marker; chain->nr: it has none. */
static inline u64 chain__user_marker(const struct u64_span *chain, bool swap)
{
	u64 at = 0;

	while (at < chain->nr && u64_span__get(chain, at, swap) != PERF_CONTEXT_USER)
		at++;
	return at;
}

struct sample {
	/* Not recorded: ip and addr 0; time, id, stream_id ~0; period layout->default_period. */
	u64 ip, time, addr, id, stream_id, period;
	u32 pid, tid, cpu; /* all-ones when not recorded */
	u16 misc;
	u8 cpumode; /* PERF_RECORD_MISC_* & 7 */
	/*
	 * The rest is filled only where recorded; all but read, chain and raw only by
	 * sample__decode().
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
	/* One of the branches, set by who works on them one by one. */
	struct {
		u64 from, to, flags;
	} branch;
	u64 user_abi, intr_abi;
	struct u64_span user_regs, intr_regs;
	const u8 *stack; /* where it is or, with size 0, would be */
	u64 stack_size, stack_dyn_size;
	u64 weight;        /* WEIGHT_STRUCT: var1 | var2 << 32 | var3 << 48 */
	bool weight_whole; /* one number (WEIGHT) */
	u64 data_src, transaction, phys_addr, cgroup, data_page_size, code_page_size;
	const u8 *aux;
	u64 aux_size;
};

/*
 * Decode only the fixed fields, counts (READ) and the chain, for the hot path of reports; of the
 * other parts check only that they fit the record. 0 or -EBADMSG. The caller makes sure that the
 * record is a PERF_RECORD_SAMPLE of the layout's event.
 */
int sample__decode_fast(const struct sample_layout *layout, const struct record *record, bool swap,
                        struct sample *sample);

/* The same, with raw and raw_size (NULL and 0 where not recorded). */
int sample__decode_raw(const struct sample_layout *layout, const struct record *record, bool swap,
                       struct sample *sample);

/* Decode all fields. True if they fill the record exactly, as far as they are known here. */
bool sample__is_exact(const struct sample_layout *layout, const struct record *record, bool swap,
                      struct sample *sample);

/* Decode all fields. 0 or -EBADMSG. */
int sample__decode(const struct sample_layout *layout, const struct record *record, bool swap,
                   struct sample *sample);

/* Decode the trailer of a non-sample kernel record into pid, tid, time, id, stream_id, cpu. */
int sample__decode_trailer(const struct sample_layout *layout, const struct record *record,
                           bool swap, struct sample *sample);

/*
 * Set *cpumode to that of the call chain entries after the PERF_CONTEXT_* marker @marker (an entry
 * >= PERF_CONTEXT_MAX). False, *cpumode unchanged: the marker is not known here.
 */
bool sample__context(u64 marker, u8 *cpumode);

/*
 * The cpumode of an address that comes without one, as those of branches do: the upper half is the
 * kernel's, whatever ran when the sample was taken.
 */
u8 sample__mode_of_address(u64 address);

/* The third word of a branch (struct perf_branch_entry). */
enum {
	BRANCH_MISPREDICTED = 1u << 0,
	BRANCH_PREDICTED = 1u << 1,
	BRANCH_IN_TX = 1u << 2,
	BRANCH_ABORT = 1u << 3,
};

static inline u32 branch_entry__cycles(u64 flags)
{
	return flags >> 4 & 0xffff;
}

static inline u64 branch_entry__but_cycles(u64 flags)
{
	return flags & ~(0xffffull << 4);
}

/*
 * The kind of a branch as one number: PERF_BR_*, and from BRANCH_EXTENDED on those that only newer
 * kernels have. 0: it was not recorded.
 */
enum {
	BRANCH_CONDITIONAL = 1,
	BRANCH_EXTENDED = 15,
	BRANCH_KINDS = BRANCH_EXTENDED + 16,
};

static inline unsigned branch_entry__kind(u64 flags)
{
	unsigned kind = flags >> 20 & 15;

	return kind == BRANCH_EXTENDED ? kind + (flags >> 26 & 15) : kind;
}

/* "COND", "RET" ...; "" for 0. */
const char *branch_kind__name(unsigned kind);

static inline const char *branch_entry__type(u64 flags)
{
	return branch_kind__name(branch_entry__kind(flags));
}

/* The weight of WEIGHT, or the first of WEIGHT_STRUCT. */
u64 sample__weight(const struct sample *sample);

#endif
