/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Header features of perf.data: their numbers, and decoders of those that commands use. */
#ifndef PERF_UTIL_READER_FEATURES_H
#define PERF_UTIL_READER_FEATURES_H

#include "arch/arch.h"
#include "util/lib/types.h"

enum perf_feature {
	FEATURE_TRACING_DATA = 1,
	FEATURE_BUILD_ID = 2,
	FEATURE_HOSTNAME = 3,
	FEATURE_OSRELEASE = 4,
	FEATURE_VERSION = 5,
	FEATURE_ARCH = 6,
	FEATURE_NRCPUS = 7,
	FEATURE_CPUDESC = 8,
	FEATURE_CPUID = 9,
	FEATURE_TOTAL_MEM = 10,
	FEATURE_CMDLINE = 11,
	FEATURE_EVENT_DESC = 12,
	FEATURE_CPU_TOPOLOGY = 13,
	FEATURE_NUMA_TOPOLOGY = 14,
	FEATURE_BRANCH_STACK = 15,
	FEATURE_PMU_MAPPINGS = 16,
	FEATURE_GROUP_DESC = 17,
	FEATURE_AUXTRACE = 18,
	FEATURE_STAT = 19,
	FEATURE_CACHE = 20,
	FEATURE_SAMPLE_TIME = 21,
	FEATURE_MEM_TOPOLOGY = 22,
	FEATURE_CLOCKID = 23,
	FEATURE_DIR_FORMAT = 24,
	FEATURE_BPF_PROG_INFO = 25,
	FEATURE_BPF_BTF = 26,
	FEATURE_COMPRESSED = 27,
	FEATURE_CPU_PMU_CAPS = 28,
	FEATURE_CLOCK_DATA = 29,
	FEATURE_HYBRID_TOPOLOGY = 30,
	FEATURE_PMU_CAPS = 31,
	FEATURE_CPU_DOMAIN_INFO = 32,
	FEATURE_E_MACHINE = 33,
	FEATURE_CLN_SIZE = 34,
	FEATURE_MAX = 256, /* bits of the bitmap; numbers from 35 on are unknown here */
};

const char *perf_feature__name(unsigned feature); /* "HOSTNAME"; NULL when unknown */

struct perf_data;

/* A build-id of the HEADER_BUILD_ID section. @name lives as long as the perf_data. */
struct build_id_entry {
	s32 pid; /* -1: host kernel's machine */
	u8 cpumode;
	u8 size;
	u8 id[20];
	const char *name;
};

/*
 * Calls @fn for each entry of the BUILD_ID section. Broken entries end the walk. Returns the number
 * of entries, or -EBADMSG when the section was cut or broken (@fn got the entries before that).
 */
int perf_data__build_ids(const struct perf_data *data,
                         void (*fn)(void *ctx, const struct build_id_entry *entry), void *ctx);

/* One of the plain string features (HOSTNAME ... CPUID); NULL when absent or broken. */
const char *perf_data__feature_string(const struct perf_data *data, unsigned feature);

/*
 * The sockets (packages) of the recording machine's CPUs, by CPU, -1 for those without: from the
 * heap, *nr of them; NULL when the file does not say.
 */
s32 *perf_data__sockets(const struct perf_data *data, u32 *nr);

/* The same for memory nodes, 0 for CPUs of which the file does not tell. */
s32 *perf_data__nodes(const struct perf_data *data, u32 *nr);

/* The architecture of the machine that recorded; this machine's if the file does not say. */
const struct arch *perf_data__arch(const struct perf_data *data);

#endif
