/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes the header features of a recording, which describe it and its machine. The layouts are
 * those of Linux's perf 6.1 (Documentation/perf.data-file-format.txt, "Features").
 *
 * Each feature is collected on its own: if it cannot be found out (no sysfs, no rights), that
 * feature is left out and nothing else.
 */
#ifndef PERF_UTIL_WRITER_FEATURE_WRITE_H
#define PERF_UTIL_WRITER_FEATURE_WRITE_H

#include "util/event/evsel.h"
#include "util/lib/out.h"
#include "util/lib/types.h"
#include "util/reader/features.h"

struct feature_source {
	const char *root;    /* prefix of /proc and /sys; "" except in tests */
	const char *version; /* of this perf */
	const char *tracefs; /* mount point, for TRACING_DATA; NULL: none */
	const struct evlist *evlist;
	const char *const *words; /* the command line as typed: "record", "-g", ... */
	u32 nr_words;
	const struct build_id_entry *build_ids;
	u32 nr_build_ids;
	bool build_ids_wanted;              /* BUILD_ID is written, even when empty */
	bool counts;                        /* STAT: the recording has counts, no samples */
	u32 compression, compression_ratio; /* zstd's level, 0: none; rounded */
	const u64 *part_sizes;              /* DIR_FORMAT: of the files data.N */
	u32 nr_parts;                       /* 0: there are none */
	bool incomplete;                    /* records are missing: the recording says so */
	u32 decompressed_max;               /* bytes that one record unpacks to at most */
	u64 first_sample, last_sample;      /* ns; 0, 0 when not known */
	bool bpf_code;                      /* of the programs that are loaded now */
	bool clockid_set;                   /* -k */
	s32 clockid;
	u64 clock_resolution, clock_wall_ns, clock_ns; /* the last two: of the same moment */
	/*
	 * For a file made from another recording: that one, whose sections are copied, except
	 * BUILD_ID, CMDLINE (copied only if there are no words), and those about how that file was
	 * stored. It has this machine's byte order. NULL: sections describe this machine.
	 */
	const struct perf_data *copy_from;
};

/*
 * Append the section of @feature to @out (in memory). False: this recording has no such feature;
 * @out may then hold a part that the caller drops.
 */
bool feature__write(unsigned feature, const struct feature_source *source, struct out *out);

/* The pieces that feature sections are made of. */
void feature__put_u32(struct out *out, u32 value);
void feature__put_u64(struct out *out, u64 value);
void feature__put_string(struct out *out, const char *s); /* length, text, zeros to 64 */

/* Collectors in files of their own. */
bool feature__write_cpu_topology(const struct feature_source *source, struct out *out);
bool feature__write_numa_topology(const struct feature_source *source, struct out *out);
bool feature__write_cache(const struct feature_source *source, struct out *out);
bool feature__write_mem_topology(const struct feature_source *source, struct out *out);
bool feature__write_pmu_mappings(const struct feature_source *source, struct out *out);
bool feature__write_cpu_pmu_caps(const struct feature_source *source, struct out *out);
bool feature__write_pmu_caps(const struct feature_source *source, struct out *out);
bool feature__write_tracing_data(const struct feature_source *source, struct out *out);

#endif
