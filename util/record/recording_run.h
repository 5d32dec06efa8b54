/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What runs in a recording. For recording.c and the files below it only, which call each other one
 * way:
 *
 *	recording.c		the steps, and when which file begins and ends
 *	recording_change.h	frame pointers given up later
 *	recording_auto.h	the pilot of --call-graph auto
 *	recording_file.h	the files: begun, finished, named
 *	recording_folder.h	the folder of --threads
 *	recording_synth.h	records about what exists
 *	recording_counters.h	counters opened, on and off
 *	recording_sinks.h	the sinks that the records pass
 */
#ifndef PERF_UTIL_RECORD_RECORDING_RUN_H
#define PERF_UTIL_RECORD_RECORDING_RUN_H

#include "util/bpf_filter/bpf_filters.h"
#include "util/counter/ring.h"
#include "util/record/hold_sink.h"
#include "util/record/recording.h"
#include "util/record/unwind_sink.h"
#include "util/sink/file_sink.h"
#include "util/sink/pack_sink.h"
#include "util/sink/ring_drain_team.h"
#include "util/sink/unwritten.h"

/* The last sinks, of one file: counted, packed, written. */
struct outlet {
	struct record_sink *first;
	struct unwritten_sink counted;
	struct pack_sink pack; /* with -z */
	struct file_sink file; /* owns its writer; NULL: no file */
};

struct recording_run {
	struct rings rings;
	struct ring_drain drain;
	struct ring_drain_team team; /* --threads */

	/* Sinks: see recording_sinks.h. */
	bool unwinding, holding; /* unwind, hold are in use */
	struct unwind_sink unwind;
	struct hold_sink hold;
	struct outlet outlet;
	struct outlet *parts; /* --threads: of the folder, by index of the CPU in cpus */
	u32 nr_parts;
	u64 size; /* of the data in all files, atomic */
	struct unwritten unwritten;

	bool filtering; /* filters is in use */
	struct bpf_filters filters;

	struct auto_chains *chooser; /* --call-graph auto; NULL: none */

	bool incomplete; /* some data could not be written */
	u64 clock_wall_ns, clock_ns;
	char **names; /* of finished and stamped files */
	u32 nr_names;
	size_t names_cap;
};

#endif
