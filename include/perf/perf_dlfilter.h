/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Filters for `perf script --dlfilter FILE.so`: what a shared object sees of samples, and what it
 * may ask. perf-script(1), section DLFILTERS, says how they are used.
 *
 * A filter is a shared object with some of these functions, in C:
 *
 *	int start(void **data, void *ctx);
 *	int filter_event_early(void *data, const struct perf_dlfilter_sample *sample, void *ctx);
 *	int filter_event(void *data, const struct perf_dlfilter_sample *sample, void *ctx);
 *	int stop(void *data, void *ctx);
 *	const char *filter_description(const char **long_description);
 *
 * start() comes before all samples and may set *data, which the others get; stop() comes last.
 * filter_event_early() sees every sample, filter_event() those that pass the other filters of
 * perf script. These return 0: keep the sample; 1: leave it out. A negative errno, from start() and
 * stop(), too, ends perf script with an error.
 *
 * To ask about a sample, define a variable
 *
 *	struct perf_dlfilter_fns perf_dlfilter_fns;
 *
 * which perf fills before start(). Each function takes the ctx that the filter was called with, and
 * may be called from there only. All but args() are about the sample, so in start() and stop() they
 * give what they give when nothing is known. What pointers lead to is perf's, and valid until the
 * filter returns.
 *
 * The layout of all structures is that of Linux's perf: a filter that was built for the one runs in
 * the other. Structures have grown at their ends: `size` tells how far the one goes that is there.
 */
#ifndef PERF_DLFILTER_H
#define PERF_DLFILTER_H

#include <linux/perf_event.h>
#include <linux/types.h>

/* sample.flags: what kind of branch it was, of samples that a decoder of traces has made. */
enum {
	PERF_DLFILTER_FLAG_BRANCH = 1ULL << 0,
	PERF_DLFILTER_FLAG_CALL = 1ULL << 1,
	PERF_DLFILTER_FLAG_RETURN = 1ULL << 2,
	PERF_DLFILTER_FLAG_CONDITIONAL = 1ULL << 3,
	PERF_DLFILTER_FLAG_SYSCALLRET = 1ULL << 4,
	PERF_DLFILTER_FLAG_ASYNC = 1ULL << 5,
	PERF_DLFILTER_FLAG_INTERRUPT = 1ULL << 6,
	PERF_DLFILTER_FLAG_TX_ABORT = 1ULL << 7,
	PERF_DLFILTER_FLAG_TRACE_BEGIN = 1ULL << 8,
	PERF_DLFILTER_FLAG_TRACE_END = 1ULL << 9,
	PERF_DLFILTER_FLAG_IN_TX = 1ULL << 10,
	PERF_DLFILTER_FLAG_VMENTRY = 1ULL << 11,
	PERF_DLFILTER_FLAG_VMEXIT = 1ULL << 12,
};

/* machine_pid and vcpu, the last two of a sample, are known to this header. */
#define PERF_DLFILTER_HAS_MACHINE_PID

/*
 * A sample. What was not recorded is 0, but for pid, tid, cpu (-1), time, id, stream_id (all ones),
 * period (that of the event) and data_src (each part "not available").
 */
struct perf_dlfilter_sample {
	__u32 size;        /* of this structure */
	__u16 ins_lat;     /* cycles of the instruction (WEIGHT_STRUCT) */
	__u16 p_stage_cyc; /* cycles of a stage of the pipeline (WEIGHT_STRUCT) */
	__u64 ip;
	__s32 pid;
	__s32 tid;
	__u64 time; /* ns */
	__u64 addr; /* of the data; of branches the target */
	__u64 id;   /* of the counter */
	__u64 stream_id;
	__u64 period;
	__u64 weight; /* cycles */
	__u64 transaction;
	__u64 insn_cnt; /* instructions and cycles since the last time that these were known */
	__u64 cyc_cnt;
	__s32 cpu;
	__u32 flags;    /* PERF_DLFILTER_FLAG_... */
	__u64 data_src; /* union perf_mem_data_src */
	__u64 phys_addr;
	__u64 data_page_size; /* bytes */
	__u64 code_page_size;
	__u64 cgroup;
	__u8 cpumode;             /* PERF_RECORD_MISC_USER ... */
	__u8 addr_correlates_sym; /* resolve_addr() can say something */
	__u16 misc;               /* of the record's header */
	__u32 raw_size;           /* bytes at raw_data */
	const void *raw_data;     /* of tracepoints the fields */
	__u64 brstack_nr;
	const struct perf_branch_entry *brstack; /* the latest first */
	__u64 raw_callchain_nr;
	const __u64 *raw_callchain; /* as recorded: with PERF_CONTEXT_... between */
	const char *event;          /* its name */
	__s32 machine_pid;          /* of a sample in a guest: the host's process; else 0 */
	__s32 vcpu;
};

/* What is at an address. */
struct perf_dlfilter_al {
	__u32 size;      /* of this structure; for resolve_address() set by the filter */
	__u32 symoff;    /* from the start of the symbol */
	const char *sym; /* NULL: none */
	__u64 addr;      /* in the terms of the object, as the next two are */
	__u64 sym_start;
	__u64 sym_end;    /* exclusive */
	const char *dso;  /* path; NULL: nothing is mapped there */
	__u8 sym_binding; /* STB_LOCAL, STB_GLOBAL, STB_WEAK of <elf.h> */
	__u8 is_64_bit;   /* of the object, if there is one */
	__u8 is_kernel_ip;
	__u32 buildid_size; /* bytes at buildid; 0: not known */
	__u8 *buildid;
	/* From resolve_ip() only: */
	__u8 filtered;    /* another filter leaves the sample out */
	const char *comm; /* of the thread */
	void *priv;       /* perf's; newer than 6.1 */
};

struct perf_dlfilter_fns {
	/* What is at ip; NULL: there is no sample, or nothing is known of its thread. */
	const struct perf_dlfilter_al *(*resolve_ip)(void *ctx);
	/* What is at addr; NULL also unless addr_correlates_sym. */
	const struct perf_dlfilter_al *(*resolve_addr)(void *ctx);
	/* The arguments of --dlarg, *dlargc of them. In start() and stop(), too. */
	char **(*args)(void *ctx, int *dlargc);
	/* What is at an address of the sample's process or the kernel, into @al: 0, or -1. */
	__s32 (*resolve_address)(void *ctx, __u64 address, struct perf_dlfilter_al *al);
	/* The instruction at ip, *length bytes; NULL: its code is not there. */
	const __u8 *(*insn)(void *ctx, __u32 *length);
	/* The file, and the line in it, of ip; NULL: not known. */
	const char *(*srcline)(void *ctx, __u32 *line_number);
	/* How the event of the sample was opened; a copy. */
	struct perf_event_attr *(*attr)(void *ctx);
	/* Copy up to @len bytes of code at @ip of the sample's process or the kernel: how many,
	 * or -1: none. */
	__s32 (*object_code)(void *ctx, __u64 ip, void *buf, __u32 len);
	/* What resolve_address() gave is needed no more. Newer than 6.1. */
	void (*al_cleanup)(void *ctx, struct perf_dlfilter_al *al);
	void *(*reserved[119])(void *);
};

#endif
