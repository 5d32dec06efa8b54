/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A perf.data file opened for analysis: its reader, the strings and dsos, and the machine filled
 * by the first walk. Every reading command starts here.
 */
#ifndef PERF_UTIL_MACHINE_SESSION_H
#define PERF_UTIL_MACHINE_SESSION_H

#include "util/format/broken.h"
#include "util/lib/strtab.h"
#include "util/machine/cgroup_names.h"
#include "util/machine/dsos.h"
#include "util/machine/machine.h"
#include "util/reader/reader.h"

struct sample;

struct session_stats {
	u64 nr_records[RECORD_TYPE_MAX]; /* by type */
	u64 nr_unknown;                  /* records of types this perf does not know: skipped */
	u64 nr_broken;          /* records whose content does not fit their size: skipped */
	u64 nr_unknown_id;      /* samples whose id belongs to no event: skipped */
	u64 nr_guest_samples;   /* of virtual machines: their kernels' maps are known, no symbols */
	u64 nr_guest_maps;      /* those of programs in guests are skipped */
	u64 lost, lost_samples; /* sums over LOST and LOST_SAMPLES */
	u64 nr_damages, damaged_bytes; /* of perf_data__damages() */
	u64 first_time, last_time;     /* over samples; first_time ~0 if there are none with TIME */
	u64 *samples_of;      /* per evsel: number of samples, without broken ones; a sample
	                       * with counts is one of each event that counted in it */
	u64 *lost_samples_of; /* per evsel */
};

struct session {
	struct perf_data *data;
	struct evlist *evlist; /* of the file, owned by data */
	struct strtab strings;
	struct dsos dsos;
	struct machine *host;
	struct cgroup_names cgroups;
	struct session_stats stats;
	struct broken_records broken; /* those of stats.nr_broken */
	bool by_offset;               /* times are not used: see session__moment() */
	/*
	 * Set by a watch that settles what a round promised to be complete: no record is earlier
	 * any more (0: none was relied on). .broken_promise: one was.
	 */
	u64 relied;
	bool broken_promise;
	/* By such a watch: look-ups of the past need session__restart() and another scan. */
	bool forgot;
	u32 nr_walked;   /* blocks, in the scan at work */
	bool was_walked; /* the reader knows the blocks */
	/* Private: build-ids from the stream; the state of the walk, for a session that goes on. */
	struct told_build_id *told;
	u32 nr_told;
	size_t told_cap;
	struct scan *scan;
};

/* @flags: enum perf_data_open_flags. On failure nothing needs to be closed. */
int session__open(struct session *session, const char *path, unsigned flags, struct error *err);
void session__close(struct session *session);

/* Functions that see the samples during the first walk, other than those of block 0. */
struct session_watch {
	void *ctx;
	/*
	 * Called for each sample of a watched block; @sample NULL: its content does not fit its
	 * size.
	 */
	void (*sample)(void *ctx, const struct evsel *evsel, const struct sample *sample,
	               struct moment when);
	/* Called for each record that changes what samples of process @pid mean (its maps, comm,
	 * start). */
	void (*change)(void *ctx, u32 pid);
	/*
	 * Called after the last record of any block; @changes: it had records that change what
	 * later samples mean. Returns whether to watch the next block.
	 */
	bool (*block)(void *ctx, u32 index, bool changes);
	/*
	 * May be NULL. Called after that where FINISHED_ROUND records promise (see ordered.h) more
	 * than before: all records that are earlier than @until have been seen. The watch may
	 * settle the machine and forget what is past, and read blocks up to this one, when it sets
	 * session->relied.
	 */
	void (*round)(void *round_ctx, u64 until);
	void *round_ctx;
};

/*
 * The first walk, once: feeds the machine, counts, finishes it. Damage and skipped records are no
 * failure; session->stats counts them. @watch may be NULL. Where a record comes that is earlier
 * than the watch relied on, all is read again without it, and session->broken_promise is set: what
 * it learned is void.
 */
int session__scan_watched(struct session *session, const struct session_watch *watch,
                          struct error *err);

/*
 * After a scan: as if nothing had been scanned. Strings and dsos stay, with their numbers; the
 * machine is another one.
 */
void session__restart(struct session *session);

static inline int session__scan(struct session *session, struct error *err)
{
	return session__scan_watched(session, NULL, err);
}

/*
 * Continue a stream that was opened with PERF_DATA_LIVE, after the scan: wait for its next round
 * and take it in. 1, with *changed: the machine's answers have changed (see machine__settle()); 0:
 * the stream has ended (so it always is for other files); or a negative errno with @err.
 */
int session__more(struct session *session, bool *changed, struct error *err);

/* Of a session that goes on: the time of the last record that has one, whatever it is; 0: none. */
u64 session__last_time(const struct session *session);

/*
 * May the running kernel be the recorded one, by the file's header? True if the kernel's build-id
 * was recorded: util/symtab/ compares it, which is surer. Else false for another release,
 * architecture or host name: then set symbol_config.no_live_kernel, so that no address is named
 * from the wrong kallsyms. After the scan.
 */
bool session__kernel_is_live(const struct session *session);

/* Does any of its events record call chains? */
bool session__has_chains(const struct session *session);

/*
 * The moment of a record: its TIME when recorded (and not 0 / ~0), else by offset. A file without
 * TIME, or without sample_id_all (its side-band records have no times), is ordered by offset alone:
 * nothing else gives the order.
 */
static inline struct moment session__moment(const struct session *session,
                                            const struct record *record, u64 time)
{
	if (time == UINT64_MAX || session->by_offset)
		time = 0;
	return (struct moment){ time, record->offset };
}

#endif
