/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Links the sinks of a recording.
 *
 *	rings -> [unwind] -> [hold] -> counted -> [pack] -> file
 *
 * unwind with --unwind-live, and in the pilot of --call-graph auto, where hold keeps all until it
 * is known what is recorded; pack with -z. With --threads the rings of each CPU have sinks of their
 * own, from counted on, and the first chain takes what perf tells.
 */
#ifndef PERF_UTIL_RECORD_RECORDING_SINKS_H
#define PERF_UTIL_RECORD_RECORDING_SINKS_H

#include "util/record/recording_run.h"

/* Without a file yet. 0 or a negative errno: see compressor__init(). */
int outlet__init(struct outlet *outlet, struct recording *recording, struct error *err);
void outlet__exit(struct outlet *outlet); /* deletes the writer; also one that was only zeroed */

/* Link those that are in use, and let the rings' records begin with the first. */
void recording__link_sinks(struct recording *recording);

/* The thread that unwinds; between ring_drain__catch_up() and the next pass. */
int recording__start_unwinding(struct recording *recording, struct error *err);
void recording__stop_unwinding(struct recording *recording); /* counts go to found.unwound */

#endif
